//! Reduction to keys.

use super::*;
use crate::motion::Reduction;

fn reduced(take: &Arc<Take>, fit: Fit, tolerance: f32) -> (Arc<Take>, Reduction) {
    let (cache, edits) = (EditedTake::default(), [edit(EditKind::Reduce { fit, tolerance })]);
    (cache.of(take, &edits), cache.reduction(take, &edits, 0).unwrap())
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
