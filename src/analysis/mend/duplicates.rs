//! Shapes that are stored twice.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Reason;
use super::plan::{Place, Plan, Scope};
use smirk_face::head::{ARKIT_NAMES, Bind, Target};

/// Of shapes that are exactly equal, the first stays. Expressions that move another one move the first instead. One
/// that something else moves stays too: a clip, the animation of an expression, a corrective, a weight at rest, or
/// captures, which know its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Duplicates {}

impl Duplicates {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let known: Vec<usize> = ARKIT_NAMES.iter().flat_map(|name| scope.head.channel_alike(name)).collect();
        let mut originals: HashMap<Vec<(usize, usize)>, Vec<usize>> = HashMap::new();
        // Head-wide indices of the targets that go, and of those in their place.
        let mut replaced: HashMap<usize, usize> = HashMap::new();
        for &channel in &scope.shapes {
            let sizes = scope.targets(channel).map(|((mesh, _), target)| (mesh, target.rows.len())).collect();
            let alike = originals.entry(sizes).or_default();
            let Some(&original) = alike.iter().find(|&&original| are_equal(scope, original, channel)) else {
                alike.push(channel);
                continue;
            };
            let moved_by = if scope.is_in_corrective(channel) {
                Some(Reason::InCorrective)
            } else if scope.is_in_clip(channel) {
                Some(Reason::InClip)
            } else if scope.is_in_response(channel) {
                Some(Reason::InResponse)
            } else if scope.targets(channel).any(|(_, target)| target.default_weight != 0.0) {
                Some(Reason::AtRest)
            } else {
                known.contains(&channel).then_some(Reason::KnownName)
            };
            if let Some(reason) = moved_by {
                plan.refuse(scope, channel, reason);
                continue;
            }
            plan.removed.extend(scope.targets(channel).map(|(place, _)| place));
            let [gone, there] = [channel, original].map(|channel| &scope.head.channels[channel].targets);
            replaced.extend(gone.iter().copied().zip(there.iter().copied()));
        }
        plan.first = Some(Box::new(move |asset| {
            for expression in asset.expressions.iter_mut().chain(&mut asset.unshown_expressions) {
                let mut binds: Vec<Bind> = Vec::with_capacity(expression.binds.len());
                for &Bind { target, weight } in &expression.binds {
                    let target = replaced.get(&target).copied().unwrap_or(target);
                    match binds.iter_mut().find(|bind| bind.target == target) {
                        Some(bind) => bind.weight += weight,
                        None => binds.push(Bind { target, weight }),
                    }
                }
                expression.set_binds(binds);
            }
        }));
        plan
    }
}

/// Whether two shapes change the same vertices of the same meshes by the same numbers.
fn are_equal(scope: &Scope<'_>, a: usize, b: usize) -> bool {
    let (a, b): (Vec<(Place, &Target)>, Vec<_>) = (scope.targets(a).collect(), scope.targets(b).collect());
    let moves = a.iter().any(|(_, target)| !target.is_empty());
    moves
        && a.len() == b.len()
        && a.iter().zip(&b).all(|((in_a, a), (in_b, b))| {
            let shapes = |target: &Target| {
                let own = target.shapes().map(|it| (it.rows, it.positions, it.normals, it.tangents));
                own.map(|(rows, a, b, c)| (rows.to_vec(), [a.to_vec(), b.to_vec(), c.to_vec()])).collect::<Vec<_>>()
            };
            in_a.0 == in_b.0
                && a.uv_color_deltas == b.uv_color_deltas
                && super::field::have_same_in_betweens(a, b)
                && shapes(a) == shapes(b)
        })
}
