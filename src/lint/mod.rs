//! Lint: what is unusual about the shapes of a head. Shapes that do nothing, or the same as others; left and right sides that
//! differ; surfaces that tear, or keep the normals of another shape.
//!
//! Pure functions on a [`Head`], one rule per file with its measure and its threshold. Each examines channels, as an artist moves
//! them: the targets of one name on all meshes together, at weight 1, in world space. Each takes limited time with any file:
//! where comparing all with all would take too long, the file of the rule describes what is left out.

mod combinations;
mod coverage;
mod displacements;
mod empty;
mod finding;
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
    let displacements = Displacements::of(head);
    let similarity = Similarity::of(&displacements);
    let mut findings: Vec<Finding> = coverage::check(&displacements).into_iter().collect();
    findings.extend(empty::check(&displacements));
    findings.extend(combinations::check(&displacements, &similarity));
    findings.extend(seams::check(&displacements));
    findings.extend(stale_normals::check(&displacements));
    findings.extend(sides::check(&displacements));
    findings.extend(noise::check(&displacements));
    let position = |rule: Rule| Rule::ALL.iter().position(|&other| other == rule);
    findings.sort_by_key(|finding| position(finding.rule));
    findings
}
