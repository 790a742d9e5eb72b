//! GIF: one palette of 256 colours for the whole film, so that nothing flickers.
//!
//! After "Graphics Interchange Format, Version 89a", CompuServe, 1990. `palette`: the choice of the colours. `dither`: pictures in these
//! colours.

mod dither;
mod palette;

use image::RgbaImage;
use weezl::BitOrder;

use super::changes::{Rect, StoredFrame};
use super::rate::duration;
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_face::motion::FrameRate;

pub use dither::Dither;
pub(super) use palette::{Histogram, Palette};

/// Compresses what has changed since the frame before, as indices of colours; all of a transparent frame, because a format without alpha cannot make a pixel
/// transparent again.
pub(super) fn frame(
    before: Option<&RgbaImage>,
    picture: &RgbaImage,
    palette: &Palette,
    dither: Dither,
) -> Result<StoredFrame, String> {
    let before = before.filter(|_| palette.transparent().is_none());
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 1));
    let indices = dither.indices(&rect.of(picture), rect.min, palette);
    let pixels = weezl::encode::Encoder::new(BitOrder::Lsb, 8).encode(&indices);
    Ok(StoredFrame { rect, bytes: pixels.map_err(|error| error.to_string())? })
}

/// The file while it grows.
#[derive(Debug)]
pub(super) struct GifFile {
    rate: FrameRate,
    frames: usize,
    transparent: Option<u8>,
}

impl GifFile {
    /// The highest rate: players show frames of less than 0.02 s for 0.1 s.
    pub(super) const MOST_FRAMES_PER_SEC: f64 = 50.0;

    /// Begins a file that plays forever.
    pub(super) fn begin(
        file: &mut GrowingFile,
        size: [u32; 2],
        rate: FrameRate,
        palette: &Palette,
    ) -> Result<Self, WriteError> {
        let mut bytes = b"GIF89a".to_vec();
        size.iter().for_each(|&side| bytes.extend((side as u16).to_le_bytes()));
        // A palette of 256 colours with 8 bits for all frames; no background, no aspect ratio.
        bytes.extend([0xF7, 0, 0]);
        bytes.extend(palette.bytes());
        bytes.extend(b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0");
        file.append(&bytes)?;
        Ok(Self { rate, frames: 0, transparent: palette.transparent() })
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        /// The frame stays; or it is removed before the next.
        const STAYS: u8 = 1 << 2;
        const IS_REMOVED: u8 = 2 << 2;
        let mut bytes = Vec::with_capacity(frame.bytes.len() + frame.bytes.len() / 255 + 32);
        let flags = if self.transparent.is_some() { IS_REMOVED | 1 } else { STAYS };
        let [low, high] = (duration(self.rate, self.frames, 100.0) as u16).to_le_bytes();
        bytes.extend([0x21, 0xF9, 4, flags, low, high, self.transparent.unwrap_or(0), 0, 0x2C]);
        let Rect { min, size } = frame.rect;
        min.iter().chain(&size).for_each(|&number| bytes.extend((number as u16).to_le_bytes()));
        bytes.extend([0, 8]);
        for block in frame.bytes.chunks(255) {
            bytes.push(block.len() as u8);
            bytes.extend(block);
        }
        bytes.push(0);
        self.frames += 1;
        file.append(&bytes)
    }

    /// Ends the file.
    pub(super) fn end(&self, file: &mut GrowingFile) -> Result<(), WriteError> {
        file.append(&[0x3B])
    }
}
