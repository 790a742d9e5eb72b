//! `smirk convert`: joins a head and its shapes, one file each, into one .glb with morph targets.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::input::{Opened, open_head, open_session};
use super::motion::{Weights, weights};
use super::text::{self, counted};
use super::values::{ABOVE_ZERO, ExpressionArgs, SizeArgs, head_output, number, one_of};
use smirk_base::file_kind::{self, Content};
use smirk_base::names::{one_line, printable, printable_path, quoted};
use smirk_base::progress::Progress;
use smirk_export::{AnimationClip, AnimationKeys, FrameSpan, HeadExport, StoredShape, WrittenHead, not_an_avatar};
use smirk_face::head::{Head, Kind, Level, Matching, Note, SculptedOn, ShapeFile};
use smirk_files::import::{self, AddedShape};

#[derive(Debug, Args)]
pub struct ConvertArgs {
    #[arg(value_name = "NEUTRAL", help = neutral_help())]
    neutral: PathBuf,
    /// Its shapes, one file each, with the names of their expressions
    #[arg(value_name = "SHAPE")]
    shapes: Vec<PathBuf>,
    /// GLB or VRM file to write
    #[arg(short, long, value_name = "GLB|VRM")]
    output: PathBuf,
    /// How the vertices of a shape are matched with those of the head
    #[arg(long = "match", value_name = "auto|order|uv|position|face", default_value = "auto", value_parser = one_of(Matching::ALL, Matching::keyword))]
    matching: Matching,
    /// The shapes were sculpted on this face: what each adds to it becomes a corrective, in
    /// OUTPUT.correctives.json
    #[arg(long, value_name = "NAME=WEIGHT,…", requires = "shapes", value_parser = weights)]
    sculpted_on: Option<Weights>,
    /// Scale factor; glTF is in metres, so that 0.01 converts from centimetres
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = number(ABOVE_ZERO, "a number above 0, such as 0.01"))]
    scale: f32,
    #[command(flatten)]
    expressions: ExpressionArgs,
    /// Write every target for all vertices, for programs that do not read sparse accessors; the file is larger
    #[arg(long, conflicts_with = "max_error")]
    dense: bool,
    #[command(flatten)]
    size: SizeArgs,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn neutral_help() -> String {
    let extensions = file_kind::extensions(|kind| kind.opens(Content::Head) || kind.opens(Content::Project));
    format!("The head at rest, or a project: {}", file_kind::in_words(&extensions))
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Conversion {
    output: PathBuf,
    bytes: u64,
    vertices: usize,
    channels: Vec<String>,
    /// The head's size along its longest side, in glTF's metres.
    size_metres: f32,
    shapes: Vec<AddedShape>,
    /// What each shape takes and loses, if an error was allowed.
    stored: Vec<StoredShape>,
    /// What was repaired or left out when the files were read.
    warnings: Vec<Note>,
}

pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let output = head_output(&args.output)?;
    let head = neutral(&args.neutral)?;
    output.check()?;
    let shapes = args.shapes.iter().cloned();
    let sculpted_on = SculptedOn(args.sculpted_on.clone().unwrap_or_default().0);
    let files =
        shapes.map(|path| ShapeFile { sculpted_on: sculpted_on.clone(), ..ShapeFile::new(path, args.matching) });
    let files: Vec<_> = files.collect();
    let (head, report) = import::add_shapes(&head, &files, Progress::NONE)?;
    let mut problems: Vec<String> = report.refused.iter().map(|refused| refused.problem.clone()).collect();
    for shape in report.added.iter().filter(|shape| shape.is_mostly_unmatched()) {
        let (matched, all) = (shape.matched(), shape.matched() + shape.unmatched);
        problems.push(format!(
            "{}: only {matched} of the {all} vertices of {} have a partner in it: is it another mesh? Choose another \
             --match, or export it again from the mesh of the head",
            printable(&shape.file),
            quoted(&shape.mesh)
        ));
    }
    if !problems.is_empty() {
        bail!("nothing was written: {}", problems.join("; "));
    }
    let head = if args.scale == 1.0 { head } else { head.rescaled(args.scale) };
    let head = args.expressions.written(head.into());
    let is_vrm = file_kind::VRM.matches(&args.output);
    if let Some(problem) = not_an_avatar(&head).filter(|_| is_vrm) {
        bail!("nothing was written: {} cannot be a VRM avatar: {problem}", printable(&head.name));
    }
    let export = HeadExport::new(head.clone(), output.clone());
    let export = if args.dense { export.dense() } else { args.size.apply(export) };
    let WrittenHead { bytes, shapes: stored } = export.run(Progress::NONE)?;
    export.left_out().iter().for_each(|left_out| log::warn!("{left_out}"));
    let conversion = Conversion {
        output: args.output.clone(),
        bytes,
        vertices: head.vertex_count(),
        channels: head.channels.iter().map(|channel| channel.name.clone()).collect(),
        size_metres: head.bounds.size().max_element(),
        shapes: report.added,
        stored,
        warnings: head.notes.iter().filter(|note| is_new_warning(note)).cloned().collect(),
    };
    if output.is_standard_output() {
        // The head is there, and a report after it would damage it.
        return Ok(());
    }
    if args.json { text::print_json(&conversion) } else { text::print(&table(&conversion)) }
}

/// Opens a head; or a project, whose head has its imported shapes, and what the project plays as a clip after its own.
fn neutral(file: &PathBuf) -> anyhow::Result<Head> {
    if import::content_of(file) != Content::Project {
        return open_head(Some(file));
    }
    let Opened { session, .. } = open_session(Some(file))?;
    let edits = &session.edits;
    let plays_more_than_clips = session.take().is_some() || !session.keys().is_empty() || edits.sequence.is_on();
    let mut clips = session.head.clips.clone();
    if plays_more_than_clips && session.timeline_secs() > 0.0 && session.head.target_count() > 0 {
        let clip = AnimationClip::of_session(&session, FrameSpan::of_session(&session, edits.timeline.rate)?);
        clips.push(clip.for_head(AnimationKeys::default(), Progress::NONE)?);
    }
    Ok(session.head.with_clips(clips))
}

/// Whether a note is a warning that the rows of the shapes do not contain already.
fn is_new_warning(note: &Note) -> bool {
    note.level == Level::Warning && note.subject.kind() != Some(Kind::Shape)
}

fn table(conversion: &Conversion) -> String {
    let Conversion { output, bytes, vertices, channels, size_metres, shapes, stored, warnings } = conversion;
    let (file, kib, channels) = (printable_path(output), bytes.div_ceil(1024), counted(channels.len(), "channel"));
    let mut lines: Vec<String> =
        shapes.iter().map(|shape| format!("{}: {}", printable(&shape.name), one_line(shape.text()))).collect();
    lines.extend(text::stored_shapes(stored));
    lines.push(format!("{file}: {kib} KiB, {vertices} vertices, {channels}; {size_metres:.3} m at its longest"));
    lines.extend(warnings.iter().map(text::note));
    if *size_metres > 3.0 {
        lines.push("glTF is in metres: if the files are in centimetres, --scale 0.01 makes it life-size".into());
    }
    lines.join("\n")
}
