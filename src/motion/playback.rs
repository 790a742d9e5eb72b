//! Where the play head stands and how it moves.

/// A play head over clip, take and keys. Time comes from outside, as steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Which clip of the head drives its channels; none leaves every row free.
    pub clip: Option<usize>,
    /// Position on the timeline, in seconds.
    pub time_secs: f32,
    /// Whether it moves.
    pub playing: bool,
    /// Start again at the end.
    pub looping: bool,
    /// Seconds of timeline per second of clock.
    pub speed: f32,
}

impl Playback {
    /// At the start of the first clip, running, if there is one.
    pub fn start(clip_count: usize) -> Self {
        Self { clip: (clip_count > 0).then_some(0), time_secs: 0.0, playing: clip_count > 0, looping: true, speed: 1.0 }
    }

    /// Moves the play head by `elapsed_secs` of clock over a timeline that lasts `duration_secs`.
    /// Loops over its whole length, so tracks of different length stay together; stops at the end otherwise.
    pub fn advance(&mut self, elapsed_secs: f32, duration_secs: f32) {
        if !self.playing {
            return;
        }
        let time_secs = self.time_secs + elapsed_secs * self.speed;
        if duration_secs <= 0.0 {
            self.time_secs = 0.0;
        } else if self.looping {
            self.time_secs = time_secs.rem_euclid(duration_secs);
        } else {
            self.time_secs = time_secs.clamp(0.0, duration_secs);
            self.playing = time_secs < duration_secs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looping_wraps_and_keeps_playing() {
        let mut playback = Playback { time_secs: 1.5, ..Playback::start(1) };
        playback.advance(1.0, 2.0);
        assert_eq!((playback.time_secs, playback.playing), (0.5, true));
    }

    #[test]
    fn without_loop_it_stops_at_the_end() {
        let mut playback = Playback { time_secs: 1.5, looping: false, ..Playback::start(1) };
        playback.advance(1.0, 2.0);
        assert_eq!((playback.time_secs, playback.playing), (2.0, false));
    }

    #[test]
    fn speed_scales_and_pause_holds() {
        let mut playback = Playback { speed: 0.5, ..Playback::start(1) };
        playback.advance(1.0, 2.0);
        assert_eq!(playback.time_secs, 0.5);
        playback.playing = false;
        playback.advance(1.0, 2.0);
        assert_eq!(playback.time_secs, 0.5);
    }

    #[test]
    fn a_timeline_of_no_length_stays_at_its_start() {
        let mut playback = Playback::start(1);
        playback.advance(1.0, 0.0);
        assert_eq!(playback.time_secs, 0.0);
    }
}
