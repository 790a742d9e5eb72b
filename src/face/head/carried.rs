//! What a glTF file holds besides what Smirk reads: it is kept, so that a head that is saved still has it.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Note, Sampler, Subject, listed};
use smirk_base::names::quoted;

pub type Extensions = Map<String, Value>;

/// Extensions of a glTF file that Smirk does not read, such as spring bones and toon shading of avatars.
///
/// Nodes in them have their numbers in the file, which they keep. Textures have numbers in the list of
/// [`super::Asset::textures`] followed by [`Self::textures`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    pub root: Extensions,
    /// The extensions of nodes, by index into [`super::Rig::nodes`].
    pub nodes: BTreeMap<usize, Extensions>,
    /// The extensions of meshes, by index into [`super::Asset::meshes`].
    pub meshes: BTreeMap<usize, Extensions>,
    /// The extensions of materials, by index into [`super::Asset::materials`].
    pub materials: BTreeMap<usize, Extensions>,
    /// Textures that only these extensions use.
    pub textures: Vec<CarriedTexture>,
    pub images: Vec<CarriedImage>,
    /// The members that Smirk does not read of an extension that it reads in part.
    pub unread: Extensions,
    /// The texture with the thumbnail of the file.
    pub thumbnail: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CarriedTexture {
    /// Index into [`Carried::images`].
    pub image: usize,
    pub sampler: Sampler,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CarriedImage {
    pub name: String,
    /// Its file: PNG or JPEG.
    pub file: Arc<[u8]>,
}

impl Carried {
    /// Drops what may have lengths in it, because the head becomes `factor` times as large. Returns a note that names
    /// it. Of materials, the outlines of toon shading are as wide as before in proportion.
    pub(super) fn rescale(&mut self, factor: f32) -> Option<Note> {
        let outlines = self
            .materials
            .values_mut()
            .filter_map(|own| own.get_mut("VRMC_materials_mtoon")?.get_mut("outlineWidthFactor"));
        for width in outlines {
            *width = width.as_f64().map_or(Value::Null, |metres| json!(metres * f64::from(factor)));
        }
        let lists = [&mut self.root, &mut self.unread]
            .into_iter()
            .chain(self.nodes.values_mut())
            .chain(self.meshes.values_mut());
        let mut dropped: Vec<String> =
            lists.flat_map(|list| std::mem::take(list).into_iter().map(|(name, _)| quoted(&name))).collect();
        self.nodes.clear();
        self.meshes.clear();
        dropped.sort();
        dropped.dedup();
        let message =
            format!("may hold lengths, and are left out of the head in another unit: {}", listed(&dropped, 8));
        (!dropped.is_empty()).then(|| Note::info(Subject::field("extensions"), message))
    }
}
