//! Which of a file's sets of texture coordinates (TEXCOORD_n) the vertices of a primitive store. A mesh has room for
//! two.

use std::collections::HashMap;

use gltf::json;
use serde_json::Value;

use super::material_textures::MaterialTextures;
use crate::import::gltf::read::GltfDocument;
use crate::import::{Fault, Import};
use smirk_face::head::UvSet;

/// The numbers of the TEXCOORD attributes that a material's textures are read at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UvSets {
    pub first: u32,
    pub second: Option<u32>,
}

impl UvSets {
    /// The sets of a material's two most important textures with different ones. Without a texture, TEXCOORD_0.
    pub(crate) fn choose(textures: &MaterialTextures) -> Self {
        let mut sets = textures.by_importance().map(|texture| texture.uv_set);
        let first = sets.next().unwrap_or(0);
        Self { first, second: sets.find(|&set| set != first) }
    }

    /// The sets that two materials need on the same vertices; none if they are more than two, or if the first differs.
    pub(crate) fn joined(self, other: Self) -> Option<Self> {
        let fits = self.first == other.first
            && (self.second.is_none() || other.second.is_none() || self.second == other.second);
        fits.then(|| Self { first: self.first, second: self.second.or(other.second) })
    }

    /// Where a mesh stores TEXCOORD `number`; none if it stores two others.
    pub(crate) fn stored_as(self, number: u32) -> Option<UvSet> {
        match number {
            number if number == self.first => Some(UvSet::First),
            number if Some(number) == self.second => Some(UvSet::Second),
            _ => None,
        }
    }

    pub(crate) fn number_of(self, uv_set: UvSet) -> u32 {
        match uv_set {
            UvSet::First => self.first,
            UvSet::Second => self.second.unwrap_or(self.first),
        }
    }
}

/// The sets that a primitive's vertices store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrimitiveUvSets {
    pub sets: UvSets,
    /// Its material in some variant needs sets that are not among them.
    pub lacks_set_of_variant: bool,
}

/// Per primitive of a mesh: the sets that its materials need, and those that other primitives with the same accessors
/// need, so that such primitives can share their vertices.
pub(crate) fn uv_sets_of_primitives(
    document: &GltfDocument,
    mesh: &json::Mesh,
    import: &mut Import<'_>,
) -> Result<Vec<PrimitiveUvSets>, Fault> {
    let mut own = Vec::with_capacity(mesh.primitives.len());
    for primitive in &mesh.primitives {
        import.tick()?;
        own.push(of_primitive(document, primitive));
    }
    let mut shared: HashMap<(Vec<(String, usize)>, u32), UvSets> = HashMap::new();
    for (primitive, own) in mesh.primitives.iter().zip(&own) {
        let all = shared.entry((attributes_of(primitive), own.sets.first)).or_insert(own.sets);
        *all = all.joined(own.sets).unwrap_or(*all);
    }
    Ok(mesh
        .primitives
        .iter()
        .zip(own)
        .map(|(primitive, own)| {
            let all = shared.get(&(attributes_of(primitive), own.sets.first));
            PrimitiveUvSets { sets: all.and_then(|all| all.joined(own.sets)).unwrap_or(own.sets), ..own }
        })
        .collect())
}

fn attributes_of(primitive: &json::mesh::Primitive) -> Vec<(String, usize)> {
    primitive.attributes.iter().map(|(name, index)| (name.to_string(), index.value())).collect()
}

fn of_primitive(document: &GltfDocument, primitive: &json::mesh::Primitive) -> PrimitiveUvSets {
    let material = primitive.material.and_then(|index| document.materials.get(index.value()));
    let sets = material.map_or(UvSets { first: 0, second: None }, sets_of);
    let mut found = PrimitiveUvSets { sets, lacks_set_of_variant: false };
    for material in variant_materials(primitive).filter_map(|material| document.materials.get(material)) {
        match found.sets.joined(sets_of(material)) {
            Some(sets) => found.sets = sets,
            None => found.lacks_set_of_variant = true,
        }
    }
    found
}

fn sets_of(material: &json::Material) -> UvSets {
    UvSets::choose(&MaterialTextures::read(material))
}

pub(crate) const VARIANTS_EXTENSION: &str = "KHR_materials_variants";

/// A primitive's materials in variants, each with the list of the variants it is for. Entries that are not of the
/// extension's form are skipped; indices are not checked.
pub(crate) fn variant_mappings(primitive: &json::mesh::Primitive) -> impl Iterator<Item = (usize, &[Value])> {
    let extension = primitive.extensions.as_ref().and_then(|extensions| extensions.others.get(VARIANTS_EXTENSION));
    let list = extension.and_then(|extension| extension.get("mappings")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|mapping| {
        let material = usize::try_from(mapping.get("material")?.as_u64()?).ok()?;
        Some((material, mapping.get("variants")?.as_array()?.as_slice()))
    })
}

pub(crate) fn variant_materials(primitive: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    variant_mappings(primitive).map(|(material, _)| material)
}
