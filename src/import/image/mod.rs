//! Images: PNG, JPEG, WebP and KTX2, recognised by their first bytes, not by the file name or the MIME type.

mod ktx2;
mod pixels;

use std::io::Cursor;

use image::{ImageFormat, ImageReader, Limits};
pub(crate) use pixels::Pixels;
use rayon::prelude::*;

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

    /// The images that are decoded at the same time take about this much.
    const BYTES_AT_ONCE: u64 = 256 << 20;

    /// Decodes an image, if the images before it have not used the budget up.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Result<Pixels, Problem> {
        self.check(bytes)?;
        let pixels = decode_image(bytes)?;
        self.decoded_bytes += pixels.rgba.len() as u64;
        Ok(pixels)
    }

    /// [`Self::decode`] of the first of `images`, and of as many more at the same time as there are cores and memory for.
    pub(super) fn decode_first(&mut self, images: &[impl AsRef<[u8]> + Sync]) -> Vec<Result<Pixels, Problem>> {
        let mut bytes = 0_u64;
        let has_room = |image: &&[u8]| {
            let had_room = bytes < Self::BYTES_AT_ONCE;
            bytes = bytes.saturating_add(decoded_bytes(image));
            had_room
        };
        let first = images.iter().map(AsRef::as_ref).take(rayon::current_num_threads()).take_while(has_room);
        let first: Vec<&[u8]> = first.collect();
        let decoded: Vec<Result<Pixels, Problem>> = first.par_iter().map(|image| decode_image(image)).collect();
        let checked = first.into_iter().zip(decoded).map(|(image, pixels)| {
            self.check(image)?;
            self.decoded_bytes += pixels.as_ref().map_or(0, |pixels| pixels.rgba.len()) as u64;
            pixels
        });
        checked.collect()
    }

    /// An error if the images before this one have used the budget up.
    fn check(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        self.encoded_bytes += bytes.len() as u64;
        let justified = Self::BASE_BYTES.saturating_add(self.encoded_bytes.saturating_mul(Self::TIMES_FILES));
        if self.decoded_bytes >= justified.min(Self::MOST_BYTES) {
            let taken = self.decoded_bytes >> 20;
            return Err(Problem::new(format!("is one too many: the pictures before it already take {taken} MiB")));
        }
        Ok(())
    }
}

/// The format of an image by its first bytes; `None` for KTX2 and for formats that are not read.
fn format_of(bytes: &[u8]) -> Option<ImageFormat> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(ImageFormat::Png),
        [0xFF, 0xD8, ..] => Some(ImageFormat::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(ImageFormat::WebP),
        _ => None,
    }
}

/// How many bytes an image decodes to, by its header; 0 if that cannot be read.
fn decoded_bytes(bytes: &[u8]) -> u64 {
    let size = match format_of(bytes) {
        Some(format) => ImageReader::with_format(Cursor::new(bytes), format).into_dimensions().ok(),
        None => ktx2::size(bytes),
    };
    size.map_or(0, |(width, height)| u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4))
}

/// Decodes an image. Safe for any bytes; an image with a side longer than 8192 texels is an error.
pub fn decode_image(bytes: &[u8]) -> Result<Pixels, Problem> {
    let Some(format) = format_of(bytes) else {
        if ktx2::is_ktx2(bytes) {
            return ktx2::decode(bytes);
        }
        return Err(Problem::new("is neither PNG, JPEG, WebP nor KTX2").advise("re-export as PNG"));
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
    fn images_are_decoded_together_as_one_by_one() {
        let png = |side: u32| {
            let mut png = Cursor::new(Vec::new());
            image::RgbaImage::new(side, side).write_to(&mut png, ImageFormat::Png).unwrap();
            png.into_inner()
        };
        let images = [png(2), b"text".to_vec(), png(3), png(1)];
        assert_eq!(images.each_ref().map(|image| decoded_bytes(image)), [16, 0, 36, 4]);
        let (mut together, mut alone) = (ImageBudget::default(), ImageBudget::default());
        let mut decoded = Vec::new();
        while decoded.len() < images.len() {
            decoded.extend(together.decode_first(&images[decoded.len()..]));
        }
        assert_eq!(decoded, images.each_ref().map(|image| alone.decode(image)));
        assert_eq!(together.decoded_bytes, alone.decoded_bytes);
        let mut spent = ImageBudget { encoded_bytes: 0, decoded_bytes: 2 << 30 };
        assert!(spent.decode_first(&images).iter().all(Result::is_err));
    }

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
