//! GIF: one palette of 256 colours for the whole film, so that nothing flickers.
//!
//! The crate `gif` compresses the frames and writes the file. `palette`: the choice of the colours. `dither`: pictures in these colours.

mod dither;
mod palette;

use ::gif::{self, DisposalMethod};
use image::RgbaImage;

use super::changes::{Rect, StoredFrame};
use super::rate::duration;
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_face::motion::FrameRate;

pub use dither::Dither;
pub(super) use palette::{Histogram, Palette};

/// Compresses what has changed since the frame before, as indices of colours; all of a transparent frame, because a format without alpha cannot make a pixel
/// transparent again.
pub(super) fn frame(before: Option<&RgbaImage>, picture: &RgbaImage, palette: &Palette, dither: Dither) -> StoredFrame {
    let before = before.filter(|_| palette.transparent().is_none());
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 1));
    let indices = dither.indices(&rect.of(picture), rect.min, palette);
    let mut compressed = gif::Frame { buffer: indices.into(), ..gif::Frame::default() };
    compressed.make_lzw_pre_encoded();
    StoredFrame { rect, bytes: compressed.buffer.into_owned() }
}

/// The file while it grows.
pub(super) struct GifFile {
    rate: FrameRate,
    frames: usize,
    transparent: Option<u8>,
    /// Its bytes that are not in the file yet.
    encoder: gif::Encoder<Vec<u8>>,
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
        let [width, height] = size.map(|side| side as u16);
        let encoder = gif::Encoder::new(Vec::new(), width, height, &palette.bytes());
        let encoder = encoder.and_then(|mut encoder| encoder.set_repeat(gif::Repeat::Infinite).map(|()| encoder));
        let encoder = encoder.map_err(|error| file.error_of(error))?;
        let mut gif = Self { rate, frames: 0, transparent: palette.transparent(), encoder };
        gif.flush(file)?;
        Ok(gif)
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        let Rect { min: [left, top], size: [width, height] } = frame.rect;
        let frame = gif::Frame {
            delay: duration(self.rate, self.frames, 100.0) as u16,
            // A frame with transparent pixels is removed before the next.
            dispose: if self.transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
            transparent: self.transparent,
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            buffer: (&frame.bytes).into(),
            ..gif::Frame::default()
        };
        self.frames += 1;
        self.encoder.write_lzw_pre_encoded_frame(&frame).map_err(|error| file.error_of(error))?;
        self.flush(file)
    }

    /// Ends the file.
    pub(super) fn end(self, file: &mut GrowingFile) -> Result<(), WriteError> {
        let end = self.encoder.into_inner().map_err(|error| file.error_of(error))?;
        file.append(&end)
    }

    /// Puts what was encoded into the file.
    fn flush(&mut self, file: &mut GrowingFile) -> Result<(), WriteError> {
        file.append(&std::mem::take(self.encoder.get_mut()))
    }
}
