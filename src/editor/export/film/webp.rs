//! Animated WebP: the frames are compressed one by one without loss, on several threads, and put into one file.
//!
//! After "WebP Container Specification", Google, and RFC 9649.

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, RgbaImage};

use super::changes::{Rect, StoredFrame};
use super::rate::duration;
use crate::export::png::without_alpha;
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_face::motion::FrameRate;

/// Compresses what has changed since the frame before to a chunk.
pub(super) fn frame(before: Option<&RgbaImage>, picture: &RgbaImage, has_alpha: bool) -> Result<StoredFrame, String> {
    // The place of a frame is stored in steps of two pixels.
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 2));
    let part = rect.of(picture);
    let ([width, height], mut bytes) = (rect.size, Vec::new());
    let encoder = WebPEncoder::new_lossless(&mut bytes);
    let encoded = if has_alpha {
        encoder.encode(&part, width, height, ExtendedColorType::Rgba8)
    } else {
        encoder.encode(&without_alpha(&part), width, height, ExtendedColorType::Rgb8)
    };
    encoded.map_err(|error| format!("a frame of {width}×{height} cannot be encoded: {error}"))?;
    // A file of one picture is `RIFF`, its size and `WEBP`, then the chunk.
    Ok(StoredFrame { rect, bytes: bytes.get(12..).unwrap_or_default().to_vec() })
}

/// The file while it grows.
#[derive(Debug)]
pub(super) struct WebPFile {
    rate: FrameRate,
    frames: usize,
    bytes: u64,
}

impl WebPFile {
    /// The largest file: its length is stored in 32 bits.
    const MOST_BYTES: u64 = u32::MAX as u64 - 64;

    /// Begins a file that plays forever.
    pub(super) fn begin(
        file: &mut GrowingFile,
        [width, height]: [u32; 2],
        rate: FrameRate,
        has_alpha: bool,
    ) -> Result<Self, WriteError> {
        const ANIMATION: u8 = 0x02;
        const ALPHA: u8 = 0x10;
        let mut bytes = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0".to_vec();
        bytes.extend([ANIMATION | if has_alpha { ALPHA } else { 0 }, 0, 0, 0]);
        bytes.extend(of_three_bytes(width - 1));
        bytes.extend(of_three_bytes(height - 1));
        // No background, and no end of the loop.
        bytes.extend(b"ANIM\x06\0\0\0\0\0\0\0\0\0");
        file.append(&bytes)?;
        Ok(Self { rate, frames: 0, bytes: bytes.len() as u64 })
    }

    /// Adds a frame.
    pub(super) fn add(&mut self, file: &mut GrowingFile, frame: &StoredFrame) -> Result<(), WriteError> {
        /// The pixels replace those before, and stay until the next frame.
        const REPLACES: u8 = 0x02;
        let ([x, y], [width, height]) = (frame.rect.min, frame.rect.size);
        let mut bytes = b"ANMF".to_vec();
        bytes.extend((16 + frame.bytes.len() as u32).to_le_bytes());
        let duration = duration(self.rate, self.frames, 1000.0);
        [x / 2, y / 2, width - 1, height - 1, duration].iter().for_each(|&number| bytes.extend(of_three_bytes(number)));
        bytes.push(REPLACES);
        bytes.extend(&frame.bytes);
        self.frames += 1;
        self.bytes += bytes.len() as u64;
        if self.bytes > Self::MOST_BYTES {
            return Err(file.error_of("a WebP file holds at most 4 GiB: export fewer or smaller frames"));
        }
        file.append(&bytes)
    }

    /// Ends the file.
    pub(super) fn end(&self, file: &mut GrowingFile) -> Result<(), WriteError> {
        file.patch(4, &((self.bytes - 8) as u32).to_le_bytes())
    }
}

fn of_three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
}
