//! From a mesh, a shape of it and who goes where to a target.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use super::super::normals;
use crate::head::{Mesh, Target, normal_matrix};

/// A shape as a target, and how far it goes.
pub struct Deltas {
    /// What weight 1 adds.
    pub target: Target,
    /// Of the vertices with a partner, in units of the mesh.
    pub max_distance: f32,
    /// Likewise.
    pub mean_distance: f32,
    /// Vertices that go anywhere.
    pub moved: usize,
}

/// What leads from `mesh` to `shape`. `of_vertex` is each vertex's partner; those without stay. Movements below `still` are
/// rounding.
pub fn between(
    mesh: &Mesh,
    shape: &Mesh,
    mesh_from_shape: Mat4,
    of_vertex: &[Option<u32>],
    name: String,
    still: f32,
) -> Deltas {
    let rest = &mesh.vertices.positions;
    let place = |vertex: u32| {
        let position = shape.vertices.positions[vertex as usize];
        if mesh_from_shape == Mat4::IDENTITY { position } else { mesh_from_shape.transform_point3(position) }
    };
    let positions: Vec<Vec3> = rest
        .iter()
        .zip(of_vertex)
        .map(|(&at, partner)| partner.map_or(Vec3::ZERO, |partner| place(partner) - at))
        .map(|delta| if delta.length() <= still { Vec3::ZERO } else { delta })
        .collect();
    let matched = of_vertex.iter().filter(|partner| partner.is_some()).count();
    let distances = || positions.iter().map(|delta| delta.length());
    let max_distance = distances().fold(0.0, f32::max);
    let mean_distance = distances().sum::<f32>() / matched.max(1) as f32;
    let moved = positions.iter().filter(|delta| **delta != Vec3::ZERO).count();
    let normals = normal_deltas(mesh, shape, mesh_from_shape, of_vertex, &positions);
    let target = Target::from_dense(name, 0.0, &positions, &normals, &[]);
    Deltas { target, max_distance, mean_distance, moved }
}

/// Turns smaller than this are rounding: four decimals are usual.
const STILL_NORMAL: f32 = 2e-4;

/// Those of the files, where both say what theirs are or neither does; else from the surface before and after. None where the
/// mesh has no normals to turn.
fn normal_deltas(
    mesh: &Mesh,
    shape: &Mesh,
    mesh_from_shape: Mat4,
    of_vertex: &[Option<u32>],
    positions: &[Vec3],
) -> Vec<Vec3> {
    let (own, others) = (&mesh.vertices.normals, &shape.vertices.normals);
    if own.iter().all(|normal| *normal == Vec3::ZERO) {
        return Vec::new();
    }
    let groups = Groups::of(mesh);
    let remade = groups.normals(mesh, &mesh.vertices.positions);
    let is_made = is_alike(own, &remade);
    let has_normals = others.iter().any(|normal| *normal != Vec3::ZERO);
    let of_shape = || Groups::of(shape).normals(shape, &shape.vertices.positions);
    let deltas: Vec<Vec3> = if has_normals && is_made == is_alike(others, &of_shape()) {
        let turn = normal_matrix(mesh_from_shape);
        let turned = |vertex: u32| {
            let normal = others[vertex as usize];
            if mesh_from_shape == Mat4::IDENTITY { normal } else { (turn * normal).normalize_or_zero() }
        };
        let delta = |(normal, partner): (&Vec3, &Option<u32>)| partner.map_or(Vec3::ZERO, |at| turned(at) - *normal);
        own.iter().zip(of_vertex).map(delta).collect()
    } else {
        let moved: Vec<Vec3> = mesh.vertices.positions.iter().zip(positions).map(|(at, delta)| *at + *delta).collect();
        groups.normals(mesh, &moved).into_iter().zip(remade).map(|(after, before)| after - before).collect()
    };
    let still = |delta: Vec3| if delta.length() <= STILL_NORMAL || !delta.is_finite() { Vec3::ZERO } else { delta };
    deltas.into_iter().map(still).collect()
}

/// Whether normals are what the surface says, by and large.
fn is_alike(normals: &[Vec3], remade: &[Vec3]) -> bool {
    const MEAN_DISTANCE: f32 = 0.01;
    let sum: f32 = normals.iter().zip(remade).map(|(a, b)| a.distance(*b)).sum();
    sum <= MEAN_DISTANCE * normals.len() as f32
}

/// Vertices that shade as one: in one place, with one normal.
struct Groups {
    of_vertex: Vec<u32>,
    count: usize,
}

impl Groups {
    fn of(mesh: &Mesh) -> Self {
        let mut known = HashMap::new();
        let key = |(position, normal): (&Vec3, &Vec3)| {
            let place = position.to_array().map(|value| (value + 0.0).to_bits());
            (place, normal.to_array().map(|value| (value * 100.0).round() as i32))
        };
        let vertices = mesh.vertices.positions.iter().zip(&mesh.vertices.normals);
        let of_vertex = vertices.map(|vertex| {
            let next = known.len() as u32;
            *known.entry(key(vertex)).or_insert(next)
        });
        let of_vertex = of_vertex.collect();
        Self { of_vertex, count: known.len() }
    }

    /// Per vertex, for the mesh with its vertices there.
    fn normals(&self, mesh: &Mesh, positions: &[Vec3]) -> Vec<Vec3> {
        let made = normals::smooth(positions, &mesh.indices, &self.of_vertex, self.count);
        self.of_vertex.iter().map(|&group| made[group as usize]).collect()
    }
}
