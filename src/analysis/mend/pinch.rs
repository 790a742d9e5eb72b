//! Surfaces that cross in a combination of shapes are pushed apart by a corrective.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::fields;
use super::normals::RestNormals;
use super::plan::{Added, Plan, Scope};
use crate::judge::pushed_apart;
use smirk_face::head::{Asset, CombinationMethod, Corrective, Drive, Driver, Head, Target};

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
    /// A name that says what the new shape belongs to: the names of the others with `_` between them, where one stands
    /// for both sides and at most three are spelled out.
    pub fn usual_name(head: &Head, names: &[impl AsRef<str>]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let mut done: Vec<&str> = Vec::new();
        for name in names.iter().map(AsRef::as_ref) {
            if done.contains(&name) {
                continue;
            }
            let other = head.mirrored_name(name);
            let are_both = other != name && names.iter().any(|it| it.as_ref() == other);
            parts.push(if are_both { common(name, other) } else { name.to_owned() });
            done.extend([name, other].into_iter().take(1 + usize::from(are_both)));
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
            let usual = Self::usual_name(head, &names);
            let numbered = (2..).map(|number| format!("{usual}_{number}"));
            let mut free = std::iter::once(usual.clone()).chain(numbered).filter(|it| scope.shape_named(it).is_none());
            free.next().unwrap_or_default()
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

/// What two names begin and end with alike: of `eyeBlinkLeft` and `eyeBlinkRight`, `eyeBlink`. An end is that of whole
/// words.
fn common(a: &str, b: &str) -> String {
    let alike = |(a, b): &(char, char)| a == b;
    let start: String = a.chars().zip(b.chars()).take_while(alike).map(|(it, _)| it).collect();
    let [rest_a, rest_b] = [a, b].map(|name| &name[start.len()..]);
    let end: Vec<char> = rest_a.chars().rev().zip(rest_b.chars().rev()).take_while(alike).map(|(it, _)| it).collect();
    let words = end.into_iter().rev().skip_while(|it| it.is_alphanumeric() && !it.is_uppercase());
    start.chars().chain(words).collect::<String>().trim_matches(['_', '.', '-', ' ']).to_owned()
}
