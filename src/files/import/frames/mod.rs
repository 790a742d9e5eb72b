//! Meshes over time: point caches, arrays of NumPy, numbered OBJ files, models whose animation moves vertices, and
//! single meshes. From them, the weights of a head that show the same face are solved.
//!
//! ```text
//! file ─ point_cache │ arrays │ sequence │ clip of a model ─► MeshFrames ─ space, matching (shapes/) ─► MatchedPoints ─ face::solve ─► Take (solved)
//!                                                                                                            └► frames as targets (recorded)
//! ```

mod arrays;
mod matching;
mod outliers;
mod point_cache;
mod recorded;
mod sequence;
mod solved;
mod space;

use std::path::{Path, PathBuf};

use glam::Vec3;

pub use arrays::arrays_in;
pub(super) use arrays::is_of_arrays;
pub use matching::MatchedFrames;
pub use recorded::{RecordedFrames, recorded_frames};
pub use sequence::sequence_of;
pub use solved::{SolvedFrames, solve_frames};

use self::arrays::PointArray;
use self::point_cache::PointCache;
use self::sequence::{ObjSequence, SequenceFiles};
use super::Import;
use super::budget::Budget;
use super::error::{Fault, ImportError};
use super::file::names_of;
use super::shapes::point_count;
use super::{foreign, in_file, open_unturned};
use smirk_analysis::solve::{FrameFault, Frames};
use smirk_base::file_kind;
use smirk_base::names::quoted;
use smirk_base::progress::Progress;
use smirk_face::head::{Clip, Head, Note, Points, RigPose, Subject};

/// The positions of the points of a mesh over time.
#[derive(Debug)]
pub struct MeshFrames {
    pub name: String,
    pub path: PathBuf,
    pub frames_per_sec: Option<f32>,
    /// The time of each frame, beginning with 0; empty if the file has none.
    pub times_secs: Vec<f32>,
    /// The numbers of the frames, rising; empty if they are counted from 0.
    numbers: Vec<u64>,
    /// The frames from one of them to the next: some caches have samples in between, or not of every frame.
    step: f32,
    pub notes: Vec<Note>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Cache(PointCache),
    Array(PointArray),
    Sequence(ObjSequence, Box<Head>),
    Model(Box<ModelFrames>),
}

/// A model, at rest or while one of its clips plays.
#[derive(Debug)]
struct ModelFrames {
    head: Head,
    points: Points,
    clip: Option<usize>,
    frames_per_sec: f32,
    frames: usize,
}

/// The rate of frames of which the file says nothing.
pub const USUAL_RATE: f32 = 30.0;

const MOST_FRAMES: usize = 1_000_000;
/// The most values that are solved for at once, one for each frame and channel. While they are solved, a value takes
/// some twenty bytes.
const MOST_VALUES: usize = 1 << 26;

/// Opens meshes over time: a `.pc2` or `.mdd` file, an array of NumPy, a folder of `.obj` files, their names with `#`
/// in place of the number, a model of which a clip moves vertices, or a single mesh.
pub fn open_frames(path: &Path, progress: Progress<'_>) -> Result<MeshFrames, ImportError> {
    let name = names_of(path).1;
    if file_kind::PC2.matches(path) || file_kind::MDD.matches(path) {
        let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let mut import = Import::new(Budget::for_file(size), progress);
        let cache = PointCache::open(path, &mut import).map_err(|fault| in_file(path, fault))?;
        let times_secs = times_of(&cache.times);
        if times_secs.is_empty() && !cache.times.is_empty() {
            let message = "its times are not in order; the frames are taken as evenly spaced";
            import.notes.push(Note::warning(Subject::File, message));
        }
        let notes = import.take_notes();
        return Ok(MeshFrames {
            frames_per_sec: rate_of(&times_secs),
            times_secs,
            step: cache.frames_per_sample,
            ..MeshFrames::new(name, path, Source::Cache(cache), notes)
        });
    }
    if is_of_arrays(path) {
        let file = path.ancestors().find(|file| file.is_file()).unwrap_or(path);
        let size = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        let mut import = Import::new(Budget::for_file(size), progress);
        let array = PointArray::open(path, &mut import).map_err(|fault| in_file(path, fault))?;
        return Ok(MeshFrames::new(name, path, Source::Array(array), import.take_notes()));
    }
    if let Some(fault) = foreign::refused_by_name(path).filter(|_| !path.exists()) {
        // A pattern of files of another program.
        return Err(in_file(path, fault));
    }
    if path.is_dir() || file_kind::OBJ.matches(path) {
        let of_path = sequence::files_of(path).map_err(|fault| in_file(path, fault));
        let SequenceFiles { files, numbers, notes } = of_path?;
        let first = open_unturned(&files[0], progress)?;
        let sequence = ObjSequence::new(files).map_err(|fault| in_file(path, fault))?;
        let source = Source::Sequence(sequence, Box::new(first));
        return Ok(MeshFrames { numbers, ..MeshFrames::new(name, path, source, notes) });
    }
    let first = open_unturned(path, progress)?;
    let points = Points::new(&first, &(0..first.meshes.len()).collect::<Vec<_>>());
    let moving: Vec<usize> = (0..first.clips.len()).filter(|&clip| is_moving(&first.clips[clip])).collect();
    let Some(&clip) = moving.first() else {
        let model = ModelFrames { head: first, points, clip: None, frames_per_sec: USUAL_RATE, frames: 1 };
        return Ok(MeshFrames::new(name, path, Source::Model(Box::new(model)), Vec::new()));
    };
    let mut notes = Vec::new();
    let Clip { name: clip_name, duration_secs, .. } = &first.clips[clip];
    if moving.len() > 1 {
        let others = moving.len() - 1;
        let message = format!("{} is solved; {others} more animations of the file are not", quoted(clip_name));
        notes.push(Note::info(Subject::File, message));
    }
    let stated = first.clips[clip].frames_per_sec();
    let frames_per_sec = stated.unwrap_or(USUAL_RATE);
    let frames = (f64::from(*duration_secs) * f64::from(frames_per_sec) + 1e-3).floor() as usize + 1;
    if frames > MOST_FRAMES {
        let frames = format!("{frames} frames of {duration_secs} s at {frames_per_sec} a second");
        let fault = Fault::Unfit(format!("has {frames}, more than {MOST_FRAMES}; solve them in parts"));
        return Err(in_file(path, fault));
    }
    let model = ModelFrames { clip: Some(clip), frames_per_sec, frames, head: first, points };
    let source = Source::Model(Box::new(model));
    Ok(MeshFrames { frames_per_sec: Some(frames_per_sec), ..MeshFrames::new(name, path, source, notes) })
}

/// The number of frames of a file that says nothing of their times; none if it does, or has only one. A file that
/// cannot be read has none: what opens it says why.
pub fn frames_without_times(path: &Path) -> Option<usize> {
    let frames = Some(path).filter(|path| file_kind::PC2.matches(path) || is_of_arrays(path))?;
    let frames = open_frames(frames, Progress::NONE).ok()?;
    Some(frames.count()).filter(|&count| count > 1 && frames.times_secs.is_empty())
}

/// Whether a clip changes anything over time.
fn is_moving(clip: &Clip) -> bool {
    clip.duration_secs > 0.0 && (!clip.tracks.is_empty() || clip.moves_nodes())
}

/// Times from the first frame on; empty if they are not numbers that rise.
fn times_of(times: &[f32]) -> Vec<f32> {
    let is_rising = times.iter().all(|time| time.is_finite()) && times.windows(2).all(|pair| pair[0] < pair[1]);
    match times.first() {
        Some(&first) if is_rising => times.iter().map(|time| time - first).collect(),
        _ => Vec::new(),
    }
}

fn rate_of(times: &[f32]) -> Option<f32> {
    let (last, steps) = (*times.last()?, times.len() - 1);
    let rate = (steps > 0 && last > 0.0).then(|| steps as f32 / last)?;
    // Times in files are rounded.
    let is_even = times.iter().enumerate().all(|(at, time)| (time * rate - at as f32).abs() < 0.1);
    is_even.then(|| smirk_face::motion::FrameRate::nearest(rate.into()).frames_per_sec() as f32)
}

/// Whether a model may be the head in other poses: it has as many vertices as the largest mesh of the head, or in one
/// mesh as many as all of them, and none of the head's channels, whose weights could be imported.
pub fn may_be_frames(head: &Head, model: &Head) -> bool {
    let largest = head.meshes.iter().map(point_count).max().unwrap_or(0);
    let all = head.meshes.iter().map(point_count).sum();
    !head.channels.is_empty()
        && model.meshes.iter().any(|mesh| [largest, all].contains(&point_count(mesh)))
        && !model.channels.iter().any(|channel| !head.channel_alike(&channel.full_name).is_empty())
}

impl MeshFrames {
    fn new(name: String, path: &Path, source: Source, notes: Vec<Note>) -> Self {
        let (frames_per_sec, times_secs, numbers) = (None, Vec::new(), Vec::new());
        Self { name, path: path.to_owned(), frames_per_sec, times_secs, numbers, step: 1.0, notes, source }
    }

    /// Returns an error if the values of a head's channels at all frames are too many for the memory.
    fn check_amount(&self, head: &Head) -> Result<(), Fault> {
        let (frames, channels) = (self.count(), head.channels.len());
        if frames.saturating_mul(channels) > MOST_VALUES {
            let text = format!(
                "has {frames} frames, and {} {channels} channels: more than {MOST_VALUES} values together; solve it in parts",
                quoted(&head.name)
            );
            return Err(Fault::Unfit(text));
        }
        Ok(())
    }

    pub fn is_still(&self) -> bool {
        self.count() == 1
    }

    /// The files that are read with the one at its path: the frames of a sequence, or what a model refers to.
    pub fn side_files(&self) -> &[PathBuf] {
        match &self.source {
            Source::Cache(_) | Source::Array(_) => &[],
            Source::Sequence(sequence, _) => &sequence.files,
            Source::Model(model) => &model.head.side_files,
        }
    }

    pub fn point_count(&self) -> usize {
        match &self.source {
            Source::Cache(cache) => cache.points,
            Source::Array(array) => array.points,
            Source::Sequence(sequence, _) => sequence.points,
            Source::Model(model) => model.points.len(),
        }
    }

    /// The meshes that its points are of, with the point of each vertex; none for a cache, which has points alone.
    fn surface(&self) -> Option<(&Head, Vec<&[u32]>)> {
        match &self.source {
            Source::Cache(_) | Source::Array(_) => None,
            Source::Sequence(_, first) => {
                Some((first, first.meshes.iter().map(|mesh| &mesh.vertices.control_points[..]).collect()))
            }
            Source::Model(model) => Some((&model.head, model.points.of_vertices.iter().map(Vec::as_slice).collect())),
        }
    }

    /// The times of its frames at a rate, unless it has its own and no rate is given.
    pub fn times(&self, frames_per_sec: Option<f32>) -> Vec<f32> {
        if frames_per_sec.is_none() && !self.times_secs.is_empty() {
            return self.times_secs.clone();
        }
        let rate = f64::from(self.rate(frames_per_sec));
        let first = self.number_of(0);
        (0..self.count()).map(|frame| ((self.number_of(frame) - first) as f64 / rate) as f32).collect()
    }

    /// The rate of what is solved, in samples per second: the given frame rate, else its own, else the usual one, by
    /// the frames from one sample to the next.
    pub fn rate(&self, frames_per_sec: Option<f32>) -> f32 {
        frames_per_sec.or(self.frames_per_sec).unwrap_or(USUAL_RATE) / self.step
    }

    /// The number of a frame in the name of its file, or its index.
    fn number_of(&self, frame: usize) -> usize {
        self.numbers.get(frame).map_or(frame, |&number| number as usize)
    }
}

impl Frames for MeshFrames {
    fn count(&self) -> usize {
        match &self.source {
            Source::Cache(cache) => cache.frames,
            Source::Array(array) => array.frames(),
            Source::Sequence(sequence, _) => sequence.files.len(),
            Source::Model(model) => model.frames,
        }
    }

    /// Points that are far away from all others count as missing.
    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        match &self.source {
            Source::Cache(cache) => cache.read(frame, positions)?,
            Source::Array(array) => positions.extend(array.positions(frame)),
            Source::Sequence(sequence, _) => sequence.read(frame, positions)?,
            Source::Model(model) => model.read(frame, positions),
        }
        outliers::remove(positions);
        Ok(())
    }
}

impl ModelFrames {
    fn read(&self, frame: usize, positions: &mut Vec<Vec3>) {
        let head = &self.head;
        let mut weights = head.default_weights();
        let mut pose = head.rest_pose.clone();
        if let Some(clip) = self.clip.map(|clip| &head.clips[clip]) {
            let secs = (frame as f64 / f64::from(self.frames_per_sec)) as f32;
            for track in &clip.tracks {
                for element in 0..track.curve.width() {
                    weights[track.first_target + element] = track.curve.sample(secs, element);
                }
            }
            if let Some(world_from_nodes) = clip.world_from_nodes(&head.rig, secs) {
                pose = RigPose::new(&head.rig, world_from_nodes);
            }
        }
        head.resolve(&mut weights);
        head.add_positions(&self.points, &weights, &pose, positions);
    }
}
