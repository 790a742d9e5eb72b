//! Which frame of the device is heard now, from what the device says now and then.

use std::time::{Duration, Instant};

/// What a device says: which frame leaves it at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    pub at: Instant,
    /// The frame, counted from the first that was handed over; less than 0 before that one is heard.
    pub frame: f64,
    /// Whether the device plays. While it waits for frames, the same one stays.
    pub is_running: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct HeardClock {
    frames_per_sec: f64,
    last: Option<Reading>,
}

impl HeardClock {
    /// A reading that differs by more than this is taken as it is: the device was moved, or had a gap.
    const JUMP_SECS: f64 = 0.04;
    /// The part of smaller differences that each reading corrects. They are the noise of measuring.
    const CORRECTION: f64 = 0.15;
    /// A device that says nothing for longer than this stands still.
    const LONGEST_SILENCE: Duration = Duration::from_millis(300);

    /// A clock of a device of this rate, before its first reading.
    pub(super) fn new(frames_per_sec: f64) -> Self {
        Self { frames_per_sec, last: None }
    }

    pub(super) fn read(&mut self, reading: Reading) {
        let frame = match self.last.filter(|last| last.is_running && reading.is_running) {
            None => reading.frame,
            Some(last) => {
                let predicted = self.frame_after(last, reading.at);
                let error = reading.frame - predicted;
                let is_jump = error.abs() > Self::JUMP_SECS * self.frames_per_sec;
                if is_jump { reading.frame } else { predicted + Self::CORRECTION * error }
            }
        };
        self.last = Some(Reading { frame, ..reading });
    }

    /// The frame that is heard at a moment after the last reading; `None` before the first reading.
    pub(super) fn frame_at(&self, now: Instant) -> Option<f64> {
        self.last.map(|last| self.frame_after(last, now))
    }

    fn frame_after(&self, last: Reading, now: Instant) -> f64 {
        if !last.is_running {
            return last.frame;
        }
        let since = now.saturating_duration_since(last.at).min(Self::LONGEST_SILENCE);
        last.frame + since.as_secs_f64() * self.frames_per_sec
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random::unit;

    const RATE: f64 = 48_000.0;

    /// A device whose crystal is wrong by `drift`, read every 25 ms with up to `noise_secs` of noise: the largest
    /// distance in seconds between what is heard and what the clock says, after the first second.
    fn largest_error(drift: f64, noise_secs: f64, secs: f64) -> f64 {
        let start = Instant::now();
        let mut clock = HeardClock::new(RATE);
        let heard = |secs: f64| secs * RATE * (1.0 + drift);
        let mut largest: f64 = 0.0;
        for index in 0..(secs * 200.0) as u32 {
            let at_secs = f64::from(index) * 0.005;
            let at = start + Duration::from_secs_f64(at_secs);
            if index.is_multiple_of(5) {
                let noise = (f64::from(unit(1, u64::from(index))) - 0.5) * 2.0 * noise_secs * RATE;
                clock.read(Reading { at, frame: heard(at_secs) + noise, is_running: true });
            }
            if at_secs > 1.0 {
                largest = largest.max((clock.frame_at(at).unwrap() - heard(at_secs)).abs() / RATE);
            }
        }
        largest
    }

    #[test]
    fn it_stays_with_a_device_that_is_fast_or_slow_and_does_not_follow_noise() {
        assert!(largest_error(0.0, 0.0, 30.0) < 1e-6);
        for drift in [-0.002, 0.002] {
            let error = largest_error(drift, 0.0, 30.0);
            assert!(error < 0.001, "{error}");
        }
        let error = largest_error(0.0005, 0.010, 30.0);
        assert!(error < 0.006, "{error} with 10 ms of noise");
    }

    #[test]
    fn a_gap_is_followed_at_once_and_a_device_that_waits_stands_still() {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let mut clock = HeardClock::new(RATE);
        assert_eq!(clock.frame_at(start), None);
        clock.read(Reading { at: start, frame: 0.0, is_running: true });
        assert_eq!(clock.frame_at(at(100)), Some(4800.0));
        clock.read(Reading { at: at(100), frame: 480.0, is_running: true });
        assert_eq!(clock.frame_at(at(100)), Some(480.0), "90 ms were not played");
        clock.read(Reading { at: at(125), frame: 1680.0, is_running: false });
        assert_eq!(clock.frame_at(at(200)), Some(1680.0));
        clock.read(Reading { at: at(200), frame: 1680.0, is_running: true });
        assert_eq!(clock.frame_at(at(5000)), Some(1680.0 + 0.3 * RATE), "it says nothing any more");
    }
}
