//! Left and right exchanged.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Reason;
use super::mirror::{Image, have_one_set_of_in_betweens, targets_of};
use super::plan::{Plan, Scope};
use super::rename::renamed;

/// The shapes of both sides exchange their names, so that what was called left is called right: clips and expressions
/// move what they moved before. A shape of the middle that is named becomes its own mirror image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swap {}

impl Swap {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut names: BTreeMap<usize, &str> = BTreeMap::new();
        let mut alone = Vec::new();
        for &channel in &scope.shapes {
            match scope.other_side(channel) {
                Some(other) => names.extend([(channel, scope.name(other)), (other, scope.name(channel))]),
                None => alone.push(channel),
            }
        }
        let mut plan = renamed(scope, &names);
        if !scope.names_shapes || alone.is_empty() {
            return plan;
        }
        let map = scope.surface.mirror(scope.head);
        for channel in alone {
            let shape = targets_of(scope, channel);
            match &map {
                None => plan.refuse(scope, channel, Reason::NoPlane),
                Some(_) if !have_one_set_of_in_betweens(&shape) => {
                    plan.refuse(scope, channel, Reason::OtherInBetweens(scope.name(channel).to_owned()));
                }
                Some(map) => {
                    let image = Image::new(scope, map, &shape);
                    plan.unmatched += image.unmatched;
                    image.write(scope, map, Some(channel), scope.name(channel), &mut plan);
                }
            }
        }
        plan
    }
}
