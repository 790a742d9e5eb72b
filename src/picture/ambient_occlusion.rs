//! Ambient occlusion (Zhukov, Iones and Kronin 1998): nostrils, the inside of the mouth and the skin under the lids are
//! dark, because the surface around them blocks light from most directions. A value is the part of the light of an even
//! sky that arrives, as in glTF: 1 where nothing blocks it. It is computed for two shapes, at rest and with an open
//! mouth, and mixed while the head moves; what is in the mouth also for a smile.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};
use rayon::prelude::*;

use smirk_face::head::{AlphaMode, Head, Mesh, MouthOpeners, Part, Role, normal_matrix};

/// The ambient occlusion of all vertices of a head.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AmbientOcclusion {
    /// Per mesh, one element per vertex.
    pub meshes: Vec<Vec<VertexOcclusion>>,
}

/// The ambient occlusion of a vertex. 0 is 0, and the largest number is 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct VertexOcclusion {
    /// With the shape at rest.
    pub at_rest: u16,
    pub mouth_open: u16,
}

impl VertexOcclusion {
    /// Nothing blocks any light.
    pub const NONE: Self = Self { at_rest: u16::MAX, mouth_open: u16::MAX };
}

impl AmbientOcclusion {
    pub fn measure(head: &Head) -> Self {
        let regions = regions(head);
        let mut weights = head.default_weights();
        weights.truncate(head.target_count());
        let at_rest = surface(head, &weights);
        let MouthOpeners { jaw, corners, .. } = head.mouth_openers();
        let mut open = |share: f32, corner: f32| {
            jaw.iter().for_each(|opener| weights[opener.target] = share * opener.wide_open);
            corners.iter().for_each(|opener| weights[opener.target] = corner);
            surface(head, &weights)
        };
        let [at_rest, mouth_open] = if jaw.is_empty() {
            let [at_rest] = occlusion([&at_rest], &regions);
            [at_rest.clone(), at_rest]
        } else if corners.is_empty() {
            occlusion([&at_rest, &open(1.0, 0.0)], &regions)
        } else {
            let wide_open = open(1.0, 0.0);
            let smiling = open(SMILING_JAW, 1.0);
            // The corners of a wide open mouth lie before teeth that a smile shows.
            let [at_rest, mut mouth_open, smiling] = occlusion([&at_rest, &wide_open, &smiling], &regions);
            for at in vertices_in_mouth(head) {
                mouth_open[at] = mouth_open[at].max(smiling[at]);
            }
            [at_rest, mouth_open]
        };
        let mut vertices = at_rest.into_iter().zip(mouth_open).map(|(at_rest, mouth_open)| {
            let [at_rest, mouth_open] = [at_rest, mouth_open].map(|open| (open * f32::from(u16::MAX) + 0.5) as u16);
            VertexOcclusion { at_rest, mouth_open }
        });
        let meshes = head.meshes.iter().map(|mesh| vertices.by_ref().take(mesh.vertices.len()).collect());
        Self { meshes: meshes.collect() }
    }
}

/// How far the jaw is open in the smile that the teeth are lit in, as a part of a wide open mouth.
const SMILING_JAW: f32 = 0.3;

/// The vertices of teeth, tongue and gums, as indices into the points of [`surface`].
fn vertices_in_mouth(head: &Head) -> Vec<usize> {
    let (mut first, mut found) = (0, vec![]);
    for mesh in &head.meshes {
        let count = mesh.vertices.len();
        let parts = mesh.parts.iter();
        let parts = parts.filter(|part| matches!(head.roles.get(part.material), Some(Role::Teeth | Role::Tongue)));
        let inside = parts.flat_map(|part| mesh.triangles_of(part));
        found.extend(inside.map(|&at| at as usize).filter(|&at| at < count).map(|at| first + at));
        first += count;
    }
    found
}

#[derive(Clone, Debug, Default)]
struct Surface {
    points: Vec<Vec3>,
    /// The unit normal of each point. At a point whose normal is zero, light from all directions counts alike.
    normals: Vec<Vec3>,
    /// The triangles that block light, as indices of points.
    blockers: Vec<[u32; 3]>,
}

/// The directions from which light comes. Half of them are above each point.
const DIRECTIONS: usize = 64;

/// How far a point is lifted above its own triangles before it is looked up, in texels: within a texel, the middle of a
/// plane is at most 0.7 texels away from its middle.
const LIFT: f32 = 1.0;

/// The ambient occlusion of each point of the shapes that a surface takes, 0..1. The shapes have the same triangles;
/// those that none moves are drawn once for all. A point is looked up in the first region that it is in; light reaches
/// a point in none from everywhere.
fn occlusion<const SHAPES: usize>(shapes: [&Surface; SHAPES], regions: &[Region]) -> [Vec<f32>; SHAPES] {
    let all: Vec<Vec3> = directions(DIRECTIONS).collect();
    let first = shapes[0];
    let (still, moving): (Vec<_>, Vec<_>) = first.blockers.iter().partition(|corners| {
        let mut corners = corners.iter().map(|&at| at as usize);
        corners.all(|at| shapes.iter().all(|shape| shape.points[at] == first.points[at]))
    });
    let region_of = shapes.map(|shape| -> Vec<Option<usize>> {
        shape.points.iter().map(|&point| regions.iter().position(|region| region.contains(point))).collect()
    });
    let nothing = || shapes.map(|shape| vec![[0.0_f32; 2]; shape.points.len()]);
    let sums = all.par_iter().fold(nothing, |mut sums: [Vec<[f32; 2]>; SHAPES], &to_light| {
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
    });
    let sums = sums.reduce(nothing, |mut sums, more| {
        let pairs = sums.iter_mut().flatten().zip(more.iter().flatten());
        pairs.for_each(|(sum, more)| *sum = [sum[0] + more[0], sum[1] + more[1]]);
        sums
    });
    sums.map(|sums| {
        let shares = sums.into_iter().map(|[open, all]| if all > 0.0 { (open / all).min(1.0) } else { 1.0 });
        shares.collect()
    })
}

/// The surface of all meshes, one after the other, in the world, with the nodes at rest. `weights` has one element per
/// target.
fn surface(head: &Head, weights: &[f32]) -> Surface {
    let mut surface = Surface::default();
    for mesh in &head.meshes {
        let first = surface.points.len() as u32;
        let (positions, normals) = morphed(mesh, &weights[mesh.first_target..][..mesh.targets.len()]);
        for (vertex, (position, normal)) in positions.into_iter().zip(normals).enumerate() {
            let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex);
            surface.points.push(world_from_vertex.transform_point3(position));
            surface.normals.push((normal_matrix(world_from_vertex) * normal).normalize_or_zero());
        }
        let indices =
            mesh.parts.iter().filter(|part| blocks_light(head, part)).flat_map(|part| mesh.triangles_of(part));
        let corners: Vec<u32> = indices.map(|&vertex| vertex + first).collect();
        let known = surface.points.len() as u32;
        let triangles = corners.as_chunks::<3>().0.iter().filter(|corners| corners.iter().all(|&at| at < known));
        surface.blockers.extend(triangles);
    }
    surface
}

/// The parts of space that are looked at: the face in fine steps, and the whole figure in coarser ones where it is much
/// larger.
fn regions(head: &Head) -> Vec<Region> {
    let whole = Region { center: head.bounds.center(), radius: head.bounds.radius() };
    let face = Region { center: head.focus.center(), radius: head.focus.radius() * 1.25 };
    if face.radius * 1.5 < whole.radius { vec![face, whole] } else { vec![whole] }
}

/// Whether a part blocks light: it is opaque, and neither lashes nor the clear layer of an eye, which let light
/// through.
fn blocks_light(head: &Head, part: &Part) -> bool {
    let (Some(material), Some(role)) = (head.materials.get(part.material), head.roles.get(part.material)) else {
        return false;
    };
    let is_clear = matches!(role, Role::Lash | Role::Cornea);
    // The strands of hair that a texture cuts out cover a part of their card only.
    let is_cut_out = *role == Role::Hair && material.alpha != AlphaMode::Opaque;
    material.alpha != AlphaMode::Blend && material.transmission == 0.0 && !is_clear && !is_cut_out
}

/// Positions and normals of a mesh at the weights of its targets, before its node or its joints move it.
fn morphed(mesh: &Mesh, weights: &[f32]) -> (Vec<Vec3>, Vec<Vec3>) {
    let mut positions = mesh.vertices.positions.clone();
    let mut normals = mesh.vertices.normals.clone();
    normals.resize(positions.len(), Vec3::ZERO);
    let weighted = mesh.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
    for (shape, weight) in weighted.flat_map(|(target, &weight)| target.shapes_at(weight)) {
        for (values, deltas) in [(&mut positions, shape.positions), (&mut normals, shape.normals)] {
            for (&row, &delta) in shape.rows.iter().zip(deltas) {
                values[row as usize] += delta * weight;
            }
        }
    }
    (positions, normals)
}

/// A sphere of space that a depth map covers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Region {
    center: Vec3,
    radius: f32,
}

impl Region {
    /// The width of a texel in units of the world.
    fn texel(self) -> f32 {
        2.0 * self.radius / SIDE as f32
    }

    fn contains(self, point: Vec3) -> bool {
        point.distance_squared(self.center) <= self.radius * self.radius
    }
}

/// Texels along each side of a map.
const SIDE: usize = 512;

/// The number of texels that are drawn at once.
const LANES: usize = 4;

/// The number of texels from one row to the next: those after the last of a row may be written, and are never read.
const STRIDE: usize = SIDE + LANES;

/// For each texel, how far the nearest surface reaches towards the eye.
#[derive(Clone)]
struct DepthMap {
    region: Region,
    right: Vec3,
    up: Vec3,
    to_eye: Vec3,
    heights: Vec<f32>,
}

impl DepthMap {
    /// An empty map, as seen from the direction `to_eye`.
    fn new(region: Region, to_eye: Vec3) -> Self {
        let (right, up) = to_eye.any_orthonormal_pair();
        Self { region, right, up, to_eye, heights: vec![f32::NEG_INFINITY; STRIDE * SIDE] }
    }

    /// Draws triangles of `points`, in any order.
    fn draw(&mut self, points: &[Vec3], triangles: &[[u32; 3]]) {
        let seen: Vec<Vec3> = points.iter().map(|&point| self.seen(point)).collect();
        for corners in triangles {
            self.draw_triangle(corners.map(|corner| seen[corner as usize]));
        }
    }

    /// Whether no surface is before a point. Outside the map, none is.
    fn is_visible(&self, point: Vec3) -> bool {
        let seen = self.seen(point);
        let inside = |at: f32| (0.0..SIDE as f32).contains(&at).then_some(at as usize);
        let (Some(column), Some(row)) = (inside(seen.x), inside(seen.y)) else { return true };
        self.heights[row * STRIDE + column] <= seen.z
    }

    /// xy: in texels, z: the height towards the eye.
    fn seen(&self, point: Vec3) -> Vec3 {
        let offset = (point - self.region.center) / self.region.texel();
        let middle = SIDE as f32 * 0.5;
        Vec3::new(offset.dot(self.right) + middle, offset.dot(self.up) + middle, offset.dot(self.to_eye))
    }

    /// Raises the heights of the texels whose middle a triangle covers.
    fn draw_triangle(&mut self, [a, b, c]: [Vec3; 3]) {
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let [columns, rows] = [middles(low.x, high.x), middles(low.y, high.y)];
        // Most triangles of a map lie outside it or between the middles of its texels.
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        let (to_b, to_c) = ((b - a).truncate(), (c - a).truncate());
        let area = to_b.perp_dot(to_c);
        if area.is_nan() || area.abs() <= 1e-12 {
            return;
        }
        // Across the triangle, the weights of the corners b and c and the height change evenly.
        let (to_b, to_c) = (to_b / area, to_c / area);
        let (rise_b, rise_c) = (b.z - a.z, c.z - a.z);
        for row in rows {
            let start = Vec2::new(columns.start as f32 + 0.5, row as f32 + 0.5) - a.truncate();
            let (first_b, first_c) = (start.perp_dot(to_c), to_b.perp_dot(start));
            let end = row * STRIDE + columns.end;
            let mut at = row * STRIDE + columns.start;
            let mut column = 0.0;
            while at < end {
                // Several texels at once and without a branch, which would be mispredicted at every edge.
                let texels = &mut self.heights[at..at + LANES];
                for (lane, texel) in texels.iter_mut().enumerate() {
                    let across = column + lane as f32;
                    let (of_b, of_c) = (first_b + across * to_c.y, first_c - across * to_b.y);
                    let height = a.z + of_b * rise_b + of_c * rise_c;
                    let raises = (of_b >= 0.0) & (of_c >= 0.0) & (of_b + of_c <= 1.0) & (height > *texel);
                    *texel = if raises { height } else { *texel };
                }
                at += LANES;
                column += LANES as f32;
            }
        }
    }
}

/// The texels whose middles are from `low` to `high`, within the map.
fn middles(low: f32, high: f32) -> Range<usize> {
    // Next to a far larger surface, a texel may be farther away than an integer counts.
    let [low, high] = [low, high].map(|at| at.min(SIDE as f32 + 0.5));
    // The cast rounds towards zero, and a number below it gives 0.
    let below = (low - 0.5) as u32;
    let first = (below + u32::from((below as f32) < low - 0.5)) as usize;
    // A number below 0 has no texel below it.
    let end = if high < 0.5 { 0 } else { (high - 0.5) as usize + 1 };
    first..end.min(SIDE)
}

/// The middles of `count` parts of the sphere of equal area, along a spiral whose turns are the golden angle (spherical
/// Fibonacci lattice: Marques et al., "Spherical Fibonacci Point Sets for Illumination Integrals", 2013).
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    let golden_angle = std::f32::consts::PI * (3.0 - 5.0_f32.sqrt());
    (0..count).map(move |index| {
        let height = 1.0 - (2.0 * index as f32 + 1.0) / count as f32;
        let (sine, cosine) = (index as f32 * golden_angle).sin_cos();
        let radius = (1.0 - height * height).max(0.0).sqrt();
        Vec3::new(radius * cosine, height, radius * sine)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occlusion_of(surface: &Surface) -> Vec<f32> {
        let radius = surface.points.iter().map(|point| point.length()).fold(0.0, f32::max) * 1.01;
        let [found] = occlusion([surface], &[Region { center: Vec3::ZERO, radius }]);
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
    fn texels_are_within_the_map_however_far_a_triangle_reaches() {
        assert_eq!((middles(0.4, 2.6), middles(0.6, 1.4), middles(-9.0, 0.4)), (0..3, 1..1, 0..0));
        for far in [1e3, 1e10, 1e30, f32::MAX, f32::INFINITY] {
            assert_eq!(middles(-far, far), 0..SIDE, "{far}");
            assert!(middles(far, far).is_empty() && middles(-far, -far).is_empty(), "{far}");
        }
    }

    #[test]
    fn a_plane_is_open() {
        for turn in [Vec3::X, Vec3::new(0.3, 0.8, -0.5)] {
            let (along, up) = turn.any_orthogonal_vector().normalize_or(Vec3::X).any_orthonormal_pair();
            let mut surface = Surface::default();
            add_wall(&mut surface, -(along + up) * 0.5, along, up);
            assert!(occlusion_of(&surface).iter().all(|&open| open > 0.99), "{:?}", occlusion_of(&surface));
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
        let found = occlusion_of(&surface);
        for wall in found.chunks(6) {
            assert!(wall[4] > 0.99, "outside: {}", wall[4]);
            assert!(wall[5] < 0.01, "inside: {}", wall[5]);
        }
    }

    /// In a groove of two endless planes, a point sees the other plane over (1 + cos of the angle) / 2 of its
    /// cosine-weighted sky.
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
            let (found, expected) = (occlusion_of(&surface), (1.0 - degrees.to_radians().cos()) / 2.0);
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
        let together = occlusion([&corner, &flat], &region);
        let [[alone], [other]] = [&corner, &flat].map(|surface| occlusion([surface], &region));
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
        let found = occlusion_of(&surface);
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

    #[test]
    fn what_is_behind_a_triangle_is_hidden() {
        let points = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let region = Region { center: Vec3::ZERO, radius: 2.0 };
        for (to_eye, behind) in [(Vec3::Z, Vec3::new(0.0, -0.2, -0.5)), (Vec3::NEG_Z, Vec3::new(0.0, -0.2, 0.5))] {
            let mut map = DepthMap::new(region, to_eye);
            map.draw(&points, &[[0, 1, 2]]);
            assert!(!map.is_visible(behind));
            assert!(map.is_visible(behind * Vec3::new(1.0, 1.0, -1.0)));
            assert!(map.is_visible(behind + Vec3::X), "beside it");
            assert!(map.is_visible(behind + Vec3::X * 9.0), "outside the map");
        }
    }

    #[test]
    fn they_are_of_unit_length_and_balance_each_other() {
        let all: Vec<Vec3> = directions(64).collect();
        assert!(all.iter().all(|direction| direction.is_normalized()));
        assert!((all.iter().sum::<Vec3>() / 64.0).length() < 0.02);
        let towards = |axis: Vec3| all.iter().map(|direction| direction.dot(axis).max(0.0)).sum::<f32>() / 64.0;
        for axis in [Vec3::X, Vec3::Y, Vec3::NEG_Z, Vec3::ONE.normalize_or(Vec3::X)] {
            // The mean of the cosine over the sphere is a quarter.
            assert!((towards(axis) - 0.25).abs() < 0.01, "{axis}: {}", towards(axis));
        }
    }
}
