//! Progress of an import, and the way to cancel it.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::error::Fault;

/// Called with the current stage in words and the share of the work that is done (0..1). `Break` cancels the import.
pub type Progress<'a> = dyn Fn(&str, f32) -> ControlFlow<()> + 'a;

/// Reports progress; returns [`Fault::Cancelled`] if the caller cancels the import.
pub(super) fn report(progress: &Progress<'_>, stage: &str, fraction: f32) -> Result<(), Fault> {
    match progress(stage, fraction) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Fault::Cancelled),
    }
}

/// Asks now and then, within a long loop, whether the import is cancelled.
pub(super) struct Ticks<'a> {
    progress: &'a Progress<'a>,
    stage: &'static str,
    fraction: f32,
    last_report: Option<Instant>,
}

impl<'a> Ticks<'a> {
    /// Shares of the work that are closer together are not reported one by one.
    const LEAST_GROWTH: f32 = 1e-3;
    /// Short enough to cancel at once, long enough to cost nothing.
    const BETWEEN_REPORTS: Duration = Duration::from_millis(10);

    /// Reports `stage` and `fraction` whenever it asks.
    pub(super) fn new(progress: &'a Progress<'a>, stage: &'static str, fraction: f32) -> Self {
        Self { progress, stage, fraction, last_report: None }
    }

    /// Reports if the last report was a while ago; returns [`Fault::Cancelled`] if the caller has cancelled the import.
    pub(super) fn tick(&mut self) -> Result<(), Fault> {
        self.tick_at(self.fraction)
    }

    /// Like [`Self::tick`], at another share of the work.
    pub(super) fn tick_at(&mut self, fraction: f32) -> Result<(), Fault> {
        let now = Instant::now();
        let is_recent = self.last_report.is_some_and(|last| now.duration_since(last) < Self::BETWEEN_REPORTS);
        if is_recent && fraction - self.fraction < Self::LEAST_GROWTH {
            return Ok(());
        }
        (self.last_report, self.fraction) = (Some(now), fraction);
        report(self.progress, self.stage, fraction)
    }
}
