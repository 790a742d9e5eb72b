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

impl Mask {
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
