//! Animated PNG: the frames are compressed one by one as PNG pictures, on several threads, and their pixels put into one file.
//!
//! After "Portable Network Graphics (PNG) Specification (Third Edition)", W3C, 2025.

use image::RgbaImage;

use super::changes::{Rect, StoredFrame};
use super::rate::fraction;
use crate::atomic_file::{GrowingFile, WriteError};
use crate::export::png::{compressed_pixels, png_bytes};
use crate::motion::FrameRate;

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
        Ok(Self { rate, sequence: 0 })
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        let Rect { min, size } = frame.rect;
        let [frames, secs] = fraction(self.rate);
        // Both numbers have 16 bits.
        let scale = frames.max(secs).div_ceil(u32::from(u16::MAX)).max(1);
        let delay = [secs / scale, frames / scale].map(|number| (number.max(1) as u16).to_be_bytes());
        let is_first = self.sequence == 0;
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

fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], parts: &[&[u8]]) {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    bytes.extend((length as u32).to_be_bytes());
    let start = bytes.len();
    bytes.extend(kind);
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes.extend(crc32fast::hash(&bytes[start..]).to_be_bytes());
}
