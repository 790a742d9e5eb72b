//! `smirk convert`: joins a head and its shapes, one file each, into one .glb with morph targets.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::input::{Opened, open_head, open_session};
use super::text::{self, counted};
use super::values::matching;
use smirk_base::file_kind::{self, Content};
use smirk_base::names::{one_line, printable, printable_path, quoted};
use smirk_base::progress::Progress;
use smirk_export::{
    AnimationClip, AnimationKeys, FlattenedInBetweens, FrameSpan, OutputPath, StoredDeltas, WriteError, glb_with,
    left_out_correctives,
};
use smirk_face::head::{Head, Kind, Level, Matching, Note, ShapeFile};
use smirk_files::import::{self, AddedShape};

/// Arguments of `smirk convert`.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The neutral face.
    #[arg(value_name = "NEUTRAL", help = neutral_help())]
    neutral: PathBuf,
    /// Its shapes, one file each, with the names of their expressions
    #[arg(value_name = "SHAPE")]
    shapes: Vec<PathBuf>,
    /// GLB file to write
    #[arg(short, long, value_name = "GLB")]
    output: PathBuf,
    /// How the vertices of a shape are matched with those of the head
    #[arg(long = "match", value_name = "auto|order|uv|position", default_value = "auto", value_parser = matching)]
    matching: Matching,
    /// Scale factor; glTF is in metres, so that 0.01 converts from centimetres
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = factor)]
    scale: f32,
    /// Write every target for all vertices, for programs that do not read sparse accessors; the file is larger
    #[arg(long)]
    dense: bool,
    /// Write JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn neutral_help() -> String {
    let extensions = file_kind::extensions(|kind| kind.opens(Content::Head) || kind.opens(Content::Project));
    format!("The head at rest, or a project: {}", file_kind::in_words(&extensions))
}

/// The result of a conversion, for the JSON and the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Conversion {
    /// The file that was written.
    output: PathBuf,
    /// The size of that file.
    bytes: u64,
    /// The number of vertices of all meshes.
    vertices: usize,
    /// Names of the channels.
    channels: Vec<String>,
    /// The head's size along its longest side, in glTF's metres.
    size_metres: f32,
    /// The result for each shape.
    shapes: Vec<AddedShape>,
    /// What was repaired or left out when the files were read.
    warnings: Vec<Note>,
}

/// Converts the files and reports the result.
pub(super) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let output = output(args)?;
    let head = neutral(&args.neutral)?;
    output.check()?;
    let of = |path: &PathBuf| ShapeFile { path: path.clone(), matching: args.matching };
    let files: Vec<ShapeFile> = args.shapes.iter().map(of).collect();
    let (head, report) = import::add_shapes(&head, &files, Progress::NONE)?;
    let refused = report.refused.iter().map(|refused| refused.problem.clone());
    let unmatched = report.added.iter().filter(|shape| shape.is_mostly_unmatched()).map(|shape| {
        let (matched, all) = (shape.matched(), shape.matched() + shape.unmatched);
        format!(
            "{}: only {matched} of the {all} vertices of {} have a partner in it: is it another mesh? Choose another --match, or \
             export it again from the mesh of the head",
            printable(&shape.file),
            quoted(&shape.mesh)
        )
    });
    let problems: Vec<String> = refused.chain(unmatched).collect();
    if !problems.is_empty() {
        bail!("nothing was written: {}", problems.join("; "));
    }
    let head = if args.scale == 1.0 { head } else { head.rescaled(args.scale) };
    let deltas = if args.dense { StoredDeltas::Dense } else { StoredDeltas::default() };
    let bytes =
        glb_with(&head, deltas, Progress::NONE).map_err(|error| WriteError::of_content(output.path(), error))?;
    output.write(&bytes)?;
    if let Some(flattened) = FlattenedInBetweens::in_head(&head) {
        log::warn!("{}", printable(&flattened.in_words()));
    }
    if let Some(left_out) = left_out_correctives(&head) {
        log::warn!("{left_out}");
    }
    let conversion = Conversion {
        output: args.output.clone(),
        bytes: bytes.len() as u64,
        vertices: head.vertex_count(),
        channels: head.channels.iter().map(|channel| channel.name.clone()).collect(),
        size_metres: head.bounds.size().max_element(),
        shapes: report.added,
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

/// Where the head is written. An error if nothing may be written there, or if a file would not have the extension of a GLB.
fn output(args: &ConvertArgs) -> anyhow::Result<OutputPath> {
    let output = OutputPath::new(&args.output).or_stream();
    if !file_kind::GLB.matches(&args.output) && !output.is_stream() {
        usage!(
            "-o {}: the name must end in .{}, which is what is written",
            printable_path(&args.output),
            file_kind::GLB.extension()
        );
    }
    output.check()?;
    Ok(output)
}

fn table(conversion: &Conversion) -> String {
    let Conversion { output, bytes, vertices, channels, size_metres, shapes, warnings } = conversion;
    let mut out = String::new();
    for shape in shapes {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}: {}", printable(&shape.name), one_line(shape.text()));
    }
    let kib = bytes.div_ceil(1024);
    let channels = counted(channels.len(), "channel");
    let _ = writeln!(
        out,
        "{}: {kib} KiB, {vertices} vertices, {channels}; {size_metres:.3} m at its longest",
        printable_path(output)
    );
    for note in warnings {
        let _ = writeln!(out, "{}", text::note(note));
    }
    if *size_metres > 3.0 {
        let _ = writeln!(out, "glTF is in metres: if the files are in centimetres, --scale 0.01 makes it life-size");
    }
    out
}

fn factor(text: &str) -> Result<f32, String> {
    let factor = text.parse().ok().filter(|factor: &f32| factor.is_finite() && *factor > 0.0);
    factor.ok_or_else(|| "a number above 0, such as 0.01".into())
}
