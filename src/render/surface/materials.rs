//! Materials and their textures on the GPU: bind group 3.

use std::borrow::Cow;

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
        let label = format!("material {:?}", material.name);
        let uniforms = MaterialUniforms::new(material);
        let uniforms = gpu.filled_buffer(&label, bytemuck::bytes_of(&uniforms), wgpu::BufferUsages::UNIFORM);
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: uniforms.as_entire_binding() }];
        for (slot, map) in (0..).zip(material.textures()) {
            let (view, sampler) = map.and_then(|map| textures.get(map.texture)).unwrap_or(&blank);
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

/// A texture whose bytes do not add up is drawn white rather than not at all.
fn level_of(texture: &Texture) -> Level<'_> {
    let expected = texture.width as usize * texture.height as usize * 4;
    if expected == 0 || texture.rgba.len() != expected {
        return white();
    }
    Level { width: texture.width, height: texture.height, rgba: Cow::Borrowed(&texture.rgba) }
}

fn white() -> Level<'static> {
    Level { width: 1, height: 1, rgba: Cow::Borrowed(&[255; 4]) }
}

/// The alpha below which a texture's texels are dropped, where some material drops them. None where another blends by them:
/// what is thickened for a mask would be too thick for it.
fn cutoff_of(head: &Head, texture: usize) -> Option<f32> {
    let reads = |material: &&Material| material.base_color_texture.is_some_and(|map| map.texture == texture);
    let readers = || head.materials.iter().filter(reads);
    if readers().any(|material| material.alpha == AlphaMode::Blend) {
        return None;
    }
    readers().find_map(|material| match material.alpha {
        AlphaMode::Mask { cutoff } => {
            Some(cutoff / material.base_color[3]).filter(|of_texel| (f32::MIN_POSITIVE..=1.0).contains(of_texel))
        }
        AlphaMode::Opaque | AlphaMode::Blend => None,
    })
}

fn upload(gpu: &Gpu, name: &str, level: Level<'_>, encoding: Encoding, cutoff: Option<f32>) -> wgpu::TextureView {
    let levels = mipmaps::chain(level, encoding, cutoff, gpu.device.limits().max_texture_dimension_2d);
    let extent =
        |level: &Level<'_>| wgpu::Extent3d { width: level.width, height: level.height, depth_or_array_layers: 1 };
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&format!("texture {name:?}")),
        size: extent(&levels[0]),
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match encoding {
            Encoding::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Encoding::Linear => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, level) in (0..).zip(&levels) {
        let rows =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(level.width * 4), rows_per_image: None };
        let place = wgpu::TexelCopyTextureInfo { mip_level, ..texture.as_image_copy() };
        gpu.queue.write_texture(place, &level.rgba, rows, extent(level));
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Asset;

    #[test]
    fn a_texture_is_thickened_from_afar_for_masks_alone() {
        let reads = |alpha, factor| Material {
            alpha,
            base_color: [1.0, 1.0, 1.0, factor],
            base_color_texture: Some(3.into()),
            ..Material::default()
        };
        let cutoff = |materials: Vec<Material>| cutoff_of(&Head::new(Asset { materials, ..Asset::default() }), 3);
        let mask = |cutoff| AlphaMode::Mask { cutoff };
        assert_eq!(cutoff(vec![reads(AlphaMode::Opaque, 1.0), reads(mask(0.5), 1.0)]), Some(0.5));
        assert_eq!(cutoff(vec![reads(mask(0.25), 0.5)]), Some(0.5), "the factor counts");
        assert_eq!(cutoff(vec![reads(mask(0.0), 1.0)]), None, "nothing is dropped");
        assert_eq!(cutoff(vec![reads(mask(0.5), 0.0)]), None, "everything is");
        assert_eq!(cutoff(vec![reads(mask(0.5), 1.0), reads(AlphaMode::Blend, 1.0)]), None, "blended hair shares it");
    }
}
