//! The TEXCOORD_n and COLOR_n accessors of morph targets (glTF 2.0 §3.7.2.2). The `gltf` crate's morph target has fields for
//! POSITION, NORMAL and TANGENT only, so the other attributes are collected from the JSON before it is typed.

use std::collections::{BTreeMap, HashMap};

use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde_json::{Map, Value};

use crate::import::{Fault, Import};

/// The accessors of the texture coordinates and colours that one target of a primitive changes.
#[derive(Debug, Default)]
pub(crate) struct UvColorTarget {
    /// By the number of the TEXCOORD.
    pub uvs: HashMap<u32, Index<Accessor>>,
    /// Of COLOR_0.
    pub color: Option<Index<Accessor>>,
    /// It also changes COLOR_1 or a later set, which glTF does not draw.
    pub has_other_colors: bool,
}

/// By the index of the mesh and of the primitive in it: the primitive's targets in the file's order. Primitives whose
/// targets change neither texture coordinates nor colours are absent.
pub(super) type UvColorTargets = HashMap<(usize, usize), Vec<UvColorTarget>>;

/// Collects the targets from the root of the JSON.
pub(super) fn find_uv_color_targets(
    root: &Map<String, Value>,
    import: &mut Import<'_>,
) -> Result<UvColorTargets, Fault> {
    fn list(value: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> + Clone {
        value.and_then(Value::as_array).into_iter().flatten().enumerate()
    }
    let mut found = UvColorTargets::new();
    for (mesh_index, mesh) in list(root.get("meshes")) {
        for (primitive_index, primitive) in list(mesh.get("primitives")) {
            import.tick()?;
            let targets = list(primitive.get("targets")).map(|(_, target)| UvColorTarget::of(target));
            // Most targets change neither, and there may be a million of them.
            if targets.clone().any(|target| !target.is_empty()) {
                found.insert((mesh_index, primitive_index), targets.collect());
            }
        }
    }
    Ok(found)
}

impl UvColorTarget {
    fn of(target: &Value) -> Self {
        let mut found = Self::default();
        for (name, accessor) in target.as_object().into_iter().flatten() {
            let Some(accessor) = accessor.as_u64().and_then(|index| u32::try_from(index).ok()).map(Index::new) else {
                continue;
            };
            if let Some(set) = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse().ok()) {
                found.uvs.insert(set, accessor);
            } else if name == "COLOR_0" {
                found.color = Some(accessor);
            } else if name.starts_with("COLOR_") {
                found.has_other_colors = true;
            }
        }
        found
    }

    fn is_empty(&self) -> bool {
        self.color.is_none() && !self.has_other_colors && self.uvs.is_empty()
    }

    /// Numbers that are equal for two targets that name the same accessors.
    pub(crate) fn key(&self) -> impl Iterator<Item = u32> {
        let uvs: BTreeMap<u32, u32> = self.uvs.iter().map(|(set, accessor)| (*set, accessor.value() as u32)).collect();
        let color = self.color.map_or(u32::MAX, |color| color.value() as u32);
        uvs.into_iter().flat_map(|(set, accessor)| [set, accessor]).chain([color])
    }
}
