//! Automatic eye movement: small, quick jumps of the gaze (saccades) between fixations.

use serde::{Deserialize, Serialize};

use super::{Ease, Moment, StackWeights, WeightSource};
use crate::head::Head;
use smirk_base::random;

/// Automatic saccades: a pure function of time. Equal seeds give equal movements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gaze {
    pub enabled: bool,
    /// The mean time between two jumps. Each pause is between half and one and a half times as long.
    pub pause_secs: f32,
    /// How far the gaze deviates from straight ahead, as a weight of the look channels.
    pub reach: f32,
    pub seed: u32,
}

impl Default for Gaze {
    fn default() -> Self {
        Self { enabled: false, pause_secs: 1.2, reach: 0.2, seed: 1 }
    }
}

/// The direction in which both eyes look, as weights: `[to the left of the face, up]`.
pub(super) type Direction = [f32; 2];

const LEFT: Direction = [1.0, 0.0];
const RIGHT: Direction = [-1.0, 0.0];
const UP: Direction = [0.0, 1.0];
const DOWN: Direction = [0.0, -1.0];

/// A channel that turns one eye or both eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeChannel {
    pub channel: usize,
    direction: Direction,
}

impl GazeChannel {
    /// The weight of the channel for a gaze direction; 0 if it turns the eye to the opposite side.
    fn weight(&self, direction: Direction) -> f32 {
        (self.direction[0] * direction[0] + self.direction[1] * direction[1]).max(0.0)
    }
}

impl Gaze {
    /// The duration of a saccade of a few degrees (Bahill, Clark, Stark: The main sequence, 1975).
    const JUMP_SECS: f64 = 0.045;

    pub fn direction(&self, time_secs: f64) -> Direction {
        let Some(index) = self.index_at(time_secs) else { return [0.0; 2] };
        let s = Ease::InOut.at(((time_secs - self.start_secs(index)) / Self::JUMP_SECS) as f32);
        let (from, to) =
            (index.checked_sub(1).map_or([0.0; 2], |before| self.jump_target(before)), self.jump_target(index));
        [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * s)
    }

    /// Seconds until the eyes move next; 0 while they are moving.
    pub fn secs_until_motion(&self, time_secs: f64) -> f64 {
        let Some(index) = self.index_at(time_secs) else { return 0.0 };
        if time_secs < self.start_secs(index) + Self::JUMP_SECS {
            return 0.0;
        }
        (self.start_secs(index + 1) - time_secs).max(0.0)
    }

    /// The channels that turn the eyes, with their directions: one per eye and direction with ARKit names, one per
    /// direction with VRM names. A head with other names has none.
    pub fn channels_of(head: &Head) -> Vec<GazeChannel> {
        let per_eye = [
            ("eyeLookOutLeft", LEFT),
            ("eyeLookInRight", LEFT),
            ("eyeLookInLeft", RIGHT),
            ("eyeLookOutRight", RIGHT),
            ("eyeLookUpLeft", UP),
            ("eyeLookUpRight", UP),
            ("eyeLookDownLeft", DOWN),
            ("eyeLookDownRight", DOWN),
        ];
        let of_both = [("lookLeft", LEFT), ("lookRight", RIGHT), ("lookUp", UP), ("lookDown", DOWN)];
        for names in [&per_eye[..], &of_both] {
            let found = names.iter().filter_map(|&(name, direction)| {
                let &channel = head.channel_alike(name).first()?;
                Some(GazeChannel { channel, direction })
            });
            let found: Vec<GazeChannel> = found.collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn start_secs(&self, index: u64) -> f64 {
        // A deviation of at most a quarter of the pause keeps the time between two jumps within half and one and a half
        // of it.
        (index as f64 + 0.25 * f64::from(random::signed(self.seed, index * 3))) * self.pause()
    }

    /// The index of the last jump that has started.
    fn index_at(&self, time_secs: f64) -> Option<u64> {
        let nearest = (time_secs / self.pause()).round();
        if !nearest.is_finite() || nearest < 0.0 {
            return None;
        }
        let nearest = nearest as u64;
        if time_secs >= self.start_secs(nearest) { Some(nearest) } else { nearest.checked_sub(1) }
    }

    /// The end point of a jump: more often near the middle than far out, and farther sideways than up or down.
    fn jump_target(&self, index: u64) -> Direction {
        let [across, along] =
            [1, 2].map(|salt| random::signed(self.seed, index * 3 + salt)).map(|number| number * number.abs());
        let reach = if self.reach.is_finite() { self.reach.clamp(0.0, 2.0) } else { 0.0 };
        [across * reach, along * reach * 0.6]
    }

    fn pause(&self) -> f64 {
        // The comparison is false for NaN, which becomes the shortest pause.
        f64::from(if self.pause_secs > 0.2 { self.pause_secs.min(3600.0) } else { 0.2 })
    }
}

#[derive(Debug)]
struct BoundGaze {
    gaze: Gaze,
    channels: Vec<GazeChannel>,
}

impl Gaze {
    /// The gaze as a source of weights, if it is on.
    pub fn source(&self, head: &Head) -> Option<Box<dyn WeightSource>> {
        self.enabled.then(|| -> Box<dyn WeightSource> {
            Box::new(BoundGaze { gaze: self.clone(), channels: Self::channels_of(head) })
        })
    }
}

impl WeightSource for BoundGaze {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        let direction = self.gaze.direction(moment.running_secs);
        for gaze in &self.channels {
            let weight = gaze.weight(direction);
            weights.set(gaze.channel, |_, below| below + weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaze_is_still_between_quick_jumps_and_stays_within_reach() {
        let gaze = Gaze { enabled: true, ..Gaze::default() };
        let mut rests = Vec::new();
        let mut time = 10.0;
        while time < 1000.0 {
            let rest = gaze.secs_until_motion(time);
            let [left, up] = gaze.direction(time);
            assert!(left.abs() <= gaze.reach && up.abs() <= gaze.reach);
            if rest > 0.0 {
                assert_eq!(gaze.direction(time), gaze.direction(time + rest * 0.999));
                rests.push(rest);
                time += rest + 1e-6;
            } else {
                time += 0.01;
            }
        }
        let mean = rests.iter().sum::<f64>() / rests.len() as f64;
        assert!((1.0..1.3).contains(&mean), "{mean}");
        assert!(rests.iter().all(|&rest| rest < 1.2 * 1.5));
    }

    #[test]
    fn a_jump_is_a_continuous_movement() {
        let gaze = Gaze { enabled: true, reach: 1.0, ..Gaze::default() };
        let samples: Vec<Direction> = (0..100_000).map(|index| gaze.direction(f64::from(index) * 0.001)).collect();
        let step = samples.windows(2).map(|pair| (pair[1][0] - pair[0][0]).abs()).fold(0.0, f32::max);
        assert!(step < 2.0 * 1.5 * 0.001 / 0.045 * 1.05, "{step}");
    }

    #[test]
    fn invalid_numbers_look_straight_ahead() {
        let gaze = Gaze { pause_secs: f32::NAN, reach: f32::NAN, ..Gaze::default() };
        assert_eq!(gaze.direction(5.0), [0.0; 2]);
        assert_eq!(Gaze::default().direction(f64::NAN), [0.0; 2]);
    }
}
