//! Loads heads on a worker thread. The newest request wins; what is on screen stays until a new head is whole.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::blend::Layout;
use crate::gpu::Gpu;
use crate::import;
use crate::readout::Loading;
use crate::render::HeadOnGpu;
use crate::session::Source;

/// At most one load under way, and how the last one went.
#[derive(Debug, Default)]
pub struct Loader {
    job: Option<Job>,
    /// In a few words, and in full.
    failed: Option<(String, String)>,
}

#[derive(Debug)]
struct Job {
    source: Source,
    progress: Arc<Mutex<(String, f32)>>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Result<HeadOnGpu, String>>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

impl Loader {
    /// Begins to read a head and to put it on the GPU; a load under way is given up. `wake` is called, from the worker,
    /// whenever there is news.
    pub fn start(&mut self, source: Source, gpu: &Gpu, wake: impl Fn() + Send + 'static) {
        self.failed = None;
        let (send, result) = channel();
        let progress = Arc::new(Mutex::new(("reading the file".to_owned(), 0.0)));
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Job { source: source.clone(), progress: progress.clone(), cancelled: cancelled.clone(), result };
        let gpu = gpu.clone();
        let work = move || {
            let report = |stage: &str, fraction: f32| {
                *progress.lock().unwrap_or_else(PoisonError::into_inner) = (stage.to_owned(), fraction);
                wake();
                if cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let head = match &source {
                Source::Embedded => import::embedded(),
                Source::File(path) => import::open_with(path, &report),
            };
            let loaded = head.map_err(|error| error.to_string()).map(|head| {
                // From here on the work cannot be given up, only its result.
                let _ = report("laying out deltas", 0.9);
                let layout = Arc::new(Layout::new(&head));
                let _ = report("moving to the graphics adapter", 0.95);
                HeadOnGpu::new(&gpu, Arc::new(head), layout)
            });
            // Nobody listens any more when a newer request has taken over.
            let _ = send.send(loaded);
            wake();
        };
        match std::thread::Builder::new().name("loader".into()).spawn(work) {
            Ok(_) => self.job = Some(job),
            Err(error) => self.failed = Some(failure(&job.source, format!("no thread to load with: {error}"))),
        }
    }

    /// Gives up the load under way.
    pub fn cancel(&mut self) {
        self.job = None;
    }

    /// Forgets how the last load failed.
    pub fn dismiss_failure(&mut self) {
        self.failed = None;
    }

    /// The finished head and where it came from, once.
    pub fn take(&mut self) -> Option<(HeadOnGpu, Source)> {
        let job = self.job.as_ref()?;
        let outcome = match job.result.try_recv() {
            Err(TryRecvError::Empty) => return None,
            Ok(outcome) => outcome,
            Err(TryRecvError::Disconnected) => {
                Err("the importer stopped without a word: a fault in Smirk. Please report it with this file".to_owned())
            }
        };
        let source = job.source.clone();
        self.job = None;
        match outcome {
            Ok(loaded) => Some((loaded, source)),
            Err(message) => {
                self.failed = Some(failure(&source, message));
                None
            }
        }
    }

    /// What to show about it.
    pub fn status(&self) -> Loading {
        if let Some(job) = &self.job {
            let (stage, fraction) = job.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            return Loading::Busy { name: job.source.name(), stage, fraction };
        }
        match &self.failed {
            Some((title, message)) => Loading::Failed { title: title.clone(), message: message.clone() },
            None => Loading::Idle,
        }
    }

    /// Whether a load is under way.
    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }
}

fn failure(source: &Source, message: String) -> (String, String) {
    (format!("{} did not open", source.name()), message)
}
