//! Pictures: PNG and JPEG, told apart by their content, not by what the file calls them. A picture that cannot be read
//! costs the texture, not the head.

use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use gltf::json;
use gltf::json::Index;
use gltf::json::texture::{MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use image::{ImageFormat, ImageReader, Limits};

use super::super::error::quoted;
use super::accessor::view_bytes;
use super::buffers::fetch;
use super::document::{Document, lookup};
use crate::head::{Sampler, Wrap};

/// The most bytes of a picture file.
pub const MAX_PICTURE_FILE_BYTES: u64 = 256 << 20;

/// Where pictures come from.
pub struct Images<'a> {
    pub document: &'a Document,
    pub buffers: &'a [Cow<'a, [u8]>],
    pub folder: Option<&'a Path>,
}

/// A decoded image.
#[derive(Clone)]
pub struct Picture {
    pub name: String,
    pub width: u32,
    pub height: u32,
    /// Rows from the top.
    pub rgba: Arc<Vec<u8>>,
}

impl Images<'_> {
    /// The longest side of a picture.
    const MAX_SIDE: u32 = 8192;

    /// Decodes an image, or says in one line why not. `owner` is the texture that wants it.
    pub fn decode(&self, index: Index<json::Image>, owner: &str) -> Result<Picture, String> {
        let image = lookup(&self.document.images, index, owner, "image").map_err(|fault| fault.to_string())?;
        let number = index.value();
        let name = image.name.clone().unwrap_or_else(|| format!("image {number}"));
        let object = format!("image {number} {}", quoted(&name));
        let bytes = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => fetch(uri, self.folder, MAX_PICTURE_FILE_BYTES, &object).map(Cow::Owned),
            (None, Some(view)) => view_bytes(self.document, self.buffers, view, &object).map(Cow::Borrowed),
            (None, None) => return Err(format!("{object} has neither a URI nor a bufferView")),
        }
        .map_err(|fault| fault.to_string())?;
        let decoded = decode(&bytes).map_err(|why| format!("{object} {why}"))?;
        let (width, height) = decoded.dimensions();
        Ok(Picture { name, width, height, rgba: Arc::new(decoded.into_raw()) })
    }

    /// How a texture is read, or why that cannot be said.
    pub fn sampler(&self, texture: &json::Texture, owner: &str) -> Result<Sampler, String> {
        let Some(index) = texture.sampler else { return Ok(Sampler::default()) };
        let sampler = lookup(&self.document.samplers, index, owner, "sampler");
        sampler.map(read_sampler).map_err(|fault| fault.to_string())
    }
}

/// Decodes the bytes of a picture, or says in words that follow its name why not.
pub fn decode(bytes: &[u8]) -> Result<image::RgbaImage, String> {
    let format = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ImageFormat::Png,
        [0xFF, 0xD8, ..] => ImageFormat::Jpeg,
        [0xAB, b'K', b'T', b'X', ..] => return Err("is KTX2, which Smirk does not read yet; re-export as PNG".into()),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => {
            return Err("is WebP, which Smirk does not read yet; re-export as PNG".into());
        }
        _ => return Err("is neither PNG nor JPEG; re-export as PNG".into()),
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(Images::MAX_SIDE);
    limits.max_image_height = Some(Images::MAX_SIDE);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    match reader.decode() {
        Ok(image) => Ok(image.into_rgba8()),
        Err(image::ImageError::Limits(_)) => {
            Err(format!("is larger than {0} × {0} texels; re-export it smaller", Images::MAX_SIDE))
        }
        Err(error) => Err(format!("does not decode: {error}")),
    }
}

fn read_sampler(sampler: &json::texture::Sampler) -> Sampler {
    let wrap = |mode| match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    };
    Sampler {
        wrap_u: wrap(sampler.wrap_s),
        wrap_v: wrap(sampler.wrap_t),
        nearest: matches!(sampler.mag_filter, Some(Checked::Valid(MagFilter::Nearest))),
    }
}
