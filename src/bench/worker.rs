//! The measurement on a thread of its own, for a window that goes on meanwhile.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::{Amount, BenchError, Plan, Report, measure, random_cases};
use crate::blend::Precision;
use crate::gpu::{Gpu, Prefer};
use crate::head::Head;

/// Someone waits and watches: what the command line measures in a minute takes seconds here.
const BUDGET_SECS: f64 = 0.08;
const SETS: usize = 2;

/// What the measurement of all modes is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing, and it has nothing to show.
    #[default]
    Idle,
    /// Measuring.
    Busy {
        /// What it is at.
        stage: String,
        /// 0..1.
        fraction: f32,
        /// It was given up, and ends its step.
        is_stopping: bool,
    },
    /// It has ended.
    Done(Arc<Report>),
    /// It could not; why.
    Failed(String),
}

/// At most one measurement under way, and how the last one went.
#[derive(Debug, Default)]
pub struct Worker {
    job: Option<Job>,
    outcome: Option<Result<Arc<Report>, String>>,
}

#[derive(Debug)]
struct Job {
    progress: Arc<Mutex<(String, f32)>>,
    cancelled: Arc<AtomicBool>,
    result: Receiver<Result<Report, BenchError>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Job {
    /// Waits for the step under way: a program must not end while a thread of it is with the graphics driver.
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It has said what it had to say.
            let _ = thread.join();
        }
    }
}

impl Worker {
    /// Begins to measure every mode, on a device of its own; one under way goes on. `wake` is called, from the worker,
    /// whenever there is news.
    pub fn start(&mut self, head: Arc<Head>, precision: Precision, wake: impl Fn() + Send + 'static) {
        if self.job.is_some() {
            return;
        }
        let (send, result) = channel();
        let progress = Arc::new(Mutex::new(("opening the adapter".to_owned(), 0.0)));
        let cancelled = Arc::new(AtomicBool::new(false));
        let (told, is_cancelled) = (progress.clone(), cancelled.clone());
        let work = move || {
            let mut tell = |stage: &str, fraction: f32| {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = (stage.to_owned(), fraction);
                wake();
                if is_cancelled.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let gpu = Gpu::headless(Prefer::Hardware).ok();
            let cases = random_cases(&head, &Amount::USUAL, SETS);
            let plan = Plan { budget_secs: BUDGET_SECS, precisions: vec![precision], ..Plan::new(cases) };
            // Nobody listens any more when the window is closing.
            let _ = send.send(measure(&head, gpu.as_ref(), &plan, &mut tell));
            wake();
        };
        match std::thread::Builder::new().name("bench".into()).spawn(work) {
            Ok(thread) => self.job = Some(Job { progress, cancelled, result, thread: Some(thread) }),
            Err(error) => self.outcome = Some(Err(format!("no thread to measure with: {error}"))),
        }
    }

    /// Gives up the measurement under way, after the step it is at. The last report stays.
    pub fn cancel(&mut self) {
        if let Some(job) = &self.job {
            job.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// What to show about it.
    pub fn status(&mut self) -> Status {
        self.take_result();
        if let Some(job) = &self.job {
            let (stage, fraction) = job.progress.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let is_stopping = job.cancelled.load(Ordering::Relaxed);
            return Status::Busy { stage, fraction, is_stopping };
        }
        match &self.outcome {
            None => Status::Idle,
            Some(Ok(report)) => Status::Done(report.clone()),
            Some(Err(message)) => Status::Failed(message.clone()),
        }
    }

    fn take_result(&mut self) {
        let Some(job) = &self.job else { return };
        match job.result.try_recv() {
            Err(TryRecvError::Empty) => return,
            Ok(Ok(report)) => self.outcome = Some(Ok(Arc::new(report))),
            Ok(Err(BenchError::Cancelled)) => {}
            Ok(Err(error)) => self.outcome = Some(Err(error.to_string())),
            Err(TryRecvError::Disconnected) => {
                self.outcome = Some(Err("the measurement stopped without a word: a fault in Smirk".into()));
            }
        }
        self.job = None;
    }
}
