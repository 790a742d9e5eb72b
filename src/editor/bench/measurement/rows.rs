//! Rows of the report: the measured times, and the bytes that were read and written in them.

use super::sampler::{self, Times};
use crate::bench::{Case, Report, Row};
use smirk_face::head::Head;
use smirk_graphics::blend::{ActiveTargets, BlendMode, Layout, Precision};
use smirk_picture::render::TimingClock;

/// The subject of a row: a mode, a layout and a number of threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub mode: BlendMode,
    pub precision: Precision,
    pub threads: Option<usize>,
    pub clock: TimingClock,
}

impl Subject {
    /// The name in tables and progress reports.
    pub(crate) fn name(self) -> String {
        let threads = match self.threads {
            None => String::new(),
            Some(1) => ", 1 thread".into(),
            Some(threads) => format!(", {threads} threads"),
        };
        format!("{}, {}{threads}", self.mode.label(), self.precision.keyword())
    }

    /// The bytes that a blend in this mode reads and writes after the last update of `active`.
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

/// The row for a change of every active weight.
pub(super) fn all_changed(subject: Subject, layout: &Layout, case: &Case, times: Times) -> Row {
    let bytes = case.sets.iter().map(|set| {
        let mut active = ActiveTargets::new(layout);
        active.update(layout, set);
        subject.bytes(layout, &active)
    });
    subject.row(case, case.active, times, bytes.sum::<u64>() / case.sets.len().max(1) as u64)
}

/// The row for a change of one active channel.
pub(super) fn one_changed(subject: Subject, layout: &Layout, head: &Head, case: &Case, times: Times) -> Row {
    let mut active = ActiveTargets::new(layout);
    let (mut bytes, mut moves) = (0, 0);
    for set in &case.sets {
        for channel in sampler::sampled_channels(head, set) {
            active.update(layout, set);
            active.update(layout, &sampler::with_changed(head, set, channel));
            bytes += subject.bytes(layout, &active);
            moves += 1;
        }
    }
    subject.row(case, 1, times, bytes / moves.max(1))
}

impl Row {
    /// The row with its speed as a fraction of that of a copy, in the memory that the mode uses.
    pub(super) fn compared_with_copy(self, report: &Report) -> Self {
        let of_gpu = report.copy_gb_per_s_gpu.filter(|_| self.mode.needs_adapter());
        let copy = of_gpu.unwrap_or(report.copy_gb_per_s);
        let fraction = self.bytes as f64 * 1e-6 / self.ms_min / copy;
        Self { bandwidth_fraction: Some(fraction).filter(|fraction| fraction.is_finite()), ..self }
    }
}
