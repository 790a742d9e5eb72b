//! Polygons to triangles. A fan from the first corner is right for those that bulge nowhere inwards, and most do not; from
//! others it would fold triangles over the outline.

use glam::{DVec3, Vec3};

/// Triangles of a polygon's corners, as many as it has corners less two, turning as it does.
pub fn triangles(corners: &[Vec3]) -> Vec<[usize; 3]> {
    /// Clipping ears looks at every corner for every ear.
    const MOST_TO_CLIP: usize = 64;
    let all: Vec<usize> = (0..corners.len()).collect();
    if corners.len() <= 3 || corners.len() > MOST_TO_CLIP {
        return fan(&all);
    }
    // f64: products of any two f32 are finite there.
    let corners: Vec<DVec3> = corners.iter().map(|corner| corner.as_dvec3()).collect();
    let outline = Outline { facing: facing(&corners), corners: &corners };
    let dents: Vec<usize> = all.iter().copied().filter(|&at| outline.turn_at(&all, at) < 0.0).collect();
    match dents[..] {
        [] => fan(&all),
        // A quad has one dent at most, and the fan from there is right.
        [dent] if all.len() == 4 => fan(&[&all[dent..], &all[..dent]].concat()),
        _ => outline.clipped(all),
    }
}

fn fan(corners: &[usize]) -> Vec<[usize; 3]> {
    let Some((&first, rest)) = corners.split_first() else { return Vec::new() };
    rest.windows(2).map(|pair| [first, pair[0], pair[1]]).collect()
}

/// Which way a polygon faces, by all of its corners (M. Newell); twice as long as its area.
fn facing(corners: &[DVec3]) -> DVec3 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(&at, &next)| (at - corners[0]).cross(next - corners[0])).sum()
}

struct Outline<'a> {
    corners: &'a [DVec3],
    facing: DVec3,
}

impl Outline<'_> {
    /// Above 0 where the outline turns as the whole does, below 0 in a dent. `left` are the corners that are left.
    fn turn_at(&self, left: &[usize], at: usize) -> f64 {
        let [before, own, after] = around(left, at);
        self.turn(before, own, after)
    }

    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        let [a, b, c] = [a, b, c].map(|corner| self.corners[corner]);
        (b - a).cross(c - b).dot(self.facing)
    }

    /// Cuts off one corner after the other that has no other in its triangle; a fan of what is left where there is none, as
    /// in an outline that crosses itself.
    fn clipped(&self, mut left: Vec<usize>) -> Vec<[usize; 3]> {
        let mut triangles = Vec::with_capacity(left.len());
        while left.len() > 3 {
            let Some(ear) = (0..left.len()).find(|&at| self.is_ear(&left, at)) else { break };
            triangles.push(around(&left, ear));
            left.remove(ear);
        }
        triangles.extend(fan(&left));
        triangles
    }

    fn is_ear(&self, left: &[usize], at: usize) -> bool {
        let ear @ [a, b, c] = around(left, at);
        let is_at_ear = |corner: usize| ear.iter().any(|&own| self.corners[own] == self.corners[corner]);
        let is_within =
            |corner: usize| [(a, b), (b, c), (c, a)].iter().all(|&(from, to)| self.turn(from, to, corner) >= 0.0);
        self.turn(a, b, c) > 0.0 && !left.iter().any(|&corner| !is_at_ear(corner) && is_within(corner))
    }
}

/// A corner of those left between its neighbours.
fn around(left: &[usize], at: usize) -> [usize; 3] {
    let count = left.len();
    [left[(at + count - 1) % count], left[at], left[(at + 1) % count]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the triangles of a flat outline all turn as it does and together have its area.
    fn check_covered(outline: &[[f32; 2]]) -> Vec<[usize; 3]> {
        let corners: Vec<Vec3> = outline.iter().map(|&[x, y]| Vec3::new(x, 2.0, y)).collect();
        let made = triangles(&corners);
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
    fn what_bulges_out_is_a_fan_from_its_first_corner() {
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        assert_eq!(check_covered(&square), [[0, 1, 2], [0, 2, 3]]);
    }

    #[test]
    fn dents_are_not_folded_over() {
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
    fn outlines_that_are_none_still_become_triangles() {
        for corners in [vec![Vec3::ZERO; 5], vec![Vec3::MAX; 4], (0..100).map(|x| Vec3::X * x as f32).collect()] {
            assert_eq!(triangles(&corners).len(), corners.len() - 2);
        }
        let crossed = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::Z];
        assert_eq!(triangles(&crossed).len(), 3);
    }
}
