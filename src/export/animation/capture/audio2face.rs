//! The JSON that NVIDIA Audio2Face exports.

use super::super::recording::Recording;
use super::number::{Number, joined, json, json_list};

/// The text of the file, with all channels as poses.
pub(in crate::export::animation) fn audio2face(recording: &Recording) -> String {
    let performance = &recording.performance;
    let frame = |frame: usize| format!("[{}]", joined(performance.frame(frame).iter().copied()));
    let frames: Vec<String> = (0..recording.frame_count()).map(frame).collect();
    format!(
        "{{\n\"exportFps\":{},\n\"trackPath\":{},\n\"numPoses\":{},\n\"numFrames\":{},\n\"facsNames\":{},\n\"weightMat\":[\n{}\n]\n}}\n",
        Number(performance.span.rate.frames_per_sec()),
        json(&recording.name),
        performance.channels.len(),
        frames.len(),
        json_list(performance.channels.iter().map(String::as_str)),
        frames.join(",\n")
    )
}
