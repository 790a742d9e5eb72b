//! Tests of edits on takes: real-like curves, random ones and bad numbers.

mod cache;
mod cleaning;
mod everywhere;
mod reducing;
mod time;

use std::sync::Arc;

use super::{EditKind, EditedTake, Fit, NeutralOf, TakeEdit};
use crate::head::{Curve, Interpolation};
use crate::motion::{Take, TakeColumn};
use smirk_base::random;

const RATE: f32 = 60.0;

/// A take of one curve with these columns.
fn take_of(names: &[&str], curve: Curve) -> Arc<Take> {
    let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).to_owned(), track: 0, element };
    Arc::new(Take {
        name: "test".into(),
        source: None,
        frames_per_sec: Some(RATE),
        start_timecode: None,
        columns: names.iter().enumerate().map(column).collect(),
        duration_secs: curve.end_secs(),
        tracks: vec![curve],
        notes: Vec::new(),
    })
}

/// A take with one value per column and frame, at 60 frames per second.
fn captured(names: &[&str], frames: usize, value: impl Fn(usize, f32) -> f32) -> Arc<Take> {
    let times: Vec<f32> = (0..frames).map(|frame| frame as f32 / RATE).collect();
    let values = times.iter().flat_map(|&time| (0..names.len()).map(move |column| (column, time)));
    let values = values.map(|(column, time)| value(column, time)).collect();
    take_of(names, Curve::new(Interpolation::Linear, times, values, names.len()).unwrap())
}

/// How far an eye is closed by a blink that begins at 0: closed within 0.07 s, open again 0.14 s later.
fn blink(secs: f32) -> f32 {
    let ease = |part: f32| part * part * (3.0 - 2.0 * part);
    if secs < 0.07 { ease((secs / 0.07).max(0.0)) } else { ease((1.0 - (secs - 0.07) / 0.14).max(0.0)) }
}

/// A performance of ten seconds: blinks, speech, a head that turns, and the noise of a tracker.
fn performance() -> Arc<Take> {
    captured(&["EyeBlinkLeft", "EyeBlinkRight", "JawOpen", "HeadYaw"], 601, |column, time| {
        let noise = 0.004 * random::signed(column as u32, (time * RATE).round() as u64);
        let value = match column {
            0 | 1 => blink((time + 0.01 * column as f32) % 2.5 - 1.0),
            2 => 0.3 + 0.25 * (time * 9.0).sin() * (time * 0.7).sin(),
            _ => 0.2 * (time * 0.9).sin(),
        };
        value + noise
    })
}

/// Curves of every interpolation, with jumps and uneven times.
fn odd_takes() -> Vec<Arc<Take>> {
    let times = vec![0.0, 0.3, 0.3, 0.35, 1.2, 2.0, 2.01, 5.0];
    let values: Vec<f32> = (0..times.len()).map(|key| random::unit(5, key as u64)).collect();
    let spline = values.iter().flat_map(|&value| [value - 0.5, value, 1.0 - value]).collect();
    [(Interpolation::Linear, values.clone()), (Interpolation::Step, values), (Interpolation::CubicSpline, spline)]
        .into_iter()
        .map(|(interpolation, values)| {
            take_of(&["JawOpen"], Curve::new(interpolation, times.clone(), values, 1).unwrap())
        })
        .collect()
}

fn edit(kind: EditKind) -> TakeEdit {
    TakeEdit { kind, ..TakeEdit::default() }
}

fn on(kind: EditKind, from: f32, to: f32) -> TakeEdit {
    TakeEdit { span: Some([from, to]), ..edit(kind) }
}

fn edited(take: &Arc<Take>, edits: &[TakeEdit]) -> Arc<Take> {
    EditedTake::default().of(take, edits)
}

/// The largest difference of two takes at times that `is_compared`.
fn difference(a: &Take, b: &Take, is_compared: impl Fn(f32) -> bool) -> f32 {
    let steps = (a.duration_secs.max(b.duration_secs) * 997.0) as usize;
    let times = (0..=steps).map(|step| step as f32 / 997.0).filter(|&time| is_compared(time));
    let at =
        |time: f32| (0..a.columns.len()).map(move |column| (a.sample(column, time) - b.sample(column, time)).abs());
    times.flat_map(at).fold(0.0, f32::max)
}
