//! A texture as a function of its texels, and its encoding.

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use rayon::prelude::*;

use super::glb::Image;

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Without alpha, with a quality from 1 to 100.
    Jpeg(u8),
    /// With alpha, exactly.
    Png,
}

impl Encoding {
    /// The type in the file.
    pub const fn mime_type(self) -> &'static str {
        match self {
            Self::Jpeg(_) => "image/jpeg",
            Self::Png => "image/png",
        }
    }
}

/// A texture that has not been computed yet.
pub struct Picture<'a> {
    /// The name in the file.
    pub name: &'static str,
    /// Width and height, in texels.
    pub size: [usize; 2],
    /// The encoding in the file.
    pub encoding: Encoding,
    /// The colour in sRGB, or the number, of the texel in a column and a row.
    pub texel: Box<dyn Fn(usize, usize) -> [u8; 4] + Sync + 'a>,
}

impl Picture<'_> {
    /// Computes all texels and encodes them.
    pub fn encoded(&self) -> image::ImageResult<Image> {
        let [width, height] = self.size;
        let texels = (0..width * height).into_par_iter().map(|at| (self.texel)(at % width, at / width));
        let mut bytes = Vec::new();
        let (width, height) = (width as u32, height as u32);
        match self.encoding {
            Encoding::Jpeg(quality) => {
                let texels: Vec<[u8; 3]> = texels.map(|[r, g, b, _]| [r, g, b]).collect();
                let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
                encoder.write_image(texels.as_flattened(), width, height, ExtendedColorType::Rgb8)?;
            }
            Encoding::Png => {
                let texels: Vec<[u8; 4]> = texels.collect();
                let encoder = PngEncoder::new(&mut bytes);
                encoder.write_image(texels.as_flattened(), width, height, ExtendedColorType::Rgba8)?;
            }
        }
        Ok(Image { name: self.name, mime_type: self.encoding.mime_type(), bytes })
    }
}

/// A colour without transparency.
pub fn opaque([r, g, b]: [u8; 3]) -> [u8; 4] {
    [r, g, b, u8::MAX]
}
