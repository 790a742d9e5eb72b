//! A smoother movement.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, PoisonError};

use glam::{Mat2, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::field::{Field, fields, with_fields};
use super::plan::{Plan, Scope};
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Groups, Mesh};

/// The movement of a shape is smoothed over the surface, not the surface: what bends in it becomes even, and what is
/// linear stays (a bilaplacian). The borders of a mesh and slits, such as those of lids and lips, move as before.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Smooth {
    /// How much of each pass is done, 1 at most.
    #[serde(deserialize_with = "super::not_negative")]
    pub strength: f32,
    /// At most [`Self::MOST_PASSES`].
    pub passes: u32,
}

impl Default for Smooth {
    fn default() -> Self {
        Self { strength: 1.0, passes: 5 }
    }
}

/// Vertices of one place that part by more in some shape are the two sides of a slit, in millimetres.
const SLIT_MM: f32 = 0.05;

/// A movement that a still vertex gets is left out if it is smaller, in millimetres.
const LEAST_MM: f32 = 1e-4;

impl Smooth {
    pub const MOST_PASSES: u32 = 200;

    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let meshes = scope.shapes.iter().flat_map(|&shape| scope.targets(shape)).map(|((mesh, _), _)| mesh);
        let meshes: BTreeSet<usize> = meshes.collect();
        let nets: BTreeMap<usize, Arc<Net>> = meshes.into_iter().map(|mesh| (mesh, net(scope, mesh))).collect();
        plan.change_each(scope, |(mesh, _), target| {
            with_fields(target, fields(target).map(|field| self.smoothed(scope, mesh, &nets[&mesh], &field)))
        });
        plan
    }

    fn smoothed(self, scope: &Scope<'_>, mesh: usize, net: &Net, field: &Field) -> Field {
        let mut change = [vec![Vec3::ZERO; net.count()], vec![Vec3::ZERO; net.count()]];
        for (column, change) in change.iter_mut().enumerate().filter(|(column, _)| field.columns[*column]) {
            let mut movement = vec![Vec3::ZERO; net.count()];
            for (row, value) in field.iter() {
                let point = net.point_of[row as usize] as usize;
                movement[point] += value[column] / net.members[point] as f32;
            }
            let before = movement.clone();
            // The eigenvalues of the umbrella operator are 2 at most, so that a quarter of its square is stable.
            let step = 0.25 * self.strength.min(1.0);
            let passes = self.passes.min(Self::MOST_PASSES);
            // A pass moves what is up to two edges away.
            let reached = net.within(2 * passes, &movement);
            let [mut bent, mut twice] = [vec![Vec3::ZERO; net.count()], vec![Vec3::ZERO; net.count()]];
            for _ in 0..passes {
                net.umbrella(&movement, &reached, &mut bent);
                reached.iter().filter(|&&it| net.is_border[it as usize]).for_each(|&it| bent[it as usize] = Vec3::ZERO);
                net.umbrella(&bent, &reached, &mut twice);
                for &point in reached.iter().filter(|&&point| !net.is_border[point as usize]) {
                    movement[point as usize] -= twice[point as usize] * step;
                }
            }
            *change = movement.into_iter().zip(before).map(|(after, before)| after - before).collect();
        }
        let mut changed = Field { columns: field.columns, ..Field::default() };
        for (vertex, &point) in net.point_of.iter().enumerate() {
            let row = [change[0][point as usize], change[1][point as usize], Vec3::ZERO];
            let moves = scope.surface.length_mm(mesh, vertex as u32, row[0]) > LEAST_MM || row[1].length() > LEAST_MM;
            if moves || (row != [Vec3::ZERO; 3] && field.rows.binary_search(&(vertex as u32)).is_ok()) {
                changed.rows.push(vertex as u32);
                changed.values.push(row);
            }
        }
        field.zip(&changed, |_, before, change| std::array::from_fn(|at| before[at] + change[at]))
    }
}

/// The points of a mesh, which are its vertices without the copies at seams, and which of them are neighbours.
#[derive(Debug)]
pub(super) struct Net {
    groups: Arc<Groups>,
    /// Per group of vertices at one place, whether some shape parts them.
    is_slit: Vec<bool>,
    /// Per vertex.
    point_of: Vec<u32>,
    /// Per point, its number of vertices.
    members: Vec<u32>,
    /// Per point, where its neighbours begin in `neighbours`, and the end of the last.
    first_neighbours: Vec<u32>,
    neighbours: Vec<u32>,
    /// Per neighbour, its share in the mean: those of a point add up to 1.
    shares: Vec<f32>,
    is_border: Vec<bool>,
}

/// The net of a mesh: that of the last time, unless shapes part other vertices now.
fn net(scope: &Scope<'_>, index: usize) -> Arc<Net> {
    let mut known = scope.surface.nets[index].lock().unwrap_or_else(PoisonError::into_inner);
    let mesh = &scope.head.meshes[index];
    let groups = match &*known {
        Some(net) => net.groups.clone(),
        None => Arc::new(Groups::new(&mesh.vertices)),
    };
    let is_slit = slits(scope, index, &groups);
    let same = known.take().filter(|net| net.is_slit == is_slit);
    known.insert(same.unwrap_or_else(|| Arc::new(Net::new(mesh, groups, is_slit)))).clone()
}

impl Net {
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

    fn count(&self) -> usize {
        self.members.len()
    }

    /// The points that move and those up to so many edges away, ascending.
    fn within(&self, edges: u32, movement: &[Vec3]) -> Vec<u32> {
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
    fn umbrella(&self, values: &[Vec3], points: &[u32], differences: &mut [Vec3]) {
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
fn slits(scope: &Scope<'_>, index: usize, groups: &Groups) -> Vec<bool> {
    let mesh = &scope.head.meshes[index];
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
                gap != Vec3::ZERO && scope.surface.length_mm(index, vertex, gap) > SLIT_MM
            };
            is_slit[group] |= members[1..].iter().any(parts);
        }
        rows().for_each(|(&row, _)| movement[row as usize] = Vec3::ZERO);
    }
    is_slit
}
