//! The uniforms of materials in one buffer, and one bind group for each set of textures, so that a file of a hundred
//! thousand plain materials needs one bind group.

use std::collections::HashMap;
use std::marker::PhantomData;

use bytemuck::Pod;

use super::textures::TextureOnGpu;
use smirk_face::head::{Head, Material, TextureRef};
use smirk_graphics::gpu::{Binding, Gpu, bind_group, row};

/// The layout of bind group 3: the uniforms of one material, which a dynamic offset selects, then for each texture
/// itself (binding 1 + 2·n) and its sampler (binding 2 + 2·n), which `readers` read. wgpu treats equal layouts as
/// interchangeable, so that this function can be called wherever the layout is needed.
pub(super) fn layout<U>(
    device: &wgpu::Device,
    label: &str,
    textures: usize,
    readers: wgpu::ShaderStages,
) -> wgpu::BindGroupLayout {
    let mut entries = vec![Binding::UniformRow(size_of::<U>()).at(0, wgpu::ShaderStages::VERTEX_FRAGMENT)];
    for slot in 0..textures as u32 {
        entries.push(Binding::IMAGE.at(1 + 2 * slot, readers));
        entries.push(Binding::Sampler(wgpu::SamplerBindingType::Filtering).at(2 + 2 * slot, readers));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
}

/// Materials of a head with uniforms of a type `U`.
#[derive(Debug)]
pub(super) struct MaterialRows<U> {
    uniforms: wgpu::Buffer,
    /// The distance between the uniforms of two materials in bytes.
    stride: u32,
    groups: Vec<wgpu::BindGroup>,
    /// For each material of the head, the index of its group and the offset of its uniforms in bytes; none for one that
    /// has no such uniforms.
    places: Vec<Option<(usize, u32)>>,
    of: PhantomData<U>,
}

impl<U: Pod> MaterialRows<U> {
    /// `row_of` gives the uniforms of a material and the textures that its shader reads, if it has such.
    pub(super) fn new<const N: usize>(
        gpu: &Gpu,
        head: &Head,
        layout: &wgpu::BindGroupLayout,
        textures: (&[TextureOnGpu], &TextureOnGpu),
        row_of: impl Fn(&Material) -> Option<(U, [Option<TextureRef>; N])>,
    ) -> Self {
        let alignment = gpu.device.limits().min_uniform_buffer_offset_alignment.max(16);
        let stride = (size_of::<U>() as u32).next_multiple_of(alignment);
        let rows: Vec<Option<(U, [Option<TextureRef>; N])>> = head.materials.iter().map(row_of).collect();
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let bytes = bytes_of(rows.iter().flatten().map(|(uniforms, _)| *uniforms), stride);
        let uniforms = gpu.filled_buffer("materials", &bytes, usage);
        // The second texture is bound where a material has none. No shader reads it, because the pipelines of such
        // materials are built without texture reads.
        let (textures, blank) = textures;
        let (mut groups, mut group_of) = (Vec::new(), HashMap::<[Option<usize>; N], usize>::new());
        let mut offset = 0;
        let places = rows.iter().map(|of_material| {
            let (_, maps) = of_material.as_ref()?;
            let set = maps.map(|map| map.map(|map| map.texture).filter(|&it| it < textures.len()));
            let group = *group_of.entry(set).or_insert_with(|| {
                let of_slots = set.iter().flat_map(|texture| {
                    let TextureOnGpu { view, sampler } = texture.map_or(blank, |texture| &textures[texture]);
                    [wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler)]
                });
                let resources = [row(&uniforms, size_of::<U>())].into_iter().chain(of_slots);
                groups.push(bind_group(&gpu.device, "textures of a material", layout, resources));
                groups.len() - 1
            });
            let place = (group, offset);
            offset += stride;
            Some(place)
        });
        let places = places.collect();
        Self { uniforms, stride, groups, places, of: PhantomData }
    }

    /// Writes the uniforms of a material, if it has a row.
    pub(super) fn write(&self, queue: &wgpu::Queue, material: usize, uniforms: &U) {
        if let Some((_, offset)) = self.places[material] {
            queue.write_buffer(&self.uniforms, u64::from(offset), bytemuck::bytes_of(uniforms));
        }
    }

    /// Writes the uniforms of all materials that have a row, in their order.
    pub(super) fn write_all(&self, queue: &wgpu::Queue, uniforms: impl Iterator<Item = U>) {
        queue.write_buffer(&self.uniforms, 0, &bytes_of(uniforms, self.stride));
    }

    /// Binds a material as group 3.
    pub(super) fn bind(&self, material: usize, pass: &mut wgpu::RenderPass<'_>) {
        let Some((group, offset)) = self.places[material] else {
            unreachable!("a pipeline draws the materials that have its uniforms")
        };
        pass.set_bind_group(3, &self.groups[group], &[offset]);
    }
}

fn bytes_of<U: Pod>(rows: impl Iterator<Item = U>, stride: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    for uniforms in rows {
        bytes.extend_from_slice(bytemuck::bytes_of(&uniforms));
        bytes.resize(bytes.len().next_multiple_of(stride as usize), 0);
    }
    bytes
}
