//! The scores of one frame, in the forms that programs store and send them.

use serde_json::{Map, Value};

use super::super::json::Names;
use super::super::text::is_key;
use crate::import::error::Problem;

// The keys are in the form that [`is_key`] compares. If an object has several keys of a list, the first of the list is used.
/// Keys of a frame's scores.
const SCORES: [&str; 8] =
    ["faceblendshapes", "blendshapes", "categories", "weights", "scores", "values", "coefficients", "shapes"];
/// Keys of a frame's time.
const TIMES: [&str; 10] =
    ["timestampms", "timestamp", "timems", "time", "timestampus", "timesecs", "timesec", "seconds", "timecode", "t"];
/// Keys of numbers in a frame that are not scores.
const COUNTERS: [&str; 6] = ["frame", "frameindex", "framenumber", "index", "id", "face"];
/// Keys of the name of one score.
const SCORE_NAMES: [&str; 5] = ["categoryname", "name", "displayname", "shapename", "key"];
/// Keys of the value of one score.
const SCORE_VALUES: [&str; 3] = ["score", "value", "weight"];

/// The forms of a frame, for errors.
const FRAME_FORMS: &str = "each frame needs a list of {categoryName, score}, a map from name to score, or as many numbers \
                      as there are names";

/// A frame that is sent by itself.
pub struct MediaPipeFrame<'a> {
    /// Names and scores, NaN for null; empty if no face was seen.
    pub scores: Vec<(&'a str, f32)>,
    /// The key of the time, and the time in a unit of the sender's own.
    pub time: Option<(&'a str, f64)>,
}

impl<'a> MediaPipeFrame<'a> {
    /// The frame of a message; none if it has no scores in a known form.
    pub fn of(message: &'a Value) -> Option<Self> {
        let scores = scores(message, None, 0).ok()?;
        let time = time_field(message).and_then(|(key, time)| Some((key, time?)));
        Some(Self { scores, time })
    }
}

/// The time of a frame that is a number: its key, and the number unless it is too large.
pub(super) fn time_field(frame: &Value) -> Option<(&str, Option<f64>)> {
    field(frame, &TIMES).filter(|(_, time)| time.is_number()).map(|(key, time)| (key, time.as_f64()))
}

/// The first of `keys` that an object has: the key as the file writes it, and its value.
fn field<'a>(value: &'a Value, keys: &[&str]) -> Option<(&'a str, &'a Value)> {
    let object = value.as_object()?;
    keys.iter().find_map(|key| object.iter().find(|(name, _)| is_key(name, key)).map(|(name, value)| (&**name, value)))
}

/// A frame's names and scores, NaN for null; empty if no face was seen. `depth` limits the nesting.
pub(super) fn scores<'a>(
    value: &'a Value,
    names: Option<&'a Names>,
    depth: usize,
) -> Result<Vec<(&'a str, f32)>, Problem> {
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
    let is_number = |value: &Value| value.is_number() || value.is_null();
    match list.first() {
        None => Ok(Vec::new()),
        Some(_) if list.iter().all(is_number) => {
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
