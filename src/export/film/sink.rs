//! How frames are compressed, and the file that they are put into. Frames are compressed one by one, on several
//! threads.
//!
//! Animated PNG follows "Portable Network Graphics (PNG) Specification (Third Edition)", W3C, 2025, and animated WebP,
//! which is compressed without loss, the "WebP Container Specification", Google, and RFC 9649.

use std::sync::{Arc, Mutex, PoisonError};

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, RgbaImage};

use super::changes::{Rect, StoredFrame};
use super::ffmpeg::{EndOnDrop, Running};
use super::format::{duration, fraction};
use super::gif::{self, Dither, GifFile, Palette};
use super::settings::FilmSettings;
use crate::ExportError;
use crate::png::{EncodeError, compressed_pixels, png_bytes, without_alpha};
use smirk_base::atomic_file::{GrowingFile, WriteError};
use smirk_base::progress::Cancelled;
use smirk_face::motion::FrameRate;

/// A running ffmpeg. Pictures are passed to it on another thread, since it may take long to accept them.
type SharedFfmpeg = Arc<Mutex<Running>>;

/// How frames are compressed. The work is done on other threads.
#[derive(Clone, Debug)]
pub(super) enum Encoder {
    Apng { has_alpha: bool },
    Gif { palette: Arc<Palette>, dither: Dither },
    WebP { has_alpha: bool },
    Ffmpeg(SharedFfmpeg),
}

impl Encoder {
    /// Compresses a frame; only what has changed since the one before, where the format allows it. Nothing is left to
    /// be stored of a frame that ffmpeg has taken.
    pub(super) fn frame(
        &self,
        number: i64,
        before: Option<&RgbaImage>,
        picture: &RgbaImage,
    ) -> Result<Option<StoredFrame>, ExportError> {
        let stored = match self {
            Self::Apng { has_alpha } => {
                let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 1));
                let png = png_bytes(&rect.crop(picture), *has_alpha);
                png.map(|png| StoredFrame { rect, bytes: compressed_pixels(&png) })
            }
            Self::Gif { palette, dither } => Ok(gif::frame(before, picture, palette, *dither)),
            Self::WebP { has_alpha } => webp_frame(before, picture, *has_alpha),
            Self::Ffmpeg(running) => {
                running.lock().unwrap_or_else(PoisonError::into_inner).add(picture)?;
                return Ok(None);
            }
        };
        stored.map(Some).map_err(|reason| failed!("frame {number} cannot be compressed: {reason}"))
    }
}

pub(super) struct Sink {
    /// Dropped before the file, so that ffmpeg does not make it again.
    container: Container,
    file: GrowingFile,
}

enum Container {
    Apng(ApngFile),
    Gif(GifFile),
    WebP(WebPFile),
    Ffmpeg { running: SharedFfmpeg, _end: EndOnDrop },
}

impl Sink {
    /// Begins an APNG, and says how its frames are compressed.
    pub(super) fn apng(mut file: GrowingFile, settings: &FilmSettings) -> Result<(Self, Encoder), WriteError> {
        let (span, has_alpha) = (settings.span, settings.pictures.is_transparent);
        let apng = ApngFile::begin(&mut file, settings.pictures.size, span.rate, span.count(), has_alpha)?;
        Ok((Self { file, container: Container::Apng(apng) }, Encoder::Apng { has_alpha }))
    }

    pub(super) fn webp(mut file: GrowingFile, settings: &FilmSettings) -> Result<(Self, Encoder), WriteError> {
        let has_alpha = settings.pictures.is_transparent;
        let webp = WebPFile::begin(&mut file, settings.pictures.size, settings.span.rate, has_alpha)?;
        Ok((Self { file, container: Container::WebP(webp) }, Encoder::WebP { has_alpha }))
    }

    pub(super) fn gif(
        mut file: GrowingFile,
        settings: &FilmSettings,
        palette: Palette,
    ) -> Result<(Self, Encoder), WriteError> {
        let gif = GifFile::begin(&mut file, settings.pictures.size, settings.span.rate, &palette)?;
        let encoder = Encoder::Gif { palette: Arc::new(palette), dither: settings.dither };
        Ok((Self { file, container: Container::Gif(gif) }, encoder))
    }

    pub(super) fn ffmpeg(file: GrowingFile, running: Running) -> (Self, Encoder) {
        let end = running.end_on_drop();
        let running = Arc::new(Mutex::new(running));
        (Self { file, container: Container::Ffmpeg { running: running.clone(), _end: end } }, Encoder::Ffmpeg(running))
    }

    pub(super) fn add(&mut self, frame: &StoredFrame) -> Result<(), WriteError> {
        match &mut self.container {
            Container::Apng(apng) => apng.add(&mut self.file, frame),
            Container::Gif(gif) => gif.add(&mut self.file, frame),
            Container::WebP(webp) => webp.add(&mut self.file, frame),
            Container::Ffmpeg { .. } => unreachable!("nothing is left to be stored of a frame that ffmpeg has taken"),
        }
    }

    /// Puts the film in its place. While ffmpeg is waited for, `check` is called now and then.
    pub(super) fn finish(self, check: impl Fn() -> Result<(), Cancelled>) -> Result<(), ExportError> {
        // In this order, the container is dropped before the file.
        let Self { mut file, container } = self;
        match container {
            Container::Apng(apng) => apng.end(&mut file)?,
            Container::Gif(gif) => gif.end(&mut file)?,
            Container::WebP(webp) => webp.end(&mut file)?,
            Container::Ffmpeg { running, _end } => {
                running.lock().unwrap_or_else(PoisonError::into_inner).finish(check)?;
            }
        }
        Ok(file.finish()?)
    }
}

#[derive(Debug)]
struct ApngFile {
    rate: FrameRate,
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

/// Compresses what has changed since the frame before to a chunk.
fn webp_frame(before: Option<&RgbaImage>, picture: &RgbaImage, has_alpha: bool) -> Result<StoredFrame, EncodeError> {
    // The place of a frame is stored in steps of two pixels.
    let rect = before.map_or(Rect::whole(picture), |before| Rect::changed(before, picture, 2));
    let part = rect.crop(picture);
    let ([width, height], mut bytes) = (rect.size, Vec::new());
    let encoder = WebPEncoder::new_lossless(&mut bytes);
    let encoded = if has_alpha {
        encoder.encode(&part, width, height, ExtendedColorType::Rgba8)
    } else {
        encoder.encode(&without_alpha(&part), width, height, ExtendedColorType::Rgb8)
    };
    encoded.map_err(|error| EncodeError::new((width, height), error))?;
    // A file of one picture is `RIFF`, its size and `WEBP`, then the chunk.
    Ok(StoredFrame { rect, bytes: bytes.split_off(12) })
}

#[derive(Debug)]
struct WebPFile {
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

    pub(super) fn end(&self, file: &mut GrowingFile) -> Result<(), WriteError> {
        file.patch(4, &((self.bytes - 8) as u32).to_le_bytes())
    }
}

fn of_three_bytes(number: u32) -> [u8; 3] {
    let [a, b, c, _] = number.to_le_bytes();
    [a, b, c]
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
