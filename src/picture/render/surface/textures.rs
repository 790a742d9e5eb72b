//! The textures of a head on the GPU, with their mipmaps and samplers.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::mipmaps::{self, MipLevel};
use crate::render::effort::Effort;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{AlphaMode, BlockFormat, Blocks, Encoding, Head, Image, Sampler, Texture, Wrap};
use smirk_graphics::gpu::{Gpu, PIECE_BYTES, Pieces};

#[derive(Debug)]
pub(super) struct TextureOnGpu {
    pub view: wgpu::TextureView,
    pub sampler: wgpu::Sampler,
}

impl TextureOnGpu {
    pub(super) fn white(gpu: &Gpu) -> Self {
        let view = upload_texels(gpu, "white", white(), Encoding::Linear, None, &mut Pieces::default());
        Self { view, sampler: sampler(gpu, Sampler::default()) }
    }

    /// All textures of `head`, in its order. Texels are freed as soon as they are on the adapter. Progress is reported
    /// before each of them.
    pub(super) fn all_of(gpu: &Gpu, head: &Head, progress: Progress<'_>) -> Result<Vec<Self>, Cancelled> {
        let count = head.textures.len() as f32;
        let last_of_image: HashMap<*const Image, usize> =
            head.textures.iter().enumerate().map(|(index, texture)| (Arc::as_ptr(&texture.image), index)).collect();
        let textures: Vec<(&Texture, Option<f32>)> = head.textures.iter().zip(cutoffs(head)).collect();
        let mut contents = contents_of(gpu, &textures);
        let mut pieces = Pieces::default();
        let mut uploaded = Vec::with_capacity(textures.len());
        for (index, &(texture, cutoff)) in textures.iter().enumerate() {
            progress.report("uploading to the GPU", index as f32 / count)?;
            let Some(contents) = contents.next() else { break };
            if last_of_image.get(&Arc::as_ptr(&texture.image)) == Some(&index) {
                texture.image.free();
            }
            let view = match contents {
                Contents::Blocks(BlockLevels { format, size, levels }) => {
                    upload(gpu, &texture.name, format, size, &levels, &mut pieces)
                }
                Contents::Texels(rgba) => {
                    let level = level_of(&texture.image, &rgba);
                    upload_texels(gpu, &texture.name, level, texture.encoding, cutoff, &mut pieces)
                }
            };
            uploaded.push(Self { view, sampler: sampler(gpu, texture.sampler) });
        }
        Ok(uploaded)
    }
}

/// The first mipmap level of an image with these texels. An image with the wrong number of bytes becomes white.
fn level_of<'a>(image: &Image, rgba: &'a [u8]) -> MipLevel<'a> {
    let (width, height) = (image.width(), image.height());
    let expected = width as usize * height as usize * 4;
    if expected == 0 || rgba.len() != expected {
        return white();
    }
    MipLevel { width, height, rgba: Cow::Borrowed(rgba) }
}

fn white() -> MipLevel<'static> {
    MipLevel { width: 1, height: 1, rgba: Cow::Borrowed(&[255; 4]) }
}

/// For each texture, the alpha below which a material drops its texels. `None` if there is no such material, or if
/// another material blends with the same texture, because mipmaps whose alphas are scaled for a cutoff would be too
/// opaque for blending.
fn cutoffs(head: &Head) -> Vec<Option<f32>> {
    let mut cutoffs = vec![None; head.textures.len()];
    let mut blends = vec![false; head.textures.len()];
    for material in &head.materials {
        let Some(texture) = material.base_color_texture.map(|map| map.texture).filter(|&it| it < cutoffs.len()) else {
            continue;
        };
        match material.alpha {
            AlphaMode::Mask { cutoff } => {
                let of_texel = cutoff / material.base_color[3];
                let is_usable = (f32::MIN_POSITIVE..=1.0).contains(&of_texel);
                cutoffs[texture] = cutoffs[texture].or(is_usable.then_some(of_texel));
            }
            AlphaMode::Blend => blends[texture] = true,
            AlphaMode::Opaque => {}
        }
    }
    cutoffs.into_iter().zip(blends).map(|(cutoff, blends)| cutoff.filter(|_| !blends)).collect()
}

/// Uploads a level and the mipmaps that are made of it.
fn upload_texels(
    gpu: &Gpu,
    name: &str,
    level: MipLevel<'_>,
    encoding: Encoding,
    cutoff: Option<f32>,
    pieces: &mut Pieces,
) -> wgpu::TextureView {
    let levels = mipmaps::chain(level, encoding, cutoff, gpu.device.limits().max_texture_dimension_2d);
    let format = match encoding {
        Encoding::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
        Encoding::Linear => wgpu::TextureFormat::Rgba8Unorm,
    };
    let size = [levels[0].width, levels[0].height];
    let levels: Vec<_> = levels.into_iter().map(|level| level.rgba).collect();
    upload(gpu, name, format, size, &levels, pieces)
}

/// Uploads mipmap levels, each of which has half the width and height of the one before it. `size` is that of the
/// first.
fn upload(
    gpu: &Gpu,
    name: &str,
    format: wgpu::TextureFormat,
    [width, height]: [u32; 2],
    levels: &[impl AsRef<[u8]>],
    pieces: &mut Pieces,
) -> wgpu::TextureView {
    let label = format!("texture {name:?}");
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    // A block is a single texel, unless the format is compressed; the last blocks of small levels reach beyond their
    // edges.
    let (columns_of_block, rows_of_block) = format.block_dimensions();
    let block_bytes = format.block_copy_size(None).unwrap_or(4);
    for (mip_level, level) in (0..).zip(levels) {
        let size = texture.size().mip_level_size(mip_level, texture.dimension()).physical_size(format);
        let row_bytes = size.width / columns_of_block * block_bytes;
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row_bytes), rows_per_image: None };
        let rows_at_once = (PIECE_BYTES / row_bytes as usize).max(1);
        let bands = level.as_ref().chunks(rows_at_once * row_bytes as usize);
        for (row, band) in (0..).step_by(rows_at_once).zip(bands) {
            let origin = wgpu::Origin3d { y: row * rows_of_block, ..wgpu::Origin3d::ZERO };
            let place = wgpu::TexelCopyTextureInfo { mip_level, origin, ..texture.as_image_copy() };
            let height = band.len() as u32 / row_bytes * rows_of_block;
            gpu.queue.write_texture(place, band, layout, wgpu::Extent3d { height, ..size });
            pieces.add(gpu, band);
        }
    }
    texture.create_view(&wgpu::TextureViewDescriptor { label: Some(&label), ..Default::default() })
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
        anisotropy_clamp: if sampler.nearest { 1 } else { Effort::for_adapter(gpu).anisotropy },
        ..Default::default()
    })
}

/// The mipmap levels of a texture as blocks.
struct BlockLevels {
    pub format: wgpu::TextureFormat,
    /// Width and height of the first level in texels.
    pub size: [u32; 2],
    pub levels: Blocks,
}

/// What of a texture goes to the adapter.
enum Contents {
    Blocks(BlockLevels),
    /// RGBA, of which the mipmaps are made.
    Texels(Arc<Vec<u8>>),
}

/// The contents of each of `textures`, which come with the alpha below which a material drops their texels: blocks if
/// the adapter reads them and the image has them. Where they have to be decoded, it is done for as many textures at the
/// same time as there are cores.
fn contents_of(gpu: &Gpu, textures: &[(&Texture, Option<f32>)]) -> impl Iterator<Item = Contents> {
    let format = format_of(gpu.device.features());
    let limit = gpu.device.limits().max_texture_dimension_2d;
    textures.chunks(rayon::current_num_threads()).flat_map(move |group| {
        let contents = group.par_iter().map(|&(texture, cutoff)| {
            let blocks = format.and_then(|format| levels_of(texture, cutoff, format, limit));
            blocks.map_or_else(|| Contents::Texels(texture.image.rgba()), Contents::Blocks)
        });
        contents.collect::<Vec<_>>()
    })
}

/// The blocks that a device with these features reads.
fn format_of(features: wgpu::Features) -> Option<BlockFormat> {
    let formats = [
        (wgpu::Features::TEXTURE_COMPRESSION_BC, BlockFormat::Bc7),
        (wgpu::Features::TEXTURE_COMPRESSION_ASTC, BlockFormat::Astc),
    ];
    formats.into_iter().find(|&(feature, _)| features.contains(feature)).map(|(_, blocks)| blocks)
}

/// The levels of a texture that are at most `limit` texels long. `None` if they have to be made of texels: because the
/// image has no blocks, or because texels are dropped below `cutoff`, for which the alphas of mipmaps are scaled.
fn levels_of(texture: &Texture, cutoff: Option<f32>, blocks: BlockFormat, limit: u32) -> Option<BlockLevels> {
    let image = &texture.image;
    if cutoff.is_some() && image.alphas()[0] < 255 {
        return None;
    }
    let size_of = |level: u32| [image.width(), image.height()].map(|side| (side >> level).max(1));
    let first = (0..32).find(|&level| size_of(level).iter().all(|&side| side <= limit))?;
    // Adapters demand it of the first level, whatever the others are.
    let size = Some(size_of(first)).filter(|size| size.iter().all(|side| side.is_multiple_of(4)))?;
    Some(BlockLevels { format: texture_format(blocks, texture.encoding), size, levels: image.blocks(blocks, first)? })
}

fn texture_format(blocks: BlockFormat, encoding: Encoding) -> wgpu::TextureFormat {
    let linear = match blocks {
        BlockFormat::Bc7 => wgpu::TextureFormat::Bc7RgbaUnorm,
        BlockFormat::Astc => {
            wgpu::TextureFormat::Astc { block: wgpu::AstcBlock::B4x4, channel: wgpu::AstcChannel::Unorm }
        }
    };
    match encoding {
        Encoding::Srgb => linear.add_srgb_suffix(),
        Encoding::Linear => linear,
    }
}

#[cfg(test)]
mod tests {
    use smirk_face::head::{Asset, Decode, Image, Material, Sampler};

    use super::*;

    #[test]
    fn mipmaps_keep_the_share_of_masks_alone() {
        let reads = |alpha, factor| Material {
            alpha,
            base_color: [1.0, 1.0, 1.0, factor],
            base_color_texture: Some(3.into()),
            ..Material::default()
        };
        let cutoff = |materials: Vec<Material>| {
            let texture = Texture {
                name: String::new(),
                image: Image::new(1, 1, vec![255; 4]).into(),
                encoding: Encoding::Srgb,
                sampler: Sampler::default(),
            };
            let textures = vec![texture; 4];
            cutoffs(&Head::new(Asset { materials, textures, ..Asset::default() }))[3]
        };
        let mask = |cutoff| AlphaMode::Mask { cutoff };
        assert_eq!(cutoff(vec![reads(AlphaMode::Opaque, 1.0), reads(mask(0.5), 1.0)]), Some(0.5));
        assert_eq!(cutoff(vec![reads(mask(0.25), 0.5)]), Some(0.5), "the factor counts");
        assert_eq!(cutoff(vec![reads(mask(0.0), 1.0)]), None, "nothing is dropped");
        assert_eq!(cutoff(vec![reads(mask(0.5), 0.0)]), None, "everything is");
        assert_eq!(cutoff(vec![reads(mask(0.5), 1.0), reads(AlphaMode::Blend, 1.0)]), None, "blended hair shares it");
    }

    /// A texture with blocks, whose levels are their numbers.
    fn texture(width: u32, height: u32, alpha: u8) -> Texture {
        let decode = Decode {
            rgba: |_| None,
            blocks: |_, format, first| Some((first..4).map(|level| vec![format as u8, level as u8]).collect()),
        };
        let image = Image::new(width, height, vec![alpha; (width * height * 4) as usize]).of_file([].into(), decode);
        Texture { name: String::new(), image: image.into(), encoding: Encoding::Srgb, sampler: Sampler::default() }
    }

    #[test]
    fn the_blocks_are_those_that_the_adapter_reads() {
        use wgpu::Features;
        assert_eq!(format_of(Features::TEXTURE_COMPRESSION_BC), Some(BlockFormat::Bc7));
        assert_eq!(format_of(Features::TEXTURE_COMPRESSION_ASTC), Some(BlockFormat::Astc));
        assert_eq!(format_of(Features::all()), Some(BlockFormat::Bc7));
        assert_eq!(format_of(Features::TIMESTAMP_QUERY | Features::TEXTURE_COMPRESSION_ETC2), None);
    }

    #[test]
    fn colours_are_srgb_and_data_is_not_in_every_format() {
        for blocks in [BlockFormat::Bc7, BlockFormat::Astc] {
            let [srgb, linear] = [Encoding::Srgb, Encoding::Linear].map(|encoding| texture_format(blocks, encoding));
            assert!(srgb.is_srgb() && !linear.is_srgb(), "{blocks:?}");
            assert_eq!(srgb.remove_srgb_suffix(), linear);
            assert_eq!((srgb.block_dimensions(), srgb.block_copy_size(None)), ((4, 4), Some(16)));
        }
    }

    #[test]
    fn textures_whose_alphas_are_scaled_have_no_blocks() {
        let has_blocks = |alpha, cutoff| levels_of(&texture(8, 8, alpha), cutoff, BlockFormat::Bc7, 64).is_some();
        assert!(has_blocks(254, None));
        assert!(!has_blocks(254, Some(0.5)));
        assert!(has_blocks(255, Some(0.5)), "nothing is dropped, in no level");
    }

    #[test]
    fn levels_that_are_too_large_are_left_out() {
        let levels = |width, height, limit| {
            let found = levels_of(&texture(width, height, 255), None, BlockFormat::Astc, limit)?;
            Some((found.size, found.levels.iter().map(|level| level[1]).collect::<Vec<_>>()))
        };
        assert_eq!(levels(8, 4, 8), Some(([8, 4], vec![0, 1, 2, 3])));
        assert_eq!(levels(8, 16, 8), Some(([4, 8], vec![1, 2, 3])));
        assert_eq!(levels(12, 8, 8), None, "6 × 4 texels are no whole blocks");
    }
}
