//! One column of a take.

use crate::head::{Curve, Interpolation};

/// A column: an element of a curve.
#[derive(Clone, Debug)]
pub(in crate::motion::take::edit) struct Column {
    pub curve: Curve,
    pub element: usize,
}

impl Column {
    /// A column that the take's file has no values for.
    pub(in crate::motion::take::edit) fn at_zero() -> Self {
        Self { curve: Curve::constant(0.0), element: 0 }
    }

    /// The value at a time.
    pub(in crate::motion::take::edit) fn sample(&self, time_secs: f32) -> f32 {
        self.curve.sample(time_secs, self.element)
    }

    /// The values at ascending times. Quicker than one by one.
    pub(in crate::motion::take::edit) fn samples(&self, times: impl Iterator<Item = f32>) -> Vec<f32> {
        let keys = self.curve.times();
        let mut next = 0;
        let at = |time_secs: f32| {
            while keys.get(next).is_some_and(|&key| key <= time_secs) {
                next += 1;
            }
            self.curve.sample_before(next, time_secs, self.element)
        };
        times.map(at).collect()
    }

    /// The same column with straight lines instead of steps: two keys at one time are a jump.
    pub(in crate::motion::take::edit) fn without_steps(&self) -> Self {
        if self.curve.interpolation() != Interpolation::Step {
            return self.clone();
        }
        let keys = self.curve.times();
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (key, &time) in keys.iter().enumerate() {
            if let Some(&held) = values.last() {
                times.push(time);
                values.push(held);
            }
            times.push(time);
            values.push(self.curve.key_value(key, self.element));
        }
        let curve = Curve::sharing(Interpolation::Linear, times.into(), values, 1);
        curve.map_or_else(|_| self.clone(), |curve| Self { curve, element: 0 })
    }
}
