//! The table of Live Link Face: a timecode, ARKit's 52 shapes and nine angles, as the app writes them.

use super::super::recording::Recording;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{ARKIT_SHAPES, Head};
use smirk_face::motion::{ANGLE_COLUMNS, TimecodeBase, angle_values};

/// The text of the table. A shape that the head lacks is 0; one that the head has as two halves is their mean.
pub(in crate::export::animation) fn live_link(
    recording: &Recording,
    head: &Head,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    let base = TimecodeBase::of(recording.performance.span.rate);
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
pub(in crate::export::animation) fn unmapped_channels<'a>(recording: &'a Recording, head: &Head) -> Vec<&'a str> {
    let mapped: Vec<usize> = ARKIT_SHAPES.iter().flat_map(|shape| head.channel_alike(shape)).collect();
    let performance = &recording.performance;
    let is_used = |channel: usize| (0..recording.frame_count()).any(|frame| performance.frame(frame)[channel] != 0.0);
    let names = performance.channels.iter().enumerate();
    names.filter(|(channel, _)| !mapped.contains(channel) && is_used(*channel)).map(|(_, name)| name.as_str()).collect()
}
