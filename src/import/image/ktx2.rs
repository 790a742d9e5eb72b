//! KTX2 images (KTX File Format 2.0): Basis Universal's two codecs, which `KHR_texture_basisu` allows, and uncompressed 8-bit
//! texels, which other programs write; both with Zstandard supercompression or none.
//!
//! The transcoder allocates as much memory as the header states. The header is therefore read here first, and its numbers are
//! checked against each other, the length of the file and the largest image.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

use basisu::{DecodeFlags, SourceFormat, TargetFormat, Transcoder};
use ruzstd::StreamingDecoder;

use super::pixels::{MAX_SIDE, Pixels, too_large};
use crate::import::error::Problem;

/// Supercompression schemes (KTX 2.0 §3.7).
const NONE: u32 = 0;
const BASIS_LZ: u32 = 1;
const ZSTANDARD: u32 = 2;

/// The fields of the header that are used, and the bytes of the largest level.
struct Header<'a> {
    /// A Vulkan format (`vkFormat`); 0 for Basis Universal.
    format: u32,
    width: u32,
    height: u32,
    supercompression: u32,
    /// The bytes of the largest level as they are in the file, possibly compressed.
    level: &'a [u8],
    /// Its length before supercompression, according to the file.
    level_bytes: u64,
}

/// Whether these are the bytes of a KTX2 image.
pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xABKTX 2")
}

/// Width and height in texels, if the header can be read.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let header = is_ktx2(bytes).then(|| read_header(bytes).ok()).flatten()?;
    Some((header.width, header.height))
}

/// Decodes the largest level.
pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, Problem> {
    let header = read_header(bytes)?;
    match header.format {
        0 => transcode(bytes, &header),
        format => match channels_of(format) {
            Some(channels) => decode_plain(&header, channels),
            None => Err(Problem::new(format!("is KTX2 in the GPU's own format (vkFormat {format})"))
                .advise("re-export as KTX2 with Basis Universal, or as PNG")),
        },
    }
}

fn read_header(bytes: &[u8]) -> Result<Header<'_>, Problem> {
    let cut_off = || Problem::new(format!("is KTX2 cut off after {} bytes", bytes.len()));
    let u32_at = |at: usize| {
        bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes).ok_or_else(cut_off)
    };
    let u64_at = |at: usize| {
        bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()).map(u64::from_le_bytes).ok_or_else(cut_off)
    };
    let [format, _, width, height, depth, layers, faces, levels, supercompression] =
        [12, 16, 20, 24, 28, 32, 36, 40, 44].map(u32_at);
    let (width, height, levels) = (width?, height?, levels?);
    if width == 0 || height == 0 || depth? > 0 || layers? > 1 || faces? != 1 {
        return Err(Problem::new("is KTX2 of another kind than one flat picture").advise("re-export as PNG"));
    }
    if width > MAX_SIDE || height > MAX_SIDE {
        return Err(too_large());
    }
    if levels > MAX_SIDE.ilog2() + 1 {
        return Err(Problem::new(format!("is KTX2 with {levels} levels, too many for {width} × {height} texels")));
    }
    let (begin, length, level_bytes) = (u64_at(80)?, u64_at(88)?, u64_at(96)?);
    let end = begin.checked_add(length).filter(|&end| length > 0 && end <= bytes.len() as u64).ok_or_else(cut_off)?;
    let level = &bytes[begin as usize..end as usize];
    Ok(Header { format: format?, width, height, supercompression: supercompression?, level, level_bytes })
}

/// The number of channels of an uncompressed 8-bit format (`UNORM` or `SRGB`).
fn channels_of(format: u32) -> Option<usize> {
    match format {
        9 | 15 => Some(1),
        16 | 22 => Some(2),
        23 | 29 => Some(3),
        37 | 43 => Some(4),
        _ => None,
    }
}

/// The uncompressed bytes of the level, which must be `expected` bytes long; no more are decompressed.
fn unpacked(header: &Header<'_>, expected: u64) -> Result<Vec<u8>, Problem> {
    let wrong = |found: u64| {
        Problem::new(format!(
            "is KTX2 with {found} bytes for {} × {} texels, which need {expected}",
            header.width, header.height
        ))
    };
    match header.supercompression {
        NONE if header.level.len() as u64 == expected => Ok(header.level.to_vec()),
        NONE => Err(wrong(header.level.len() as u64)),
        ZSTANDARD => {
            if header.level_bytes != expected {
                return Err(wrong(header.level_bytes));
            }
            let decoder = StreamingDecoder::new(header.level)
                .map_err(|error| Problem::new(format!("does not unpack: {error}")))?;
            let mut bytes = Vec::new();
            decoder
                .take(expected + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| Problem::new(format!("does not unpack: {error}")))?;
            if bytes.len() as u64 == expected { Ok(bytes) } else { Err(wrong(bytes.len() as u64)) }
        }
        other => Err(Problem::new(format!("is KTX2 with supercompression {other}, which is not read"))
            .advise("re-export with Zstandard, or as PNG")),
    }
}

fn decode_plain(header: &Header<'_>, channels: usize) -> Result<Pixels, Problem> {
    let texels = u64::from(header.width) * u64::from(header.height);
    let bytes = unpacked(header, texels * channels as u64)?;
    let rgba = bytes
        .chunks_exact(channels)
        .flat_map(|texel| match *texel {
            [r, g, b, a] => [r, g, b, a],
            [r, g, b] => [r, g, b, 255],
            [r, g] => [r, g, 0, 255],
            _ => [texel[0], 0, 0, 255],
        })
        .collect();
    Ok(Pixels { width: header.width, height: header.height, rgba })
}

fn transcode(bytes: &[u8], header: &Header<'_>) -> Result<Pixels, Problem> {
    match header.supercompression {
        BASIS_LZ if header.level_bytes == 0 => {}
        NONE | ZSTANDARD => {
            let blocks = u64::from(header.width.div_ceil(4)) * u64::from(header.height.div_ceil(4));
            if header.level_bytes != blocks * 16 {
                return Err(Problem::new(format!(
                    "is KTX2 with {} bytes for {blocks} blocks, which need {}",
                    header.level_bytes,
                    blocks * 16
                )));
            }
        }
        other => {
            return Err(Problem::new(format!("is Basis KTX2 with supercompression {other}")).advise("re-export as PNG"));
        }
    }
    // The transcoder is safe Rust: the worst it can do with malformed bytes is a panic.
    let rgba = catch_unwind(AssertUnwindSafe(|| {
        let transcoder = Transcoder::new(bytes)?;
        match transcoder.source_format() {
            SourceFormat::Etc1s | SourceFormat::UastcLdr => {
                transcoder.transcode(0, TargetFormat::Rgba32, DecodeFlags::NONE)
            }
            source => Err(basisu::Error::Unsupported { source, target: TargetFormat::Rgba32 }),
        }
    }));
    match rgba {
        Ok(Ok(rgba)) => Ok(Pixels { width: header.width, height: header.height, rgba }),
        Ok(Err(error)) => {
            Err(Problem::new(format!("is Basis KTX2 that does not decode ({error:?})")).advise("pack it again"))
        }
        Err(_) => Err(Problem::new("is Basis KTX2 that does not decode").advise("pack it again")),
    }
}
