//! The error that packing may cause at each vertex, so that the bounds of [`Precision::Packed`](super::deltas::Precision) hold.
//!
//! An error of a position turns the normals that are recomputed from it. The fan of triangles around a vertex has the area
//! `A = Σ a × b` over the edges of its rim; if the error of every position is at most ε, that of `A` is less than ε times the length
//! of the rim. So the error of a vertex may be the tolerated angle times the smallest `|A| ÷ rim` of all fans it is part of.

use glam::{DVec3, Vec3};

use super::column::{BLOCK_SIZE, BlockTolerance};
use crate::blend::normals::{Groups, triangles};
use smirk_face::head::{Head, Mesh};

/// How far packing may move a vertex at weights in -1..1, as a part of the head's size. The rest of the 1e-5 is for the rounding
/// of the sum itself.
const DISTANCE: f32 = 0.9e-5;

/// How far packing may move the tip of a direction of unit length. It corresponds to 0.02° and not 0.1°, because a blend may shorten a
/// direction before it is renormalised.
const CHORD: f32 = 3e-4;

/// How far packing may turn a recomputed normal, in radians.
const TURN: f64 = 1e-3;

/// The tolerated errors of a mesh.
pub(super) struct PackingTolerance {
    /// The tolerated distance for each place of the mesh, in mesh space.
    distances: Vec<f32>,
}

impl PackingTolerance {
    /// The tolerance of a mesh whose vertices are at `places`, counted from the first of the mesh; `turning` is [`turning`] of the mesh.
    pub(super) fn new(head: &Head, mesh: &Mesh, places: &[u32], turning: &[f32]) -> Self {
        let distance = DISTANCE * head.bounds.size().max_element() / head.rest_pose.largest_scale(mesh);
        let distance = if distance.is_finite() { distance } else { 0.0 };
        let mut distances = vec![distance; places.len().next_multiple_of(BLOCK_SIZE)];
        for (place, turned) in places.iter().zip(turning) {
            let tolerated = &mut distances[*place as usize];
            *tolerated = tolerated.min(*turned);
        }
        Self { distances }
    }

    /// The tolerance of a block; `block` counts the blocks of the mesh.
    pub(super) fn of_block(&self, block: usize) -> BlockTolerance<'_> {
        BlockTolerance { positions: &self.distances[block * BLOCK_SIZE..][..BLOCK_SIZE], directions: CHORD }
    }
}

/// For each vertex, the largest error of its position that turns no normal around it by more than [`TURN`]. `groups` are those of the mesh.
pub(super) fn turning(mesh: &Mesh, groups: &Groups) -> Vec<f32> {
    let at = |vertex: u32| mesh.vertices.positions[vertex as usize].as_dvec3();
    let mut fans = vec![(DVec3::ZERO, 0.0); groups.count()];
    for [a, b, c] in triangles(mesh) {
        let cross = (at(b) - at(a)).cross(at(c) - at(a));
        for [corner, second, third] in [[a, b, c], [b, c, a], [c, a, b]] {
            let (area, rim) = &mut fans[groups.of_vertex(corner as usize)];
            *area += cross;
            *rim += at(second).distance(at(third));
        }
    }
    let tolerated = |(group, (area, rim)): (usize, &(DVec3, f64))| {
        let normal = mesh.vertices.normals.get(groups.members(group)[0] as usize);
        // Normals of zero are not recomputed, nor is a normal whose fan has no area.
        let is_turned = normal.is_some_and(|normal| *normal != Vec3::ZERO) && area.length() > 0.0;
        if is_turned { TURN * area.length() / rim } else { f64::INFINITY }
    };
    let tolerated: Vec<f64> = fans.iter().enumerate().map(tolerated).collect();
    let mut smallest = vec![f64::INFINITY; groups.count()];
    for corners in triangles(mesh) {
        let corners = corners.map(|corner| groups.of_vertex(corner as usize));
        let least = corners.iter().map(|&group| tolerated[group]).fold(f64::INFINITY, f64::min);
        corners.into_iter().for_each(|group| smallest[group] = smallest[group].min(least));
    }
    (0..mesh.vertices.len()).map(|vertex| smallest[groups.of_vertex(vertex)] as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Vertices};

    /// Two strips of triangles apart from each other, the second a hundred times narrower.
    fn strips(normal: Vec3) -> Mesh {
        let strip =
            |width: f32| (0..20).map(move |at| Vec3::new(width, (at / 2) as f32 * 0.1, width * (at % 2) as f32));
        let quads = (0..9).chain(10..19).flat_map(|quad| [0, 1, 2, 1, 3, 2].map(|corner| 2 * quad + corner));
        Mesh {
            vertices: Vertices {
                positions: strip(0.1).chain(strip(0.001)).collect(),
                normals: vec![normal; 40],
                ..Vertices::default()
            },
            indices: quads.collect(),
            ..Mesh::default()
        }
    }

    fn tolerated(mesh: Mesh) -> Vec<f32> {
        let head = Head::new(Asset { name: "strips".into(), meshes: vec![mesh], ..Asset::default() });
        let places: Vec<u32> = (0..40).collect();
        let mesh = &head.meshes[0];
        PackingTolerance::new(&head, mesh, &places, &turning(mesh, &Groups::of(&mesh.vertices))).distances
    }

    fn is_about(distance: f32, expected: f32) -> bool {
        (distance / expected - 1.0).abs() < 1e-2
    }

    #[test]
    fn vertices_of_narrow_triangles_have_smaller_tolerances() {
        let distances = tolerated(strips(Vec3::X));
        let whole = DISTANCE * 0.9;
        assert!(distances[..20].iter().all(|&distance| is_about(distance, whole)), "{distances:?}");
        // Twice the area of a triangle is 0.1 · 0.001. The fan at each end has two triangles and a rim of length 0.2, and the
        // neighbouring vertices are part of that fan; a fan in the middle has three triangles and a rim of length 0.2 as well.
        let [ends, between] = [1.0, 1.5].map(|areas| TURN as f32 * areas * 0.001);
        assert!(distances[20..23].iter().all(|&distance| is_about(distance, ends)), "{distances:?}");
        assert!(distances[23..37].iter().all(|&distance| is_about(distance, between)), "{distances:?}");
        assert!(distances[37..40].iter().all(|&distance| is_about(distance, ends)), "{distances:?}");
        assert!(distances[40..].iter().all(|&distance| is_about(distance, whole)), "{distances:?}");
    }

    #[test]
    fn without_normals_only_the_distance_limits_the_tolerance() {
        let mut pointless = strips(Vec3::X);
        pointless.vertices.positions.iter_mut().for_each(|at| at.z = 0.0);
        for mesh in [strips(Vec3::ZERO), pointless] {
            assert!(tolerated(mesh).iter().all(|&distance| is_about(distance, DISTANCE * 0.9)));
        }
    }
}
