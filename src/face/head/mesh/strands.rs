//! Hair as strands: guide curves, and how strands are grown between them. A file holds a few hundred guides; the many thousand
//! strands that are drawn are grown from them when the head is uploaded.

use glam::Vec3;

/// The strands of one material on a mesh, in mesh space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strands {
    /// Index into [`crate::head::Head::materials`].
    pub material: usize,
    /// The points of all guides, each from its root to its tip.
    pub points: Vec<GuidePoint>,
    /// Per guide, the end of its points in `points`.
    pub ends: Vec<u32>,
    /// How strands are grown between the guides.
    pub growth: Growth,
}

/// A point of a guide curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GuidePoint {
    /// In mesh space.
    pub position: Vec3,
    /// Unit length: away from the body on which the hair lies.
    pub normal: Vec3,
    /// Linear RGB.
    pub color: [f32; 3],
}

/// How strands are grown between guides.
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

    /// The growth with these numbers, limited to values that can be drawn; `number` finds a number by its name in a file.
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

    /// The number of guides.
    pub fn guide_count(&self) -> usize {
        self.ends.len()
    }

    /// The points of a guide; empty for a guide that does not exist.
    pub fn guide(&self, index: usize) -> &[GuidePoint] {
        let Some(&end) = self.ends.get(index) else { return &[] };
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.points.get(first as usize..end as usize).unwrap_or_default()
    }

    /// Appends a guide.
    pub fn push(&mut self, points: impl IntoIterator<Item = GuidePoint>) {
        self.points.extend(points);
        self.ends.push(self.points.len() as u32);
    }

    /// Scales all lengths.
    pub fn scale(&mut self, factor: f32) {
        self.points.iter_mut().for_each(|point| point.position *= factor);
        self.growth.width *= factor;
        self.growth.frizz *= factor;
    }
}

#[cfg(test)]
mod tests {
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
}
