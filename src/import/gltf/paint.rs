//! TEXCOORD_n and COLOR_n of morph targets (glTF 2.0 §3.7.2.2), which the typed target does not know. What is broken is
//! left out: the shape does not depend on it.

use std::collections::{BTreeMap, HashMap};

use glam::{Vec2, Vec4};
use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde_json::{Map, Value};

use super::super::Fault;
use super::accessor::{Accessors, Elements};
use super::deltas::Range;
use crate::head::{Note, Paint, UvSet};

/// What one target of a primitive says of paint: accessors by attribute.
#[derive(Debug, Default)]
pub struct PaintTarget {
    uvs: HashMap<u32, Index<Accessor>>,
    color: Option<Index<Accessor>>,
}

/// By mesh and primitive, its targets in the file's order; primitives without paint are not in it.
pub type PaintTargets = HashMap<(usize, usize), Vec<PaintTarget>>;

/// Finds them in the JSON before it is typed.
pub fn find(root: &Map<String, Value>) -> PaintTargets {
    fn list(value: Option<&Value>) -> impl Iterator<Item = (usize, &Value)> {
        value.and_then(Value::as_array).into_iter().flatten().enumerate()
    }
    let mut found = PaintTargets::new();
    for (mesh_index, mesh) in list(root.get("meshes")) {
        for (primitive_index, primitive) in list(mesh.get("primitives")) {
            let targets: Vec<PaintTarget> =
                list(primitive.get("targets")).map(|(_, target)| of_target(target)).collect();
            if targets.iter().any(|target| target.color.is_some() || !target.uvs.is_empty()) {
                found.insert((mesh_index, primitive_index), targets);
            }
        }
    }
    found
}

fn of_target(target: &Value) -> PaintTarget {
    let mut paint = PaintTarget::default();
    for (name, accessor) in target.as_object().into_iter().flatten() {
        let Some(accessor) = accessor.as_u64().and_then(|index| u32::try_from(index).ok()).map(Index::new) else {
            continue;
        };
        if let Some(set) = name.strip_prefix("TEXCOORD_").and_then(|set| set.parse().ok()) {
            paint.uvs.insert(set, accessor);
        } else if name == "COLOR_0" {
            paint.color = Some(accessor);
        }
    }
    paint
}

impl PaintTarget {
    /// What tells two targets apart: the accessors.
    pub fn key(&self) -> impl Iterator<Item = u32> {
        let uvs: BTreeMap<u32, u32> = self.uvs.iter().map(|(set, accessor)| (*set, accessor.value() as u32)).collect();
        let color = self.color.map_or(u32::MAX, |color| color.value() as u32);
        uvs.into_iter().flat_map(|(set, accessor)| [set, accessor]).chain([color])
    }
}

/// Says once per range what its targets change in vain.
pub fn note_baseless(range: &Range<'_>, notes: &mut Vec<Note>) {
    let paints_uvs = range.paint.iter().any(|target| target.uvs.contains_key(&range.first_uv_set));
    let paints_color = range.paint.iter().any(|target| target.color.is_some());
    for (is_baseless, name) in [
        (paints_uvs && !range.has_uv_set(UvSet::First), format!("TEXCOORD_{}", range.first_uv_set)),
        (paints_color && !range.has_colors, "COLOR_0".to_owned()),
    ] {
        if is_baseless {
            let message = format!("its targets change {name}, which it does not have; ignored");
            notes.push(Note::warning(&*range.object, message));
        }
    }
}

/// The paint of target `index` over all ranges of a mesh, in the sets of texture coordinates that are shown.
pub fn read(accessors: &Accessors<'_>, ranges: &[Range<'_>], index: usize, notes: &mut Vec<Note>) -> Paint {
    let mut rows: BTreeMap<u32, (Vec2, Vec4)> = BTreeMap::new();
    for range in ranges {
        let Some(target) = range.paint.get(index) else { continue };
        let object = format!("{}, target {index}", range.object);
        let first = range.first as u32;
        let mut warn = |name: &str, problem: String| {
            notes.push(Note::warning(&*object, format!("{name}: {problem}; left out")));
        };
        if let Some(&accessor) = target.uvs.get(&range.first_uv_set).filter(|_| range.has_uv_set(UvSet::First)) {
            match deltas::<2>(accessors, accessor, range.count, &object) {
                Ok(deltas) => deltas.for_each(|(row, uv)| rows.entry(first + row).or_default().0 = uv.into()),
                Err(problem) => warn(&format!("TEXCOORD_{}", range.first_uv_set), problem),
            }
        }
        if let Some(accessor) = target.color.filter(|_| range.has_colors) {
            // Without a fourth number, alpha stays as it is.
            let deltas: Result<Vec<(u32, Vec4)>, String> = match accessors.width(accessor, &object) {
                Ok(3) => deltas::<3>(accessors, accessor, range.count, &object)
                    .map(|deltas| deltas.map(|(row, [r, g, b])| (row, Vec4::new(r, g, b, 0.0))).collect()),
                _ => deltas::<4>(accessors, accessor, range.count, &object)
                    .map(|deltas| deltas.map(|(row, color)| (row, color.into())).collect()),
            };
            match deltas {
                Ok(deltas) => {
                    deltas.into_iter().for_each(|(row, color)| rows.entry(first + row).or_default().1 = color)
                }
                Err(problem) => warn("COLOR_0", problem),
            }
        }
    }
    Paint {
        uvs: rows.values().map(|(uv, _)| *uv).collect(),
        colors: rows.values().map(|(_, color)| *color).collect(),
        rows: rows.into_keys().collect(),
    }
}

/// The finite deltas that are not zero, or why there are none to be had.
fn deltas<const N: usize>(
    accessors: &Accessors<'_>,
    accessor: Index<Accessor>,
    count: usize,
    object: &str,
) -> Result<impl Iterator<Item = (u32, [f32; N])> + use<N>, String> {
    let elements = accessors.read_sparsely::<N>(accessor, object).map_err(|fault: Fault| fault.to_string())?;
    if elements.count() != count {
        return Err(format!("{} deltas for {count} vertices", elements.count()));
    }
    let (rows, values) = match elements {
        Elements::All(values) => ((0..values.len() as u32).collect(), values),
        Elements::Some { rows, values, .. } => (rows, values),
    };
    let counts = |(_, delta): &(u32, [f32; N])| delta.iter().all(|x| x.is_finite()) && delta.iter().any(|x| *x != 0.0);
    Ok(rows.into_iter().zip(values).filter(counts))
}
