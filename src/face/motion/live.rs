//! The face of a performer that arrives while it is shown, as a source of weights.

use std::f32::consts::TAU;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::head::{FaceTurns, Head};
use crate::motion::take::{BoundColumn, BoundColumns, TakeMap};
use crate::motion::{Moment, StackWeights, WeightSource};

/// The face of a performer at a moment: what the sender said, smoothed. Its columns are those of a take of the same
/// performance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveFace {
    /// The names of the values, in the sender's dialect.
    pub columns: Arc<[String]>,
    /// One per column: weights, and angles in radians.
    pub values: Vec<f32>,
    /// How much of the face is shown: 1 while it is tracked; 0 after it was lost, so that the layers below show.
    pub presence: f32,
}

/// The live face, with its columns bound to the channels of a head as those of a take are. While the face is lost, it
/// fades to what the layers below give: the neutral face, unless a clip or a take plays. The names are bound when the
/// columns change and not with every frame.
#[derive(Debug)]
struct BoundLive {
    names: Arc<[String]>,
    columns: BoundColumns,
}

impl LiveFace {
    /// The faces with the columns of this one, as a source of weights. `turns_eyes` says whether their angles turn the
    /// eyes.
    pub fn source(&self, head: &Head, map: &TakeMap, turns_eyes: bool) -> Box<dyn WeightSource> {
        let columns = BoundColumns::bind(head, self.columns.iter().map(String::as_str), map, turns_eyes);
        Box::new(BoundLive { names: self.columns.clone(), columns })
    }
}

impl BoundLive {
    /// The face of a moment, if any of it is shown and it still has the columns that were bound.
    fn face<'a>(&self, moment: &'a Moment) -> Option<&'a LiveFace> {
        moment.heard.as_deref().filter(|face| face.presence > 0.0 && face.columns == self.names)
    }
}

/// The value of a column after calibration, gain, offset and clamp. Smoothing was done when the frame arrived.
fn value(face: &LiveFace, column: &BoundColumn) -> f32 {
    column.map.shape(face.values.get(column.index).copied().unwrap_or(column.map.neutral))
}

impl WeightSource for BoundLive {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        if let Some(face) = self.face(moment) {
            self.columns.apply(weights, face.presence, |column| value(face, column));
        }
    }

    fn turn(&self, moment: &Moment, turns: &mut FaceTurns) {
        if let Some(face) = self.face(moment) {
            self.columns.turn(turns, face.presence, |column| value(face, column));
        }
    }
}

/// How strongly live values are smoothed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Smoothing {
    /// By how much a value that moves slowly lags behind, in seconds: the time constant of the filter. 0 does not
    /// smooth.
    pub secs: f32,
    /// How much less a fast value is smoothed: the paper's `beta`, in hertz of cutoff frequency per unit and second. 0
    /// smooths fast values as much as slow ones.
    pub response: f32,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { secs: 0.0, response: 1.0 }
    }
}

impl Smoothing {
    pub const LONGEST_SECS: f32 = 0.5;
    pub const LARGEST_RESPONSE: f32 = 10.0;

    /// The same with numbers that make sense: those of a file may be any.
    pub fn within_reason(self) -> Self {
        let rest = Self::default();
        let limits =
            [(self.secs, Self::LONGEST_SECS, rest.secs), (self.response, Self::LARGEST_RESPONSE, rest.response)];
        let [secs, response] =
            limits.map(|(value, most, rest)| if value.is_finite() { value.clamp(0.0, most) } else { rest });
        Self { secs, response }
    }

    /// The time constant at a speed, in units per second.
    pub fn secs_at(self, speed: f32) -> f32 {
        if self.secs <= 0.0 {
            return 0.0;
        }
        1.0 / (TAU * (1.0 / (TAU * self.secs) + self.response * speed.abs()))
    }
}

/// The filter of one value.
///
/// The One Euro filter: Géry Casiez, Nicolas Roussel and Daniel Vogel, "1€ Filter: A Simple Speed-based Low-pass Filter
/// for Noisy Input in Interactive Systems", CHI 2012. A low-pass filter whose cutoff frequency rises with the speed of
/// the value, so that a still face does not tremble and a fast one does not lag.
#[derive(Clone, Copy, Debug, Default)]
pub struct OneEuro {
    last: Option<Last>,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    raw: f32,
    value: f32,
    speed: f32,
}

impl OneEuro {
    /// The cutoff frequency of the speed, as the paper has it.
    const SPEED_CUTOFF_HZ: f32 = 1.0;

    /// The next value, `step_secs` after the last one.
    pub fn next(&mut self, raw: f32, step_secs: f32, smoothing: Smoothing) -> f32 {
        let Some(last) = self.last.filter(|_| step_secs > 0.0) else {
            let speed = self.last.map_or(0.0, |last| last.speed);
            self.last = Some(Last { raw, value: raw, speed });
            return raw;
        };
        let speed_share = share(1.0 / (TAU * Self::SPEED_CUTOFF_HZ), step_secs);
        // As in the authors' own programs, the speed is that of the raw value.
        let speed = last.speed + speed_share * ((raw - last.raw) / step_secs - last.speed);
        let share_of_new = share(smoothing.secs_at(speed), step_secs);
        // Without smoothing the value passes exactly, which the sum below would round.
        let value = if share_of_new < 1.0 { last.value + share_of_new * (raw - last.value) } else { raw };
        // Differences of the largest numbers are not finite, and would stay so.
        let next = Last { raw, value, speed };
        let is_finite = speed.is_finite() && value.is_finite();
        let next = if is_finite { next } else { Last { raw, value: raw, speed: 0.0 } };
        self.last = Some(next);
        next.value
    }

    /// The smoothed speed, in units per second.
    pub fn speed(&self) -> f32 {
        self.last.map_or(0.0, |last| last.speed)
    }
}

/// The share of a new value in the smoothed one: 1 without smoothing.
fn share(time_constant_secs: f32, step_secs: f32) -> f32 {
    step_secs / (time_constant_secs + step_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP_SECS: f32 = 1.0 / 60.0;

    fn smoothed(raw: impl Iterator<Item = f32>, smoothing: Smoothing) -> Vec<f32> {
        let mut filter = OneEuro::default();
        raw.map(|raw| filter.next(raw, STEP_SECS, smoothing)).collect()
    }

    #[test]
    fn without_smoothing_every_value_passes_unchanged() {
        let raw: Vec<f32> = (0..100).map(|frame| (frame as f32 * 0.7).sin()).collect();
        assert_eq!(smoothed(raw.iter().copied(), Smoothing::default()), raw);
    }

    #[test]
    fn noise_on_a_still_value_is_reduced() {
        let noise = |frame: usize| if frame.is_multiple_of(2) { 0.01 } else { -0.01 };
        let values = smoothed((0..600).map(|frame| 0.5 + noise(frame)), Smoothing { secs: 0.1, response: 0.0 });
        let largest = values[300..].iter().map(|value| (value - 0.5).abs()).fold(0.0, f32::max);
        assert!(largest < 0.002, "{largest}");
    }

    #[test]
    fn a_ramp_lags_by_the_time_constant_at_its_speed() {
        for (secs, response, speed) in [(0.1, 0.0, 1.0), (0.2, 1.0, 2.0), (0.05, 0.5, 4.0)] {
            let smoothing = Smoothing { secs, response };
            let raw = |frame: usize| frame as f32 * STEP_SECS * speed;
            let values = smoothed((0..600).map(raw), smoothing);
            let lag_secs = (raw(599) - values[599]) / speed;
            let expected = smoothing.secs_at(speed);
            assert!((lag_secs - expected).abs() < 2e-3, "{secs} {response}: {lag_secs}, not {expected}");
        }
        let smoothing = Smoothing { secs: 0.1, response: 1.0 };
        assert!((smoothing.secs_at(0.0) - 0.1).abs() < 1e-6 && smoothing.secs_at(10.0) < 0.015);
    }

    #[test]
    fn frames_at_one_time_and_numbers_of_any_file_do_no_harm() {
        let mut filter = OneEuro::default();
        let smoothing = Smoothing { secs: f32::INFINITY, response: f32::NAN }.within_reason();
        assert_eq!(smoothing, Smoothing::default());
        let steps =
            [(0.0, 0.0), (1.0, 0.0), (0.5, -1.0), (f32::MAX, 1e-30), (f32::MIN, 0.1), (0.25, 1e30), (0.75, 0.1)];
        for (raw, step_secs) in steps {
            let value = filter.next(raw, step_secs, Smoothing { secs: 0.5, response: 10.0 });
            assert!(value.is_finite() && filter.speed().is_finite(), "{raw} after {step_secs} s: {value}");
        }
    }
}
