//! Shapes that move more or less.

use serde::{Deserialize, Serialize};

use super::field::mapped;
use super::not_negative;
use super::plan::{Plan, Scope};

/// All deltas of a shape are multiplied by one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    #[serde(deserialize_with = "not_negative")]
    pub factor: f32,
}

impl Default for Scale {
    fn default() -> Self {
        Self { factor: 1.0 }
    }
}

impl Scale {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        plan.change_each(scope, |_, _, target| Some(mapped(target, |_, row| row.map(|delta| delta * self.factor))));
        plan
    }
}
