//! What a glTF file holds besides what Smirk reads: it is kept, so that a head that is saved still has it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Sampler;

/// Extensions by name.
pub type Extensions = Map<String, Value>;

/// Extensions of a glTF file that Smirk does not read, such as spring bones and toon shading of avatars.
///
/// Nodes in them have their numbers in the file, which they keep. Textures have numbers in the list of [`super::Head::textures`] followed by
/// [`Self::textures`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    /// Those of the whole file.
    pub root: Extensions,
    /// Those of nodes, by index into [`super::Rig::nodes`].
    pub nodes: BTreeMap<usize, Extensions>,
    /// Those of meshes, by index into [`super::Head::meshes`].
    pub meshes: BTreeMap<usize, Extensions>,
    /// Those of materials, by index into [`super::Head::materials`].
    pub materials: BTreeMap<usize, Extensions>,
    /// Textures that only these extensions use.
    pub textures: Vec<CarriedTexture>,
    /// What is in the extension `VRM` or `VRMC_vrm` besides what Smirk reads.
    pub vrm: Map<String, Value>,
    /// The texture with the thumbnail of an avatar.
    pub thumbnail: Option<usize>,
}

/// A texture whose image is not decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct CarriedTexture {
    /// The name of its image.
    pub name: String,
    /// The file of its image: PNG or JPEG.
    pub file: Arc<[u8]>,
    /// How it is sampled.
    pub sampler: Sampler,
}

impl Carried {
    /// The names of all extensions that are kept.
    pub fn names(&self) -> Vec<&str> {
        let lists = [&self.nodes, &self.meshes, &self.materials].into_iter().flat_map(BTreeMap::values);
        let mut names: Vec<&str> =
            std::iter::once(&self.root).chain(lists).flat_map(Map::keys).map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
