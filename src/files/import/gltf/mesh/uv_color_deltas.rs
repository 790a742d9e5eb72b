//! Deltas of texture coordinates and colours in morph targets (TEXCOORD_n and COLOR_n, glTF 2.0 §3.7.2.2). Broken ones
//! are left out, with a note: the shape does not depend on them.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Vec2, Vec4};
use gltf::json::Index;
use gltf::json::accessor::Accessor;

use super::vertex_range::VertexRange;
use crate::import::Problem;
use crate::import::gltf::read::{Accessors, Elements};
use smirk_face::head::{Kind, Notes, Subject, UvColorDeltas, UvSet, listed};

/// The sets of texture coordinates that are stored, with the number of their TEXCOORD.
fn stored_sets(range: &VertexRange<'_>) -> impl Iterator<Item = (UvSet, u32)> {
    let second = range.uv_sets.second.map(|set| (UvSet::Second, set));
    [(UvSet::First, range.uv_sets.first)].into_iter().chain(second)
}

/// Notes the attributes that targets change without effect: those the vertices do not have, and those that are not
/// drawn.
pub(super) fn note_ignored_uv_color_deltas(range: &VertexRange<'_>, notes: &mut Notes) {
    let targets = range.uv_color_targets;
    let mut without_base: Vec<String> = stored_sets(range)
        .filter(|(uv_set, set)| !range.has_uv_set(*uv_set) && targets.iter().any(|to| to.uvs.contains_key(set)))
        .map(|(_, set)| format!("TEXCOORD_{set}"))
        .collect();
    if !range.has_colors && targets.iter().any(|target| target.color.is_some()) {
        without_base.push("COLOR_0".to_owned());
    }
    for name in without_base {
        notes.warn(&range.subject, format!("its targets change {name}, which it does not have; ignored"));
    }
    let changed: BTreeSet<u32> = targets.iter().flat_map(|target| target.uvs.keys()).copied().collect();
    let others: Vec<String> = changed
        .iter()
        .filter(|set| !stored_sets(range).any(|(_, stored)| stored == **set))
        .map(|set| format!("TEXCOORD_{set}"))
        .collect();
    if !others.is_empty() {
        notes.inform(&range.subject, format!("its targets change {}, where no texture is read", listed(&others, 4)));
    }
    if targets.iter().any(|target| target.has_other_colors) {
        notes.inform(&range.subject, "its targets change colours other than COLOR_0, which are not drawn");
    }
}

/// What target `index` of a mesh adds to the stored texture coordinates and to the colours.
pub(super) fn read_uv_color_deltas(
    accessors: &Accessors<'_>,
    ranges: &[VertexRange<'_>],
    index: usize,
    notes: &mut Notes,
) -> UvColorDeltas {
    let mut rows: BTreeMap<u32, ([Vec2; 2], Vec4)> = BTreeMap::new();
    for range in ranges {
        let Some(target) = range.uv_color_targets.get(index) else { continue };
        let subject = range.subject.part(Subject::Numbered(Kind::Target, index));
        let first = range.first as u32;
        for (uv_set, set) in stored_sets(range).filter(|(uv_set, _)| range.has_uv_set(*uv_set)) {
            let Some(&accessor) = target.uvs.get(&set) else { continue };
            let name = format!("TEXCOORD_{set}");
            match read_deltas::<2>(accessors, accessor, range.count, &subject) {
                Ok(FiniteDeltas { values, broken }) => {
                    if broken > 0 {
                        let problem = not_finite(broken, range.count);
                        notes.warn(&subject, format!("{name}: {problem}; left out"));
                    }
                    for (row, uv) in values {
                        rows.entry(first + row).or_default().0[uv_set as usize] = uv.into();
                    }
                }
                Err(problem) => notes.warn(&subject, format!("{name}: {problem}; left out")),
            }
        }
        if let Some(accessor) = target.color.filter(|_| range.has_colors) {
            // A delta of three numbers leaves alpha as it is.
            let deltas = match accessors.width(accessor, &subject) {
                Ok(3) => read_deltas::<3>(accessors, accessor, range.count, &subject).map(
                    |FiniteDeltas { values, broken }| FiniteDeltas {
                        values: values.into_iter().map(|(row, [r, g, b])| (row, [r, g, b, 0.0])).collect(),
                        broken,
                    },
                ),
                _ => read_deltas::<4>(accessors, accessor, range.count, &subject),
            };
            match deltas {
                Ok(FiniteDeltas { values, broken }) => {
                    if broken > 0 {
                        let problem = not_finite(broken, range.count);
                        notes.warn(&subject, format!("COLOR_0: {problem}; left out"));
                    }
                    values.into_iter().for_each(|(row, color)| rows.entry(first + row).or_default().1 = color.into());
                }
                Err(problem) => notes.warn(&subject, format!("COLOR_0: {problem}; left out")),
            }
        }
    }
    UvColorDeltas {
        uvs: rows.values().map(|(uvs, _)| *uvs).collect(),
        colors: rows.values().map(|(_, color)| *color).collect(),
        rows: rows.into_keys().collect(),
    }
}

/// The deltas of one accessor that are finite and not zero, by row, and the number of those that are not finite.
struct FiniteDeltas<const N: usize> {
    values: Vec<(u32, [f32; N])>,
    broken: usize,
}

fn not_finite(broken: usize, count: usize) -> Problem {
    format!("{broken} of {count} deltas are not finite").into()
}

/// Reads the deltas of an accessor. The error is the reason why it cannot be used.
fn read_deltas<const N: usize>(
    accessors: &Accessors<'_>,
    accessor: Index<Accessor>,
    count: usize,
    subject: &Subject,
) -> Result<FiniteDeltas<N>, Problem> {
    let elements = accessors.read_sparsely::<N>(accessor, subject)?;
    if elements.count() != count {
        return Err(format!("{} deltas for {count} vertices", elements.count()).into());
    }
    let (rows, values) = match elements {
        Elements::Dense(values) => ((0..values.len() as u32).collect(), values),
        Elements::Sparse { rows, values, .. } => (rows, values),
    };
    let (mut finite, broken): (Vec<_>, Vec<_>) =
        rows.into_iter().zip(values).partition(|(_, delta)| delta.iter().all(|x| x.is_finite()));
    finite.retain(|(_, delta)| delta.iter().any(|x| *x != 0.0));
    Ok(FiniteDeltas { values: finite, broken: broken.len() })
}
