//! Lint: what is unusual about the shapes of a head. Shapes that do nothing, or the same as others; left and right sides that
//! differ; surfaces that tear, or keep the normals of another shape.
//!
//! Pure functions on a [`Head`], one rule per file with its measure and its threshold. Each examines channels, as an artist moves
//! them: the targets of one name on all meshes together, at weight 1, in world space; rules that concern in-betweens say so. Each takes limited time with any file:
//! where comparing all with all would take too long, the file of the rule describes what is left out.

mod combinations;
mod coverage;
mod displacements;
mod empty;
mod finding;
mod in_betweens;
mod mirror;
mod noise;
mod seams;
mod sides;
mod similarity;
mod stale_normals;

pub use finding::{Finding, Measure, Rule};

use self::displacements::Displacements;
use self::similarity::Similarity;
use crate::head::Head;

/// Applies all rules, in the order of [`Rule::ALL`].
pub fn lint(head: &Head) -> Vec<Finding> {
    lint_while(head, || true).unwrap_or_default()
}

/// [`lint`], which stops after the rule it is at and has no result once `is_wanted` is false.
pub(crate) fn lint_while(head: &Head, is_wanted: impl Fn() -> bool) -> Option<Vec<Finding>> {
    let displacements = Displacements::of(head);
    let similarity = is_wanted().then(|| Similarity::of(&displacements))?;
    let rules: [&dyn Fn() -> Vec<Finding>; 8] = [
        &|| coverage::check(&displacements).into_iter().collect(),
        &|| empty::check(&displacements).into_iter().collect(),
        &|| in_betweens::check(&displacements).into_iter().collect(),
        &|| combinations::check(&displacements, &similarity).into_iter().collect(),
        &|| seams::check(&displacements).into_iter().collect(),
        &|| stale_normals::check(&displacements).into_iter().collect(),
        &|| sides::check(&displacements).into_iter().collect(),
        &|| noise::check(&displacements).into_iter().collect(),
    ];
    let mut findings = Vec::new();
    for rule in rules {
        findings.extend(is_wanted().then(rule)?);
    }
    let position = |rule: Rule| Rule::ALL.iter().position(|&other| other == rule);
    findings.sort_by_key(|finding: &Finding| position(finding.rule));
    Some(findings)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::head::Asset;

    #[test]
    fn a_lint_that_is_no_longer_wanted_ends_after_the_rule_it_is_at() {
        let head = Head::new(Asset { name: "head".into(), ..Asset::default() });
        let rules = Cell::new(0);
        let is_wanted = || {
            rules.set(rules.get() + 1);
            rules.get() < 4
        };
        assert!(lint_while(&head, is_wanted).is_none());
        assert_eq!(rules.get(), 4);
        assert!(lint_while(&head, || true).is_some());
    }
}
