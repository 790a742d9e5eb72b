//! Animated PNG: the frames are compressed one by one as PNG pictures, on several threads, and their pixels put into one file.
//!
//! After "Portable Network Graphics (PNG) Specification (Third Edition)", W3C, 2025.

use image::RgbaImage;

use super::changes::{Rect, StoredFrame};
use super::rate::{duration, fraction};
use crate::export::png::{compressed_pixels, png_bytes};
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_face::motion::FrameRate;

/// Compresses what has changed since the frame before to a zlib stream.
pub(super) fn frame(before: Option<&RgbaImage>, picture: &RgbaImage, has_alpha: bool) -> Result<StoredFrame, String> {
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 1));
    let png = png_bytes(&rect.of(picture), has_alpha)?;
    Ok(StoredFrame { rect, bytes: compressed_pixels(&png) })
}

/// The file while it grows.
#[derive(Debug)]
pub(super) struct ApngFile {
    rate: FrameRate,
    /// The number of frames that were added.
    frames: usize,
    /// The number of the next chunk of frames.
    sequence: u32,
}

impl ApngFile {
    /// Begins a file of so many frames, which plays forever.
    pub(super) fn begin(
        file: &mut GrowingFile,
        size: [u32; 2],
        rate: FrameRate,
        frames: usize,
        has_alpha: bool,
    ) -> Result<Self, WriteError> {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        let color = if has_alpha { 6 } else { 2 };
        let [width, height] = size.map(u32::to_be_bytes);
        chunk(&mut bytes, b"IHDR", &[&width, &height, &[8, color, 0, 0, 0]]);
        chunk(&mut bytes, b"acTL", &[&(frames as u32).to_be_bytes(), &0_u32.to_be_bytes()]);
        // The colours are those of sRGB.
        chunk(&mut bytes, b"sRGB", &[&[0]]);
        file.append(&bytes)?;
        Ok(Self { rate, frames: 0, sequence: 0 })
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        let Rect { min, size } = frame.rect;
        let delay = delay(self.rate, self.frames).map(u16::to_be_bytes);
        let is_first = self.frames == 0;
        self.frames += 1;
        let mut bytes = Vec::with_capacity(frame.bytes.len() + 64);
        let numbers = [self.next(), size[0], size[1], min[0], min[1]].map(u32::to_be_bytes);
        // The frame stays until the next replaces a part of it.
        chunk(&mut bytes, b"fcTL", &[numbers.as_flattened(), delay.as_flattened(), &[0, 0]]);
        if is_first {
            chunk(&mut bytes, b"IDAT", &[&frame.bytes]);
        } else {
            chunk(&mut bytes, b"fdAT", &[&self.next().to_be_bytes(), &frame.bytes]);
        }
        file.append(&bytes)
    }

    /// Ends the file.
    pub(super) fn end(&self, file: &mut GrowingFile) -> Result<(), WriteError> {
        let mut bytes = Vec::new();
        chunk(&mut bytes, b"IEND", &[]);
        file.append(&bytes)
    }

    fn next(&mut self) -> u32 {
        self.sequence += 1;
        self.sequence - 1
    }
}

/// How long frame `index` is shown, as a fraction of a second.
fn delay(rate: FrameRate, index: usize) -> [u16; 2] {
    /// A fine unit for rates whose fraction is too large: sixty thousand are a second.
    const UNITS: u16 = 60_000;
    match fraction(rate).map(u16::try_from) {
        [Ok(frames), Ok(secs)] => [secs, frames],
        // A second has at least one frame.
        _ => [duration(rate, index, UNITS.into()).min(UNITS.into()) as u16, UNITS],
    }
}

fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    bytes.extend((length as u32).to_be_bytes());
    let start = bytes.len();
    bytes.extend(kind);
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes.extend(crc32fast::hash(&bytes[start..]).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_begins_at_its_time() {
        for rate in [1.0, 12.5, 23.976, 29.97, 33.3, 59.94, 100.5, 119.88, 120.0, 239.76, 999.9, 1000.0] {
            let rate = FrameRate::nearest(rate);
            let mut secs = 0.0;
            for index in 0..20_000 {
                let expected = index as f64 / rate.frames_per_sec();
                assert!((secs - expected).abs() < 1e-4, "{rate:?}: frame {index} at {secs}, not {expected}");
                let [number, of_second] = delay(rate, index);
                secs += f64::from(number) / f64::from(of_second);
            }
        }
        assert_eq!(delay(FrameRate::nearest(59.94), 7), [1001, 60_000]);
        assert_eq!(delay(FrameRate::nearest(24.0), 7), [1, 24]);
    }
}
