//! The loader: reads heads, projects, takes and poses in a job. A new request cancels the one before. What is on screen stays until
//! the new file is loaded completely.

use super::load_error::LoadError;
use super::request::{LoadRequest, Loaded};
use crate::blend::Precision;
use crate::gpu::Gpu;
use crate::job::{CancelledJobs, Job, JobError, JobProgress, Worker};

/// At most one load under way, and how the last one failed.
#[derive(Debug, Default)]
pub struct Loader {
    /// The precision of the deltas of loaded heads.
    precision: Precision,
    load: Option<Load>,
    worker: Worker,
    /// Cancelled loads whose threads are still running. They use the graphics driver, so they are joined when the loader is dropped.
    cancelled: CancelledJobs<Result<Loaded, LoadError>>,
    /// Title and message of the last failure.
    failed: Option<(String, String)>,
}

/// What the loader is doing.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadStatus {
    /// Nothing.
    Idle,
    /// It loads a file.
    Loading {
        /// The file's name.
        name: String,
        /// The current step.
        stage: String,
        /// From 0 to 1.
        fraction: f32,
    },
    /// The last load failed.
    Failure {
        /// What failed, in a few words.
        title: String,
        /// The cause, and what to do about it.
        message: String,
    },
}

/// A load under way.
#[derive(Debug)]
struct Load {
    /// The name of the file.
    name: String,
    job: Job<Result<Loaded, LoadError>>,
}

impl Loader {
    /// A loader of heads with deltas of this precision.
    pub fn new(precision: Precision) -> Self {
        Self { precision, ..Self::default() }
    }

    /// Starts to read a file, and to upload a head to the GPU; a load under way is cancelled. `notify` is called on the worker
    /// thread after every step and when the load ends.
    pub fn start(&mut self, request: LoadRequest, gpu: &Gpu, notify: impl Fn() + Send + 'static) {
        self.clear();
        let name = request.name();
        log::info!("opening {name}");
        let (gpu, precision) = (gpu.clone(), self.precision);
        let job = self.worker.spawn("loader", notify, move |control| {
            let _ = control.report("reading the file", 0.0);
            request.load(&gpu, precision, &|stage, fraction| control.report(stage, fraction))
        });
        self.load = Some(Load { name, job });
    }

    /// Cancels the load under way. Its thread ends after the step it is at.
    pub fn cancel(&mut self) {
        self.cancelled.clear_ended();
        if let Some(load) = self.load.take() {
            self.cancelled.push(load.job);
        }
    }

    /// Makes way for whatever is opened next: cancels the load under way, and forgets the last failure.
    pub fn clear(&mut self) {
        self.cancel();
        self.dismiss_failure();
    }

    /// Forgets how the last load failed.
    pub fn dismiss_failure(&mut self) {
        self.failed = None;
    }

    /// What was loaded, once, when the load has ended well.
    pub fn take(&mut self) -> Option<Loaded> {
        self.cancelled.clear_ended();
        let outcome = self.load.as_mut()?.job.poll()?;
        let name = self.load.take()?.name;
        let outcome = outcome.unwrap_or_else(|error| Err(LoadError::Other(job_failure(&error))));
        outcome
            .inspect(|_| log::info!("{name} opened"))
            .map_err(|error| self.failed = Some(failure(&name, &error)))
            .ok()
    }

    /// The progress of the load, or its failure.
    pub fn status(&self) -> LoadStatus {
        if let Some(load) = &self.load {
            let JobProgress { stage, fraction } = load.job.progress();
            return LoadStatus::Loading { name: load.name.clone(), stage, fraction };
        }
        match &self.failed {
            Some((title, message)) => LoadStatus::Failure { title: title.clone(), message: message.clone() },
            None => LoadStatus::Idle,
        }
    }

    /// Whether a load is under way.
    pub fn is_busy(&self) -> bool {
        self.load.is_some()
    }
}

/// A load that ended without a result.
fn job_failure(error: &JobError) -> String {
    match error {
        JobError::NoThread(_) => error.to_string(),
        JobError::Panicked => format!("{error}. Please report it with this file"),
    }
}

/// Title and message of a failure. The title names the file, so the message does not.
fn failure(name: &str, error: &LoadError) -> (String, String) {
    let message = error.message_under(name);
    log::info!("{name} did not open: {message}");
    (format!("{name} did not open"), message)
}
