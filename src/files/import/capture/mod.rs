//! Recorded performances as [`Take`]s.
//!
//! ```text
//! bytes ─ text ─┬─ table ─┬─ action_units (their columns) ──┐
//!               │         ├─ live_link (times as timecode) ─┤
//!               │         └─ capture_times (plain numbers) ─┤
//!               └─ json ──┬─ audio2face ────────────────────┼─► frames ─► Take
//!                         ├─ speech_service ────────────────┤
//!                         ├─ mediapipe ─────────────────────┘
//!                         └─ keys ─────────────────────────────────────► Take
//! glTF, FBX ─────────────── clips ────────────────────────────────────► Take
//! ```
//!
//! The values of a take are those of the file: [`smirk_face::motion::TakeMap`] determines which channel a column
//! drives, and how. Repairs are listed in [`Take::notes`], with the lines or frames they concern.

mod action_units;
mod audio2face;
mod capture_times;
mod clips;
mod frames;
mod json;
mod keys;
mod live_link;
mod mediapipe;
mod speech_service;
mod table;
mod text;
mod timecode;

use std::path::Path;

pub use self::capture_times::{unit_by_name, unit_by_step};
pub use self::mediapipe::MediaPipeFrame;
pub(super) use self::text::decode_as as decode_text;

use self::json::Root;

use super::error::{Fault, Problem};
use super::file::is_fbx;
use crate::import::Import;
use smirk_face::head::Subject;
use smirk_face::motion::Take;

/// The largest capture file. An hour of 61 columns at 60 frames per second takes a fifth of this.
pub(super) const MAX_FILE_BYTES: u64 = 1 << 30;

/// The largest JSON file. An hour of Audio2Face at 60 frames per second is smaller.
const MAX_JSON_BYTES: usize = 256 << 20;

pub(super) fn read(file: &CaptureFile<'_>, mut import: Import<'_>) -> Result<Vec<Take>, Fault> {
    if file.bytes.starts_with(b"glTF") {
        return clips::read_gltf(file, import);
    }
    if is_fbx(file.bytes) {
        return clips::read_fbx(file, import);
    }
    let text = text::decode(file.bytes, &mut import.notes)?;
    if !text.trim_start().starts_with(['{', '[']) {
        return table::read(&text, file, &mut import);
    }
    if text.len() > MAX_JSON_BYTES {
        let text = format!("has {} bytes, more than the {MAX_JSON_BYTES} Smirk reads", text.len());
        return Err(Fault::invalid(Subject::field("JSON"), Problem::new(text).advise("split the take")));
    }
    let text = json::joined_lines(json::repaired(&text, &mut import.notes));
    if speech_service::is_frames(&text) {
        return speech_service::read(&text, file, &mut import).map(|take| vec![take]);
    }
    let alone;
    let mut root = Root::new(&text, is_wanted)?;
    if mediapipe::is_frame(&root) {
        alone = format!("[{text}]");
        root = Root::new(&alone, is_wanted)?;
    }
    if matches!(root, Root::Gltf) {
        return clips::read_gltf(file, import);
    }
    if root.get("smirk").is_some() {
        return keys::read(&root, file, &mut import).map(|take| vec![take]);
    }
    let is_audio2face = ["weightMat", "facsNames"].iter().any(|key| root.get(key).is_some());
    let read = if is_audio2face { audio2face::read } else { mediapipe::read };
    read(&root, file, &mut import).map(|take| vec![take])
}

fn is_wanted(name: &str) -> bool {
    keys::KEYS.contains(&name) || audio2face::KEYS.contains(&name) || mediapipe::is_root_key(name)
}

/// A list of the formats that can be read, for the error about a text file in another format.
const EXPECTED_FORMATS: &str = "Smirk reads Live Link Face CSV (columns Timecode, EyeBlinkLeft, …), Audio2Face CSV (timeCode, \
                                    blendShapes.…) and JSON (facsNames, weightMat), and MediaPipe JSON (a list of frames)";

pub(crate) struct CaptureFile<'a> {
    pub bytes: &'a [u8],
    pub name: &'a str,
    pub path: &'a Path,
}
