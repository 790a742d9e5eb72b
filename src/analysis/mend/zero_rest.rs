//! Shapes whose weight at rest is not 0.

use serde::{Deserialize, Serialize};

use super::plan::{Plan, Scope};
use smirk_face::head::Target;

/// The weights at rest become 0. The face at rest is then that of the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZeroRest {}

impl ZeroRest {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        for &channel in &scope.shapes {
            for (place, target) in scope.targets(channel).filter(|(_, target)| target.default_weight != 0.0) {
                plan.change(place, target, Target { default_weight: 0.0, ..target.clone() });
            }
        }
        plan
    }
}
