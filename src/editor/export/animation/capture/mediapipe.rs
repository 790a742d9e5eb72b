//! Results of MediaPipe Face Landmarker as JSON: a list of frames, each with a list of categories and their scores.

use super::super::recording::Recording;
use super::number::{Number, json};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{ARKIT_NAMES, Head};

/// A category of the file.
struct Category {
    name: String,
    /// The number by which MediaPipe knows it, or one after all of these.
    index: usize,
    channel: usize,
}

/// The text of the file. Channels that mean the same as a category of MediaPipe have its name and number; the others follow with
/// their own names.
pub(in crate::export::animation) fn mediapipe(
    recording: &Recording,
    head: &Head,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let categories = categories(head);
    let performance = &recording.performance;
    let frame = |frame: usize| {
        let weights = performance.frame(frame);
        let score = |category: &Category| {
            let (name, score) = (json(&category.name), Number(weights[category.channel]));
            format!("{{\"index\":{},\"score\":{score},\"categoryName\":{name},\"displayName\":\"\"}}", category.index)
        };
        let scores: Vec<String> = categories.iter().map(score).collect();
        let milliseconds = Number(performance.secs_of(frame) * 1000.0);
        format!(
            "{{\"timestampMs\":{milliseconds},\"faceBlendshapes\":[{{\"headIndex\":0,\"headName\":\"\",\"categories\":[{}]}}]}}",
            scores.join(",")
        )
    };
    let count = recording.frame_count();
    let mut frames = Vec::with_capacity(count);
    for at in 0..count {
        progress.step("writing", at, count)?;
        frames.push(frame(at));
    }
    Ok(format!("[\n{}\n]\n", frames.join(",\n")).into_bytes())
}

fn categories(head: &Head) -> Vec<Category> {
    // The categories of Face Landmarker are ARKit's shapes in alphabetical order, without the tongue, after `_neutral`, which is none.
    let shapes: Vec<&str> = ARKIT_NAMES.into_iter().filter(|name| *name != "tongueOut").collect();
    let known = shapes.iter().enumerate().filter_map(|(at, name)| match head.channel_alike(name)[..] {
        [channel] => Some(Category { name: (*name).to_owned(), index: at + 1, channel }),
        // A shape that the head has as two halves keeps their names, so that both are read back.
        _ => None,
    });
    let mut categories: Vec<Category> = known.collect();
    let others = (0..head.channels.len()).filter(|&channel| categories.iter().all(|known| known.channel != channel));
    let others: Vec<usize> = others.collect();
    let first_free = shapes.len() + 1;
    categories.extend(others.into_iter().enumerate().map(|(at, channel)| Category {
        name: head.channels[channel].full_name.clone(),
        index: first_free + at,
        channel,
    }));
    categories
}
