//! Live Link Face tables: one timecode per frame. The counting is not the recording: an iPhone that counts 60 a second
//! may record 59.9, every frame a little late on the last, and leave some out.

use super::super::{Fault, Problem};
use super::frames::Clock;
use super::timecode::{Rate, Timecode};
use super::{EXPECTED, usual_rate, usual_step};
use crate::head::{Kind, Note, Subject, quoted};

/// A clock that goes back by more than half a day has passed midnight.
const MIDNIGHT_SECS: f64 = 12.0 * 3600.0;
/// One that goes back further than frames get mixed up, and by less than that, was set.
const MIXED_UP_SECS: f64 = 1.0;
/// Longer than this without a frame is worth a warning.
const GAP_SECS: f64 = 1.0;

/// When each frame was recorded. `lines` says where in the file it is.
pub fn clock(cells: &[String], lines: &[usize], notes: &mut Vec<Note>) -> Result<Clock, Fault> {
    let codes: Vec<Option<Timecode>> = cells.iter().map(|cell| Timecode::parse(cell)).collect();
    let known: Vec<Timecode> = codes.iter().copied().flatten().collect();
    let first = codes.iter().position(Option::is_some).ok_or_else(|| {
        let text = format!("{} is no timecode HH:MM:SS:FF.sub, and no later one is", quoted(&cells[0]));
        Fault::invalid(Subject::Numbered(Kind::Line, lines[0]), Problem::new(text).advise(EXPECTED))
    })?;
    let rate = Rate::estimate(&known);
    let is_plain_clock = known.iter().all(|code| code.is_plain_clock);
    let mut times: Vec<Option<f64>> = codes.iter().map(|code| code.map(|code| rate.secs(code))).collect();
    let step_secs = unwrap(&mut times, rate, lines, notes);
    note_gaps(&times, step_secs, lines, notes);
    let frames_per_sec = if is_plain_clock {
        usual_rate(&times)
    } else {
        note_rate(rate, step_secs, notes);
        Some(rate.frames_per_sec() as f32)
    };
    Ok(Clock { times, frames_per_sec, start_timecode: Some(cells[first].clone()) })
}

/// Makes times run on past midnight and past a clock that was set back. Returns the usual step.
fn unwrap(times: &mut [Option<f64>], rate: Rate, lines: &[usize], notes: &mut Vec<Note>) -> Option<f64> {
    let step_secs = usual_step(times);
    let (mut before, mut shift_secs, mut longest_secs) = (None::<f64>, 0.0, 0.0_f64);
    let (mut midnights, mut jumps) = (Vec::new(), Vec::new());
    for (time, &line) in times.iter_mut().zip(lines) {
        let Some(time) = time else { continue };
        let back_secs = before.map_or(0.0, |before| before - (*time + shift_secs));
        if back_secs > MIDNIGHT_SECS {
            shift_secs += rate.day_secs();
            midnights.push(line);
        } else if back_secs > MIXED_UP_SECS {
            shift_secs += back_secs + step_secs.unwrap_or(0.0);
            longest_secs = longest_secs.max(back_secs);
            jumps.push(line);
        }
        *time += shift_secs;
        before = Some(before.map_or(*time, |before| before.max(*time)));
    }
    if !midnights.is_empty() {
        notes.push(Note::info(Subject::numbered(Kind::Line, &midnights), "the timecode passes midnight"));
    }
    if !jumps.is_empty() {
        let message = format!("the timecode goes back by {longest_secs:.2} s; the take goes on without the jump");
        notes.push(Note::warning(Subject::numbered(Kind::Line, &jumps), message));
    }
    step_secs
}

/// Says where frames are missing. The others keep their time.
fn note_gaps(times: &[Option<f64>], step_secs: Option<f64>, lines: &[usize], notes: &mut Vec<Note>) {
    let Some(step_secs) = step_secs else { return };
    let known: Vec<(f64, usize)> = times.iter().zip(lines).filter_map(|(time, &line)| Some(((*time)?, line))).collect();
    let gaps = known.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[0].1));
    let gaps: Vec<(f64, usize)> = gaps.filter(|(gap_secs, _)| *gap_secs > 1.5 * step_secs).collect();
    if gaps.is_empty() {
        return;
    }
    let lost_count: f64 = gaps.iter().map(|(gap_secs, _)| (gap_secs / step_secs).round() - 1.0).sum();
    let longest_secs = gaps.iter().map(|gap| gap.0).fold(0.0, f64::max);
    let behind = Subject::numbered(Kind::Line, &gaps.iter().map(|gap| gap.1).collect::<Vec<_>>());
    let message = format!("{lost_count} frames are missing behind; the others keep their time");
    notes.push(if longest_secs > GAP_SECS {
        Note::warning(behind, format!("{message}, and the face glides over up to {longest_secs:.2} s"))
    } else {
        Note::info(behind, message)
    });
}

fn note_rate(rate: Rate, step_secs: Option<f64>, notes: &mut Vec<Note>) {
    let counted = if rate.is_drop {
        format!("counts {} a second, drop-frame: {:.2} frames per second", rate.counts, rate.frames_per_sec())
    } else {
        format!("counts {} frames per second", rate.counts)
    };
    notes.push(if rate.is_seen {
        let recorded = step_secs.map_or_else(String::new, |secs| format!("; {:.2} were recorded", 1.0 / secs));
        Note::info(Subject::field("timecode"), counted + &recorded)
    } else {
        Note::warning(Subject::field("timecode"), format!("{counted}: assumed, for no second of it comes to its end"))
    });
}
