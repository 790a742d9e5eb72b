//! Decoded texels, and the largest image that is decoded.

use crate::import::error::Problem;

/// The longest side of an image, in texels.
pub(super) const MAX_SIDE: u32 = 8192;

/// The texels of a decoded image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// In texels.
    pub width: u32,
    /// In texels.
    pub height: u32,
    /// RGBA, 8 bits each, rows from the top; `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// The error for an image with a side longer than [`MAX_SIDE`].
pub(super) fn too_large() -> Problem {
    Problem::new(format!("is larger than {MAX_SIDE} × {MAX_SIDE} texels")).advise("re-export it smaller")
}
