//! The offsets of blend shapes, which are those of control points, for the vertices that control points were split
//! into.

use glam::{DVec3, Vec3};

use crate::import::{Fault, Import};
use smirk_base::counting_sort::by_key;
use smirk_face::head::Subject;

pub(super) struct PointVertices {
    /// Per control point, the start of its vertices in `all`; then the end of the last.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl PointVertices {
    /// `control_points` are those of the vertices, `point_count` is their number in the file.
    pub(super) fn new(control_points: &[u32], point_count: usize) -> Self {
        let points = control_points.iter().copied().zip(0..).filter(|&(point, _)| (point as usize) < point_count);
        let (starts, all) = by_key(point_count, points);
        Self { starts, all }
    }

    fn of_point(&self, point: u32) -> &[u32] {
        match self.starts.get(point as usize..point as usize + 2) {
            Some(range) => &self.all[range[0] as usize..range[1] as usize],
            None => &[],
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct ShapeSum<'a> {
    pub shape: &'a ufbx::BlendShape,
    pub share: f64,
}

pub(super) struct VertexDeltas {
    /// The vertices with an offset, strictly increasing.
    pub rows: Vec<u32>,
    /// One per row.
    pub positions: Vec<Vec3>,
    /// One per row; empty if all are zero, which many programs write for shapes whose normals they do not know.
    pub normals: Vec<Vec3>,
}

/// The sum of shapes as offsets of vertices. Offsets that are zero are left out, and those that are not finite, with a
/// note.
pub(super) fn deltas_of(
    sum: &[ShapeSum<'_>],
    vertices: &PointVertices,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<VertexDeltas, Fault> {
    let mut rows: Vec<(u32, DVec3, DVec3)> = Vec::new();
    let mut broken = 0;
    for ShapeSum { shape, share } in sum {
        let normals = shape.normal_offsets.as_ref();
        for (index, (&point, offset)) in shape.offset_vertices.iter().zip(&shape.position_offsets).enumerate() {
            let share = share * shape.offset_weights.get(index).copied().unwrap_or(1.0);
            let position = dvec3(offset) * share;
            let normal = normals.get(index).map_or(DVec3::ZERO, |normal| dvec3(normal) * share);
            if !(position.as_vec3().is_finite() && normal.as_vec3().is_finite()) {
                broken += 1;
                continue;
            }
            if position != DVec3::ZERO || normal != DVec3::ZERO {
                rows.extend(vertices.of_point(point).iter().map(|&vertex| (vertex, position, normal)));
            }
        }
        import.budget.spend((rows.len() * size_of::<[f32; 7]>()) as u64, subject)?;
    }
    if broken > 0 {
        let message = format!("{broken} of its offsets are not finite; these vertices stay where they are");
        import.notes.warn(subject, message);
    }
    rows.sort_by_key(|(vertex, ..)| *vertex);
    // A shape may name a control point twice, and two shapes may move the same one: their offsets add up.
    rows.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            first.1 += next.1;
            first.2 += next.2;
        }
        is_same
    });
    rows.retain(|(_, position, normal)| position.as_vec3() != Vec3::ZERO || normal.as_vec3() != Vec3::ZERO);
    let has_normals = rows.iter().any(|(.., normal)| normal.as_vec3() != Vec3::ZERO);
    let with_normals = if has_normals { &rows[..] } else { &[] };
    Ok(VertexDeltas {
        rows: rows.iter().map(|(vertex, ..)| *vertex).collect(),
        positions: rows.iter().map(|(_, position, _)| finite(position.as_vec3())).collect(),
        normals: with_normals.iter().map(|(.., normal)| finite(normal.as_vec3())).collect(),
    })
}

fn dvec3(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// A sum of finite offsets may overflow.
fn finite(offset: Vec3) -> Vec3 {
    if offset.is_finite() { offset } else { Vec3::ZERO }
}
