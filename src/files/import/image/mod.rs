//! Images: PNG, JPEG, WebP, KTX2, TGA, TIFF, BMP, GIF (its first frame) and DDS, recognised by their first bytes, not
//! by the file name or the MIME type.

mod dds;
mod ktx2;

use std::io::Cursor;
use std::sync::Arc;

use image::{ColorType, DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, ImageResult, Limits};
use rayon::prelude::*;

use super::error::Problem;
use super::file::kind_of;
use smirk_face::head::{Decode, Image};

pub(super) const MAX_IMAGE_FILE_BYTES: u64 = 256 << 20;

/// The memory that the decoded images of one model may take. A file of a few bytes can decode to millions of equal
/// texels; the images of a valid model are not compressed that much.
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

    pub(super) fn decode(&mut self, bytes: &[u8]) -> Result<Arc<Image>, Problem> {
        self.check(bytes, 0)?;
        let image = image_of_file(bytes)?;
        self.decoded_bytes += bytes_of(&image);
        Ok(image)
    }

    /// How many images are decoded at most before the import asks whether it is cancelled.
    pub(super) fn most_at_once() -> usize {
        4 * rayon::current_num_threads()
    }

    /// [`Self::decode`] of the first of `images`, and of as many more at the same time as keep all cores busy, if there
    /// is memory for them.
    pub(super) fn decode_first(&mut self, images: &[impl AsRef<[u8]>]) -> Vec<Result<Arc<Image>, Problem>> {
        let (mut first, mut pending) = (Vec::new(), 0_u64);
        for image in images.iter().map(AsRef::as_ref).take(Self::most_at_once()) {
            if pending >= Self::BYTES_AT_ONCE {
                break;
            }
            first.push(self.check(image, pending).map(|()| image));
            pending = pending.saturating_add(decoded_bytes(image));
        }
        let decoded: Vec<_> = first.into_par_iter().with_max_len(1).map(|image| image_of_file(image?)).collect();
        self.decoded_bytes += decoded.iter().flatten().map(|image| bytes_of(image)).sum::<u64>();
        decoded
    }

    /// An error if the images before this one have used the budget up, of which the last take `pending` bytes and are
    /// not decoded yet.
    fn check(&mut self, bytes: &[u8], pending: u64) -> Result<(), Problem> {
        self.encoded_bytes += bytes.len() as u64;
        let justified = Self::BASE_BYTES.saturating_add(self.encoded_bytes.saturating_mul(Self::TIMES_FILES));
        let decoded_bytes = self.decoded_bytes.saturating_add(pending);
        if decoded_bytes >= justified.min(Self::MOST_BYTES) {
            let taken = decoded_bytes >> 20;
            return Err(Problem::new(format!("is one too many: the pictures before it already take {taken} MiB")));
        }
        Ok(())
    }
}

/// The image of a file, which is kept with it so that its texels can be freed. An opaque one that adapters can have as
/// blocks is only checked, because its texels are rarely needed.
fn image_of_file(bytes: &[u8]) -> Result<Arc<Image>, Problem> {
    let decode = Decode { rgba: rgba_of, blocks: ktx2::blocks };
    if let Some((width, height)) = ktx2::size_of_opaque_blocks(bytes)? {
        return Ok(Arc::new(Image::opaque_of_file(width, height, bytes.into(), decode)));
    }
    let Pixels { width, height, rgba } = decode_image(bytes)?;
    Ok(Arc::new(Image::new(width, height, rgba).of_file(bytes.into(), decode)))
}

fn rgba_of(bytes: &[u8]) -> Option<Vec<u8>> {
    decode_image(bytes).ok().map(|pixels| pixels.rgba)
}

fn bytes_of(image: &Image) -> u64 {
    u64::from(image.width()) * u64::from(image.height()) * 4
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// One that `image` decodes.
    Common(ImageFormat),
    Ktx2,
    Dds,
}

/// The format of an image by its first bytes; `None` for formats that are not read.
fn format_of(bytes: &[u8]) -> Option<Format> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', ..] => Format::Common(ImageFormat::Png),
        [0xFF, 0xD8, ..] => Format::Common(ImageFormat::Jpeg),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Format::Common(ImageFormat::WebP),
        [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..] => Format::Common(ImageFormat::Tiff),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Format::Common(ImageFormat::Gif),
        [b'B', b'M', ..] => Format::Common(ImageFormat::Bmp),
        _ if ktx2::is_ktx2(bytes) => Format::Ktx2,
        _ if dds::is_dds(bytes) => Format::Dds,
        _ if is_tga(bytes) => Format::Common(ImageFormat::Tga),
        _ => return None,
    })
}

/// Whether these bytes begin with the header of a TGA image, which has no signature: its numbers must agree with each
/// other.
fn is_tga(bytes: &[u8]) -> bool {
    let Some(header) = bytes.first_chunk::<18>() else { return false };
    let has_size = header[12..14] != [0; 2] && header[14..16] != [0; 2];
    let (color_map, kind, bits, descriptor) = (header[1], header[2], header[16], header[17]);
    let is_known = match (color_map, kind) {
        (1, 1 | 9) => matches!(bits, 8 | 16) && matches!(header[7], 15 | 16 | 24 | 32),
        (0 | 1, 2 | 10) => matches!(bits, 15 | 16 | 24 | 32),
        (0 | 1, 3 | 11) => matches!(bits, 8 | 16),
        _ => false,
    };
    is_known && has_size && descriptor & 0xC0 == 0
}

/// How many bytes an image decodes to, by its header; 0 if that cannot be read.
fn decoded_bytes(bytes: &[u8]) -> u64 {
    let size = match format_of(bytes) {
        Some(Format::Common(format)) => ImageReader::with_format(Cursor::new(bytes), format).into_dimensions().ok(),
        Some(Format::Ktx2) => ktx2::size(bytes),
        Some(Format::Dds) => dds::size(bytes),
        None => None,
    };
    size.map_or(0, |(width, height)| u64::from(width).saturating_mul(u64::from(height)).saturating_mul(4))
}

/// Decodes an image. Safe for any bytes; an image with a side longer than 8192 texels is an error.
pub fn decode_image(bytes: &[u8]) -> Result<Pixels, Problem> {
    let format = match format_of(bytes) {
        Some(Format::Common(format)) => format,
        Some(Format::Ktx2) => return ktx2::decode(bytes),
        Some(Format::Dds) => return dds::decode(bytes),
        None => {
            let what = kind_of(bytes).unwrap_or_else(|| "is no image of a kind that is read".into());
            let problem = Problem::new(format!("{what}, and neither {READ_FORMATS}"));
            return Err(problem.advise("re-export it as PNG"));
        }
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits.clone());
    reader.into_decoder().and_then(|decoder| decode_rgba(decoder, limits)).map_err(|error| match error {
        ImageError::Limits(_) => too_large(),
        error => Problem::new(format!("does not decode: {error}")),
    })
}

const READ_FORMATS: &str = "PNG, JPEG, WebP, KTX2, TGA, TIFF, BMP, GIF nor DDS";

/// Decodes to RGBA. Images of 8 bits are decoded to the memory that the texels take in the end: the largest take 256
/// MiB.
fn decode_rgba(mut decoder: impl ImageDecoder, mut limits: Limits) -> ImageResult<Pixels> {
    limits.reserve(decoder.total_bytes())?;
    decoder.set_limits(limits)?;
    let (width, height) = decoder.dimensions();
    let channels = match decoder.color_type() {
        ColorType::L8 => 1,
        ColorType::La8 => 2,
        ColorType::Rgb8 => 3,
        ColorType::Rgba8 => 4,
        _ => {
            let rgba = DynamicImage::from_decoder(decoder)?.into_rgba8().into_raw();
            return Ok(Pixels { width, height, rgba });
        }
    };
    let texels = width as usize * height as usize;
    let mut rgba = vec![0; texels * 4];
    decoder.read_image(&mut rgba[..texels * channels])?;
    match channels {
        1 => widen(&mut rgba, |[luma]| [luma, luma, luma, 255]),
        2 => widen(&mut rgba, |[luma, alpha]| [luma, luma, luma, alpha]),
        3 => widen(&mut rgba, |[red, green, blue]| [red, green, blue, 255]),
        _ => {}
    }
    Ok(Pixels { width, height, rgba })
}

/// Spreads the texels at the beginning of `rgba`, which have `N` bytes each, over all of it.
fn widen<const N: usize>(rgba: &mut [u8], four_of: impl Fn([u8; N]) -> [u8; 4]) {
    const AT_ONCE: usize = 256;
    let mut narrow = [[0; N]; AT_ONCE];
    let texels = rgba.len() / 4;
    // From the last texels on, because they are written behind where they are read; copies of them, so that the
    // compiler can use wide instructions.
    for first in (0..texels).step_by(AT_ONCE).rev() {
        let narrow = &mut narrow[..AT_ONCE.min(texels - first)];
        let bytes = narrow.as_flattened_mut();
        bytes.copy_from_slice(&rgba[first * N..][..bytes.len()]);
        let (wide, _) = rgba[first * 4..].as_chunks_mut::<4>();
        wide.iter_mut().zip(narrow).for_each(|(wide, narrow)| *wide = four_of(*narrow));
    }
}

const MAX_SIDE: u32 = 8192;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    /// RGBA, 8 bits each, rows from the top; `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

fn too_large() -> Problem {
    Problem::new(format!("is larger than {MAX_SIDE} × {MAX_SIDE} texels")).advise("re-export it smaller")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_every_number_of_channels_become_rgba() {
        let whole = DynamicImage::from(image::RgbaImage::from_fn(5, 3, |x, y| {
            image::Rgba([x as u8 * 50, y as u8 * 80, 7, 255 - x as u8 * y as u8])
        }));
        let kinds = [
            whole.to_luma8().into(),
            whole.to_luma_alpha8().into(),
            whole.to_rgb8().into(),
            whole.to_rgba16().into(),
            whole.to_luma16().into(),
            whole,
        ];
        for image in kinds {
            let mut png = Cursor::new(Vec::new());
            image.write_to(&mut png, ImageFormat::Png).unwrap();
            let expected = Pixels { width: 5, height: 3, rgba: image.to_rgba8().into_raw() };
            assert_eq!(decode_image(png.get_ref()), Ok(expected), "{:?}", image.color());
        }
    }

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
        assert!(
            decoded.iter().zip(&images).all(|(image, file)| image.as_ref().map_or(true, |it| it.file() == Some(file)))
        );
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
