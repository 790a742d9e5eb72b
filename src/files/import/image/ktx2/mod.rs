//! KTX2 images (KTX File Format 2.0): Basis Universal's two codecs, which `KHR_texture_basisu` allows, and uncompressed
//! 8-bit texels, which other programs write; both with Zstandard supercompression or none.
//!
//! The header of KTX2 files: what the picture is, and where its levels are. The numbers are checked against each other,
//! the length of the file and the largest image.

mod basis;

use std::io::Read;

use ruzstd::StreamingDecoder;

use super::Pixels;
use crate::import::error::Problem;
use crate::import::image::{MAX_SIDE, too_large};
use smirk_face::head::{BlockFormat, Blocks};

pub(super) fn is_ktx2(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xABKTX 2")
}

pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    header_of(bytes).map(|header| (header.width, header.height))
}

pub(super) fn decode(bytes: &[u8]) -> Result<Pixels, Problem> {
    let header = Header::read(bytes)?;
    match header.format {
        0 => basis::texels(bytes, &header),
        format => match channels_of(format) {
            Some(channels) => decode_plain(&header, channels),
            None => Err(Problem::new(format!("is KTX2 in the GPU's own format (vkFormat {format})"))
                .advise("re-export as KTX2 with Basis Universal, or as PNG")),
        },
    }
}

/// Width and height in texels, if this is an opaque image that [`blocks`] can be had of. An error if its largest level
/// does not decode.
pub(super) fn size_of_opaque_blocks(bytes: &[u8]) -> Result<Option<(u32, u32)>, Problem> {
    let Some(header) = basis_header(bytes) else { return Ok(None) };
    Ok(basis::is_opaque_in_blocks(bytes, &header)?.then_some((header.width, header.height)))
}

/// The mipmap levels as blocks, from level `first` on. `None` if this is not Basis Universal with all levels and with
/// sides that are multiples of 4 texels, or if a level does not decode.
pub(super) fn blocks(bytes: &[u8], format: BlockFormat, first: u32) -> Option<Blocks> {
    basis::blocks(bytes, &basis_header(bytes)?, format, first)
}

fn basis_header(bytes: &[u8]) -> Option<Header<'_>> {
    header_of(bytes).filter(|header| header.format == 0)
}

fn header_of(bytes: &[u8]) -> Option<Header<'_>> {
    is_ktx2(bytes).then(|| Header::read(bytes).ok()).flatten()
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

/// The uncompressed bytes of a level, which must be `expected` bytes long; no more are decompressed.
fn unpacked(supercompression: u32, level: &Level<'_>, expected: u64) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    let found = match supercompression {
        NONE => {
            bytes.extend_from_slice(level.bytes);
            level.bytes.len() as u64
        }
        ZSTANDARD if level.unpacked_bytes != expected => level.unpacked_bytes,
        ZSTANDARD => StreamingDecoder::new(level.bytes)
            .map_err(|error| Problem::new(format!("does not unpack: {error}")))?
            .take(expected + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Problem::new(format!("does not unpack: {error}")))? as u64,
        other => {
            let problem = Problem::new(format!("is KTX2 with supercompression {other}, which is not read"));
            return Err(problem.advise("re-export with Zstandard, or as PNG"));
        }
    };
    if found != expected {
        let Level { width, height, .. } = level;
        return Err(Problem::new(format!(
            "is KTX2 with {found} bytes for {width} × {height} texels, which need {expected}"
        )));
    }
    Ok(bytes)
}

fn decode_plain(header: &Header<'_>, channels: usize) -> Result<Pixels, Problem> {
    let level = header.level(0)?;
    let texels = u64::from(level.width) * u64::from(level.height);
    let bytes = unpacked(header.supercompression, &level, texels * channels as u64)?;
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

/// Supercompression schemes (KTX 2.0 §3.7).
pub(super) const NONE: u32 = 0;
pub(super) const BASIS_LZ: u32 = 1;
pub(super) const ZSTANDARD: u32 = 2;

pub(super) struct Header<'a> {
    bytes: &'a [u8],
    /// A Vulkan format (`vkFormat`); 0 for Basis Universal.
    pub format: u32,
    pub width: u32,
    pub height: u32,
    pub levels: u32,
    pub supercompression: u32,
}

pub(super) struct Level<'a> {
    pub width: u32,
    pub height: u32,
    /// Its bytes as they are in the file, possibly compressed.
    pub bytes: &'a [u8],
    /// Their number before supercompression, according to the file.
    pub unpacked_bytes: u64,
}

impl<'a> Header<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Problem> {
        let [format, _, width, height, depth, layers, faces, levels, supercompression] =
            [12, 16, 20, 24, 28, 32, 36, 40, 44].map(|at| u32_at(bytes, at));
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
        Ok(Self { bytes, format: format?, width, height, levels, supercompression: supercompression? })
    }

    pub(super) fn level(&self, index: u32) -> Result<Level<'a>, Problem> {
        let entry = 80 + 24 * index as usize;
        let [begin, length, unpacked_bytes] = [entry, entry + 8, entry + 16].map(|at| u64_at(self.bytes, at));
        let (begin, length, file_length) = (begin?, length?, self.bytes.len() as u64);
        let end = begin.checked_add(length).filter(|&end| length > 0 && end <= file_length);
        let end = end.ok_or_else(|| cut_off(self.bytes))?;
        Ok(Level {
            width: (self.width >> index).max(1),
            height: (self.height >> index).max(1),
            bytes: &self.bytes[begin as usize..end as usize],
            unpacked_bytes: unpacked_bytes?,
        })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Problem> {
    bytes_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64, Problem> {
    bytes_at(bytes, at).map(u64::from_le_bytes)
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Problem> {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).copied().ok_or_else(|| cut_off(bytes))
}

fn cut_off(bytes: &[u8]) -> Problem {
    Problem::new(format!("is KTX2 cut off after {} bytes", bytes.len()))
}
