//! The sequence of poses of a session: switch, edit, play.

use super::Session;
use smirk_face::motion::{PoseId, Sequence, SequenceStep};

/// The sequence of poses, and its place in time.
pub struct SequenceMut<'a> {
    session: &'a mut Session,
}

impl Session {
    pub fn sequence_mut(&mut self) -> SequenceMut<'_> {
        SequenceMut { session: self }
    }

    /// The position of the sequence: 0 is its first pose, 0.5 is half of it and half of the second.
    pub fn sequence_position(&self) -> f32 {
        let sequence = &self.edits.sequence;
        sequence.position(sequence.time_at_moment(&self.clock.moment()))
    }

    pub fn sequence_plays(&self) -> bool {
        let sequence = &self.edits.sequence;
        let playing = if sequence.has_own_clock { self.clock.sequence.playing } else { self.clock.timeline.playing };
        playing && sequence.is_on()
    }
}

impl SequenceMut<'_> {
    /// Turns the sequence on and starts it, or turns it off. Applied poses are removed, because they would hide it.
    pub fn enable(&mut self, is_enabled: bool) {
        self.edit(self.session.edits.transition.duration_secs, |sequence| sequence.enabled = is_enabled);
        if is_enabled && self.session.edits.sequence.is_on() {
            self.session.poses_mut().clear();
            if !self.session.sequence_plays() {
                self.toggle();
            }
        }
    }

    /// Starts or stops the sequence, and with it the timeline unless the sequence has a clock of its own; at the end,
    /// starts from the beginning.
    pub fn toggle(&mut self) {
        if self.session.edits.sequence.has_own_clock {
            self.session.clock.sequence.toggle(&self.session.edits.sequence);
        } else if self.session.edits.sequence.is_on() {
            self.session.toggle_playing();
        }
    }

    /// Stops the sequence at a position.
    pub fn seek(&mut self, position: f32) {
        let time_secs = self.session.edits.sequence.time_at(position);
        if self.session.edits.sequence.has_own_clock {
            self.session.clock.sequence.time_secs = time_secs;
            self.session.clock.sequence.playing = false;
        } else {
            self.session.clock.timeline.playing = false;
            self.session.seek(time_secs as f32);
        }
    }

    /// Gives the sequence a clock of its own, or makes it part of the timeline. It goes on playing if it played.
    pub fn give_clock(&mut self, has_own_clock: bool) {
        let plays = self.session.sequence_plays();
        self.edit(self.session.edits.transition.duration_secs, |sequence| sequence.has_own_clock = has_own_clock);
        if plays != self.session.sequence_plays() {
            self.toggle();
        }
    }

    /// Adds a pose at the end of the sequence.
    pub fn add(&mut self, pose: PoseId) {
        let step = SequenceStep::new(pose);
        self.edit(self.session.edits.transition.duration_secs, |sequence| sequence.steps.push(step));
    }

    /// Edits the sequence. The face moves to the result over `duration_secs`. With a clock of its own, the sequence
    /// stays at its position.
    pub fn edit(&mut self, duration_secs: f32, edit: impl FnOnce(&mut Sequence)) {
        let position = self.session.sequence_position();
        self.session.glide(duration_secs, |session| {
            edit(&mut session.edits.sequence);
            session.clock.sequence.time_secs = session.edits.sequence.time_at(position);
        });
        self.session.stay_on_timeline();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{HeadSource, Session};
    use smirk_face::head::{Asset, Head, Mesh};
    use smirk_face::motion::{PoseId, SequenceStep, SequenceWrap};
    use smirk_scene::{BlendMode, Look};

    fn session() -> Session {
        let mesh = Mesh::with_targets(["eyeBlinkLeft", "eyeBlinkRight"]);
        let head = Head::new(Asset { name: "test".into(), meshes: vec![mesh], ..Asset::default() });
        Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
    }

    #[test]
    fn a_sequence_stays_where_it_is_while_it_is_edited() {
        let mut session = session();
        session.sequence_mut().edit(0.0, |sequence| {
            sequence.has_own_clock = true;
            sequence.steps = [1, 2, 3].map(|id| SequenceStep::new(PoseId(id))).into();
        });
        session.sequence_mut().seek(0.5);
        for &wrap in SequenceWrap::ALL {
            session.sequence_mut().edit(0.0, |sequence| {
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
            session.sequence_mut().give_clock(has_own_clock);
            for pose in [1, 2] {
                session.sequence_mut().add(PoseId(pose));
            }
            assert_eq!((session.timeline_secs(), session.secs_until_motion()), (0.0, None));
            session.sequence_mut().enable(true);
            assert!(session.sequence_plays() && session.secs_until_motion() == Some(0.0));
            assert_eq!(session.timeline_secs(), if has_own_clock { 0.0 } else { 2.0 });
            session.advance(0.75);
            assert!((session.sequence_position() - 0.5).abs() < 1e-5);
            session.toggle_playing();
            session.advance(10.0);
            session.advance(0.25);
            let stays = (session.sequence_position() - 0.5).abs() < 1e-5;
            assert_eq!(stays, !has_own_clock, "the timeline stops a sequence that has no clock of its own");
            session.sequence_mut().enable(false);
            assert!(!session.sequence_plays() && session.timeline_secs() == 0.0);
        }
    }

    #[test]
    fn the_play_head_stays_on_a_sequence_that_becomes_shorter() {
        let mut session = session();
        for pose in [1, 2] {
            session.sequence_mut().add(PoseId(pose));
        }
        session.sequence_mut().enable(true);
        session.seek(1.75);
        session.sequence_mut().edit(0.0, |sequence| sequence.set_length(1.0));
        assert_eq!(session.clock.timeline.time_secs, session.timeline_secs());
        session.poses_mut().delete(PoseId(2));
        assert_eq!((session.clock.timeline.time_secs, session.timeline_secs()), (0.0, 0.0));
    }

    #[test]
    fn a_sequence_without_a_clock_of_its_own_is_scrubbed_with_the_timeline() {
        let mut session = session();
        for pose in [1, 2] {
            session.sequence_mut().add(PoseId(pose));
        }
        session.sequence_mut().enable(true);
        session.seek(0.75);
        assert!((session.sequence_position() - 0.5).abs() < 1e-5);
        session.sequence_mut().seek(1.5);
        assert!((session.clock.timeline.time_secs - 1.75).abs() < 1e-5 && !session.clock.timeline.playing);
    }
}
