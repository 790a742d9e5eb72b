//! The textures of an OBJ file while its materials are read.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::super::image::{ImageBudget, MAX_IMAGE_FILE_BYTES, Pixels};
use super::super::sidecar::fetch_path;
use crate::head::{Encoding, Sampler, Subject, Texture, quoted};

/// A file that a model names. Where it gives a path of the machine it was made on, the file of that name beside the model.
pub fn fetch_sidecar(path: &str, folder: Option<&Path>, max_bytes: u64, object: &Subject) -> Result<Vec<u8>, String> {
    fetch_path(path, folder, max_bytes, object).or_else(|fault| {
        let alone = path.rsplit(['/', '\\']).next().filter(|alone| *alone != path).ok_or(&fault);
        alone
            .and_then(|alone| fetch_path(alone, folder, max_bytes, object).map_err(|_| &fault))
            .map_err(ToString::to_string)
    })
}

/// Textures while materials are read: each file is decoded once.
pub struct TextureCache<'a> {
    folder: Option<&'a Path>,
    textures: Vec<Texture>,
    known: HashMap<String, Result<usize, String>>,
    budget: ImageBudget,
}

impl<'a> TextureCache<'a> {
    /// An empty one.
    pub fn new(folder: Option<&'a Path>) -> Self {
        Self { folder, textures: Vec::new(), known: HashMap::new(), budget: ImageBudget::default() }
    }

    /// The texture of a file; or why there is none.
    pub fn find(&mut self, path: &str, object: &Subject) -> Result<usize, String> {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = self.decode(path, object).map(|texture| {
            self.textures.push(texture);
            self.textures.len() - 1
        });
        self.known.insert(path.to_owned(), found.clone());
        found
    }

    /// All textures found.
    pub fn into_textures(self) -> Vec<Texture> {
        self.textures
    }

    fn decode(&mut self, path: &str, object: &Subject) -> Result<Texture, String> {
        let bytes = fetch_sidecar(path, self.folder, MAX_IMAGE_FILE_BYTES, object)?;
        let Pixels { width, height, rgba } =
            self.budget.decode(&bytes).map_err(|problem| format!("{} {problem}", quoted(path)))?;
        Ok(Texture {
            name: path.to_owned(),
            width,
            height,
            rgba: Arc::new(rgba),
            encoding: Encoding::Srgb,
            sampler: Sampler::default(),
        })
    }
}
