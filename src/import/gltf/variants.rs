//! `KHR_materials_variants`: which primitive wears what in which variant.

use std::collections::HashMap;

use gltf::json;
use serde_json::Value;

use crate::head::{Note, Variant};
use crate::import::Fault;
use crate::import::budget::Budget;
use crate::import::gltf::mesh::Meshes;
use crate::import::gltf::read::Document;

const EXTENSION: &str = "KHR_materials_variants";

/// A primitive's other materials, each with the variants it is for. What is no such thing is passed over.
fn mappings(primitive: &json::mesh::Primitive) -> impl Iterator<Item = (usize, &[Value])> {
    let extension = primitive.extensions.as_ref().and_then(|extensions| extensions.others.get(EXTENSION));
    let list = extension.and_then(|extension| extension.get("mappings")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|mapping| {
        let material = usize::try_from(mapping.get("material")?.as_u64()?).ok()?;
        Some((material, mapping.get("variants")?.as_array()?.as_slice()))
    })
}

/// The materials that some variant puts on a primitive.
pub fn other_materials(primitive: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    mappings(primitive).map(|(material, _)| material)
}

/// The file's variants on the meshes as they are shown.
pub fn read_all(
    document: &Document,
    meshes: &Meshes,
    budget: &mut Budget,
    notes: &mut Vec<Note>,
) -> Result<Vec<Variant>, Fault> {
    let list = document.extensions.get(EXTENSION).and_then(|extension| extension.get("variants"));
    let named = |(index, variant): (usize, &Value)| Variant {
        name: variant.get("name").and_then(Value::as_str).map_or_else(|| format!("variant {index}"), str::to_owned),
        materials: HashMap::new(),
    };
    let mut variants: Vec<Variant> =
        list.and_then(Value::as_array).into_iter().flatten().enumerate().map(named).collect();
    let mut astray = 0;
    for (mesh, source) in meshes.sources.iter().enumerate() {
        for (part, &primitive) in source.primitives.iter().enumerate() {
            for (material, of) in mappings(&document.meshes[source.mesh].primitives[primitive]) {
                budget.spend((of.len() * size_of::<[usize; 4]>()) as u64, EXTENSION)?;
                for variant in of {
                    let variant = variant.as_u64().and_then(|index| variants.get_mut(usize::try_from(index).ok()?));
                    match variant.filter(|_| material < document.materials.len()) {
                        Some(variant) => drop(variant.materials.insert((mesh, part), material)),
                        None => astray += 1,
                    }
                }
            }
        }
    }
    if astray > 0 {
        let (variants, materials) = (variants.len(), document.materials.len());
        let message =
            format!("{astray} mappings name none of the {variants} variants or of the {materials} materials; left out");
        notes.push(Note::warning(EXTENSION, message));
    }
    Ok(variants)
}
