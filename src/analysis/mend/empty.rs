//! Shapes that move nothing.

use serde::{Deserialize, Serialize};

use super::Reason;
use super::plan::{Plan, Scope};
use crate::lint;

/// Shapes that move nothing visibly, as the lint finds them, are removed. Those of correctives stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

impl Empty {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        for channel in lint::empty_shapes(scope.head, &scope.shapes) {
            // A shape may change nothing but colours.
            if scope.targets(channel).any(|(_, target)| !target.uv_color_deltas.rows.is_empty()) {
                continue;
            }
            if scope.is_in_corrective(channel) {
                plan.refuse(scope, channel, Reason::InCorrective);
            } else {
                plan.removed.extend(scope.targets(channel).map(|(place, _)| place));
            }
        }
        plan
    }
}
