//! The offsets of blend shapes, which are those of control points, for the vertices that control points were split
//! into.

use glam::{DVec3, Vec3};

use crate::import::Import;
use crate::import::error::Fault;
use smirk_face::head::{Note, Subject};

pub(super) struct PointVertices {
    /// Per control point, the start of its vertices in `all`; then the end of the last.
    starts: Vec<u32>,
    all: Vec<u32>,
}

impl PointVertices {
    /// `control_points` are those of the vertices, `point_count` is their number in the file.
    pub(super) fn new(control_points: &[u32], point_count: usize) -> Self {
        let mut starts = vec![0_u32; point_count + 1];
        for &point in control_points {
            if let Some(count) = starts.get_mut(point as usize + 1) {
                *count += 1;
            }
        }
        for point in 0..point_count {
            starts[point + 1] += starts[point];
        }
        let mut next = starts.clone();
        let mut all = vec![0; control_points.len()];
        for (vertex, &point) in control_points.iter().enumerate() {
            let Some(place) = next.get_mut(point as usize) else { continue };
            if let Some(slot) = all.get_mut(*place as usize) {
                *slot = vertex as u32;
            }
            *place += 1;
        }
        Self { starts, all }
    }

    fn of_point(&self, point: u32) -> &[u32] {
        let point = point as usize;
        match (self.starts.get(point), self.starts.get(point + 1)) {
            (Some(&start), Some(&end)) => self.all.get(start as usize..end as usize).unwrap_or_default(),
            _ => &[],
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
        import.notes.push(Note::warning(
            subject,
            format!("{broken} of its offsets are not finite; these vertices stay where they are"),
        ));
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
    Ok(VertexDeltas {
        rows: rows.iter().map(|(vertex, ..)| *vertex).collect(),
        positions: rows.iter().map(|(_, position, _)| finite(position.as_vec3())).collect(),
        normals: if has_normals {
            rows.iter().map(|(.., normal)| finite(normal.as_vec3())).collect()
        } else {
            Vec::new()
        },
    })
}

fn dvec3(v: &ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

/// A sum of finite offsets may overflow.
fn finite(offset: Vec3) -> Vec3 {
    if offset.is_finite() { offset } else { Vec3::ZERO }
}
