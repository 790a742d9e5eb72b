//! Morph targets (glTF 2.0 §3.7.2.2): deltas of positions, normals, tangents, texture coordinates and colours.

use std::ops::Range;

use serde_json::{Map, Value, json};

use super::bin::Bin;
use smirk_face::head::{Mesh, Target, UvSet};

/// The accessors of a target, for the vertices of one range.
pub(super) struct TargetAccessors {
    /// The attributes for parts that are shaded flat.
    flat: Map<String, Value>,
    /// Those that other parts have besides.
    smooth: Map<String, Value>,
}

impl TargetAccessors {
    /// The element of `targets` of a part.
    pub(super) fn json(&self, is_flat: bool) -> Value {
        let mut attributes = self.flat.clone();
        if !is_flat {
            attributes.extend(self.smooth.clone());
        }
        attributes.into()
    }
}

/// Writes what a target changes of the vertices of a range, which have normals and tangents or do not.
pub(super) fn target(
    target: &Target,
    mesh: &Mesh,
    range: Range<usize>,
    (normals, tangents): (bool, bool),
    bin: &mut Bin,
) -> TargetAccessors {
    let (mut flat, mut smooth) = (Map::new(), Map::new());
    let (count, first) = (range.len(), range.start as u32);
    let rows = within(&target.rows, &range);
    let local = |rows: &[u32]| rows.iter().map(|row| row - first).collect::<Vec<u32>>();
    let local_rows = local(&target.rows[rows.clone()]);
    let of = |deltas: &[glam::Vec3]| {
        deltas.get(rows.clone()).unwrap_or_default().iter().map(|delta| delta.to_array()).collect::<Vec<_>>()
    };
    flat.insert("POSITION".into(), json!(bin.deltas(count, &local_rows, &of(&target.positions), true)));
    for (name, has_base, deltas) in [("NORMAL", normals, &target.normals), ("TANGENT", tangents, &target.tangents)] {
        if has_base && !deltas.is_empty() {
            smooth.insert(name.into(), json!(bin.deltas(count, &local_rows, &of(deltas), false)));
        }
    }
    let painted = &target.uv_color_deltas;
    let rows = within(&painted.rows, &range);
    let local_rows = local(&painted.rows[rows.clone()]);
    for (name, set) in [("TEXCOORD_0", UvSet::First), ("TEXCOORD_1", UvSet::Second)] {
        let uvs: Vec<[f32; 2]> = painted.uvs[rows.clone()].iter().map(|uvs| uvs[set as usize].to_array()).collect();
        if !mesh.vertices.uv_set(set).is_empty() && uvs.iter().any(|uv| *uv != [0.0; 2]) {
            flat.insert(name.into(), json!(bin.deltas(count, &local_rows, &uvs, false)));
        }
    }
    let colors: Vec<[f32; 4]> = painted.colors[rows].iter().map(|color| color.to_array()).collect();
    if !mesh.vertices.colors.is_empty() && colors.iter().any(|color| *color != [0.0; 4]) {
        flat.insert("COLOR_0".into(), json!(bin.deltas(count, &local_rows, &colors, false)));
    }
    TargetAccessors { flat, smooth }
}

/// Which of some increasing rows are vertices of a range.
fn within(rows: &[u32], range: &Range<usize>) -> Range<usize> {
    let before = |end: usize| rows.partition_point(|&row| (row as usize) < end);
    before(range.start)..before(range.end)
}
