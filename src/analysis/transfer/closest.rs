//! The nearest point of a surface among what faces the same way and is on the same side of mouth and eyes.

use glam::DVec3;

use super::sheet::{Triangle, area_vector, corners, nearest_on};
use super::skin::{Side, Sides};
use crate::tree::{Extent, Tree};

pub(super) struct Surface<'a> {
    points: &'a [DVec3],
    triangles: Vec<Candidate>,
    tree: Tree,
}

struct Candidate {
    /// Among all triangles of the surface.
    index: u32,
    corners: Triangle,
    normal: DVec3,
    sides: Sides,
}

/// A point on a triangle of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnSurface {
    /// The number of the triangle among those that are wanted.
    candidate: u32,
    pub triangle: u32,
    pub shares: [f64; 3],
    pub place: DVec3,
    pub normal: DVec3,
    pub distance: f64,
}

impl<'a> Surface<'a> {
    /// The surface of the triangles that are wanted; `sides` has those of each point.
    pub(super) fn new(
        points: &'a [DVec3],
        triangles: &[Triangle],
        sides: &[Sides],
        is_wanted: impl Fn(usize) -> bool,
    ) -> Self {
        let wanted = triangles.iter().enumerate().filter(|(index, _)| is_wanted(*index));
        let triangles: Vec<Candidate> = wanted
            .map(|(index, &triangle)| {
                let of_corners = triangle.map(|corner| sides[corner as usize]);
                Candidate {
                    index: index as u32,
                    corners: triangle,
                    normal: area_vector(corners(points, triangle)).normalize_or_zero(),
                    sides: Sides {
                        lip: Side::most(of_corners.map(|sides| sides.lip)),
                        lid: Side::most(of_corners.map(|sides| sides.lid)),
                    },
                }
            })
            .collect();
        let extents = triangles
            .iter()
            .map(|candidate| Extent::around(corners(points, candidate.corners).map(|place| place.as_vec3())));
        Self { points, tree: Tree::new(extents.collect()), triangles }
    }

    /// The nearest point to a place, at less than `far`, of triangles whose normals are within an angle of this
    /// cosine.
    pub(super) fn nearest(
        &self,
        place: DVec3,
        normal: DVec3,
        sides: Sides,
        least_cosine: f64,
        far: f64,
    ) -> Option<OnSurface> {
        self.nearest_from(None, place, normal, sides, least_cosine, far)
    }

    /// The same, sooner: `known` is the one of a place near by, which is not far from this one either.
    pub(super) fn nearest_from(
        &self,
        known: Option<&OnSurface>,
        place: DVec3,
        normal: DVec3,
        sides: Sides,
        least_cosine: f64,
        far: f64,
    ) -> Option<OnSurface> {
        let on = |item: u32| {
            let candidate = &self.triangles[item as usize];
            if !candidate.sides.meet(sides) || candidate.normal.dot(normal) <= least_cosine {
                return None;
            }
            let [a, b, c] = corners(self.points, candidate.corners);
            let shares = nearest_on([a, b, c], place);
            Some((shares, a * shares[0] + b * shares[1] + c * shares[2]))
        };
        let squared = |item: u32| on(item).map(|(_, nearest)| nearest.distance_squared(place));
        let known = known.and_then(|known| Some((known.candidate, squared(known.candidate)?)));
        let known = known.filter(|(_, squared)| *squared < far * far);
        let limit = known.map_or(far * far, |(_, squared)| squared);
        let (item, squared) = self.tree.nearest(place.as_vec3(), limit, squared).or(known)?;
        let (shares, nearest) = on(item)?;
        let candidate = &self.triangles[item as usize];
        Some(OnSurface {
            candidate: item,
            triangle: candidate.index,
            shares,
            place: nearest,
            normal: candidate.normal,
            distance: squared.sqrt(),
        })
    }
}
