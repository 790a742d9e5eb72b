//! Smoothing groups: which vertices of a mesh shade as one surface.
//!
//! A file splits a vertex at a seam of the texture coordinates and at a hard edge. At rest both copies have the same
//! position, and at a hard edge they have different normals. Vertices that coincide and have (nearly) the same normal
//! are one *group*: across a seam of the texture the surface stays smooth, across a hard edge it stays hard.
//!
//! The run time is that of sorting the vertices, whatever a file holds: also for a million vertices in one place.

use glam::Vec3;
use rayon::prelude::*;

use smirk_base::counting_sort::by_key;

use super::Vertices;

/// Two normals whose tips are closer than this (1°) belong to one smooth surface.
const SAME_NORMAL: f32 = 0.01745;

/// The largest number of vertices in a group. Further ones begin another group.
const MAX_MEMBERS: u32 = 64;

/// The largest number of different normals at one position. Vertices with further ones are groups of their own.
const MAX_DIRECTIONS: usize = 32;

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
    pub fn new(vertices: &Vertices) -> Self {
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

    pub fn bytes(&self) -> usize {
        [&self.group_of, &self.first_members, &self.members].map(|list| size_of_val(list.as_slice())).iter().sum()
    }

    pub fn count(&self) -> usize {
        self.first_members.len() - 1
    }

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
    let mut leaders = [(0, Vec3::ZERO, 0); MAX_DIRECTIONS];
    let mut leader_count = 0;
    for &(_, vertex) in place {
        let normal = normals.get(vertex as usize).copied().unwrap_or_default();
        if normal == Vec3::ZERO {
            continue;
        }
        let alike = leaders[..leader_count].iter_mut().find(|(_, other, members)| {
            *members < MAX_MEMBERS && normal.distance_squared(*other) < SAME_NORMAL * SAME_NORMAL
        });
        if let Some((leader, _, members)) = alike {
            first_of[vertex as usize] = *leader;
            *members += 1;
        } else if leader_count < MAX_DIRECTIONS {
            leaders[leader_count] = (vertex, normal, 1);
            leader_count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(positions: Vec<Vec3>, normals: Vec<Vec3>) -> Vertices {
        Vertices { positions, normals, ..Default::default() }
    }

    /// Two triangles over a square, split along the diagonal: 0-1-2 and 3-4-5, 3 on 0 and 4 on 2.
    fn split_square(second_normal: Vec3) -> Vertices {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::new(-0.0, 0.0, 0.0), Vec3::ONE, Vec3::Y];
        vertices(positions, [vec![Vec3::Z; 3], vec![second_normal; 3]].concat())
    }

    #[test]
    fn vertices_at_a_seam_of_the_texture_are_one_group() {
        let groups = Groups::new(&split_square(Vec3::Z));
        assert_eq!(groups.members(groups.of_vertex(0)), [0, 3]);
        assert_eq!(groups.members(groups.of_vertex(4)), [2, 4]);
    }

    #[test]
    fn a_hard_edge_stays_hard_and_half_a_degree_is_smooth() {
        let turned = |degrees: f32| Vec3::new(0.0, degrees.to_radians().sin(), degrees.to_radians().cos());
        assert_eq!(Groups::new(&split_square(turned(2.0))).count(), 6);
        assert_eq!(Groups::new(&split_square(turned(0.5))).count(), 4);
        assert_eq!(
            Groups::new(&split_square(Vec3::ZERO)).count(),
            6,
            "vertices without a normal are groups of their own"
        );
    }

    #[test]
    fn a_cubes_corner_is_three_groups() {
        let normals = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::Y];
        let groups = Groups::new(&vertices(vec![Vec3::ONE; 4], normals));
        assert_eq!((0..4).map(|vertex| groups.of_vertex(vertex)).collect::<Vec<_>>(), [0, 1, 2, 1]);
    }

    #[test]
    fn a_million_vertices_in_one_place_are_grouped_within_the_limits() {
        let count = 1_000_000;
        let normal = |index: usize| Vec3::new((index as f32).sin(), (index as f32).cos(), 0.0);
        let groups = Groups::new(&vertices(vec![Vec3::ZERO; count], (0..count).map(normal).collect()));
        assert!(groups.count() > count / 2, "most are groups of their own");
        let largest = (0..groups.count()).map(|group| groups.members(group).len()).max();
        assert_eq!(largest, Some(MAX_MEMBERS as usize));
        assert_eq!(Groups::new(&Vertices::default()).count(), 0);
    }
}
