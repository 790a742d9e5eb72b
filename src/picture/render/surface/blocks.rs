//! Textures that go to the adapter as blocks, with the mipmaps of their files: a quarter of the memory of RGBA.

use std::sync::Arc;

use rayon::prelude::*;

use smirk_face::head::{BlockFormat, Blocks, Encoding, Texture};
use smirk_graphics::gpu::Gpu;

/// The mipmap levels of a texture as blocks.
pub(super) struct BlockLevels {
    pub format: wgpu::TextureFormat,
    /// Width and height of the first level in texels.
    pub size: [u32; 2],
    pub levels: Blocks,
}

/// What of a texture goes to the adapter.
pub(super) enum Contents {
    Blocks(BlockLevels),
    /// RGBA, of which the mipmaps are made.
    Texels(Arc<Vec<u8>>),
}

/// The contents of each of `textures`, which come with the alpha below which a material drops their texels: blocks if the adapter
/// reads them and the image has them. Where they have to be decoded, it is done for as many textures at the same time as there are cores.
pub(super) fn contents_of(gpu: &Gpu, textures: &[(&Texture, Option<f32>)]) -> impl Iterator<Item = Contents> {
    let format = format_of(gpu.device.features());
    let limit = gpu.device.limits().max_texture_dimension_2d;
    let of = move |&(texture, cutoff): &(&Texture, Option<f32>)| {
        let blocks = format.and_then(|format| levels_of(texture, cutoff, format, limit));
        blocks.map_or_else(|| Contents::Texels(texture.image.rgba()), Contents::Blocks)
    };
    textures.chunks(rayon::current_num_threads()).flat_map(move |group| group.par_iter().map(of).collect::<Vec<_>>())
}

/// The blocks that a device with these features reads.
fn format_of(features: wgpu::Features) -> Option<BlockFormat> {
    let formats = [
        (wgpu::Features::TEXTURE_COMPRESSION_BC, BlockFormat::Bc7),
        (wgpu::Features::TEXTURE_COMPRESSION_ASTC, BlockFormat::Astc),
    ];
    formats.into_iter().find(|&(feature, _)| features.contains(feature)).map(|(_, blocks)| blocks)
}

/// The levels of a texture that are at most `limit` texels long. `None` if they have to be made of texels: because the image has no
/// blocks, or because texels are dropped below `cutoff`, for which the alphas of mipmaps are scaled.
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
    use super::*;
    use smirk_face::head::{Decode, Image, Sampler};

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
