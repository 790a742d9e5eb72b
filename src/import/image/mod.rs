//! Images: PNG, JPEG, WebP and KTX2, recognised by their first bytes, not by the file name or the MIME type.

mod ktx2;
mod pixels;

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
pub(crate) use pixels::Pixels;

use self::pixels::{MAX_SIDE, too_large};
use super::error::Problem;

/// The largest image file, in bytes.
pub(super) const MAX_IMAGE_FILE_BYTES: u64 = 256 << 20;

/// The memory that the decoded images of one model may take. A file of a few bytes can decode to millions of equal texels; the
/// images of a valid model are not compressed that much.
#[derive(Default)]
pub(super) struct ImageBudget {
    encoded_bytes: u64,
    decoded_bytes: u64,
}

impl ImageBudget {
    /// The images of no model may take more than this.
    const MOST_BYTES: u64 = 2 << 30;
    /// The images of every model may take this much, whatever the size of their files.
    const BASE_BYTES: u64 = 512 << 20;
    /// In addition, they may take this many times the size of their files.
    const TIMES_FILES: u64 = 256;

    /// Decodes an image, if the images before it have not used the budget up.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Result<Pixels, Problem> {
        self.encoded_bytes += bytes.len() as u64;
        let justified = Self::BASE_BYTES.saturating_add(self.encoded_bytes.saturating_mul(Self::TIMES_FILES));
        if self.decoded_bytes >= justified.min(Self::MOST_BYTES) {
            let taken = self.decoded_bytes >> 20;
            return Err(Problem::new(format!("is one too many: the pictures before it already take {taken} MiB")));
        }
        let pixels = decode_image(bytes)?;
        self.decoded_bytes += pixels.rgba.len() as u64;
        Ok(pixels)
    }
}

/// Decodes an image. Safe for any bytes; an image with a side longer than 8192 texels is an error.
pub fn decode_image(bytes: &[u8]) -> Result<Pixels, Problem> {
    let format = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xFF, 0xD8, ..] => ImageFormat::Jpeg,
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ImageFormat::WebP,
        [0xAB, b'K', b'T', b'X', b' ', b'2', ..] => return ktx2::decode(bytes),
        _ => return Err(Problem::new("is neither PNG, JPEG, WebP nor KTX2").advise("re-export as PNG")),
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
        Err(error) => Err(Problem::new(format!("does not decode: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_take_no_more_memory_than_their_files_justify() {
        let mut png = Cursor::new(Vec::new());
        image::RgbaImage::new(2, 2).write_to(&mut png, ImageFormat::Png).unwrap();
        let decode = |encoded_bytes, decoded_bytes| {
            let mut budget = ImageBudget { encoded_bytes, decoded_bytes };
            budget.decode(png.get_ref()).map(|_| budget.decoded_bytes - decoded_bytes)
        };
        assert_eq!(decode(0, 0), Ok(16));
        assert!(decode(1000, 600 << 20).unwrap_err().to_string().contains("already take 600 MiB"));
        assert_eq!(decode(1 << 20, 600 << 20), Ok(16), "large files have large images");
        assert!(decode(u64::MAX >> 1, 2 << 30).is_err(), "up to the limit for any model");
    }
}
