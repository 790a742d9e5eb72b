//! The formats of face captures: weights by name, without a head.

use std::fmt;

use super::clip::Recording;
use super::scene::printable;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{ARKIT_NAMES, ARKIT_SHAPES, FaceTurns, Head, canonical_name};
use smirk_face::motion::{ANGLE_COLUMNS, Angle, TimecodeBase, angle_values};

/// The value of an angle of [`ANGLE_COLUMNS`], in radians with the signs of Live Link Face.
fn angle(name: &str, turns: &FaceTurns) -> f32 {
    Angle::of_column(name).map_or(0.0, |angle| angle.value(turns))
}

struct Columns<'a> {
    pub names: Vec<&'a str>,
    recording: &'a Recording,
    angles: Vec<&'static str>,
}

impl<'a> Columns<'a> {
    /// All channels, by full name; then the angles, if the head or an eye turns, of which the head has no channel.
    fn new(recording: &'a Recording) -> Self {
        let performance = &recording.performance;
        let channels: Vec<&str> = performance.channels.iter().map(String::as_str).collect();
        let angles: Vec<&str> = ANGLE_COLUMNS
            .into_iter()
            .filter(|name| {
                recording.has_turns() && !channels.iter().any(|channel| canonical_name(channel) == canonical_name(name))
            })
            .collect();
        let names = channels.iter().copied().chain(angles.iter().copied()).collect();
        Self { names, recording, angles }
    }

    /// The values at a frame, in the order of the names.
    fn frame(&self, frame: usize) -> impl Iterator<Item = f32> {
        let performance = &self.recording.performance;
        let turns = &performance.turns[frame];
        let angles = self.angles.iter().map(|name| angle(name, turns));
        performance.frame(frame).iter().copied().chain(angles)
    }

    fn column(&self, column: usize) -> Vec<f32> {
        let channels = self.recording.performance.channels.len();
        (0..self.recording.frame_count())
            .map(|frame| match column.checked_sub(channels) {
                None => self.recording.performance.frame(frame)[column],
                Some(at) => angle(self.angles[at], &self.recording.performance.turns[frame]),
            })
            .collect()
    }
}

/// A number with as few digits as read back exactly, which both JSON and tables understand. What is not finite is 0.
struct Number<T>(pub T);

impl fmt::Display for Number<f32> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding 0 turns -0 into 0.
        write!(f, "{}", if self.0.is_finite() { self.0 + 0.0 } else { 0.0 })
    }
}

impl fmt::Display for Number<f64> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", if self.0.is_finite() { self.0 + 0.0 } else { 0.0 })
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn json_list<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    format!("[{}]", texts.map(json).collect::<Vec<_>>().join(","))
}

fn joined(numbers: impl Iterator<Item = f32>) -> String {
    numbers.map(|number| Number(number).to_string()).collect::<Vec<_>>().join(",")
}

/// The text of the table. Times are in seconds from the first frame.
pub(in crate::animation) fn table(recording: &Recording, progress: Progress<'_>) -> Result<Vec<u8>, Cancelled> {
    let columns = Columns::new(recording);
    let mut text = String::from("time");
    columns.names.iter().for_each(|name| text += &format!(",{}", cell(name)));
    for frame in 0..recording.frame_count() {
        progress.step("writing", frame, recording.frame_count())?;
        text += &format!("\n{},{}", Number(recording.performance.secs_of(frame)), joined(columns.frame(frame)));
    }
    Ok((text + "\n").into_bytes())
}

/// A name as a cell (RFC 4180). A cell has one line.
fn cell(name: &str) -> String {
    let line = printable(name);
    if line.contains([',', ';', '"', '\t']) { format!("\"{}\"", line.replace('"', "\"\"")) } else { line }
}

const VERSION: u32 = 1;

/// The text of the file: for every column the keys of straight lines, at every frame or as few as stay within
/// `tolerance`.
pub(in crate::animation) fn keys(
    recording: &Recording,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let columns = Columns::new(recording);
    let performance = &recording.performance;
    let mut curves = Vec::with_capacity(columns.names.len());
    for (column, name) in columns.names.iter().enumerate() {
        progress.step("writing", column, columns.names.len())?;
        let keys = recording.keys(columns.column(column), 1, tolerance);
        let keys: Vec<String> = keys
            .frames
            .iter()
            .zip(&keys.values)
            .map(|(&frame, &value)| {
                let time = Number(performance.secs_of(frame));
                format!("{{\"time_secs\":{time},\"value\":{},\"tangents\":\"linear\"}}", Number(value))
            })
            .collect();
        curves.push(format!("{{\"channel\":{},\"keys\":[{}]}}", json(name), keys.join(",")));
    }
    let text = format!(
        "{{\n\"smirk\":\"keys\",\n\"version\":{VERSION},\n\"name\":{},\n\"frames_per_sec\":{},\n\"duration_secs\":{},\n\"curves\":[\n{}\n]\n}}\n",
        json(&recording.name),
        Number(performance.span.rate.frames_per_sec()),
        Number(performance.span.duration_secs()),
        curves.join(",\n")
    );
    Ok(text.into_bytes())
}

/// The text of the file, with all channels as poses.
pub(in crate::animation) fn audio2face(recording: &Recording, progress: Progress<'_>) -> Result<Vec<u8>, Cancelled> {
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

/// The text of the table. A shape that the head lacks is 0; one that the head has as two halves is their mean.
pub(in crate::animation) fn live_link(
    recording: &Recording,
    head: &Head,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let base = TimecodeBase::for_rate(recording.performance.span.rate);
    let channels = ARKIT_SHAPES.map(|shape| head.channel_alike(shape));
    let mut text = format!("Timecode,BlendshapeCount,{},{}", ARKIT_SHAPES.join(","), ANGLE_COLUMNS.join(","));
    for frame in 0..recording.frame_count() {
        progress.step("writing", frame, recording.frame_count())?;
        let timecode = base.text(recording.start_secs + recording.performance.secs_of(frame));
        text += &format!("\n{timecode},{}", ARKIT_SHAPES.len() + ANGLE_COLUMNS.len());
        let weights = recording.performance.frame(frame);
        let shapes = channels.iter().map(|channels| {
            let sum: f32 = channels.iter().map(|&channel| weights[channel]).sum();
            sum / channels.len().max(1) as f32
        });
        let turns = &recording.performance.turns[frame];
        for value in shapes.chain(angle_values(turns)) {
            let value = if value.is_finite() { value } else { 0.0 };
            text += &format!(",{value:.10}");
        }
    }
    Ok((text + "\n").into_bytes())
}

/// The channels that move, or are not at rest, and that no shape of the table stands for.
pub(in crate::animation) fn unmapped_channels<'a>(recording: &'a Recording, head: &Head) -> Vec<&'a str> {
    let mapped: Vec<usize> = ARKIT_SHAPES.iter().flat_map(|shape| head.channel_alike(shape)).collect();
    let performance = &recording.performance;
    let names = performance.channels.iter().enumerate();
    names
        .filter(|(channel, _)| {
            !mapped.contains(channel)
                && (0..recording.frame_count()).any(|frame| performance.frame(frame)[*channel] != 0.0)
        })
        .map(|(_, name)| name.as_str())
        .collect()
}

struct Category {
    name: String,
    /// The number by which MediaPipe knows it, or one after all of these.
    index: usize,
    channel: usize,
}

/// The text of the file. Channels that mean the same as a category of MediaPipe have its name and number; the others
/// follow with their own names.
pub(in crate::animation) fn mediapipe(
    recording: &Recording,
    head: &Head,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let categories = categories(head);
    let performance = &recording.performance;
    let count = recording.frame_count();
    let mut frames = Vec::with_capacity(count);
    for frame in 0..count {
        progress.step("writing", frame, count)?;
        let weights = performance.frame(frame);
        let scores: Vec<String> = categories
            .iter()
            .map(|category| {
                let (name, score) = (json(&category.name), Number(weights[category.channel]));
                format!(
                    "{{\"index\":{},\"score\":{score},\"categoryName\":{name},\"displayName\":\"\"}}",
                    category.index
                )
            })
            .collect();
        let milliseconds = Number(performance.secs_of(frame) * 1000.0);
        frames.push(format!(
            "{{\"timestampMs\":{milliseconds},\"faceBlendshapes\":[{{\"headIndex\":0,\"headName\":\"\",\"categories\":[{}]}}]}}",
            scores.join(",")
        ));
    }
    Ok(format!("[\n{}\n]\n", frames.join(",\n")).into_bytes())
}

fn categories(head: &Head) -> Vec<Category> {
    // The categories of Face Landmarker are ARKit's shapes in alphabetical order, without the tongue, after `_neutral`,
    // which is none.
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
