//! All meshes' uniforms in one buffer, of which each draw binds a row.

use bytemuck::bytes_of;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::gpu::Gpu;
use crate::head::Head;

use super::uniforms::{self, MeshUniforms};

/// Bind group 2.
#[derive(Debug)]
pub struct MeshTable {
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
    /// Bytes from one row to the next.
    stride: u32,
    /// Whose normals come recomputed, as the rows say it.
    are_recomputed: Vec<bool>,
}

impl MeshTable {
    /// A row for every mesh of `head`, no normals recomputed.
    pub fn new(gpu: &Gpu, head: &Head) -> Self {
        let stride = (size_of::<MeshUniforms>() as u32)
            .next_multiple_of(gpu.device.limits().min_uniform_buffer_offset_alignment.max(16));
        let mut bytes = vec![0; stride as usize * head.meshes.len().max(1)];
        for (mesh, row) in head.meshes.iter().zip(bytes.chunks_exact_mut(stride as usize)) {
            row[..size_of::<MeshUniforms>()].copy_from_slice(bytes_of(&MeshUniforms::new(mesh, false)));
        }
        let buffer = gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some("meshes"),
            contents: &bytes,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("meshes"),
            layout: &uniforms::mesh_bind_group_layout(&gpu.device),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &buffer,
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<MeshUniforms>() as u64),
                }),
            }],
        });
        Self { buffer, group, stride, are_recomputed: vec![false; head.meshes.len()] }
    }

    /// Binds a mesh's row.
    pub fn bind(&self, mesh: usize, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(2, &self.group, &[mesh as u32 * self.stride]);
    }

    /// Writes the rows of meshes whose normals have begun or ceased to come recomputed.
    pub fn note_recomputed(&mut self, queue: &wgpu::Queue, head: &Head, is_recomputed: impl Fn(usize) -> bool) {
        for (index, (mesh, noted)) in head.meshes.iter().zip(&mut self.are_recomputed).enumerate() {
            if *noted != is_recomputed(index) {
                *noted = !*noted;
                let offset = u64::from(self.stride) * index as u64;
                queue.write_buffer(&self.buffer, offset, bytes_of(&MeshUniforms::new(mesh, *noted)));
            }
        }
    }
}
