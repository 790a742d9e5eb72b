//! Transitions from one mix to another.

use smirk_face::motion::Ease;

use super::*;

/// The largest change of any weight from one frame to the next in `frames` frames. `each` is called before every frame.
fn largest_step(
    session: &mut Session,
    frames: usize,
    frame_secs: f64,
    mut each: impl FnMut(&mut Session, usize),
) -> f32 {
    let mut before = session.mix().weights.clone();
    let mut largest = 0.0_f32;
    for frame in 0..frames {
        each(session, frame);
        session.advance(frame_secs);
        let now = session.mix().weights.clone();
        for (a, b) in before.iter().zip(&now) {
            largest = largest.max((a - b).abs());
        }
        before = now;
    }
    largest
}

#[test]
fn a_transition_from_five_shapes_to_seven_others_has_all_twelve_at_half() {
    let mut session = session();
    session.clips_mut().select(None);
    let (five, seven) = NAMES.split_at(5);
    let from = pose(&mut session, "five", &five.iter().map(|&name| (name, 0.8)).collect::<Vec<_>>());
    let to = pose(&mut session, "seven", &seven.iter().map(|&name| (name, 0.6)).collect::<Vec<_>>());
    session.edits.transition.duration_secs = 1.0;
    session.poses_mut().apply(from);
    session.advance(2.0);
    session.poses_mut().apply(to);
    session.advance(0.5);
    for name in NAMES {
        let (start, end) = if five.contains(&name) { (0.8, 0.0) } else { (0.0, 0.6) };
        let start = if name == "browInnerUp" { 0.1 } else { start };
        assert!((value(&session, name) - (start + end) / 2.0).abs() < 1e-5, "{name} is halfway");
    }
    session.advance(0.5);
    assert!(NAMES.iter().all(|name| {
        let end = if five.contains(name) { 0.0 } else { 0.6 };
        (value(&session, name) - end).abs() < 1e-6
    }));
    assert_eq!(session.secs_until_motion(), None, "nothing moves after the transition");
}

#[test]
fn an_interrupted_transition_does_not_jump() {
    for &ease in Ease::ALL {
        let mut session = session();
        session.clock.timeline.playing = true;
        session.edits.transition.ease = ease;
        session.edits.transition.duration_secs = 0.5;
        let poses = [
            pose(&mut session, "a", &[("jawOpen", 1.0), ("mouthSmileLeft", 1.0)]),
            pose(&mut session, "b", &[("mouthSmileRight", 1.0), ("jawOpen", 0.0)]),
            pose(&mut session, "c", &[("browInnerUp", 1.0)]),
        ];
        // A pose is applied every 130 ms, before the previous transition of half a second has ended.
        let step = largest_step(&mut session, 3000, 0.001, |session, frame| {
            if frame % 130 == 0 {
                session.poses_mut().apply(poses[frame / 130 % 3]);
            }
        });
        // The steepest ease reaches twice its mean speed; the clip below adds 0.2 per second.
        assert!(step < 2.0 * 0.001 / 0.5 + 0.001, "{ease:?}: {step}");
    }
}

#[test]
fn a_weight_reaches_its_value_over_a_duration() {
    let mut session = session();
    let jaw = channel(&session, "jawOpen");
    session.edits.transition.ease = Ease::Linear;
    session.glide(2.0, |session| session.channels_mut([jaw]).set(1.0));
    assert!((value(&session, "jawOpen") - 0.4).abs() < 1e-6, "from where the clip had it");
    session.advance(1.0);
    assert!((value(&session, "jawOpen") - 0.7).abs() < 1e-6);
    session.glide(1.0, |session| session.channels_mut([jaw]).set(0.0));
    assert!((value(&session, "jawOpen") - 0.7).abs() < 1e-6, "turned back half-way");
    session.advance(1.0);
    assert_eq!(value(&session, "jawOpen"), 0.0);
    session.glide(2.0, |session| session.channels_mut([jaw]).set(1.0));
    session.advance(1.0);
    session.glide(2.0, |session| session.channels_mut([jaw]).set(1.0));
    assert!((value(&session, "jawOpen") - 0.5).abs() < 1e-6, "a second request continues from the current weight");
    session.advance(1.0);
    assert_eq!(value(&session, "jawOpen"), 1.0);
    session.channels_mut([jaw]).set(0.0);
    session.glide(1.0, |session| session.channels_mut([jaw]).set(f32::NAN));
    assert_eq!(value(&session, "jawOpen"), 0.0, "invalid arguments change nothing");
}

#[test]
fn setting_a_slider_ends_the_transition_of_its_channel() {
    let mut session = session();
    session.clips_mut().select(None);
    let smile = pose(&mut session, "smile", &[("mouthSmileLeft", 1.0), ("mouthSmileRight", 1.0)]);
    session.poses_mut().apply(smile);
    session.advance(0.1);
    session.channel_mut(channel(&session, "mouthSmileLeft")).set(0.25);
    assert_eq!(value(&session, "mouthSmileLeft"), 0.25);
    assert!(value(&session, "mouthSmileRight") < 0.5, "the other channel is still in its transition");
}

#[test]
fn a_pose_gives_back_manual_channels_except_those_that_override_the_clip() {
    let mut session = session();
    let smile = pose(&mut session, "smile", &[("mouthSmileLeft", 1.0)]);
    session.channel_mut(channel(&session, "jawOpen")).take_over();
    session.channel_mut(channel(&session, "jawOpen")).set(0.0);
    session.channel_mut(channel(&session, "mouthSmileRight")).set(0.9);
    session.poses_mut().apply(smile);
    session.advance(1.0);
    let shown = ["jawOpen", "mouthSmileLeft", "mouthSmileRight"].map(|name| value(&session, name));
    assert_eq!(shown, [0.0, 1.0, 0.0]);
}
