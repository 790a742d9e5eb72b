//! A shape that contains another one, because it was exported against a face that was not at rest.

use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::{Field, fields, with_fields};
use super::plan::{Plan, Scope};
use smirk_face::head::Target;

/// Another shape is subtracted from each shape, with the weight with which it is contained in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contained {
    /// The name of the shape that is contained.
    pub shape: String,
    /// Its weight; without it, that which leaves least by least squares over the vertices that it explains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f32>,
}

/// A vertex is explained if less than this part of the movement of the part is left of it.
const SAME: f32 = 0.05;

/// Movements of less than this part of the largest do not count.
const SMALL: f32 = 0.05;

/// The weight is found anew among the vertices that it explains, at most so often.
const ROUNDS: usize = 10;

/// The part of the movement, by its squares, that has to be explained.
const LEAST: f64 = 0.5;

impl Contained {
    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let Some(part) = scope.shape_named(&self.shape) else {
            return Plan::refusing(Reason::NoOther(self.shape.clone()));
        };
        let mut plan = Plan::default();
        for &channel in scope.shapes.iter().filter(|channel| **channel != part) {
            let name = || scope.name(part).to_owned();
            let has_in_betweens =
                [channel, part].iter().any(|it| scope.targets(*it).any(|(_, target)| !target.in_betweens.is_empty()));
            if has_in_betweens {
                plan.refuse(scope, channel, Reason::OtherInBetweens(name()));
                continue;
            }
            let Some(weight) = self.weight.or_else(|| weight_of(scope, part, channel)) else {
                plan.refuse(scope, channel, Reason::NotContained(name()));
                continue;
            };
            plan.weights.insert(scope.name(channel).to_owned(), weight);
            for (place, whole) in scope.targets(channel) {
                let Some((_, part)) = scope.target_on(part, place.0) else { continue };
                plan.change(place, whole, without(whole, part, weight));
            }
        }
        plan
    }
}

fn without(whole: &Target, part: &Target, weight: f32) -> Target {
    let part = Field::new(part.deltas());
    let own = fields(whole).map(|whole| {
        // A column that the whole lacks is computed from the others by whoever draws it.
        let columns = whole.columns;
        let left = whole.zip(&part, |_, whole, part| {
            std::array::from_fn(|at| if columns[at] { whole[at] - part[at] * weight } else { whole[at] })
        });
        Field { columns, ..left }
    });
    with_fields(whole, own)
}

/// The weight of a part within a whole: of all, of those near 1 and −1, that which explains most; none if less than
/// half of the movement of the part is there.
fn weight_of(scope: &Scope<'_>, part: usize, whole: usize) -> Option<f32> {
    // Of each vertex that the part moves noticeably, the movements of both in millimetres.
    let mut both = Vec::new();
    for ((mesh, _), part) in scope.targets(part) {
        let of_whole = scope.target_on(whole, mesh).map(|(_, target)| Field::new(target.deltas())).unwrap_or_default();
        let of_part = Field::new(part.deltas());
        of_part.zip(&of_whole, |row, part, whole| {
            let matrix = scope.surface.world_from_delta(mesh, row);
            both.push([matrix * part[0], matrix * whole[0]].map(|delta| delta.as_dvec3()));
            part
        });
    }
    let largest = both.iter().map(|[part, _]| part.length()).fold(0.0, f64::max);
    both.retain(|[part, _]| part.length() > largest * f64::from(SMALL));
    let all: f64 = both.iter().map(|[part, _]| part.length_squared()).sum();
    let explained = |weight: f64| {
        let same = both.iter().filter(move |[part, whole]| {
            whole.distance(*part * weight) <= part.length() * f64::from(SAME) * weight.abs().max(0.1)
        });
        same.fold((0.0, 0.0), |(shared, own), [part, whole]| (shared + part.dot(*whole), own + part.length_squared()))
    };
    let over_all = both.iter().map(|[part, whole]| part.dot(*whole)).sum::<f64>() / all;
    let refined = [over_all, 1.0, -1.0].into_iter().map(|start| {
        let mut weight = start;
        for _ in 0..ROUNDS {
            let (shared, own) = explained(weight);
            if own == 0.0 || shared / own == weight {
                break;
            }
            weight = shared / own;
        }
        (weight, explained(weight).1)
    });
    let (weight, share) = refined.max_by(|a, b| a.1.total_cmp(&b.1))?;
    (all > 0.0 && share >= LEAST * all && weight.abs() > 1e-3).then_some(weight as f32)
}
