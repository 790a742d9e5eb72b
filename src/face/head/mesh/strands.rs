//! Hair as strands: guide curves, and how strands are grown between them. A file holds a few hundred guides; the many
//! thousand strands that are drawn are grown from them when the head is uploaded.
//!
//! Each strand is a mix of three neighbouring guides, so that it lies where they lie; strands of a
//! clump approach each other towards their tips. The result depends on the guides alone, on every machine.

use glam::{Vec2, Vec3};
use rayon::prelude::*;

use smirk_base::random;

/// The strands of one material on a mesh, in mesh space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// Index into [`crate::head::Asset::materials`].
    pub material: usize,
    /// The points of all guides, each from its root to its tip.
    pub points: Vec<GuidePoint>,
    /// Per guide, the end of its points in `points`.
    pub ends: Vec<u32>,
    /// How strands are grown between the guides.
    pub growth: Growth,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuidePoint {
    /// In mesh space.
    pub position: Vec3,
    /// Unit length: away from the body on which the hair lies.
    pub normal: Vec3,
    /// Linear RGB.
    pub color: [f32; 3],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// The number of strands; at most [`Strands::MOST`].
    pub count: u32,
    /// The width of a strand at its root, in the unit of the mesh.
    pub width: f32,
    /// 0..1: how far the strands of a clump meet at their tips.
    pub clumping: f32,
    /// How far a strand strays from its curve, in the unit of the mesh.
    pub frizz: f32,
    /// 0..1: the fraction of strands that leave the others and end in the air.
    pub flyaways: f32,
    /// 0..1: the length of the shortest strands as a fraction of that of their guides.
    pub shortest: f32,
}

impl Growth {
    /// The names under which the numbers are stored in a file, and the numbers.
    pub fn named(&self) -> [(&'static str, f32); 6] {
        [
            ("count", self.count as f32),
            ("width", self.width),
            ("clumping", self.clumping),
            ("frizz", self.frizz),
            ("flyaways", self.flyaways),
            ("shortest", self.shortest),
        ]
    }

    /// The growth with these numbers, limited to values that can be drawn; `number` finds a number by its name in a
    /// file.
    pub fn from_named(number: impl Fn(&str) -> Option<f32>) -> Self {
        let [count, width, clumping, frizz, flyaways, shortest] = Self::default().named().map(|(name, usual)| {
            let found = number(name).filter(|number| number.is_finite());
            found.unwrap_or(usual).max(0.0)
        });
        Self {
            count: (count as u32).min(Strands::MOST),
            width,
            clumping: clumping.min(1.0),
            frizz,
            flyaways: flyaways.min(1.0),
            shortest: shortest.clamp(0.05, 1.0),
        }
    }
}

impl Default for Growth {
    /// The hair of a human head in metres.
    fn default() -> Self {
        Self { count: 10_000, width: 0.000_2, clumping: 0.5, frizz: 0.000_5, flyaways: 0.01, shortest: 0.6 }
    }
}

impl Strands {
    /// The largest number of strands that are grown from one set of guides.
    pub const MOST: u32 = 40_000;
    /// The largest number of guides of one set.
    pub const MOST_GUIDES: usize = 4096;
    /// The largest number of points of one guide.
    pub const MOST_POINTS: usize = 64;

    pub fn guide_count(&self) -> usize {
        self.ends.len()
    }

    /// The points of a guide; empty for a guide that does not exist.
    pub fn guide(&self, index: usize) -> &[GuidePoint] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.points.get(first as usize..end as usize).unwrap_or_default()
    }

    pub fn push(&mut self, points: impl IntoIterator<Item = GuidePoint>) {
        self.points.extend(points);
        self.ends.push(self.points.len() as u32);
    }

    pub fn scale(&mut self, factor: f32) {
        self.points.iter_mut().for_each(|point| point.position *= factor);
        self.growth.width *= factor;
        self.growth.frizz *= factor;
    }
}

/// The strands that are grown from one set of guides, in an order in which the first N are spread over the whole head
/// for every N.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrownStrands {
    /// The points of all strands, [`Self::POINTS`] for each, from root to tip.
    pub points: Vec<StrandPoint>,
}

/// A point of a strand, in mesh space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StrandPoint {
    /// The middle of the strand.
    pub position: Vec3,
    /// Unit length: away from the body on which the hair lies.
    pub normal: Vec3,
    /// Linear RGB.
    pub color: Vec3,
    /// The width of the strand here; 0 at the tip.
    pub width: f32,
}

/// The points of a guide after it is divided evenly by length.
const GUIDE_POINTS: usize = 32;

const CLUMP: usize = 9;

/// A guide is mixed with some of so many guides whose roots are nearest.
const NEIGHBORS: usize = 7;

/// A guide, divided evenly by length.
struct EvenGuide {
    points: Vec<GuidePoint>,
    length: f32,
    /// The direction from root to tip.
    direction: Vec3,
    /// The guides with which it is mixed, the nearest first.
    neighbors: Vec<usize>,
}

impl GrownStrands {
    pub const POINTS: usize = 16;

    pub fn new(strands: &Strands) -> Self {
        let mut guides: Vec<EvenGuide> =
            (0..strands.guide_count()).map(|at| EvenGuide::new(strands.guide(at))).collect();
        guides.retain(|guide| guide.length > 0.0 && guide.length.is_finite());
        if guides.is_empty() {
            return Self::default();
        }
        let neighbors: Vec<Vec<usize>> =
            (0..guides.len()).into_par_iter().map(|at| neighbors_of(&guides, at)).collect();
        for (guide, neighbors) in guides.iter_mut().zip(neighbors) {
            guide.neighbors = neighbors;
        }
        let count = strands.growth.count.min(Strands::MOST) as usize;
        let points = (0..count).into_par_iter().flat_map_iter(|strand| grow(strands, &guides, strand, count)).collect();
        Self { points }
    }

    pub fn count(&self) -> usize {
        self.points.len() / Self::POINTS
    }
}

impl EvenGuide {
    fn new(points: &[GuidePoint]) -> Self {
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            lengths.push(lengths[lengths.len() - 1] + pair[0].position.distance(pair[1].position));
        }
        let length = lengths[lengths.len() - 1];
        let even = (0..GUIDE_POINTS).map(|index| {
            let wanted = length * index as f32 / (GUIDE_POINTS - 1) as f32;
            let segment = lengths.partition_point(|&length| length < wanted).clamp(1, points.len() - 1);
            let (from, to) = (lengths[segment - 1], lengths[segment]);
            spline(points, segment - 1, if to > from { (wanted - from) / (to - from) } else { 0.0 })
        });
        let direction = match points {
            [first, .., last] => (last.position - first.position).normalize_or_zero(),
            _ => Vec3::ZERO,
        };
        let points = if points.len() > 1 { even.collect() } else { Vec::new() };
        Self { points, length, direction, neighbors: Vec::new() }
    }

    fn root(&self) -> Vec3 {
        self.points[0].position
    }

    fn tip(&self) -> Vec3 {
        self.points[GUIDE_POINTS - 1].position
    }

    /// One of the guides with which it is mixed; itself if there are none.
    fn neighbor<'g>(&'g self, guides: &'g [Self], dice: &mut Dice) -> &'g Self {
        match self.neighbors.len() {
            0 => self,
            count => &guides[self.neighbors[((dice.unit() * count as f32) as usize).min(count - 1)]],
        }
    }

    /// The point at a fraction of the length.
    fn at(&self, t: f32) -> GuidePoint {
        let place = t.clamp(0.0, 1.0) * (GUIDE_POINTS - 1) as f32;
        let segment = (place as usize).min(GUIDE_POINTS - 2);
        mixed(&self.points[segment], &self.points[segment + 1], place - segment as f32)
    }
}

/// A point on a segment of a polyline, rounded (E. Catmull and R. Rom, "A class of local interpolating splines", 1974).
fn spline(points: &[GuidePoint], segment: usize, t: f32) -> GuidePoint {
    let (b, c) = (&points[segment], &points[segment + 1]);
    let before = points[segment.saturating_sub(1)].position;
    let after = points[(segment + 2).min(points.len() - 1)].position;
    let (from, to) = (b.position, c.position);
    let bend =
        (to - before) + t * (2.0 * before - 5.0 * from + 4.0 * to - after + t * (3.0 * (from - to) + after - before));
    GuidePoint { position: from + 0.5 * t * bend, ..mixed(b, c, t) }
}

fn mixed(a: &GuidePoint, b: &GuidePoint, t: f32) -> GuidePoint {
    GuidePoint {
        position: a.position.lerp(b.position, t),
        normal: a.normal.lerp(b.normal, t),
        color: Vec3::from(a.color).lerp(b.color.into(), t).to_array(),
    }
}

/// The guides with the nearest roots that run in a similar direction. With others, a mix would run across the head.
fn neighbors_of(guides: &[EvenGuide], at: usize) -> Vec<usize> {
    let own = &guides[at];
    let others = guides.iter().enumerate().filter(|&(index, other)| {
        let longest = own.length.max(other.length);
        index != at
            && own.direction.dot(other.direction) > 0.5
            && own.root().distance(other.root()) < 0.5 * longest
            && own.tip().distance(other.tip()) < 0.5 * longest
    });
    let mut nearest: Vec<(usize, f32)> =
        others.map(|(index, other)| (index, own.root().distance_squared(other.root()))).collect();
    if nearest.len() > NEIGHBORS {
        nearest.select_nth_unstable_by(NEIGHBORS, |a, b| a.1.total_cmp(&b.1));
        nearest.truncate(NEIGHBORS);
    }
    nearest.sort_by(|a, b| a.1.total_cmp(&b.1));
    nearest.into_iter().map(|(other, _)| other).collect()
}

/// Random numbers of one strand or one clump.
struct Dice {
    seed: u32,
    next: u64,
}

impl Dice {
    fn new(seed: u32, index: usize) -> Self {
        Self { seed, next: index as u64 * 64 }
    }

    fn unit(&mut self) -> f32 {
        self.next += 1;
        random::unit(self.seed, self.next)
    }

    fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// Weights of three guides, evenly distributed over their triangle.
    fn weights(&mut self) -> [f32; 3] {
        let (a, b) = (self.unit().sqrt(), self.unit());
        [1.0 - a, a * (1.0 - b), a * b]
    }
}

fn grow(strands: &Strands, guides: &[EvenGuide], strand: usize, count: usize) -> impl Iterator<Item = StrandPoint> {
    let growth = &strands.growth;
    let clump_count = (count / CLUMP).max(1);
    let mut clump = Dice::new(71, strand % clump_count);
    let first = &guides[((clump.unit() * guides.len() as f32) as usize).min(guides.len() - 1)];
    let mixed_guides = [first, first.neighbor(guides, &mut clump), first.neighbor(guides, &mut clump)];
    let middle = clump.weights();
    let clumping = growth.clumping * (0.6 + 0.4 * clump.unit());
    let clump_shade = clump.signed();

    let mut dice = Dice::new(72, strand);
    let own = dice.weights();
    let is_flyaway = dice.unit() < growth.flyaways;
    let cut = growth.shortest + (1.0 - growth.shortest) * dice.unit().sqrt();
    // Strands begin behind their guides' roots, few of them far behind, so that the roots are in no row and hair is
    // thin at its edge.
    let start = 0.10 * dice.unit() * dice.unit();
    let thickness = if is_flyaway { 0.4 } else { 0.75 + 0.5 * dice.unit() };
    let width = growth.width * thickness;
    let shade = 1.0 + 0.13 * clump_shade + 0.24 * dice.signed();
    let warmth = 0.06 * dice.signed();
    let (waves, phases) = ([1.5 + 2.0 * dice.unit(), 4.0 + 4.0 * dice.unit()], [dice.unit(), dice.unit()]);
    let stray = Vec2::new(dice.signed(), dice.unit());
    let length = mixed_guides.iter().zip(own).map(|(guide, weight)| guide.length * weight).sum::<f32>();
    let (end, lift) = if is_flyaway {
        ((start + 0.25 + 0.5 * dice.unit()).min(1.0), length * (0.01 + 0.035 * dice.unit() * dice.unit()))
    } else {
        (cut.max(start + 0.05), 0.0)
    };
    let frizz = growth.frizz * if is_flyaway { 3.0 } else { 1.0 };

    (0..GrownStrands::POINTS).map(move |index| {
        let along = index as f32 / (GrownStrands::POINTS - 1) as f32;
        let t = start + (end - start) * along;
        // Clumps close slowly behind the roots.
        let closed = clumping * (t * t * (3.0 - 2.0 * t)).min(1.0);
        let (mut position, mut normal, mut color) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for ((guide, own), middle) in mixed_guides.iter().zip(own).zip(middle) {
            let weight = own + (middle - own) * closed;
            let point = guide.at(t);
            position += weight * point.position;
            normal += weight * point.normal;
            color += weight * Vec3::from(point.color);
        }
        let normal = normal.normalize_or(Vec3::Y);
        let across = normal.cross(mixed_guides[0].direction).normalize_or(Vec3::X);
        let [slow, fast] = [0, 1].map(|at| (std::f32::consts::TAU * (phases[at] + waves[at] * t)).sin());
        // Nothing strays at the root, and strands stray outwards rather than into the head.
        let grown = (t - start).min(0.2) * 5.0;
        let aside = frizz * grown * (stray.x * slow + 0.35 * fast);
        let outwards = frizz * grown * (0.5 * stray.y + 0.3 * stray.y * fast) + lift * along * along;
        // Strands are thinner at their roots too, where they are seen one by one.
        let root = 0.4 + 0.6 * (along * 6.0).min(1.0);
        let taper = root * (1.0 - along * along * along);
        StrandPoint {
            position: position + across * aside + normal * outwards,
            normal,
            color: color * shade * Vec3::new(1.0 + warmth, 1.0, 1.0 - warmth),
            width: width * taper,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::head::Growth;

    use super::*;

    #[test]
    fn numbers_of_a_file_are_limited_and_missing_ones_are_usual() {
        let growth = Growth::from_named(|name| match name {
            "count" => Some(1e9),
            "clumping" => Some(7.0),
            "frizz" => Some(f32::NAN),
            "flyaways" => Some(-1.0),
            _ => None,
        });
        let usual = Growth::default();
        let expected = Growth { count: Strands::MOST, clumping: 1.0, flyaways: 0.0, ..usual };
        assert_eq!(growth, expected);
        let again = |name: &str| usual.named().into_iter().find(|(other, _)| *other == name).map(|(_, number)| number);
        assert_eq!(Growth::from_named(again), usual);
    }

    #[test]
    fn guides_are_runs_of_points() {
        let mut strands = Strands::default();
        let at = |x: f32| GuidePoint { position: Vec3::X * x, ..GuidePoint::default() };
        strands.push([at(0.0), at(1.0)]);
        strands.push([at(5.0), at(6.0), at(7.0)]);
        assert_eq!((strands.guide_count(), strands.guide(0).len(), strands.guide(1).len()), (2, 2, 3));
        assert!(strands.guide(2).is_empty());
        strands.scale(2.0);
        assert_eq!(strands.guide(1)[0].position, Vec3::X * 10.0);
    }

    /// Guides of length 1 along z, on a plane.
    fn strands(count: u32) -> Strands {
        let mut strands = Strands { growth: Growth { count, frizz: 0.01, ..Growth::default() }, ..Strands::default() };
        for guide in 0..25 {
            let root = Vec3::new((guide % 5) as f32 * 0.05, 0.0, (guide / 5) as f32 * 0.05);
            strands.push((0..6).map(|point| GuidePoint {
                position: root + Vec3::Z * point as f32 * 0.2,
                normal: Vec3::Y,
                color: [0.5; 3],
            }));
        }
        strands
    }

    #[test]
    fn growth_repeats_and_every_strand_lies_between_its_guides() {
        let strands = strands(500);
        let grown = GrownStrands::new(&strands);
        assert_eq!(grown.count(), 500);
        assert_eq!(grown, GrownStrands::new(&strands));
        for point in &grown.points {
            assert!((-0.05..0.25).contains(&point.position.x) && (-0.01..1.3).contains(&point.position.z), "{point:?}");
            assert!((0.0..0.1).contains(&point.position.y), "{point:?}");
            assert!((point.normal.length() - 1.0).abs() < 1e-3 && point.width >= 0.0);
        }
        for strand in grown.points.chunks(GrownStrands::POINTS) {
            assert_eq!(strand[GrownStrands::POINTS - 1].width, 0.0);
        }
    }

    #[test]
    fn the_first_strands_are_spread_over_the_whole_head() {
        let grown = GrownStrands::new(&strands(2000));
        let roots: Vec<f32> = grown.points.iter().step_by(GrownStrands::POINTS).map(|root| root.position.x).collect();
        let mean = |roots: &[f32]| roots.iter().sum::<f32>() / roots.len() as f32;
        assert!((mean(&roots[..300]) - mean(&roots)).abs() < 0.02, "{} {}", mean(&roots[..300]), mean(&roots));
    }

    #[test]
    fn guides_without_a_length_grow_nothing() {
        let mut strands = strands(10);
        strands.points.iter_mut().for_each(|point| point.position = Vec3::ONE);
        assert_eq!(GrownStrands::new(&strands).count(), 0);
        assert_eq!(GrownStrands::new(&Strands::default()).count(), 0);
    }
}
