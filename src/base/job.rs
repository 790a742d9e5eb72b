//! Work on a thread of its own while the window goes on. It reports progress, can be cancelled, and notifies the event
//! loop. No other code starts a thread, but for those that wait for signals and for changes of files, and for those
//! within the upload of a head, which end with it (`rayon` shares work among cores and is no job).

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;

use super::progress::{Cancelled, Progress, Report};

/// What happens to the thread of a job that is dropped before it ends. Either way the job is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDrop {
    /// The drop waits for the thread. For work that uses the graphics driver, since drivers crash when the process ends
    /// under one of their threads; and for work that writes a file, which would be left unwritten.
    Join,
    /// The thread runs on by itself, and its result is discarded. For work that may take long and harms nothing.
    Detach,
}

#[derive(Debug, Error)]
pub enum JobError {
    /// The system refused to start a thread.
    #[error("the system does not start another thread: {0}")]
    NoThread(#[from] std::io::Error),
    #[error("it stopped unexpectedly, which is a fault in Smirk")]
    Panicked,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct JobProgress {
    /// The step it is at, in a few words; empty before the first report.
    pub stage: String,
    /// From 0 to 1.
    pub fraction: f32,
}

/// The work's own view of its job: reports progress, and learns that it was cancelled.
pub struct JobControl {
    shared: Arc<Shared>,
    notify: Box<dyn Fn() + Send>,
}

#[derive(Debug, Default)]
struct Shared {
    progress: Mutex<JobProgress>,
    is_cancelled: AtomicBool,
}

impl JobControl {
    /// The progress of the job. Each report notifies the event loop; it is an error once the job is cancelled.
    pub fn progress(&self) -> Progress<'_> {
        Progress::from_dyn(self)
    }

    /// Reports like [`Self::progress`] without a notification, for work of many quick steps, whose progress is shown at
    /// the frames of the window.
    pub fn report_quietly(&self, stage: &str, fraction: f32) -> Result<(), Cancelled> {
        let progress = JobProgress { stage: stage.to_owned(), fraction };
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner) = progress;
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::Relaxed)
    }
}

impl Report for JobControl {
    fn report(&self, stage: &str, fraction: f32) -> Result<(), Cancelled> {
        let outcome = self.report_quietly(stage, fraction);
        (self.notify)();
        outcome
    }
}

/// Work on a thread of its own, and its result once it ends.
pub struct Job<T> {
    shared: Arc<Shared>,
    result: Receiver<T>,
    /// `None` once it was joined; an error if there never was a thread.
    thread: Option<Result<Thread, std::io::Error>>,
    on_drop: OnDrop,
}

enum Thread {
    Own(JoinHandle<()>),
    /// That of a [`Worker`]. The channel is closed when the job has ended.
    OfWorker(Receiver<()>),
}

impl Thread {
    /// Waits for the job to end. A panic was reported by [`Job::poll`], or is of no interest any more.
    fn join(self) {
        match self {
            Self::Own(thread) => drop(thread.join()),
            Self::OfWorker(ended) => drop(ended.recv()),
        }
    }
}

/// A thread that runs jobs one after the other. On Linux, the memory that a thread allocates is kept for the next
/// thread that happens to get it: if every load had a thread of its own, each would keep the memory of a head.
#[derive(Debug, Default)]
pub struct Worker(Option<Sender<Task>>);

type Task = Box<dyn FnOnce() + Send>;

impl Worker {
    /// Runs `work` once the jobs before have ended. Otherwise like [`Job::spawn`] with [`OnDrop::Join`].
    pub fn spawn<T: Send + 'static>(
        &mut self,
        name: &str,
        notify: impl Fn() + Send + 'static,
        work: impl FnOnce(&JobControl) -> T + Send + 'static,
    ) -> Job<T> {
        let (running, ended) = channel::<()>();
        Job::start(OnDrop::Join, notify, work, |run| {
            let task: Task = Box::new(move || {
                run();
                drop(running);
            });
            self.run(name, task).map(|()| Thread::OfWorker(ended))
        })
    }

    fn run(&mut self, name: &str, task: Task) -> std::io::Result<()> {
        if self.0.is_none() {
            let (send, tasks) = channel::<Task>();
            std::thread::Builder::new()
                .name(name.to_owned())
                .spawn(move || tasks.into_iter().for_each(|task| task()))?;
            self.0 = Some(send);
        }
        // The thread ends only with the worker: a task that panics has caught that.
        if let Some(tasks) = &self.0 {
            let _ = tasks.send(task);
        }
        Ok(())
    }
}

/// The system starts no more threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "the system starts no more threads: raise the limit (ulimit -u, or that of the container), or close other programs"
)]
pub struct NoThread;

impl<T: Send + 'static> Job<T> {
    /// Starts `work` on a thread called `name`. `notify` is called on that thread after every report to
    /// [`JobControl::progress`] and when the work has ended, also by a panic. A thread that does not start is reported
    /// by [`Self::poll`].
    pub fn spawn(
        name: &str,
        on_drop: OnDrop,
        notify: impl Fn() + Send + 'static,
        work: impl FnOnce(&JobControl) -> T + Send + 'static,
    ) -> Self {
        Self::start(on_drop, notify, work, |run| {
            std::thread::Builder::new().name(name.to_owned()).spawn(run).map(Thread::Own)
        })
    }

    fn start(
        on_drop: OnDrop,
        notify: impl Fn() + Send + 'static,
        work: impl FnOnce(&JobControl) -> T + Send + 'static,
        start: impl FnOnce(Task) -> std::io::Result<Thread>,
    ) -> Self {
        let (send, result) = channel();
        let shared = Arc::new(Shared::default());
        let control = JobControl { shared: shared.clone(), notify: Box::new(notify) };
        let run = Box::new(move || {
            // The event loop must also be notified of a panic, which `poll` reports once the channel is closed without
            // a result.
            if let Ok(result) = catch_unwind(AssertUnwindSafe(|| work(&control))) {
                // The receiver is gone if the job was dropped; then the result is not wanted.
                let _ = send.send(result);
            }
            drop(send);
            (control.notify)();
        });
        Self { shared, result, thread: Some(start(run)), on_drop }
    }
}

impl<T> Job<T> {
    /// The result, once; `None` before the work ends.
    pub fn poll(&mut self) -> Option<Result<T, JobError>> {
        self.wait_for(Duration::ZERO)
    }

    pub fn wait(mut self) -> Result<T, JobError> {
        self.result.recv().map_err(|_| self.failure())
    }

    /// Waits at most so long for the work to end. The result, once; `None` before the work ends.
    pub fn wait_for(&mut self, most: Duration) -> Option<Result<T, JobError>> {
        match self.result.recv_timeout(most) {
            Ok(result) => Some(Ok(result)),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(self.failure())),
        }
    }

    pub fn progress(&self) -> JobProgress {
        self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the work to stop at its next progress report.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
    }

    pub fn is_cancelled(&self) -> bool {
        self.shared.is_cancelled.load(Ordering::Relaxed)
    }

    fn failure(&mut self) -> JobError {
        match self.thread.take_if(|thread| thread.is_err()) {
            Some(Err(error)) => JobError::NoThread(error),
            _ => JobError::Panicked,
        }
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel();
        if let (OnDrop::Join, Some(Ok(thread))) = (self.on_drop, self.thread.take()) {
            thread.join();
        }
    }
}

impl<T> fmt::Debug for Job<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job").field("progress", &self.progress()).finish_non_exhaustive()
    }
}

/// Cancelled jobs whose threads are still running. A cancelled job that must be joined is put here rather than dropped,
/// so that the window does not wait for it; all are joined when the list is dropped.
pub struct CancelledJobs<T>(Vec<Job<T>>);

impl<T> Default for CancelledJobs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> fmt::Debug for CancelledJobs<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0).finish()
    }
}

impl<T> CancelledJobs<T> {
    /// Cancels a job and keeps it until its thread ends.
    pub fn push(&mut self, job: Job<T>) {
        job.cancel();
        self.0.push(job);
    }

    pub fn clear_ended(&mut self) {
        self.0.retain_mut(|job| job.poll().is_none());
    }
}

/// How far work is that is begun again and again, as a panel shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JobStatus<T> {
    #[default]
    Idle,
    Busy {
        stage: String,
        fraction: f32,
        /// It was cancelled, and ends after this step.
        is_stopping: bool,
    },
    Done(Arc<T>),
    Failed(String),
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, channel, sync_channel};
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(120);

    #[test]
    fn a_job_reports_its_progress_and_gives_its_result_once() {
        let (send, notified) = channel();
        let (go_on, may_go_on) = sync_channel::<()>(0);
        let notify = move || send.send(()).unwrap();
        let mut job = Job::spawn("test", OnDrop::Join, notify, move |control| {
            let outcome = control.progress().report("half of it", 0.5);
            may_go_on.recv().unwrap();
            (outcome, 7)
        });
        notified.recv_timeout(LONG).unwrap();
        assert_eq!(job.progress(), JobProgress { stage: "half of it".into(), fraction: 0.5 });
        assert!(job.poll().is_none());
        go_on.send(()).unwrap();
        notified.recv_timeout(LONG).unwrap();
        assert_eq!(job.poll().unwrap().unwrap(), (Ok(()), 7));
    }

    #[test]
    fn cancelled_work_learns_of_it() {
        let (go_on, may_go_on) = sync_channel::<()>(0);
        let job = Job::spawn(
            "test",
            OnDrop::Join,
            || {},
            move |control| {
                may_go_on.recv().unwrap();
                control.progress().report("on and on", 0.5)
            },
        );
        job.cancel();
        go_on.send(()).unwrap();
        assert!(job.is_cancelled() && job.wait().unwrap() == Err(Cancelled));
    }

    /// Works until it is cancelled, a moment longer, and until it may end.
    fn stubborn(on_drop: OnDrop) -> (Job<()>, SyncSender<()>, Arc<AtomicBool>) {
        let has_ended = Arc::new(AtomicBool::new(false));
        let ended = has_ended.clone();
        let (end, may_end) = sync_channel(1);
        let job = Job::spawn(
            "test",
            on_drop,
            || {},
            move |control| {
                while !control.is_cancelled() {
                    std::thread::yield_now();
                }
                std::thread::sleep(Duration::from_millis(200));
                may_end.recv().unwrap();
                ended.store(true, Ordering::Release);
            },
        );
        (job, end, has_ended)
    }

    #[test]
    fn a_drop_waits_for_the_thread_only_if_it_must() {
        let (job, end, has_ended) = stubborn(OnDrop::Join);
        end.send(()).unwrap();
        drop(job);
        assert!(has_ended.load(Ordering::Acquire));
        let (job, end, has_ended) = stubborn(OnDrop::Detach);
        drop(job);
        assert!(!has_ended.load(Ordering::Acquire));
        end.send(()).unwrap();
    }

    #[test]
    fn cancelled_jobs_are_waited_for_when_their_list_is_dropped_and_not_before() {
        let (job, end, has_ended) = stubborn(OnDrop::Join);
        let mut cancelled = CancelledJobs::default();
        cancelled.push(job);
        cancelled.clear_ended();
        assert!(!has_ended.load(Ordering::Acquire));
        end.send(()).unwrap();
        drop(cancelled);
        assert!(has_ended.load(Ordering::Acquire));
    }

    #[test]
    fn a_worker_runs_one_job_after_the_other_on_one_thread_and_outlives_a_panic() {
        let mut worker = Worker::default();
        let thread = |_: &JobControl| std::thread::current().id();
        let first = worker.spawn("test", || {}, thread);
        let panics: Job<()> = worker.spawn("test", || {}, |_| panic!("on purpose"));
        let last = worker.spawn("test", || {}, thread);
        assert!(matches!(panics.wait(), Err(JobError::Panicked)));
        assert_eq!(first.wait().unwrap(), last.wait().unwrap());
        let held = Arc::new(());
        let held_by_job = held.clone();
        drop(worker.spawn(
            "test",
            move || drop(held_by_job.clone()),
            |_| std::thread::sleep(Duration::from_millis(50)),
        ));
        assert_eq!(Arc::strong_count(&held), 1, "the drop waits for the job");
    }

    #[test]
    fn work_that_panics_is_an_error() {
        let job: Job<()> = Job::spawn("test", OnDrop::Join, || {}, |_| panic!("on purpose"));
        assert!(matches!(job.wait(), Err(JobError::Panicked)));
    }

    #[test]
    fn the_event_loop_is_notified_of_a_panic_once_it_can_be_polled() {
        let (send, notified) = channel();
        let notify = move || send.send(()).unwrap();
        let mut job: Job<()> = Job::spawn("test", OnDrop::Join, notify, |_| panic!("on purpose"));
        notified.recv_timeout(LONG).expect("no notification");
        assert!(matches!(job.poll(), Some(Err(JobError::Panicked))));
    }
}
