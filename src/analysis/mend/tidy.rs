//! Numbers that mean nothing: negative zeros, and stored vertices that do not move.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::field::mapped;
use super::plan::{Plan, Scope};
use smirk_face::head::{Head, Target};

/// Negative zeros become zeros, and vertices that do not move are not stored. Nothing that is seen changes; the file is
/// smaller, and what is equal is equal to the last bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tidy {}

impl Tidy {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        for &channel in &scope.shapes {
            for (place, target) in scope.targets(channel).filter(|(_, target)| is_untidy(target)) {
                // −0 + 0 is 0.
                let tidy = mapped(target, |_, row| row.map(|delta| delta + Vec3::ZERO));
                plan.change(place, target, tidy);
            }
        }
        plan
    }

    /// Whether it would change anything.
    pub(super) fn is_needed(head: &Head) -> bool {
        head.meshes.iter().flat_map(|mesh| &mesh.targets).any(is_untidy)
    }
}

fn is_untidy(target: &Target) -> bool {
    target.shapes().any(|shape| {
        let columns = [shape.positions, shape.normals, shape.tangents];
        let is_negative_zero = |delta: &Vec3| delta.to_array().iter().any(|x| *x == 0.0 && x.is_sign_negative());
        let is_still = |row| columns.iter().all(|column| column.get(row).is_none_or(|delta| *delta == Vec3::ZERO));
        columns.iter().any(|column| column.iter().any(is_negative_zero)) || (0..shape.rows.len()).any(is_still)
    })
}
