//! A stand-in until the real blender lands.
use super::{BlendMode, Blended};
use crate::gpu::Gpu;
use crate::head::Head;
use glam::Vec3;
use std::sync::Arc;
use wgpu::util::DeviceExt;

/// Stand-in.
#[derive(Debug)]
pub struct Layout {
    first: Vec<u32>,
    count: u32,
    floats: u32,
    head: Arc<Head>,
}
impl Layout {
    /// Stand-in.
    pub fn new(head: &Arc<Head>) -> Self {
        let mut count = 0;
        let mut first = Vec::new();
        for mesh in &head.meshes {
            first.push(count);
            count += (mesh.vertices.len() as u32).next_multiple_of(64);
        }
        let floats = if head.meshes.iter().any(|m| !m.vertices.tangents.is_empty()) { 10 } else { 6 };
        Self { first, count: count.max(64), floats, head: head.clone() }
    }
    /// Stand-in.
    pub fn first_vertex(&self, mesh: usize) -> u32 {
        self.first[mesh]
    }
    /// Stand-in.
    pub fn vertex_count(&self) -> u32 {
        self.count
    }
    /// Stand-in.
    pub fn vertex_floats(&self) -> u32 {
        self.floats
    }
}
/// Stand-in.
#[derive(Debug)]
pub struct Blender {
    layout: Arc<Layout>,
    gpu: Gpu,
    base: wgpu::Buffer,
    buffer: wgpu::Buffer,
    group: wgpu::BindGroup,
    bgl: wgpu::BindGroupLayout,
    last: Option<(Vec<f32>, BlendMode)>,
    worked: bool,
    cpu_ms: Option<f32>,
}
impl Blender {
    /// Stand-in.
    pub fn new(gpu: &Gpu, layout: Arc<Layout>) -> Self {
        let data = blend(&layout, &[]);
        let make = || {
            gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: Some("standin"),
                contents: bytemuck::cast_slice(&data),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::STORAGE,
            })
        };
        let (base, buffer) = (make(), make());
        let bgl = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: true },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &bgl,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Self { layout, gpu: gpu.clone(), base, buffer, group, bgl, last: None, worked: false, cpu_ms: None }
    }
    /// Stand-in.
    pub fn blend(
        &mut self,
        _e: &mut wgpu::CommandEncoder,
        weights: &[f32],
        mode: BlendMode,
        _t: Option<wgpu::ComputePassTimestampWrites<'_>>,
    ) -> Blended<'_> {
        self.worked = self.last.as_ref() != Some(&(weights.to_vec(), mode));
        if self.worked {
            let t = std::time::Instant::now();
            let data = blend(&self.layout, weights);
            self.gpu.queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(&data));
            self.cpu_ms = Some(t.elapsed().as_secs_f32() * 1e3);
            self.last = Some((weights.to_vec(), mode));
        }
        if mode == BlendMode::Vertex { Blended::InShader(&self.group) } else { Blended::Buffer(&self.buffer) }
    }
    /// Stand-in.
    pub fn did_work(&self) -> bool {
        self.worked
    }
    /// Stand-in.
    pub fn cpu_ms(&self) -> Option<f32> {
        self.cpu_ms
    }
    /// Stand-in.
    pub fn buffer(&self) -> &wgpu::Buffer {
        &self.buffer
    }
    /// Stand-in.
    pub fn base(&self) -> &wgpu::Buffer {
        &self.base
    }
    /// Stand-in.
    pub fn vertex_bind_group_layout(&self) -> &wgpu::BindGroupLayout {
        &self.bgl
    }
    /// Stand-in.
    pub fn vertex_shader_source(&self) -> String {
        format!(
            "struct Vertex {{ position: vec3f, normal: vec3f, tangent: vec4f }}\n@group(1) @binding(0) var<storage, read> blended: array<f32>;\nfn morphed_vertex(i: u32, base: Vertex) -> Vertex {{ let o = i * {}u; return Vertex(vec3f(blended[o], blended[o+1], blended[o+2]), vec3f(blended[o+3], blended[o+4], blended[o+5]), base.tangent); }}\n",
            self.layout.floats
        )
    }
    /// Stand-in.
    pub fn constants(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
    /// Stand-in.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }
    /// Stand-in.
    pub fn unavailable(&self, _mode: BlendMode) -> Option<String> {
        None
    }
}
fn blend(layout: &Layout, weights: &[f32]) -> Vec<f32> {
    let f = layout.floats as usize;
    let mut out = vec![0.0; layout.count as usize * f];
    for (mesh, &first) in layout.head.meshes.iter().zip(&layout.first) {
        let mut p = mesh.vertices.positions.clone();
        let mut n = mesh.vertices.normals.clone();
        for (t, target) in mesh.targets.iter().enumerate() {
            let w = weights.get(mesh.first_target + t).copied().unwrap_or(0.0);
            if w == 0.0 {
                continue;
            }
            for (k, &row) in target.rows.iter().enumerate() {
                if let Some(d) = target.positions.get(k) {
                    p[row as usize] += *d * w;
                }
                if let Some(d) = target.normals.get(k) {
                    n[row as usize] += *d * w;
                }
            }
        }
        for i in 0..p.len() {
            let o = (first as usize + i) * f;
            out[o..o + 3].copy_from_slice(&p[i].to_array());
            out[o + 3..o + 6].copy_from_slice(&n[i].normalize_or(Vec3::ZERO).to_array());
        }
    }
    out
}
