//! How regularly the frames of one sender arrive, and how many do not.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The frames of this time are counted for the rate.
const RATE_WINDOW: Duration = Duration::from_secs(2);
/// The most arrivals that are remembered: a flood is not counted exactly.
const MAX_ARRIVALS: usize = 512;
const STEPS: usize = 15;
/// A time that goes back by less is that of a frame that was overtaken on its way; by more, the sender's clock was set.
const OVERTAKEN_SECS: f64 = 1.0;
/// A longer gap is a pause of the sender, not a loss.
const PAUSE_SECS: f64 = 2.0;
/// The weight of a new difference in the jitter (RFC 3550, 6.4.1).
const JITTER_WEIGHT: f64 = 1.0 / 16.0;

#[derive(Debug, Default)]
pub(super) struct Meter {
    arrivals: VecDeque<Instant>,
    /// The last frame: when it arrived, and its time at the sender.
    last: Option<(Instant, Option<f64>)>,
    /// The sender's time of the last late frame since the last other one.
    late_secs: Option<f64>,
    /// Whether a frame was earlier than a late one: those of such a clock were not overtaken.
    runs_backwards: bool,
    steps: VecDeque<f64>,
    pub frames: u64,
    pub lost: u64,
    pub late: u64,
    pub jitter_secs: f64,
}

impl Meter {
    /// Counts a frame. `false` if a later one has already arrived, so that it must not be shown.
    pub(super) fn count(&mut self, arrived: Instant, time_secs: Option<f64>, missed: u64) -> bool {
        if let Some((before, last_secs)) = self.last {
            let interval = arrived.saturating_duration_since(before).as_secs_f64();
            let step = time_secs.zip(last_secs).map(|(time, last)| time - last);
            self.runs_backwards |= time_secs.zip(self.late_secs).is_some_and(|(time, late)| time < late);
            self.runs_backwards &= step.is_some_and(|step| step < 0.0);
            match step {
                Some(step) if step < 0.0 && step > -OVERTAKEN_SECS && !self.runs_backwards => {
                    self.late_secs = time_secs;
                    self.late += 1;
                    // It was counted as lost when it was overtaken.
                    self.lost = self.lost.saturating_sub(1);
                    return false;
                }
                Some(step) if (0.0..PAUSE_SECS).contains(&step) => {
                    self.lost += self.missing_in(step);
                    self.add_jitter((interval - step).abs());
                }
                // The clock was set, or there was a pause.
                Some(_) => self.steps.clear(),
                None => {
                    let usual = self.usual_interval();
                    self.add_jitter(usual.map_or(0.0, |usual| (interval - usual).abs().min(PAUSE_SECS)));
                }
            }
        }
        self.late_secs = None;
        self.lost += missed;
        self.frames += 1;
        self.last = Some((arrived, time_secs));
        self.arrivals.push_back(arrived);
        while self.arrivals.len() > MAX_ARRIVALS
            || self.arrivals.front().is_some_and(|first| arrived.saturating_duration_since(*first) > RATE_WINDOW)
        {
            self.arrivals.pop_front();
        }
        true
    }

    pub(super) fn last_arrival(&self) -> Option<Instant> {
        self.last.map(|(arrived, _)| arrived)
    }

    /// Frames per second, 0 after a silence.
    pub(super) fn frames_per_sec(&self, now: Instant) -> f32 {
        let recent: Vec<&Instant> =
            self.arrivals.iter().filter(|arrived| now.saturating_duration_since(**arrived) <= RATE_WINDOW).collect();
        match (recent.first(), recent.last()) {
            (Some(first), Some(last)) if recent.len() > 1 && last > first => {
                (recent.len() - 1) as f32 / last.saturating_duration_since(**first).as_secs_f32()
            }
            _ => 0.0,
        }
    }

    /// The frames that are missing in a step between two times; the step is remembered.
    fn missing_in(&mut self, step: f64) -> u64 {
        let mut sorted: Vec<f64> = self.steps.iter().copied().filter(|step| *step > 0.0).collect();
        sorted.sort_by(f64::total_cmp);
        let usual = sorted.get(sorted.len() / 2).copied();
        self.steps.push_back(step);
        if self.steps.len() > STEPS {
            self.steps.pop_front();
        }
        // A step of a few frames says little about the rate.
        let usual = usual.filter(|usual| sorted.len() >= 3 && step > 1.5 * usual);
        usual.map_or(0, |usual| (step / usual).round() as u64 - 1)
    }

    fn usual_interval(&self) -> Option<f64> {
        let (first, last) = (self.arrivals.front()?, self.arrivals.back()?);
        let count = self.arrivals.len() - 1;
        (count > 0).then(|| last.saturating_duration_since(*first).as_secs_f64() / count as f64)
    }

    fn add_jitter(&mut self, difference: f64) {
        self.jitter_secs += (difference - self.jitter_secs) * JITTER_WEIGHT;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts frames with these numbers at 60 per second, each of which arrives at its time and a delay.
    fn meter(frames: &[i32], delay_ms: impl Fn(usize) -> u64) -> (Meter, Vec<bool>, Instant) {
        let (mut meter, start) = (Meter::default(), Instant::now());
        let mut arrived = start;
        let shown = frames.iter().enumerate().map(|(index, &frame)| {
            let secs = f64::from(frame) / 60.0;
            arrived =
                arrived.max(start + Duration::from_secs_f64(secs.max(0.0)) + Duration::from_millis(delay_ms(index)));
            meter.count(arrived, Some(secs + 1e6), 0)
        });
        let shown = shown.collect();
        (meter, shown, arrived)
    }

    #[test]
    fn gaps_between_times_are_lost_frames() {
        let frames: Vec<i32> = (0..60).chain(67..130).collect();
        let (meter, shown, now) = meter(&frames, |_| 0);
        assert_eq!((meter.frames, meter.lost, meter.late), (123, 7, 0));
        assert!(shown.iter().all(|shown| *shown));
        assert!((meter.frames_per_sec(now) - 60.0).abs() < 5.0, "{}", meter.frames_per_sec(now));
        assert_eq!(meter.frames_per_sec(now + Duration::from_secs(3)), 0.0);
        assert!(meter.jitter_secs < 0.001, "{}", meter.jitter_secs);
    }

    #[test]
    fn a_slower_rate_is_no_loss_for_long() {
        let frames: Vec<i32> = (0..60).chain((60..180).step_by(2)).collect();
        let (meter, ..) = meter(&frames, |_| 0);
        assert!(meter.lost <= 8, "{}", meter.lost);
    }

    #[test]
    fn overtaken_frames_are_left_out_and_a_clock_that_is_set_back_is_not() {
        let (overtaken, shown, _) = meter(&[0, 1, 2, 3, 4, 6, 5, 7], |_| 0);
        assert_eq!((overtaken.late, overtaken.lost, shown[6]), (1, 0, false));
        let (set, shown, _) = meter(&[10_000, 10_001, 10_002, 10_003, 5, 6, 7], |_| 0);
        assert_eq!((set.late, set.lost, shown[4]), (0, 0, true));
        let (paused, ..) = meter(&[0, 1, 2, 3, 4, 10_000, 10_001], |_| 0);
        assert_eq!(paused.lost, 0);
    }

    #[test]
    fn one_frame_is_late_by_a_clock_that_runs_backwards() {
        let frames: Vec<i32> = (0..180).rev().collect();
        let (backwards, shown, _) = meter(&frames, |index| index as u64 * 16);
        assert_eq!((shown.iter().filter(|shown| **shown).count(), backwards.late), (179, 1));
        let (overtaken, shown, _) = meter(&[0, 1, 5, 2, 3, 4, 6], |_| 0);
        assert_eq!((overtaken.late, shown[3..6].contains(&true)), (3, false));
    }

    #[test]
    fn irregular_arrival_is_jitter() {
        let frames: Vec<i32> = (0..240).collect();
        let (meter, ..) = meter(&frames, |index| if index % 2 == 0 { 0 } else { 10 });
        assert!((0.008..0.012).contains(&meter.jitter_secs), "{}", meter.jitter_secs);
    }

    #[test]
    fn a_sender_whose_clock_stands_still_is_shown() {
        let (still, shown, _) = meter(&[5; 100], |index| index as u64 * 16);
        assert!(shown.iter().all(|shown| *shown) && still.lost == 0);
    }

    #[test]
    fn a_flood_takes_no_memory() {
        let (mut meter, now) = (Meter::default(), Instant::now());
        (0..100_000).for_each(|_| assert!(meter.count(now, None, 0)));
        assert!(meter.arrivals.len() <= MAX_ARRIVALS && meter.steps.len() <= STEPS);
    }
}
