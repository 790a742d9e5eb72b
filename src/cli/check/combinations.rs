//! Combinations of shapes that break a face: as problems of a check, and drawn.

use std::sync::Arc;

use super::report::Problem;
use crate::cli::draw::renderer_of;
use crate::cli::text::ProgressLine;
use smirk_analysis::judge::{Judged, judge};
use smirk_analysis::lint::{Rule, Settings};
use smirk_base::progress::Progress;
use smirk_export::{OutputPath, SheetContent, SheetSettings, SheetWork};
use smirk_face::head::Head;
use smirk_graphics::blend::Precision;
use smirk_picture::render::HeadNotUploaded;
use smirk_scene::{Look, Quality, ViewMode};

/// The number of combinations that are drawn, and in how many columns.
const DRAWN: usize = 12;
const COLUMNS: usize = 4;

/// All combinations that no rule leaves out, the worst first.
pub(super) fn judged(head: &Head, settings: &Settings) -> Vec<Judged> {
    let line = ProgressLine::new();
    let judged = judge(head, Progress::new(&|stage, _| line.show_stage(&stage.to_lowercase())));
    line.clear();
    let is_allowed = |channel: &usize| settings.allows(Rule::Combination, &head.channels[*channel].name);
    let mut judged = judged.unwrap_or_default();
    judged.retain(|judged| !judged.combination.channels.iter().any(is_allowed));
    judged
}

/// The combinations whose lines of intersection are longer than the limit.
pub(super) fn problems_of(head: &Head, settings: &Settings, judged: &[Judged]) -> Vec<Problem> {
    let is_problem = |judged: &&Judged| judged.added_mm > settings.limit(Rule::Combination);
    let problem = |judged: &Judged| Problem {
        rule: Rule::Combination,
        level: settings.severity(Rule::Combination),
        object: judged.combination.name(head),
        channels: judged.combination.channels.iter().map(|&channel| head.channels[channel].name.clone()).collect(),
        message: judged.facts() + "; add a corrective, or limit the weights",
    };
    judged.iter().filter(is_problem).map(problem).collect()
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
    let (gpu, mut renderer) = renderer_of(head, Precision::default())?;
    let (progress, total) = (ProgressLine::new(), work.total());
    gpu.attempt(|| {
        while work.step(&mut renderer)? {
            progress.show(&format!("picture {} of {total}", work.done()));
        }
        Ok::<_, HeadNotUploaded>(())
    })??;
    progress.clear();
    Ok(work.finish().save(output)?)
}
