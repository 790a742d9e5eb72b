//! Loads heads, projects, takes and poses on a worker thread. The newest request wins; what is on screen stays until the new
//! is whole.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::request::{LoadRequest, Loaded};
use crate::blend::Precision;
use crate::document::notice::Notice;
use crate::gpu::Gpu;

/// At most one load under way, and how the last one went.
#[derive(Debug, Default)]
pub struct Loader {
    /// How exactly heads keep their deltas.
    precision: Precision,
    job: Option<Job>,
    /// In a few words, and in full.
    failed: Option<(String, String)>,
}

#[derive(Debug)]
struct Job {
    name: String,
    progress: Arc<Mutex<(String, f32)>>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Result<Loaded, String>>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Loader {
    /// A loader of heads that keep their deltas so.
    pub fn new(precision: Precision) -> Self {
        Self { precision, ..Self::default() }
    }

    /// Begins to read a file, and to put a head on the GPU; a load under way is given up. `wake` is called, from the worker,
    /// whenever there is news.
    pub fn start(&mut self, request: LoadRequest, gpu: &Gpu, wake: impl Fn() + Send + 'static) {
        self.failed = None;
        let (send, result) = channel();
        let progress = Arc::new(Mutex::new(("reading the file".to_owned(), 0.0)));
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Job { name: request.name(), progress: progress.clone(), cancelled: cancelled.clone(), result };
        let (gpu, precision) = (gpu.clone(), self.precision);
        let work = move || {
            let report = |stage: &str, fraction: f32| {
                *progress.lock().unwrap_or_else(PoisonError::into_inner) = (stage.to_owned(), fraction);
                wake();
                if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let loaded = request.load(&gpu, precision, &report);
            // Nobody listens any more when a newer request has taken over.
            let _ = send.send(loaded);
            wake();
        };
        match std::thread::Builder::new().name("loader".into()).spawn(work) {
            Ok(_) => self.job = Some(job),
            Err(error) => self.failed = Some(failure(&job.name, format!("no thread to load with: {error}"))),
        }
    }

    /// Gives up the load under way.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Gives way to whatever is opened next: neither a load under way nor one that failed stands before it.
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
        let job = self.job.as_ref()?;
        let outcome = match job.result.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(outcome) => outcome,
            Err(TryRecvError::Disconnected) => {
                Err("the importer stopped without a word: a fault in Smirk. Please report it with this file".to_owned())
            }
        };
        let name = job.name.clone();
        self.job = None;
        outcome.map_err(|message| self.failed = Some(failure(&name, message))).ok()
    }

    /// What to show about it.
    pub fn status(&self) -> Notice {
        if let Some(job) = &self.job {
            let (stage, fraction) = job.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return Notice::Busy { name: job.name.clone(), stage, fraction };
        }
        match &self.failed {
            Some((title, message)) => Notice::Failed { title: title.clone(), message: message.clone() },
            None => Notice::Idle,
        }
    }

    /// Whether a load is under way.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }
}

/// Title and message: the title names the file, so the message need not.
fn failure(name: &str, message: String) -> (String, String) {
    let own = message.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")).map(str::to_owned);
    (format!("{name} did not open"), own.unwrap_or(message))
}
