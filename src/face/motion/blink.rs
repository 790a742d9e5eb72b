//! Automatic blinking, at intervals that vary as those of people do.

use serde::{Deserialize, Serialize};

use super::{Ease, Moment, StackWeights, WeightSource, limited_secs};
use crate::head::{Head, PairKind};
use smirk_base::random;

/// Automatic blinking: a pure function of time. Equal seeds give equal blinks.
///
/// Time is divided into periods of `wait + close + hold + open`. Each period has one blink, which comes early or late
/// by at most half of the variation. The closure at any time can thus be computed without computing the blinks before
/// it, and the pause between two blinks is always wait ± variation. Some blinks are double: a second one follows at
/// once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Blink {
    pub enabled: bool,
    /// The mean time from the end of one blink to the start of the next.
    pub wait_secs: f32,
    /// The largest deviation from the mean waiting time, in either direction.
    pub variation_secs: f32,
    pub close_secs: f32,
    pub hold_secs: f32,
    pub open_secs: f32,
    /// The part of the blinks that are double, from 0 to 1. Projects of earlier versions have none.
    #[serde(default)]
    pub double_part: f32,
    pub seed: u32,
    /// Names of the channels that close the eyes. If it is empty, the channels are found by their names.
    pub channels: Vec<String>,
}

impl Default for Blink {
    fn default() -> Self {
        Self {
            enabled: false,
            wait_secs: 6.0,
            variation_secs: 0.75,
            close_secs: 0.08,
            hold_secs: 0.05,
            // Eyelids open about half as fast as they close.
            open_secs: 0.16,
            double_part: 0.1,
            seed: 1,
            channels: Vec::new(),
        }
    }
}

impl Blink {
    /// How far the eyelids are closed at a time, from 0 to 1.
    pub fn closure(&self, time_secs: f64) -> f32 {
        let Some(index) = self.index_at(time_secs) else { return 0.0 };
        let since = (time_secs - self.start_secs(index)) as f32;
        let second = self.busy_secs() + DOUBLE_PAUSE_SECS;
        let since = if since >= second && self.is_double(index) { since - second } else { since };
        let (close_secs, open_secs) = (limited_secs(self.close_secs), limited_secs(self.open_secs));
        let opening = since - close_secs - limited_secs(self.hold_secs);
        if since < 0.0 {
            0.0
        } else if since < close_secs {
            Ease::InOut.at(since / close_secs)
        } else if opening < 0.0 {
            1.0
        } else if opening < open_secs {
            1.0 - Ease::InOut.at(opening / open_secs)
        } else {
            0.0
        }
    }

    /// Seconds until the eyelids move next; 0 while they are moving.
    pub fn secs_until_motion(&self, time_secs: f64) -> f64 {
        let Some(index) = self.index_at(time_secs) else { return 0.0 };
        let starts = [index, index + 1].into_iter().flat_map(|index| self.starts_secs(index));
        let mut ahead = starts.filter(|start| time_secs < start + f64::from(self.busy_secs()));
        ahead.next().map_or(0.0, |start| (start - time_secs).max(0.0))
    }

    /// Whether blink `index` is double. No second blink is left to run into the next one.
    fn is_double(&self, index: u64) -> bool {
        let has_room = self.wait() - self.variation() > self.busy_secs() + 2.0 * DOUBLE_PAUSE_SECS;
        has_room && random::unit(!self.seed, index) < self.double_part
    }

    /// The time at which blink `index` starts.
    pub fn start_secs(&self, index: u64) -> f64 {
        let jitter = f64::from(random::signed(self.seed, index) * self.variation() * 0.5);
        index as f64 * self.period_secs() + f64::from(self.wait() * 0.5) + jitter
    }

    /// The times at which blink `index` starts: two of a double one.
    fn starts_secs(&self, index: u64) -> impl Iterator<Item = f64> + use<> {
        let first = self.start_secs(index);
        let second = first + f64::from(self.busy_secs() + DOUBLE_PAUSE_SECS);
        [Some(first), self.is_double(index).then_some(second)].into_iter().flatten()
    }

    /// The moments of the blinks that start before a time: for each, when the eyelids start to move, are closed, start
    /// to open and are open. The second blink of a double one is listed as another.
    pub fn moments(&self, before_secs: f64) -> impl Iterator<Item = [f64; 4]> {
        let (close_secs, hold_secs, open_secs) =
            (limited_secs(self.close_secs), limited_secs(self.hold_secs), limited_secs(self.open_secs));
        let starts = (0..).flat_map(|index| self.starts_secs(index));
        let starts = starts.take_while(move |start| *start < before_secs);
        starts.map(move |start| {
            let ends = [close_secs, close_secs + hold_secs, close_secs + hold_secs + open_secs];
            let [closed, opening, open] = ends.map(|secs| start + f64::from(secs));
            [start, closed, opening, open]
        })
    }

    /// The index of the period that contains a time; `None` before the first period.
    fn index_at(&self, time_secs: f64) -> Option<u64> {
        let period = (time_secs / self.period_secs()).floor();
        (period.is_finite() && period >= 0.0).then_some(period as u64)
    }

    fn period_secs(&self) -> f64 {
        f64::from(self.wait() + self.busy_secs()).max(0.05)
    }

    fn wait(&self) -> f32 {
        limited_secs(self.wait_secs)
    }

    /// The variation, limited to the waiting time, which cannot become negative.
    fn variation(&self) -> f32 {
        self.variation_secs.clamp(0.0, self.wait())
    }

    fn busy_secs(&self) -> f32 {
        limited_secs(self.close_secs) + limited_secs(self.hold_secs) + limited_secs(self.open_secs)
    }

    /// The channels that close the eyes of a head: those of [`Self::channels`] that the head has; if it has none of
    /// them, those found by name.
    pub fn channels_of(&self, head: &Head) -> Vec<usize> {
        let chosen: Vec<usize> = self.channels.iter().flat_map(|name| head.channel_alike(name)).collect();
        if chosen.is_empty() { found_by_name(head) } else { chosen }
    }
}

/// The time between the two blinks of a double one.
const DOUBLE_PAUSE_SECS: f32 = 0.08;

#[derive(Debug)]
struct BoundBlink {
    blink: Blink,
    channels: Vec<usize>,
}

impl Blink {
    /// Blinking as a source of weights, if it is on.
    pub fn source(&self, head: &Head) -> Option<Box<dyn WeightSource>> {
        self.enabled.then(|| -> Box<dyn WeightSource> {
            Box::new(BoundBlink { blink: self.clone(), channels: self.channels_of(head) })
        })
    }
}

impl WeightSource for BoundBlink {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        let closure = self.blink.closure(moment.running_secs);
        for &channel in &self.channels {
            weights.set(channel, |_, open| open + (1.0 - open).max(0.0) * closure);
        }
    }
}

/// The channels whose names mean blinking, such as `eyeBlinkLeft`, `Fcl_EYE_Close_L`, `eye-left-closure` or `Blink`:
/// the left and right channel if both exist, else the first match.
fn found_by_name(head: &Head) -> Vec<usize> {
    let pair_of_sides = head.pairs.iter().find(|pair| pair.kind == PairKind::Sides && shuts_eyes(head, pair.first));
    if let Some(pair) = pair_of_sides {
        return [Some(pair.first), pair.second].into_iter().flatten().collect();
    }
    let as_shown = head.pairs.iter().flat_map(|pair| [Some(pair.first), pair.second]).flatten();
    as_shown.into_iter().find(|&channel| shuts_eyes(head, channel)).into_iter().collect()
}

fn shuts_eyes(head: &Head, channel: usize) -> bool {
    let name = head.channels[channel].full_name.to_lowercase();
    let is_named_so =
        name.contains("blink") || (name.contains("eye") && (name.contains("close") || name.contains("closure")));
    is_named_so && head.moves_any(channel)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_seconds_of_blinks() {
        let blink = Blink { enabled: true, double_part: 0.0, ..Blink::default() };
        let busy = f64::from(blink.busy_secs());
        let starts: Vec<f64> =
            (0..).map(|index| blink.start_secs(index)).take_while(|&start| start < 10_000.0).collect();
        let waits: Vec<f64> = starts.windows(2).map(|pair| pair[1] - pair[0] - busy).collect();
        assert!(waits.iter().all(|wait| (5.25..=6.75).contains(wait)));
        let mean = waits.iter().sum::<f64>() / waits.len() as f64;
        assert!((mean - 6.0).abs() < 0.01, "{mean}");
        assert!(waits.iter().any(|&wait| wait < 5.5) && waits.iter().any(|&wait| wait > 6.5), "the waits vary");
        let step = 0.001;
        let samples: Vec<f32> = (0..10_000_000).map(|index| blink.closure(f64::from(index) * step)).collect();
        let shut = samples.iter().filter(|&&closure| closure == 1.0).count() as f64 * step;
        assert!((shut - starts.len() as f64 * 0.05).abs() < starts.len() as f64 * 2.0 * step, "{shut}");
        // The eyelids move fastest while they close, in 0.08 s; the steepest slope of the easing is 1.5 times the mean.
        assert!(samples.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 1.6 * step as f32 / 0.075));
        let blinks = samples.windows(2).filter(|pair| pair[0] < 1.0 && pair[1] == 1.0).count();
        assert_eq!(blinks, starts.len());
    }

    #[test]
    fn the_time_until_motion_ends_when_the_eyelids_start_to_move() {
        let blink = Blink { enabled: true, ..Blink::default() };
        for time in [0.0, 3.3, 9.9, 1234.5] {
            let rest = blink.secs_until_motion(time);
            if rest > 0.0 {
                assert_eq!(blink.closure(time + rest * 0.999), 0.0);
            }
            assert!(blink.closure(time + rest + 0.04) > 0.0);
        }
    }

    #[test]
    fn eyelids_open_half_as_fast_as_they_close_and_now_and_then_blink_twice() {
        let blink = Blink { enabled: true, ..Blink::default() };
        assert!((1.8..2.2).contains(&(blink.open_secs / blink.close_secs)));
        let doubles: Vec<u64> = (0..1000).filter(|&index| blink.is_double(index)).collect();
        assert!((60..140).contains(&doubles.len()), "{} of 1000", doubles.len());
        let samples = |index: u64, to: f64| {
            let start = blink.start_secs(index);
            (0..(to * 1000.0) as u32).map(move |step| start + f64::from(step) * 0.001)
        };
        let shut = |index: u64| {
            let closures: Vec<f32> = samples(index, 3.0).map(|time| blink.closure(time)).collect();
            closures.windows(2).filter(|pair| pair[0] < 1.0 && pair[1] == 1.0).count()
        };
        let single = (0..).find(|index| !doubles.contains(index)).unwrap();
        assert_eq!((shut(doubles[0]), shut(doubles[1]), shut(single)), (2, 2, 1));
        for time in samples(doubles[0], 3.0) {
            let rest = blink.secs_until_motion(time);
            let halfway = time + rest * 0.5;
            assert!(rest == 0.0 || blink.closure(halfway) == 0.0, "{time}: at rest for {rest}");
        }
        let hurried = Blink { wait_secs: 0.3, variation_secs: 0.2, double_part: 1.0, ..blink };
        assert!((0..1000).all(|index| !hurried.is_double(index)), "there is no room for a second blink");
    }

    #[test]
    fn blinks_of_a_project_of_an_earlier_version_are_single() {
        let text = r#"{"enabled":true,"wait_secs":6.0,"close_secs":0.08,"open_secs":0.075,"seed":1}"#;
        let blink: Blink = serde_json::from_str(text).unwrap();
        assert_eq!((blink.double_part, blink.open_secs), (0.0, 0.075));
    }

    #[test]
    fn equal_seeds_give_equal_blinks_and_others_do_not() {
        let blink = Blink::default();
        assert_eq!(blink.start_secs(5), Blink::default().start_secs(5));
        assert_ne!(blink.start_secs(5), Blink { seed: 2, ..blink }.start_secs(5));
    }

    #[test]
    fn invalid_times_give_a_finite_closure() {
        for secs in [0.0, -3.0, 3e38, f32::NAN, f32::INFINITY] {
            let blink = Blink {
                wait_secs: secs,
                variation_secs: 9.0,
                close_secs: secs,
                hold_secs: secs,
                open_secs: secs,
                ..Blink::default()
            };
            for time in [-1.0, 0.0, 7.7, f64::NAN] {
                assert!((0.0..=1.0).contains(&blink.closure(time)), "{secs} {time}");
                assert!((0.0..1e5).contains(&blink.secs_until_motion(time)));
            }
        }
    }
}
