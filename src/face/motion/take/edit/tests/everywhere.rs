//! What holds for every kind of edit, on any take and with any numbers.

use super::*;

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
