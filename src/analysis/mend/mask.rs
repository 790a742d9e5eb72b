//! Where on the surface a mend works.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The surface near some points. Without a mask, a mend works everywhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mask(pub Vec<MaskPoint>);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaskPoint {
    /// Its place on the face at rest, in the world.
    pub at: [f32; 3],
    /// Half of this far from it the mend works fully, and this far not at all.
    #[serde(deserialize_with = "super::not_negative")]
    pub radius_mm: f32,
}

impl MaskPoint {
    pub const USUAL_RADIUS_MM: f32 = 15.0;
}

/// The most points of a mask that is made of values.
const MOST_COVERING: usize = 128;

impl Mask {
    /// Where values of vertices are at least half of the largest: points of one radius that cover these vertices.
    /// `vertices` have their places at rest, in the world.
    pub fn covering(vertices: impl IntoIterator<Item = (Vec3, f32)>, radius_mm: f32, mm_per_unit: f32) -> Self {
        let mut vertices: Vec<(Vec3, f32)> = vertices.into_iter().map(|(place, value)| (place, value.abs())).collect();
        vertices.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        // NaN, of vertices that have no value, is sorted before all numbers.
        let known = vertices.iter().skip_while(|(_, value)| value.is_nan());
        let largest = known.clone().next().map_or(0.0, |(_, value)| *value);
        let mut mask = Self::default();
        for (place, _) in known.take_while(|(_, value)| largest > 0.0 && *value >= largest * 0.5) {
            if mask.0.len() < MOST_COVERING && mask.amount(*place, mm_per_unit) < 1.0 {
                mask.0.push(MaskPoint { at: place.to_array(), radius_mm });
            }
        }
        mask
    }

    /// How much of a mend is done at a place at rest, 0 to 1.
    pub(super) fn amount(&self, place: Vec3, mm_per_unit: f32) -> f32 {
        let amounts = self.0.iter().map(|point| {
            let part = place.distance(Vec3::from(point.at)) * mm_per_unit / point.radius_mm;
            // NaN, of a point at the place with no radius, is outside.
            if part < 1.0 { smooth_step(2.0 - 2.0 * part) } else { 0.0 }
        });
        amounts.fold(0.0, f32::max)
    }
}

/// From 0 at 0 to 1 at 1, level at both ends and beyond.
pub(super) fn smooth_step(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
