//! The material variants of a file (`KHR_materials_variants`).

use std::collections::HashMap;

use serde_json::Value;

use super::mesh::Meshes;
use super::read::GltfDocument;
use super::surface::{VARIANTS_EXTENSION, variant_mappings};
use crate::import::{Fault, Import};
use smirk_face::head::{Subject, Variant};

/// The file's variants, each with the materials it gives to the parts of the meshes shown.
pub(super) fn read_all(
    document: &GltfDocument,
    meshes: &Meshes,
    import: &mut Import<'_>,
) -> Result<Vec<Variant>, Fault> {
    let list = document.extensions.get(VARIANTS_EXTENSION).and_then(|extension| extension.get("variants"));
    let mut variants: Vec<Variant> = list
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .enumerate()
        .map(|(index, variant)| Variant {
            name: variant.get("name").and_then(Value::as_str).map_or_else(|| format!("variant {index}"), str::to_owned),
            materials: HashMap::new(),
        })
        .collect();
    let mut invalid_count = 0;
    for (mesh, source) in meshes.sources.iter().enumerate() {
        for (part, &primitive) in source.primitives.iter().enumerate() {
            for (material, of) in variant_mappings(&document.meshes[source.mesh].primitives[primitive]) {
                import
                    .budget
                    .spend((of.len() * size_of::<[usize; 4]>()) as u64, &Subject::field(VARIANTS_EXTENSION))?;
                for variant in of {
                    let variant = variant.as_u64().and_then(|index| variants.get_mut(usize::try_from(index).ok()?));
                    match variant.filter(|_| material < document.materials.len()) {
                        Some(variant) => drop(variant.materials.insert((mesh, part), material)),
                        None => invalid_count += 1,
                    }
                }
            }
        }
    }
    if invalid_count > 0 {
        let (variants, materials) = (variants.len(), document.materials.len());
        let message = format!(
            "{invalid_count} mappings name none of the {variants} variants or of the {materials} materials; left out"
        );
        import.notes.warn(Subject::field(VARIANTS_EXTENSION), message);
    }
    Ok(variants)
}
