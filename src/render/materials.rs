//! Materials and their textures on the GPU: bind group 3.

use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::gpu::Gpu;
use crate::head::{AlphaMode, Encoding, Head, Material, Sampler, Texture, Wrap};

use super::material_uniforms::MaterialUniforms;
use super::mipmaps::{self, Level};

/// Layout of bind group 3: the uniforms, then for each of [`Material::textures`] texture 1 + 2·n and its sampler 2 + 2·n.
/// Equal layouts are interchangeable, so each owner makes its own.
pub fn bind_group_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
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

/// One bind group per material of `head`, in its order.
pub fn bind_groups(gpu: &Gpu, head: &Head) -> Vec<wgpu::BindGroup> {
    let layout = bind_group_layout(&gpu.device);
    // Stands where a material has no texture. Nothing reads it: its pipeline is built without.
    let blank = (upload(gpu, "blank", white(), Encoding::Linear, None), sampler(gpu, Sampler::default()));
    let textures: Vec<_> = head
        .textures
        .iter()
        .enumerate()
        .map(|(index, texture)| {
            let view = upload(gpu, &texture.name, level_of(texture), texture.encoding, cutoff_of(head, index));
            (view, sampler(gpu, texture.sampler))
        })
        .collect();
    let bind_group = |material: &Material| {
        let uniforms = gpu.device.create_buffer_init(&BufferInitDescriptor {
            label: Some(&format!("material {:?}", material.name)),
            contents: bytemuck::bytes_of(&MaterialUniforms::new(material)),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }];
        for (slot, map) in (0..).zip(material.textures()) {
            let (view, sampler) = map.and_then(|map| textures.get(map.texture)).unwrap_or(&blank);
            let (view, sampler) = (wgpu::BindingResource::TextureView(view), wgpu::BindingResource::Sampler(sampler));
            entries.push(wgpu::BindGroupEntry { binding: 1 + 2 * slot, resource: view });
            entries.push(wgpu::BindGroupEntry { binding: 2 + 2 * slot, resource: sampler });
        }
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&format!("material {:?}", material.name)),
            layout: &layout,
            entries: &entries,
        })
    };
    head.materials.iter().map(bind_group).collect()
}

/// A texture whose bytes do not add up is drawn white rather than not at all.
fn level_of(texture: &Texture) -> Level {
    let expected = texture.width as usize * texture.height as usize * 4;
    if expected == 0 || texture.rgba.len() != expected {
        return white();
    }
    Level { width: texture.width, height: texture.height, rgba: texture.rgba.to_vec() }
}

fn white() -> Level {
    Level { width: 1, height: 1, rgba: vec![255; 4] }
}

/// The alpha below which a texture's texels are dropped, where some material drops them.
fn cutoff_of(head: &Head, texture: usize) -> Option<f32> {
    head.materials.iter().find_map(|material| match (material.alpha, material.base_color_texture) {
        (AlphaMode::Mask { cutoff }, Some(map)) if map.texture == texture => Some(cutoff),
        _ => None,
    })
}

fn upload(gpu: &Gpu, name: &str, level: Level, encoding: Encoding, cutoff: Option<f32>) -> wgpu::TextureView {
    let levels = mipmaps::chain(level, encoding, cutoff, gpu.device.limits().max_texture_dimension_2d);
    let texels: Vec<u8> = levels.iter().flat_map(|level| &level.rgba).copied().collect();
    let texture = gpu.device.create_texture_with_data(
        &gpu.queue,
        &wgpu::TextureDescriptor {
            label: Some(&format!("texture {name:?}")),
            size: wgpu::Extent3d { width: levels[0].width, height: levels[0].height, depth_or_array_layers: 1 },
            mip_level_count: levels.len() as u32,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: match encoding {
                Encoding::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
                Encoding::Linear => wgpu::TextureFormat::Rgba8Unorm,
            },
            usage: wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        },
        wgpu::util::TextureDataOrder::LayerMajor,
        &texels,
    );
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

fn sampler(gpu: &Gpu, sampler: Sampler) -> wgpu::Sampler {
    let address = |wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let (filter, mipmap_filter) = if sampler.nearest {
        (wgpu::FilterMode::Nearest, wgpu::MipmapFilterMode::Nearest)
    } else {
        (wgpu::FilterMode::Linear, wgpu::MipmapFilterMode::Linear)
    };
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("material"),
        address_mode_u: address(sampler.wrap_u),
        address_mode_v: address(sampler.wrap_v),
        mag_filter: filter,
        min_filter: filter,
        mipmap_filter,
        // A processor that draws pays for every further tap.
        anisotropy_clamp: if sampler.nearest || gpu.is_software() { 1 } else { 8 },
        ..Default::default()
    })
}
