//! The loader: reads heads, projects, takes and poses in a job. A new request cancels the one before. What is on screen
//! stays until the new file is loaded completely.

use std::sync::{Arc, Mutex};

use super::load_error::LoadError;
use super::request::{Load, LoadRequest, Loaded, MendWork};
use smirk_base::job::{CancelledJobs, Job, JobError, JobProgress, Worker};
use smirk_base::progress::Progress;
use smirk_base::watch::{FilesRead, Reading};
use smirk_face::head::Head;
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::Gpu;

/// At most one load under way, and how the last one failed.
#[derive(Debug)]
pub struct Loader {
    precision: Precision,
    load: Option<LoadUnderWay>,
    worker: Worker,
    /// Cancelled loads whose threads are still running. They use the graphics driver, so they are joined when the
    /// loader is dropped.
    cancelled: CancelledJobs<Result<Loaded, LoadError>>,
    /// Title and message of the last failure.
    failed: Option<(String, String)>,
    files_read: FilesRead,
    mending: Arc<Mutex<MendWork>>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum LoadStatus {
    Idle,
    Loading {
        name: String,
        stage: String,
        /// From 0 to 1.
        fraction: f32,
    },
    Failure {
        title: String,
        /// The cause, and what to do about it.
        message: String,
    },
}

#[derive(Debug)]
struct LoadUnderWay {
    name: String,
    /// Whether it reads the head again that is open: then its failure is not shown over the picture.
    is_reload: bool,
    /// Whether its progress is not shown over the picture.
    is_quiet: bool,
    reading: Reading,
    job: Job<Result<Loaded, LoadError>>,
}

impl Default for Loader {
    fn default() -> Self {
        Self::new(Precision::default())
    }
}

impl Loader {
    pub fn new(precision: Precision) -> Self {
        Self {
            precision,
            load: None,
            worker: Worker::default(),
            cancelled: CancelledJobs::default(),
            failed: None,
            files_read: FilesRead::from_files([]),
            mending: Arc::default(),
        }
    }

    /// Starts to read a file while a head is open, and to upload a head to the GPU; a load under way is cancelled.
    /// `notify` is called on the worker thread when the load ends; its many steps are seen in [`Self::status`].
    pub fn start(&mut self, request: LoadRequest, open: &Arc<Head>, gpu: &Gpu, notify: impl Fn() + Send + 'static) {
        self.start_for(request, [open, open], false, gpu, notify);
    }

    /// The same while a head is open that is mended: as it is, and as it was read. With `at_rest`, nothing will move the
    /// head that is opened, so that its first picture need not wait for its deltas.
    pub fn start_for(
        &mut self,
        request: LoadRequest,
        [open, unmended]: [&Arc<Head>; 2],
        at_rest: bool,
        gpu: &Gpu,
        notify: impl Fn() + Send + 'static,
    ) {
        self.clear();
        let (name, is_reload, is_quiet) = (request.name(), request.is_reload(), request.is_quiet());
        log::info!("opening {name}");
        let reading = Reading::begin();
        let (open, unmended, gpu) = (open.clone(), unmended.clone(), gpu.clone());
        let precision = self.precision;
        if !matches!(request, LoadRequest::Mend(_)) {
            // Another head may take its place, and what is kept of this one is large.
            self.mending = Arc::default();
        }
        let mending = self.mending.clone();
        let job = self.worker.spawn("loader", notify, move |control| {
            let report = |stage: &str, fraction: f32| control.report_quietly(stage, fraction);
            let _ = report("reading the file", 0.0);
            request.load(&Load {
                open,
                unmended,
                gpu: &gpu,
                precision,
                at_rest,
                progress: Progress::new(&report),
                frames_per_sec: None,
                mending: &mending,
            })
        });
        self.load = Some(LoadUnderWay { name, is_reload, is_quiet, reading, job });
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

    pub fn dismiss_failure(&mut self) {
        self.failed = None;
    }

    /// What was loaded, once, when the load has ended well.
    pub fn take(&mut self) -> Option<Loaded> {
        self.cancelled.clear_ended();
        let outcome = self.load.as_mut()?.job.poll()?;
        let LoadUnderWay { name, is_reload, reading, .. } = self.load.take()?;
        self.files_read = reading.end();
        let outcome = outcome.unwrap_or_else(|error| Err(LoadError::Other(job_failure(&error))));
        if let (Err(error), true) = (&outcome, is_reload) {
            return Some(Loaded::NotReloaded(failure(&name, error).1));
        }
        outcome
            .inspect(|_| log::info!("{name} opened"))
            .map_err(|error| self.failed = Some(failure(&name, &error)))
            .ok()
    }

    /// The progress of the load, or its failure. A head that is read again or mended is no load that anybody waits for.
    pub fn status(&self) -> LoadStatus {
        if let Some(load) = self.load.as_ref().filter(|load| !load.is_quiet) {
            let JobProgress { stage, fraction } = load.job.progress();
            return LoadStatus::Loading { name: load.name.clone(), stage, fraction };
        }
        match &self.failed {
            Some((title, message)) => LoadStatus::Failure { title: title.clone(), message: message.clone() },
            None => LoadStatus::Idle,
        }
    }

    pub fn is_busy(&self) -> bool {
        self.load.is_some()
    }

    /// Whether a load is under way that was requested, unlike that of a head whose files have changed.
    pub fn is_awaited(&self) -> bool {
        self.load.as_ref().is_some_and(|load| !load.is_quiet)
    }

    pub fn is_reloading(&self) -> bool {
        self.load.as_ref().is_some_and(|load| load.is_reload)
    }

    /// The files of the load that has ended last, with their stamps from before they were read.
    pub fn files_read(&self) -> &FilesRead {
        &self.files_read
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
