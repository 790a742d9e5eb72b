//! The textures of a head while its materials are read. Many materials may share a texture, and many textures an image:
//! each image is decoded once.

use std::collections::HashMap;

use gltf::json;
use gltf::json::Index;

use super::images::{Images, Picture, Place, sources, unread_extensions};
use crate::head::{Encoding, Note, Texture};
use crate::import::Fault;
use crate::import::gltf::read::lookup;
use crate::import::image::ImageBudget;

/// What has been decoded so far.
pub struct Gallery<'a> {
    images: &'a Images<'a>,
    textures: Vec<Texture>,
    /// By index in the file and what the bytes are read as; or why there is none.
    known: HashMap<(usize, Encoding), Result<usize, String>>,
    /// By where they are; or why there is none.
    pictures: HashMap<Place<'a>, Result<Picture, String>>,
    budget: ImageBudget,
}

impl<'a> Gallery<'a> {
    /// An empty one.
    pub fn new(images: &'a Images<'a>) -> Self {
        Self {
            images,
            textures: Vec::new(),
            known: HashMap::new(),
            pictures: HashMap::new(),
            budget: ImageBudget::default(),
        }
    }

    /// The head's index of a texture of the file; none, with a note, if it cannot be read. `what` it is to `owner`, e.g.
    /// "normal map".
    pub fn find(
        &mut self,
        index: Index<json::Texture>,
        encoding: Encoding,
        what: &str,
        owner: &str,
        notes: &mut Vec<Note>,
    ) -> Result<Option<usize>, Fault> {
        let found = match self.known.get(&(index.value(), encoding)) {
            Some(known) => known.clone(),
            None => {
                let texture = lookup(&self.images.document.textures, index, owner, "texture")?;
                let found = self.read(index, texture, encoding, notes).map(|texture| {
                    self.textures.push(texture);
                    self.textures.len() - 1
                });
                self.known.insert((index.value(), encoding), found.clone());
                found
            }
        };
        Ok(match found {
            Ok(texture) => Some(texture),
            Err(why) => {
                notes.push(Note::warning(owner, format!("shown without its {what}: {why}")));
                None
            }
        })
    }

    fn read(
        &mut self,
        index: Index<json::Texture>,
        texture: &json::Texture,
        encoding: Encoding,
        notes: &mut Vec<Note>,
    ) -> Result<Texture, String> {
        let object = format!("texture {}", index.value());
        let sampler = self.images.sampler(texture, &object)?;
        let mut refusals = Vec::new();
        for source in sources(texture) {
            match self.picture(source, &object) {
                Ok((name, Picture { width, height, rgba })) => {
                    if let Some(refusal) = refusals.first() {
                        notes.push(Note::info(object, format!("shows its plain image: {refusal}")));
                    }
                    return Ok(Texture { name, width, height, rgba, encoding, sampler });
                }
                Err(why) => refusals.push(why),
            }
        }
        Err(refusals.into_iter().next().unwrap_or_else(|| match unread_extensions(texture) {
            names if names.is_empty() => format!("{object} has no image"),
            names => format!("{object} has an image by {names} only; re-export it as PNG or JPEG"),
        }))
    }

    /// An image with its name, decoded the first time somebody asks for what is there.
    fn picture(&mut self, source: Index<json::Image>, owner: &str) -> Result<(String, Picture), String> {
        let (name, place) = self.images.find(source, owner)?;
        let picture = match self.pictures.get(&place) {
            Some(picture) => picture.clone(),
            None => {
                let picture = self.images.decode(place, (source.value(), &name), &mut self.budget);
                self.pictures.insert(place, picture.clone());
                picture
            }
        };
        picture.map(|picture| (name, picture))
    }

    /// All textures found.
    pub fn into_textures(self) -> Vec<Texture> {
        self.textures
    }
}
