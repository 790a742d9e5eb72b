//! Images as PNG files.

use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageError, RgbImage, RgbaImage};
use thiserror::Error;

use smirk_base::atomic_file::{OutputPath, WriteError};

/// Writes `picture` (sRGB, straight alpha).
pub fn save_png(output: &OutputPath, picture: &RgbaImage) -> Result<(), WriteError> {
    let bytes = png_bytes(picture, true).map_err(|error| WriteError::of_content(output.path(), error))?;
    output.write(&bytes)
}

/// A picture that its format cannot hold.
#[derive(Debug, Error)]
#[error("a picture of {width}×{height} cannot be encoded: {source}")]
pub(super) struct EncodeError {
    width: u32,
    height: u32,
    source: ImageError,
}

impl EncodeError {
    pub(super) fn new((width, height): (u32, u32), source: ImageError) -> Self {
        Self { width, height, source }
    }
}

/// The content of a file. Without `has_alpha` the picture is opaque, and the file has three channels.
pub(super) fn png_bytes(picture: &RgbaImage, has_alpha: bool) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    let (width, height) = picture.dimensions();
    let encoder = PngEncoder::new(&mut bytes);
    let encoded = if has_alpha {
        encoder.write_image(picture, width, height, ExtendedColorType::Rgba8)
    } else {
        encoder.write_image(&without_alpha(picture), width, height, ExtendedColorType::Rgb8)
    };
    encoded.map_err(|error| EncodeError::new((width, height), error))?;
    Ok(bytes)
}

pub(super) fn without_alpha(picture: &RgbaImage) -> RgbImage {
    let colors = picture.as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    let opaque = RgbImage::from_raw(picture.width(), picture.height(), colors);
    opaque.unwrap_or_else(|| unreachable!("it has a colour for each pixel"))
}

/// The compressed pixels of a PNG file: what its `IDAT` chunks hold.
pub(super) fn compressed_pixels(png: &[u8]) -> Vec<u8> {
    let mut pixels = Vec::new();
    let mut rest = png.get(8..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let Some(content) = after.get(..length) else { break };
        if head[4..] == *b"IDAT" {
            pixels.extend_from_slice(content);
        }
        // The checksum takes four bytes.
        rest = after.get(length + 4..).unwrap_or_default();
    }
    pixels
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_saved_image_reads_back_and_leaves_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, b"an older file").unwrap();
        let picture = RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8 * 80, y as u8 * 200, 7, 255]));
        save_png(&OutputPath::new(&path), &picture).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
