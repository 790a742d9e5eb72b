//! Which meshes and which vertices of two heads are the same.

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};
use smirk_base::counting_sort::by_key;

use super::by_name;
use crate::head::{Head, Matching, ShapeDeltas, Target, UvColorDeltas};

/// A mesh that two heads have.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedMesh {
    pub old: usize,
    pub new: usize,
    pub vertices: MatchedVertices,
}

#[derive(Clone, Debug, PartialEq)]
pub enum MatchedVertices {
    Unknown,
    InOrder,
    /// They were found otherwise.
    Found {
        /// Per vertex of the new mesh, that of the old mesh; none for one that the old mesh has not.
        old_of_new: Vec<Option<u32>>,
        by: Matching,
    },
}

impl MatchedMesh {
    /// The meshes of two heads: those of the same name, then those of the same number of vertices and triangles.
    /// Vertices are the same if there are equally many.
    pub fn in_order(old: &Head, new: &Head) -> Vec<Self> {
        let pairs = paired_meshes(old, new).into_iter();
        let matched = pairs.map(|[a, b]| {
            let is_in_order = old.meshes[a].vertices.len() == new.meshes[b].vertices.len();
            let vertices = if is_in_order { MatchedVertices::InOrder } else { MatchedVertices::Unknown };
            Self { old: a, new: b, vertices }
        });
        matched.collect()
    }
}

/// The old and the new index of each mesh that both heads have.
pub fn paired_meshes(old: &Head, new: &Head) -> Vec<[usize; 2]> {
    let [before, after] = [old, new].map(|head| {
        let names = head.meshes.iter().map(|mesh| mesh.name.clone());
        names.zip(0..).collect::<Vec<(String, usize)>>()
    });
    let mut after = by_name(&after, |mesh| &mesh.0);
    let mut pairs = Vec::new();
    let mut left = Vec::new();
    for (key, (_, index)) in by_name(&before, |mesh| &mesh.0) {
        match after.remove(&key) {
            Some((_, other)) => pairs.push([*index, *other]),
            None => left.push(*index),
        }
    }
    for index in left {
        let mesh = &old.meshes[index];
        let found = after.iter().find(|(_, (_, other))| {
            let other = &new.meshes[*other];
            (other.vertices.len(), other.indices.len()) == (mesh.vertices.len(), mesh.indices.len())
        });
        if let Some((key, (_, other))) = found.map(|(key, other)| (key.clone(), *other)) {
            after.remove(&key);
            pairs.push([index, *other]);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The deltas of vertices in the world, in the order of the vertices of the new mesh.
pub(super) type Deltas = Vec<(u32, Vec3)>;

/// What deltas of a shape are compared.
#[derive(Clone, Copy)]
pub(super) enum Compared {
    Positions,
    Normals,
}

impl Compared {
    /// One per row, or none.
    fn deltas(self, shape: ShapeDeltas<'_>) -> &[Vec3] {
        match self {
            Self::Positions => shape.positions,
            Self::Normals => shape.normals,
        }
    }

    /// From the mesh into the world. Normals have no unit.
    fn world(self, world_from_mesh: Mat3) -> Mat3 {
        match self {
            Self::Positions => world_from_mesh,
            Self::Normals => {
                let [x, y, z] = [world_from_mesh.x_axis, world_from_mesh.y_axis, world_from_mesh.z_axis];
                Mat3::from_cols(x.normalize_or_zero(), y.normalize_or_zero(), z.normalize_or_zero())
            }
        }
    }
}

/// The deltas of a mesh of two heads, by the vertices of the new one.
pub(super) struct DeltasOfMesh<'a> {
    matched: &'a MatchedMesh,
    /// From the old mesh and from the new one into the world at rest, both in the unit of the old head; one for all
    /// vertices, or one each.
    worlds: [Vec<Mat4>; 2],
    /// Per vertex of the old mesh, where its new ones begin in `new_vertices`, and the end of the last; empty if they
    /// are in order.
    first_new: Vec<u32>,
    new_vertices: Vec<u32>,
}

impl<'a> DeltasOfMesh<'a> {
    /// None if it is not known which vertices are the same. `unit` is that of the old head by that of the new one.
    pub(super) fn new(old: &Head, new: &Head, matched: &'a MatchedMesh, unit: f32) -> Option<Self> {
        let (a, b) = (&old.meshes[matched.old], &new.meshes[matched.new]);
        let in_old_unit = Mat4::from_scale(Vec3::splat(unit));
        let now = new.rest_pose.world_from_vertices(b).into_iter().map(|world| in_old_unit * world);
        let worlds = [old.rest_pose.world_from_vertices(a), now.collect()];
        let (first_new, new_vertices) = match &matched.vertices {
            MatchedVertices::Unknown => return None,
            MatchedVertices::InOrder => (Vec::new(), Vec::new()),
            MatchedVertices::Found { old_of_new, .. } => {
                let old_count = a.vertices.len() as u32;
                let known = old_of_new.iter().zip(0_u32..).filter_map(|(old, new)| Some(((*old)?, new)));
                by_key(a.vertices.len(), known.filter(|(old, _)| *old < old_count))
            }
        };
        Some(Self { matched, worlds, first_new, new_vertices })
    }

    pub(super) fn matched(&self) -> &MatchedMesh {
        self.matched
    }

    pub(super) fn old(&self, target: &Target, weight: f32) -> Deltas {
        self.old_deltas(target, weight, Compared::Positions)
    }

    fn old_deltas(&self, target: &Target, weight: f32, compared: Compared) -> Deltas {
        let deltas = deltas_at(target, weight, &self.worlds[0], compared);
        if self.first_new.is_empty() {
            return deltas;
        }
        let mut renumbered = Deltas::new();
        for (old, delta) in deltas {
            let range = self.first_new[old as usize] as usize..self.first_new[old as usize + 1] as usize;
            renumbered.extend(self.new_vertices[range].iter().map(|&new| (new, delta)));
        }
        renumbered.sort_unstable_by_key(|(row, _)| *row);
        renumbered
    }

    /// The deltas of a target of the new mesh at a weight, of the vertices that the old mesh has too.
    pub(super) fn new_of(&self, target: &Target, weight: f32) -> Deltas {
        self.new_deltas(target, weight, Compared::Positions)
    }

    fn new_deltas(&self, target: &Target, weight: f32, compared: Compared) -> Deltas {
        let mut deltas = deltas_at(target, weight, &self.worlds[1], compared);
        if let MatchedVertices::Found { old_of_new, .. } = &self.matched.vertices {
            deltas.retain(|(row, _)| old_of_new.get(*row as usize).is_some_and(Option::is_some));
        }
        deltas
    }

    /// How far apart a target of each mesh moves vertices or turns normals, at the full weight of any of their shapes.
    pub(super) fn apart(&self, old: &Target, new: &Target, compared: Compared) -> Apart {
        let weights = [old, new].into_iter().flat_map(|target| &target.in_betweens).map(|it| it.full_weight);
        let apart = weights.chain([1.0]).map(|weight| {
            Apart::between(&self.old_deltas(old, weight, compared), &self.new_deltas(new, weight, compared))
        });
        apart.fold(Apart::default(), Apart::max)
    }

    /// Whether a target of each mesh changes texture coordinates or colours of the vertices that both have otherwise.
    pub(super) fn have_other_uvs_or_colors(&self, old: &Target, new: &Target, count: usize) -> bool {
        let [old, new] = [old, new].map(|target| &target.uv_color_deltas);
        let mut pairs = (0..count).filter_map(|now| Some((self.old_vertex(now)?, now)));
        (!old.rows.is_empty() || !new.rows.is_empty())
            && pairs.any(|(before, now)| uv_and_color_at(old, before) != uv_and_color_at(new, now))
    }

    /// The vertex of the old mesh that is a vertex of the new one. The old mesh may have fewer.
    pub(super) fn old_vertex(&self, new: usize) -> Option<usize> {
        match &self.matched.vertices {
            MatchedVertices::Found { old_of_new, .. } => old_of_new.get(new).copied().flatten().map(|old| old as usize),
            MatchedVertices::InOrder | MatchedVertices::Unknown => Some(new),
        }
    }

    /// The largest distance between where the vertices are at rest.
    pub(super) fn apart_at_rest(&self, old: &Head, new: &Head) -> f32 {
        let (a, b) = (&old.meshes[self.matched.old], &new.meshes[self.matched.new]);
        let [world_from_old, world_from_new] = &self.worlds;
        let apart = b.vertices.positions.iter().enumerate().filter_map(|(vertex, position)| {
            let old_vertex = self.old_vertex(vertex)?;
            let before = of_vertex(world_from_old, old_vertex).transform_point3(*a.vertices.positions.get(old_vertex)?);
            let now = of_vertex(world_from_new, vertex).transform_point3(*position);
            Some(now.distance_squared(before))
        });
        apart.fold(0.0, f32::max).sqrt()
    }
}

/// What is added to the texture coordinates and the colour of a vertex.
fn uv_and_color_at(deltas: &UvColorDeltas, vertex: usize) -> ([Vec2; 2], Vec4) {
    let row = deltas.rows.binary_search(&(vertex as u32)).ok();
    let uv = row.and_then(|row| deltas.uvs.get(row).copied()).unwrap_or_default();
    (uv, row.and_then(|row| deltas.colors.get(row).copied()).unwrap_or_default())
}

/// The transform of a vertex: that of all, or its own.
fn of_vertex(world_from_vertices: &[Mat4], vertex: usize) -> Mat4 {
    world_from_vertices.get(vertex).or(world_from_vertices.first()).copied().unwrap_or_default()
}

/// The deltas of the vertices that a target changes at a weight, ascending.
fn deltas_at(target: &Target, weight: f32, world_from_vertices: &[Mat4], compared: Compared) -> Deltas {
    let mut deltas = Deltas::new();
    for (shape, weight) in target.shapes_at(weight) {
        let rows = shape.rows.iter().copied().zip(compared.deltas(shape));
        deltas.extend(rows.map(|(row, delta)| {
            let world = compared.world(Mat3::from_mat4(of_vertex(world_from_vertices, row as usize)));
            (row, world * *delta * weight)
        }));
    }
    deltas.sort_by_key(|(row, _)| *row);
    deltas.dedup_by(|next, first| {
        let is_same = next.0 == first.0;
        if is_same {
            first.1 += next.1;
        }
        is_same
    });
    deltas
}

/// How far apart two shapes move vertices or turn normals.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Apart {
    pub largest: f32,
    /// The root of the mean squared distance over the vertices that one of the two moves.
    pub rms: f32,
}

impl Apart {
    fn between(old: &[(u32, Vec3)], new: &[(u32, Vec3)]) -> Self {
        let (mut largest, mut sum, mut count) = (0.0_f32, 0.0_f64, 0_u32);
        for_each_vertex(old, new, |_, old, new| {
            let apart = old.distance_squared(new);
            largest = largest.max(apart);
            sum += f64::from(apart);
            count += 1;
        });
        Self { largest: largest.sqrt(), rms: (sum / f64::from(count.max(1))).sqrt() as f32 }
    }

    fn max(self, other: Self) -> Self {
        Self { largest: self.largest.max(other.largest), rms: self.rms.max(other.rms) }
    }
}

/// Calls `visit` with the old and the new delta of every vertex that has one of the two.
pub(super) fn for_each_vertex(old: &[(u32, Vec3)], new: &[(u32, Vec3)], mut visit: impl FnMut(u32, Vec3, Vec3)) {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    while let Some(row) = [old.peek(), new.peek()].into_iter().flatten().map(|(row, _)| *row).min() {
        let [a, b] = [&mut old, &mut new].map(|deltas| deltas.next_if(|(other, _)| *other == row));
        visit(row, a.map_or(Vec3::ZERO, |(_, delta)| *delta), b.map_or(Vec3::ZERO, |(_, delta)| *delta));
    }
}
