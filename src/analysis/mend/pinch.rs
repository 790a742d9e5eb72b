//! Surfaces that cross in a combination of shapes are pushed apart by a corrective.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::fields;
use super::normals::RestNormals;
use super::plan::{Added, Plan, Scope};
use crate::judge::pushed_apart;
use smirk_base::names::free_name;
use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, Head, Pair, Target};

/// Skin that crosses something while the shapes are at full weight together is pushed out along the normal of what it
/// crosses, as little as possible: a new shape, which a corrective shows with the product of their weights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pinch {
    /// The name of the new shape; if it is empty, [`Self::usual_name`], with a number if that is taken.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub into: String,
}

impl Pinch {
    /// A name that says which channels the new shape belongs to: their names with `_` between them, where two sides
    /// have one and at most three are spelled out.
    pub fn usual_name(head: &Head, channels: &[usize]) -> String {
        let mut parts: Vec<&str> = Vec::new();
        for &channel in channels {
            let part: &str = match head.pair_of(channel).map(|pair| &head.pairs[pair]) {
                Some(Pair { label, first, second: Some(second), is_left_and_right: true, .. })
                    if [first, second].iter().all(|it| channels.contains(it)) =>
                {
                    label
                }
                _ => &head.channels[channel].name,
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        match &parts[..] {
            [first, second, rest @ ..] if rest.len() > 1 => format!("{first}_{second}_and_{}_more", rest.len()),
            parts => parts.join("_"),
        }
    }

    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let head = scope.head;
        if scope.named.len() < 2 {
            return Plan::refusing(Reason::TooFew(scope.named.len()));
        }
        if let Some(&driven) = scope.named.iter().find(|&&channel| head.correctives.of_channel(channel).is_some()) {
            let mut plan = Plan::default();
            plan.refuse(scope, driven, Reason::InCorrective);
            return plan;
        }
        let names: Vec<&str> = scope.named.iter().map(|&channel| scope.name(channel)).collect();
        let into = if self.into.is_empty() {
            free_name(&Self::usual_name(head, &scope.named), "_", |name| scope.shape_named(name).is_none())
        } else {
            self.into.clone()
        };
        if scope.shape_named(&into).is_some() {
            return Plan::refusing(Reason::NameTaken(into));
        }
        let apart = pushed_apart(head, &scope.shapes);
        let mut plan = Plan { crossed_mm: Some(apart.crossed_mm), ..Plan::default() };
        for (mesh, deltas) in apart.deltas.into_iter().enumerate().filter(|(_, deltas)| !deltas.is_empty()) {
            let of_mesh = &head.meshes[mesh];
            let (rows, positions): (Vec<u32>, Vec<Vec3>) = deltas.into_iter().unzip();
            let target = Target { name: into.clone(), rows, positions, ..Target::default() };
            let surface = RestNormals::new(of_mesh);
            let turned = fields(&target).map(|field| surface.turned(of_mesh, &field));
            let target = super::field::with_fields(&target, turned.collect::<Vec<_>>());
            plan.added.push(Added { mesh, before: of_mesh.targets.len(), weight_of: None, target });
        }
        if plan.added.is_empty() {
            return plan;
        }
        let drivers = names.iter().map(|name| Driver { name: (*name).to_owned(), full_weight: 1.0 }).collect();
        let corrective = Corrective { target: into, drive: Drive::Combination(CombinationMethod::Product, drivers) };
        plan.first = Some(Box::new(move |asset: &mut Asset| asset.declared_correctives.push(corrective)));
        plan
    }
}
