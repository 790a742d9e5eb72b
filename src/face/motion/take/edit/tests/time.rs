//! Edits of time.

use super::*;

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
