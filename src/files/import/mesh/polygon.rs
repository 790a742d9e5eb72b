//! Triangulates polygons. A fan from the first corner is right for convex polygons, which most are; in others its
//! triangles would overlap the outline.

use glam::{DVec3, Vec3};

/// Ear clipping takes time with the square of the number of corners; larger polygons become a fan from their first
/// corner.
pub(crate) const MOST_TO_CLIP: usize = 64;

/// The triangles of a polygon, two fewer than its corners, with its winding. Indices into `corners`.
pub(crate) fn triangulate(corners: &[Vec3]) -> Vec<[usize; 3]> {
    let all: Vec<usize> = (0..corners.len()).collect();
    if corners.len() <= 3 || corners.len() > MOST_TO_CLIP {
        return fan(&all);
    }
    // Computed in f64, where the product of any two f32 is finite.
    let corners: Vec<DVec3> = corners.iter().map(|corner| corner.as_dvec3()).collect();
    let outline = Outline { facing: facing(&corners), corners: &corners };
    let concave: Vec<usize> = all.iter().copied().filter(|&at| outline.turn_at(&all, at) < 0.0).collect();
    match concave[..] {
        [] => fan(&all),
        // A quad has at most one concave corner, and the fan from there is right.
        [corner] if all.len() == 4 => fan(&[&all[corner..], &all[..corner]].concat()),
        _ => outline.clipped(all),
    }
}

fn fan(corners: &[usize]) -> Vec<[usize; 3]> {
    let Some((&first, rest)) = corners.split_first() else { return Vec::new() };
    rest.windows(2).map(|pair| [first, pair[0], pair[1]]).collect()
}

/// The normal of a polygon by Newell's method; its length is twice the area.
fn facing(corners: &[DVec3]) -> DVec3 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&at, &next)| (at - corners[0]).cross(next - corners[0])).sum()
}

struct Outline<'a> {
    corners: &'a [DVec3],
    facing: DVec3,
}

impl Outline<'_> {
    /// Above 0 at a convex corner, below 0 at a concave one. `left` are the corners that are not clipped yet.
    fn turn_at(&self, left: &[usize], at: usize) -> f64 {
        let [before, own, after] = with_neighbours(left, at);
        self.turn(before, own, after)
    }

    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        let [a, b, c] = [a, b, c].map(|corner| self.corners[corner]);
        (b - a).cross(c - b).dot(self.facing)
    }

    /// Ear clipping: cuts off corners whose triangle contains no other corner. If there is none, as in an outline that
    /// crosses itself, the rest becomes a fan.
    fn clipped(&self, mut left: Vec<usize>) -> Vec<[usize; 3]> {
        let mut triangles = Vec::with_capacity(left.len());
        while left.len() > 3 {
            let Some(ear) = (0..left.len()).find(|&at| self.is_ear(&left, at)) else { break };
            triangles.push(with_neighbours(&left, ear));
            left.remove(ear);
        }
        triangles.extend(fan(&left));
        triangles
    }

    fn is_ear(&self, left: &[usize], at: usize) -> bool {
        let ear @ [a, b, c] = with_neighbours(left, at);
        let is_within =
            |corner: usize| [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| self.turn(from, to, corner) >= 0.0);
        self.turn(a, b, c) > 0.0
            && !left
                .iter()
                .any(|&corner| !ear.iter().any(|&own| self.corners[own] == self.corners[corner]) && is_within(corner))
    }
}

/// The previous corner, the corner itself and the next one, among those that are left.
fn with_neighbours(left: &[usize], at: usize) -> [usize; 3] {
    let count = left.len();
    [left[(at + count - 1) % count], left[at], left[(at + 1) % count]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the triangles of a flat outline have its winding and, together, its area.
    fn check_covered(outline: &[[f32; 2]]) -> Vec<[usize; 3]> {
        let corners: Vec<Vec3> = outline.iter().map(|&[x, y]| Vec3::new(x, 2.0, y)).collect();
        let made = triangulate(&corners);
        assert_eq!(made.len(), corners.len() - 2);
        let facing = |corners: &[usize]| {
            facing(
                &corners
                    .iter()
                    .map(|&at| Vec3::new(outline[at][0], 2.0, outline[at][1]).as_dvec3())
                    .collect::<Vec<_>>(),
            )
        };
        let whole = facing(&(0..corners.len()).collect::<Vec<_>>());
        let area: f64 = made.iter().map(|triangle| facing(triangle).length()).sum();
        assert!((area - whole.length()).abs() < 1e-6, "{made:?} cover {area} of {}", whole.length());
        assert!(made.iter().all(|triangle| facing(triangle).dot(whole) >= 0.0), "{made:?}");
        made
    }

    #[test]
    fn convex_polygons_become_a_fan_from_the_first_corner() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(check_covered(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn triangles_of_concave_polygons_stay_inside() {
        let arrow = [[0.0, 0.0], [2.0, -1.0], [0.5, 0.0], [2.0, 1.0]];
        for start in 0..4 {
            let mut turned = arrow;
            turned.rotate_left(start);
            check_covered(&turned);
            turned.reverse();
            check_covered(&turned);
        }
        let comb = [[0.0, 0.0], [5.0, 0.0], [5.0, 3.0], [4.0, 3.0], [4.0, 1.0], [3.0, 1.0], [3.0, 3.0], [0.0, 3.0]];
        for start in 0..comb.len() {
            let mut turned = comb;
            turned.rotate_left(start);
            check_covered(&turned);
        }
    }

    #[test]
    fn degenerate_outlines_become_triangles() {
        for corners in [vec![Vec3::ZERO; 5], vec![Vec3::MAX; 4], (0..100).map(|x| Vec3::X * x as f32).collect()] {
            assert_eq!(triangulate(&corners).len(), corners.len() - 2);
        }
        let crossed = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::Z];
        assert_eq!(triangulate(&crossed).len(), 3);
    }
}
