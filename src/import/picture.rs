//! Pictures: PNG, JPEG, WebP and KTX2, told apart by their content, not by what the file calls them.

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};

use super::error::Undecodable;
use super::ktx2;

/// The most bytes of a picture file.
pub const MAX_PICTURE_FILE_BYTES: u64 = 256 << 20;

/// The longest side of a picture.
pub const MAX_SIDE: u32 = 8192;

/// A picture's texels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Texels across.
    pub width: u32,
    /// Texels down.
    pub height: u32,
    /// RGBA, 8 bits each, rows from the top; `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// Decodes a picture. Safe with any bytes: no picture has a side of more than 8192 texels.
pub fn decode_picture(bytes: &[u8]) -> Result<Pixels, Undecodable> {
    let format = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xFF, 0xD8, ..] => ImageFormat::Jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ImageFormat::WebP,
        [0xAB, b'K', b'T', b'X', b' ', b'2', ..] => return ktx2::decode(bytes),
        _ => return Err(Undecodable::new("is neither PNG, JPEG, WebP nor KTX2; re-export as PNG")),
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    match reader.decode() {
        Ok(image) => {
            let image = image.into_rgba8();
            Ok(Pixels { width: image.width(), height: image.height(), rgba: image.into_raw() })
        }
        Err(image::ImageError::Limits(_)) => Err(too_large()),
        Err(error) => Err(Undecodable::new(format!("does not decode: {error}"))),
    }
}

/// What is said of a picture with a side longer than [`MAX_SIDE`].
pub fn too_large() -> Undecodable {
    Undecodable::new(format!("is larger than {MAX_SIDE} × {MAX_SIDE} texels; re-export it smaller"))
}
