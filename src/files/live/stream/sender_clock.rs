//! The times of frames by the clock of their sender, which may be absent, set back, stopped or wrong.

/// Turns the times of a sender into seconds since its first frame that never go back and never stop for long.
#[derive(Clone, Copy, Debug, Default)]
pub struct SenderClock {
    last: Option<Last>,
    set_count: u64,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    sender_secs: Option<f64>,
    arrived_secs: f64,
    secs: f64,
}

impl SenderClock {
    /// A sender that was silent may be ahead of the time that has passed here by so much: its packets may have been
    /// held up. If it is further ahead, its clock was set.
    const AHEAD_SECS: f64 = 1.0;

    /// The time of a frame that the sender dates `sender_secs` and that arrives at `arrived_secs` of a clock of this
    /// machine, in seconds since the first frame. Where the sender's clock stands still or was set, as much time passes
    /// as has passed here.
    pub fn secs_of(&mut self, sender_secs: Option<f64>, arrived_secs: f64) -> f64 {
        let sender_secs = sender_secs.filter(|secs| secs.is_finite());
        let secs = match self.last {
            None => 0.0,
            Some(last) => {
                let waited_secs = (arrived_secs - last.arrived_secs).max(0.0);
                let step_secs = sender_secs.zip(last.sender_secs).map(|(now, before)| now - before);
                let plausible =
                    step_secs.filter(|step_secs| *step_secs > 0.0 && *step_secs <= waited_secs + Self::AHEAD_SECS);
                self.set_count += u64::from(step_secs.is_some() && plausible.is_none());
                last.secs + plausible.unwrap_or(waited_secs)
            }
        };
        self.last = Some(Last { sender_secs, arrived_secs, secs });
        secs
    }

    /// The frames whose time is that of their arrival although the sender dated them.
    pub fn set_count(&self) -> u64 {
        self.set_count
    }

    /// Prepares for the frames of another sender, whose clock has nothing to do with that of the one before.
    pub fn change_sender(&mut self) {
        self.last = self.last.map(|last| Last { sender_secs: None, ..last });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The times of frames that arrive 60 times a second.
    fn times(senders: impl IntoIterator<Item = Option<f64>>) -> Vec<f64> {
        let mut clock = SenderClock::default();
        let frame = |(index, sender)| clock.secs_of(sender, 100.0 + f64::from(index) / 60.0);
        (0_u32..).zip(senders).map(frame).collect()
    }

    fn assert_steps(times: &[f64], what: &str) {
        for (index, pair) in times.windows(2).enumerate() {
            let step = pair[1] - pair[0];
            assert!((step - 1.0 / 60.0).abs() < 1e-6, "{what}: frame {index} lasts {step} s");
        }
    }

    #[test]
    fn the_time_is_that_of_the_sender_however_frames_arrive() {
        let mut clock = SenderClock::default();
        for index in 0..60_u32 {
            // Two at a time.
            let arrived_secs = f64::from(index / 2 * 2) / 60.0;
            let secs = clock.secs_of(Some(5e8 + f64::from(index) / 60.0), arrived_secs);
            assert!((secs - f64::from(index) / 60.0).abs() < 1e-6);
        }
    }

    #[test]
    fn a_clock_that_is_set_stands_still_or_is_absent_does_not_stop_the_time() {
        let frame = |index: u32| f64::from(index) / 60.0;
        let jump = |by: f64| (0..120).map(move |index| Some(frame(index) + if index < 60 { 1e6 } else { 1e6 + by }));
        // The last of these is as large as a number of seconds can be that still tells microseconds apart.
        for by in [-3600.0, -1e6, 3600.0, -0.3, 1e9] {
            assert_steps(&times(jump(by)), &format!("a jump of {by} s"));
        }
        assert_steps(&times([Some(7.0); 120]), "a clock that stands still");
        assert_steps(&times([None; 120]), "no clock");
        assert_steps(
            &times((0..120).map(|index| Some(frame(index)).filter(|_| index % 3 > 0))),
            "a clock now and then",
        );
        assert_steps(&times([Some(f64::NAN); 120]), "no number");
    }

    #[test]
    fn by_a_clock_that_runs_backwards_frames_have_their_times_of_arrival() {
        assert_steps(&times((0..600).map(|index| Some(-f64::from(index) / 60.0))), "backwards");
    }

    #[test]
    fn frames_without_a_usable_time_are_counted() {
        let counted = |senders: &[Option<f64>]| {
            let mut clock = SenderClock::default();
            for (index, &sender) in (0_u32..).zip(senders) {
                clock.secs_of(sender, f64::from(index) / 60.0);
            }
            clock.set_count()
        };
        assert_eq!((counted(&[Some(0.0); 10]), counted(&[None; 10])), (9, 0));
        assert_eq!(counted(&[Some(0.0), Some(0.02), Some(500.0), Some(500.01)]), 1);
    }

    #[test]
    fn frames_that_were_held_up_keep_their_times() {
        let mut clock = SenderClock::default();
        clock.secs_of(Some(0.0), 0.0);
        // Nothing arrives for ten seconds; then all frames do at once.
        for index in 1..600_u32 {
            let secs = clock.secs_of(Some(f64::from(index) / 60.0), 10.0);
            assert!((secs - f64::from(index) / 60.0).abs() < 1e-6);
        }
    }
}
