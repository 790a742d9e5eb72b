//! One evaluation after the other, until their times can be believed.

use std::time::Instant;

use super::Case;
use crate::head::Head;

/// Fewer say nothing.
const LEAST_REPETITIONS: usize = 7;
/// More say nothing new.
const MOST_REPETITIONS: usize = 2000;
/// Of a great many active channels, so many evenly spread ones are moved one by one.
const MOST_MOVED: usize = 32;

/// What evaluations took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// The least.
    pub ms_min: f64,
    /// The middle one.
    pub ms_median: f64,
}

impl Times {
    /// Of one after the other.
    fn of(mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let middle = samples.len() / 2;
        Self {
            ms_min: samples.first().copied().unwrap_or_default(),
            ms_median: samples.get(middle).copied().unwrap_or_default(),
        }
    }

    /// Of several, one number each.
    fn mean(all: &[Self]) -> Self {
        let mean = |part: fn(&Self) -> f64| all.iter().map(part).sum::<f64>() / all.len().max(1) as f64;
        Self { ms_min: mean(|times| times.ms_min), ms_median: mean(|times| times.ms_median) }
    }

    /// What is left without a part that was measured alone.
    fn without(self, part: Self) -> Self {
        let less = |whole: f64, part: f64| (whole - part).max(0.0);
        Self { ms_min: less(self.ms_min, part.ms_min), ms_median: less(self.ms_median, part.ms_median) }
    }
}

/// Milliseconds from then to now.
pub fn ms_since(began: Instant) -> f64 {
    began.elapsed().as_secs_f64() * 1e3
}

/// Repeats an evaluation, which is told its number and tells its milliseconds, for some seconds; the first two do not count.
pub fn repeat(budget_secs: f64, mut evaluate: impl FnMut(usize) -> f64) -> Times {
    evaluate(0);
    evaluate(1);
    let began = Instant::now();
    let mut samples = Vec::new();
    while samples.len() < LEAST_REPETITIONS
        || (samples.len() < MOST_REPETITIONS && began.elapsed().as_secs_f64() < budget_secs)
    {
        samples.push(evaluate(samples.len()));
    }
    Times::of(samples)
}

/// What evaluations of a case took, averaged over its sets.
#[derive(Clone, Copy, Debug)]
pub struct Sampled {
    /// With all active weights changing.
    pub all: Times,
    /// With one channel changing and the others staying; none where there are no others, or that was not measured.
    pub one: Option<Times>,
}

/// Measures a case, so many seconds with all and so many with one channel changing.
pub fn evaluations(budget_secs: f64, head: &Head, case: &Case, mut evaluate: impl FnMut(&[f32]) -> f64) -> Sampled {
    let budget_secs = budget_secs / case.sets.len().max(1) as f64;
    let all: Vec<Times> = case.sets.iter().map(|set| all_changing(budget_secs, set, &mut evaluate)).collect();
    let mut one = |set: &Vec<f32>| one_changing(budget_secs, head, set, &mut evaluate);
    let one = (case.active > 1).then(|| case.sets.iter().map(&mut one).collect::<Vec<_>>());
    Sampled { all: Times::mean(&all), one: one.map(|times| Times::mean(&times)) }
}

/// Measures a case by what its draws take longer than the same at rest: what rest takes, and what comes on top.
pub fn draws(budget_secs: f64, case: &Case, mut evaluate: impl FnMut(&[f32]) -> f64) -> (Times, Times) {
    let budget_secs = budget_secs / case.sets.len().max(1) as f64;
    let (at_rest, more): (Vec<Times>, Vec<Times>) =
        case.sets.iter().map(|set| beside_rest(budget_secs, set, &mut evaluate)).unzip();
    (Times::mean(&at_rest), Times::mean(&more))
}

/// Every active weight changes at each evaluation, by a thousandth to and fro.
fn all_changing(budget_secs: f64, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> Times {
    let other: Vec<f32> = weights.iter().map(|weight| weight * 0.999).collect();
    let both = [weights, &other];
    repeat(budget_secs, |turn| evaluate(both[turn % 2]))
}

/// The same by turns with an evaluation at rest, so that both see the machine in the same mood: what rest takes, and what
/// the weights take on top of it. Between them an evaluation that does not count makes the lists of what is active, as it
/// does once when a slider leaves 0.
fn beside_rest(budget_secs: f64, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> (Times, Times) {
    let rest = vec![0.0; weights.len()];
    let mut at_rest = Vec::new();
    let other: Vec<f32> = weights.iter().map(|weight| weight * 0.999).collect();
    let times = repeat(budget_secs, |_| {
        at_rest.push(evaluate(&rest));
        evaluate(&other);
        evaluate(weights)
    });
    let at_rest = Times::of(at_rest);
    (at_rest, times.without(at_rest))
}

/// One active channel changes and the others stay: the mean over the channels.
fn one_changing(budget_secs: f64, head: &Head, weights: &[f32], mut evaluate: impl FnMut(&[f32]) -> f64) -> Times {
    let moved = moved_channels(head, weights);
    let times: Vec<Times> = moved
        .iter()
        .map(|&channel| {
            let other = with_moved(head, weights, channel);
            let both = [weights, &other];
            repeat(budget_secs / moved.len() as f64, |turn| evaluate(both[turn % 2]))
        })
        .collect();
    Times::mean(&times)
}

/// The active channels to move one by one.
pub fn moved_channels(head: &Head, weights: &[f32]) -> Vec<usize> {
    let is_active = |channel: &usize| head.channels[*channel].targets.iter().any(|&target| weights[target] != 0.0);
    let active: Vec<usize> = (0..head.target_channels().len()).filter(is_active).collect();
    let count = active.len().min(MOST_MOVED);
    (0..count).map(|place| active[place * active.len() / count]).collect()
}

/// The same weights but for one channel's.
pub fn with_moved(head: &Head, weights: &[f32], channel: usize) -> Vec<f32> {
    let mut moved = weights.to_vec();
    for &target in &head.channels[channel].targets {
        moved[target] *= 0.999;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_and_middle_leave_the_first_two_out() {
        let times = [100.0, 0.01, 5.0, 4.0, 3.0, 9.0, 8.0, 7.0, 6.0];
        let mut next = times.iter();
        let measured = repeat(0.0, |_| *next.next().unwrap());
        assert_eq!(measured, Times { ms_min: 3.0, ms_median: 6.0 });
        assert!(next.next().is_none(), "seven and no more, as there is no time");
    }

    #[test]
    fn what_rest_takes_is_taken_off() {
        let (rest, more) = beside_rest(0.0, &[1.0], |weights| if weights[0] == 0.0 { 6.0 } else { 8.5 });
        assert_eq!((rest.ms_min, more), (6.0, Times { ms_min: 2.5, ms_median: 2.5 }));
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
