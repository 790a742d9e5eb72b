//! Where the features of a face are, found on a picture of its depth from the front: eyeballs, lids, lips, profile.

use glam::DVec3;

use super::TransferError;
use super::mouth;
use super::raster::{Raster, View};
use super::sheet::{Triangle, area_vector, corners};
use super::welded::{Piece, Welded};
use crate::tree::{Extent, Tree};
use smirk_face::head::{Bounds, Landmark};

/// Those that the surfaces are warped by, before they are fitted to each other.
pub(super) const FIRM: [Landmark; 15] = [
    Landmark::EyeInnerLeft,
    Landmark::EyeOuterLeft,
    Landmark::EyeInnerRight,
    Landmark::EyeOuterRight,
    Landmark::NoseTip,
    Landmark::Nasion,
    Landmark::Subnasale,
    Landmark::NoseWingLeft,
    Landmark::NoseWingRight,
    Landmark::MouthLeft,
    Landmark::MouthRight,
    Landmark::UpperLip,
    Landmark::LowerLip,
    Landmark::Sulcus,
    Landmark::Menton,
];

/// Those that only the size and the place of the head are taken from, as the surface turns away there.
pub(super) const LOOSE: [Landmark; 4] =
    [Landmark::SideOfMouthLeft, Landmark::SideOfMouthRight, Landmark::SideOfNoseLeft, Landmark::SideOfNoseRight];

/// Those on both sides, the left one first.
pub(super) const PAIRS: [[Landmark; 2]; 6] = [
    [Landmark::EyeInnerLeft, Landmark::EyeInnerRight],
    [Landmark::EyeOuterLeft, Landmark::EyeOuterRight],
    [Landmark::NoseWingLeft, Landmark::NoseWingRight],
    [Landmark::MouthLeft, Landmark::MouthRight],
    [Landmark::SideOfMouthLeft, Landmark::SideOfMouthRight],
    [Landmark::SideOfNoseLeft, Landmark::SideOfNoseRight],
];

/// The two edges of an opening, from one corner to the other, without the corners.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    pub upper: Vec<DVec3>,
    pub lower: Vec<DVec3>,
}

impl Edges {
    pub(super) fn both(&self) -> [&[DVec3]; 2] {
        [&self.upper, &self.lower]
    }
}

#[derive(Clone, Debug)]
pub(super) struct Eyeball {
    pub center: DVec3,
    pub radius: f64,
    /// The pieces about this centre: the ball, an iris, a cornea.
    pub pieces: Vec<u32>,
}

/// The features of a head at rest, in world space.
#[derive(Clone, Debug)]
pub struct Landmarks {
    /// The left eyeball, then the right one.
    pub(super) eyes: [Eyeball; 2],
    /// The middle between the eyeballs.
    pub(super) origin: DVec3,
    /// The distance of the eyeballs: the unit of all lengths.
    pub unit: f64,
    /// The piece that is the skin of the face.
    pub(super) skin: u32,
    points: [Option<DVec3>; Landmark::COUNT],
    /// From the inner corner to the outer one; left, right.
    pub lids: [Edges; 2],
    /// From the right corner to the left one.
    pub lips: Edges,
    /// How deep the slit of the mouth is in its middle: at least 0.3.
    pub slit_strength: f64,
    /// The median distance of the skin from its mirror image, in units.
    pub mirror_distance: f64,
}

/// An eyeball of whose front more than this is seen has no lids.
const WITHOUT_LIDS: f64 = 0.9;

/// The skin is symmetric if its median distance from its mirror image is less than this many units.
pub(super) const SYMMETRIC: f64 = 0.004;

impl Landmarks {
    pub(super) fn find(head: &Welded) -> Result<Self, TransferError> {
        let eyes = eyeballs(head).ok_or(TransferError::NoEyeballs)?;
        let origin = (eyes[0].center + eyes[1].center) / 2.0;
        let unit = eyes[0].center.distance(eyes[1].center);
        if winds_inward(head, origin, unit) {
            return Err(TransferError::WindsInward);
        }
        let ball: Vec<bool> =
            (0..head.pieces.len() as u32).map(|it| eyes.iter().any(|eye| eye.pieces.contains(&it))).collect();
        let skin = skin_piece(head, origin, unit, &ball).ok_or(TransferError::NoSkin)?;
        if head.pieces[skin as usize].is_mirrored {
            return Err(TransferError::NegativeScale);
        }
        // An eyeball that is named after a side is on it.
        for (side, eye) in eyes.iter().enumerate() {
            let named = eye.pieces.iter().map(|&piece| &head.pieces[piece as usize]);
            if let Some(piece) = named.into_iter().find(|piece| piece.side == Some(1 - side)) {
                return Err(TransferError::Mirrored(piece.mesh.clone()));
            }
        }
        let shown = |piece: u32| ball[piece as usize] || piece == skin;
        let triangles: Vec<Triangle> = head.triangles.iter().copied().filter(|it| shown(head.piece(*it))).collect();
        let raster = Raster::new(&head.points, &triangles, front(origin, unit, unit / 160.0));
        let is_eye: Vec<bool> = triangles.iter().map(|triangle| ball[head.piece(*triangle) as usize]).collect();
        let mut found = Self {
            eyes,
            origin,
            unit,
            skin,
            points: [None; Landmark::COUNT],
            lids: Default::default(),
            lips: Edges::default(),
            slit_strength: 0.0,
            mirror_distance: f64::INFINITY,
        };
        let picture = Picture { head, raster: &raster, triangles: &triangles, is_eye: &is_eye, origin, unit };
        for side in 0..2 {
            found.find_lids(&picture, side)?;
        }
        mouth::find(&picture, &mut found)?;
        found.symmetrise(head);
        Ok(found)
    }

    /// The face from the brows to the chin, in world space.
    pub fn face(&self) -> Bounds {
        let Self { origin, unit, .. } = *self;
        let min = origin - unit * DVec3::new(1.0, 1.8, 0.3);
        let max = origin + unit * DVec3::new(1.0, 0.6, 0.8);
        Bounds { min: min.as_vec3(), max: max.as_vec3() }
    }

    pub fn point(&self, landmark: Landmark) -> Option<DVec3> {
        self.points[landmark as usize]
    }

    pub(super) fn set(&mut self, landmark: Landmark, place: Option<DVec3>) {
        self.points[landmark as usize] = place;
    }

    /// The corners of an opening: the lids' inner and outer one (of the left eye, of the right eye), the mouth's right
    /// and left one.
    pub(super) fn corners(&self, opening: usize) -> [DVec3; 2] {
        let [a, b] = match opening {
            0 => [Landmark::EyeInnerLeft, Landmark::EyeOuterLeft],
            1 => [Landmark::EyeInnerRight, Landmark::EyeOuterRight],
            _ => [Landmark::MouthRight, Landmark::MouthLeft],
        };
        [a, b].map(|it| self.point(it).unwrap_or(self.origin))
    }

    /// The edges of an opening, in the order of [`Self::corners`].
    pub(super) fn edges(&self, opening: usize) -> &Edges {
        self.lids.get(opening).unwrap_or(&self.lips)
    }

    /// The skin pixels at an eyeball are the lids; where they end is a corner.
    fn find_lids(&mut self, picture: &Picture<'_>, side: usize) -> Result<(), TransferError> {
        let Picture { raster, .. } = *picture;
        let name = ["left", "right"][side];
        let eye = &self.eyes[side];
        let (center, radius) = (eye.center, eye.radius);
        let is_seen = |row: usize, column: usize| picture.is_eye(row, column);
        let rows = raster.row(center.y - radius)..raster.row(center.y + radius);
        let columns = raster.column(center.x - radius)..raster.column(center.x + radius);
        let seeds = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
        let opening = largest_region(raster, seeds, is_seen);
        if opening.len() < 40 {
            return Err(TransferError::EyeClosed(name));
        }
        let whole = std::f64::consts::PI * (radius / raster.view.pixel).powi(2);
        if opening.len() as f64 > WITHOUT_LIDS * whole {
            return Err(TransferError::NoLids(name));
        }
        let first = opening.iter().map(|(_, column)| *column).min().unwrap_or(0);
        let last = opening.iter().map(|(_, column)| *column).max().unwrap_or(0);
        let mut of_columns: Vec<Vec<usize>> = vec![Vec::new(); last + 1 - first];
        opening.iter().for_each(|&(row, column)| of_columns[column - first].push(row));
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for (column, rows) in (first..).zip(&mut of_columns) {
            rows.sort_unstable();
            let (Some(&lowest), Some(&highest)) = (rows.first(), rows.last()) else { continue };
            upper.extend(raster.point(highest + 1, column));
            lower.extend(lowest.checked_sub(1).and_then(|row| raster.point(row, column)));
        }
        let middle_row = |rows: &Vec<usize>| rows[rows.len() / 2];
        let ends = [
            first.checked_sub(1).and_then(|column| raster.point(middle_row(&of_columns[0]), column)),
            raster.point(middle_row(&of_columns[of_columns.len() - 1]), last + 1),
        ];
        let (true, [Some(right), Some(left)]) = (upper.len() >= 8 && lower.len() >= 8, ends) else {
            return Err(TransferError::EyeClosed(name));
        };
        let (inner, outer) = if side == 0 { (right, left) } else { (left, right) };
        let names =
            [[Landmark::EyeInnerLeft, Landmark::EyeOuterLeft], [Landmark::EyeInnerRight, Landmark::EyeOuterRight]]
                [side];
        self.set(names[0], Some(inner));
        self.set(names[1], Some(outer));
        self.lids[side] = Edges { upper: curve(upper, inner, outer, 9), lower: curve(lower, inner, outer, 9) };
        Ok(())
    }

    /// Across the eyes, to the left: heads are not always upright.
    fn across(&self) -> DVec3 {
        (self.eyes[0].center - self.eyes[1].center) / self.unit
    }

    pub(super) fn mirrored(&self, place: DVec3) -> DVec3 {
        let across = self.across();
        place - 2.0 * (place - self.origin).dot(across) * across
    }

    /// Where the skin is its own mirror image, so are the landmarks: the means of both sides are taken.
    fn symmetrise(&mut self, head: &Welded) {
        let near = |place: DVec3| {
            let from = place - self.origin;
            from.abs().max_element() < 1.5 * self.unit && from.z > -0.5 * self.unit
        };
        let skin = head.pieces[self.skin as usize].points.iter().map(|&point| head.points[point as usize]);
        let skin: Vec<DVec3> = skin.filter(|place| near(*place)).collect();
        let tree = Tree::new(skin.iter().map(|place| Extent::around([place.as_vec3()])).collect());
        let mut distances: Vec<f64> = Vec::with_capacity(skin.len());
        for &place in &skin {
            let image = self.mirrored(place);
            let found = tree
                .nearest(image.as_vec3(), f64::INFINITY, |other| Some(skin[other as usize].distance_squared(image)));
            distances.extend(found.map(|(_, squared)| squared.sqrt()));
        }
        distances.sort_unstable_by(f64::total_cmp);
        let Some(median) = distances.get(distances.len() / 2) else { return };
        self.mirror_distance = median / self.unit;
        if self.mirror_distance > SYMMETRIC {
            return;
        }
        let most = 0.12 * self.unit;
        for [left, right] in PAIRS {
            let (Some(a), Some(b)) = (self.point(left), self.point(right)) else { continue };
            if self.mirrored(b).distance(a) < most {
                let mean = (a + self.mirrored(b)) / 2.0;
                self.set(left, Some(mean));
                self.set(right, Some(self.mirrored(mean)));
            }
        }
        let [mut left, mut right] = self.lids.clone();
        for (left, right) in [(&mut left.upper, &mut right.upper), (&mut left.lower, &mut right.lower)] {
            if left.iter().zip(right.iter()).all(|(&a, &b)| self.mirrored(b).distance(a) < most) {
                for (a, b) in left.iter_mut().zip(right.iter_mut()) {
                    let mean = (*a + self.mirrored(*b)) / 2.0;
                    (*a, *b) = (mean, self.mirrored(mean));
                }
            }
        }
        self.lids = [left, right];
        let symmetric = |curve: &[DVec3]| {
            let pairs = curve.iter().zip(curve.iter().rev());
            pairs.map(|(&place, &other)| (place + self.mirrored(other)) / 2.0).collect()
        };
        self.lips = Edges { upper: symmetric(&self.lips.upper), lower: symmetric(&self.lips.lower) };
    }

    /// Left is on +x.
    pub(super) fn check_sides(&self) -> Result<(), TransferError> {
        for [left, right] in PAIRS {
            if let (Some(a), Some(b)) = (self.point(left), self.point(right))
                && a.x <= b.x
            {
                return Err(TransferError::Swapped(left.into()));
            }
        }
        Ok(())
    }

    /// The pair of landmarks that is least mirrored, if by more than 0.08 units: at least one of the two is wrong.
    pub(super) fn lopsided(&self) -> Option<[Landmark; 2]> {
        let misses = PAIRS[..4].iter().filter_map(|&pair| {
            let [a, b] = [self.point(pair[0])?, self.point(pair[1])?];
            Some((self.mirrored(b).distance(a), pair))
        });
        let worst = misses.max_by(|a, b| a.0.total_cmp(&b.0))?;
        (worst.0 > 0.08 * self.unit).then_some(worst.1)
    }
}

/// The front of a face, as far as landmarks are looked for.
fn front(origin: DVec3, unit: f64, pixel: f64) -> View {
    View {
        rotation: View::rotation(0.0, 0.0),
        x: origin.x - 1.1 * unit..origin.x + 1.1 * unit,
        y: origin.y - 2.6 * unit..origin.y + 1.4 * unit,
        pixel,
    }
}

/// The skin and the eyeballs from the front.
pub(super) struct Picture<'a> {
    pub head: &'a Welded,
    pub raster: &'a Raster,
    pub triangles: &'a [Triangle],
    /// Per triangle.
    pub is_eye: &'a [bool],
    pub origin: DVec3,
    pub unit: f64,
}

impl Picture<'_> {
    pub(super) fn is_eye(&self, row: usize, column: usize) -> bool {
        self.raster.triangle(row, column).is_some_and(|triangle| self.is_eye[triangle as usize])
    }

    /// A length in pixels, rounded down.
    pub(super) fn pixels(&self, units: f64) -> usize {
        (units * self.unit / self.raster.view.pixel + 1e-6) as usize
    }
}

/// The largest of the regions of pixels that satisfy `is_in` and have a seed, as rows and columns.
fn largest_region(
    raster: &Raster,
    seeds: impl Iterator<Item = (usize, usize)>,
    is_in: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut is_visited = vec![false; raster.width * raster.height];
    let mut largest = (0, Vec::new());
    for seed in seeds {
        let (mut region, mut seeds_in) = (Vec::new(), 0);
        let mut open = vec![seed];
        while let Some((row, column)) = open.pop() {
            if row >= raster.height || column >= raster.width || !is_in(row, column) {
                continue;
            }
            if std::mem::replace(&mut is_visited[row * raster.width + column], true) {
                continue;
            }
            region.push((row, column));
            seeds_in += 1;
            open.extend([(row + 1, column), (row, column + 1), (row.wrapping_sub(1), column)]);
            open.push((row, column.wrapping_sub(1)));
        }
        if seeds_in > largest.0 {
            largest = (seeds_in, region);
        }
    }
    largest.1
}

/// `count` points at equal distances along the line from `start` over `points` to `end`, smoothed against the steps of
/// pixels.
pub(super) fn curve(mut points: Vec<DVec3>, start: DVec3, end: DVec3, count: usize) -> Vec<DVec3> {
    if let (Some(first), Some(last)) = (points.first(), points.last())
        && first.distance(start) > last.distance(start)
    {
        points.reverse();
    }
    let mut line: Vec<DVec3> = std::iter::once(start).chain(points).chain([end]).collect();
    for _ in 0..6 {
        let before = line.clone();
        for at in 1..line.len() - 1 {
            line[at] = (before[at - 1] + 2.0 * before[at] + before[at + 1]) / 4.0;
        }
    }
    let mut lengths = vec![0.0];
    for pair in line.windows(2) {
        lengths.push(lengths[lengths.len() - 1] + pair[0].distance(pair[1]));
    }
    let whole = lengths[lengths.len() - 1];
    let at = |share: f64| interpolated(&lengths, &line, share * whole);
    (1..=count).map(|number| at(number as f64 / (count + 1) as f64)).collect()
}

/// The value at `x` of the line through values at ascending places.
pub(super) fn interpolated(places: &[f64], values: &[DVec3], x: f64) -> DVec3 {
    let next = places.partition_point(|place| *place < x).clamp(1, places.len() - 1);
    let span = (places[next] - places[next - 1]).max(f64::MIN_POSITIVE);
    values[next - 1].lerp(values[next], ((x - places[next - 1]) / span).clamp(0.0, 1.0))
}

/// Two pieces of which the fronts are parts of equal spheres beside each other: the left one, the right one.
fn eyeballs(head: &Welded) -> Option<[Eyeball; 2]> {
    let balls: Vec<(u32, &Piece, DVec3, f64)> = (0..)
        .zip(&head.pieces)
        .filter_map(|(number, piece)| {
            let (center, radius) = ball_of(head, piece)?;
            Some((number, piece, center, radius))
        })
        .collect();
    let min = head.points.iter().fold(f64::INFINITY, |min, point| min.min(point.y));
    let max = head.points.iter().fold(f64::NEG_INFINITY, |max, point| max.max(point.y));
    let upper_part = min + 0.4 * (max - min);
    // Those named so; not the shoes; the largest.
    type Score = (bool, bool, f64, usize);
    let mut best: Option<(Score, [usize; 2])> = None;
    for (first, a) in balls.iter().enumerate() {
        for (second, b) in balls.iter().enumerate().skip(first + 1) {
            let (apart, radius) = ((a.2 - b.2).abs(), (a.3 + b.3) / 2.0);
            let is_pair = (a.3 - b.3).abs() <= 0.1 * radius
                && 2.3 * radius < apart.x
                && apart.x < 6.5 * radius
                && apart.y.max(apart.z) <= 0.15 * apart.x;
            if !is_pair {
                continue;
            }
            let is_named = |piece: &Piece| piece.is_eye || piece.names.contains("eye");
            let score = (is_named(a.1) && is_named(b.1), a.2.y > upper_part, radius, a.1.points.len());
            let is_better = best.is_none_or(|(best, _)| {
                let order = (score.0, score.1).cmp(&(best.0, best.1));
                order.then(score.2.total_cmp(&best.2)).then(score.3.cmp(&best.3)).is_gt()
            });
            if is_better {
                best = Some((score, [first, second]));
            }
        }
    }
    let mut pair = best?.1.map(|at| balls[at]);
    pair.sort_by(|a, b| b.2.x.total_cmp(&a.2.x));
    Some(pair.map(|(_, _, center, radius)| {
        let around = balls.iter().filter(|ball| ball.2.distance(center) < 0.35 * radius);
        Eyeball { center, radius, pieces: around.map(|ball| ball.0).collect() }
    }))
}

/// The sphere of which the front of a piece is a part, if it is a ball.
fn ball_of(head: &Welded, piece: &Piece) -> Option<(DVec3, f64)> {
    let size = piece.max - piece.min;
    let (width, height) = (size.x.max(size.y), size.x.min(size.y));
    if !(40..=6000).contains(&piece.points.len()) || width > 1.35 * height {
        return None;
    }
    let places = piece.points.iter().map(|&point| head.points[point as usize]);
    let front: Vec<DVec3> = places.filter(|place| place.z > piece.max.z - 0.45 * width).collect();
    let (center, radius) = sphere(&front)?;
    let distances = front.iter().map(|place| place.distance(center));
    let mean = distances.clone().sum::<f64>() / front.len() as f64;
    let spread = (distances.map(|it| (it - mean).powi(2)).sum::<f64>() / front.len() as f64).sqrt();
    let is_ball = front.len() >= 12 && spread < 0.06 * radius && (0.3..1.15).contains(&(size.x / (2.0 * radius)));
    is_ball.then_some((center, radius))
}

/// The sphere that is nearest to points: the least squares of |p|² = 2 c·p + (r² − |c|²).
fn sphere(points: &[DVec3]) -> Option<(DVec3, f64)> {
    let count = points.len() as f64;
    let mean = points.iter().sum::<DVec3>() / count;
    // About the mean the constant is the mean of |p|², and three unknowns are left.
    let mut products = glam::DMat3::ZERO;
    let mut right = DVec3::ZERO;
    let mean_square = points.iter().map(|place| (*place - mean).length_squared()).sum::<f64>() / count;
    for &place in points {
        let from = place - mean;
        products += glam::DMat3::from_cols(from * from.x, from * from.y, from * from.z);
        right += from * (from.length_squared() - mean_square);
    }
    let center = products.inverse() * right / 2.0;
    let radius = (mean_square + center.length_squared()).sqrt();
    (center.is_finite() && radius.is_finite() && radius > 0.0).then_some((mean + center, radius))
}

/// Whether the triangles of the head wind inward: about a place inside of it, most of their area faces that place.
fn winds_inward(head: &Welded, origin: DVec3, unit: f64) -> bool {
    let inside = origin - DVec3::Z * unit;
    let volumes = head.triangles.iter().map(|triangle| {
        let corners = corners(&head.points, *triangle);
        let middle = corners.iter().sum::<DVec3>() / 3.0;
        let is_near = (middle - origin).abs().max_element() < 1.5 * unit;
        if is_near { area_vector(corners).dot(middle - inside) } else { 0.0 }
    });
    volumes.sum::<f64>() < 0.0
}

/// The piece that is seen most in the middle of the face.
fn skin_piece(head: &Welded, origin: DVec3, unit: f64, ball: &[bool]) -> Option<u32> {
    let raster = Raster::new(&head.points, &head.triangles, front(origin, unit, unit / 64.0));
    let mut seen = vec![0_usize; head.pieces.len()];
    for row in (1.2 * 64.0) as usize..(3.6 * 64.0) as usize {
        for column in (0.7 * 64.0) as usize..(1.5 * 64.0) as usize {
            if let Some(triangle) = raster.triangle(row, column) {
                seen[head.piece(head.triangles[triangle as usize]) as usize] += 1;
            }
        }
    }
    let pieces = (0..head.pieces.len()).filter(|&piece| !ball[piece] && seen[piece] > 0);
    pieces.max_by_key(|&piece| seen[piece]).map(|piece| piece as u32)
}
