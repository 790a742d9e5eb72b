//! Combinations of shapes that break a face: as problems of a check, and drawn.

use std::sync::Arc;

use super::report::Problem;
use crate::cli::draw::draw_sheet;
use crate::cli::text::{ProgressLine, channel_names};
use smirk_analysis::judge::{Judged, judge};
use smirk_analysis::lint::{Rule, Settings};
use smirk_base::progress::Progress;
use smirk_export::{OutputPath, SheetContent, SheetSettings, SheetWork};
use smirk_face::head::Head;
use smirk_graphics::blend::Precision;
use smirk_scene::{Look, Quality, ViewMode};

/// The number of combinations that are drawn, and in how many columns.
const DRAWN: usize = 12;
const COLUMNS: usize = 4;

/// All combinations that no rule leaves out, the worst first.
pub(super) fn judged(head: &Head, settings: &Settings) -> Vec<Judged> {
    let line = ProgressLine::new();
    let judged = judge(head, Progress::new(&|stage, _| line.show_stage(&stage.to_lowercase())));
    line.clear();
    let Ok(mut judged) = judged else { unreachable!("nothing cancels it") };
    judged.retain(|judged| {
        let mut channels = judged.combination.channels.iter();
        !channels.any(|&channel| settings.allows(Rule::Combination, &head.channels[channel].name))
    });
    judged
}

/// The combinations whose lines of intersection are longer than the limit.
pub(super) fn problems_of(head: &Head, settings: &Settings, judged: &[Judged]) -> Vec<Problem> {
    judged
        .iter()
        .filter(|judged| judged.added_mm > settings.limit(Rule::Combination))
        .map(|judged| Problem {
            rule: Rule::Combination,
            level: settings.severity(Rule::Combination),
            object: judged.combination.name(head),
            channels: channel_names(head, &judged.combination.channels),
            message: judged.facts() + "; add a corrective, or limit the weights",
        })
        .collect()
}

/// Draws the worst combinations on one sheet, with what crosses in colour.
pub(super) fn draw(head: &Arc<Head>, judged: &[Judged], output: &OutputPath) -> anyhow::Result<()> {
    let worst = judged.iter().take(DRAWN);
    let picture = |judged: &Judged| {
        let mut weights = judged.combination.weights(head);
        head.resolve(&mut weights);
        (format!("{} · {:.0} mm", judged.combination.name(head), judged.added_mm), weights)
    };
    let what = format!("the {} worst of {} combinations", worst.len(), judged.len());
    let content = SheetContent::from_pictures(what, worst.map(picture));
    let look = Look { view: ViewMode::Intersections, isolates_face: true, ..Look::default() };
    let settings =
        SheetSettings { columns: Some(COLUMNS), quality: Quality::refined(4), look, ..SheetSettings::default() };
    let mut work = SheetWork::start(head.clone(), content, &settings)?;
    let progress = ProgressLine::new();
    draw_sheet(&mut work, head, Precision::default(), &progress)?;
    progress.clear();
    Ok(work.finish().save(output)?)
}
