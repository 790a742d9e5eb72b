//! Operations on automatic animation: blinks and the sequence.

mod bake_blinks;
#[cfg(test)]
mod bake_blinks_tests;

pub use bake_blinks::{BakeBlinksError, BakedBlinks};

use super::Session;
use smirk_face::motion::{PoseId, Sequence, SequenceStep};

impl Session {
    /// Skips the time to the next automatic blink; does nothing if blinks are off. Fades do not advance.
    pub fn blink_now(&mut self) {
        if !self.edits.blink.enabled {
            return;
        }
        let skipped_secs = self.edits.blink.secs_until_motion(self.clock.running_secs());
        self.clock.skip(skipped_secs);
        for fade in self.fades.iter_mut().flatten() {
            fade.start_secs += skipped_secs;
        }
    }

    /// The position of the sequence: 0 is its first pose, 0.5 is half of it and half of the second.
    pub fn sequence_position(&self) -> f32 {
        let sequence = &self.edits.sequence;
        sequence.position(sequence.time_at_moment(&self.clock.moment()))
    }

    /// Turns the sequence on and starts it, or turns it off. Applied poses are removed, because they would hide it.
    pub fn enable_sequence(&mut self, is_enabled: bool) {
        self.edit_sequence(self.edits.transition.duration_secs, |sequence| sequence.enabled = is_enabled);
        if is_enabled && self.edits.sequence.is_on() {
            self.clear_poses();
            if !self.sequence_plays() {
                self.toggle_sequence();
            }
        }
        self.stay_on_timeline();
    }

    /// Whether the sequence moves.
    pub fn sequence_plays(&self) -> bool {
        let sequence = &self.edits.sequence;
        let playing = if sequence.has_own_clock { self.clock.sequence.playing } else { self.clock.timeline.playing };
        playing && sequence.is_on()
    }

    /// Starts or stops the sequence, and with it the timeline unless the sequence has a clock of its own; at the end,
    /// starts from the beginning.
    pub fn toggle_sequence(&mut self) {
        if self.edits.sequence.has_own_clock {
            self.clock.sequence.toggle(&self.edits.sequence);
        } else if self.edits.sequence.is_on() {
            self.toggle_playing();
        }
    }

    /// Stops the sequence at a position.
    pub fn seek_sequence(&mut self, position: f32) {
        let time_secs = self.edits.sequence.time_at(position);
        if self.edits.sequence.has_own_clock {
            self.clock.sequence.time_secs = time_secs;
            self.clock.sequence.playing = false;
        } else {
            self.clock.timeline.playing = false;
            self.seek(time_secs as f32);
        }
    }

    /// Gives the sequence a clock of its own, or makes it part of the timeline. It goes on playing if it played.
    pub fn give_sequence_clock(&mut self, has_own_clock: bool) {
        let plays = self.sequence_plays();
        self.edit_sequence(self.edits.transition.duration_secs, |sequence| sequence.has_own_clock = has_own_clock);
        self.stay_on_timeline();
        if plays != self.sequence_plays() {
            self.toggle_sequence();
        }
    }

    /// Adds a pose at the end of the sequence.
    pub fn add_to_sequence(&mut self, pose: PoseId) {
        let step = SequenceStep::new(pose);
        self.edit_sequence(self.edits.transition.duration_secs, |sequence| sequence.steps.push(step));
    }

    /// Edits the sequence. The face moves to the result over `duration_secs`. With a clock of its own, the sequence
    /// stays at its position.
    pub fn edit_sequence(&mut self, duration_secs: f32, edit: impl FnOnce(&mut Sequence)) {
        let position = self.sequence_position();
        self.glide(duration_secs, |session| {
            edit(&mut session.edits.sequence);
            session.clock.sequence.time_secs = session.edits.sequence.time_at(position);
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{HeadSource, Session};
    use smirk_face::head::{Asset, Head, Mesh, Target};
    use smirk_face::motion::{PoseId, SequenceStep, SequenceWrap};
    use smirk_scene::{BlendMode, Look};

    fn session() -> Session {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let mesh = Mesh { targets: ["eyeBlinkLeft", "eyeBlinkRight"].map(target).into(), ..Mesh::default() };
        let head = Head::new(Asset { name: "test".into(), meshes: vec![mesh], ..Asset::default() });
        Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
    }

    #[test]
    fn a_blink_asked_for_comes_at_once() {
        let mut session = session();
        session.blink_now();
        assert_eq!(session.clock.running_secs(), 0.0, "nothing to skip to");
        session.edits.blink.enabled = true;
        session.glide(2.0, |session| session.set_weight(0, 1.0));
        session.blink_now();
        assert!(session.clock.running_secs() > 1.0);
        assert_eq!(session.weights()[0], 0.0, "a fade does not jump ahead");
        session.advance(f64::from(session.edits.blink.close_secs));
        assert!(session.weights()[1] > 0.99);
    }

    #[test]
    fn a_sequence_stays_where_it_is_while_it_is_edited() {
        let mut session = session();
        session.edit_sequence(0.0, |sequence| {
            sequence.has_own_clock = true;
            sequence.steps = [1, 2, 3].map(|id| SequenceStep::new(PoseId(id))).into();
        });
        session.seek_sequence(0.5);
        for &wrap in SequenceWrap::ALL {
            session.edit_sequence(0.0, |sequence| {
                sequence.wrap = wrap;
                sequence.set_length(12.0);
            });
            assert!((session.sequence_position() - 0.5).abs() < 1e-6, "{wrap:?}");
        }
    }

    #[test]
    fn its_switch_starts_a_sequence_on_the_timeline_or_on_its_own_clock() {
        for has_own_clock in [false, true] {
            let mut session = session();
            session.give_sequence_clock(has_own_clock);
            for pose in [1, 2] {
                session.add_to_sequence(PoseId(pose));
            }
            assert_eq!((session.timeline_secs(), session.secs_until_motion()), (0.0, None));
            session.enable_sequence(true);
            assert!(session.sequence_plays() && session.secs_until_motion() == Some(0.0));
            assert_eq!(session.timeline_secs(), if has_own_clock { 0.0 } else { 2.0 });
            session.advance(0.75);
            assert!((session.sequence_position() - 0.5).abs() < 1e-5);
            session.toggle_playing();
            session.advance(10.0);
            session.advance(0.25);
            let stays = (session.sequence_position() - 0.5).abs() < 1e-5;
            assert_eq!(stays, !has_own_clock, "the timeline stops a sequence that has no clock of its own");
            session.enable_sequence(false);
            assert!(!session.sequence_plays() && session.timeline_secs() == 0.0);
        }
    }

    #[test]
    fn a_sequence_without_a_clock_of_its_own_is_scrubbed_with_the_timeline() {
        let mut session = session();
        for pose in [1, 2] {
            session.add_to_sequence(PoseId(pose));
        }
        session.enable_sequence(true);
        session.seek(0.75);
        assert!((session.sequence_position() - 0.5).abs() < 1e-5);
        session.seek_sequence(1.5);
        assert!((session.clock.timeline.time_secs - 1.75).abs() < 1e-5 && !session.clock.timeline.playing);
    }
}
