//! Repeats evaluations until their times are reliable.

use std::time::Instant;

use crate::bench::Case;
use smirk_face::head::Head;

/// The smallest number of repetitions. With fewer, minimum and median are unreliable.
const MIN_REPETITIONS: usize = 7;
/// The largest number of repetitions. More do not change the result.
const MAX_REPETITIONS: usize = 2000;
/// How often times that are not steady are measured.
const ROUNDS: u32 = 3;
/// The number of channels that are changed one by one. If more are active, this many of them are chosen, evenly spread.
const MOST_SINGLE_CHANNELS: usize = 32;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Times {
    pub ms_min: f64,
    pub ms_median: f64,
    /// By how much the minima of the first and the last repetitions differ: how well the minimum is known.
    pub ms_noise: f64,
}

impl Times {
    fn from_repetitions(mut each_ms: Vec<f64>) -> Self {
        assert!(!each_ms.is_empty(), "there is always a repetition");
        let middle = each_ms.len() / 2;
        let (first, last) = each_ms.split_at(middle);
        let [first, last] = [first, last].map(|part| part.iter().copied().fold(f64::INFINITY, f64::min));
        let ms_noise = if first.is_finite() { (first - last).abs() } else { 0.0 };
        each_ms.sort_by(f64::total_cmp);
        Self { ms_min: each_ms[0], ms_median: each_ms[middle], ms_noise }
    }

    /// Whether measuring for longer would hardly change the minimum.
    fn is_steady(self) -> bool {
        const MOST_NOISE: f64 = 0.1;
        self.ms_noise <= MOST_NOISE * self.ms_min
    }

    fn mean(all: &[Self]) -> Self {
        let count = all.len().max(1) as f64;
        Self {
            ms_min: all.iter().map(|times| times.ms_min).sum::<f64>() / count,
            ms_median: all.iter().map(|times| times.ms_median).sum::<f64>() / count,
            ms_noise: all.iter().map(|times| times.ms_noise).sum::<f64>() / count,
        }
    }

    /// The time minus a part of it that was measured separately. The median is not below the minimum, even if the part
    /// was measured while the machine was slower.
    pub(super) fn without(self, part: Self) -> Self {
        let ms_min = (self.ms_min - part.ms_min).max(0.0);
        Self {
            ms_min,
            ms_median: (self.ms_median - part.ms_median).max(ms_min),
            ms_noise: self.ms_noise.hypot(part.ms_noise),
        }
    }
}

pub(super) fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Repeats an evaluation for `budget_secs`, and up to three times as long while the times are not steady. `evaluate`
/// receives the number of the repetition and returns the time in milliseconds. The first two repetitions are not
/// counted.
pub(super) fn repeat(budget_secs: f64, mut evaluate: impl FnMut(usize) -> f64) -> Times {
    evaluate(0);
    evaluate(1);
    let began = Instant::now();
    let mut each_ms = Vec::new();
    for round in 1..=ROUNDS {
        while each_ms.len() < MIN_REPETITIONS
            || (each_ms.len() < MAX_REPETITIONS && began.elapsed().as_secs_f64() < budget_secs * round as f64)
        {
            each_ms.push(evaluate(each_ms.len()));
        }
        if Times::from_repetitions(each_ms.clone()).is_steady() {
            break;
        }
    }
    Times::from_repetitions(each_ms)
}

/// The times of a case, averaged over its sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct CaseTimes {
    pub all: Times,
    /// One active channel changes and the others do not; `None` if there are no others, or it was not measured.
    pub one: Option<Times>,
}

impl CaseTimes {
    /// The times without what every evaluation takes.
    pub(super) fn without(self, part: Times) -> Self {
        Self { all: self.all.without(part), one: self.one.map(|times| times.without(part)) }
    }
}

/// Measures a case for `budget_secs` with all channels changing, and as long with one channel changing.
pub(super) fn evaluations(
    budget_secs: f64,
    head: &Head,
    case: &Case,
    mut evaluate: impl FnMut(&[f32]) -> f64,
) -> CaseTimes {
    let budget_secs = budget_secs / case.sets.len().max(1) as f64;
    let all: Vec<Times> = case.sets.iter().map(|set| all_changing(budget_secs, set, &mut evaluate)).collect();
    let one = (case.active > 1).then(|| {
        let sets = case.sets.iter().map(|set| one_changing(budget_secs, head, set, &mut evaluate));
        Times::mean(&sets.collect::<Vec<_>>())
    });
    CaseTimes { all: Times::mean(&all), one }
}

/// Measures a case by draws. Returns the time of a draw at rest, and the additional time of a draw with the weights.
pub(super) fn draws(budget_secs: f64, case: &Case, mut evaluate: impl FnMut(&[f32]) -> f64) -> (Times, Times) {
    let budget_secs = budget_secs / case.sets.len().max(1) as f64;
    let (at_rest, additional): (Vec<Times>, Vec<Times>) =
        case.sets.iter().map(|set| compared_with_rest(budget_secs, set, &mut evaluate)).unzip();
    (Times::mean(&at_rest), Times::mean(&additional))
}

/// Every active weight changes in each evaluation, by a thousandth up or down.
fn all_changing(budget_secs: f64, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> Times {
    let other: Vec<f32> = weights.iter().map(|weight| weight * 0.999).collect();
    let both = [weights, &other];
    repeat(budget_secs, |turn| evaluate(both[turn % 2]))
}

/// Alternates between an evaluation at rest and one with the weights, so that both are measured under the same
/// conditions. Returns the time at rest, and the additional time of the weights. Between the two, an evaluation that is
/// not counted builds the lists of active targets, which otherwise happens once, when a slider leaves 0.
fn compared_with_rest(budget_secs: f64, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> (Times, Times) {
    let rest = vec![0.0; weights.len()];
    let mut at_rest = Vec::new();
    let other: Vec<f32> = weights.iter().map(|weight| weight * 0.999).collect();
    let times = repeat(budget_secs, |_| {
        at_rest.push(evaluate(&rest));
        evaluate(&other);
        evaluate(weights)
    });
    let at_rest = Times::from_repetitions(at_rest);
    (at_rest, times.without(at_rest))
}

/// One active channel changes and the others do not: the mean over the channels.
fn one_changing(budget_secs: f64, head: &Head, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> Times {
    let channels = single_channels(head, weights);
    let times: Vec<Times> = channels
        .iter()
        .map(|&channel| {
            let other = with_changed(head, weights, channel);
            let both = [weights, &other];
            repeat(budget_secs / channels.len() as f64, |turn| evaluate(both[turn % 2]))
        })
        .collect();
    Times::mean(&times)
}

/// The active channels that are changed one by one.
pub(super) fn single_channels(head: &Head, weights: &[f32]) -> Vec<usize> {
    let active: Vec<usize> = (0..head.target_channels().len())
        .filter(|&channel| head.channels[channel].targets.iter().any(|&target| weights[target] != 0.0))
        .collect();
    let count = active.len().min(MOST_SINGLE_CHANNELS);
    (0..count).map(|place| active[place * active.len() / count]).collect()
}

pub(super) fn with_changed(head: &Head, weights: &[f32], channel: usize) -> Vec<f32> {
    let mut changed = weights.to_vec();
    for &target in &head.channels[channel].targets {
        changed[target] *= 0.999;
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_evaluations_are_not_counted() {
        let times = [100.0, 0.01, 5.0, 4.0, 3.0, 9.0, 8.0, 7.0, 6.0];
        let mut next = times.iter();
        let measured = repeat(0.0, |_| *next.next().unwrap());
        assert_eq!(measured, Times { ms_min: 3.0, ms_median: 6.0, ms_noise: 3.0 });
        assert!(next.next().is_none(), "the minimum number of repetitions, as the budget is 0");
    }

    #[test]
    fn times_that_are_not_steady_are_measured_for_longer() {
        let count = |evaluate: &dyn Fn(usize) -> f64| {
            let mut count = 0;
            let times = repeat(1e-3, |turn| {
                count += 1;
                std::thread::sleep(std::time::Duration::from_micros(300));
                evaluate(turn)
            });
            (count, times)
        };
        let (steady, times) = count(&|_| 1.0);
        assert_eq!((steady, times.ms_noise), (2 + MIN_REPETITIONS, 0.0));
        // Ever faster: the minimum is never known.
        let (longer, times) = count(&|turn| 1.0 / (turn + 1) as f64);
        assert!(longer >= steady && times.ms_noise > 0.1 * times.ms_min, "{longer}, {times:?}");
    }

    #[test]
    fn the_time_at_rest_is_subtracted() {
        let (rest, additional) = compared_with_rest(0.0, &[1.0], |weights| if weights[0] == 0.0 { 6.0 } else { 8.5 });
        assert_eq!((rest.ms_min, additional), (6.0, Times { ms_min: 2.5, ms_median: 2.5, ms_noise: 0.0 }));
    }

    #[test]
    fn all_active_weights_change_each_time() {
        let mut last = Vec::new();
        all_changing(0.0, &[0.0, 0.5, 1.0], |weights| {
            assert_ne!(last, weights);
            assert!(weights[0] == 0.0 && weights[1] > 0.49 && weights[2] > 0.99);
            last = weights.to_vec();
            1.0
        });
    }
}
