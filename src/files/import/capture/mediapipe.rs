//! Results of MediaPipe Face Landmarker, stored as JSON: a list of frames, each with a score per name.
//!
//! There is no standard format. The list is the root or is under a key such as `frames`. Each frame is one of: a result
//! as the library returns it (`faceBlendshapes[0].categories[] {categoryName, score}`), a list of `{categoryName,
//! score}`, a map from name to score, or a list of numbers, whose names are then in a list `names` of the root.
//! Messages of FACSvatar are such frames too: their map is `au_r`. A file may also have a frame in each line, without a
//! list, or a message of FACSvatar alone.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::CaptureFile;
use super::action_units::{LEAST_CONFIDENCE, angles_of_openface};
use super::capture_times::{CaptureTimes, RATES_PER_SEC};
use super::frames::{Frames, MAX_COLUMNS, check_frame_count};
use super::json::{JsonText, Names, Root, no_frames};
use super::text::is_key;
use crate::import::{Fault, Import, Problem};
use smirk_base::progress::Progress;
use smirk_face::head::{Kind, Notes, Subject};
use smirk_face::motion::{ANGLE_COLUMNS, Take};

// The keys are in the form that [`is_key`] compares. If an object has several keys of a list, the first of the list is
// used.
const FRAMES: [&str; 7] = ["frames", "results", "data", "samples", "keyframes", "blendshapes", "faceblendshapes"];
/// Keys of the list of names, for frames that are lists of numbers.
const NAMES: [&str; 6] = ["names", "blendshapenames", "categorynames", "categories", "columns", "labels"];
/// The key of the action units of a message of FACSvatar.
const UNITS: [&str; 1] = ["aur"];
const RATES: [&str; 4] = ["fps", "framerate", "framespersecond", "framespersec"];

/// The rate of most webcams, for files without times and rate.
const DEFAULT_FRAMES_PER_SEC: f64 = 30.0;

/// Whether a field of the outermost object is read.
pub(super) fn is_root_key(name: &str) -> bool {
    // A file may have millions of other fields, so that few of them are compared letter by letter.
    let first = name.chars().find(|letter| letter.is_alphanumeric()).map(|letter| letter.to_ascii_lowercase());
    let mut keys = FRAMES.iter().chain(&NAMES).chain(&RATES).chain(&UNITS);
    keys.any(|key| key.chars().next() == first && is_key(name, key))
}

/// Whether the outermost object is a message of FACSvatar.
pub(super) fn is_frame(root: &Root<'_>) -> bool {
    root_field(root, &UNITS).is_some_and(|units| !units.is_list()) && root_field(root, &FRAMES).is_none()
}

pub(super) fn read(root: &Root<'_>, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let progress = import.progress;
    let list = match root {
        Root::List(list) => Some(*list),
        Root::Gltf => unreachable!("a file of glTF has a reader of its own"),
        Root::Object(_) => root_field(root, &FRAMES).filter(|list| list.is_list()),
    };
    let list = list.ok_or_else(no_frames)?;
    let names = match root_field(root, &NAMES).filter(|names| names.is_list()) {
        Some(names) => Names::read(names, MAX_COLUMNS, progress)?.ok(),
        None => None,
    };
    let (mut columns, mut found, mut without_face) = (ColumnNames::default(), FoundFrames::default(), Vec::new());
    let (mut with_several, mut most_faces) = (Vec::new(), 1);
    list.each(progress, |index, frame| {
        check_frame_count(index)?;
        let subject = Subject::Numbered(Kind::Frame, index);
        let frame = frame.parse_as(&subject, progress)?;
        let mut scores = scores(&frame, names.as_ref(), 0).map_err(|problem| Fault::invalid(subject, problem))?;
        add_angles_of_facsvatar(&frame, &mut scores);
        let faces = face_count(&frame);
        if faces > 1 {
            with_several.push(index);
            most_faces = most_faces.max(faces);
        }
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
        let message = "no face was seen; values are interpolated over the gap";
        import.notes.warn(Subject::numbered(Kind::Frame, &without_face), message);
    }
    if !with_several.is_empty() {
        let message = format!("up to {most_faces} faces each; the first is read");
        import.notes.warn(Subject::numbered(Kind::Frame, &with_several), message);
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
    time_key: Option<String>,
}

impl FoundFrames {
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
            return Ok(CaptureTimes::from_numbers(
                key,
                std::mem::take(&mut self.times),
                (Kind::Frame, &self.indices),
                notes,
            ));
        }
        let given = match root_field(root, &RATES) {
            Some(rate) => rate.parse_as(&Subject::field("fps"), progress)?.as_f64(),
            None => None,
        };
        let frames_per_sec = given.filter(|rate| RATES_PER_SEC.contains(rate)).unwrap_or_else(|| {
            let message = format!("its frames have no time; {DEFAULT_FRAMES_PER_SEC} per second were assumed");
            notes.warn(Subject::field("time"), message);
            DEFAULT_FRAMES_PER_SEC
        });
        Ok(CaptureTimes::at_rate(frames_per_sec, self.indices.iter().copied()))
    }
}

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

fn root_field<'t>(root: &Root<'t>, keys: &[&str]) -> Option<JsonText<'t>> {
    keys.iter().find_map(|key| root.fields().find(|(name, _)| is_key(name, key)).map(|(_, value)| value))
}

// The keys are in the form that [`is_key`] compares. If an object has several keys of a list, the first of the list is
// used.
const SCORES: [&str; 9] =
    ["aur", "faceblendshapes", "blendshapes", "categories", "weights", "scores", "values", "coefficients", "shapes"];
const TIMES: [&str; 10] =
    ["timestampms", "timestamp", "timems", "time", "timestampus", "timesecs", "timesec", "seconds", "timecode", "t"];
const COUNTERS: [&str; 6] = ["frame", "frameindex", "framenumber", "index", "id", "face"];
const SCORE_NAMES: [&str; 5] = ["categoryname", "name", "displayname", "shapename", "key"];
const SCORE_VALUES: [&str; 3] = ["score", "value", "weight"];

const FRAME_FORMS: &str = "each frame needs a list of {categoryName, score}, a map from name to score, or as many numbers \
                      as there are names";

/// Adds the angles of a message of FACSvatar, which has OpenFace's beside its action units. A frame in which the face
/// was lost has no scores.
fn add_angles_of_facsvatar(frame: &Value, scores: &mut Vec<(&str, f32)>) {
    if field(frame, &UNITS).is_none_or(|(_, units)| !units.is_object()) {
        return;
    }
    let number_of = |value: &Value, key: &str| field(value, &[key]).map(|(_, value)| number(value));
    if number_of(frame, "confidence").is_some_and(|confidence| confidence < LEAST_CONFIDENCE) {
        scores.clear();
        return;
    }
    let Some((_, pose)) = field(frame, &["pose"]) else { return };
    let [x, y, z] = ["poserx", "posery", "poserz"].map(|key| number_of(pose, key));
    let (Some(x), Some(y), Some(z)) = (x, y, z) else { return };
    let gaze =
        field(frame, &["gaze"]).and_then(|(_, gaze)| number_of(gaze, "gazeanglex").zip(number_of(gaze, "gazeangley")));
    let angles = ANGLE_COLUMNS.into_iter().zip(angles_of_openface([x, y, z], gaze.map(<[f32; 2]>::from)));
    scores.extend(angles.take(if gaze.is_some() { 9 } else { 3 }).filter(|(_, angle)| angle.is_finite()));
}

pub struct MediaPipeFrame<'a> {
    /// Names and scores, NaN for null; empty if no face was seen.
    pub scores: Vec<(&'a str, f32)>,
    /// The key of the time, and the time in a unit of the sender's own.
    pub time: Option<(&'a str, f64)>,
}

impl<'a> MediaPipeFrame<'a> {
    pub fn from_message(message: &'a Value) -> Option<Self> {
        let scores = scores(message, None, 0).ok()?;
        let time = time_field(message).and_then(|(key, time)| Some((key, time?)));
        Some(Self { scores, time })
    }
}

/// The time of a frame that is a number: its key, and the number unless it is too large.
fn time_field(frame: &Value) -> Option<(&str, Option<f64>)> {
    field(frame, &TIMES).filter(|(_, time)| time.is_number()).map(|(key, time)| (key, time.as_f64()))
}

/// The first of `keys` that an object has: the key as the file writes it, and its value.
fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<(&'a str, &'a Value)> {
    let object = value.as_object()?;
    keys.iter().find_map(|key| object.iter().find(|(name, _)| is_key(name, key)).map(|(name, value)| (&**name, value)))
}

/// A frame's names and scores, NaN for null; empty if no face was seen. `depth` limits the nesting.
fn scores<'a>(value: &'a Value, names: Option<&'a Names>, depth: usize) -> Result<Vec<(&'a str, f32)>, Problem> {
    if depth > 4 {
        return Err(Problem::new("has no scores").advise(FRAME_FORMS));
    }
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Array(list) => scores_of_list(list, names, depth),
        Value::Object(object) => {
            match field(value, &SCORES).filter(|(_, inner)| inner.is_array() || inner.is_object() || inner.is_null()) {
                Some((_, inner)) => scores(inner, names, depth + 1),
                None => scores_of_map(object),
            }
        }
        _ => Err(Problem::new(format!("is {value}")).advise(FRAME_FORMS)),
    }
}

fn scores_of_list<'a>(
    list: &'a [Value],
    names: Option<&'a Names>,
    depth: usize,
) -> Result<Vec<(&'a str, f32)>, Problem> {
    match list.first() {
        None => Ok(Vec::new()),
        Some(_) if list.iter().all(|value| value.is_number() || value.is_null()) => {
            let names =
                names.ok_or_else(|| Problem::new(format!("has {} numbers, and no \"names\" say which", list.len())))?;
            if names.count != list.len() {
                return Err(Problem::new(format!("has {} numbers for {} names", list.len(), names.count)));
            }
            Ok(names.first.iter().map(String::as_str).zip(list.iter().map(number)).collect())
        }
        Some(first) if field(first, &SCORE_VALUES).is_some() => list
            .iter()
            .enumerate()
            .map(|(index, score)| {
                let name = field(score, &SCORE_NAMES).and_then(|(_, name)| name.as_str());
                let value = field(score, &SCORE_VALUES).map(|(_, value)| number(value));
                name.zip(value).ok_or_else(|| Problem::new(format!("score {index} has no categoryName or no score")))
            })
            .collect(),
        // A list with one entry per face: the first face is read.
        Some(first) => scores(first, names, depth + 1),
    }
}

/// The number of entries in the list of a frame's faces; 1 for a frame without such a list.
fn face_count(frame: &Value) -> usize {
    let inner = field(frame, &SCORES).map_or(frame, |(_, inner)| inner);
    let is_face = |value: &Value| (value.is_array() || value.is_object()) && field(value, &SCORE_VALUES).is_none();
    inner.as_array().filter(|list| list.iter().all(is_face)).map_or(1, Vec::len)
}

fn scores_of_map(object: &Map<String, Value>) -> Result<Vec<(&str, f32)>, Problem> {
    let others = object.iter().filter(|(name, _)| !(TIMES.iter().chain(&COUNTERS).any(|key| is_key(name, key))));
    let numbers = others.clone().filter(|(_, value)| value.is_number() || value.is_null());
    let scores: Vec<(&str, f32)> = numbers.map(|(name, value)| (&**name, number(value))).collect();
    if scores.is_empty() && others.count() > 0 {
        return Err(Problem::new("has no scores").advise(FRAME_FORMS));
    }
    Ok(scores)
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or(f64::NAN) as f32
}
