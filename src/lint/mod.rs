//! What a modeller would rather hear from Smirk than from an artist: shapes that do nothing, or what others do already; sides
//! that differ; surfaces that tear or keep the light of another face.
//!
//! Pure functions on a [`Head`], a rule per file with its measure and its threshold. Each looks at channels, as an artist moves
//! them: the targets of one name on all meshes together, at weight 1, in world space. Whatever a file holds, each ends soon:
//! where comparing all with all would not, the file says what is left out.

mod coverage;
mod empty;
mod finding;
mod mirror;
mod mixes;
mod movement;
mod noise;
mod products;
mod seams;
mod sides;
mod unturned;

pub use finding::{Finding, Rule};

use self::movement::Movement;
use self::products::Products;
use crate::head::{Head, one_line};

/// Looks for everything, in the order of [`Rule::ALL`].
pub fn lint(head: &Head) -> Vec<Finding> {
    let movement = Movement::of(head);
    let products = Products::of(&movement);
    let mut findings: Vec<Finding> = coverage::check(head).into_iter().collect();
    findings.extend(empty::check(&movement));
    findings.extend(mixes::check(&movement, &products));
    findings.extend(seams::check(&movement));
    findings.extend(unturned::check(&movement));
    findings.extend(sides::check(&movement));
    findings.extend(noise::check(&movement));
    let place = |rule: Rule| Rule::ALL.iter().position(|&other| other == rule);
    findings.sort_by_key(|finding| place(finding.rule));
    // Names from the file are in it.
    findings.iter_mut().for_each(|finding| finding.message = one_line(std::mem::take(&mut finding.message)));
    findings
}
