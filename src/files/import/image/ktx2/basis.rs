//! Basis Universal in KTX2: its codecs ETC1S and UASTC become texels, or blocks of the formats that graphics adapters
//! read.
//!
//! The transcoder allocates as much memory as the header states. Every level is therefore checked before it is
//! transcoded.

use std::panic::{AssertUnwindSafe, catch_unwind};

use basisu::{DecodeFlags, Error, SourceFormat, TargetFormat, Transcoder};
use rayon::prelude::*;

use super::{BASIS_LZ, Header, Level, NONE, ZSTANDARD};
use crate::import::error::Problem;
use crate::import::image::Pixels;
use smirk_face::head::{BlockFormat, Blocks};

pub(super) fn texels(bytes: &[u8], header: &Header<'_>) -> Result<Pixels, Problem> {
    check_level(header, &header.level(0)?)?;
    let rgba = transcoded(bytes, |transcoder| {
        let mut rgba = transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)?;
        if !transcoder.has_alpha() {
            rgba.as_chunks_mut::<4>().0.iter_mut().for_each(|texel| texel[3] = 255);
        }
        Ok(rgba)
    });
    Ok(Pixels { width: header.width, height: header.height, rgba: rgba? })
}

/// Whether the picture is opaque and every one of its levels can be had as blocks, as far as that can be told without
/// transcoding more than the largest level. An error if that does not decode.
pub(super) fn is_opaque_in_blocks(bytes: &[u8], header: &Header<'_>) -> Result<bool, Problem> {
    check_level(header, &header.level(0)?)?;
    if !has_blocks(header) {
        return Ok(false);
    }
    transcoded(bytes, |transcoder| {
        if transcoder.has_alpha() {
            return Ok(false);
        }
        // The format that is nearest to the codec takes the least time and memory, and fails where all others do.
        let nearest = match transcoder.source_format() {
            SourceFormat::Etc1s => TargetFormat::Etc1Rgb,
            _ => TargetFormat::Astc4x4Rgba,
        };
        transcoder.transcode(0, nearest, DecodeFlags::NONE).map(|_| true)
    })
}

/// Transcodes the levels from `first` on to blocks. `None` if there are not all levels, or if width or height is no
/// multiple of 4.
pub(super) fn blocks(bytes: &[u8], header: &Header<'_>, format: BlockFormat, first: u32) -> Option<Blocks> {
    let target = match format {
        BlockFormat::Bc7 => TargetFormat::Bc7Rgba,
        BlockFormat::Astc => TargetFormat::Astc4x4Rgba,
    };
    has_blocks(header)
        .then(|| {
            transcoded(bytes, |transcoder| {
                let levels = (first..header.levels).into_par_iter();
                levels.map(|level| transcoder.transcode(level, target, DecodeFlags::NONE)).collect()
            })
            .ok()
        })
        .flatten()
}

fn has_blocks(header: &Header<'_>) -> bool {
    header.width.is_multiple_of(4)
        && header.height.is_multiple_of(4)
        && header.levels == header.width.max(header.height).ilog2() + 1
        && (0..header.levels).all(|index| header.level(index).is_ok_and(|level| check_level(header, &level).is_ok()))
}

/// An error if the length of a level is not the one that its size needs.
fn check_level(header: &Header<'_>, level: &Level<'_>) -> Result<(), Problem> {
    match header.supercompression {
        BASIS_LZ if level.unpacked_bytes == 0 => Ok(()),
        NONE | ZSTANDARD => {
            let blocks = u64::from(level.width.div_ceil(4)) * u64::from(level.height.div_ceil(4));
            if level.unpacked_bytes == blocks * 16 {
                return Ok(());
            }
            Err(Problem::new(format!(
                "is KTX2 with {} bytes for {blocks} blocks, which need {}",
                level.unpacked_bytes,
                blocks * 16
            )))
        }
        other => Err(Problem::new(format!("is Basis KTX2 with supercompression {other}")).advise("re-export as PNG")),
    }
}

/// What `work` makes with the transcoder of a file of one of the two codecs.
fn transcoded<T>(bytes: &[u8], work: impl FnOnce(&Transcoder<'_>) -> Result<T, Error>) -> Result<T, Problem> {
    // The transcoder is safe Rust: the worst it can do with malformed bytes is a panic.
    let result = catch_unwind(AssertUnwindSafe(|| {
        let transcoder = Transcoder::new(bytes)?;
        match transcoder.source_format() {
            SourceFormat::Etc1s | SourceFormat::UastcLdr => work(&transcoder),
            source => Err(Error::Unsupported { source, target: TargetFormat::Rgba32 }),
        }
    }));
    match result {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => {
            Err(Problem::new(format!("is Basis KTX2 that does not decode ({error:?})")).advise("pack it again"))
        }
        Err(_) => Err(Problem::new("is Basis KTX2 that does not decode").advise("pack it again")),
    }
}
