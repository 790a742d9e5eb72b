//! The clean-up of captures: smoothing, spikes, dropouts, rest faces and sides.

use super::*;

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
    assert_eq!(at(&edited(&take, &[only_left])), [right, right, jaw, yaw], "only named columns change");
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
