//! The openness of the points of any surface.

use glam::Vec3;
use rayon::prelude::*;

use super::depth_map::{DepthMap, Region};
use super::directions::directions;

/// A surface in the world.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    /// Its points.
    pub(super) points: Vec<Vec3>,
    /// The unit normal of each point. At a point whose normal is zero, light from all directions counts alike.
    pub(super) normals: Vec<Vec3>,
    /// The triangles that block light, as indices of points.
    pub(super) blockers: Vec<[u32; 3]>,
}

/// The directions from which light comes. Half of them are above each point.
const DIRECTIONS: usize = 64;

/// How far a point is lifted above its own triangles before it is looked up, in texels: within a texel, the middle of a plane is at
/// most 0.7 texels away from its middle.
const LIFT: f32 = 1.0;

/// The openness of each point of the shapes that a surface takes, 0..1. The shapes have the same triangles; those that none moves are
/// drawn once for all. A point is looked up in the first region that it is in; a point in none is fully open.
pub(super) fn openness<const SHAPES: usize>(shapes: [&Surface; SHAPES], regions: &[Region]) -> [Vec<f32>; SHAPES] {
    let all: Vec<Vec3> = directions(DIRECTIONS).collect();
    let first = shapes[0];
    let is_still = |&at: &u32| shapes.iter().all(|shape| shape.points[at as usize] == first.points[at as usize]);
    let (still, moving): (Vec<_>, Vec<_>) = first.blockers.iter().partition(|corners| corners.iter().all(is_still));
    let region_of = shapes.map(|shape| -> Vec<Option<usize>> {
        shape.points.iter().map(|&point| regions.iter().position(|region| region.contains(point))).collect()
    });
    let nothing = || shapes.map(|shape| vec![[0.0_f32; 2]; shape.points.len()]);
    let add_direction = |mut sums: [Vec<[f32; 2]>; SHAPES], &to_light: &Vec3| {
        for (index, &region) in regions.iter().enumerate() {
            let lift = region.texel() * LIFT;
            let mut of_all = DepthMap::new(region, to_light);
            of_all.draw(&first.points, &still);
            for ((shape, region_of), sums) in shapes.iter().zip(&region_of).zip(&mut sums) {
                let mut map = of_all.clone();
                map.draw(&shape.points, &moving);
                for (at, sum) in sums.iter_mut().enumerate().filter(|(at, _)| region_of[*at] == Some(index)) {
                    let normal = shape.normals[at];
                    let cosine = if normal == Vec3::ZERO { 1.0 } else { normal.dot(to_light) };
                    if cosine > 0.0 {
                        let is_open = map.is_visible(shape.points[at] + normal * lift);
                        *sum = [sum[0] + if is_open { cosine } else { 0.0 }, sum[1] + cosine];
                    }
                }
            }
        }
        sums
    };
    let add = |mut sums: [Vec<[f32; 2]>; SHAPES], more: [Vec<[f32; 2]>; SHAPES]| {
        let pairs = sums.iter_mut().flatten().zip(more.iter().flatten());
        pairs.for_each(|(sum, more)| *sum = [sum[0] + more[0], sum[1] + more[1]]);
        sums
    };
    let sums = all.par_iter().fold(nothing, add_direction).reduce(nothing, add);
    let share = |[open, all]: [f32; 2]| if all > 0.0 { (open / all).min(1.0) } else { 1.0 };
    sums.map(|sums| sums.into_iter().map(share).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openness_of(surface: &Surface) -> Vec<f32> {
        let radius = surface.points.iter().map(|point| point.length()).fold(0.0, f32::max) * 1.01;
        let [found] = openness([surface], &[Region { center: Vec3::ZERO, radius }]);
        found
    }

    /// Adds a parallelogram with points in its middle, and returns the index of the middle point.
    fn add_wall(surface: &mut Surface, corner: Vec3, along: Vec3, up: Vec3) -> usize {
        let first = surface.points.len() as u32;
        let middle = corner + (along + up) * 0.5;
        surface.points.extend([corner, corner + along, corner + along + up, corner + up, middle]);
        surface.normals.extend([along.cross(up).normalize_or(Vec3::Z); 5]);
        surface.blockers.extend([[0, 1, 2], [0, 2, 3]].map(|corners: [u32; 3]| corners.map(|corner| corner + first)));
        first as usize + 4
    }

    #[test]
    fn a_plane_is_open() {
        for turn in [Vec3::X, Vec3::new(0.3, 0.8, -0.5)] {
            let (along, up) = turn.any_orthogonal_vector().normalize_or(Vec3::X).any_orthonormal_pair();
            let mut surface = Surface::default();
            add_wall(&mut surface, -(along + up) * 0.5, along, up);
            assert!(openness_of(&surface).iter().all(|&open| open > 0.99), "{:?}", openness_of(&surface));
        }
    }

    #[test]
    fn the_inside_of_a_closed_box_is_dark_and_its_outside_open() {
        let mut surface = Surface::default();
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            for axis in [axis, -axis] {
                let (along, up) = axis.any_orthonormal_pair();
                let outside = add_wall(&mut surface, axis * 0.5 - (along + up) * 0.5, along, up);
                // A point just below the wall that looks into the box.
                surface.points.push(surface.points[outside] * 0.9);
                surface.normals.push(-surface.normals[outside]);
            }
        }
        let found = openness_of(&surface);
        for wall in found.chunks(6) {
            assert!(wall[4] > 0.99, "outside: {}", wall[4]);
            assert!(wall[5] < 0.01, "inside: {}", wall[5]);
        }
    }

    /// In a groove of two endless planes, a point sees the other plane over (1 + cos of the angle) / 2 of its cosine-weighted sky.
    #[test]
    fn a_groove_is_as_open_as_its_angle() {
        for degrees in [60.0_f32, 90.0, 120.0] {
            let half = degrees.to_radians() * 0.5;
            let mut surface = Surface::default();
            let (left, right) = (Vec3::new(-half.sin(), half.cos(), 0.0), Vec3::new(half.sin(), half.cos(), 0.0));
            let long = Vec3::Z * 80.0;
            let on_left = add_wall(&mut surface, long * 0.5, -long, left * 20.0);
            let on_right = add_wall(&mut surface, -long * 0.5, long, right * 20.0);
            // Near the bottom of the groove, compared with its size, the planes are endless.
            for middle in [on_left, on_right] {
                surface.points[middle] *= 0.2;
            }
            let (found, expected) = (openness_of(&surface), (1.0 - degrees.to_radians().cos()) / 2.0);
            for middle in [on_left, on_right] {
                assert!((found[middle] - expected).abs() < 0.08, "{degrees}°: {} for {expected}", found[middle]);
            }
        }
    }

    /// Two walls at a right angle, one of which is taken away in the second shape.
    #[test]
    fn each_shape_is_as_open_as_it_is_alone() {
        let mut corner = Surface::default();
        add_wall(&mut corner, Vec3::ZERO, Vec3::Z, Vec3::X);
        let upright = add_wall(&mut corner, Vec3::ZERO, Vec3::X, Vec3::Y) - 4;
        let mut flat = corner.clone();
        flat.points[upright..].iter_mut().for_each(|point| *point -= Vec3::Y * 3.0);
        let region = [Region { center: Vec3::ZERO, radius: 5.0 }];
        let together = openness([&corner, &flat], &region);
        let [[alone], [other]] = [&corner, &flat].map(|surface| openness([surface], &region));
        assert_ne!(alone, other);
        for (found, expected) in together.iter().flatten().zip(alone.iter().chain(&other)) {
            // The sums may be made in another order.
            assert!((found - expected).abs() < 1e-5, "{found} is not {expected}");
        }
    }

    /// Whether a ray hits a triangle (Möller and Trumbore 1997).
    fn hits(from: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
        let (ab, ac) = (b - a, c - a);
        let across = direction.cross(ac);
        let size = ab.dot(across);
        let to_a = from - a;
        let (u, turned) = (to_a.dot(across) / size, to_a.cross(ab));
        let v = direction.dot(turned) / size;
        size.abs() > 1e-12 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && ac.dot(turned) / size > 1e-4
    }

    #[test]
    fn it_is_that_of_rays() {
        // A sphere with deep waves, as points and triangles of a lattice.
        let (rows, columns) = (40_u32, 60_u32);
        let mut surface = Surface::default();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let (polar, around) = (
                std::f32::consts::PI * (row as f32 + 0.5) / rows as f32,
                std::f32::consts::TAU * column as f32 / columns as f32,
            );
            let axis = Vec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin());
            surface.points.push(axis * (1.0 + 0.5 * (around * 5.0).sin() * polar.sin()));
            surface.normals.push(axis);
            let place = |row: u32, column: u32| row * columns + column % columns;
            if row + 1 < rows {
                let [a, b] = [place(row, column), place(row, column + 1)];
                let [c, d] = [place(row + 1, column + 1), place(row + 1, column)];
                surface.blockers.extend([[a, b, c], [a, c, d]]);
            }
        }
        let found = openness_of(&surface);
        let all: Vec<Vec3> = directions(DIRECTIONS).collect();
        let (mut error, mut checked, mut darkest) = (0.0, 0, 1.0_f32);
        for at in (0..surface.points.len()).step_by(37) {
            let (point, normal) = (surface.points[at] + surface.normals[at] * 0.006, surface.normals[at]);
            let is_open = |to_light: Vec3| {
                let corners = |triangle: &[u32; 3]| triangle.map(|corner| surface.points[corner as usize]);
                !surface.blockers.iter().any(|triangle| hits(point, to_light, corners(triangle)))
            };
            let above = all.iter().filter(|to_light| normal.dot(**to_light) > 0.0);
            let (open, whole) = above.fold((0.0, 0.0), |(open, whole), &to_light| {
                let cosine = normal.dot(to_light);
                (open + if is_open(to_light) { cosine } else { 0.0 }, whole + cosine)
            });
            let expected: f32 = open / whole;
            error += (found[at] - expected).abs();
            darkest = darkest.min(expected);
            checked += 1;
        }
        let mean = error / checked as f32;
        assert!(darkest < 0.75, "the waves shade nothing: {darkest}");
        assert!(mean < 0.04, "mean error {mean}");
    }
}
