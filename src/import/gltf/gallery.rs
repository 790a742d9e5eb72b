//! The textures of a head while its materials are read. Many materials may share a texture, and many textures an image:
//! each image is decoded once.

use std::collections::HashMap;

use gltf::json;
use gltf::json::Index;

use super::super::Fault;
use super::document::lookup;
use super::texture::{Images, Picture, sources, unread_extensions};
use crate::head::{Encoding, Note, Texture};

/// What has been decoded so far.
pub struct Gallery<'a> {
    images: &'a Images<'a>,
    textures: Vec<Texture>,
    /// By index in the file and what the bytes are read as; none where reading failed.
    known: HashMap<(usize, Encoding), Option<usize>>,
    /// By index in the file; or why there is none.
    pictures: HashMap<usize, Result<Picture, String>>,
    bytes: u64,
}

impl<'a> Gallery<'a> {
    /// What all pictures of a head may take, decoded.
    const MAX_BYTES: u64 = 2 << 30;

    /// An empty one.
    pub fn new(images: &'a Images<'a>) -> Self {
        Self { images, textures: Vec::new(), known: HashMap::new(), pictures: HashMap::new(), bytes: 0 }
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
        if let Some(&known) = self.known.get(&(index.value(), encoding)) {
            return Ok(known);
        }
        let texture = lookup(&self.images.document.textures, index, owner, "texture")?;
        let found = match self.read(index, texture, encoding, notes) {
            Ok(texture) => {
                self.textures.push(texture);
                Some(self.textures.len() - 1)
            }
            Err(why) => {
                notes.push(Note::warning(owner, format!("shown without its {what}: {why}")));
                None
            }
        };
        self.known.insert((index.value(), encoding), found);
        Ok(found)
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
                Ok(Picture { name, width, height, rgba }) => {
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

    /// An image, decoded the first time somebody asks.
    fn picture(&mut self, source: Index<json::Image>, owner: &str) -> Result<Picture, String> {
        if let Some(picture) = self.pictures.get(&source.value()) {
            return picture.clone();
        }
        let picture = if self.bytes < Self::MAX_BYTES {
            self.images.decode(source, owner)
        } else {
            Err(format!("the textures before it already take {} MiB", self.bytes >> 20))
        };
        self.bytes += picture.as_ref().map_or(0, |picture| picture.rgba.len() as u64);
        self.pictures.insert(source.value(), picture.clone());
        picture
    }

    /// All textures found.
    pub fn into_textures(self) -> Vec<Texture> {
        self.textures
    }
}
