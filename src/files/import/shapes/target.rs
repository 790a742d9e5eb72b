//! Makes a morph target of a mesh, a shape of it and their correspondence.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use crate::import::mesh::smooth_normals;
use smirk_face::head::{Mesh, Target, normal_matrix};

pub(super) struct ShapeTarget {
    pub target: Target,
    /// The longest and the mean displacement of the matched vertices, in units of the mesh.
    pub max_distance: f32,
    pub mean_distance: f32,
    pub moved: usize,
}

/// The target that leads from `mesh` to `shape`. `of_vertex` is each vertex's match in the shape; vertices without one
/// do not move. Movements up to `rounding` count as none.
pub(super) fn shape_target(
    mesh: &Mesh,
    shape: &Mesh,
    mesh_from_shape: Mat4,
    of_vertex: &[Option<u32>],
    name: String,
    rounding: f32,
) -> ShapeTarget {
    let rest = &mesh.vertices.positions;
    let positions: Vec<Vec3> = rest
        .iter()
        .zip(of_vertex)
        .map(|(&at, matched)| matched.map_or(Vec3::ZERO, |matched| position_of(matched, shape, mesh_from_shape) - at))
        .map(|delta| if delta.length() <= rounding { Vec3::ZERO } else { delta })
        .collect();
    let matched = of_vertex.iter().filter(|matched| matched.is_some()).count();
    let max_distance = positions.iter().map(|delta| delta.length()).fold(0.0, f32::max);
    let mean_distance = positions.iter().map(|delta| delta.length()).sum::<f32>() / matched.max(1) as f32;
    let moved = positions.iter().filter(|delta| **delta != Vec3::ZERO).count();
    let normals = normal_deltas(mesh, shape, mesh_from_shape, of_vertex, &positions);
    let target = Target::from_dense(name, 0.0, &positions, &normals, &[]);
    ShapeTarget { target, max_distance, mean_distance, moved }
}

fn position_of(vertex: u32, shape: &Mesh, mesh_from_shape: Mat4) -> Vec3 {
    let position = shape.vertices.positions[vertex as usize];
    if mesh_from_shape == Mat4::IDENTITY { position } else { mesh_from_shape.transform_point3(position) }
}

/// The deltas of the normals. If both files were written with smooth normals, or both with the author's own, the
/// difference of the files' normals; else the difference of the smooth normals before and after. Empty where the mesh
/// has no normals.
fn normal_deltas(
    mesh: &Mesh,
    shape: &Mesh,
    mesh_from_shape: Mat4,
    of_vertex: &[Option<u32>],
    positions: &[Vec3],
) -> Vec<Vec3> {
    /// Normals in files usually have four decimals: smaller changes are rounding.
    const ROUNDING: f32 = 2e-4;
    let (own, others) = (&mesh.vertices.normals, &shape.vertices.normals);
    if own.iter().all(|normal| *normal == Vec3::ZERO) {
        return Vec::new();
    }
    let groups = ShadingGroups::from_mesh(mesh);
    let smooth = groups.normals(mesh, &mesh.vertices.positions);
    let is_smooth = is_alike(own, &smooth);
    let shape_has_normals = others.iter().any(|normal| *normal != Vec3::ZERO);
    let deltas: Vec<Vec3> = if shape_has_normals
        && is_smooth == is_alike(others, &ShadingGroups::from_mesh(shape).normals(shape, &shape.vertices.positions))
    {
        let normal_from_shape = normal_matrix(mesh_from_shape);
        let is_same_space = mesh_from_shape == Mat4::IDENTITY;
        let deltas = own.iter().zip(of_vertex).map(|(normal, matched)| {
            let Some(matched) = matched else { return Vec3::ZERO };
            let other = others[*matched as usize];
            let turned = if is_same_space { other } else { (normal_from_shape * other).normalize_or_zero() };
            turned - *normal
        });
        deltas.collect()
    } else {
        let moved: Vec<Vec3> = mesh.vertices.positions.iter().zip(positions).map(|(at, delta)| *at + *delta).collect();
        groups.normals(mesh, &moved).into_iter().zip(smooth).map(|(after, before)| after - before).collect()
    };
    deltas
        .into_iter()
        .map(|delta| if delta.length() <= ROUNDING || !delta.is_finite() { Vec3::ZERO } else { delta })
        .collect()
}

fn is_alike(normals: &[Vec3], others: &[Vec3]) -> bool {
    const MEAN_DISTANCE: f32 = 0.01;
    let sum: f32 = normals.iter().zip(others).map(|(a, b)| a.distance(*b)).sum();
    sum <= MEAN_DISTANCE * normals.len() as f32
}

/// Vertices that are shaded as one: at one position, with one normal.
struct ShadingGroups {
    of_vertex: Vec<u32>,
    count: usize,
}

impl ShadingGroups {
    fn from_mesh(mesh: &Mesh) -> Self {
        let mut known = HashMap::new();
        let vertices = mesh.vertices.positions.iter().zip(&mesh.vertices.normals);
        let of_vertex = vertices.map(|vertex| {
            let next = known.len() as u32;
            *known.entry(shading_key(vertex)).or_insert(next)
        });
        let of_vertex = of_vertex.collect();
        Self { of_vertex, count: known.len() }
    }

    /// Smooth normals of the mesh with its vertices at `positions`, one per vertex.
    fn normals(&self, mesh: &Mesh, positions: &[Vec3]) -> Vec<Vec3> {
        let smooth = smooth_normals(positions, &mesh.indices, &self.of_vertex, self.count);
        self.of_vertex.iter().map(|&group| smooth[group as usize]).collect()
    }
}

fn shading_key((position, normal): (&Vec3, &Vec3)) -> ([u32; 3], [i32; 3]) {
    let position = position.to_array().map(|value| (value + 0.0).to_bits());
    (position, normal.to_array().map(|value| (value * 100.0).round() as i32))
}
