//! Results of MediaPipe Face Landmarker, stored as JSON: a list of frames, each with a score per name.
//!
//! There is no standard format. The list is the root or is under a key such as `frames`. Each frame is one of: a result as the
//! library returns it (`faceBlendshapes[0].categories[] {categoryName, score}`), a list of `{categoryName, score}`, a map from
//! name to score, or a list of numbers, whose names are then in a list `names` of the root.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::capture_file::{CaptureFile, EXPECTED_FORMATS};
use super::capture_times::CaptureTimes;
use super::frames::{Frames, MAX_COLUMNS};
use super::text::is_key;
use crate::head::{Kind, Note, Subject};
use crate::import::error::{Fault, Problem};
use crate::motion::Take;

// The keys are in the form that [`is_key`] compares. If an object has several keys of a list, the first of the list is used.
/// Keys of the list of frames.
const FRAMES: [&str; 7] = ["frames", "results", "data", "samples", "keyframes", "blendshapes", "faceblendshapes"];
/// Keys of the list of names, for frames that are lists of numbers.
const NAMES: [&str; 6] = ["names", "blendshapenames", "categorynames", "categories", "columns", "labels"];
/// Keys of the frame rate.
const RATES: [&str; 4] = ["fps", "framerate", "framespersecond", "framespersec"];
/// Keys of a frame's scores.
const SCORES: [&str; 8] =
    ["faceblendshapes", "blendshapes", "categories", "weights", "scores", "values", "coefficients", "shapes"];
/// Keys of a frame's time.
const TIMES: [&str; 10] =
    ["timestampms", "timestamp", "timems", "time", "timestampus", "timesecs", "timesec", "seconds", "timecode", "t"];
/// Keys of numbers in a frame that are not scores.
const COUNTERS: [&str; 6] = ["frame", "frameindex", "framenumber", "index", "id", "face"];
/// Keys of the name of one score.
const SCORE_NAMES: [&str; 4] = ["categoryname", "name", "displayname", "shapename"];
/// Keys of the value of one score.
const SCORE_VALUES: [&str; 3] = ["score", "value", "weight"];

/// The rate of most webcams, for files without times and rate.
const DEFAULT_FRAMES_PER_SEC: f64 = 30.0;

/// The forms of a frame, for errors.
const FRAME_FORMS: &str = "each frame needs a list of {categoryName, score}, a map from name to score, or as many numbers \
                      as there are names";

/// Reads a list of frames.
pub(super) fn read(root: &Value, file: &CaptureFile<'_>, mut notes: Vec<Note>) -> Result<Take, Fault> {
    let list = root.as_array().or_else(|| field(root, &FRAMES)?.1.as_array()).ok_or_else(|| {
        Fault::Unfit(format!("its JSON is not a capture: there is no list of frames; {}", EXPECTED_FORMATS))
    })?;
    let names: Option<Vec<&str>> =
        field(root, &NAMES).and_then(|(_, names)| names.as_array()?.iter().map(Value::as_str).collect());
    let mut columns = ColumnNames::default();
    let mut found: Vec<(usize, Vec<(usize, f32)>)> = Vec::new();
    let mut without_face = Vec::new();
    for (index, frame) in list.iter().enumerate() {
        let scores = scores(frame, names.as_deref(), 0)
            .map_err(|problem| Fault::invalid(Subject::Numbered(Kind::Frame, index), problem))?;
        if scores.is_empty() {
            without_face.push(index);
            continue;
        }
        let scores = scores.into_iter().map(|(name, score)| Ok((columns.index_of(name)?, score)));
        found.push((index, scores.collect::<Result<_, Fault>>()?));
    }
    if !without_face.is_empty() {
        notes.push(Note::warning(
            Subject::numbered(Kind::Frame, &without_face),
            "no face was seen; values are interpolated over the gap",
        ));
    }
    let times = times_of_frames(root, list, &found, &mut notes);
    let width = columns.names.len();
    let mut frames = Frames::new(Kind::Frame, columns.names.into_iter().map(str::to_owned).collect());
    let mut row = vec![f32::NAN; width];
    for (index, scores) in found {
        row.fill(f32::NAN);
        for (column, score) in scores {
            row[column] = score;
        }
        frames.push(index, row.iter().copied())?;
    }
    frames.into_take(times, file, notes)
}

/// The names of columns, in the order of their first appearance.
#[derive(Default)]
struct ColumnNames<'a> {
    names: Vec<&'a str>,
    known: HashMap<&'a str, usize>,
}

impl<'a> ColumnNames<'a> {
    fn index_of(&mut self, name: &'a str) -> Result<usize, Fault> {
        let next = self.names.len();
        let index = *self.known.entry(name).or_insert(next);
        if index == next {
            if next == MAX_COLUMNS {
                return Err(Fault::Unfit(format!(
                    "names more than {MAX_COLUMNS} expressions; it is not a face capture"
                )));
            }
            self.names.push(name);
        }
        Ok(index)
    }
}

/// The first of `keys` that an object has: the key as the file writes it, and its value.
fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<(&'a str, &'a Value)> {
    let object = value.as_object()?;
    keys.iter().find_map(|key| object.iter().find(|(name, _)| is_key(name, key)).map(|(name, value)| (&**name, value)))
}

/// A frame's names and scores, NaN for null; empty if no face was seen. `depth` limits the nesting.
fn scores<'a>(value: &'a Value, names: Option<&[&'a str]>, depth: usize) -> Result<Vec<(&'a str, f32)>, Problem> {
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
    names: Option<&[&'a str]>,
    depth: usize,
) -> Result<Vec<(&'a str, f32)>, Problem> {
    let is_number = |value: &Value| value.is_number() || value.is_null();
    match list.first() {
        None => Ok(Vec::new()),
        Some(_) if list.iter().all(is_number) => {
            let names =
                names.ok_or_else(|| Problem::new(format!("has {} numbers, and no \"names\" say which", list.len())))?;
            if names.len() != list.len() {
                return Err(Problem::new(format!("has {} numbers for {} names", list.len(), names.len())));
            }
            Ok(names.iter().copied().zip(list.iter().map(number)).collect())
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

fn scores_of_map(object: &Map<String, Value>) -> Result<Vec<(&str, f32)>, Problem> {
    let is_known = |name: &str| TIMES.iter().chain(&COUNTERS).any(|key| is_key(name, key));
    let others = object.iter().filter(|(name, _)| !is_known(name));
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

/// The times of the frames `found`: the times in the file, else times at the file's frame rate, else at the default rate.
fn times_of_frames(
    root: &Value,
    list: &[Value],
    found: &[(usize, Vec<(usize, f32)>)],
    notes: &mut Vec<Note>,
) -> CaptureTimes {
    let time_of = |index: usize| field(&list[index], &TIMES).filter(|(_, time)| time.is_number());
    if let Some((key, _)) = found.iter().find_map(|(index, _)| time_of(*index)) {
        let times = found.iter().map(|(index, _)| time_of(*index).and_then(|(_, time)| time.as_f64()));
        return CaptureTimes::from_numbers(key, times.collect(), notes);
    }
    let given = field(root, &RATES).and_then(|(_, rate)| rate.as_f64()).filter(|rate| *rate > 0.0 && rate.is_finite());
    let frames_per_sec = given.unwrap_or_else(|| {
        let message = format!("its frames have no time; {DEFAULT_FRAMES_PER_SEC} per second were assumed");
        notes.push(Note::warning(Subject::field("time"), message));
        DEFAULT_FRAMES_PER_SEC
    });
    CaptureTimes::at_rate(frames_per_sec, found.iter().map(|(index, _)| *index))
}
