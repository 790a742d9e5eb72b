//! `smirk transfer`: the shapes of one head on another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use glam::DVec3;
use serde::Serialize;

use super::input::open_head;
use super::motion::posed;
use super::text::{self, ProgressLine, counted};
use super::values::{ABOVE_ZERO, head_output, number};
use smirk_analysis::transfer::{
    Check, Face, Landmarks, Quality, Settings, Source, TransferredShape, completed, landmarks, transfer, with_pose,
};
use smirk_base::names::{printable, printable_path};
use smirk_base::progress::Progress;
use smirk_base::regular_file;
use smirk_export::{HeadExport, bytes_in_words};
use smirk_face::head::Landmark;

#[derive(Debug, Args)]
pub struct TransferArgs {
    /// Head whose shapes are carried over; `bundled` for the one that the program contains
    source: PathBuf,
    /// Head that gets them
    target: PathBuf,
    /// GLB or VRM file to write
    #[arg(short, long, value_name = "GLB|VRM")]
    output: PathBuf,
    /// The shapes by their names, with commas, in place of those of the same name or another spelling of it; without it,
    /// those that the target lacks
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    shapes: Option<Vec<String>>,
    /// A pose of the source, by name or as weights of channels, that becomes one shape of its name, or `pose`; without
    /// --shapes it is the only one
    #[arg(long, value_name = "POSE|NAME=WEIGHT,…")]
    pose: Vec<String>,
    /// Places of features of the target, in its own units, instead of those that are found: a JSON object such as
    /// {"mouthLeft": [0.025, 1.6, 0.1]}. The report of --json has all of them
    #[arg(long, value_name = "JSON")]
    points: Option<PathBuf>,
    /// How much of each shape is carried over
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = number(ABOVE_ZERO, "a number above 0, such as 0.8"))]
    strength: f32,
    /// Write JSON instead of lines
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    output: PathBuf,
    bytes: u64,
    shapes: Vec<TransferredShape>,
    quality: Quality,
    checks: Vec<Measured>,
    warnings: Vec<String>,
    /// Where the features of the target are.
    points: BTreeMap<Landmark, [f64; 3]>,
}

/// What is said where nothing was written, for points that are given the next time.
#[derive(Serialize)]
struct Refused {
    refused: String,
    /// Where the features of the target were found.
    points: BTreeMap<Landmark, [f64; 3]>,
}

#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    check: Check,
    is_passed: bool,
}

pub(super) fn run(args: &TransferArgs) -> anyhow::Result<()> {
    let output = head_output(&args.output)?;
    let points = args.points.as_deref().map(read_points).transpose()?.unwrap_or_default();
    let source_file = Some(&args.source).filter(|path| path.as_os_str() != "bundled");
    let (source, target) = rayon::join(|| open_head(source_file), || open_head(Some(&args.target)));
    let (mut source, target) = (Arc::new(source?), target?);
    output.check()?;
    let mut shapes = args.shapes.clone();
    if let Some((pose, weights)) = posed(source.clone(), &args.pose)? {
        source = Arc::new(with_pose(&source, &pose, &weights));
        ensure!(source.channel_named(&pose).is_some(), "--pose: it moves nothing of {}", source.name);
        shapes.get_or_insert_default().push(pose);
    }
    let line = ProgressLine::new();
    let report = |stage: &str, _: f32| line.show_stage(stage);
    let progress = Progress::new(&report);
    let name = printable_path(&args.source).to_string();
    progress.report("looking for the features of both faces", 0.0)?;
    let (from, face) = rayon::join(|| Source::new(&source), || Face::new(&target, &points));
    let from = from.map_err(|problem| anyhow!("{name} has no shapes to carry over: {problem}"))?;
    let settings = Settings { shapes, strength: args.strength };
    let done = match face.and_then(|face| transfer(&from, &face, &settings, progress)) {
        Ok(done) => done,
        Err(problem) => {
            line.clear();
            if let (true, Ok(found)) = (args.json, landmarks(&target)) {
                text::print_json(&Refused { refused: problem.to_string(), points: places(&found) })?;
            }
            return Err(anyhow!("nothing was written: {}: {problem}", printable_path(&args.target)));
        }
    };
    let head = target.with_targets(done.targets, Vec::new());
    let head = completed(head, done.correctives, done.shapes.iter().map(|shape| shape.name.as_str()));
    let export = HeadExport::new(head.into(), output);
    let bytes = export.run(progress)?.bytes;
    export.left_out().iter().for_each(|left_out| log::warn!("{left_out}"));
    line.clear();
    let points = places(&done.landmarks);
    let checks = done.checks.into_iter().map(|check| Measured { is_passed: check.is_passed(), check });
    let report = Report {
        output: args.output.clone(),
        bytes,
        shapes: done.shapes,
        quality: done.quality,
        checks: checks.collect(),
        warnings: done.warnings,
        points,
    };
    if args.output.as_os_str() == "-" {
        // The file is there, and a report after it would damage it.
        return Ok(());
    }
    if args.json { text::print_json(&report) } else { text::print(&lines(&report, &name)) }
}

fn places(found: &Landmarks) -> BTreeMap<Landmark, [f64; 3]> {
    Landmark::ALL.iter().filter_map(|&it| Some((it, found.point(it)?.to_array()))).collect()
}

fn read_points(path: &Path) -> anyhow::Result<BTreeMap<Landmark, DVec3>> {
    /// A few points are a few hundred bytes.
    const MOST_BYTES: u64 = 1 << 20;
    let named = || printable_path(path).to_string();
    let bytes = regular_file::read(path, MOST_BYTES).with_context(named)?;
    let points: BTreeMap<Landmark, [f64; 3]> = serde_json::from_slice(&bytes).with_context(named)?;
    Ok(points.into_iter().map(|(landmark, place)| (landmark, DVec3::from_array(place))).collect())
}

fn lines(report: &Report, source: &str) -> String {
    let Report { output, bytes, shapes, checks, warnings, .. } = report;
    let mut lines: Vec<String> = warnings.iter().map(|warning| format!("look at it: {warning}")).collect();
    for Measured { check, is_passed } in checks {
        lines.push(format!("{} {}", if *is_passed { "good:" } else { "look at it:" }, check.in_words()));
    }
    let largest = shapes.iter().max_by(|a, b| a.largest_mm.total_cmp(&b.largest_mm));
    let largest = largest.map(|it| format!("; {} moves most, {:.1} mm", printable(&it.name), it.largest_mm));
    lines.push(format!(
        "{}: {}, {} of {source}{}: a start to sculpt from",
        printable_path(output),
        bytes_in_words(*bytes),
        counted(shapes.len(), "shape"),
        largest.unwrap_or_default()
    ));
    lines.join("\n")
}
