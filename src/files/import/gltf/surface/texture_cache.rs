//! The textures of a head while its materials are read. Materials share textures, and textures share images: each image
//! is decoded once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gltf::json;
use gltf::json::Index;

use super::images::{ImageLocation, Images, decoded, image_extensions, images_of_texture};
use super::material_textures::MaterialTextures;
use crate::import::gltf::read::lookup;
use crate::import::image::ImageBudget;
use crate::import::{Fault, Import, Problem};
use smirk_face::head::{Encoding, Image, Kind, Notes, Subject, Texture};

/// The textures and images decoded so far. A failure is stored too, so that the image is not decoded again.
pub(super) struct GltfTextureCache<'a> {
    images: &'a Images<'a>,
    textures: Vec<Texture>,
    /// Indices into `textures`, by index in the file and encoding; or the reason of a failure.
    known: HashMap<(usize, Encoding), Result<usize, Problem>>,
    /// Decoded images by location; or the reason of a failure.
    decoded: HashMap<ImageLocation<'a>, Result<Arc<Image>, Problem>>,
    budget: ImageBudget,
}

pub(in crate::import::gltf) struct ReadTextures {
    /// In the order they were first used.
    pub textures: Vec<Texture>,
    /// Their indices by those in the file.
    pub of_file: HashMap<usize, usize>,
}

impl<'a> GltfTextureCache<'a> {
    pub(super) fn new(images: &'a Images<'a>) -> Self {
        Self {
            images,
            textures: Vec::new(),
            known: HashMap::new(),
            decoded: HashMap::new(),
            budget: ImageBudget::default(),
        }
    }

    /// Decodes the images that the materials of the file use, several at a time. Images that are only fallbacks of
    /// others are decoded when they are needed.
    pub(super) fn decode_ahead(&mut self, import: &mut Import<'_>) -> Result<(), Fault> {
        let mut wanted = self.wanted().into_iter().peekable();
        while wanted.peek().is_some() {
            import.tick()?;
            // Files beside the model are read one after the other, in the order in which the model names them.
            let (mut named, mut encoded) = (Vec::new(), Vec::new());
            for (number, name, location) in wanted.by_ref().take(ImageBudget::most_at_once()) {
                match self.images.fetch(location, (number, &name)) {
                    Ok(bytes) => {
                        named.push((number, name, location));
                        encoded.push(bytes);
                    }
                    Err(why) => drop(self.decoded.insert(location, Err(why))),
                }
            }
            let mut named = named.into_iter();
            while named.len() > 0 {
                import.tick()?;
                let images = self.budget.decode_first(&encoded[encoded.len() - named.len()..]);
                for (image, (number, name, location)) in images.into_iter().zip(named.by_ref()) {
                    self.decoded.insert(location, decoded(image, (number, &name)));
                }
            }
        }
        Ok(())
    }

    /// Number, name and location of the first image of each texture that a material uses; each location once.
    fn wanted(&self) -> Vec<(usize, String, ImageLocation<'a>)> {
        let document = self.images.document;
        let materials = document.materials.iter().chain(document.drawn_materials.values());
        let uses = materials.flat_map(|material| MaterialTextures::read(material).by_importance());
        let mut known = HashSet::new();
        let wanted = uses.filter_map(|of| {
            let image = *images_of_texture(document.textures.get(of.texture.value())?).first()?;
            let (name, location) =
                self.images.locate(image, &Subject::Numbered(Kind::Texture, of.texture.value())).ok()?;
            known.insert(location).then_some((image.value(), name, location))
        });
        wanted.collect()
    }

    /// The head's index of a texture of the file; none, with a note, if it cannot be read. `purpose` is what the
    /// texture is for on its `owner`, e.g. "normal map".
    pub(super) fn find(
        &mut self,
        index: Index<json::Texture>,
        encoding: Encoding,
        purpose: &str,
        owner: &Subject,
        notes: &mut Notes,
    ) -> Option<usize> {
        let found = match self.known.get(&(index.value(), encoding)) {
            Some(known) => known.clone(),
            None => {
                let found = self.read(index, encoding, owner, notes).map(|texture| {
                    self.textures.push(texture);
                    self.textures.len() - 1
                });
                self.known.insert((index.value(), encoding), found.clone());
                found
            }
        };
        match found {
            Ok(texture) => Some(texture),
            Err(why) => {
                notes.warn(owner, format!("shown without its {purpose}: {why}"));
                None
            }
        }
    }

    fn read(
        &mut self,
        index: Index<json::Texture>,
        encoding: Encoding,
        owner: &Subject,
        notes: &mut Notes,
    ) -> Result<Texture, Problem> {
        let texture = lookup(&self.images.document.textures, index, owner, "texture")?;
        let subject = Subject::Numbered(Kind::Texture, index.value());
        let sampler = self.images.sampler(texture, &subject)?;
        let mut failures = Vec::new();
        for image in images_of_texture(texture) {
            match self.image(image, &subject) {
                Ok((name, image)) => {
                    if let Some(failure) = failures.first() {
                        notes.inform(subject, format!("shows its fallback image: {failure}"));
                    }
                    return Ok(Texture { name, image, encoding, sampler });
                }
                Err(why) => failures.push(why),
            }
        }
        Err(failures.into_iter().next().unwrap_or_else(|| match image_extensions(texture) {
            names if names.is_empty() => format!("{subject} has no image").into(),
            names => format!("{subject} has an image by {names} only; re-export it as PNG or JPEG").into(),
        }))
    }

    /// An image and its name, decoded at first use.
    fn image(&mut self, index: Index<json::Image>, owner: &Subject) -> Result<(String, Arc<Image>), Problem> {
        let (name, location) = self.images.locate(index, owner)?;
        let image = match self.decoded.get(&location) {
            Some(image) => image.clone(),
            None => {
                let image = self.images.decode(location, (index.value(), &name), &mut self.budget);
                self.decoded.insert(location, image.clone());
                image
            }
        };
        image.map(|image| (name, image))
    }

    pub(super) fn finish(self) -> ReadTextures {
        let known = self.known.iter().filter_map(|((index, _), known)| Some((*index, *known.as_ref().ok()?)));
        // Of a texture that is read as colour and as numbers, either has the same image: the first counts.
        let mut of_file = HashMap::new();
        for (index, number) in known {
            let first = of_file.entry(index).or_insert(number);
            *first = number.min(*first);
        }
        ReadTextures { textures: self.textures, of_file }
    }
}
