//! The triangles around smoothing groups, of which normals are recomputed.
//!
//! The run time is linear in vertices and indices, whatever a file holds: fans of a million triangles, a million
//! vertices in one place, indices out of range.

use rayon::prelude::*;

use smirk_base::counting_sort::by_key;
use smirk_face::head::{Groups, Mesh};

/// This bit is set in the entry of a ring that begins a fan; the other bits are a vertex.
pub(in crate::blend) const FAN: u32 = 1 << 31;

/// If a group has more triangles than this, they are not joined: each is a fan of its own.
const MAX_JOINED: usize = 64;

/// The groups whose rings are joined as one parallel task.
const GROUPS_AT_ONCE: usize = 4096;

/// The triangles around every group, as fans. A fan is listed as the vertices along its rim, in winding order.
///
/// A triangle of the group's vertex `v` and its neighbours `a`, `b` is the two entries `a`, `b`; the next one of the
/// fan, `v`, `b`, `c`, adds `c`. Inside a surface that is one entry a triangle and one to begin with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rings {
    /// The index in `entries` at which each group's ring begins, and, as a last element, the end of the last ring.
    first_entries: Vec<u32>,
    /// Vertices of the mesh, [`FAN`] set where a fan begins.
    entries: Vec<u32>,
}

impl Rings {
    /// The rings of a mesh's groups. Triangles that use a vertex twice, or one that does not exist, are left out.
    pub(super) fn new(mesh: &Mesh, groups: &Groups) -> Self {
        let corners = mesh.valid_triangles().flat_map(|[a, b, c]| [(a, [b, c]), (b, [c, a]), (c, [a, b])]);
        let corners = corners.map(|(corner, others)| (groups.of_vertex(corner as usize) as u32, others));
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

    pub(super) fn entry_count(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn of_group(&self, group: usize) -> &[u32] {
        &self.entries[self.first_entries[group] as usize..self.first_entries[group + 1] as usize]
    }
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
        let first = left.iter().position(|[a, _]| left.iter().all(|[_, b]| b != a)).unwrap_or(0);
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
    use glam::Vec3;
    use smirk_face::head::Vertices;

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
    fn the_ring_around_a_seam_has_the_triangles_of_both_sides() {
        let mesh = split_square(Vec3::Z);
        let groups = Groups::new(&mesh.vertices);
        let rings = Rings::new(&mesh, &groups);
        // The ring contains both triangles, although they share no edge.
        assert_eq!(ring(&rings, groups.of_vertex(3)), [(1, true), (2, false), (4, true), (5, false)]);
        assert_eq!(ring(&rings, groups.of_vertex(1)), [(2, true), (0, false)]);
    }

    #[test]
    fn a_closed_fan_needs_one_entry_more_than_it_has_triangles() {
        let rim = (0..5).map(|at| Vec3::new(at as f32, 1.0, 0.0));
        let positions = std::iter::once(Vec3::ZERO).chain(rim).collect();
        let indices = [[0, 1, 2], [4, 5, 0], [3, 4, 0], [0, 5, 1], [2, 3, 0]].concat();
        let mesh = mesh(positions, vec![Vec3::Z; 6], indices);
        let rings = Rings::new(&mesh, &Groups::new(&mesh.vertices));
        assert_eq!(ring(&rings, 0), [(1, true), (2, false), (3, false), (4, false), (5, false), (1, false)]);
    }

    #[test]
    fn invalid_triangles_are_left_out() {
        let mesh = mesh(vec![Vec3::NAN; 3], vec![Vec3::Z; 3], vec![0, 0, 1, 0, 1, 3, 1, 2, u32::MAX, 0, 1]);
        let groups = Groups::new(&mesh.vertices);
        assert_eq!(groups.count(), 1);
        assert!(Rings::new(&mesh, &groups).of_group(0).is_empty());
    }

    #[test]
    fn a_million_vertices_in_one_place_have_rings() {
        let count = 1_000_000;
        let normal = |index: usize| Vec3::new((index as f32).sin(), (index as f32).cos(), 0.0);
        let mesh = mesh(vec![Vec3::ZERO; count], (0..count).map(normal).collect(), (0..count as u32 - 1).collect());
        let rings = Rings::new(&mesh, &Groups::new(&mesh.vertices));
        assert!(rings.entry_count() >= count - 3, "{} entries", rings.entry_count());
    }

    #[test]
    fn a_fan_of_very_many_triangles_is_kept_whole() {
        let count = 100_000_u32;
        let indices = (1..count).flat_map(|rim| [0, rim, rim % (count - 1) + 1]).collect();
        let positions = (0..count).map(|at| Vec3::splat(at as f32)).collect();
        let mesh = mesh(positions, vec![Vec3::Z; count as usize], indices);
        let rings = Rings::new(&mesh, &Groups::new(&mesh.vertices));
        assert_eq!(rings.of_group(0).len(), 2 * (count as usize - 1));
    }
}
