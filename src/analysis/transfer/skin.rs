//! The skin of a face: what is seen of it, which side of the mouth and of the eyes it is on, and the inside of the
//! mouth.

use glam::DVec3;
use rayon::prelude::*;

use super::landmarks::{Landmarks, interpolated};
use super::raster::{Raster, View};
use super::sheet::{Graph, Triangle, area_vector, corners, normals, smooth_step};
use super::welded::Welded;
use crate::tree::{Extent, Tree};
use smirk_face::head::pieces_of;

/// Above an opening, below it, or where it makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    Above,
    Below,
    #[default]
    Either,
}

impl Side {
    /// Whether surfaces of these two sides may be compared.
    pub(super) fn meets(self, other: Self) -> bool {
        self == Self::Either || other == Self::Either || self == other
    }

    fn sign(self) -> i32 {
        match self {
            Self::Above => 1,
            Self::Below => -1,
            Self::Either => 0,
        }
    }

    /// The side of a triangle: that of most of its corners.
    pub(super) fn most(sides: [Self; 3]) -> Self {
        match sides.into_iter().map(Self::sign).sum() {
            1.. => Self::Above,
            0 => Self::Either,
            _ => Self::Below,
        }
    }
}

/// The sides of a point of the skin, at the mouth and at the eyes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sides {
    pub lip: Side,
    pub lid: Side,
}

impl Sides {
    pub(super) fn meet(self, other: Self) -> bool {
        self.lip.meets(other.lip) && self.lid.meets(other.lid)
    }
}

pub(super) struct Skin {
    /// Per point, its number among those of the head.
    pub of_head: Vec<u32>,
    pub points: Vec<DVec3>,
    pub triangles: Vec<Triangle>,
    pub normals: Vec<DVec3>,
    /// Per point, a third of the area of its triangles.
    pub areas: Vec<f64>,
    /// Per triangle, whether it is seen from some side.
    pub is_seen_triangle: Vec<bool>,
    /// Per point.
    pub is_seen: Vec<bool>,
    pub sides: Vec<Sides>,
    /// Per point, whether it is behind the lips.
    pub in_mouth: Vec<bool>,
    /// Per point, the part of the jaw's motion that the inside of the mouth takes.
    pub jaw_share: Vec<f64>,
    pub graph: Graph,
    pub landmarks: Landmarks,
}

/// Lips begin this far inside the corners of the mouth, in units. Larger gives square mouths.
const CORNER: f64 = 0.01;

/// The slit goes on for at most this many units beyond the corners of the mouth that are seen. Its walls are where the
/// height of the normal is more than this.
const BEYOND: f64 = 0.06;
const WALL: f64 = 0.7;

/// Where the ways to both lips differ by less than this, in units, the skin may be of either.
const ONE_SKIN: f64 = 0.04;

/// From where the skin is looked at: yaw and pitch, in degrees.
const VIEWS: [(f64, f64); 7] =
    [(0.0, 0.0), (35.0, 0.0), (-35.0, 0.0), (70.0, 0.0), (-70.0, 0.0), (0.0, -35.0), (0.0, 30.0)];

impl Skin {
    pub(super) fn new(head: &Welded, landmarks: Landmarks) -> Self {
        let own: Vec<Triangle> =
            head.triangles.iter().copied().filter(|triangle| head.piece(*triangle) == landmarks.skin).collect();
        let of_head = head.pieces[landmarks.skin as usize].points.clone();
        let mut number = vec![u32::MAX; head.points.len()];
        (0..).zip(&of_head).for_each(|(at, &point)| number[point as usize] = at);
        let points: Vec<DVec3> = of_head.iter().map(|&point| head.points[point as usize]).collect();
        let triangles: Vec<Triangle> =
            own.iter().map(|triangle| triangle.map(|corner| number[corner as usize])).collect();
        let mut areas = vec![0.0; points.len()];
        for &triangle in &triangles {
            let area = area_vector(corners(&points, triangle)).length() / 6.0;
            triangle.iter().for_each(|&corner| areas[corner as usize] += area);
        }
        let mut skin = Self {
            normals: normals(&points, &triangles),
            graph: Graph::new(&points, &triangles),
            is_seen_triangle: vec![false; triangles.len()],
            is_seen: vec![false; points.len()],
            sides: vec![Sides::default(); points.len()],
            in_mouth: vec![false; points.len()],
            jaw_share: vec![0.0; points.len()],
            of_head,
            points,
            triangles,
            areas,
            landmarks,
        };
        let is_in_front = skin.look(head, own);
        skin.find_lips(&is_in_front);
        (0..2).for_each(|eye| skin.find_lids(eye, &is_in_front));
        skin
    }

    /// The same without the points that are not wanted, and what ends there.
    pub(super) fn cropped(self, is_wanted: &[bool]) -> Self {
        let kept: Vec<usize> = (0..self.points.len()).filter(|&at| is_wanted[at]).collect();
        let mut number = vec![None; self.points.len()];
        (0..).zip(&kept).for_each(|(new, &at)| number[at] = Some(new));
        let (mut triangles, mut is_seen_triangle) = (Vec::new(), Vec::new());
        for (triangle, &is_seen) in self.triangles.iter().zip(&self.is_seen_triangle) {
            if let [Some(a), Some(b), Some(c)] = triangle.map(|corner| number[corner as usize]) {
                triangles.push([a, b, c]);
                is_seen_triangle.push(is_seen);
            }
        }
        let points: Vec<DVec3> = kept.iter().map(|&at| self.points[at]).collect();
        Self {
            graph: Graph::new(&points, &triangles),
            of_head: kept.iter().map(|&at| self.of_head[at]).collect(),
            normals: kept.iter().map(|&at| self.normals[at]).collect(),
            areas: kept.iter().map(|&at| self.areas[at]).collect(),
            is_seen: kept.iter().map(|&at| self.is_seen[at]).collect(),
            sides: kept.iter().map(|&at| self.sides[at]).collect(),
            in_mouth: kept.iter().map(|&at| self.in_mouth[at]).collect(),
            jaw_share: kept.iter().map(|&at| self.jaw_share[at]).collect(),
            points,
            triangles,
            is_seen_triangle,
            landmarks: self.landmarks,
        }
    }

    /// Finds what is seen. Only skin and eyeballs hide what is behind them: a beard must not hide the skin under it.
    /// Returns, per point, whether it is seen from the front.
    fn look(&mut self, head: &Welded, mut shown: Vec<Triangle>) -> Vec<bool> {
        let Landmarks { origin, unit, .. } = self.landmarks;
        let is_eye = |piece: u32| self.landmarks.eyes.iter().any(|eye| eye.pieces.contains(&piece));
        shown.extend(head.triangles.iter().filter(|triangle| is_eye(head.piece(**triangle))));
        let mut is_in_front = vec![false; self.points.len()];
        let look = |&(yaw, pitch): &(f64, f64)| {
            let rotation = View::rotation(yaw, pitch);
            let middle = rotation * origin;
            let view = View {
                rotation,
                x: middle.x - 1.9 * unit..middle.x + 1.9 * unit,
                y: middle.y - 2.4 * unit..middle.y + 2.2 * unit,
                pixel: unit / 70.0,
            };
            Raster::new(&head.points, &shown, view).triangles
        };
        let pictures: Vec<Vec<Option<u32>>> = VIEWS.par_iter().map(look).collect();
        for (picture, view) in pictures.into_iter().zip(VIEWS) {
            for triangle in picture.into_iter().flatten() {
                let Some(corners) = self.triangles.get(triangle as usize) else { continue };
                self.is_seen_triangle[triangle as usize] = true;
                for &corner in corners {
                    self.is_seen[corner as usize] = true;
                    is_in_front[corner as usize] |= view == (0.0, 0.0);
                }
            }
        }
        is_in_front
    }

    /// Labels the skin above and below the mouth. Only what faces the front is labelled by its height, and not close to
    /// the line, where lips touch; the walls of the slit by the way they face, also where the way along the surface
    /// leads round the end of the slit; all else by the shorter way along the surface.
    fn find_lips(&mut self, is_in_front: &[bool]) {
        let unit = self.landmarks.unit;
        let [right, left] = self.landmarks.corners(2);
        let lips = &self.landmarks.lips;
        let between = lips.upper.iter().zip(&lips.lower).map(|(upper, lower)| (*upper + *lower) / 2.0);
        let line: Vec<DVec3> = std::iter::once(right).chain(between).chain([left]).collect();
        let places: Vec<f64> = line.iter().map(|place| place.x).collect();
        let inside = right.x + CORNER * unit..left.x - CORNER * unit;
        let wide = right.x - BEYOND * unit..left.x + BEYOND * unit;
        let mut seeds = [Vec::new(), Vec::new()];
        let mut labelled = vec![Side::Either; self.points.len()];
        for (at, point) in self.points.iter().enumerate() {
            let on_line = interpolated(&places, &line, point.x);
            let above = point.y - on_line.y;
            let is_seed = inside.contains(&point.x)
                && is_in_front[at]
                && (0.035 * unit..0.3 * unit).contains(&above.abs())
                && point.z > on_line.z - 0.05 * unit
                && self.normals[at].z > 0.1;
            let is_wall = wide.contains(&point.x)
                && above.abs() < 0.035 * unit
                && point.z > on_line.z - 0.12 * unit
                && self.normals[at].y.abs() > WALL;
            let is_upper = if is_wall { self.normals[at].y < 0.0 } else { above > 0.0 };
            if is_wall || is_seed {
                labelled[at] = if is_upper { Side::Above } else { Side::Below };
                // The ways are counted from the line: at its ends one lip is farther from it than the other.
                seeds[usize::from(!is_upper)].push((at as u32, -from_line(&line, *point)));
            }
        }
        if seeds.iter().any(Vec::is_empty) {
            return;
        }
        self.in_mouth = self.behind(&line);
        let [above, below] = seeds.map(|seeds| self.graph.distances_from(seeds, 1.3 * unit));
        for at in 0..self.points.len() {
            let is_reached = above[at].is_finite() || below[at].is_finite();
            let is_above = above[at] < below[at];
            let [up, down] = [above[at], below[at]].map(|way| if way.is_finite() { way.max(0.0) } else { 2.0 * unit });
            let share = smooth_step((up / (up + down).max(1e-9 * unit) - 0.35) / 0.3);
            if is_reached {
                self.jaw_share[at] = share;
            }
            if self.in_mouth[at] {
                // Deep inside the two walls are equally far from both lips: there the way they face decides.
                let facing = self.normals[at].y;
                let depth = (up.min(down) / (0.25 * unit)).min(1.0) * (2.0 * facing.abs()).min(1.0);
                let own = if is_reached { share } else { 0.0 };
                self.jaw_share[at] = own + (((0.5 + 1.2 * facing).clamp(0.0, 1.0)) - own) * depth;
            }
            // Beyond the corners of the mouth, outside, the skin is one: there both ways are equally long.
            let is_beyond = !wide.contains(&self.points[at].x) || (up - down).abs() < ONE_SKIN * unit;
            let is_outside = self.is_seen[at] && !inside.contains(&self.points[at].x) && is_beyond;
            let nearer = if is_above { Side::Above } else { Side::Below };
            let side = if is_reached && !is_outside && up.min(down) <= 0.6 * unit { nearer } else { Side::Either };
            self.sides[at].lip = if labelled[at] == Side::Either { side } else { labelled[at] };
        }
    }

    fn find_lids(&mut self, eye: usize, is_in_front: &[bool]) {
        let unit = self.landmarks.unit;
        let [inner, outer] = self.landmarks.corners(eye);
        let middle = (inner + outer) / 2.0;
        let mut seeds = [Vec::new(), Vec::new()];
        let mut labelled = vec![Side::Either; self.points.len()];
        let is_near = |point: DVec3| point.distance(middle) < 0.45 * unit;
        for (at, point) in self.points.iter().enumerate() {
            let along = ((point.x - inner.x) / (outer.x - inner.x)).clamp(0.0, 1.0);
            let above = point.y - inner.lerp(outer, along).y;
            if is_near(*point) && is_in_front[at] && above.abs() > 0.02 * unit {
                labelled[at] = if above > 0.0 { Side::Above } else { Side::Below };
                seeds[usize::from(above < 0.0)].push(at as u32);
            }
        }
        if seeds.iter().any(Vec::is_empty) {
            return;
        }
        let [above, below] = seeds.map(|seeds| self.graph.distances(seeds, 0.6 * unit));
        for at in 0..self.points.len() {
            if labelled[at] != Side::Either {
                self.sides[at].lid = labelled[at];
            } else if is_near(self.points[at]) && (above[at].is_finite() || below[at].is_finite()) {
                self.sides[at].lid = if above[at] < below[at] { Side::Above } else { Side::Below };
            }
        }
    }

    /// Per point, whether it is hidden behind the lips: in a connected part of the hidden surface that reaches the
    /// line of the mouth.
    fn behind(&self, line: &[DVec3]) -> Vec<bool> {
        let hidden = self.triangles.iter().filter(|corners| corners.iter().all(|&it| !self.is_seen[it as usize]));
        let parts = pieces_of(self.points.len(), hidden.map(|corners| corners.map(|corner| corner as usize)));
        let near = 0.2 * self.landmarks.unit;
        let reaches = |at: usize| !self.is_seen[at] && line.iter().any(|place| place.distance(self.points[at]) < near);
        let mut is_behind = vec![false; self.points.len()];
        (0..self.points.len()).filter(|&at| reaches(at)).for_each(|at| is_behind[parts[at]] = true);
        (0..self.points.len()).map(|at| !self.is_seen[at] && is_behind[parts[at]]).collect()
    }

    /// The seen point that is nearest to a place, of those that are wanted.
    pub(super) fn nearest_seen(&self) -> NearestSeen<'_> {
        let seen: Vec<u32> = (0..self.points.len() as u32).filter(|&at| self.is_seen[at as usize]).collect();
        let extents = seen.iter().map(|&at| Extent::around([self.points[at as usize].as_vec3()]));
        NearestSeen { tree: Tree::new(extents.collect()), seen, points: &self.points }
    }
}

/// The distance of a place from a line through points.
fn from_line(line: &[DVec3], place: DVec3) -> f64 {
    let parts = line.windows(2).map(|ends| {
        let (start, along) = (ends[0], ends[1] - ends[0]);
        let share = (place - start).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
        place.distance(start + along * share.clamp(0.0, 1.0))
    });
    parts.fold(f64::INFINITY, f64::min)
}

/// Finds the seen point of a skin that is nearest to a place.
pub(super) struct NearestSeen<'a> {
    tree: Tree,
    seen: Vec<u32>,
    points: &'a [DVec3],
}

impl NearestSeen<'_> {
    /// The nearest point to a place, within a distance.
    pub(super) fn find(&self, place: DVec3, limit: f64) -> Option<u32> {
        let distance = |item: u32| Some(self.points[self.seen[item as usize] as usize].distance_squared(place));
        self.tree.nearest(place.as_vec3(), limit * limit, distance).map(|(item, _)| self.seen[item as usize])
    }

    /// The nearest `count` points to a place, the nearest first, with their distances.
    pub(super) fn several(&self, place: DVec3, count: usize) -> Vec<(u32, f64)> {
        let mut found: Vec<(u32, f64)> = Vec::with_capacity(count);
        for _ in 0..count {
            let distance = |item: u32| {
                let point = self.seen[item as usize];
                let is_new = found.iter().all(|(other, _)| *other != point);
                is_new.then(|| self.points[point as usize].distance_squared(place))
            };
            let next = self.tree.nearest(place.as_vec3(), f64::INFINITY, distance);
            let Some((item, squared)) = next else { break };
            found.push((self.seen[item as usize], squared.sqrt()));
        }
        found
    }
}
