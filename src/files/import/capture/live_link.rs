//! The timecodes of Live Link Face tables, one per frame. The rate at which timecode counts is not the rate of the
//! recording: an iPhone whose timecode counts 60 frames per second may record 59.9, so that each frame is a little
//! later than its count, and may skip some.

use super::EXPECTED_FORMATS;
use super::capture_times::{
    CaptureTimes, LONGEST_STEP_SECS, continue_after_jumps, note_long_step, usual_rate, usual_step,
};
use super::timecode::{Timecode, TimecodeRate};
use crate::import::error::{Fault, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{Kind, Note, Notes, Subject};
use smirk_face::motion::{FrameRate, TimecodeBase};

/// Timecode that goes back by more than half a day has passed midnight.
const MIDNIGHT_SECS: f64 = 12.0 * 3600.0;
/// A longer time without a frame is a warning.
const GAP_SECS: f64 = 1.0;

/// The times of frames with the timecodes in `cells`. `lines` are the frames' line numbers.
pub(super) fn times_of_timecodes(cells: &[String], lines: &[usize], notes: &mut Notes) -> Result<CaptureTimes, Fault> {
    let mut codes: Vec<Option<Timecode>> = cells.iter().map(|cell| Timecode::parse(cell)).collect();
    if Timecode::repeat_frames(codes.iter().flatten()) {
        codes.iter_mut().flatten().for_each(|code| code.count = code.count.floor());
        let message = "what follows the frame is its time in milliseconds, and not a part of a frame";
        notes.inform(Subject::field("timecode"), message);
    }
    let known: Vec<Timecode> = codes.iter().copied().flatten().collect();
    let first = codes.iter().position(Option::is_some).ok_or_else(|| {
        let text = format!("{} is not a timecode HH:MM:SS:FF.sub, nor is any later one", quoted(&cells[0]));
        Fault::invalid(Subject::Numbered(Kind::Line, lines[0]), Problem::new(text).advise(EXPECTED_FORMATS))
    })?;
    let rate = TimecodeRate::estimate(&known);
    let is_plain_clock = known.iter().all(|code| code.is_plain_clock);
    let mut times: Vec<Option<f64>> = codes.iter().map(|code| code.map(|code| rate.secs(code))).collect();
    let step_secs = unwrap_times(&mut times, rate, lines, notes);
    note_long_step(&times, step_secs, notes);
    note_gaps(&times, step_secs, lines, notes);
    let mut start_timecode = cells[first].clone();
    let frames_per_sec = if is_plain_clock {
        usual_rate(&times)
    } else {
        match step_secs.filter(|_| !rate.is_measured) {
            Some(secs) if secs >= LONGEST_STEP_SECS => {}
            _ => note_rate(rate, step_secs, notes),
        }
        let recorded = recorded_rate(rate, step_secs);
        if recorded != rate.frames_per_sec()
            && let Some(code) = codes[first]
        {
            // Timecode of the timeline counts the frames that were recorded.
            start_timecode = TimecodeBase::for_rate(FrameRate::nearest(recorded)).text(rate.secs(code));
        }
        Some(recorded as f32)
    };
    Ok(CaptureTimes { times, frames_per_sec, start_timecode: Some(start_timecode) })
}

/// Frames per second of the recording: those of the timecode, or as many times fewer or more as the usual step between
/// frames says. A step that is a little longer than a frame of timecode is that of a camera that keeps up badly.
fn recorded_rate(rate: TimecodeRate, step_secs: Option<f64>) -> f64 {
    let per_sec = rate.frames_per_sec();
    let Some(counts) = step_secs.map(|secs| secs * per_sec).filter(|counts| *counts > 0.0) else { return per_sec };
    let [fewer, more] = [counts, 1.0 / counts].map(f64::round);
    match counts {
        _ if (counts - fewer).abs() < 0.1 * fewer => per_sec / fewer,
        _ if (1.0 / counts - more).abs() < 0.1 * more => per_sec * more,
        _ => (per_sec / counts * 100.0).round() / 100.0,
    }
}

/// Makes times continue past midnight and past a clock that was set back. Returns the usual step between frames.
fn unwrap_times(times: &mut [Option<f64>], rate: TimecodeRate, lines: &[usize], notes: &mut Notes) -> Option<f64> {
    let step_secs = usual_step(times);
    let (mut latest, mut shift_secs, mut midnights) = (None::<f64>, 0.0, Vec::new());
    for (time, &line) in times.iter_mut().zip(lines) {
        let Some(time) = time else { continue };
        let back_secs = latest.map_or(0.0, |latest| latest - (*time + shift_secs));
        if back_secs > MIDNIGHT_SECS {
            shift_secs += rate.day_secs();
            midnights.push(line);
        }
        *time += shift_secs;
        latest = Some(*time);
    }
    if !midnights.is_empty() {
        notes.inform(Subject::numbered(Kind::Line, &midnights), "the timecode passes midnight");
    }
    continue_after_jumps(times, step_secs, (Kind::Line, lines), notes);
    step_secs
}

/// Notes where frames are missing. The other frames keep their times.
fn note_gaps(times: &[Option<f64>], step_secs: Option<f64>, lines: &[usize], notes: &mut Notes) {
    let Some(step_secs) = step_secs else { return };
    let known: Vec<(f64, usize)> = times.iter().zip(lines).filter_map(|(time, &line)| Some(((*time)?, line))).collect();
    let gaps = known.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[0].1));
    let gaps: Vec<(f64, usize)> = gaps.filter(|(gap_secs, _)| *gap_secs > 1.5 * step_secs).collect();
    if gaps.is_empty() {
        return;
    }
    let missing_count: f64 = gaps.iter().map(|(gap_secs, _)| (gap_secs / step_secs).round() - 1.0).sum();
    let longest_secs = gaps.iter().map(|gap| gap.0).fold(0.0, f64::max);
    let lines = Subject::numbered(Kind::Line, &gaps.iter().map(|gap| gap.1).collect::<Vec<_>>());
    let message = format!("followed by {missing_count} missing frames; the others keep their times");
    notes.push(if longest_secs > GAP_SECS {
        Note::warning(lines, format!("{message}, and values are interpolated over up to {longest_secs:.2} s"))
    } else {
        Note::info(lines, message)
    });
}

fn note_rate(rate: TimecodeRate, step_secs: Option<f64>, notes: &mut Notes) {
    let counted = if rate.is_drop {
        format!("counts {} a second, drop-frame: {:.2} frames per second", rate.counts, rate.frames_per_sec())
    } else {
        format!("counts {} frames per second", rate.counts)
    };
    notes.push(if rate.is_measured {
        let recorded = step_secs.map_or_else(String::new, |secs| format!("; {:.2} were recorded", 1.0 / secs));
        Note::info(Subject::field("timecode"), counted + &recorded)
    } else {
        Note::warning(
            Subject::field("timecode"),
            format!("{counted}: assumed, because the take has no complete second"),
        )
    });
}
