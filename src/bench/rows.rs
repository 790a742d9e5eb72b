//! From times to rows of the report: what the bytes are that moved meanwhile.

use super::Case;
use super::report::{Report, Row};
use super::sampler::{self, Times};
use crate::blend::{ActiveTargets, BlendMode, Layout, Precision};
use crate::head::Head;
use crate::render::TimingClock;

/// What was measured, at any number of active channels.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    pub mode: BlendMode,
    pub precision: Precision,
    pub threads: Option<usize>,
    pub clock: TimingClock,
}

impl Subject {
    /// As tables and progress have it.
    pub fn name(self) -> String {
        let threads = match self.threads {
            None => String::new(),
            Some(1) => ", 1 thread".into(),
            Some(threads) => format!(", {threads} threads"),
        };
        format!("{}, {}{threads}", self.mode.label(), self.precision.keyword())
    }

    /// What the last change of the lists makes it move.
    fn bytes(self, layout: &Layout, active: &ActiveTargets) -> u64 {
        if self.mode.caches_sums() { active.bytes_with_cached_sums(layout) } else { active.bytes(layout) }
    }

    fn row(self, case: &Case, changed: usize, times: Times, bytes: u64) -> Row {
        Row {
            mode: self.mode,
            layout: self.precision,
            threads: self.threads,
            active: case.active,
            changed,
            ms_min: times.ms_min,
            ms_median: times.ms_median,
            clock: self.clock,
            bytes,
            bandwidth_fraction: None,
            max_error_relative: None,
        }
    }
}

/// Every active weight changed.
pub fn all_moved(subject: Subject, layout: &Layout, case: &Case, times: Times) -> Row {
    let bytes = case.sets.iter().map(|set| {
        let mut active = ActiveTargets::new(layout);
        active.update(layout, set);
        subject.bytes(layout, &active)
    });
    subject.row(case, case.active, times, bytes.sum::<u64>() / case.sets.len().max(1) as u64)
}

/// One of the active channels changed.
pub fn one_moved(subject: Subject, layout: &Layout, head: &Head, case: &Case, times: Times) -> Row {
    let mut active = ActiveTargets::new(layout);
    let (mut bytes, mut moves) = (0, 0);
    for set in &case.sets {
        for channel in sampler::moved_channels(head, set) {
            active.update(layout, set);
            active.update(layout, &sampler::with_moved(head, set, channel));
            bytes += subject.bytes(layout, &active);
            moves += 1;
        }
    }
    subject.row(case, 1, times, bytes / moves.max(1))
}

impl Row {
    /// With its speed as part of a copy's, in the memory the mode works in.
    pub(super) fn beside_copy(self, report: &Report) -> Self {
        let of_gpu = report.copy_gb_per_s_gpu.filter(|_| self.mode.needs_adapter());
        let copy = of_gpu.unwrap_or(report.copy_gb_per_s);
        let fraction = self.bytes as f64 * 1e-6 / self.ms_min / copy;
        Self { bandwidth_fraction: Some(fraction).filter(|fraction| fraction.is_finite()), ..self }
    }
}
