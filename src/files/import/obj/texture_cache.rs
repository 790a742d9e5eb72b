//! A cache of the textures of an OBJ file.

use std::collections::HashMap;

use super::super::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use super::super::sidecar::{ModelFolder, fetch_end_of_path};
use smirk_base::names::quoted;
use smirk_face::head::{Encoding, Sampler, Subject, Texture};

/// The textures decoded so far, by path: each file is decoded once.
pub(super) struct TextureCache<'a> {
    folder: Option<&'a ModelFolder>,
    textures: Vec<Texture>,
    known: HashMap<String, Result<usize, String>>,
    budget: ImageBudget,
}

impl<'a> TextureCache<'a> {
    /// An empty cache.
    pub(super) fn new(folder: Option<&'a ModelFolder>) -> Self {
        Self { folder, textures: Vec::new(), known: HashMap::new(), budget: ImageBudget::default() }
    }

    /// The index of the texture of a file, or why there is none.
    pub(super) fn find(&mut self, path: &str, subject: &Subject) -> Result<usize, String> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = self.decode(path, subject).map(|texture| {
            self.textures.push(texture);
            self.textures.len() - 1
        });
        self.known.insert(path.to_owned(), found.clone());
        found
    }

    /// All decoded textures.
    pub(super) fn into_textures(self) -> Vec<Texture> {
        self.textures
    }

    fn decode(&mut self, path: &str, subject: &Subject) -> Result<Texture, String> {
        let bytes =
            fetch_end_of_path(path, self.folder, MAX_IMAGE_FILE_BYTES, subject).map_err(|fault| fault.to_string())?;
        let image = self.budget.decode(&bytes).map_err(|problem| format!("{} {problem}", quoted(path)))?;
        Ok(Texture { name: path.to_owned(), image, encoding: Encoding::Srgb, sampler: Sampler::default() })
    }
}
