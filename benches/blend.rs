//! An evaluation in CPU mode: `cargo bench -p smirk-benches --bench blend`. `smirk bench` measures all modes, and the bytes they move.

mod heads;

use std::fmt;

use divan::Bencher;
use heads::Subject;
use smirk_editor::bench::{Amount, random_cases};
use smirk_face::head::Head;
use smirk_graphics::blend::{ActiveTargets, CpuBlend, Layout, Precision};

fn main() {
    divan::main();
}

/// A head and the number of its active channels.
struct Case(Subject, Amount);

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} active", self.0, self.1)
    }
}

fn cases() -> impl Iterator<Item = Case> {
    let amounts = [Amount::Number(1), Amount::Number(12), Amount::All];
    Subject::ALL.into_iter().flat_map(move |subject| amounts.map(|amount| Case(subject, amount)))
}

/// Every active weight changes; the deltas are packed.
#[divan::bench(args = cases())]
fn packed(bencher: Bencher, case: &Case) {
    all_changing(bencher, case, Precision::Packed);
}

/// Every active weight changes; the deltas are 32-bit floats.
#[divan::bench(args = cases())]
fn exact(bencher: Bencher, case: &Case) {
    all_changing(bencher, case, Precision::Exact);
}

/// One weight changes while all are active.
#[divan::bench(args = Subject::ALL)]
fn one_of_all(bencher: Bencher, subject: Subject) {
    let head = subject.head();
    let weights = weights(&head, Amount::All);
    let mut moved = weights.clone();
    head.channels[head.channels.len() / 2].targets.iter().for_each(|&target| moved[target] *= 0.999);
    evaluate(bencher, &Layout::new(&head, Precision::Packed), [&weights, &moved]);
}

fn all_changing(bencher: Bencher, case: &Case, precision: Precision) {
    let head = case.0.head();
    let weights = weights(&head, case.1);
    let moved: Vec<f32> = weights.iter().map(|weight| weight * 0.999).collect();
    evaluate(bencher, &Layout::new(&head, precision), [&weights, &moved]);
}

/// Evaluates with two weight vectors by turns.
fn evaluate(bencher: Bencher, layout: &Layout, weights: [&[f32]; 2]) {
    let (mut active, mut blend) = (ActiveTargets::new(layout), CpuBlend::new(layout));
    let mut turn = 0;
    bencher.bench_local(|| {
        turn += 1;
        active.update(layout, weights[turn % 2]);
        blend.evaluate(layout, &active);
    });
}

fn weights(head: &Head, amount: Amount) -> Vec<f32> {
    random_cases(head, &[amount], 1).remove(0).sets.remove(0)
}
