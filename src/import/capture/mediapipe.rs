//! MediaPipe Face Landmarker results, and what people make of them: a list of frames, each with a score per name.
//!
//! There is no one format. Read are, at the top or under a key such as `frames`: results as the library gives them
//! (`faceBlendshapes[0].categories[] {categoryName, score}`), lists of `{categoryName, score}`, maps from name to score,
//! and lists of numbers whose names stand once under `names`.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::super::{Fault, Problem};
use super::frames::{Clock, Frames, MAX_COLUMNS};
use super::{File, is_key, secs_per_unit, usual_rate};
use crate::head::{Kind, Note, Subject};
use crate::motion::Take;

/// Keys, in small letters without separators, of a list of frames …
const FRAMES: [&str; 7] = ["frames", "results", "data", "samples", "keyframes", "blendshapes", "faceblendshapes"];
/// … of the names of lists of numbers …
const NAMES: [&str; 6] = ["names", "blendshapenames", "categorynames", "categories", "columns", "labels"];
/// … of a rate …
const RATES: [&str; 4] = ["fps", "framerate", "framespersecond", "framespersec"];
/// … of a frame's scores …
const SCORES: [&str; 8] =
    ["faceblendshapes", "blendshapes", "categories", "weights", "scores", "values", "coefficients", "shapes"];
/// … of a frame's time …
const TIMES: [&str; 10] =
    ["timestampms", "timestamp", "timems", "time", "timestampus", "timesecs", "timesec", "seconds", "timecode", "t"];
/// … and of numbers in a frame that are no scores.
const COUNTERS: [&str; 6] = ["frame", "frameindex", "framenumber", "index", "id", "face"];
/// Of one score: its name, its number.
const SCORE_NAMES: [&str; 4] = ["categoryname", "name", "displayname", "shapename"];
const SCORE_VALUES: [&str; 3] = ["score", "value", "weight"];

/// What a webcam delivers, where nothing says more.
const USUAL_FRAMES_PER_SEC: f64 = 30.0;

/// What every frame looks like, in words.
const SHAPES: &str = "each frame needs a list of {categoryName, score}, a map from name to score, or as many numbers \
                      as there are names";

/// Reads a list of frames.
pub fn read(root: &Value, file: &File<'_>, mut notes: Vec<Note>) -> Result<Take, Fault> {
    let list = root.as_array().or_else(|| field(root, &FRAMES)?.1.as_array()).ok_or_else(|| {
        Fault::Unfit(format!("its JSON is no capture: there is no list of frames; {}", super::EXPECTED))
    })?;
    let names: Option<Vec<&str>> =
        field(root, &NAMES).and_then(|(_, names)| names.as_array()?.iter().map(Value::as_str).collect());
    let mut columns = Columns::default();
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
            "no face was seen: it glides over the gap",
        ));
    }
    let clock = clock(root, list, &found, &mut notes);
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
    frames.into_take(clock, file, notes)
}

/// Names in the order they turn up.
#[derive(Default)]
struct Columns<'a> {
    names: Vec<&'a str>,
    known: HashMap<&'a str, usize>,
}

impl<'a> Columns<'a> {
    fn index_of(&mut self, name: &'a str) -> Result<usize, Fault> {
        let next = self.names.len();
        let index = *self.known.entry(name).or_insert(next);
        if index == next {
            if next == MAX_COLUMNS {
                return Err(Fault::Unfit(format!("names more than {MAX_COLUMNS} expressions; it is no face capture")));
            }
            self.names.push(name);
        }
        Ok(index)
    }
}

/// The entry under the first of some keys that is there, and that key as the file has it.
fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<(&'a str, &'a Value)> {
    let object = value.as_object()?;
    keys.iter().find_map(|key| object.iter().find(|(name, _)| is_key(name, key)).map(|(name, value)| (&**name, value)))
}

/// A frame's names and scores, NaN where one is null; none if no face was seen. `depth` ends what never ends.
fn scores<'a>(value: &'a Value, names: Option<&[&'a str]>, depth: usize) -> Result<Vec<(&'a str, f32)>, Problem> {
    if depth > 4 {
        return Err(Problem::new("has no scores").advise(SHAPES));
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
        _ => Err(Problem::new(format!("is {value}")).advise(SHAPES)),
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
        // One entry per face: the first is taken.
        Some(first) => scores(first, names, depth + 1),
    }
}

fn scores_of_map(object: &Map<String, Value>) -> Result<Vec<(&str, f32)>, Problem> {
    let is_known = |name: &str| TIMES.iter().chain(&COUNTERS).any(|key| is_key(name, key));
    let others = object.iter().filter(|(name, _)| !is_known(name));
    let numbers = others.clone().filter(|(_, value)| value.is_number() || value.is_null());
    let scores: Vec<(&str, f32)> = numbers.map(|(name, value)| (&**name, number(value))).collect();
    if scores.is_empty() && others.count() > 0 {
        return Err(Problem::new("has no scores").advise(SHAPES));
    }
    Ok(scores)
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or(f64::NAN) as f32
}

/// When frames were recorded: by their own times, else by a rate the file states, else by the usual one.
fn clock(root: &Value, list: &[Value], found: &[(usize, Vec<(usize, f32)>)], notes: &mut Vec<Note>) -> Clock {
    let time_of = |index: usize| field(&list[index], &TIMES).filter(|(_, time)| time.is_number());
    if let Some((key, _)) = found.iter().find_map(|(index, _)| time_of(*index)) {
        let mut times: Vec<Option<f64>> =
            found.iter().map(|(index, _)| time_of(*index).and_then(|(_, time)| time.as_f64())).collect();
        let secs = secs_per_unit(key, &times, notes);
        for time in times.iter_mut().flatten() {
            *time *= secs;
        }
        let frames_per_sec = usual_rate(&times);
        return Clock { times, frames_per_sec, start_timecode: None };
    }
    let given = field(root, &RATES).and_then(|(_, rate)| rate.as_f64()).filter(|rate| *rate > 0.0 && rate.is_finite());
    let frames_per_sec = given.unwrap_or_else(|| {
        let message = format!("its frames have no time; {USUAL_FRAMES_PER_SEC} per second were assumed");
        notes.push(Note::warning(Subject::field("time"), message));
        USUAL_FRAMES_PER_SEC
    });
    let times = found.iter().map(|(index, _)| Some(*index as f64 / frames_per_sec)).collect();
    Clock { times, frames_per_sec: Some(frames_per_sec as f32), start_timecode: None }
}
