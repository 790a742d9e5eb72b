//! What mends need to know of the surface at rest: found once for a head, but for what depends on its shapes too.

use std::sync::{Arc, Mutex, PoisonError};

use glam::{Mat3, Mat4, Vec3};
use rayon::prelude::*;

use super::net::Net;
use crate::mirror::{self, MirrorMap, RestVertex};
use smirk_face::head::{Head, Mesh, RigPose};

/// The surface of a head at rest. It belongs to the head that it was made of, and to those that mends of shapes make of
/// it.
#[derive(Debug)]
pub struct Surface {
    pub(super) mm_per_unit: f32,
    /// Per mesh, the matrices that transform its deltas into the world: one for all vertices, or one per vertex.
    world_from_deltas: Vec<Vec<Mat3>>,
    /// Per mesh, the index of its first vertex among those of all meshes.
    pub(super) first_vertex: Vec<usize>,
    /// Where the vertices of all meshes are at rest, in the world.
    rest: Vec<RestVertex>,
    /// The mirror images that were last asked for.
    mirror: Mutex<Option<FoundMirror>>,
    /// Per mesh, the points that a shape is smoothed over, once they were asked for.
    nets: Vec<Mutex<Option<Arc<Net>>>>,
}

/// The mirror images of vertices, with what they were found of.
#[derive(Debug)]
struct FoundMirror {
    /// Whether targets move each vertex; none on a mesh without targets.
    is_moved: Vec<Option<bool>>,
    map: Option<Arc<MirrorMap>>,
}

impl Surface {
    pub fn new(head: &Head) -> Self {
        let pose = &head.rest_pose;
        let mut first_vertex = Vec::with_capacity(head.meshes.len());
        let mut count = 0;
        for mesh in &head.meshes {
            first_vertex.push(count);
            count += mesh.vertices.len();
        }
        let rest = head.meshes.par_iter().flat_map_iter(|mesh| {
            let vertices = mesh.vertices.positions.iter().zip(&mesh.vertices.normals);
            vertices.zip(worlds(pose, mesh)).map(|((&position, &normal), world)| RestVertex {
                position: world.transform_point3(position),
                normal: world.transform_vector3(normal).normalize_or_zero(),
            })
        });
        Self {
            mm_per_unit: head.mm_per_unit(),
            world_from_deltas: head
                .meshes
                .par_iter()
                .map(|mesh| {
                    let all = if mesh.skin.is_some() { mesh.vertices.len() } else { 1 };
                    worlds(pose, mesh).take(all).map(Mat3::from_mat4).collect()
                })
                .collect(),
            rest: rest.collect(),
            first_vertex,
            mirror: Mutex::default(),
            nets: head.meshes.iter().map(|_| Mutex::default()).collect(),
        }
    }

    /// The matrix from a mesh's deltas at a vertex to the world.
    pub(super) fn world_from_delta(&self, mesh: usize, vertex: u32) -> Mat3 {
        let matrices = &self.world_from_deltas[mesh];
        matrices.get(vertex as usize).or(matrices.first()).copied().unwrap_or(Mat3::IDENTITY)
    }

    /// The length of a delta of positions, in millimetres.
    pub(super) fn length_mm(&self, mesh: usize, vertex: u32, delta: Vec3) -> f32 {
        (self.world_from_delta(mesh, vertex) * delta).length() * self.mm_per_unit
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// The place of a vertex at rest, in the world.
    pub(super) fn place(&self, mesh: usize, vertex: u32) -> Vec3 {
        self.rest[self.first_vertex[mesh] + vertex as usize].position
    }

    /// The mesh of a vertex among those of all meshes, and its index there.
    pub(super) fn local(&self, vertex: usize) -> (usize, u32) {
        // Of meshes that begin at the same vertex, all but the last are empty.
        let mesh = self.first_vertex.partition_point(|first| *first <= vertex) - 1;
        (mesh, (vertex - self.first_vertex[mesh]) as u32)
    }

    /// The points that shapes of a mesh are smoothed over.
    pub(super) fn net(&self, index: usize, mesh: &Mesh) -> Arc<Net> {
        let mut known = self.nets[index].lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.take();
        known.insert(Net::of_mesh(mesh, before, |vertex, delta| self.length_mm(index, vertex, delta))).clone()
    }

    /// The mirror images of all vertices of meshes with targets; none if the head has no plane of symmetry.
    pub(super) fn mirror(&self, head: &Head) -> Option<Arc<MirrorMap>> {
        let mut is_moved: Vec<Option<bool>> = Vec::with_capacity(self.rest.len());
        for (mesh, &first) in head.meshes.iter().zip(&self.first_vertex) {
            is_moved.resize(first + mesh.vertices.len(), (!mesh.targets.is_empty()).then_some(false));
            let rows = mesh.targets.iter().flat_map(|target| &target.rows);
            rows.for_each(|&row| is_moved[first + row as usize] = Some(true));
        }
        let mut known = self.mirror.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.as_ref().filter(|found| found.is_moved == is_moved) {
            return found.map.clone();
        }
        let map = self.find_mirror(head, &is_moved).map(Arc::new);
        known.insert(FoundMirror { is_moved, map }).map.clone()
    }

    fn find_mirror(&self, head: &Head, is_moved: &[Option<bool>]) -> Option<MirrorMap> {
        let all: Vec<usize> = (0..is_moved.len()).filter(|&vertex| is_moved[vertex].is_some()).collect();
        let moved: Vec<usize> = all.iter().copied().filter(|&vertex| is_moved[vertex] == Some(true)).collect();
        let of = |vertices: &[usize]| vertices.iter().map(|&it| (it, self.rest[it])).collect::<Vec<_>>();
        let size = Some(head.focus.size().max_element()).filter(|size| size.is_finite() && *size > 0.0)?;
        let (plane, _) = mirror::find(&of(&moved), &moved, size, &mirror::planes(head.focus.center()))?;
        let images = mirror::images(&of(&all), &all, size, plane);
        Some(MirrorMap::new(plane, &images, &head.meshes, &self.first_vertex))
    }
}

/// The transforms of the vertices of a mesh into the world.
fn worlds<'a>(pose: &'a RigPose, mesh: &'a Mesh) -> impl Iterator<Item = Mat4> + 'a {
    (0..mesh.vertices.len()).map(move |vertex| pose.world_from_vertex(mesh, vertex))
}
