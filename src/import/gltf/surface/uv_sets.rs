//! Which sets of texture coordinates the vertices of a primitive keep.

use std::collections::HashMap;

use gltf::json;

use super::materials::uv_sets;
use super::texture_use::TextureUse;
use crate::head::UvSet;
use crate::import::gltf::read::Document;
use crate::import::gltf::variants::other_materials;

/// The sets of texture coordinates that a material's textures are read at, by the numbers of their TEXCOORD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UvSets {
    pub first: u32,
    pub second: Option<u32>,
}

impl UvSets {
    /// The first two among `uses`, whose order says which matter most. A set that nobody asks for is the file's first.
    pub fn of(uses: impl IntoIterator<Item = TextureUse>) -> Self {
        let mut uses = uses.into_iter();
        let first = uses.next().map_or(0, |found| found.uv_set);
        Self { first, second: uses.map(|found| found.uv_set).find(|&set| set != first) }
    }

    /// The sets of two materials that the same vertices wear; none if there is no room for them.
    pub fn joined(self, other: Self) -> Option<Self> {
        let fits = self.first == other.first
            && (self.second.is_none() || other.second.is_none() || self.second == other.second);
        fits.then(|| Self { first: self.first, second: self.second.or(other.second) })
    }

    /// Where a mesh keeps a set; none if there is no room for it.
    pub fn place_of(self, uv_set: u32) -> Option<UvSet> {
        match uv_set {
            set if set == self.first => Some(UvSet::First),
            set if Some(set) == self.second => Some(UvSet::Second),
            _ => None,
        }
    }

    /// The number of the TEXCOORD kept at a place.
    pub fn number_of(self, place: UvSet) -> u32 {
        match place {
            UvSet::First => self.first,
            UvSet::Second => self.second.unwrap_or(self.first),
        }
    }
}

/// What a primitive's vertices keep.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    pub sets: UvSets,
    /// Some variant of it reads others.
    pub is_read_elsewhere: bool,
}

/// Per primitive of a mesh: what it and its variants read, and, where others name the same accessors, what those read, so
/// that all share their vertices.
pub fn of_primitives(document: &Document, mesh: &json::Mesh) -> Vec<Kept> {
    let own: Vec<Kept> = mesh.primitives.iter().map(|primitive| of_primitive(document, primitive)).collect();
    let key = |primitive: &json::mesh::Primitive| -> Vec<(String, usize)> {
        primitive.attributes.iter().map(|(name, index)| (name.to_string(), index.value())).collect()
    };
    let mut shared: HashMap<(Vec<(String, usize)>, u32), UvSets> = HashMap::new();
    for (primitive, kept) in mesh.primitives.iter().zip(&own) {
        let all = shared.entry((key(primitive), kept.sets.first)).or_insert(kept.sets);
        *all = all.joined(kept.sets).unwrap_or(*all);
    }
    let with_others = |(primitive, kept): (&json::mesh::Primitive, Kept)| {
        let all = shared.get(&(key(primitive), kept.sets.first));
        Kept { sets: all.and_then(|all| all.joined(kept.sets)).unwrap_or(kept.sets), ..kept }
    };
    mesh.primitives.iter().zip(own).map(with_others).collect()
}

fn of_primitive(document: &Document, primitive: &json::mesh::Primitive) -> Kept {
    let material = primitive.material.and_then(|index| document.materials.get(index.value()));
    let mut kept = Kept { sets: uv_sets(material), is_read_elsewhere: false };
    for other in other_materials(primitive).filter_map(|other| document.materials.get(other)) {
        match kept.sets.joined(uv_sets(Some(other))) {
            Some(sets) => kept.sets = sets,
            None => kept.is_read_elsewhere = true,
        }
    }
    kept
}
