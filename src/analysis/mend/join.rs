//! Several shapes become one.

use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::{Field, fields, have_same_in_betweens, with_fields};
use super::plan::{Added, Place, Plan, Scope};
use smirk_face::head::{Head, Target, UvColorDeltas};

/// The shapes that are named, such as two halves, are replaced by their sum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// The name of the sum.
    pub into: String,
}

impl Join {
    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let Some(&first) = scope.named.first().filter(|_| scope.named.len() > 1) else {
            return Plan::refusing(Reason::TooFew(scope.named.len()));
        };
        let taken = scope.head.target_channels().iter().enumerate();
        let mut taken = taken.filter(|(channel, _)| !scope.named.contains(channel));
        if taken.any(|(_, other)| other.full_name == self.into) {
            return Plan::refusing(Reason::NameTaken(self.into.clone()));
        }
        let mut plan = Plan::default();
        for &channel in &scope.named {
            let name = || scope.name(first).to_owned();
            if scope.is_in_corrective(channel) {
                plan.refuse(scope, channel, Reason::InCorrective);
            } else if !is_moved_alike(scope, first, channel) {
                plan.refuse(scope, channel, Reason::MovedOtherwise(name()));
            } else if !have_in_betweens_alike(scope, first, channel) {
                plan.refuse(scope, channel, Reason::OtherInBetweens(name()));
            }
        }
        if !plan.refused.is_empty() {
            return plan;
        }
        for mesh in 0..scope.head.meshes.len() {
            let parts = scope.named.iter().filter_map(|&channel| scope.target_on(channel, mesh));
            let parts: Vec<(Place, &Target)> = parts.collect();
            let Some(&((_, index), lead)) = parts.first() else { continue };
            let sum = parts[1..].iter().fold(lead.clone(), |sum, (_, part)| sum_of(&sum, part));
            let target = Target { name: self.into.clone(), ..sum };
            plan.added.push(Added { mesh, before: index, weight_of: Some(index), target });
            plan.removed.extend(parts.iter().map(|(place, _)| *place));
        }
        plan
    }
}

fn sum_of(a: &Target, b: &Target) -> Target {
    let sum = |a: Field, b: Field| a.zip(&b, |_, a, b| std::array::from_fn(|at| a[at] + b[at]));
    let target = with_fields(a, fields(a).zip(fields(b)).map(|(a, b)| sum(a, b)));
    Target { uv_color_deltas: sum_of_colors(&a.uv_color_deltas, &b.uv_color_deltas), ..target }
}

fn sum_of_colors(a: &UvColorDeltas, b: &UvColorDeltas) -> UvColorDeltas {
    let mut rows: Vec<u32> = a.rows.iter().chain(&b.rows).copied().collect();
    rows.sort_unstable();
    rows.dedup();
    let mut sum = UvColorDeltas::default();
    for row in rows {
        let of = |deltas: &UvColorDeltas| {
            let at = deltas.rows.binary_search(&row).ok();
            at.map_or_else(Default::default, |at| (deltas.uvs[at], deltas.colors[at]))
        };
        let ((a_uvs, a_color), (b_uvs, b_color)) = (of(a), of(b));
        sum.rows.push(row);
        sum.uvs.push([a_uvs[0] + b_uvs[0], a_uvs[1] + b_uvs[1]]);
        sum.colors.push(a_color + b_color);
    }
    sum
}

fn have_in_betweens_alike(scope: &Scope<'_>, a: usize, b: usize) -> bool {
    scope.targets(a).all(|(_, a)| scope.targets(b).all(|(_, b)| have_same_in_betweens(a, b)))
}

/// Whether all clips and expressions move two shapes by the same weights, and both rest at the same weight.
fn is_moved_alike(scope: &Scope<'_>, a: usize, b: usize) -> bool {
    let head: &Head = scope.head;
    let [a_target, b_target] = [a, b].map(|channel| head.channels[channel].targets[0]);
    let rest = |channel: usize| scope.targets(channel).map(|(_, target)| target.default_weight).collect::<Vec<_>>();
    let responses = head.expressions.iter().filter_map(|expression| Some(&expression.response.as_ref()?.clip));
    let by_clips =
        head.clips.iter().chain(responses).all(|clip| match [a_target, b_target].map(|target| clip.curve_of(target)) {
            [None, None] => true,
            [Some((a, of_a)), Some((b, of_b))] => a.with_elements(&[of_a]) == b.with_elements(&[of_b]),
            _ => false,
        });
    let by_expressions = head.expressions.iter().all(|expression| {
        let weight = |target| expression.binds.iter().filter(|it| it.target == target).map(|it| it.weight).sum::<f32>();
        weight(a_target) == weight(b_target)
    });
    by_clips && by_expressions && rest(a).first() == rest(b).first()
}
