//! Points that are far away from all others of a frame: what a simulation that exploded, or a damaged file, leaves of a
//! point.

use glam::{DVec3, Vec3};

use crate::import::median;

/// A point that is farther from the middle than so many times the distance of half of the points is no part of what
/// moves: 10 metres for a face, and more for a body.
const FARTHEST: f32 = 100.0;
/// So many points tell where the middle is.
const SAMPLES: usize = 255;

/// Makes points that are far away from all others NaN, as points that are missing are. One of them alone would be more
/// than everything that a solution leaves of all the others.
pub(super) fn remove(positions: &mut [Vec3]) {
    let step = positions.len().div_ceil(SAMPLES).max(1);
    let mut samples: Vec<Vec3> = positions.iter().copied().step_by(step).filter(|it| it.is_finite()).collect();
    let middle = [0, 1, 2].map(|axis| median(samples.iter().map(|sample| sample[axis].into())));
    let [Some(x), Some(y), Some(z)] = middle else { return };
    let middle = DVec3::new(x, y, z).as_vec3();
    samples.retain(|sample| *sample != middle);
    let Some(usual) = median(samples.iter().map(|sample| distance(*sample, middle).into())) else { return };
    let most = FARTHEST * usual as f32;
    for position in positions.iter_mut().filter(|position| distance(**position, middle) > most) {
        *position = Vec3::NAN;
    }
}

/// The distance of two points along the axis along which it is largest, which cannot overflow as their squares can.
fn distance(a: Vec3, b: Vec3) -> f32 {
    (a - b).abs().max_element()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face() -> Vec<Vec3> {
        (0..1000).map(|at| Vec3::new((at % 10) as f32, (at / 10 % 10) as f32, (at / 100) as f32) * 0.02).collect()
    }

    #[test]
    fn one_point_far_away_is_removed_and_no_other() {
        for far in [1e3, 1e10, 1e20, f32::MAX, f32::INFINITY, f32::NAN] {
            for (at, point) in
                [(0, Vec3::splat(far)), (500, Vec3::new(0.0, -far, 0.0)), (999, Vec3::new(far, 0.1, 0.1))]
            {
                let mut positions = face();
                positions[at] = point;
                remove(&mut positions);
                let removed: Vec<usize> = (0..1000).filter(|&it| !positions[it].is_finite()).collect();
                assert_eq!(removed, [at], "{point}");
                assert!(positions.iter().zip(face()).enumerate().all(|(it, (a, b))| it == at || *a == b));
            }
        }
    }

    #[test]
    fn a_body_around_a_face_and_a_head_anywhere_stay() {
        let mut positions = face();
        positions.push(Vec3::new(0.0, -1.7, 0.0));
        positions.iter_mut().for_each(|position| *position += Vec3::new(4e3, 0.0, -7e3));
        let before = positions.clone();
        remove(&mut positions);
        assert_eq!(positions, before);
        for few in [vec![], vec![Vec3::ONE], vec![Vec3::ONE; 9], vec![Vec3::NAN; 3]] {
            let mut same = few.clone();
            remove(&mut same);
            assert_eq!(format!("{same:?}"), format!("{few:?}"));
        }
    }
}
