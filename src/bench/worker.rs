//! The measurement as a job, so that the window is not blocked.

use std::sync::Arc;

use super::{Amount, BenchError, Plan, Report, measure, random_cases};
use crate::blend::Precision;
use crate::gpu::Gpu;
use crate::head::Head;
use crate::job::{Job, JobProgress, OnDrop};

/// The time for each measured number. It is shorter than that of the command line, so that the artist gets the result of all modes in
/// seconds instead of a minute.
const BUDGET_SECS: f64 = 0.08;
const SETS: usize = 2;

/// The state of the measurement of all modes.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was measured yet.
    #[default]
    Idle,
    /// A measurement is running.
    Busy {
        /// The name of the current step.
        stage: String,
        /// The progress, from 0 to 1.
        fraction: f32,
        /// The measurement was cancelled, and ends after this step.
        is_stopping: bool,
    },
    /// The report of the last measurement.
    Done(Arc<Report>),
    /// Why the last measurement failed.
    Failed(String),
}

/// The running measurement, if there is one, and how the last one ended.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    job: Option<Job<Result<Report, BenchError>>>,
    outcome: Option<Result<Arc<Report>, String>>,
}

impl Worker {
    /// Begins to measure every mode on another device of the adapter of `gpu`, so that waiting for the measurement does
    /// not slow down the window's device. Does nothing while a measurement is running. `notify` is called on the job's thread after every step and at the end.
    pub(crate) fn start(
        &mut self,
        head: Arc<Head>,
        gpu: &Gpu,
        precision: Precision,
        notify: impl Fn() + Send + 'static,
    ) {
        if self.job.is_some() {
            return;
        }
        let gpu = gpu.clone();
        self.job = Some(Job::spawn("bench", OnDrop::Join, notify, move |control| {
            let _ = control.report("opening the adapter", 0.0);
            let gpu = gpu.another_device().ok();
            let cases = random_cases(&head, &Amount::DEFAULT, SETS);
            let plan = Plan { budget_secs: BUDGET_SECS, precisions: vec![precision], ..Plan::new(cases) };
            measure(&head, gpu.as_ref(), &plan, &mut |stage, fraction| control.report(stage, fraction))
        }));
    }

    /// Cancels the running measurement, which ends after its current step. The last report stays.
    pub(crate) fn cancel(&mut self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// The state of the measurement, to be shown in a panel.
    pub(crate) fn status(&mut self) -> Status {
        self.take_result();
        if let Some(job) = &self.job {
            let JobProgress { stage, fraction } = job.progress();
            return Status::Busy { stage, fraction, is_stopping: job.is_cancelled() };
        }
        match &self.outcome {
            None => Status::Idle,
            Some(Ok(report)) => Status::Done(report.clone()),
            Some(Err(message)) => Status::Failed(message.clone()),
        }
    }

    fn take_result(&mut self) {
        let Some(result) = self.job.as_mut().and_then(Job::poll) else { return };
        self.job = None;
        match result {
            Ok(Ok(report)) => self.outcome = Some(Ok(Arc::new(report))),
            Ok(Err(BenchError::Cancelled)) => {}
            Ok(Err(error)) => self.outcome = Some(Err(error.to_string())),
            Err(error) => self.outcome = Some(Err(error.to_string())),
        }
    }
}
