//! The facial expressions of Azure's speech service: frames of 55 numbers at 60 a second, in parts of
//! `{FrameIndex, BlendShapes: [[…55], …]}`, which events deliver one after the other. "Get facial position with viseme"
//! in its documentation lists their order: ARKit's shapes, left before right, then the roll of the head and both eyes.

use serde::Deserialize;

use super::CaptureFile;
use super::capture_times::CaptureTimes;
use super::frames::Frames;
use crate::import::{Fault, Import};
use smirk_face::head::{ARKIT_SHAPES, Kind, Subject};
use smirk_face::motion::Take;

const FRAMES_PER_SEC: f64 = 60.0;
const COUNT: usize = ARKIT_SHAPES.len() + 3;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Part {
    frame_index: u32,
    blend_shapes: Vec<Vec<Option<f32>>>,
}

/// Whether a JSON text begins with such a part, alone or in a list.
pub(super) fn is_frames(text: &str) -> bool {
    let start: String = text.chars().take(400).filter(|letter| !letter.is_whitespace()).take(100).collect();
    let is_part = start.starts_with("{\"FrameIndex\"") || start.starts_with("[{\"FrameIndex\"");
    (is_part && start.contains("\"BlendShapes\":[")) || start.contains("{\"BlendShapes\":[[")
}

pub(super) fn read(text: &str, file: &CaptureFile<'_>, import: &mut Import<'_>) -> Result<Take, Fault> {
    let parts: Result<Vec<Part>, _> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        serde_json::Deserializer::from_str(text).into_iter().collect()
    };
    let mut parts = parts.map_err(|error| Fault::invalid(Subject::field("JSON"), error.to_string()))?;
    parts.sort_by_key(|part| part.frame_index);
    let mut frames = Frames::new(Kind::Frame, columns(), file.bytes.len());
    for part in &parts {
        for (row, numbers) in part.blend_shapes.iter().enumerate() {
            import.tick()?;
            let index = part.frame_index as usize + row;
            if numbers.len() != COUNT {
                let problem = format!("has {} numbers, not the {COUNT} of a speech service", numbers.len());
                return Err(Fault::invalid(Subject::Numbered(Kind::Frame, index), problem));
            }
            frames.push(index, numbers.iter().map(|number| number.unwrap_or(f32::NAN)))?;
        }
    }
    let times = CaptureTimes::at_rate(FRAMES_PER_SEC, frames.positions().to_vec().into_iter());
    frames.into_take(times, file, import)
}

fn columns() -> Vec<String> {
    let mut columns: Vec<String> = ARKIT_SHAPES.into_iter().map(str::to_owned).collect();
    // The tables of Live Link Face, whose order this is otherwise, have right before left in these two pairs.
    for right in ["JawRight", "MouthRight"] {
        if let Some(at) = columns.iter().position(|name| name == right) {
            columns.swap(at, at + 1);
        }
    }
    columns.extend(["HeadRoll", "LeftEyeRoll", "RightEyeRoll"].map(str::to_owned));
    columns
}
