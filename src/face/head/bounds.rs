//! Axis-aligned bounding boxes.

use glam::Vec3;

/// An axis-aligned box. Empty when `min` is above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lowest corner.
    pub min: Vec3,
    /// Highest corner.
    pub max: Vec3,
}

impl Bounds {
    /// A box that contains no point.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around finite points.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .filter(|point| point.is_finite())
            .fold(Self::EMPTY, |bounds, point| Self { min: bounds.min.min(point), max: bounds.max.max(point) })
    }

    /// The smallest box around several boxes.
    pub fn union(boxes: impl IntoIterator<Item = Self>) -> Self {
        boxes.into_iter().fold(Self::EMPTY, |a, b| Self { min: a.min.min(b.min), max: a.max.max(b.max) })
    }

    /// The intersection of two boxes, if it is not empty.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        (!common.is_empty()).then_some(common)
    }

    /// Whether it contains no point.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The centre; the origin when empty.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { (self.min + self.max) * 0.5 }
    }

    /// The extent along each axis; zero when empty.
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// The distance of the farthest corner from a point; 0 when empty.
    pub fn reach_from(&self, point: Vec3) -> f32 {
        if self.is_empty() { 0.0 } else { (self.min - point).abs().max((self.max - point).abs()).length() }
    }

    /// The radius of the sphere around it; 1 when the box is empty or a point, so that callers can divide by it.
    pub fn radius(&self) -> f32 {
        let radius = self.size().length() * 0.5;
        if radius.is_finite() && radius > 0.0 { radius } else { 1.0 }
    }
}
