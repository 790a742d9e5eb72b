//! The JSON export of NVIDIA Audio2Face: `{exportFps, trackPath, numPoses, numFrames, facsNames[], weightMat[frame][pose]}`. The
//! tables of Audio2Face-3D (an index, `timeCode` in seconds, `blendShapes.EyeBlinkLeft` …) are read by [`table`](super::table).

use serde_json::Value;

use super::capture_file::CaptureFile;
use super::capture_times::CaptureTimes;
use super::frames::Frames;
use crate::head::{Kind, Note, Subject};
use crate::import::error::{Fault, Problem};
use crate::motion::Take;

/// The default rate of Audio2Face's exporter.
const DEFAULT_FRAMES_PER_SEC: f64 = 60.0;

/// Reads the JSON export.
pub(super) fn read(root: &Value, file: &CaptureFile<'_>, mut notes: Vec<Note>) -> Result<Take, Fault> {
    let list = |key: &'static str| {
        root.get(key)
            .and_then(Value::as_array)
            .ok_or_else(|| Fault::invalid(Subject::field(key), "is missing or not a list"))
    };
    let (names, rows) = (list("facsNames")?, list("weightMat")?);
    for (key, found, what) in [("numPoses", names.len(), "facsNames"), ("numFrames", rows.len(), "weightMat")] {
        if let Some(count) = root.get(key).and_then(Value::as_f64).filter(|count| *count != found as f64) {
            return Err(Fault::invalid(
                Subject::field(key),
                Problem::new(format!("says {count}, {what} has {found}")).advise("export it again"),
            ));
        }
    }
    if rows.is_empty() {
        return Err(Fault::Unfit("has no frames (weightMat is empty); export it again".into()));
    }
    let names: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let not_text = || Fault::invalid(Subject::field(format!("facsNames[{index}]")), "is not text");
            name.as_str().map(str::to_owned).ok_or_else(not_text)
        })
        .collect::<Result<_, _>>()?;
    let width = names.len();
    let mut frames = Frames::new(Kind::Frame, names);
    for (index, row) in rows.iter().enumerate() {
        let weights = row.as_array().filter(|weights| weights.len() == width).ok_or_else(|| {
            let found = row.as_array().map_or_else(|| "no".to_owned(), |weights| weights.len().to_string());
            Fault::invalid(
                Subject::field(format!("weightMat[{index}]")),
                format!("has {found} weights, facsNames has {width} names"),
            )
        })?;
        frames.push(index, weights.iter().map(|weight| weight.as_f64().unwrap_or(f64::NAN) as f32))?;
    }
    let frames_per_sec = frames_per_sec(root.get("exportFps"), &mut notes);
    frames.into_take(CaptureTimes::at_rate(frames_per_sec, 0..rows.len()), file, notes)
}

fn frames_per_sec(given: Option<&Value>, notes: &mut Vec<Note>) -> f64 {
    let number = given.and_then(|value| value.as_f64().or_else(|| value.as_str()?.parse().ok()));
    if let Some(number) = number.filter(|number| *number > 0.0 && number.is_finite()) {
        return number;
    }
    let found = given.map_or_else(|| "is absent".to_owned(), |value| format!("is {value}"));
    let message = format!("{found}; {DEFAULT_FRAMES_PER_SEC} frames per second were assumed");
    notes.push(Note::warning(Subject::field("exportFps"), message));
    DEFAULT_FRAMES_PER_SEC
}
