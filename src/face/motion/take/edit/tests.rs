//! Tests of edits on takes: real-like curves, random ones and bad numbers.

use std::sync::Arc;

use super::{EditKind, EditedTake, Fit, NeutralOf, TakeEdit};
use crate::head::{Curve, Interpolation};
use crate::motion::{Reduction, Take, TakeColumn};
use smirk_base::random;

const RATE: f32 = 60.0;

/// A take of one curve with these columns.
fn take_of(names: &[&str], curve: Curve) -> Arc<Take> {
    Arc::new(Take { frames_per_sec: Some(RATE), ..Take::of_curve(names.iter().copied(), curve) })
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
    EditedTake::default().get(take, edits)
}

/// The largest difference of two takes at times that `is_compared`.
fn difference(a: &Take, b: &Take, is_compared: impl Fn(f32) -> bool) -> f32 {
    let steps = (a.duration_secs.max(b.duration_secs) * 997.0) as usize;
    let times = (0..=steps).map(|step| step as f32 / 997.0).filter(|&time| is_compared(time));
    let at =
        |time: f32| (0..a.columns.len()).map(move |column| (a.sample(column, time) - b.sample(column, time)).abs());
    times.flat_map(at).fold(0.0, f32::max)
}

#[test]
fn without_an_edit_that_is_switched_on_it_is_the_recording() {
    let take = performance();
    let off = TakeEdit { enabled: false, ..edit(EditKind::Gain(2.0)) };
    assert!(Arc::ptr_eq(&edited(&take, &[]), &take) && Arc::ptr_eq(&edited(&take, &[off.clone(), off]), &take));
}

#[test]
fn only_what_has_changed_is_computed_again() {
    let (take, cache) = (performance(), EditedTake::default());
    let mut edits = vec![edit(EditKind::Gain(2.0)), edit(EditKind::Bridge), edit(EditKind::Offset(0.1))];
    let first = cache.get(&take, &edits);
    assert_eq!(cache.computed(), 3);
    assert!(Arc::ptr_eq(&cache.get(&take, &edits), &first));
    assert_eq!(cache.computed(), 3, "nothing has changed");
    edits[2].kind = EditKind::Offset(0.2);
    cache.get(&take, &edits);
    assert_eq!(cache.computed(), 4, "only the last one has changed");
    edits[1].enabled = false;
    cache.get(&take, &edits);
    assert_eq!(cache.computed(), 5, "the first one has not changed, and the second one is left out");
    edits[1].ease_in_secs = 9.0;
    cache.get(&take, &edits);
    assert_eq!(cache.computed(), 5, "it is switched off");
}

#[test]
fn columns_that_an_edit_does_not_change_share_the_recording() {
    let take = performance();
    let jaw = TakeEdit { columns: Some(vec!["JawOpen".into(), "Gone".into()]), ..edit(EditKind::Gain(2.0)) };
    let changed = edited(&take, &[jaw]);
    let is_shared = |column: usize| changed.curve_of(column).unwrap().0.is_copy_of(&take.tracks[0]);
    assert_eq!([0, 1, 2, 3].map(is_shared), [true, true, false, true]);
    assert!((changed.sample(2, 3.0) - 2.0 * take.sample(2, 3.0)).abs() < 1e-6);
    let (curve, _) = changed.curve_of(2).unwrap();
    assert!(curve.shares_times(&take.tracks[0]), "the whole take keeps its times");
}

#[test]
fn the_order_of_the_list_matters() {
    let take = performance();
    let (gain, offset) = (edit(EditKind::Gain(2.0)), edit(EditKind::Offset(0.1)));
    let at = |edits: &[TakeEdit]| edited(&take, edits).sample(2, 1.0) - 2.0 * take.sample(2, 1.0);
    assert!((at(&[gain.clone(), offset.clone()]) - 0.1).abs() < 1e-6);
    assert!((at(&[offset, gain]) - 0.2).abs() < 1e-6);
}

/// The standard deviation of what is faster than a frame in a part of a column.
fn jitter(take: &Take, column: usize, frames: std::ops::Range<usize>) -> f32 {
    let at = |frame: usize| take.sample(column, frame as f32 / RATE);
    let second = |frame: usize| at(frame - 1) - 2.0 * at(frame) + at(frame + 1);
    let squares: f32 = frames.clone().map(|frame| second(frame).powi(2)).sum();
    (squares / frames.len() as f32).sqrt()
}

fn smooth(keep_peaks: f32) -> TakeEdit {
    edit(EditKind::Smooth { cutoff_hz: 6.0, keep_peaks })
}

fn peak(take: &Take) -> f32 {
    (0..601).map(|frame| take.sample(0, frame as f32 / RATE)).fold(0.0, f32::max)
}

#[test]
fn smoothing_at_6_hz_keeps_a_blink_above_0_97_and_takes_the_noise_away() {
    let take = performance();
    let (plain, kept) = (edited(&take, &[smooth(0.0)]), edited(&take, &[smooth(1.0)]));
    println!("a blink of {}: {} with a plain filter, {} with kept peaks", peak(&take), peak(&plain), peak(&kept));
    assert!(peak(&plain) < 0.96, "{}", peak(&plain));
    assert!(peak(&kept) > 0.97, "{}", peak(&kept));
    // Between two blinks.
    let rest = 90..140;
    let (before, after) = (jitter(&take, 0, rest.clone()), jitter(&kept, 0, rest));
    assert!(after < 0.1 * before, "{after} of {before} is left");
    assert_eq!(kept.curve_of(0).unwrap().0.times(), take.tracks[0].times());
}

#[test]
fn smoothing_keeps_uneven_times_and_half_kept_peaks_are_between() {
    let times: Vec<f32> = (0..601).map(|frame| (frame as f32 + 0.3 * random::signed(3, frame)) / RATE).collect();
    let times: Vec<f32> = times.into_iter().map(|time| time.max(0.0)).collect();
    let values = times.iter().map(|time| blink(time % 2.5 - 1.0)).collect();
    let take = take_of(&["EyeBlinkLeft"], Curve::new(Interpolation::Linear, times.clone(), values, 1).unwrap());
    let [plain, half, kept] = [0.0, 0.5, 1.0].map(|keep| edited(&take, &[smooth(keep)]));
    assert_eq!(kept.curve_of(0).unwrap().0.times(), times);
    assert!(peak(&plain) < peak(&half) && peak(&half) < peak(&kept) && peak(&kept) > 0.97);
}

#[test]
fn a_bridge_has_no_jump_and_goes_on_in_the_direction_of_the_curve() {
    let shape = |time: f32| 0.5 + 0.4 * (time * 2.0).sin();
    let dropout = 3.0..3.6;
    let take = captured(&["JawOpen"], 601, |_, time| if dropout.contains(&time) { 0.0 } else { shape(time) });
    let [from, to] = [2.95, 3.65];
    let bridged = edited(&take, &[on(EditKind::Bridge, from, to)]);
    assert!(difference(&take, &bridged, |time| !(from..=to).contains(&time)) < 1e-5);
    let steps = (0..600).map(|frame| {
        let at = |frame: usize| bridged.sample(0, frame as f32 / RATE);
        (at(frame + 1) - at(frame)).abs()
    });
    let largest_step = steps.fold(0.0, f32::max);
    assert!(largest_step < 0.025, "{largest_step} in a frame; the movement itself has 0.0133");
    for end in [from, to] {
        let slope = |time: f32| (bridged.sample(0, time + 0.005) - bridged.sample(0, time - 0.005)) / 0.01;
        let (before, after) = (slope(end - 0.01), slope(end + 0.01));
        assert!((before - after).abs() < 0.25, "{before} turns to {after}");
    }
    let far = (180..216).map(|frame| (bridged.sample(0, frame as f32 / RATE) - shape(frame as f32 / RATE)).abs());
    assert!(far.fold(0.0, f32::max) < 0.15);
}

#[test]
fn a_bridge_over_a_long_gap_stays_within_the_values_of_the_column() {
    let take = captured(&["JawOpen"], 601, |_, time| if time < 3.0 { time / 3.0 } else { 0.0 });
    let bridged = edited(&take, &[on(EditKind::Bridge, 3.0 - 1.0 / RATE, 8.0)]);
    let values: Vec<f32> = (0..601).map(|frame| bridged.sample(0, frame as f32 / RATE)).collect();
    assert!(values.iter().all(|value| (-1e-6..=1.0).contains(value)), "{values:?}");
}

#[test]
fn spikes_go_and_everything_else_stays() {
    let take = performance();
    let spike = |frame: f32| if frame == 77.0 || frame == 301.0 || frame == 302.0 { 0.6 } else { 0.0 };
    let spiky = captured(&["EyeBlinkLeft", "EyeBlinkRight", "JawOpen", "HeadYaw"], 601, |column, time| {
        take.sample(column, time) + spike((time * RATE).round())
    });
    let kind = EditKind::RemoveSpikes { threshold: 0.2, longest_secs: 0.035 };
    let clean = edited(&spiky, &[edit(kind)]);
    assert!(difference(&clean, &take, |_| true) < 0.05);
    assert_eq!(difference(&edited(&take, &[edit(kind)]), &take, |_| true), 0.0, "it has no spikes");
}

#[test]
fn the_rest_face_of_a_moment_or_of_a_range_becomes_neutral() {
    let take = captured(&["JawOpen"], 601, |_, time| if time < 5.0 { 0.25 } else { 0.75 });
    let at = |kind: EditKind, span: Option<[f32; 2]>| {
        let take = edited(&take, &[TakeEdit { span, ..edit(kind) }]);
        [1.0, 4.0, 9.0].map(|time| take.sample(0, time))
    };
    assert_eq!(at(EditKind::Neutral(NeutralOf::Moment(2.0)), None), [0.0, 0.0, 0.5]);
    assert_eq!(at(EditKind::Neutral(NeutralOf::Mean), Some([3.0, 4.9])), [0.25, 0.0, 0.75]);
}

#[test]
fn values_are_held_and_lines_are_straight() {
    let take = captured(&["JawOpen"], 601, |_, time| time * 0.1 + if time == 5.0 { 1.0 } else { 0.0 });
    let held = edited(&take, &[on(EditKind::Hold(None), 2.0, 4.0)]);
    assert!((held.sample(0, 3.0) - 0.2).abs() < 1e-5);
    assert_eq!(edited(&take, &[on(EditKind::Hold(Some(0.75)), 2.0, 4.0)]).sample(0, 3.0), 0.75);
    let straight = edited(&take, &[on(EditKind::Line, 4.5, 5.5)]);
    assert!((straight.sample(0, 5.0) - 0.5).abs() < 1e-5);
}

#[test]
fn sides_change_places_and_twice_is_as_before() {
    let take = performance();
    let mirrored = edited(&take, &[edit(EditKind::Mirror)]);
    let at = |take: &Take| [0, 1, 2, 3].map(|column| take.sample(column, 1.2));
    let [left, right, jaw, yaw] = at(&take);
    assert_eq!(at(&mirrored), [right, left, jaw, -yaw]);
    assert_eq!(difference(&edited(&take, &[edit(EditKind::Mirror), edit(EditKind::Mirror)]), &take, |_| true), 0.0);
    let only_left = TakeEdit { columns: Some(vec!["EyeBlinkLeft".into()]), ..edit(EditKind::Mirror) };
    assert_eq!(
        at(&edited(&take, &[only_left])),
        [right, left, jaw, yaw],
        "both sides of the named column change, or neither"
    );
}

#[test]
fn samples_are_baked_at_a_rate() {
    for take in odd_takes() {
        let baked = edited(&take, &[edit(EditKind::Bake(24.0))]);
        let (curve, _) = baked.curve_of(0).unwrap();
        assert_eq!(curve.interpolation(), Interpolation::Linear);
        assert_eq!(curve.times().len(), 5 * 24 + 1);
        for frame in 0..=5 * 24 {
            let time = frame as f32 / 24.0;
            assert!((take.sample(0, time) - baked.sample(0, time)).abs() < 1e-4, "{time}");
        }
    }
}

/// Spans on, across and beyond a take of ten seconds.
fn spans() -> impl Iterator<Item = [f32; 2]> {
    (0..12).map(|index| [0, 1].map(|end| random::unit(9, index * 2 + end) * 12.0 - 1.0))
}

fn every_kind() -> Vec<EditKind> {
    let more = [
        EditKind::Gain(1.7),
        EditKind::Offset(-0.3),
        EditKind::Clamp([0.2, 0.4]),
        EditKind::Smooth { cutoff_hz: 2.0, keep_peaks: 0.0 },
        EditKind::Neutral(NeutralOf::Mean),
        EditKind::Hold(Some(0.6)),
        EditKind::Reduce { fit: Fit::Linear, tolerance: 0.02 },
        EditKind::Stretch(1.5),
    ];
    EditKind::all(1.0).into_iter().chain(more).collect()
}

#[test]
fn outside_of_its_range_an_edit_changes_nothing() {
    let mut takes = odd_takes();
    takes.push(performance());
    for take in takes {
        for kind in every_kind().into_iter().filter(|kind| !kind.is_of_time()) {
            for ([a, b], ease_secs) in spans().zip([0.0, 0.05, 0.4, 3.0].into_iter().cycle()) {
                let edit = TakeEdit { ease_in_secs: ease_secs, ease_out_secs: ease_secs, ..on(kind, a, b) };
                let changed = edited(&take, std::slice::from_ref(&edit));
                let inside = a.min(b) - 5e-4..=a.max(b) + 5e-4;
                let error = difference(&take, &changed, |time| !inside.contains(&time));
                assert!(error < 2e-5, "{edit:?} changes by {error} on {:?}", take.tracks[0].interpolation());
            }
        }
    }
}

#[test]
fn values_are_continuous_at_eased_ends() {
    let take = performance();
    for kind in every_kind().into_iter().filter(|kind| kind.eases() == [true; 2]) {
        for [a, b] in spans() {
            let edit = TakeEdit { ease_in_secs: 0.2, ease_out_secs: 0.2, ..on(kind, a, b) };
            let changed = edited(&take, std::slice::from_ref(&edit));
            let Some([from, to]) = edit.span_on(take.duration_secs) else { continue };
            for end in [from, to].into_iter().filter(|end| (0.1..9.9).contains(end)) {
                let near = |time: f32| (time - end).abs() < 2e-3;
                let error = difference(&take, &changed, near);
                assert!(error < 5e-3, "{edit:?} jumps by {error} at {end}");
            }
        }
    }
}

#[test]
fn a_hard_end_is_a_jump_at_its_time() {
    let take = captured(&["JawOpen"], 601, |_, _| 0.25);
    let hard = TakeEdit { ease_in_secs: 0.0, ease_out_secs: 0.0, ..on(EditKind::Offset(0.5), 2.003, 4.007) };
    let changed = edited(&take, &[hard]);
    let at = |time: f32| changed.sample(0, time);
    assert_eq!([2.002, 2.004, 3.0, 4.006, 4.008].map(at), [0.25, 0.75, 0.75, 0.75, 0.25]);
}

#[test]
fn bad_numbers_and_short_takes_never_panic() {
    const NUMBERS: [f32; 11] =
        [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-30, -1.0, 0.0, 0.5, 7.0, 1e9];
    let kinds = |a: f32, b: f32| {
        [
            EditKind::Gain(a),
            EditKind::Offset(a),
            EditKind::Clamp([a, b]),
            EditKind::Smooth { cutoff_hz: a, keep_peaks: b },
            EditKind::RemoveSpikes { threshold: a, longest_secs: b },
            EditKind::Neutral(NeutralOf::Moment(a)),
            EditKind::Neutral(NeutralOf::Mean),
            EditKind::Hold(Some(a)),
            EditKind::Hold(None),
            EditKind::Line,
            EditKind::Bridge,
            EditKind::Mirror,
            EditKind::Reduce { fit: Fit::Linear, tolerance: a },
            EditKind::Reduce { fit: Fit::Smooth, tolerance: a },
            EditKind::Bake(a),
            EditKind::FrameRate(a),
            EditKind::Stretch(a),
            EditKind::InsertTime(a),
            EditKind::DeleteTime,
        ]
    };
    let mut takes = odd_takes();
    for times in [vec![0.0], vec![1.0, 1.0], vec![0.0, 0.01], vec![0.0, 1.0, 5.0]] {
        let values = (0..times.len() * 2).map(|at| [f32::MAX, -0.5, 0.0, 1.0][at % 4]).collect();
        let curve = Curve::new(Interpolation::Linear, times, values, 2).unwrap();
        takes.push(take_of(&["EyeBlinkLeft", "EyeBlinkRight", "", "NoSuchElement"], curve));
    }
    let mut index = 0;
    let mut number = || {
        index += 1;
        NUMBERS[(random::bits(4, index) % NUMBERS.len() as u64) as usize]
    };
    for round in 0..60 {
        for take in &takes {
            for kind in kinds(number(), number()) {
                let span = (round % 3 != 0).then(|| [number(), number()]);
                let first = TakeEdit { span, ease_in_secs: number(), ease_out_secs: number(), ..edit(kind) };
                let second = on(EditKind::Gain(2.0), 0.2, 0.4);
                let changed = edited(take, &[first.clone(), second]);
                assert_eq!(changed.columns.len(), take.columns.len());
                assert!(changed.duration_secs.is_finite() && changed.duration_secs >= 0.0, "{first:?}");
                for column in 0..take.columns.len() {
                    assert!(changed.sample(column, 0.3).is_finite(), "{first:?}");
                }
            }
        }
    }
}

fn reduced(take: &Arc<Take>, fit: Fit, tolerance: f32) -> (Arc<Take>, Reduction) {
    let (cache, edits) = (EditedTake::default(), [edit(EditKind::Reduce { fit, tolerance })]);
    (cache.get(take, &edits), cache.reduction(take, &edits, 0).unwrap())
}

/// The largest difference at the frames of the recording.
fn error_at_frames(take: &Take, reduced: &Take) -> f32 {
    let errors = (0..take.columns.len()).flat_map(|column| {
        let times = take.tracks[0].times().iter();
        times.map(move |&time| (take.sample(column, time) - reduced.sample(column, time)).abs())
    });
    errors.fold(0.0, f32::max)
}

/// Random walks, noise, waves and steps at uneven times.
fn random_take(seed: u32) -> Arc<Take> {
    let count = 2 + (random::bits(seed, 0) % 400) as usize;
    let mut time = 0.0;
    let times: Vec<f32> = (0..count)
        .map(|frame| {
            time += [1.0, 0.2, 3.0][(random::bits(seed, frame as u64 * 7) % 3) as usize] / RATE;
            time
        })
        .collect();
    let mut walk = 0.0;
    let values = times.iter().enumerate().flat_map(|(frame, time)| {
        let noise = random::signed(seed, 10_000 + frame as u64);
        walk += 0.05 * noise;
        [walk, noise, (time * 7.0).sin(), (time * 2.0).floor(), 0.25]
    });
    let curve = Curve::new(Interpolation::Linear, times.clone(), values.collect(), 5).unwrap();
    take_of(&["a", "b", "c", "d", "e"], curve)
}

#[test]
fn every_reduction_stays_within_its_tolerance() {
    for seed in 0..40 {
        let take = if seed == 0 { performance() } else { random_take(seed) };
        for (fit, tolerance) in [Fit::Linear, Fit::Smooth].into_iter().zip([0.001, 0.01, 0.1].into_iter().cycle()) {
            let (reduced, what) = reduced(&take, fit, tolerance);
            let error = error_at_frames(&take, &reduced);
            assert!(error <= tolerance + 2e-6, "{fit:?} {tolerance}: {error} on take {seed}");
            assert!(what.largest_error <= tolerance, "{what:?}");
            assert!(what.keys <= what.samples, "{what:?}");
            let ends = [take.tracks[0].times()[0], take.duration_secs];
            assert!(difference(&take, &reduced, |time| ends.contains(&time)) < 1e-6);
        }
    }
}

#[test]
fn straight_lines_need_two_keys_and_splines_fewer_than_lines() {
    let line = captured(&["a"], 500, |_, time| 0.1 + 0.05 * time);
    assert_eq!([Fit::Linear, Fit::Smooth].map(|fit| reduced(&line, fit, 0.001).1.keys), [2, 2]);
    let take = performance();
    let [lines, splines] = [Fit::Linear, Fit::Smooth].map(|fit| reduced(&take, fit, 0.01).1);
    println!("{lines:?} {splines:?}");
    assert!(2 * splines.keys < lines.keys + 150 && splines.keys < lines.keys, "{lines:?} {splines:?}");
    assert!(lines.keys * 3 < lines.samples);
}

#[test]
fn jumps_stay_and_a_range_keeps_what_is_around_it() {
    let times = vec![0.0, 1.0, 1.0, 2.0, 3.0];
    let jump = Curve::new(Interpolation::Linear, times, vec![0.0, 0.0, 1.0, 1.0, 0.0], 1).unwrap();
    let take = take_of(&["a"], jump);
    for fit in [Fit::Linear, Fit::Smooth] {
        let (reduced, what) = reduced(&take, fit, 0.01);
        assert!(what.keys <= 5 && difference(&take, &reduced, |_| true) < 0.0105, "{what:?}");
    }
    let take = performance();
    let part = edited(&take, &[on(EditKind::Reduce { fit: Fit::Smooth, tolerance: 0.05 }, 2.0, 5.0)]);
    assert!(part.curve_of(0).unwrap().0.times().len() < 500);
    assert!(difference(&take, &part, |time| !(2.0..=5.0).contains(&time)) < 2e-5);
}

#[test]
fn a_reduced_curve_can_be_edited_further() {
    let take = performance();
    let reduce = edit(EditKind::Reduce { fit: Fit::Smooth, tolerance: 0.01 });
    let (reduced, louder) =
        (edited(&take, std::slice::from_ref(&reduce)), edited(&take, &[reduce, on(EditKind::Gain(2.0), 3.0, 6.0)]));
    assert!((louder.sample(2, 4.5) - 2.0 * reduced.sample(2, 4.5)).abs() < 1e-3);
    assert!(difference(&reduced, &louder, |time| !(3.0..=6.0).contains(&time)) < 2e-5);
}

#[test]
fn inserted_time_can_be_deleted_again() {
    let take = performance();
    let insert = on(EditKind::InsertTime(1.5), 4.0, 5.0);
    let longer = edited(&take, std::slice::from_ref(&insert));
    assert!((longer.duration_secs - 11.5).abs() < 1e-4);
    for column in 0..take.columns.len() {
        assert!((longer.sample(column, 4.7) - take.sample(column, 4.0)).abs() < 1e-5, "it is held");
        assert!((longer.sample(column, 8.5) - take.sample(column, 7.0)).abs() < 1e-3, "what follows comes later");
    }
    let again = edited(&take, &[insert, on(EditKind::DeleteTime, 4.0, 5.5)]);
    assert!(difference(&take, &again, |_| true) < 2e-3);
}

#[test]
fn every_column_loses_deleted_time_and_the_cut_does_not_jump() {
    let take = performance();
    let named = Some(vec!["JawOpen".to_owned()]);
    let cut = edited(&take, &[TakeEdit { columns: named, ..on(EditKind::DeleteTime, 3.0, 3.5) }]);
    assert!((cut.duration_secs - 9.5).abs() < 1e-4);
    for column in 0..take.columns.len() {
        assert!((cut.sample(column, 2.9) - take.sample(column, 2.9)).abs() < 1e-5);
        assert!((cut.sample(column, 6.0) - take.sample(column, 6.5)).abs() < 1e-3);
        let jump = cut.sample(column, 3.0 + 1e-3) - cut.sample(column, 3.0 - 1e-3);
        assert!(jump.abs() < 0.02, "{jump}");
    }
    let hard = TakeEdit { ease_out_secs: 0.0, ..on(EditKind::DeleteTime, 3.0, 3.5) };
    let hard = edited(&take, &[hard]);
    assert!((hard.sample(2, 3.001) - take.sample(2, 3.501)).abs() < 1e-2, "without an eased end it is a plain cut");
    assert!(Arc::ptr_eq(&take, &take) && edited(&take, &[edit(EditKind::DeleteTime)]).duration_secs == 10.0);
}

#[test]
fn ends_can_be_deleted() {
    let take = performance();
    let (start, end) = (on(EditKind::DeleteTime, -1.0, 2.0), on(EditKind::DeleteTime, 7.0, 99.0));
    let (without_start, without_end) = (edited(&take, &[start]), edited(&take, &[end]));
    assert!((without_start.duration_secs - 8.0).abs() < 1e-4 && (without_end.duration_secs - 7.0).abs() < 1e-4);
    assert!((without_start.sample(2, 3.0) - take.sample(2, 5.0)).abs() < 1e-3);
    assert_eq!(without_end.sample(2, 6.0), take.sample(2, 6.0));
    assert!(without_end.tracks.last().unwrap().end_secs() <= 7.0 + 1e-4);
}

#[test]
fn frames_are_put_at_even_times() {
    let uneven = Curve::new(Interpolation::Linear, vec![0.0, 0.5, 2.0], vec![0.0, 5.0, 1.0, 6.0, 2.0, 7.0], 2).unwrap();
    let take = take_of(&["a", "b"], uneven);
    let rate = edit(EditKind::FrameRate(10.0));
    let even = edited(&take, &[rate.clone(), edit(EditKind::Gain(2.0))]);
    assert_eq!((even.frames_per_sec, even.duration_secs), (Some(10.0), 0.2));
    assert_eq!((even.sample(0, 0.1), even.sample(1, 0.2)), (2.0, 14.0));
    let faster = edited(&take, &[rate.clone(), edit(EditKind::FrameRate(100.0))]);
    assert_eq!((faster.frames_per_sec, faster.sample(1, 0.01)), (Some(100.0), 6.0));
    // Keys at different times, or others than the recorded ones, are no frames, and some rates are none.
    assert_eq!(edited(&take, &[edit(EditKind::Gain(2.0)), rate.clone()]).duration_secs, 2.0);
    let mut of_two = Take::clone(&take);
    of_two.tracks.push(Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 1.0], 1).unwrap());
    of_two.columns[1] = TakeColumn { track: 1, element: 0, ..of_two.columns[1].clone() };
    assert_eq!(edited(&Arc::new(of_two), std::slice::from_ref(&rate)).duration_secs, 2.0);
    for no_rate in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert_eq!(edited(&take, &[edit(EditKind::FrameRate(no_rate))]).duration_secs, 2.0);
    }
}

#[test]
fn a_stretch_can_be_taken_back() {
    let mut takes = odd_takes();
    takes.push(performance());
    for take in takes {
        let stretch = on(EditKind::Stretch(2.0), 1.0, 2.0);
        let slow = edited(&take, std::slice::from_ref(&stretch));
        assert!((slow.duration_secs - take.duration_secs - 1.0).abs() < 1e-4);
        assert!((slow.sample(0, 2.2) - take.sample(0, 1.6)).abs() < 1e-3);
        let again = edited(&take, &[stretch, on(EditKind::Stretch(0.5), 1.0, 3.0)]);
        // A step moves by less than a millisecond.
        let is_step = take.tracks[0].interpolation() == Interpolation::Step;
        let is_near_key = |time: f32| take.tracks[0].times().iter().any(|key| (key - time).abs() < 1e-3);
        assert!(difference(&take, &again, |time| !is_step || !is_near_key(time)) < 5e-3);
    }
}
