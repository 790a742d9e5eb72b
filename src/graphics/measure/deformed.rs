//! The positions of a mesh at some weights.

use glam::Vec3;

use smirk_face::head::Mesh;

/// The positions of all vertices in mesh space, before nodes or joints move them. `weights` has one element per target of the head;
/// missing, infinite and NaN ones count as 0.
pub fn deformed_positions(mesh: &Mesh, weights: &[f32]) -> Vec<Vec3> {
    let mut positions = mesh.vertices.positions.clone();
    let weights = weights.iter().skip(mesh.first_target).copied();
    let active = mesh.targets.iter().zip(weights).filter(|(_, weight)| *weight != 0.0 && weight.is_finite());
    for (shape, weight) in active.flat_map(|(target, weight)| target.shapes_at(weight)) {
        for (&row, &delta) in shape.rows.iter().zip(shape.positions).filter(|(_, delta)| delta.is_finite()) {
            if let Some(position) = positions.get_mut(row as usize) {
                *position += delta * weight;
            }
        }
    }
    positions
}
