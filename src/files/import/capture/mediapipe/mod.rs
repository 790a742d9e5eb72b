//! Results of MediaPipe Face Landmarker, stored as JSON: a list of frames, each with a score per name.
//!
//! There is no standard format. The list is the root or is under a key such as `frames`. Each frame is one of: a result as the
//! library returns it (`faceBlendshapes[0].categories[] {categoryName, score}`), a list of `{categoryName, score}`, a map from
//! name to score, or a list of numbers, whose names are then in a list `names` of the root.

mod frame;

pub use self::frame::MediaPipeFrame;

use std::collections::HashMap;

use serde_json::Value;

use self::frame::{scores, time_field};
use super::capture_file::CaptureFile;
use super::capture_times::{CaptureTimes, RATES_PER_SEC};
use super::frames::{Frames, MAX_COLUMNS, check_frame_count};
use super::json::{JsonText, Names, Root, no_frames};
use super::text::is_key;
use crate::import::Import;
use crate::import::error::Fault;
use smirk_base::progress::Progress;
use smirk_face::head::{Kind, Note, Notes, Subject};
use smirk_face::motion::Take;

// The keys are in the form that [`is_key`] compares. If an object has several keys of a list, the first of the list is used.
/// Keys of the list of frames.
const FRAMES: [&str; 7] = ["frames", "results", "data", "samples", "keyframes", "blendshapes", "faceblendshapes"];
/// Keys of the list of names, for frames that are lists of numbers.
const NAMES: [&str; 6] = ["names", "blendshapenames", "categorynames", "categories", "columns", "labels"];
/// Keys of the frame rate.
const RATES: [&str; 4] = ["fps", "framerate", "framespersecond", "framespersec"];

/// The rate of most webcams, for files without times and rate.
const DEFAULT_FRAMES_PER_SEC: f64 = 30.0;

/// Whether a field of the outermost object is read.
pub(super) fn is_root_key(name: &str) -> bool {
    // A file may have millions of other fields, so that few of them are compared letter by letter.
    let first = name.chars().find(|letter| letter.is_alphanumeric()).map(|letter| letter.to_ascii_lowercase());
    let mut keys = FRAMES.iter().chain(&NAMES).chain(&RATES);
    keys.any(|key| key.chars().next() == first && is_key(name, key))
}

/// Reads a list of frames.
pub(super) fn read(root: &Root<'_>, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let progress = import.progress;
    let list = match root {
        Root::List(list) => Some(*list),
        Root::Object(_) => root_field(root, &FRAMES).filter(|list| list.is_list()),
    };
    let list = list.ok_or_else(no_frames)?;
    let names = match root_field(root, &NAMES).filter(|names| names.is_list()) {
        Some(names) => Names::of(names, MAX_COLUMNS, progress)?.ok(),
        None => None,
    };
    let (mut columns, mut found, mut without_face) = (ColumnNames::default(), FoundFrames::default(), Vec::new());
    list.each(progress, |index, frame| {
        check_frame_count(index)?;
        let subject = Subject::Numbered(Kind::Frame, index);
        let frame = frame.parse_as(&subject, progress)?;
        let scores = scores(&frame, names.as_ref(), 0).map_err(|problem| Fault::invalid(subject, problem))?;
        if scores.is_empty() {
            without_face.push(index);
            return Ok(());
        }
        for (name, score) in scores {
            found.columns.push(columns.index_of(name)?);
            found.values.push(score);
        }
        found.end_frame(index, &frame);
        Ok(())
    })?;
    if !without_face.is_empty() {
        import.notes.push(Note::warning(
            Subject::numbered(Kind::Frame, &without_face),
            "no face was seen; values are interpolated over the gap",
        ));
    }
    let times = found.times(root, progress, &mut import.notes)?;
    let width = columns.names.len();
    let mut frames = Frames::new(Kind::Frame, columns.names, file.bytes.len());
    let (mut row, mut first) = (vec![f32::NAN; width], 0);
    import.begin("joining frames", 0.9);
    for (&index, &end) in found.indices.iter().zip(&found.ends) {
        import.tick()?;
        row.fill(f32::NAN);
        for (&column, &score) in found.columns[first..end].iter().zip(&found.values[first..end]) {
            row[usize::from(column)] = score;
        }
        first = end;
        frames.push(index, row.iter().copied())?;
    }
    drop(found);
    frames.into_take(times, file, import)
}

/// The frames with scores. The scores of all frames are in one list, because most frames have few.
#[derive(Default)]
struct FoundFrames {
    /// Per score, the index of its column.
    columns: Vec<u16>,
    values: Vec<f32>,
    /// Per frame, where its scores end.
    ends: Vec<usize>,
    /// Per frame, its index in the file.
    indices: Vec<usize>,
    /// Per frame, its time in the file.
    times: Vec<Option<f64>>,
    /// The key of the time in the first frame that has one.
    time_key: Option<String>,
}

impl FoundFrames {
    /// Ends the frame whose scores were added last.
    fn end_frame(&mut self, index: usize, frame: &Value) {
        let time = time_field(frame);
        if let Some((key, _)) = time {
            self.time_key.get_or_insert_with(|| key.to_owned());
        }
        self.times.push(time.and_then(|(_, time)| time));
        self.ends.push(self.values.len());
        self.indices.push(index);
    }

    /// The times of the frames: the times in the file, else times at the file's frame rate, else at the default rate.
    fn times(&mut self, root: &Root<'_>, progress: Progress<'_>, notes: &mut Notes) -> Result<CaptureTimes, Fault> {
        if let Some(key) = &self.time_key {
            return Ok(CaptureTimes::from_numbers(key, std::mem::take(&mut self.times), notes));
        }
        let given = match root_field(root, &RATES) {
            Some(rate) => rate.parse_as(&Subject::field("fps"), progress)?.as_f64(),
            None => None,
        };
        let frames_per_sec = given.filter(|rate| RATES_PER_SEC.contains(rate)).unwrap_or_else(|| {
            let message = format!("its frames have no time; {DEFAULT_FRAMES_PER_SEC} per second were assumed");
            notes.push(Note::warning(Subject::field("time"), message));
            DEFAULT_FRAMES_PER_SEC
        });
        Ok(CaptureTimes::at_rate(frames_per_sec, self.indices.iter().copied()))
    }
}

/// The names of columns, in the order of their first appearance.
#[derive(Default)]
struct ColumnNames {
    names: Vec<String>,
    known: HashMap<String, u16>,
}

impl ColumnNames {
    fn index_of(&mut self, name: &str) -> Result<u16, Fault> {
        if let Some(&index) = self.known.get(name) {
            return Ok(index);
        }
        let next = self.names.len();
        if next == MAX_COLUMNS {
            return Err(Fault::Unfit(format!("names more than {MAX_COLUMNS} expressions; it is not a face capture")));
        }
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), next as u16);
        Ok(next as u16)
    }
}

/// The first of `keys` that the outermost object has.
fn root_field<'t>(root: &Root<'t>, keys: &[&str]) -> Option<JsonText<'t>> {
    keys.iter().find_map(|key| root.fields().find(|(name, _)| is_key(name, key)).map(|(_, value)| value))
}
