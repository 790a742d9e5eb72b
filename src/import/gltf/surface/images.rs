//! Textures: which image they show, where it lies, and how it is read. A picture that cannot be read costs the texture,
//! not the head.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use gltf::json;
use gltf::json::Index;
use gltf::json::buffer::View;
use gltf::json::texture::{MagFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::Value;

use crate::head::{Sampler, Wrap};
use crate::import::error::quoted;
use crate::import::gltf::read::Views;
use crate::import::gltf::read::fetch;
use crate::import::gltf::read::{Document, lookup};
use crate::import::image::{ImageBudget, MAX_IMAGE_FILE_BYTES, Pixels};

/// Where pictures come from.
pub struct Images<'a> {
    pub document: &'a Document,
    pub views: &'a Views<'a>,
    pub folder: Option<&'a Path>,
}

/// Where the file of an image is. Several images may name one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place<'a> {
    Uri(&'a str),
    View(Index<View>),
}

/// A decoded image.
#[derive(Clone)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Rows from the top.
    pub rgba: Arc<Vec<u8>>,
}

impl<'a> Images<'a> {
    /// An image's name, and where its file is, or one line on why that is nowhere. `owner` is the texture that wants it.
    pub fn find(&self, index: Index<json::Image>, owner: &str) -> Result<(String, Place<'a>), String> {
        let image = lookup(&self.document.images, index, owner, "image").map_err(|fault| fault.to_string())?;
        let number = index.value();
        let name = image.name.clone().unwrap_or_else(|| format!("image {number}"));
        let place = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => Place::Uri(uri),
            (None, Some(view)) => Place::View(view),
            (None, None) => return Err(format!("{} has neither a URI nor a bufferView", object_of(number, &name))),
        };
        Ok((name, place))
    }

    /// Decodes what is there, or says in one line why not. `number` and `name` are those of the image that wants it.
    pub fn decode(
        &self,
        place: Place<'_>,
        (number, name): (usize, &str),
        budget: &mut ImageBudget,
    ) -> Result<Picture, String> {
        let object = object_of(number, name);
        let bytes = match place {
            Place::Uri(uri) => fetch(uri, self.folder, MAX_IMAGE_FILE_BYTES, &object).map(Cow::Owned),
            Place::View(view) => self.views.bytes(view, &object).map(Cow::Borrowed),
        }
        .map_err(|fault| fault.to_string())?;
        let Pixels { width, height, rgba } = budget.decode(&bytes).map_err(|why| format!("{object} {why}"))?;
        Ok(Picture { width, height, rgba: Arc::new(rgba) })
    }

    /// How a texture is read, or why that cannot be said.
    pub fn sampler(&self, texture: &json::Texture, owner: &str) -> Result<Sampler, String> {
        let Some(index) = texture.sampler else { return Ok(Sampler::default()) };
        let sampler = lookup(&self.document.samplers, index, owner, "sampler");
        sampler.map(read_sampler).map_err(|fault| fault.to_string())
    }
}

fn object_of(number: usize, name: &str) -> String {
    format!("image {number} {}", quoted(name))
}

/// The images that may stand for a texture, the best first: the one an extension names, then the plain one for programs
/// that do not know it.
pub fn sources(texture: &json::Texture) -> Vec<Index<json::Image>> {
    let extensions = texture.extensions.as_ref().map(|extensions| &extensions.others);
    let named = |name: &&str| extensions?.get(*name)?.get("source")?.as_u64();
    let by_extension = ["KHR_texture_basisu", "EXT_texture_webp"].iter().filter_map(named);
    let plain = Some(texture.source).filter(|source| source.value() != u32::MAX as usize);
    by_extension.filter_map(|source| u32::try_from(source).ok()).map(Index::new).chain(plain).collect()
}

/// The extensions of a texture that names no image in a way that is read.
pub fn unread_extensions(texture: &json::Texture) -> String {
    let names = texture.extensions.iter().flat_map(|extensions| extensions.others.iter());
    let with_source = names.filter(|(_, value)| value.get("source").is_some_and(Value::is_number));
    with_source.map(|(name, _)| name.escape_debug().to_string()).collect::<Vec<_>>().join(", ")
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
