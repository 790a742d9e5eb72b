//! The JSON export of NVIDIA Audio2Face: `{exportFps, trackPath, numPoses, numFrames, facsNames[],
//! weightMat[frame][pose]}`, and `joints`, whose `rotations` are not read. The tables of Audio2Face-3D (an index,
//! `timeCode` in seconds, `blendShapes.EyeBlinkLeft` …) are read by [`table`](super::table).

use serde_json::Value;

use super::CaptureFile;
use super::capture_times::{ASSUMED_FRAMES_PER_SEC, CaptureTimes, RATES_PER_SEC};
use super::frames::{Frames, MAX_COLUMNS, check_columns};
use super::json::{Names, Root};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Notes, Subject, listed};
use smirk_face::motion::Take;

pub(super) const KEYS: [&str; 14] = [
    "exportFps",
    "exportFPS",
    "export_fps",
    "fps",
    "FPS",
    "frameRate",
    "framerate",
    "frame_rate",
    "numPoses",
    "numFrames",
    "facsNames",
    "weightMat",
    "joints",
    "rotations",
];
/// The fields that state the frame rate, in all their spellings.
const RATES: &[&str] = KEYS.split_at(8).0;

pub(super) fn read(root: &Root<'_>, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let progress = import.progress;
    let (names, rows) = (root.list("facsNames")?, root.list("weightMat")?);
    let names = Names::read(names, MAX_COLUMNS, progress)?
        .map_err(|index| Fault::invalid(Subject::field(format!("facsNames[{index}]")), "is not text"))?;
    let (width, row_count) = (names.count, rows.count(progress)?);
    for (key, found, what) in [("numPoses", width, "facsNames"), ("numFrames", row_count, "weightMat")] {
        let count = root.parse(key, progress)?.as_ref().and_then(Value::as_f64);
        if let Some(count) = count.filter(|count| *count != found as f64) {
            // Some exporters count a frame more or less than they write.
            if key == "numFrames" && (count - found as f64).abs() <= 1.0 {
                import.notes.warn(Subject::field(key), format!("says {count}, {what} has {found}; these are used"));
                continue;
            }
            let problem = Problem::new(format!("says {count}, {what} has {found}")).advise("export it again");
            return Err(Fault::invalid(Subject::field(key), problem));
        }
    }
    if row_count == 0 {
        return Err(Fault::Unfit("has no frames (weightMat is empty); export it again".into()));
    }
    check_columns(width)?;
    if let Some(joints) = root.get("joints").filter(|joints| joints.is_list() && root.get("rotations").is_some())
        && let Ok(joints) = Names::read(joints, MAX_COLUMNS, progress)?
        && joints.count > 0
    {
        let names: Vec<String> = joints.first.iter().map(|name| quoted(name)).collect();
        let message = format!("those of the joints {} are left out; a take has only weights", listed(&names, 9));
        import.notes.warn(Subject::field("rotations"), message);
    }
    let mut frames = Frames::new(Kind::Frame, names.first, file.bytes.len());
    rows.each(progress, |index, row| {
        let subject = Subject::field(format!("weightMat[{index}]"));
        let row = row.parse_as(&subject, progress)?;
        let weights = row.as_array().filter(|weights| weights.len() == width).ok_or_else(|| {
            let found = row.as_array().map_or_else(|| "no".to_owned(), |weights| weights.len().to_string());
            Fault::invalid(subject, format!("has {found} weights, facsNames has {width} names"))
        })?;
        frames.push(index, weights.iter().map(|weight| weight.as_f64().unwrap_or(f64::NAN) as f32))
    })?;
    let key = RATES.iter().copied().find(|key| root.get(key).is_some()).unwrap_or("exportFps");
    let frames_per_sec = frames_per_sec(root.parse(key, progress)?.as_ref(), key, &mut import.notes);
    frames.into_take(CaptureTimes::at_rate(frames_per_sec, 0..row_count), file, import)
}

/// A frame rate from the field `key`, or the default with a note.
pub(super) fn frames_per_sec(given: Option<&Value>, key: &'static str, notes: &mut Notes) -> f64 {
    let number = given.and_then(|value| value.as_f64().or_else(|| rate_in_text(value.as_str()?)));
    if let Some(number) = number.filter(|number| RATES_PER_SEC.contains(number)) {
        return number;
    }
    let found = given.map_or_else(|| "is absent".to_owned(), |value| format!("is {value}"));
    notes.warn(Subject::field(key), format!("{found}; {ASSUMED_FRAMES_PER_SEC} frames per second were assumed"));
    ASSUMED_FRAMES_PER_SEC
}

fn rate_in_text(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.trim_end_matches("fps").parse().ok()
}
