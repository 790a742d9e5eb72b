//! Operations on automatic animation: blinks and the sequence.

use super::Session;
use crate::motion::{PoseId, Sequence};

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
        self.edits.sequence.position(self.clock.sequence.time_secs)
    }

    /// Stops the sequence at a position.
    pub fn seek_sequence(&mut self, position: f32) {
        self.clock.sequence.time_secs = self.edits.sequence.time_at(position);
        self.clock.sequence.playing = false;
    }

    /// Adds a pose at the end of the sequence.
    pub fn add_to_sequence(&mut self, pose: PoseId) {
        self.edit_sequence(self.edits.transition.duration_secs, |sequence| sequence.poses.push(pose));
    }

    /// Edits the sequence. The face moves to the result over `duration_secs`, and the play head stays at its position.
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

    use crate::blend::BlendMode;
    use crate::head::{Asset, Head, Mesh, Target};
    use crate::motion::{PoseId, SequenceWrap};
    use crate::scene::Look;
    use crate::session::{HeadSource, Session};

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
        session.set_weight(0, 1.0, 2.0);
        session.blink_now();
        assert!(session.clock.running_secs() > 1.0);
        assert_eq!(session.weights()[0], 0.0, "a fade does not jump ahead");
        session.advance(f64::from(session.edits.blink.close_secs));
        assert!(session.weights()[1] > 0.99);
    }

    #[test]
    fn a_sequence_stays_where_it_is_while_it_is_edited() {
        let mut session = session();
        session.edit_sequence(0.0, |sequence| sequence.poses = [1, 2, 3].map(PoseId).into());
        session.seek_sequence(0.5);
        for wrap in SequenceWrap::ALL {
            session.edit_sequence(0.0, |sequence| {
                sequence.wrap = wrap;
                sequence.loop_secs *= 2.0;
            });
            assert!((session.sequence_position() - 0.5).abs() < 1e-6, "{wrap:?}");
        }
    }
}
