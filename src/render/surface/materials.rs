//! The materials of a head on the GPU: bind group 3.

use crate::gpu::Gpu;
use crate::head::{Head, Material};

use super::material_uniforms::MaterialUniforms;
use super::textures::TextureOnGpu;

/// Layout of bind group 3: the uniforms, then for each of [`Material::textures`] the texture (binding 1 + 2·n) and its
/// sampler (binding 2 + 2·n). wgpu treats equal layouts as interchangeable, so that this function can be called wherever the
/// layout is needed.
pub(super) fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let mut entries = vec![entry(
        0,
        wgpu::ShaderStages::VERTEX_FRAGMENT,
        wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: false,
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

/// One bind group for each material of `head`, in the order of the materials.
pub(crate) fn bind_groups(gpu: &Gpu, head: &Head) -> Vec<wgpu::BindGroup> {
    let layout = bind_group_layout(&gpu.device);
    // This texture is bound if a material has no texture. No shader reads it, because the pipelines of such materials are built
    // without texture reads.
    let blank = TextureOnGpu::white(gpu);
    let textures = TextureOnGpu::all_of(gpu, head);
    let bind_group = |material: &Material| {
        let label = format!("material {:?}", material.name);
        let uniforms = MaterialUniforms::new(material);
        let uniforms = gpu.filled_buffer(&label, bytemuck::bytes_of(&uniforms), wgpu::BufferUsages::UNIFORM);
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }];
        for (slot, map) in (0..).zip(material.textures()) {
            let TextureOnGpu { view, sampler } = map.and_then(|map| textures.get(map.texture)).unwrap_or(&blank);
            let (view, sampler) = (wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler));
            entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * slot, resource: view });
            entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * slot, resource: sampler });
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&label),
            layout: &layout,
            entries: &entries,
        })
    };
    head.materials.iter().map(bind_group).collect()
}
