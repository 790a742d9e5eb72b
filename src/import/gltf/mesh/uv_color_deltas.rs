//! TEXCOORD_n and COLOR_n of morph targets (glTF 2.0 §3.7.2.2), which the typed target does not know. What is broken is
//! left out: the shape does not depend on it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use glam::{Vec2, Vec4};
use gltf::json::Index;
use gltf::json::accessor::Accessor;
use serde_json::{Map, Value};

use super::vertex_range::Range;
use crate::head::{Note, UvColorDeltas, UvSet, listed};
use crate::import::Fault;
use crate::import::gltf::read::{Accessors, Elements};

/// What one target of a primitive says of paint: accessors by attribute.
#[derive(Debug, Default)]
pub struct PaintTarget {
    uvs: HashMap<u32, Index<Accessor>>,
    color: Option<Index<Accessor>>,
    /// Has colours beside the first: glTF draws none of them.
    has_other_colors: bool,
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
            if targets.iter().any(PaintTarget::is_any) {
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
        } else if name.starts_with("COLOR_") {
            paint.has_other_colors = true;
        }
    }
    paint
}

impl PaintTarget {
    fn is_any(&self) -> bool {
        self.color.is_some() || self.has_other_colors || !self.uvs.is_empty()
    }

    /// What tells two targets apart: the accessors.
    pub fn key(&self) -> impl Iterator<Item = u32> {
        let uvs: BTreeMap<u32, u32> = self.uvs.iter().map(|(set, accessor)| (*set, accessor.value() as u32)).collect();
        let color = self.color.map_or(u32::MAX, |color| color.value() as u32);
        uvs.into_iter().flat_map(|(set, accessor)| [set, accessor]).chain([color])
    }
}

/// The sets of texture coordinates that are drawn, and the file's numbers for them.
fn drawn_sets(range: &Range<'_>) -> impl Iterator<Item = (UvSet, u32)> {
    let second = range.uv_sets.second.map(|set| (UvSet::Second, set));
    [(UvSet::First, range.uv_sets.first)].into_iter().chain(second)
}

/// Says once per range what its targets paint in vain: what it does not have, and what is not drawn.
pub fn note_vain(range: &Range<'_>, notes: &mut Vec<Note>) {
    let mut baseless: Vec<String> = drawn_sets(range)
        .filter(|(uv_set, set)| !range.has_uv_set(*uv_set) && range.paint.iter().any(|to| to.uvs.contains_key(set)))
        .map(|(_, set)| format!("TEXCOORD_{set}"))
        .collect();
    if !range.has_colors && range.paint.iter().any(|target| target.color.is_some()) {
        baseless.push("COLOR_0".to_owned());
    }
    for name in baseless {
        let message = format!("its targets change {name}, which it does not have; ignored");
        notes.push(Note::warning(&*range.object, message));
    }
    let changed: BTreeSet<u32> = range.paint.iter().flat_map(|target| target.uvs.keys()).copied().collect();
    let is_drawn = |set: &u32| drawn_sets(range).any(|(_, drawn)| drawn == *set);
    let others: Vec<String> =
        changed.iter().filter(|set| !is_drawn(set)).map(|set| format!("TEXCOORD_{set}")).collect();
    if !others.is_empty() {
        let message = format!("its targets change {}, where no texture is read", listed(&others, 4));
        notes.push(Note::info(&*range.object, message));
    }
    if range.paint.iter().any(|target| target.has_other_colors) {
        notes.push(Note::info(&*range.object, "its targets change colours beside COLOR_0, which are not drawn"));
    }
}

/// The paint of target `index` over all ranges of a mesh: the texture coordinates that are drawn, and colours.
pub fn read(accessors: &Accessors<'_>, ranges: &[Range<'_>], index: usize, notes: &mut Vec<Note>) -> UvColorDeltas {
    let mut rows: BTreeMap<u32, ([Vec2; 2], Vec4)> = BTreeMap::new();
    for range in ranges {
        let Some(target) = range.paint.get(index) else { continue };
        let object = format!("{}, target {index}", range.object);
        let first = range.first as u32;
        let mut warn = |name: &str, problem: String| {
            notes.push(Note::warning(&*object, format!("{name}: {problem}; left out")));
        };
        for (uv_set, set) in drawn_sets(range).filter(|(uv_set, _)| range.has_uv_set(*uv_set)) {
            let Some(&accessor) = target.uvs.get(&set) else { continue };
            let name = format!("TEXCOORD_{set}");
            match deltas::<2>(accessors, accessor, range.count, &object) {
                Ok(Deltas { values, broken }) => {
                    if broken > 0 {
                        warn(&name, not_finite(broken, range.count));
                    }
                    for (row, uv) in values {
                        rows.entry(first + row).or_default().0[uv_set as usize] = uv.into();
                    }
                }
                Err(problem) => warn(&name, problem),
            }
        }
        if let Some(accessor) = target.color.filter(|_| range.has_colors) {
            // Without a fourth number, alpha stays as it is.
            let deltas = match accessors.width(accessor, &object) {
                Ok(3) => deltas::<3>(accessors, accessor, range.count, &object).map(|Deltas { values, broken }| {
                    let with_alpha = |(row, [r, g, b]): (u32, [f32; 3])| (row, [r, g, b, 0.0]);
                    Deltas { values: values.into_iter().map(with_alpha).collect(), broken }
                }),
                _ => deltas::<4>(accessors, accessor, range.count, &object),
            };
            match deltas {
                Ok(Deltas { values, broken }) => {
                    if broken > 0 {
                        warn("COLOR_0", not_finite(broken, range.count));
                    }
                    values.into_iter().for_each(|(row, color)| rows.entry(first + row).or_default().1 = color.into());
                }
                Err(problem) => warn("COLOR_0", problem),
            }
        }
    }
    UvColorDeltas {
        uvs: rows.values().map(|(uvs, _)| *uvs).collect(),
        colors: rows.values().map(|(_, color)| *color).collect(),
        rows: rows.into_keys().collect(),
    }
}

/// The finite deltas that are not zero, by row, and how many are not finite.
struct Deltas<const N: usize> {
    values: Vec<(u32, [f32; N])>,
    broken: usize,
}

fn not_finite(broken: usize, count: usize) -> String {
    format!("{broken} of {count} deltas are not finite")
}

/// Reads deltas, or says why there are none to be had.
fn deltas<const N: usize>(
    accessors: &Accessors<'_>,
    accessor: Index<Accessor>,
    count: usize,
    object: &str,
) -> Result<Deltas<N>, String> {
    let elements = accessors.read_sparsely::<N>(accessor, object).map_err(|fault: Fault| fault.to_string())?;
    if elements.count() != count {
        return Err(format!("{} deltas for {count} vertices", elements.count()));
    }
    let (rows, values) = match elements {
        Elements::All(values) => ((0..values.len() as u32).collect(), values),
        Elements::Some { rows, values, .. } => (rows, values),
    };
    let is_finite = |(_, delta): &(u32, [f32; N])| delta.iter().all(|x| x.is_finite());
    let (mut finite, broken): (Vec<_>, Vec<_>) = rows.into_iter().zip(values).partition(is_finite);
    finite.retain(|(_, delta)| delta.iter().any(|x| *x != 0.0));
    Ok(Deltas { values: finite, broken: broken.len() })
}
