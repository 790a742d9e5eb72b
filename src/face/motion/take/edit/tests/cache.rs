//! What is computed, and when.

use super::*;

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
    let first = cache.of(&take, &edits);
    assert_eq!(cache.computed(), 3);
    assert!(Arc::ptr_eq(&cache.of(&take, &edits), &first));
    assert_eq!(cache.computed(), 3, "nothing has changed");
    edits[2].kind = EditKind::Offset(0.2);
    cache.of(&take, &edits);
    assert_eq!(cache.computed(), 4, "only the last one has changed");
    edits[1].enabled = false;
    cache.of(&take, &edits);
    assert_eq!(cache.computed(), 5, "the first one has not changed, and the second one is left out");
    edits[1].ease_in_secs = 9.0;
    cache.of(&take, &edits);
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
