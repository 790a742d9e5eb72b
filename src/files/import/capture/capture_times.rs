//! The times of recorded frames, and the rate they were recorded at.

use std::ops::RangeInclusive;

use crate::import::median;
use smirk_face::head::{Kind, Notes, Subject};

/// The frame rates that a file may state; a rate beyond them is as unusable as none.
pub(super) const RATES_PER_SEC: RangeInclusive<f64> = 1e-3..=1e6;

/// The frame rate of a recording without times.
pub(super) const ASSUMED_FRAMES_PER_SEC: f64 = 60.0;
pub(super) const OTHER_RATE: &str = "--take-fps, or the edit Frame rate on the Motion page, gives them another rate";

/// A clock that goes back by more than this was reset; by less, frames may be out of order.
const OUT_OF_ORDER_SECS: f64 = 1.0;
/// So many frames after one that is earlier than the last show whether that one was late or the clock was set back.
const LATE_FRAMES: usize = 8;
/// Faces are recorded more often than with this time between frames.
pub(super) const LONGEST_STEP_SECS: f64 = 0.4;

/// Per frame, its line or its index in the file, and which of both it is.
pub(super) type Places<'a> = (Kind, &'a [usize]);

/// What a file states about the times of its frames.
pub(super) struct CaptureTimes {
    /// Per frame, in seconds from any origin; none if the frame has no readable time.
    pub times: Vec<Option<f64>>,
    /// See [`Take::frames_per_sec`](smirk_face::motion::Take::frames_per_sec).
    pub frames_per_sec: Option<f32>,
    /// See [`Take::start_timecode`](smirk_face::motion::Take::start_timecode).
    pub start_timecode: Option<String>,
}

impl CaptureTimes {
    /// Times that are plain numbers, from a column or key called `name`.
    pub(super) fn from_numbers(name: &str, mut times: Vec<Option<f64>>, places: Places<'_>, notes: &mut Notes) -> Self {
        let secs = secs_per_unit(name, &times, notes);
        for time in times.iter_mut().flatten() {
            *time *= secs;
        }
        let step_secs = usual_step(&times);
        continue_after_jumps(&mut times, step_secs, places, notes);
        note_long_step(&times, step_secs, notes);
        let frames_per_sec = usual_rate(&times);
        Self { times, frames_per_sec, start_timecode: None }
    }

    /// Frames at a constant rate, whose numbers were recorded.
    pub(super) fn of_frame_numbers(frames_per_sec: f64, numbers: impl Iterator<Item = Option<f64>>) -> Self {
        let times = numbers.map(|number| Some(number? / frames_per_sec)).collect();
        Self { times, frames_per_sec: Some(frames_per_sec as f32), start_timecode: None }
    }

    /// Frames at a constant rate. `indices` are the frames' numbers, which have gaps where frames were left out.
    pub(super) fn at_rate(frames_per_sec: f64, indices: impl Iterator<Item = usize>) -> Self {
        let times = indices.map(|index| Some(index as f64 / frames_per_sec)).collect();
        Self { times, frames_per_sec: Some(frames_per_sec as f32), start_timecode: None }
    }
}

/// Makes times continue where the clock was set back, so that two recordings in a row are not woven into each other.
/// Frames that only arrived late stay early.
pub(super) fn continue_after_jumps(
    times: &mut [Option<f64>],
    step_secs: Option<f64>,
    (unit, places): Places<'_>,
    notes: &mut Notes,
) {
    let known: Vec<usize> = (0..times.len()).filter(|&frame| times[frame].is_some()).collect();
    let recorded: Vec<f64> = times.iter().copied().flatten().collect();
    let (mut latest, mut shift_secs, mut longest_secs) = (f64::NEG_INFINITY, 0.0, 0.0_f64);
    let mut jumps = Vec::new();
    for (at, &frame) in known.iter().enumerate() {
        let back_secs = latest - recorded[at];
        if back_secs > 0.0 && was_set_back(&recorded[at..], latest, step_secs.unwrap_or(0.0)) {
            shift_secs += back_secs + step_secs.unwrap_or(0.0);
            longest_secs = longest_secs.max(back_secs);
            jumps.push(places[frame]);
            latest = recorded[at];
        }
        latest = latest.max(recorded[at]);
        times[frame] = Some(recorded[at] + shift_secs);
    }
    if !jumps.is_empty() {
        let message = format!("the clock goes back by {longest_secs:.2} s; the jump is removed");
        notes.warn(Subject::numbered(unit, &jumps), message);
    }
}

/// Whether a clock whose latest time was `latest` was set back before these times.
fn was_set_back(times: &[f64], latest: f64, step_secs: f64) -> bool {
    let back_secs = latest - times[0];
    back_secs > OUT_OF_ORDER_SECS
        || (back_secs > LATE_FRAMES as f64 * step_secs
            && (times.len() > LATE_FRAMES && times.iter().take(1 + LATE_FRAMES).all(|time| *time < latest)))
}

pub(super) fn note_long_step(times: &[Option<f64>], step_secs: Option<f64>, notes: &mut Notes) {
    /// Of fewer, the step says little.
    const FEWEST_FRAMES: usize = 16;
    if times.len() >= FEWEST_FRAMES
        && let Some(secs) = step_secs.filter(|secs| *secs >= LONGEST_STEP_SECS)
    {
        let message =
            format!("one frame in {secs:.2} s, which is few for a face. If the frames are even, {OTHER_RATE}");
        notes.warn(Subject::field("time"), message);
    }
}

/// The mean time between frames, without the gaps where frames are missing: only steps of 0.5 to 1.5 times the median
/// count.
pub(super) fn usual_step(times: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = times.iter().copied().flatten().collect();
    let steps: Vec<f64> = known.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0).collect();
    let middle = median(steps.iter().copied())?;
    let usual: Vec<f64> = steps.into_iter().filter(|step| (0.5 * middle..1.5 * middle).contains(step)).collect();
    Some(usual.iter().sum::<f64>() / usual.len() as f64)
}

/// Frames per second, from the usual step between frames.
pub(super) fn usual_rate(times: &[Option<f64>]) -> Option<f32> {
    // Files have times of few digits, so more than two decimals of the rate would be noise.
    let rate = (100.0 / usual_step(times)?).round() / 100.0;
    RATES_PER_SEC.contains(&rate).then_some(rate as f32)
}

/// The unit of times that are plain numbers, in seconds: from the name of the column, else from the step between
/// frames.
fn secs_per_unit(name: &str, times: &[Option<f64>], notes: &mut Notes) -> f64 {
    if let Some(secs) = unit_by_name(name) {
        return secs;
    }
    let step = usual_step(times).unwrap_or(0.0);
    let secs = unit_by_step(step);
    let unit = match secs {
        1e-9 => "nanoseconds",
        1e-6 => "microseconds",
        1e-3 => "milliseconds",
        _ => return secs,
    };
    notes.inform(Subject::named(Kind::Time, name), format!("steps by {step:.0} from frame to frame: read as {unit}"));
    secs
}

/// The unit that a name of times states, in seconds.
pub fn unit_by_name(name: &str) -> Option<f64> {
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let units = [("ms", 1e-3), ("milliseconds", 1e-3), ("us", 1e-6), ("ns", 1e-9)];
    units.into_iter().find(|(ending, _)| letters.ends_with(ending)).map(|(_, secs)| secs)
}

/// The unit of times with that step between frames, in seconds, since no capture has less than one frame in five
/// seconds.
pub fn unit_by_step(step: f64) -> f64 {
    match step {
        step if step >= 5e6 => 1e-9,
        step if step >= 5e3 => 1e-6,
        step if step >= 5.0 => 1e-3,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_do_not_change_the_usual_step() {
        let times = [0.0, 1.0, 2.1, 9.0, 10.0, 10.9].map(Some);
        assert!((usual_step(&times).unwrap() - 1.0).abs() < 1e-9);
        assert_eq!((usual_step(&[Some(1.0), None]), usual_step(&[Some(1.0); 3])), (None, None));
    }

    #[test]
    fn the_unit_of_times_follows_from_their_name_or_their_step() {
        let unit = |name: &str, step: f64| {
            let times: Vec<Option<f64>> = (0..9).map(|frame| (frame != 3).then_some(f64::from(frame) * step)).collect();
            secs_per_unit(name, &times, &mut Notes::default())
        };
        assert_eq!(unit("timeCode", 0.0333), 1.0);
        assert_eq!(unit("timestamp_ms", 0.5), 1e-3);
        assert_eq!(unit("timestamp", 33.0), 1e-3);
        assert_eq!(unit("timestamp", 33_333.0), 1e-6);
        assert_eq!(secs_per_unit("time", &[], &mut Notes::default()), 1.0);
    }
}
