//! The points of a surface and their neighbours, over which the movement of a shape is smoothed.

use std::ops::Range;
use std::sync::Arc;

use glam::{Mat2, Vec2, Vec3};

use smirk_base::counting_sort::by_key;
use smirk_face::head::{Groups, Mesh};

/// Vertices of one place that part by more in some shape are the two sides of a slit, in millimetres.
const SLIT_MM: f32 = 0.05;

/// The points of a mesh, which are its vertices without the copies at seams, and which of them are neighbours.
#[derive(Debug)]
pub(super) struct Net {
    groups: Arc<Groups>,
    /// Per group of vertices at one place, whether some shape parts them.
    is_slit: Vec<bool>,
    /// Per vertex.
    pub point_of: Vec<u32>,
    /// Per point, its number of vertices.
    pub members: Vec<u32>,
    /// Per point, where its neighbours begin in `neighbours`, and the end of the last.
    first_neighbours: Vec<u32>,
    neighbours: Vec<u32>,
    /// Per neighbour, its share in the mean: those of a point add up to 1.
    shares: Vec<f32>,
    pub is_border: Vec<bool>,
}

impl Net {
    /// The net of a mesh: the one before, unless shapes part other vertices now. `length_mm` measures a delta at a
    /// vertex.
    pub(super) fn of_mesh(mesh: &Mesh, before: Option<Arc<Self>>, length_mm: impl Fn(u32, Vec3) -> f32) -> Arc<Self> {
        let groups = match &before {
            Some(net) => net.groups.clone(),
            None => Arc::new(Groups::new(&mesh.vertices)),
        };
        let is_slit = slits(mesh, &groups, length_mm);
        let same = before.filter(|net| net.is_slit == is_slit);
        same.unwrap_or_else(|| Arc::new(Self::new(mesh, groups, is_slit)))
    }

    fn new(mesh: &Mesh, groups: Arc<Groups>, is_slit: Vec<bool>) -> Self {
        let mut point_of = vec![0; mesh.vertices.len()];
        let mut members = Vec::new();
        for (group, &is_slit) in is_slit.iter().enumerate() {
            for (at, &vertex) in groups.members(group).iter().enumerate() {
                if at == 0 || is_slit {
                    members.push(0);
                }
                point_of[vertex as usize] = members.len() as u32 - 1;
                members[point_of[vertex as usize] as usize] += 1;
            }
        }
        let corners = mesh.valid_triangles().map(|corners| corners.map(|corner| point_of[corner as usize]));
        let mut edges: Vec<[u32; 2]> =
            corners.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]).map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.retain(|[a, b]| a != b);
        edges.sort_unstable();
        let mut is_border = vec![false; members.len()];
        for edge in edges.chunk_by(|a, b| a == b).filter(|edge| edge.len() == 1) {
            edge[0].iter().for_each(|&point| is_border[point as usize] = true);
        }
        edges.dedup();
        let both = edges.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
        let (first_neighbours, neighbours) = by_key(members.len(), both);
        let shares = Vec::new();
        let mut net = Self { groups, is_slit, point_of, members, first_neighbours, neighbours, shares, is_border };
        net.shares = net.shares_on(mesh);
        net
    }

    /// The shares of neighbours with which the mean of their places along the surface is the place of the point, so
    /// that a linear movement is its own mean, however uneven the triangles are; equal ones where that needs a negative
    /// share.
    fn shares_on(&self, mesh: &Mesh) -> Vec<f32> {
        let mut vertex_of = vec![0; self.count()];
        self.point_of.iter().enumerate().for_each(|(vertex, &point)| vertex_of[point as usize] = vertex);
        let mut shares = vec![0.0; self.neighbours.len()];
        for point in 0..self.count() {
            let own = self.own(point);
            let count = own.len() as f32;
            let vertices = &mesh.vertices;
            let (place, normal) = (vertices.positions[vertex_of[point]], vertices.normals[vertex_of[point]]);
            let (x, y) = normal.normalize_or(Vec3::Z).any_orthonormal_pair();
            let along = |&neighbour: &u32| {
                let edge = vertices.positions[vertex_of[neighbour as usize]] - place;
                Vec2::new(edge.dot(x), edge.dot(y))
            };
            let edges: Vec<Vec2> = self.neighbours[own.clone()].iter().map(along).collect();
            let sum: Vec2 = edges.iter().sum();
            let square = |edge: &Vec2| Mat2::from_cols(*edge * edge.x, *edge * edge.y);
            let squares = edges.iter().fold(Mat2::ZERO, |squares, edge| squares + square(edge));
            // The share is a linear function of the edge: a constant, and a slope against the sum of the edges.
            let slope = -(squares.inverse() * sum);
            let constant = (count + slope.dot(sum)).recip();
            let linear: Vec<f32> = edges.iter().map(|edge| constant * (1.0 + slope.dot(*edge))).collect();
            let is_mean = linear.iter().all(|share| *share >= 0.0 && share.is_finite());
            shares[own].copy_from_slice(&if is_mean { linear } else { vec![count.recip(); edges.len()] });
        }
        shares
    }

    /// The places of a point's neighbours in the lists.
    fn own(&self, point: usize) -> Range<usize> {
        self.first_neighbours[point] as usize..self.first_neighbours[point + 1] as usize
    }

    pub(super) fn count(&self) -> usize {
        self.members.len()
    }

    /// The points that move and those up to so many edges away, ascending.
    pub(super) fn within(&self, edges: u32, movement: &[Vec3]) -> Vec<u32> {
        let mut is_reached: Vec<bool> = movement.iter().map(|delta| *delta != Vec3::ZERO).collect();
        let mut reached: Vec<u32> = (0..self.count() as u32).filter(|&point| is_reached[point as usize]).collect();
        let mut ring = 0..reached.len();
        for _ in 0..edges {
            for at in ring.clone() {
                for &next in &self.neighbours[self.own(reached[at] as usize)] {
                    if !std::mem::replace(&mut is_reached[next as usize], true) {
                        reached.push(next);
                    }
                }
            }
            ring = ring.end..reached.len();
        }
        reached.sort_unstable();
        reached
    }

    /// By how much each of some points differs from the mean of its neighbours.
    pub(super) fn umbrella(&self, values: &[Vec3], points: &[u32], differences: &mut [Vec3]) {
        for &point in points {
            let point = point as usize;
            let own = self.own(point);
            let around = self.neighbours[own.clone()].iter().zip(&self.shares[own.clone()]);
            let mean: Vec3 = around.map(|(&it, &share)| values[it as usize] * share).sum();
            differences[point] = if own.is_empty() { Vec3::ZERO } else { values[point] - mean };
        }
    }
}

/// Per group of vertices at one place, whether some shape of the mesh parts them.
fn slits(mesh: &Mesh, groups: &Groups, length_mm: impl Fn(u32, Vec3) -> f32) -> Vec<bool> {
    let mut is_slit = vec![false; groups.count()];
    let shared: Vec<usize> = (0..groups.count()).filter(|&group| groups.members(group).len() > 1).collect();
    let mut is_shared = vec![false; mesh.vertices.len()];
    shared.iter().flat_map(|&group| groups.members(group)).for_each(|&vertex| is_shared[vertex as usize] = true);
    let mut movement = vec![Vec3::ZERO; mesh.vertices.len()];
    for shape in mesh.targets.iter().flat_map(|target| target.shapes()) {
        let rows = || shape.rows.iter().zip(shape.positions).filter(|(row, _)| is_shared[**row as usize]);
        rows().for_each(|(&row, &delta)| movement[row as usize] = delta);
        for &group in &shared {
            let members = groups.members(group);
            let parts = |&vertex: &u32| {
                let gap = movement[vertex as usize] - movement[members[0] as usize];
                gap != Vec3::ZERO && length_mm(vertex, gap) > SLIT_MM
            };
            is_slit[group] |= members[1..].iter().any(parts);
        }
        rows().for_each(|(&row, _)| movement[row as usize] = Vec3::ZERO);
    }
    is_slit
}
