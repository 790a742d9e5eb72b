//! Frames that wait for their turn, so that they are shown as evenly as the sender made them, though the network delays
//! some more than others.

use std::collections::VecDeque;

/// Frames on their way to the face. A frame is due when the fastest frame of this sender would have arrived, plus the
/// length of the chosen number of frames.
#[derive(Clone, Debug)]
pub(super) struct JitterBuffer<T> {
    /// Each with its time by the sender, the oldest first.
    waiting: VecDeque<(f64, T)>,
    /// The smallest difference of late between the time of arrival and the time by the sender.
    fastest_secs: Option<f64>,
    /// The usual time between frames.
    step_secs: f64,
    last: Option<(f64, f64)>,
}

impl<T> Default for JitterBuffer<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), fastest_secs: None, step_secs: 1.0 / 60.0, last: None }
    }
}

impl<T> JitterBuffer<T> {
    /// The most frames that are kept. As many wait only if none are taken.
    const MOST: usize = 32;
    /// Rates that are taken for the rate of a sender.
    const STEPS_SECS: std::ops::RangeInclusive<f64> = 1.0 / 250.0..=0.1;
    /// How much of a new step counts in the usual one.
    const STEP_SHARE: f64 = 0.05;
    /// How fast the fastest way is forgotten: the clocks of two machines differ by up to a tenth of this.
    const FORGOTTEN_PER_SEC: f64 = 1e-3;
    /// A frame that takes so much longer than the fastest one shows that the way, or the clock, has changed.
    const OTHER_WAY_SECS: f64 = 0.5;

    /// Adds a frame with its time by the sender, which is not before that of the last one.
    pub(super) fn push(&mut self, secs: f64, arrived_secs: f64, frame: T) {
        let way_secs = arrived_secs - secs;
        if let Some((last_secs, last_arrived_secs)) = self.last {
            let step_secs = secs - last_secs;
            if Self::STEPS_SECS.contains(&step_secs) {
                self.step_secs += Self::STEP_SHARE * (step_secs - self.step_secs);
            }
            let forgotten_secs = Self::FORGOTTEN_PER_SEC * (arrived_secs - last_arrived_secs).max(0.0);
            self.fastest_secs = self.fastest_secs.map(|fastest_secs| fastest_secs + forgotten_secs);
        }
        self.last = Some((secs, arrived_secs));
        let fastest_secs = self.fastest_secs.filter(|fastest_secs| way_secs - fastest_secs < Self::OTHER_WAY_SECS);
        self.fastest_secs = Some(fastest_secs.map_or(way_secs, |fastest_secs| fastest_secs.min(way_secs)));
        if self.waiting.len() == Self::MOST {
            self.waiting.pop_front();
        }
        self.waiting.push_back((secs, frame));
    }

    /// Takes the newest frame that is due; the ones before it are not shown. `frames` is how many the buffer holds
    /// back.
    pub(super) fn take(&mut self, now_secs: f64, frames: u8) -> Option<T> {
        let mut newest = None;
        while let Some(&(secs, _)) = self.waiting.front() {
            if self.due_secs(secs, frames) > now_secs {
                break;
            }
            newest = self.waiting.pop_front();
        }
        newest.map(|(_, frame)| frame)
    }

    /// How long until the next frame is due. None if none waits.
    pub(super) fn due_in_secs(&self, now_secs: f64, frames: u8) -> Option<f64> {
        self.waiting.front().map(|&(secs, _)| (self.due_secs(secs, frames) - now_secs).max(0.0))
    }

    /// By how much it delays frames that arrive on the fastest way.
    pub(super) fn delay_secs(&self, frames: u8) -> f64 {
        self.step_secs * f64::from(frames)
    }

    fn due_secs(&self, secs: f64, frames: u8) -> f64 {
        if frames == 0 {
            return f64::NEG_INFINITY;
        }
        secs + self.fastest_secs.unwrap_or(0.0) + self.delay_secs(frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When each of 300 frames at 60 per second is shown, if frame `n` takes `way(n)` seconds. The window looks every
    /// millisecond.
    fn shown_at(frames: u8, way: impl Fn(usize) -> f64) -> Vec<(usize, f64)> {
        let mut arrivals: Vec<(f64, usize)> = (0..300).map(|index| (index as f64 / 60.0 + way(index), index)).collect();
        arrivals.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut arrivals = arrivals.into_iter().peekable();
        let (mut buffer, mut shown) = (JitterBuffer::default(), Vec::new());
        for now in 0..6000 {
            let now_secs = f64::from(now) / 1000.0;
            while let Some((arrived_secs, index)) = arrivals.next_if(|(arrived_secs, _)| *arrived_secs <= now_secs) {
                buffer.push(index as f64 / 60.0, arrived_secs, index);
            }
            shown.extend(buffer.take(now_secs, frames).map(|index| (index, now_secs)));
        }
        assert!(buffer.due_in_secs(6.0, frames).is_none());
        shown
    }

    fn unevenness(shown: &[(usize, f64)]) -> f64 {
        let off = |(index, at): &(usize, f64)| at - *index as f64 / 60.0;
        let late: Vec<f64> = shown[60..].iter().map(off).collect();
        late.iter().copied().fold(f64::MIN, f64::max) - late.iter().copied().fold(f64::MAX, f64::min)
    }

    #[test]
    fn a_buffer_makes_frames_even_that_arrive_unevenly_and_shows_each() {
        // Ways of 2 to 17 ms, so that no frame overtakes another.
        let way = |index: usize| 0.002 + 0.015 * ((index * 7919) % 13) as f64 / 12.0;
        let direct = shown_at(0, way);
        assert!(unevenness(&direct) > 0.012, "{}", unevenness(&direct));
        for frames in [1, 2] {
            let buffered = shown_at(frames, way);
            assert_eq!(buffered.len(), 300, "every frame is shown");
            assert!(unevenness(&buffered) < 0.003, "{frames}: {}", unevenness(&buffered));
            let delay_secs = buffered[100].1 - 100.0 / 60.0;
            assert!((delay_secs - (0.002 + f64::from(frames) / 60.0)).abs() < 0.004, "{frames}: {delay_secs}");
        }
    }

    #[test]
    fn a_way_that_becomes_longer_delays_nothing_for_good() {
        for frames in [0, 1, 2] {
            let shown = shown_at(frames, |index| if index < 150 { 0.002 } else { 0.7 });
            assert_eq!(shown.last().unwrap().0, 299);
            let waited = shown.windows(2).map(|pair| pair[1].1 - pair[0].1).fold(0.0, f64::max);
            assert!(waited < 0.8, "{frames}: nothing was shown for {waited} s");
        }
    }

    #[test]
    fn frames_that_nobody_takes_are_dropped() {
        let mut buffer = JitterBuffer::default();
        (0..10_000).for_each(|index| buffer.push(f64::from(index) / 60.0, f64::from(index) / 60.0, index));
        assert_eq!(buffer.waiting.len(), JitterBuffer::<i32>::MOST);
        assert_eq!(buffer.take(1e6, 2), Some(9_999));
    }
}
