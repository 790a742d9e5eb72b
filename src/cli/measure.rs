//! `smirk measure`: how far two recordings of one face are apart.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use glam::{Mat4, Vec3};
use serde::Serialize;

use super::input::{Opened, open_session, open_takes};
use super::text::{self, ProgressLine, counted};
use super::values::{Parser, number, one_of, optional_output};
use smirk_analysis::sequences::{FaceRegions, SequenceError, compare};
use smirk_analysis::solve::{FrameFault, Frames};
use smirk_base::file_kind::{self, Content};
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_base::regular_file;
use smirk_base::watch::before_reading;
use smirk_face::head::{Matching, Points};
use smirk_files::import::{self, MeshFrames, USUAL_RATE};
use smirk_session::PlayedFrames;

#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// The recording that is judged: meshes over time (.npy, .npz, .pc2, .mdd, a folder of .obj, a model with an
    /// animation), or with --head a capture
    recording: PathBuf,
    /// The recording that is true
    truth: PathBuf,
    /// Head that both are recordings of: their vertices may be in other orders and units, lips are found by what its
    /// channels move, and lengths are millimetres of a human head
    #[arg(long, value_name = "HEAD")]
    head: Option<PathBuf>,
    /// Numbers of the vertices of the lips, counted from 0, in a text or JSON file
    #[arg(long, value_name = "FILE", conflicts_with = "head")]
    lips: Option<PathBuf>,
    /// The same of the upper face
    #[arg(long, value_name = "FILE", conflicts_with = "head")]
    upper_face: Option<PathBuf>,
    /// Unit of the files, so that lengths are millimetres; without it, lengths are in that unit
    #[arg(long, value_name = "mm|cm|m", conflicts_with = "head", value_parser = one_of(Unit::ALL, Unit::keyword))]
    unit: Option<Unit>,
    /// Frames per second of captures [default: as the file says, else 30]
    #[arg(long, value_name = "RATE", requires = "head", value_parser = rate())]
    fps: Option<f32>,
    /// Write the errors of each frame to this table
    #[arg(long, value_name = "CSV")]
    csv: Option<PathBuf>,
    /// Write JSON instead of lines
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Millimetre,
    Centimetre,
    Metre,
}

impl Unit {
    const ALL: &'static [Self] = &[Self::Millimetre, Self::Centimetre, Self::Metre];

    fn keyword(self) -> &'static str {
        match self {
            Self::Millimetre => "mm",
            Self::Centimetre => "cm",
            Self::Metre => "m",
        }
    }

    fn mm(self) -> f32 {
        match self {
            Self::Millimetre => 1.0,
            Self::Centimetre => 10.0,
            Self::Metre => 1000.0,
        }
    }
}

fn rate() -> impl Parser<f32> {
    number(1.0..=1000.0, "frames per second from 1 to 1000")
}

/// Points of a recording in millimetres, or in the unit of its file.
struct Scaled<T>(T, f32);

impl<T: Frames> Frames for Scaled<T> {
    fn count(&self) -> usize {
        self.0.count()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        self.0.read(frame, positions)?;
        positions.iter_mut().for_each(|position| *position *= self.1);
        Ok(())
    }
}

/// Meshes over time as points of a head, in its world.
struct FramesOnHead {
    frames: MeshFrames,
    /// Per point of the head, that of the frames.
    of_points: Vec<Option<u32>>,
    head_from_frames: Mat4,
}

impl Frames for FramesOnHead {
    fn count(&self) -> usize {
        self.frames.count()
    }

    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        let mut own = Vec::new();
        self.frames.read(frame, &mut own)?;
        positions.extend(self.of_points.iter().map(|point| {
            let position = point.and_then(|point| own.get(point as usize));
            position.map_or(Vec3::NAN, |position| self.head_from_frames.transform_point3(*position))
        }));
        Ok(())
    }
}

/// The frames of a capture that plays on the head.
fn open_take(args: &MeasureArgs, path: &Path, points: &Arc<Points>, mm: f32) -> anyhow::Result<PlayedFrames> {
    let Opened { mut session, .. } = open_session(args.head.as_ref())?;
    let takes = open_takes(path)?;
    let Some(first) = takes.first() else { bail!("{}: has no take", printable_path(path)) };
    let (duration_secs, rate) = (first.duration_secs, args.fps.or(first.frames_per_sec));
    if rate.is_none() && duration_secs > 0.0 {
        let path = printable_path(path);
        log::warn!("{path}: has no frame rate: {USUAL_RATE} frames per second are compared; --fps says another");
    }
    let rate = rate.unwrap_or(USUAL_RATE);
    let taken = session.takes_mut().add(takes);
    taken.iter().take(1).for_each(|&take| super::motion::report_take(&session, take));
    session.clock.timeline.playing = false;
    let count = (duration_secs * rate + 1e-3).floor() as usize + 1;
    let times_secs: Vec<f32> = (0..count).map(|frame| frame as f32 / rate).collect();
    Ok(PlayedFrames::of_session(&mut session, points, &times_secs, mm, Progress::NONE)?)
}

/// Opens meshes over time. Frames beyond the last that is compared are inputs, too.
fn open_frames(path: &Path) -> anyhow::Result<MeshFrames> {
    let frames = import::open_frames(path, Progress::NONE)?;
    frames.side_files().iter().for_each(|file| before_reading(file));
    Ok(frames)
}

/// Two recordings, and what is known of their points.
struct Compared {
    recordings: [Box<dyn Frames>; 2],
    points: usize,
    regions: FaceRegions,
    /// Millimetres of one unit of what is compared; none if the unit is not known.
    mm_per_unit: Option<f32>,
}

impl Compared {
    fn on_head(args: &MeasureArgs, path: &PathBuf) -> anyhow::Result<Self> {
        let Opened { session, .. } = open_session(Some(path))?;
        let head = session.head.clone();
        let points = Arc::new(Points::new(&head, &(0..head.meshes.len()).collect::<Vec<_>>()));
        let mm = head.mm_per_unit();
        let open = |path: &Path| -> anyhow::Result<Box<dyn Frames>> {
            if import::content_of(path) == Content::Takes {
                return Ok(Box::new(open_take(args, path, &points, mm)?));
            }
            let frames = open_frames(path)?;
            let matched = frames.match_with(&head, Matching::Auto)?;
            matched.notes.iter().for_each(|note| log::info!("{}: {note}", printable_path(path)));
            let of_vertices = &matched.points.of_vertices;
            let of_points = points.places.iter().map(|&(mesh, vertex)| of_vertices[mesh][vertex as usize]);
            let of_points = of_points.collect();
            let on_head = FramesOnHead { frames, of_points, head_from_frames: matched.points.head_from_frames };
            Ok(Box::new(Scaled(on_head, mm)))
        };
        let recordings = [open(&args.recording)?, open(&args.truth)?];
        let mut regions = FaceRegions::find(&head, &points);
        if regions.lips.is_empty() {
            log::warn!("no channel of {} is known to move its lips: nothing is said of them", printable_path(path));
        }
        regions.at_rest.iter_mut().flatten().for_each(|position| *position *= mm);
        Ok(Self { recordings, points: points.places.len(), regions, mm_per_unit: Some(1.0) })
    }

    fn alone(args: &MeasureArgs) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            if import::content_of(path) == Content::Takes {
                bail!(
                    "{}: is a capture, which has no vertices: name the head that it plays on with --head",
                    printable_path(path)
                );
            }
            open_frames(path)
        };
        let [first, truth] = [open(&args.recording)?, open(&args.truth)?];
        let points = truth.point_count();
        if first.point_count() != points {
            bail!(
                "{} has {} vertices, and {} has {points}: name the head of both with --head, or compare recordings of one topology",
                printable_path(&args.recording),
                first.point_count(),
                printable_path(&args.truth)
            );
        }
        let numbers =
            |path: &Option<PathBuf>| path.as_deref().map_or(Ok(Vec::new()), |path| vertex_numbers(path, points));
        let (lips, upper_face) = (numbers(&args.lips)?, numbers(&args.upper_face)?);
        let regions = FaceRegions { lips, upper_face, ..FaceRegions::default() };
        let scale = args.unit.map_or(1.0, Unit::mm);
        let mm_per_unit = args.unit.map(|_| 1.0);
        let recordings: [Box<dyn Frames>; 2] = [Box::new(Scaled(first, scale)), Box::new(Scaled(truth, scale))];
        Ok(Self { recordings, points, regions, mm_per_unit })
    }
}

/// The numbers in a text, whatever is between them.
fn vertex_numbers(path: &Path, points: usize) -> anyhow::Result<Vec<u32>> {
    const MOST_BYTES: u64 = 1 << 24;
    before_reading(path);
    let bytes = regular_file::read(path, MOST_BYTES).with_context(|| printable_path(path))?;
    let text = String::from_utf8_lossy(&bytes);
    let words = text.split(|letter: char| letter.is_whitespace() || "[](),;".contains(letter));
    let numbers = words.filter(|word| !word.is_empty()).map(|word| {
        let number = word.parse::<u32>().ok().filter(|&number| (number as usize) < points);
        number.with_context(|| {
            let word: String = word.chars().take(20).collect();
            format!("{}: \"{word}\" is no vertex: they are numbered from 0 to {}", printable_path(path), points - 1)
        })
    });
    let numbers = numbers.collect::<anyhow::Result<Vec<u32>>>()?;
    if numbers.is_empty() {
        bail!("{}: has no numbers of vertices", printable_path(path));
    }
    Ok(numbers)
}

#[derive(Serialize)]
struct Report<'a> {
    recording: &'a Path,
    truth: &'a Path,
    /// `mm`, or `file` for the unit of the files.
    unit: &'static str,
    frames: usize,
    vertices: usize,
    lip_vertices: usize,
    mean: f64,
    rms: f64,
    largest: f32,
    largest_frame: usize,
    largest_vertex: u32,
    lip_vertex_error: Option<f64>,
    lip_vertex_error_squared: Option<f64>,
    upper_face_dynamics_deviation: Option<f64>,
    closures: Option<usize>,
    closures_missed: Option<usize>,
    jitter: f64,
    jitter_of_truth: f64,
}

pub(super) fn run(args: &MeasureArgs) -> anyhow::Result<()> {
    let table = optional_output(args.csv.as_ref(), &[&file_kind::CAPTURE_TABLE])?;
    let line = ProgressLine::new();
    line.show("reading the recordings");
    let compared = match &args.head {
        Some(head) => Compared::on_head(args, head)?,
        None => Compared::alone(args)?,
    };
    let Compared { recordings, points, regions, mm_per_unit } = &compared;
    let counts = recordings.each_ref().map(|recording| recording.count());
    let both = recordings.each_ref().map(|recording| &**recording);
    let report = |stage: &str, _| line.show_stage(stage);
    let error = compare(both, *points, regions, *mm_per_unit, Progress::new(&report))?;
    line.clear();
    // All frames are read now.
    table.iter().try_for_each(|table| table.check())?;
    if counts[0] != counts[1] {
        let [first, truth] = counts;
        log::warn!("{first} frames are compared with {truth}: only the first {} are looked at", error.frames.len());
    }
    if let Some(table) = &table {
        table.write(rows(&error).as_bytes())?;
        if table.is_standard_output() {
            return Ok(());
        }
    }
    let report = Report {
        recording: &args.recording,
        truth: &args.truth,
        unit: if mm_per_unit.is_some() { "mm" } else { "file" },
        frames: error.frames.len(),
        vertices: *points,
        lip_vertices: regions.lips.len(),
        mean: error.mean,
        rms: error.rms,
        largest: error.largest.0,
        largest_frame: error.largest.1,
        largest_vertex: error.largest.2,
        lip_vertex_error: error.lip_vertex_error,
        lip_vertex_error_squared: error.lip_vertex_error_squared,
        upper_face_dynamics_deviation: error.upper_face_deviation,
        closures: error.closures.map(|it| it[0]),
        closures_missed: error.closures.map(|it| it[1]),
        jitter: error.jitter[0],
        jitter_of_truth: error.jitter[1],
    };
    if args.json { text::print_json(&report) } else { text::print(&lines(&report)) }
}

fn lines(report: &Report<'_>) -> String {
    let unit = if report.unit == "mm" { "mm" } else { "the unit of the files" };
    let (frames, vertices) = (counted(report.frames, "frame"), report.vertices);
    let mut lines = vec![
        format!("{frames} of {vertices} vertices, in {unit}"),
        format!(
            "vertices             mean {:.4}, RMS {:.4}, largest {:.4} at frame {}, vertex {}",
            report.mean, report.rms, report.largest, report.largest_frame, report.largest_vertex
        ),
    ];
    if let (Some(plain), Some(squared)) = (report.lip_vertex_error, report.lip_vertex_error_squared) {
        let lips = report.lip_vertices;
        lines.push(format!("lip vertex error     {plain:.4}, squared {squared:.4}, of {lips} vertices"));
    }
    if let Some(deviation) = report.upper_face_dynamics_deviation {
        lines.push(format!("upper-face dynamics  {deviation:+.4} less than true"));
    }
    if let (Some(closures), Some(missed)) = (report.closures, report.closures_missed) {
        lines.push(format!("lips close           {}, {missed} missed", counted(closures, "time")));
    }
    lines.push(format!("jitter               {:.4}, true {:.4}", report.jitter, report.jitter_of_truth));
    lines.into_iter().map(|line| line + "\n").collect()
}

fn rows(error: &SequenceError) -> String {
    let mut text = "frame,mean,largest,vertex,lips,gap,gap_of_truth\n".to_owned();
    let or_empty = |value: Option<f32>| value.map_or(String::new(), |value| value.to_string());
    for (frame, of) in error.frames.iter().enumerate() {
        let [gap, gap_of_truth] = [0, 1].map(|at| or_empty(of.gaps.map(|gaps: [f32; 2]| gaps[at])));
        let (mean, largest, vertex, lips) = (of.mean, of.largest, of.vertex, or_empty(of.lips));
        text += &format!("{frame},{mean},{largest},{vertex},{lips},{gap},{gap_of_truth}\n");
    }
    text
}
