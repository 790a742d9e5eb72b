//! The vertices of a mesh: the corners of its polygons, of which those with equal attributes at one control point become one.

use std::collections::HashMap;
use std::hash::Hash;

use glam::{Vec2, Vec3};

use crate::import::fbx::{vec2, vec3};
use crate::import::mesh::smooth_normals;
use smirk_face::head::Vertices;

/// Stands for the texture coordinates or the normal of a corner that has none: `UFBX_NO_INDEX`.
pub(super) const NONE: u32 = u32::MAX;

/// The memory of a vertex: its attributes, and its place in a map while they are collected.
pub(super) const VERTEX_BYTES: usize = size_of::<[f32; 36]>();

/// Collects the vertices of a mesh.
pub(super) struct VertexCollector<'a> {
    mesh: &'a ufbx::Mesh,
    /// Per texture coordinate of the file, the first equal one; exporters write one for every corner.
    uvs: Vec<u32>,
    /// The same for normals; [`NONE`] for those that are zero or not finite.
    normals: Vec<u32>,
    known: HashMap<[u32; 3], u32>,
    /// Per vertex its control point, and indices into the texture coordinates and normals of the file.
    vertices: Vec<[u32; 3]>,
}

impl<'a> VertexCollector<'a> {
    /// A collector without vertices.
    pub(super) fn new(mesh: &'a ufbx::Mesh) -> Self {
        let uvs = first_equals(&mesh.vertex_uv.values, |uv| Some(vec2(uv).to_array()).filter(are_finite));
        let has_direction = |normal: &[f32; 3]| are_finite(normal) && *normal != [0.0; 3];
        let normals =
            first_equals(&mesh.vertex_normal.values, |normal| Some(vec3(normal).to_array()).filter(has_direction));
        Self { mesh, uvs, normals, known: HashMap::new(), vertices: Vec::new() }
    }

    /// The position of a corner of the file.
    pub(super) fn position(&self, corner: usize) -> Vec3 {
        let point = self.mesh.vertex_indices.get(corner).and_then(|&point| self.mesh.vertices.get(point as usize));
        point.map_or(Vec3::NAN, vec3)
    }

    /// The vertex of a corner of the file, a new one if no equal corner came before.
    pub(super) fn vertex(&mut self, corner: usize) -> u32 {
        let point = self.mesh.vertex_indices.get(corner).copied().unwrap_or(0);
        let of = |indices: &[u32], firsts: &[u32]| {
            let value = indices.get(corner).and_then(|&index| firsts.get(index as usize));
            value.copied().unwrap_or(NONE)
        };
        let uv = of(&self.mesh.vertex_uv.indices, &self.uvs);
        let key = [point, uv, of(&self.mesh.vertex_normal.indices, &self.normals)];
        let vertices = &mut self.vertices;
        *self.known.entry(key).or_insert_with(|| {
            vertices.push(key);
            vertices.len() as u32 - 1
        })
    }

    /// The number of vertices so far.
    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// All vertices. Where the file has no normal, it is computed from the triangles around the control point.
    pub(super) fn finish(self, indices: &[u32]) -> Vertices {
        let control_points: Vec<u32> = self.vertices.iter().map(|[point, ..]| *point).collect();
        let position = |&point: &u32| self.mesh.vertices.get(point as usize).map_or(Vec3::ZERO, vec3);
        let positions: Vec<Vec3> = control_points.iter().map(position).collect();
        let has_all = self.vertices.iter().all(|[.., normal]| *normal != NONE);
        let computed = match has_all {
            true => Vec::new(),
            false => smooth_normals(&positions, indices, &control_points, self.mesh.num_vertices),
        };
        let normal = |&[point, _, normal]: &[u32; 3]| {
            let of_file = self.mesh.vertex_normal.values.get(normal as usize).filter(|_| normal != NONE);
            let computed = computed.get(point as usize).copied().unwrap_or_default();
            of_file.map_or(computed, |normal| vec3(normal).as_dvec3().normalize_or_zero().as_vec3())
        };
        // In a file v counts from the bottom of the image, in a head from the top.
        let uv = |&[_, uv, _]: &[u32; 3]| match self.mesh.vertex_uv.values.get(uv as usize) {
            Some(of_file) if uv != NONE => Vec2::new(vec2(of_file).x, 1.0 - vec2(of_file).y),
            _ => Vec2::ZERO,
        };
        let has_uvs = self.vertices.iter().any(|[_, uv, _]| *uv != NONE);
        Vertices {
            normals: self.vertices.iter().map(normal).collect(),
            uvs: if has_uvs { self.vertices.iter().map(uv).collect() } else { Vec::new() },
            positions,
            control_points,
            ..Vertices::default()
        }
    }
}

fn are_finite<const N: usize>(numbers: &[f32; N]) -> bool {
    numbers.iter().all(|number| number.is_finite())
}

/// Per value the index of the first equal one; [`NONE`] for values without a key.
fn first_equals<T, const N: usize>(values: &[T], key: impl Fn(&T) -> Option<[f32; N]>) -> Vec<u32>
where
    [u32; N]: Hash + Eq,
{
    let mut first: HashMap<[u32; N], u32> = HashMap::new();
    let mut of = |(value, index): (&T, u32)| match key(value) {
        Some(key) => *first.entry(key.map(f32::to_bits)).or_insert(index),
        None => NONE,
    };
    values.iter().zip(0..).map(&mut of).collect()
}
