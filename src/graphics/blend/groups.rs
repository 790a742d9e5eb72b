//! Smoothing groups: which vertices of a mesh shade as one surface, and the triangles around them.
//!
//! A file splits a vertex at a seam of the texture coordinates and at a hard edge. At rest both copies have the same position,
//! and at a hard edge they have different normals. Vertices that coincide and have (nearly) the same normal are one *group*:
//! across a seam of the texture the surface stays smooth, across a hard edge it stays hard.
//!
//! The run time is linear in vertices and indices, whatever a file holds: fans of a million triangles, a million
//! vertices in one place, indices out of range.

use glam::Vec3;
use rayon::prelude::*;

use smirk_base::counting_sort::by_key;
use smirk_face::head::{Mesh, Vertices};

/// This bit is set in the entry of a ring that begins a fan; the other bits are a vertex.
pub(crate) const FAN: u32 = 1 << 31;

/// Two normals whose tips are closer than this (1°) belong to one smooth surface.
const SAME_NORMAL: f32 = 0.01745;

/// The largest number of vertices in a group. Further ones begin another group.
const MAX_MEMBERS: u32 = 64;

/// The largest number of different normals at one position. Vertices with further ones are groups of their own.
const MAX_DIRECTIONS: usize = 32;

/// If a group has more triangles than this, they are not joined: each is a fan of its own.
const MAX_JOINED: usize = 64;

/// The groups whose rings are joined as one parallel task.
const GROUPS_AT_ONCE: usize = 4096;

/// Every vertex's group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Per vertex; groups are counted in the order of their first vertices.
    group_of: Vec<u32>,
    /// The index in `members` at which each group begins, and, as a last element, the end of the last group.
    first_members: Vec<u32>,
    /// The vertices of all groups, one group after the other; ascending within a group.
    members: Vec<u32>,
}

impl Groups {
    /// Groups the vertices of a mesh.
    pub fn of(vertices: &Vertices) -> Self {
        // Until groups are numbered, each is identified by its first member.
        let mut first_of: Vec<u32> = (0..vertices.len() as u32).collect();
        let mut places: Vec<([u32; 3], u32)> = vertices.positions.iter().map(|&at| bits_of(at)).zip(0..).collect();
        places.par_sort_unstable();
        for place in places.chunk_by(|(a, _), (b, _)| a == b).filter(|place| place.len() > 1) {
            group_place(place, &vertices.normals, &mut first_of);
        }
        let mut count = 0;
        let mut group_of = vec![0; first_of.len()];
        for (vertex, &first) in first_of.iter().enumerate() {
            if first as usize == vertex {
                group_of[vertex] = count;
                count += 1;
            } else {
                group_of[vertex] = group_of[first as usize];
            }
        }
        let (first_members, members) = by_key(count as usize, group_of.iter().copied().zip(0..));
        Self { group_of, first_members, members }
    }

    /// The bytes of the lists.
    pub(in crate::blend) fn bytes(&self) -> usize {
        [&self.group_of, &self.first_members, &self.members].map(|list| size_of_val(list.as_slice())).iter().sum()
    }

    /// How many groups there are.
    pub fn count(&self) -> usize {
        self.first_members.len() - 1
    }

    /// The group a vertex is in.
    pub fn of_vertex(&self, vertex: usize) -> usize {
        self.group_of[vertex] as usize
    }

    /// A group's vertices, ascending.
    pub fn members(&self, group: usize) -> &[u32] {
        &self.members[self.first_members[group] as usize..self.first_members[group + 1] as usize]
    }
}

/// Equal positions give equal bits: -0 counts as 0, and a NaN equals a NaN with the same bits.
fn bits_of(position: Vec3) -> [u32; 3] {
    position.to_array().map(|value| (value + 0.0).to_bits())
}

/// Groups the vertices at one position by their normals. A vertex joins the first vertex with a similar normal.
fn group_place(place: &[([u32; 3], u32)], normals: &[Vec3], first_of: &mut [u32]) {
    let mut leaders: [(u32, u32); MAX_DIRECTIONS] = [(0, 0); MAX_DIRECTIONS];
    let mut leader_count = 0;
    let normal_of = |vertex: u32| normals.get(vertex as usize).copied().unwrap_or_default();
    for &(_, vertex) in place {
        let normal = normal_of(vertex);
        if normal == Vec3::ZERO {
            continue;
        }
        let is_alike = |(leader, members): &&mut (u32, u32)| {
            *members < MAX_MEMBERS && normal.distance_squared(normal_of(*leader)) < SAME_NORMAL * SAME_NORMAL
        };
        if let Some((leader, members)) = leaders[..leader_count].iter_mut().find(is_alike) {
            first_of[vertex as usize] = *leader;
            *members += 1;
        } else if leader_count < MAX_DIRECTIONS {
            leaders[leader_count] = (vertex, 1);
            leader_count += 1;
        }
    }
}

/// The triangles around every group, as fans. A fan is listed as the vertices along its rim, in winding order.
///
/// A triangle of the group's vertex `v` and its neighbours `a`, `b` is the two entries `a`, `b`; the next one of the fan,
/// `v`, `b`, `c`, adds `c`. Inside a surface that is one entry a triangle and one to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rings {
    /// The index in `entries` at which each group's ring begins, and, as a last element, the end of the last ring.
    first_entries: Vec<u32>,
    /// Vertices of the mesh, [`FAN`] set where a fan begins.
    entries: Vec<u32>,
}

impl Rings {
    /// The rings of a mesh's groups. Triangles that use a vertex twice, or one that does not exist, are left out.
    pub(super) fn of(mesh: &Mesh, groups: &Groups) -> Self {
        let corners = triangles(mesh).flat_map(|[a, b, c]| [(a, [b, c]), (b, [c, a]), (c, [a, b])]);
        let corners = corners.map(|(corner, others)| (groups.group_of[corner as usize], others));
        let (first_corners, mut corners) = by_key(groups.count(), corners);
        let mut left = corners.as_mut_slice();
        let tasks = (0..groups.count()).step_by(GROUPS_AT_ONCE).map(|first| {
            let firsts = &first_corners[first..=groups.count().min(first + GROUPS_AT_ONCE)];
            let count = firsts.last().map_or(0, |end| end - firsts[0]) as usize;
            (firsts, left.split_off_mut(..count).unwrap_or_default())
        });
        let rings = tasks.collect::<Vec<_>>().into_par_iter().map(|(firsts, corners)| {
            let (mut ends, mut entries) = (Vec::new(), Vec::with_capacity(corners.len() * 4 / 3));
            for group in firsts.windows(2) {
                join(&mut corners[(group[0] - firsts[0]) as usize..(group[1] - firsts[0]) as usize], &mut entries);
                ends.push(entries.len() as u32);
            }
            (ends, entries)
        });
        let rings: Vec<(Vec<u32>, Vec<u32>)> = rings.collect();
        let mut first_entries = vec![0];
        let mut entries = Vec::with_capacity(rings.iter().map(|(_, entries)| entries.len()).sum());
        for (ends, of_groups) in rings {
            let first = entries.len() as u32;
            first_entries.extend(ends.into_iter().map(|end| first + end));
            entries.extend(of_groups);
        }
        Self { first_entries, entries }
    }

    /// The number of entries in all rings.
    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn of_group(&self, group: usize) -> &[u32] {
        &self.entries[self.first_entries[group] as usize..self.first_entries[group + 1] as usize]
    }
}

/// The mesh's triangles that have three different, existing vertices.
pub fn triangles(mesh: &Mesh) -> impl Iterator<Item = [u32; 3]> + Clone {
    let count = mesh.vertices.len() as u32;
    let triangles = mesh.indices.as_chunks::<3>().0.iter().copied();
    triangles.filter(move |&[a, b, c]| a.max(b).max(c) < count && a != b && b != c && c != a)
}

/// Joins corners that share an edge into fans. Reorders `corners`.
fn join(corners: &mut [[u32; 2]], entries: &mut Vec<u32>) {
    if corners.len() > MAX_JOINED {
        entries.extend(corners.iter().flat_map(|&[a, b]| [a | FAN, b]));
        return;
    }
    let mut left = corners;
    while !left.is_empty() {
        // In an open fan the first corner has no predecessor; in a closed one any corner can be the first.
        let is_open = |&[a, _]: &[u32; 2]| left.iter().all(|[_, b]| *b != a);
        let first = left.iter().position(is_open).unwrap_or(0);
        let [a, mut rim] = take(&mut left, first);
        entries.extend([a | FAN, rim]);
        while let Some(next) = left.iter().position(|[a, _]| *a == rim) {
            rim = take(&mut left, next)[1];
            entries.push(rim);
        }
    }
}

/// Removes one corner from the slice. The others keep their order, so that the result depends on the mesh alone.
fn take(corners: &mut &mut [[u32; 2]], index: usize) -> [u32; 2] {
    let taken = corners[index];
    corners[..=index].rotate_right(1);
    *corners = &mut std::mem::take(corners)[1..];
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(positions: Vec<Vec3>, normals: Vec<Vec3>, indices: Vec<u32>) -> Mesh {
        Mesh { vertices: Vertices { positions, normals, ..Default::default() }, indices, ..Mesh::default() }
    }

    /// Two triangles over a square, split along the diagonal: 0-1-2 and 3-4-5, 3 on 0 and 4 on 2.
    fn split_square(second_normal: Vec3) -> Mesh {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::new(-0.0, 0.0, 0.0), Vec3::ONE, Vec3::Y];
        let normals = [vec![Vec3::Z; 3], vec![second_normal; 3]].concat();
        mesh(positions, normals, (0..6).collect())
    }

    fn ring(rings: &Rings, group: usize) -> Vec<(u32, bool)> {
        rings.of_group(group).iter().map(|entry| (entry & !FAN, entry & FAN != 0)).collect()
    }

    #[test]
    fn a_seam_of_the_texture_is_smooth() {
        let mesh = split_square(Vec3::Z);
        let groups = Groups::of(&mesh.vertices);
        assert_eq!(groups.members(groups.of_vertex(0)), [0, 3]);
        assert_eq!(groups.members(groups.of_vertex(4)), [2, 4]);
        let rings = Rings::of(&mesh, &groups);
        // The ring contains both triangles, although they share no edge.
        assert_eq!(ring(&rings, groups.of_vertex(3)), [(1, true), (2, false), (4, true), (5, false)]);
        assert_eq!(ring(&rings, groups.of_vertex(1)), [(2, true), (0, false)]);
    }

    #[test]
    fn a_hard_edge_stays_hard_and_half_a_degree_is_smooth() {
        let turned = |degrees: f32| Vec3::new(0.0, degrees.to_radians().sin(), degrees.to_radians().cos());
        assert_eq!(Groups::of(&split_square(turned(2.0)).vertices).count(), 6);
        assert_eq!(Groups::of(&split_square(turned(0.5)).vertices).count(), 4);
        assert_eq!(
            Groups::of(&split_square(Vec3::ZERO).vertices).count(),
            6,
            "vertices without a normal are groups of their own"
        );
    }

    #[test]
    fn a_cubes_corner_is_three_groups() {
        let normals = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::Y];
        let groups = Groups::of(&mesh(vec![Vec3::ONE; 4], normals, vec![]).vertices);
        assert_eq!((0..4).map(|vertex| groups.of_vertex(vertex)).collect::<Vec<_>>(), [0, 1, 2, 1]);
    }

    #[test]
    fn a_closed_fan_needs_one_entry_more_than_it_has_triangles() {
        let rim = (0..5).map(|at| Vec3::new(at as f32, 1.0, 0.0));
        let positions = std::iter::once(Vec3::ZERO).chain(rim).collect();
        let indices = [[0, 1, 2], [4, 5, 0], [3, 4, 0], [0, 5, 1], [2, 3, 0]].concat();
        let mesh = mesh(positions, vec![Vec3::Z; 6], indices);
        let rings = Rings::of(&mesh, &Groups::of(&mesh.vertices));
        assert_eq!(ring(&rings, 0), [(1, true), (2, false), (3, false), (4, false), (5, false), (1, false)]);
    }

    #[test]
    fn invalid_triangles_are_left_out() {
        let mesh = mesh(vec![Vec3::NAN; 3], vec![Vec3::Z; 3], vec![0, 0, 1, 0, 1, 3, 1, 2, u32::MAX, 0, 1]);
        let groups = Groups::of(&mesh.vertices);
        assert_eq!(groups.count(), 1);
        assert!(Rings::of(&mesh, &groups).of_group(0).is_empty());
        let nothing = Mesh::default();
        assert_eq!(Groups::of(&nothing.vertices).count(), 0);
    }

    #[test]
    fn a_million_vertices_in_one_place_take_no_longer_than_elsewhere() {
        let count = 1_000_000;
        let normal = |index: usize| Vec3::new((index as f32).sin(), (index as f32).cos(), 0.0);
        let mesh = mesh(vec![Vec3::ZERO; count], (0..count).map(normal).collect(), (0..count as u32 - 1).collect());
        let started = std::time::Instant::now();
        let groups = Groups::of(&mesh.vertices);
        Rings::of(&mesh, &groups);
        assert!(groups.count() > count / 2, "most are groups of their own");
        assert!(started.elapsed().as_secs_f32() < 20.0, "{:?}", started.elapsed());
        let largest = (0..groups.count()).map(|group| groups.members(group).len()).max();
        assert_eq!(largest, Some(MAX_MEMBERS as usize));
    }

    #[test]
    fn a_fan_of_very_many_triangles_is_kept_whole() {
        let count = 100_000_u32;
        let indices = (1..count).flat_map(|rim| [0, rim, rim % (count - 1) + 1]).collect();
        let positions = (0..count).map(|at| Vec3::splat(at as f32)).collect();
        let mesh = mesh(positions, vec![Vec3::Z; count as usize], indices);
        let rings = Rings::of(&mesh, &Groups::of(&mesh.vertices));
        assert_eq!(rings.of_group(0).len(), 2 * (count as usize - 1));
    }
}
