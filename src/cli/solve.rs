//! `smirk solve`: meshes over time to a take of weights, or one mesh to a pose.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde::Serialize;

use super::export::format_of;
use super::input::{Opened, open_session};
use super::text::{ProgressLine, counted, json_text};
use super::values::{
    Expected, Parsed, Parser, by_name_or_number, keywords, number, one_of, optional_output, or_expected,
    pair_of_numbers,
};
use smirk_analysis::solve::{SolveSettings, SolvedChannels};
use smirk_base::file_kind;
use smirk_base::names::{printable, printable_path};
use smirk_base::progress::Progress;
use smirk_export::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationSettings, FrameSpan, MeshExport, MeshFormat,
    MeshSettings, OutputPath, bytes_in_words, save_poses,
};
use smirk_face::head::{Head, Matching, Note, Region};
use smirk_face::motion::FrameRate;
use smirk_files::import::{self, SolvedFrames};
use smirk_scene::{BlendMode, Look, Normals};
use smirk_session::{HeadSource, Session};

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Head or project whose channels are solved for
    head: PathBuf,
    /// Meshes over time: .pc2, .mdd, .npy, .npz, a folder of .obj files or their names with # for the number, a model
    /// with an animation, or one mesh
    frames: PathBuf,
    /// File to write: a take, or a file of poses for one mesh and a name that ends in .json
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[arg(long, value_name = "FORMAT", value_parser = one_of(AnimationFormat::ALL, AnimationFormat::keyword), help = format_help())]
    format: Option<AnimationFormat>,
    /// Leave out the head: the file has the names of targets, and their weights
    #[arg(long)]
    animation_only: bool,
    /// Frames per second [default: as the file says, else 30]
    #[arg(long, value_name = "RATE", value_parser = rate())]
    fps: Option<f32>,
    /// Channels that are solved for: shapes, expressions (of a VRM file), or names
    #[arg(long, value_name = "shapes|expressions|NAME,…", value_delimiter = ',', default_value = "shapes")]
    channels: Vec<String>,
    /// How the points of the frames are matched with the vertices of the head
    #[arg(long = "match", value_name = "auto|order|uv|position", default_value = "auto", value_parser = one_of(Matching::OF_VERTICES, Matching::keyword))]
    matching: Matching,
    /// Least and largest weight; in-betweens beyond are reached
    #[arg(long, value_name = "LOW,HIGH", default_value = "0,1", value_parser = bounds, allow_hyphen_values = true)]
    bounds: [f32; 2],
    /// How much the vertices count that shapes of a region move, such as mouth=3; all others count 1
    #[arg(long, value_name = "REGION=FACTOR,…", value_delimiter = ',', default_value = "mouth=3", value_parser = region)]
    weigh: Vec<(Region, f32)>,
    /// Cost of the square of a weight, in mm², so that weights that change little stay small
    #[arg(long, value_name = "MM2", default_value_t = SolveSettings::default().ridge_mm2, value_parser = cost())]
    ridge: f64,
    /// Cost of the square of a change from frame to frame, in mm², so that weights do not jitter
    #[arg(long, value_name = "MM2", default_value_t = 0.0, value_parser = cost())]
    temporal: f64,
    /// Cost of a weight, in mm², so that few channels move
    #[arg(long, value_name = "MM2", default_value_t = 0.0, value_parser = cost())]
    sparse: f64,
    /// Give both sides of a pair one weight
    #[arg(long)]
    symmetric: bool,
    /// Do not look for turns of the head and the eyes: the frames have none
    #[arg(long)]
    still_head: bool,
    /// Write what is left of each frame, and what cannot be known, to this JSON file
    #[arg(long, value_name = "JSON")]
    report: Option<PathBuf>,
    /// Write the face at rest with the movement that the channels lack most, as a mesh (.obj, .glb) that can be
    /// imported as a shape
    #[arg(long, value_name = "MESH")]
    lacking: Option<PathBuf>,
}

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let output = OutputPath::new(&args.output).or_stream();
    let report = optional_output(args.report.as_ref(), &[&file_kind::CAPTURE_JSON])?;
    let lacking = args.lacking.as_deref().map(lacking_output).transpose()?;
    let outputs: Vec<&OutputPath> =
        [&output].into_iter().chain(&report).chain(lacking.as_ref().map(|(_, path)| path)).collect();
    check_outputs(&outputs)?;
    let Opened { mut session, .. } = open_session(Some(&args.head))?;
    let head = session.head.clone();
    let settings = SolveSettings {
        channels: channels(&head, &args.channels)?,
        bounds: args.bounds,
        ridge_mm2: args.ridge,
        temporal_mm2: args.temporal,
        sparse_mm2: args.sparse,
        region_weights: args.weigh.clone(),
        ties_sides: args.symmetric,
        finds_motion: !args.still_head,
    };
    let (line, began) = (ProgressLine::new(), Instant::now());
    let solved = import::solve_frames(
        &head,
        &args.frames,
        args.matching,
        args.fps,
        &settings,
        Progress::new(&|stage, _| line.show_stage(stage)),
    )?;
    line.clear();
    // Before the first is written: the frames are known now.
    check_outputs(&outputs)?;
    if let Some((format, output)) = &lacking {
        match solved.head_with_lacking(&head) {
            Some(lacking) => write_mesh(lacking, *format, output.clone())?,
            None => log::warn!("{}: the channels lack nothing; not written", printable_path(output.path())),
        }
    }
    if let Some(report) = &report {
        let text = json_text(&Report::new(args, &head, &solved))?;
        report.write(text.as_bytes())?;
    }
    let frames = counted(solved.solution.frame_count(), "frame");
    let rms = solved.rms_mm();
    solved.take.notes.iter().for_each(|note| log::warn!("{}: {note}", printable_path(&args.frames)));
    let bytes = write(args, &mut session, solved, output)?;
    let (file, size, secs) = (printable_path(&args.output), bytes_in_words(bytes), began.elapsed().as_secs_f32());
    line.end(&format!("{file}: {frames}, {rms:.3} mm left, {size}, in {secs:.1} s"));
    Ok(())
}

/// Where the movement that the channels lack is written, and its format.
fn lacking_output(path: &Path) -> anyhow::Result<(MeshFormat, OutputPath)> {
    let format = MeshFormat::from_path(path).filter(|format| [MeshFormat::Obj, MeshFormat::Glb].contains(format));
    let Some(format) = format else {
        usage!("--lacking {}: the name must end in .obj or .glb", printable_path(path));
    };
    Ok((format, OutputPath::new(path)))
}

/// Returns an error if one of the outputs may not be written, or if two go to one file.
fn check_outputs(outputs: &[&OutputPath]) -> anyhow::Result<()> {
    for (at, output) in outputs.iter().enumerate() {
        output.check()?;
        if outputs[..at].iter().any(|other| !output.is_stream() && output.is_same_file(other)) {
            usage!("{}: is the name of two outputs; give each its own", printable_path(output.path()));
        }
    }
    Ok(())
}

fn write_mesh(head: Head, format: MeshFormat, output: OutputPath) -> anyhow::Result<()> {
    let session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let settings = MeshSettings { format, normals: Normals::Auto, only_visible: false, span: None };
    MeshExport::new(&session, settings, output)?.run(Progress::NONE)?;
    Ok(())
}

/// Writes the take, or the pose of one mesh. Returns the number of bytes.
fn write(args: &SolveArgs, session: &mut Session, solved: SolvedFrames, output: OutputPath) -> anyhow::Result<u64> {
    if solved.is_pose && args.format.is_none() && file_kind::POSES.matches(&args.output) {
        let weights = solved.weights(&session.head, 0);
        session.poses_mut().add([(solved.take.name.clone(), weights)]);
        let poses = session.edits.poses.last().cloned();
        save_poses(&output, poses.as_slice())?;
        return Ok(std::fs::metadata(&args.output).map_or(0, |metadata| metadata.len()));
    }
    let format = format_of(args.format, &args.output)?;
    let rate = FrameRate::nearest(solved.take.frames_per_sec.unwrap_or(import::USUAL_RATE).into());
    // The frames of the take are those of the file, unless that has times of its own, which need not be even.
    let last = (f64::from(solved.take.duration_secs) * rate.frames_per_sec() - 0.01).ceil().max(0.0);
    session.takes_mut().add(vec![solved.take]);
    let span = FrameSpan::new(rate, 0, last as i64)?;
    let settings = AnimationSettings { with_head: !args.animation_only, ..AnimationSettings::new(format) };
    let export = AnimationExport::new(vec![AnimationClip::of_session(session, span)], settings, output)?;
    Ok(export.run(Progress::NONE)?.bytes as u64)
}

fn channels(head: &Head, requested: &[String]) -> anyhow::Result<SolvedChannels> {
    match requested {
        [only] if only == "shapes" => return Ok(SolvedChannels::Shapes),
        [only] if only == "expressions" && head.expressions.is_empty() => {
            bail!("--channels expressions: {} has none; it is no VRM avatar", head.name)
        }
        [only] if only == "expressions" => return Ok(SolvedChannels::Expressions),
        _ => {}
    }
    let mut channels = Vec::new();
    let mut rest = requested;
    while let [first, ..] = rest {
        // A name may contain the commas that part the list.
        let (count, name) = (2..=rest.len())
            .rev()
            .map(|count| (count, rest[..count].join(",")))
            .find(|(_, name)| head.channel_named(name).is_some())
            .unwrap_or_else(|| (1, first.clone()));
        let found = head.channel_alike(&name);
        if found.is_empty() {
            let names: Vec<&str> = head.channels.iter().map(|channel| channel.name.as_str()).collect();
            by_name_or_number("--channels", &name, &head.name, "channels", &names)?;
        }
        channels.extend(found);
        rest = &rest[count..];
    }
    Ok(SolvedChannels::Chosen(channels))
}

/// What is left of the frames, and what cannot be known.
#[derive(Serialize)]
struct Report<'a> {
    head: String,
    frames_file: &'a Path,
    /// The points of the frames that are vertices of the head.
    matched_points: usize,
    channels: Vec<&'a str>,
    /// Channels that move no vertex of the frames.
    unmoved: Vec<&'a str>,
    /// Channels that are sums of others.
    dependent: Vec<Dependent<'a>>,
    notes: &'a [Note],
    frames: Vec<Frame<'a>>,
    lacking: Option<Lacking>,
}

#[derive(Serialize)]
struct Dependent<'a> {
    channel: &'a str,
    sum_of: Vec<Term<'a>>,
}

#[derive(Serialize)]
struct Term<'a> {
    channel: &'a str,
    weight: f32,
}

/// What is left of one frame; none of one without a face.
#[derive(Serialize)]
struct Frame<'a> {
    frame: usize,
    time_secs: f32,
    rms_mm: Option<f32>,
    largest_mm: Option<f32>,
    mesh: Option<&'a str>,
    vertex: Option<usize>,
}

/// The movement that the head lacks most.
#[derive(Serialize)]
struct Lacking {
    largest_mm: f32,
    /// The part of what is left that it explains, by its squares.
    share: f32,
    frame: usize,
}

impl<'a> Report<'a> {
    fn new(args: &'a SolveArgs, head: &'a Head, solved: &'a SolvedFrames) -> Self {
        let name = |channel: usize| head.channels[channel].full_name.as_str();
        let times = solved.take.tracks.first().map_or(&[][..], |track| track.times());
        let frames = solved.solution.residuals.iter().enumerate().map(|(frame, residual)| Frame {
            frame,
            time_secs: times.get(frame).copied().unwrap_or(0.0),
            rms_mm: residual.map(|it| it.rms_mm),
            largest_mm: residual.map(|it| it.largest_mm),
            mesh: residual.map(|it| head.meshes[it.mesh].name.as_str()),
            vertex: residual.map(|it| it.vertex),
        });
        let dependent = solved.dependent.iter().map(|it| Dependent {
            channel: name(it.channel),
            sum_of: it.sum_of.iter().map(|&(channel, weight)| Term { channel: name(channel), weight }).collect(),
        });
        let lacking = solved.solution.lacking.as_ref();
        Self {
            head: head.name.clone(),
            frames_file: &args.frames,
            matched_points: solved.matched_points,
            channels: solved.solution.channels.iter().map(|&channel| name(channel)).collect(),
            unmoved: solved.unmoved.iter().map(|&channel| name(channel)).collect(),
            dependent: dependent.collect(),
            notes: &solved.take.notes,
            frames: frames.collect(),
            lacking: lacking.map(|it| Lacking { largest_mm: it.largest_mm, share: it.share, frame: it.frame }),
        }
    }
}

fn format_help() -> String {
    let formats = keywords(AnimationFormat::ALL, AnimationFormat::keyword);
    format!("Format of the file: {formats} [default: that of its extension]")
}

fn rate() -> impl Parser<f32> {
    let [least, most] = FrameRate::LIMITS.map(|limit| limit as f32);
    number(least..=most, format!("a number from {least} to {most}"))
}

fn bounds(text: &str) -> Parsed<[f32; 2]> {
    let bounds = pair_of_numbers(text, ',').filter(|[low, high]| low < high);
    or_expected(bounds, "two numbers, the lower one first, such as 0,1")
}

fn cost() -> impl Parser<f64> {
    number(0.0..=f64::MAX, "a number of square millimetres, 0 or more")
}

/// The regions of channels, by their names in lower case.
const REGIONS: [Region; 7] =
    [Region::Brows, Region::Eyes, Region::Cheeks, Region::Nose, Region::Mouth, Region::Jaw, Region::Tongue];

fn region(text: &str) -> Parsed<(Region, f32)> {
    let found = text.split_once('=').and_then(|(name, factor)| {
        let region = REGIONS.into_iter().find(|region| region.to_string().eq_ignore_ascii_case(name.trim()))?;
        let factor = factor.trim().parse::<f32>().ok().filter(|factor| (0.0..=1000.0).contains(factor))?;
        Some((region, factor))
    });
    found.ok_or_else(|| {
        let (text, regions) = (printable(text), REGIONS.map(|region| region.to_string().to_lowercase()).join(", "));
        Expected(format!("{text} is no region and a factor, such as mouth=3; the regions are {regions}").into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_regions_are_read() {
        assert_eq!(bounds("-0.5, 2"), Ok([-0.5, 2.0]));
        assert!(bounds("1,0").is_err() && bounds("nan,1").is_err() && bounds("1").is_err());
        assert_eq!(region("Mouth=3"), Ok((Region::Mouth, 3.0)));
        assert!(region("lips=3").unwrap_err().0.contains("brows, eyes"), "{:?}", region("lips=3"));
        assert!(region("mouth=-1").is_err() && region("mouth").is_err());
        assert!(cost()("0").is_ok() && cost()("-1").is_err() && cost()("inf").is_err());
        assert!(rate()("24").is_ok() && rate()("0").is_err());
    }
}
