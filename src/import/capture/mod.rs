//! Recorded performances to [`Take`]s.
//!
//! ```text
//! bytes ─ text ─┬─ table ─┬─ live_link  (times as timecode) ─┐
//!               │         └─ audio2face (times as seconds) ──┤
//!               └─ json ──┬─ audio2face ─────────────────────┼─► frames ─► Take
//!                         └─ mediapipe ──────────────────────┘
//! glTF ──────────────────── clips ─────────────────────────────────────► Take
//! ```
//!
//! Numbers are kept as recorded: which channel a column drives, and how, is [`crate::motion::TakeMap`]'s. Repairs are
//! told in [`Take::notes`], with the lines they were made in.

mod audio2face;
mod clips;
mod frames;
mod json;
mod live_link;
mod mediapipe;
mod table;
mod text;
mod timecode;

use std::path::Path;

use super::{Fault, Problem};
use crate::head::{Kind, Note, Subject};
use crate::motion::Take;

/// An hour of 61 columns at 60 frames per second is a fifth of this.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 30;

/// JSON grows when it is parsed. An hour of Audio2Face at 60 frames per second stays below this.
const MAX_JSON_BYTES: usize = 256 << 20;

/// What to say when a file is text, and none of the formats.
const EXPECTED: &str = "Smirk reads Live Link Face CSV (columns Timecode, EyeBlinkLeft, …), Audio2Face CSV (timeCode, \
                        blendShapes.…) and JSON (facsNames, weightMat), and MediaPipe JSON (a list of frames)";

/// A file's content and where it came from.
pub(super) struct File<'a> {
    /// All of it.
    pub bytes: &'a [u8],
    /// What to call the take.
    pub name: &'a str,
    /// Where it lies.
    pub path: &'a Path,
}

/// Reads whatever the content shows itself to be.
pub(super) fn read(file: &File<'_>) -> Result<Vec<Take>, Fault> {
    if file.bytes.starts_with(b"glTF") {
        return clips::read(file);
    }
    let mut notes = Vec::new();
    let text = text::decode(file.bytes, &mut notes)?;
    if !text.trim_start().starts_with(['{', '[']) {
        return table::read(&text, file, notes).map(|take| vec![take]);
    }
    if text.len() > MAX_JSON_BYTES {
        let text = format!("has {} bytes, more than the {MAX_JSON_BYTES} Smirk reads", text.len());
        let problem = Problem::new(text).advise("split the take");
        return Err(Fault::invalid(Subject::field("JSON"), problem));
    }
    let value = json::parse(&text, &mut notes)?;
    if value.get("asset").is_some_and(|asset| asset.get("version").is_some()) {
        return clips::read(file);
    }
    let is_audio2face = ["weightMat", "facsNames"].iter().any(|key| value.get(key).is_some());
    let read = if is_audio2face { audio2face::read_json } else { mediapipe::read };
    read(&value, file, notes).map(|take| vec![take])
}

/// Whether a name is `key`, which is in small letters without separators.
fn is_key(name: &str, key: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).eq(key.chars())
}

/// The median of numbers that are not NaN.
fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The usual step from frame to frame: the mean of the steps, but for those across lost frames.
fn usual_step(times: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = times.iter().copied().flatten().collect();
    let steps: Vec<f64> = known.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
    let middle = median(steps.clone())?;
    let usual: Vec<f64> = steps.into_iter().filter(|step| (0.5 * middle..1.5 * middle).contains(step)).collect();
    Some(usual.iter().sum::<f64>() / usual.len() as f64)
}

/// Frames per second, from the usual step between frames.
fn usual_rate(times: &[Option<f64>]) -> Option<f32> {
    // Times are written with few digits: more would be noise.
    usual_step(times).map(|step_secs| ((100.0 / step_secs).round() / 100.0) as f32).filter(|rate| *rate > 0.0)
}

/// Seconds per unit of plain-number times: by what the column is called, else by the step between frames, for no
/// capture has less than one frame in five seconds.
fn secs_per_unit(name: &str, times: &[Option<f64>], notes: &mut Vec<Note>) -> f64 {
    let name_says: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    for (ending, secs) in [("ms", 1e-3), ("milliseconds", 1e-3), ("us", 1e-6), ("ns", 1e-9)] {
        if name_says.ends_with(ending) {
            return secs;
        }
    }
    let step = usual_step(times).unwrap_or(0.0);
    let (secs, unit) = match step {
        step if step >= 5e6 => (1e-9, "nanoseconds"),
        step if step >= 5e3 => (1e-6, "microseconds"),
        step if step >= 5.0 => (1e-3, "milliseconds"),
        _ => return 1.0,
    };
    let message = format!("steps by {step:.0} from frame to frame: taken for {unit}");
    notes.push(Note::info(Subject::named(Kind::Time, name), message));
    secs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_frames_are_no_usual_step() {
        let times = [0.0, 1.0, 2.1, 9.0, 10.0, 10.9].map(Some);
        assert!((usual_step(&times).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!((usual_step(&[Some(1.0), None]), usual_step(&[Some(1.0); 3])), (None, None));
    }

    #[test]
    fn a_times_unit_shows_in_its_name_or_its_step() {
        let unit = |name: &str, step: f64| {
            let times: Vec<Option<f64>> = (0..9).map(|frame| (frame != 3).then_some(f64::from(frame) * step)).collect();
            secs_per_unit(name, &times, &mut Vec::new())
        };
        assert_eq!(unit("timeCode", 0.0333), 1.0);
        assert_eq!(unit("timestamp_ms", 0.5), 1e-3);
        assert_eq!(unit("timestamp", 33.0), 1e-3);
        assert_eq!(unit("timestamp", 33_333.0), 1e-6);
        assert_eq!(secs_per_unit("time", &[], &mut Vec::new()), 1.0);
    }
}
