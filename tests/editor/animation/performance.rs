//! What plays, as numbers.

use std::cell::Cell;

use smirk_base::progress::{Cancelled, Progress};
use smirk_export::ExportError;

use super::*;

#[test]
fn weights_are_those_that_the_session_blends() {
    let session = performing(bundled(), 6);
    let span = three_seconds(30.0);
    let performance = performance(&session, span);
    assert_eq!((performance.frame_count(), span.count()), (91, 91));
    let mut other = session.clone();
    for (index, frame) in span.frames().enumerate() {
        span.show(&mut other, frame);
        assert_eq!(performance.frame_of_targets(index), &*other.weights());
    }
    let moves = (0..performance.frame_count()).any(|frame| performance.frame(frame) != performance.frame(0));
    assert!(moves && other.edits.rule == BlendRule::Normalised);
}

#[test]
fn parts_of_a_range_are_the_frames_of_the_whole() {
    let session = performing(bundled(), 0);
    assert!(session.edits.blink.enabled && session.edits.gaze.enabled);
    let whole = performance(&session, FrameSpan::new(rate(24.0), 0, 60).unwrap());
    for (first, last) in [(0, 29), (30, 60), (17, 17)] {
        let part = performance(&session, FrameSpan::new(rate(24.0), first, last).unwrap());
        for frame in 0..part.frame_count() {
            assert_eq!(part.frame(frame), whole.frame(frame + first as usize), "frame {frame} from {first}");
        }
    }
}

#[test]
fn it_is_cancelled_at_a_frame_and_too_long_ones_are_refused() {
    let session = performing(bundled(), 1);
    let span = three_seconds(30.0);
    let calls = Cell::new(0);
    let seventh = |stage: &str, _: f32| {
        calls.set(calls.get() + 1);
        if stage.starts_with("frame 7 ") { Err(Cancelled) } else { Ok(()) }
    };
    let cancelled = Performance::evaluate(&session, span, Progress::new(&seventh));
    assert!(matches!(cancelled, Err(ExportError::Cancelled(_))) && calls.get() == 7);
    let long = FrameSpan::new(rate(1000.0), 0, 999_999).unwrap();
    let refused = Performance::evaluate(&session, long, Progress::new(&|_, _| panic!("it has begun")));
    let refused = refused.unwrap_err().to_string();
    assert!(refused.contains("1000000 frames"), "{refused}");
}

#[test]
fn channels_show_the_same_face_with_the_additive_rule() {
    let session = performing(bundled(), 2);
    assert_eq!(session.edits.rule, BlendRule::Normalised);
    let performance = performance(&session, three_seconds(30.0));
    let head = &session.head;
    for frame in 0..performance.frame_count() {
        for (channel, weight) in head.channels.iter().zip(performance.frame(frame)) {
            for &target in &channel.targets {
                assert!((performance.frame_of_targets(frame)[target] - weight).abs() < EXACT);
            }
        }
    }
}
