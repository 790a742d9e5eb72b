//! Deltas that are too small to be seen go.

use serde::{Deserialize, Serialize};

use super::field::{Row, mapped};
use super::plan::{Plan, Scope};

/// Deltas up to a threshold become 0, and those up to twice the threshold fade: the change is continuous, so that no
/// crack opens beside what is left, and nothing moves by more than the threshold. Vertices at one place that move
/// together still do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Noise {
    #[serde(deserialize_with = "super::not_negative")]
    pub below_mm: f32,
    /// The same for normals and tangents.
    #[serde(deserialize_with = "super::not_negative")]
    pub below_degrees: f32,
}

impl Default for Noise {
    /// What is not visible, as the lint measures it.
    fn default() -> Self {
        Self { below_mm: 0.002, below_degrees: 0.07 }
    }
}

impl Noise {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let turn = self.below_degrees.to_radians();
        plan.change_each(scope, |_, (mesh, _), target| {
            Some(mapped(target, |row, [position, normal, tangent]: Row| {
                let length_mm = scope.surface.length_mm(mesh, row, position);
                // For small angles, the length of the delta is the angle.
                let directions = [normal, tangent].map(|delta| delta * part_left(delta.length(), turn));
                [position * part_left(length_mm, self.below_mm), directions[0], directions[1]]
            }))
        });
        plan
    }
}

/// The part of a delta that stays: none up to the threshold, all of it from twice the threshold on.
fn part_left(length: f32, threshold: f32) -> f32 {
    if threshold > 0.0 { (length / threshold - 1.0).clamp(0.0, 1.0) } else { 1.0 }
}
