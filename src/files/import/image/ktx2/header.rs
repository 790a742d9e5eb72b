//! The header of KTX2 files: what the picture is, and where its levels are. The numbers are checked against each other, the length of
//! the file and the largest image.

use crate::import::error::Problem;
use crate::import::image::{MAX_SIDE, too_large};

/// Supercompression schemes (KTX 2.0 §3.7).
pub(super) const NONE: u32 = 0;
pub(super) const BASIS_LZ: u32 = 1;
pub(super) const ZSTANDARD: u32 = 2;

/// The fields of the header that are used.
pub(super) struct Header<'a> {
    /// The whole file.
    bytes: &'a [u8],
    /// A Vulkan format (`vkFormat`); 0 for Basis Universal.
    pub format: u32,
    pub width: u32,
    pub height: u32,
    /// The number of mipmap levels.
    pub levels: u32,
    pub supercompression: u32,
}

/// A mipmap level.
pub(super) struct Level<'a> {
    /// In texels.
    pub width: u32,
    /// In texels.
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

    /// A mipmap level; 0 is the largest.
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
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_le_bytes).ok_or_else(|| cut_off(bytes))
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64, Problem> {
    let eight = bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok());
    eight.map(u64::from_le_bytes).ok_or_else(|| cut_off(bytes))
}

fn cut_off(bytes: &[u8]) -> Problem {
    Problem::new(format!("is KTX2 cut off after {} bytes", bytes.len()))
}
