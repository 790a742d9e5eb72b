//! The JSON that NVIDIA Audio2Face exports.

use super::super::recording::Recording;
use super::number::{Number, joined, json, json_list};
use smirk_base::progress::{Cancelled, Progress};

/// The text of the file, with all channels as poses.
pub(in crate::export::animation) fn audio2face(
    recording: &Recording,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let performance = &recording.performance;
    let count = recording.frame_count();
    let mut frames = Vec::with_capacity(count);
    for frame in 0..count {
        progress.step("writing", frame, count)?;
        frames.push(format!("[{}]", joined(performance.frame(frame).iter().copied())));
    }
    let text = format!(
        "{{\n\"exportFps\":{},\n\"trackPath\":{},\n\"numPoses\":{},\n\"numFrames\":{},\n\"facsNames\":{},\n\"weightMat\":[\n{}\n]\n}}\n",
        Number(performance.span.rate.frames_per_sec()),
        json(&recording.name),
        performance.channels.len(),
        frames.len(),
        json_list(performance.channels.iter().map(String::as_str)),
        frames.join(",\n")
    );
    Ok(text.into_bytes())
}
