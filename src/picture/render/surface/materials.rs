//! The materials of a head on the GPU: bind group 3.

use std::collections::HashMap;

use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, Material};
use smirk_graphics::gpu::Gpu;

use super::material_uniforms::{EyesUniforms, MaterialUniforms};
use super::textures::TextureOnGpu;

/// Layout of bind group 3: the uniforms of one material, which a dynamic offset selects, then for each of [`Material::textures`] the texture (binding 1 + 2·n) and its
/// sampler (binding 2 + 2·n). wgpu treats equal layouts as interchangeable, so that this function can be called wherever the
/// layout is needed.
pub(crate) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let mut entries = vec![entry(
        0,
        wgpu::ShaderStages::VERTEX_FRAGMENT,
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: true,
            min_binding_size: wgpu::BufferSize::new(size_of::<MaterialUniforms>() as u64),
        },
    )];
    for slot in 0..Material::default().textures().len() as u32 {
        let texture = wgpu::BindingType::Texture {
            sample_type: wgpu::TextureSampleType::Float { filterable: true },
            view_dimension: wgpu::TextureViewDimension::D2,
            multisampled: false,
        };
        let sampler = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        entries.push(entry(1 + 2 * slot, wgpu::ShaderStages::FRAGMENT, texture));
        entries.push(entry(2 + 2 * slot, wgpu::ShaderStages::FRAGMENT, sampler));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("material"), entries: &entries })
}

/// All materials of a head: their uniforms in one buffer, and one bind group for each set of textures, so that a file of a hundred
/// thousand plain materials needs one bind group.
#[derive(Debug)]
pub(crate) struct Materials {
    uniforms: wgpu::Buffer,
    /// The distance between the uniforms of two materials in bytes.
    stride: u32,
    groups: Vec<wgpu::BindGroup>,
    /// For each material, the index of its group and the offset of its uniforms in bytes.
    places: Vec<(usize, u32)>,
}

/// The uniforms of all materials of a head.
fn bytes_of(head: &Head, eyes: EyesUniforms, stride: u32) -> Vec<u8> {
    let mut bytes = vec![0; stride as usize * head.materials.len()];
    for (material, place) in head.materials.iter().zip(bytes.chunks_exact_mut(stride as usize)) {
        place[..size_of::<MaterialUniforms>()]
            .copy_from_slice(bytemuck::bytes_of(&MaterialUniforms::new(material, eyes)));
    }
    bytes
}

/// The texture that each slot of a material reads, if it is one of the head's.
type TextureSet = [Option<usize>; 6];

impl Materials {
    /// Uploads the materials of `head` and their textures. Reports the part of the textures that is uploaded.
    pub(crate) fn new(gpu: &Gpu, head: &Head, eyes: EyesUniforms, progress: Progress<'_>) -> Result<Self, Cancelled> {
        let alignment = gpu.device.limits().min_uniform_buffer_offset_alignment.max(16);
        let stride = (size_of::<MaterialUniforms>() as u32).next_multiple_of(alignment);
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniforms = gpu.filled_buffer("materials", &bytes_of(head, eyes, stride), usage);
        // This texture is bound if a material has no texture. No shader reads it, because the pipelines of such materials are built
        // without texture reads.
        let blank = TextureOnGpu::white(gpu);
        let textures = TextureOnGpu::all_of(gpu, head, progress)?;
        let layout = bind_group_layout(&gpu.device);
        let bind_group = |set: &TextureSet| {
            let row = wgpu::BufferBinding {
                buffer: &uniforms,
                offset: 0,
                size: wgpu::BufferSize::new(size_of::<MaterialUniforms>() as u64),
            };
            let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(row) }];
            for (slot, texture) in (0..).zip(set) {
                let TextureOnGpu { view, sampler } =
                    texture.and_then(|texture| textures.get(texture)).unwrap_or(&blank);
                let (view, sampler) =
                    (wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler));
                entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * slot, resource: view });
                entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * slot, resource: sampler });
            }
            let label = Some("textures of a material");
            gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label, layout: &layout, entries: &entries })
        };
        let (mut groups, mut group_of) = (Vec::new(), HashMap::<TextureSet, usize>::new());
        let place = |(index, material): (usize, &Material)| {
            let set = material.textures().map(|map| map.map(|map| map.texture).filter(|&it| it < textures.len()));
            let group = *group_of.entry(set).or_insert_with(|| {
                groups.push(bind_group(&set));
                groups.len() - 1
            });
            (group, index as u32 * stride)
        };
        let places = head.materials.iter().enumerate().map(place).collect();
        Ok(Self { uniforms, stride, groups, places })
    }

    /// Writes the uniforms again, for other eyes.
    pub(crate) fn set_eyes(&self, queue: &wgpu::Queue, head: &Head, eyes: EyesUniforms) {
        queue.write_buffer(&self.uniforms, 0, &bytes_of(head, eyes, self.stride));
    }

    /// Binds a material as group 3.
    pub(crate) fn bind(&self, material: usize, pass: &mut wgpu::RenderPass<'_>) {
        let (group, offset) = self.places[material];
        pass.set_bind_group(3, &self.groups[group], &[offset]);
    }
}
