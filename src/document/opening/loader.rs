//! Loads heads, projects, takes and poses on a worker thread. The newest request wins; what is on screen stays until the new
//! is whole.

use super::load_error::LoadError;
use super::request::{LoadRequest, Loaded};
use crate::blend::Precision;
use crate::document::notice::Notice;
use crate::gpu::Gpu;
use crate::job::{CancelledJobs, Job, JobError, JobProgress, OnDrop};

/// At most one load under way, and how the last one failed.
#[derive(Debug, Default)]
pub struct Loader {
    /// How exactly heads keep their deltas.
    precision: Precision,
    load: Option<Load>,
    /// Loads that were given up. They put heads on the GPU, so that the loader joins them when it is dropped.
    cancelled: CancelledJobs<Result<Loaded, LoadError>>,
    /// In a few words, and in full.
    failed: Option<(String, String)>,
}

/// A load under way.
#[derive(Debug)]
struct Load {
    /// What is loaded, as the artist calls it.
    name: String,
    job: Job<Result<Loaded, LoadError>>,
}

impl Loader {
    /// A loader of heads that keep their deltas so.
    pub fn new(precision: Precision) -> Self {
        Self { precision, ..Self::default() }
    }

    /// Begins to read a file, and to put a head on the GPU; a load under way is cancelled. `notify` is called on the worker
    /// thread after every step and when the load ends.
    pub fn start(&mut self, request: LoadRequest, gpu: &Gpu, notify: impl Fn() + Send + 'static) {
        self.clear();
        let name = request.name();
        log::info!("opening {name}");
        let (gpu, precision) = (gpu.clone(), self.precision);
        let job = Job::spawn("loader", OnDrop::Join, notify, move |control| {
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

    /// What was loaded, once.
    pub fn take(&mut self) -> Option<Loaded> {
        self.cancelled.clear_ended();
        let outcome = self.load.as_mut()?.job.poll()?;
        let name = self.load.take()?.name;
        let outcome = outcome.unwrap_or_else(|error| Err(LoadError::Other(job_failure(&error))));
        outcome.map_err(|error| self.failed = Some(failure(&name, &error))).ok()
    }

    /// What to show about it.
    pub fn status(&self) -> Notice {
        if let Some(load) = &self.load {
            let JobProgress { stage, fraction } = load.job.progress();
            return Notice::Loading { name: load.name.clone(), stage, fraction };
        }
        match &self.failed {
            Some((title, message)) => Notice::Failure { title: title.clone(), message: message.clone() },
            None => Notice::Idle,
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

/// Title and message: the title names the file, so the message need not.
fn failure(name: &str, error: &LoadError) -> (String, String) {
    let message = error.message_under(name);
    log::info!("{name} did not open: {message}");
    (format!("{name} did not open"), message)
}
