//! Images of textures: where their files are, how they are decoded, and how they are sampled. If an image cannot
//! be read, its texture is left out and the head is still read.

use std::borrow::Cow;
use std::sync::Arc;

use gltf::json;
use gltf::json::Index;
use gltf::json::buffer::View;
use gltf::json::texture::{MagFilter, MinFilter, WrappingMode};
use gltf::json::validation::Checked;
use serde_json::Value;

use crate::import::Problem;
use crate::import::gltf::read::{GltfDocument, Views, fetch, lookup};
use crate::import::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use crate::import::sidecar::ModelFolder;
use smirk_face::head::{Image, Kind, Sampler, Subject, Wrap};

pub(crate) struct Images<'a> {
    pub document: &'a GltfDocument,
    pub views: &'a Views<'a>,
    pub folder: Option<&'a ModelFolder>,
}

/// Where the encoded bytes of an image are. Several images may be at the same location.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ImageLocation<'a> {
    Uri(&'a str),
    View(Index<View>),
}

/// A decoded image, or one line on why there is none, with its number and its name.
pub(super) fn decoded(
    image: Result<Arc<Image>, Problem>,
    (number, name): (usize, &str),
) -> Result<Arc<Image>, Problem> {
    image.map_err(|why| format!("{} {why}", subject_of(number, name)).into())
}

impl<'a> Images<'a> {
    /// An image's name and the location of its bytes, or one line on why it has none. `owner` is the texture that uses
    /// it.
    pub(crate) fn locate(
        &self,
        index: Index<json::Image>,
        owner: &Subject,
    ) -> Result<(String, ImageLocation<'a>), Problem> {
        let image = lookup(&self.document.images, index, owner, "image")?;
        let number = index.value();
        let name = image.name.clone().unwrap_or_else(|| format!("image {number}"));
        let location = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => ImageLocation::Uri(uri),
            (None, Some(view)) => ImageLocation::View(view),
            (None, None) => {
                return Err(format!("{} has neither a URI nor a bufferView", subject_of(number, &name)).into());
            }
        };
        Ok((name, location))
    }

    /// The encoded bytes at a location. The error is one line. `number` and `name` are those of the image that names
    /// the location.
    pub(crate) fn fetch(
        &self,
        location: ImageLocation<'_>,
        (number, name): (usize, &str),
    ) -> Result<Cow<'_, [u8]>, Problem> {
        let subject = subject_of(number, name);
        let bytes = match location {
            ImageLocation::Uri(uri) => fetch(uri, self.folder, MAX_IMAGE_FILE_BYTES, &subject).map(Cow::Owned),
            ImageLocation::View(view) => self.views.bytes(view, &subject).map(Cow::Borrowed),
        };
        bytes.map_err(Problem::from)
    }

    /// Decodes the bytes at a location. The error is one line. `image` is the number and the name of the image that
    /// names it.
    pub(crate) fn decode(
        &self,
        location: ImageLocation<'_>,
        image: (usize, &str),
        budget: &mut ImageBudget,
    ) -> Result<Arc<Image>, Problem> {
        decoded(budget.decode(&self.fetch(location, image)?), image)
    }

    pub(crate) fn sampler(&self, texture: &json::Texture, owner: &Subject) -> Result<Sampler, Problem> {
        let Some(index) = texture.sampler else { return Ok(Sampler::default()) };
        let sampler = lookup(&self.document.samplers, index, owner, "sampler");
        sampler.map(read_sampler).map_err(Problem::from)
    }
}

fn subject_of(number: usize, name: &str) -> Subject {
    Subject::numbered_and_named(Kind::Image, number, name)
}

/// The images a texture can be drawn with, best first: those that extensions name, then the core one, which is the
/// fallback for programs that do not read the extension.
pub(in crate::import::gltf) fn images_of_texture(texture: &json::Texture) -> Vec<Index<json::Image>> {
    let extensions = texture.extensions.as_ref().map(|extensions| &extensions.others);
    let by_extension = ["KHR_texture_basisu", "EXT_texture_webp", "MSFT_texture_dds"]
        .iter()
        .filter_map(|name| extensions?.get(*name)?.get("source")?.as_u64());
    // The `gltf` crate gives a texture without a source this index.
    let core = Some(texture.source).filter(|source| source.value() != u32::MAX as usize);
    by_extension.filter_map(|source| u32::try_from(source).ok()).map(Index::new).chain(core).collect()
}

/// The names of a texture's extensions that name an image, for a texture none of whose images can be read.
pub(super) fn image_extensions(texture: &json::Texture) -> String {
    let names = texture.extensions.iter().flat_map(|extensions| extensions.others.iter());
    let with_source = names.filter(|(_, value)| value.get("source").is_some_and(Value::is_number));
    with_source.map(|(name, _)| name.escape_debug().to_string()).collect::<Vec<_>>().join(", ")
}

fn read_sampler(sampler: &json::texture::Sampler) -> Sampler {
    let magnified = sampler.mag_filter.and_then(valid);
    let minified = sampler.min_filter.and_then(valid);
    Sampler {
        wrap_u: wrap(sampler.wrap_s),
        wrap_v: wrap(sampler.wrap_t),
        nearest: magnified == Some(MagFilter::Nearest),
        filters_in_file: [magnified.as_ref().map(MagFilter::as_gl_enum), minified.as_ref().map(MinFilter::as_gl_enum)],
    }
}

fn valid<T>(filter: Checked<T>) -> Option<T> {
    match filter {
        Checked::Valid(filter) => Some(filter),
        Checked::Invalid => None,
    }
}

fn wrap(mode: Checked<WrappingMode>) -> Wrap {
    match mode {
        Checked::Valid(WrappingMode::ClampToEdge) => Wrap::Clamp,
        Checked::Valid(WrappingMode::MirroredRepeat) => Wrap::Mirror,
        Checked::Valid(WrappingMode::Repeat) | Checked::Invalid => Wrap::Repeat,
    }
}
