//! The measurement as a job, so that the window is not blocked.

use std::sync::Arc;

use super::{Amount, BenchError, Plan, Report, measure, random_cases};
use smirk_base::job::{JobStatus, OnDrop, RepeatedJob};
use smirk_face::head::Head;
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::Gpu;

/// The time for each measured number. It is shorter than that of the command line, so that the artist gets the result of all modes in
/// seconds instead of a minute.
const BUDGET_SECS: f64 = 0.08;
const SETS: usize = 2;

/// The state of the measurement of all modes.
pub type Status = JobStatus<Report>;

/// The running measurement, if there is one, and how the last one ended.
#[derive(Debug, Default)]
pub struct Worker(RepeatedJob<Report>);

impl Worker {
    /// Begins to measure every mode on another device of the adapter of `gpu`, so that waiting for the measurement does
    /// not slow down the window's device. Does nothing while a measurement is running. `notify` is called on the job's thread after every step and at the end.
    pub fn start(&mut self, head: Arc<Head>, gpu: &Gpu, precision: Precision, notify: impl Fn() + Send + 'static) {
        let gpu = gpu.clone();
        self.0.start("bench", OnDrop::Join, notify, move |control| {
            control.progress().report("opening the adapter", 0.0)?;
            let gpu = gpu.another_device().ok();
            let cases = random_cases(&head, &Amount::DEFAULT, SETS);
            let plan = Plan { budget_secs: BUDGET_SECS, precisions: vec![precision], ..Plan::new(cases) };
            match measure(&head, gpu.as_ref(), &plan, control.progress()) {
                Err(BenchError::Cancelled(cancelled)) => Err(cancelled),
                measured => Ok(measured.map_err(|error| error.to_string())),
            }
        });
    }

    /// Cancels the running measurement, which ends after its current step. The last report stays.
    pub fn cancel(&mut self) {
        self.0.cancel();
    }

    /// The state of the measurement, to be shown in a panel.
    pub fn status(&mut self) -> Status {
        self.0.status()
    }
}
