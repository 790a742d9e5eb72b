//! `KHR_materials_variants` on a primitive: which material it has in which variant.

use gltf::json;
use serde_json::Value;

/// The extension's name, on the file and on its primitives.
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

/// The materials that a primitive has in some variant.
pub(crate) fn variant_materials(primitive: &json::mesh::Primitive) -> impl Iterator<Item = usize> {
    variant_mappings(primitive).map(|(material, _)| material)
}
