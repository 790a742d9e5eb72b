//! Lint: what is unusual about the shapes of a head. Shapes that do nothing, or the same as others; left and right
//! sides that differ; surfaces that tear, or keep the normals of another shape. [`Settings`] say which rules are
//! applied, and how.
//!
//! Pure functions on a [`Head`], in `rules`. Each examines channels, as an artist moves them: the targets of one name
//! on all meshes together, at weight 1, in world space; rules that concern in-betweens say so. Each takes limited time
//! with any file: where comparing all with all would take too long, the rule describes what is left out.

mod contained;
mod displacements;
mod finding;
mod rule;
mod rules;
mod settings;

pub use finding::{Finding, Measure};
pub use rule::{Limit, Rule, Severity};
pub(crate) use rules::{cracks, empty_shapes};
pub use settings::Settings;

use self::displacements::{Displacements, Similarity};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::Head;

type Check<'a> = (&'a [Rule], &'a dyn Fn() -> Vec<Finding>);

/// Applies the rules that are on, in the order of [`Rule::ALL`].
pub fn lint(head: &Head, settings: &Settings) -> Vec<Finding> {
    lint_while(head, settings, Progress::NONE).unwrap_or_else(|_| unreachable!("nobody cancels it"))
}

/// [`lint`], which can be cancelled between the rules.
pub fn lint_while(head: &Head, settings: &Settings, progress: Progress<'_>) -> Result<Vec<Finding>, Cancelled> {
    let displacements = Displacements::new(head, settings);
    progress.report("comparing shapes", 0.0)?;
    let similarity = Similarity::new(&displacements);
    let rules: [Check<'_>; 10] = [
        (&[Rule::Coverage], &|| rules::coverage(&displacements).into_iter().collect()),
        (&[Rule::RestWeight], &|| rules::rest_weights(&displacements).into_iter().collect()),
        (&[Rule::Empty], &|| rules::empty(&displacements).into_iter().collect()),
        (&[Rule::InBetween], &|| rules::in_betweens(&displacements).into_iter().collect()),
        (&[Rule::Duplicate, Rule::Opposite, Rule::Mix], &|| rules::relations(&displacements, &similarity)),
        (&[Rule::Contained], &|| contained::contained(&displacements, &similarity)),
        (&[Rule::Crack], &|| rules::seams(&displacements).into_iter().collect()),
        (&[Rule::Unturned], &|| rules::stale_normals(&displacements).into_iter().collect()),
        (&[Rule::Asymmetry], &|| rules::sides(&displacements).into_iter().collect()),
        (&[Rule::Noise], &|| rules::noise(&displacements).into_iter().collect()),
    ];
    let mut findings = Vec::new();
    let count = rules.len();
    for (index, (of, check)) in rules.into_iter().enumerate() {
        if of.iter().any(|rule| settings.is_on(*rule)) {
            progress.part_of(index, count).report("checking shapes", 0.0)?;
            findings.extend(check());
        }
    }
    // Of equal, opposite and summed channels, all are found together.
    findings.retain(|finding: &Finding| {
        let mut channels = finding.channels.iter().map(|&channel| &head.channels[channel]);
        settings.is_on(finding.rule) && !channels.any(|channel| settings.allows_channel(finding.rule, channel))
    });
    findings.iter_mut().for_each(|finding| settings.apply_level(finding));
    findings.sort_by_key(|finding| finding.rule);
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use smirk_face::head::Asset;

    #[test]
    fn a_lint_that_is_no_longer_wanted_ends_after_the_rule_it_is_at() {
        let head = Head::new(Asset { name: "head".into(), ..Asset::default() });
        let rules = Cell::new(0);
        let report = |_: &str, _: f32| {
            rules.set(rules.get() + 1);
            if rules.get() < 4 { Ok(()) } else { Err(Cancelled) }
        };
        assert_eq!(lint_while(&head, &Settings::default(), Progress::new(&report)), Err(Cancelled));
        assert_eq!(rules.get(), 4);
        assert!(lint_while(&head, &Settings::default(), Progress::NONE).is_ok());
    }
}
