//! The clock: the only place in a session where time advances. All animation is a function of the times that it stores.

use std::time::Duration;

use super::{Moment, Sequence};

/// An amount of time that has passed. The window measures it between frames; commands and tests give it exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeStep {
    /// Seconds by which all animation advances.
    pub played_secs: f64,
    /// Seconds that passed before that without any frame. Play heads do not advance by them; blinks, gaze and fades do.
    pub paused_secs: f64,
    /// The time of the timeline that is heard now, if a sound is the clock. The play head of the timeline goes there
    /// instead of advancing.
    pub heard_secs: Option<f32>,
}

impl TimeStep {
    /// A longer time than this between two frames means that the window was idle. Play heads then continue from where
    /// they were, instead of jumping ahead by the idle time.
    const LONGEST_FRAME: Duration = Duration::from_millis(250);

    /// The time since the last frame of the window.
    pub fn of_frame(elapsed: Duration) -> Self {
        let played = elapsed.min(Self::LONGEST_FRAME);
        Self { paused_secs: (elapsed - played).as_secs_f64(), ..Self::played(played.as_secs_f64()) }
    }

    /// The time since the last frame of the window, at the end of which a time of the timeline is heard.
    pub fn heard(elapsed: Duration, timeline_secs: f32) -> Self {
        Self { heard_secs: Some(timeline_secs), ..Self::of_frame(elapsed) }
    }

    /// A step of exactly `secs` seconds by which all animation advances.
    pub fn played(secs: f64) -> Self {
        Self { played_secs: secs, paused_secs: 0.0, heard_secs: None }
    }

    /// A step of exactly `secs` seconds by which play heads do not advance.
    pub fn paused(secs: f64) -> Self {
        Self { paused_secs: secs, ..Self::played(0.0) }
    }
}

impl From<f64> for TimeStep {
    fn from(secs: f64) -> Self {
        Self::played(secs)
    }
}

/// The play heads of a session and its running time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    pub timeline: PlayHead,
    pub sequence: SequenceHead,
    running_secs: f64,
}

impl Clock {
    pub fn new(is_playing: bool) -> Self {
        let timeline = PlayHead { time_secs: 0.0, playing: is_playing, looping: true, speed: 1.0 };
        Self { timeline, sequence: SequenceHead::default(), running_secs: 0.0 }
    }

    /// Advances all times. `range_secs` are the seconds of the timeline that play.
    pub fn advance(&mut self, step: TimeStep, range_secs: [f32; 2], sequence: &Sequence) {
        self.running_secs += step.paused_secs;
        self.running_secs += step.played_secs;
        match step.heard_secs {
            Some(secs) => self.timeline.go_to_heard(secs, range_secs),
            None => self.timeline.advance(step.played_secs as f32, range_secs),
        }
        self.sequence.advance(step.played_secs, sequence);
    }

    /// Advances only the running time, on which blinks, gaze and fades depend.
    pub fn skip(&mut self, secs: f64) {
        self.running_secs += secs;
    }

    /// Sets all times to 0, but that of the timeline to `start_secs`, and starts the timeline.
    pub fn restart(&mut self, start_secs: f32) {
        (self.timeline.time_secs, self.sequence.time_secs, self.running_secs) = (start_secs, 0.0, 0.0);
        self.timeline.playing = true;
    }

    /// The running time, on which blinks, gaze and fades depend. It never stops.
    pub fn running_secs(&self) -> f64 {
        self.running_secs
    }

    /// The present moment, at which nothing is heard.
    pub fn moment(&self) -> Moment {
        Moment {
            timeline_secs: self.timeline.time_secs,
            sequence_secs: self.sequence.time_secs,
            running_secs: self.running_secs,
            ..Moment::default()
        }
    }
}

/// The play head for the clip, the take and the keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayHead {
    /// Position on the timeline.
    pub time_secs: f32,
    pub playing: bool,
    /// Whether playback starts again at the end.
    pub looping: bool,
    /// The playback speed: seconds on the timeline per second of real time.
    pub speed: f32,
}

impl PlayHead {
    /// Advances within the seconds that play. A looping play head wraps at their end, so that tracks of different
    /// lengths stay synchronised; otherwise it stops there.
    fn advance(&mut self, elapsed_secs: f32, range_secs: [f32; 2]) {
        if !self.playing {
            return;
        }
        let [start, end] = range_secs;
        let time_secs = self.time_secs + elapsed_secs * self.speed;
        if end <= start {
            self.time_secs = start;
        } else if self.looping {
            self.time_secs = wrapped(time_secs, range_secs);
        } else {
            self.time_secs = time_secs.clamp(start, end);
            self.playing = time_secs < end;
        }
    }

    /// Goes to the time that is heard, within the seconds that play. Without a loop, playback stops at their end.
    fn go_to_heard(&mut self, time_secs: f32, [start, end]: [f32; 2]) {
        if self.playing && start < end {
            self.time_secs = time_secs.clamp(start, end);
            self.playing = self.looping || time_secs < end;
        }
    }

    /// Stops playback and moves to a time. If the play head loops, a step past one end of the seconds that play
    /// continues at the other.
    pub fn step_to(&mut self, time_secs: f32, range_secs: [f32; 2], duration_secs: f32) {
        self.playing = false;
        let [start, end] = range_secs;
        let wraps = self.looping && start < end && (start..=end).contains(&self.time_secs);
        self.seek(if wraps { wrapped(time_secs, range_secs) } else { time_secs }, duration_secs);
    }

    /// Moves to a time, limited to the timeline.
    pub fn seek(&mut self, time_secs: f32, duration_secs: f32) {
        self.time_secs = time_secs.clamp(0.0, duration_secs);
    }

    /// Starts or stops playback; outside of the seconds that play, or at their end without a loop, starts from their
    /// beginning. An empty timeline does not play.
    pub fn toggle(&mut self, range_secs: [f32; 2]) {
        let [start, end] = range_secs;
        if end <= start {
            return;
        }
        let is_at_end = !self.looping && self.time_secs >= end;
        if !self.playing && (is_at_end || !(start..=end).contains(&self.time_secs)) {
            self.time_secs = start;
        }
        self.playing = !self.playing;
    }
}

/// A time that is past one end of a range continued at the other.
fn wrapped(time_secs: f32, [start, end]: [f32; 2]) -> f32 {
    // Without an in point, this is exactly the remainder.
    (start + (time_secs - start).rem_euclid(end - start)).min(end)
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SequenceHead {
    /// Time since the sequence started. [`Sequence::position`] converts it to a position.
    pub time_secs: f64,
    pub playing: bool,
}

impl SequenceHead {
    fn advance(&mut self, elapsed_secs: f64, sequence: &Sequence) {
        if self.playing && sequence.is_on() && sequence.has_own_clock {
            self.time_secs += elapsed_secs;
            self.playing = !sequence.is_over(self.time_secs);
        }
    }

    /// Starts or stops playback; at the end of the sequence, starts from the beginning.
    pub fn toggle(&mut self, sequence: &Sequence) {
        if !sequence.is_on() {
            return;
        }
        if !self.playing && sequence.is_over(self.time_secs) {
            self.time_secs = 0.0;
        }
        self.playing = !self.playing;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time_secs: f32) -> Clock {
        let mut clock = Clock::new(true);
        clock.timeline.time_secs = time_secs;
        clock
    }

    fn advanced(mut clock: Clock, step: impl Into<TimeStep>, timeline_secs: f32) -> Clock {
        clock.advance(step.into(), [0.0, timeline_secs], &Sequence::default());
        clock
    }

    #[test]
    fn looping_wraps_and_keeps_playing() {
        let after = advanced(clock(1.5), 1.0, 2.0).timeline;
        assert_eq!((after.time_secs, after.playing), (0.5, true));
    }

    #[test]
    fn without_loop_it_stops_at_the_end() {
        let mut before = clock(1.5);
        before.timeline.looping = false;
        let after = advanced(before, 1.0, 2.0).timeline;
        assert_eq!((after.time_secs, after.playing), (2.0, false));
    }

    #[test]
    fn speed_scales_and_a_stopped_play_head_stays() {
        let mut clock = clock(0.0);
        clock.timeline.speed = 0.5;
        clock = advanced(clock, 1.0, 2.0);
        assert_eq!(clock.timeline.time_secs, 0.5);
        clock.timeline.playing = false;
        assert_eq!(advanced(clock, 1.0, 2.0).timeline.time_secs, 0.5);
    }

    #[test]
    fn playback_stays_between_in_and_out() {
        let mut clock = clock(1.0);
        let at = |clock: &mut Clock, secs| {
            clock.advance(TimeStep::played(secs), [2.0, 3.0], &Sequence::default());
            clock.timeline
        };
        assert_eq!(at(&mut clock, 0.25).time_secs, 2.25, "a play head before the range comes into it");
        assert_eq!(at(&mut clock, 1.0).time_secs, 2.25);
        clock.timeline.looping = false;
        assert_eq!((at(&mut clock, 2.0).time_secs, clock.timeline.playing), (3.0, false));
        clock.timeline.toggle([2.0, 3.0]);
        assert_eq!((clock.timeline.time_secs, clock.timeline.playing), (2.0, true));
        clock.timeline.looping = true;
        clock.timeline.step_to(1.75, [2.0, 3.0], 9.0);
        assert_eq!((clock.timeline.time_secs, clock.timeline.playing), (2.75, false));
        clock.timeline.seek(8.0, 9.0);
        clock.timeline.step_to(8.5, [2.0, 3.0], 9.0);
        assert_eq!(clock.timeline.time_secs, 8.5, "steps outside of the range stay there");
    }

    #[test]
    fn a_sound_that_is_heard_moves_the_play_head_and_nothing_else() {
        let heard = |secs| TimeStep::heard(Duration::from_millis(500), secs);
        let after = advanced(clock(0.5), heard(1.75), 2.0);
        assert_eq!((after.timeline.time_secs, after.running_secs()), (1.75, 0.5));
        let mut stopped = clock(0.5);
        stopped.timeline.playing = false;
        assert_eq!(advanced(stopped, heard(1.75), 2.0).timeline.time_secs, 0.5);
        let mut once = clock(0.5);
        once.timeline.looping = false;
        let after = advanced(once, heard(2.0), 2.0).timeline;
        assert_eq!((after.time_secs, after.playing), (2.0, false));
    }

    #[test]
    fn a_timeline_of_no_length_stays_at_its_start() {
        assert_eq!(advanced(clock(0.0), 1.0, 0.0).timeline.time_secs, 0.0);
    }

    #[test]
    fn after_the_window_slept_play_heads_go_on_from_where_they_were_and_the_running_time_does_not() {
        let after = advanced(clock(0.5), TimeStep::of_frame(Duration::from_secs(60)), 10.0);
        assert_eq!((after.timeline.time_secs, after.running_secs()), (0.75, 60.0));
        let slow = advanced(clock(0.5), TimeStep::of_frame(Duration::from_millis(200)), 10.0);
        assert_eq!((slow.timeline.time_secs, slow.running_secs()), (0.7, 0.2));
        assert_eq!(advanced(clock(0.5), TimeStep::paused(3.0), 10.0).timeline.time_secs, 0.5);
    }
}
