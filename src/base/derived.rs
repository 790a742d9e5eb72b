//! Outputs that are computed from an input by a job.

use std::sync::Arc;

use crate::job::{Job, JobProgress, JobStatus};

/// A job that computes an output, or says why there is none.
pub type Computing<Output> = Job<anyhow::Result<Output>>;

/// An output that is computed from an input, and the job that computes it. Whoever asks for the output names the input,
/// and gets nothing of another one.
#[derive(Debug)]
pub struct Derived<Input, Output> {
    /// The input of the latest job, or of the one that is to begin.
    input: Option<Input>,
    /// Whether the job of the input has begun. It begins once, however it ends.
    has_begun: bool,
    job: Option<Computing<Output>>,
    latest: Option<anyhow::Result<Output>>,
}

impl<Input, Output> Default for Derived<Input, Output> {
    fn default() -> Self {
        Self { input: None, has_begun: false, job: None, latest: None }
    }
}

impl<Input: PartialEq, Output> Derived<Input, Output> {
    /// What is derived from this input. If it is another one than before, the job and the output are given up.
    pub fn for_input(&mut self, input: Input) -> &mut Self {
        if self.input.as_ref() != Some(&input) {
            *self = Self { input: Some(input), ..Self::default() };
        }
        self
    }

    /// Follows an input: its job begins when it `is_ready`. Returns whether the job has just ended.
    pub fn follow(&mut self, input: Input, is_ready: bool, begin: impl FnOnce() -> Computing<Output>) -> bool {
        let derived = self.for_input(input);
        if is_ready && !std::mem::replace(&mut derived.has_begun, true) {
            derived.job = Some(begin());
        }
        derived.poll()
    }

    /// Follows an input that may change in every frame: the job of another one is not given up, and the output stays
    /// until there is a new one. Returns whether a job has just ended.
    pub fn follow_latest(&mut self, input: Input, begin: impl FnOnce(&Input) -> Computing<Output>) -> bool {
        let has_ended = self.poll();
        if self.job.is_none() && self.input.as_ref() != Some(&input) {
            (self.job, self.has_begun) = (Some(begin(&input)), true);
            self.input = Some(input);
        }
        has_ended
    }

    /// Begins the job of an input, again if it has ended, unless it is running.
    pub fn start(&mut self, input: Input, begin: impl FnOnce() -> Computing<Output>) {
        self.for_input(input).poll();
        self.job.get_or_insert_with(begin);
    }

    /// Cancels the job, which ends after its current step. The latest output stays.
    pub fn cancel(&self) {
        self.job.iter().for_each(Job::cancel);
    }

    fn poll(&mut self) -> bool {
        let Some(job) = &mut self.job else { return false };
        let is_cancelled = job.is_cancelled();
        let Some(ended) = job.poll() else { return false };
        let ended = ended.map_err(anyhow::Error::from).flatten();
        if ended.is_ok() || !is_cancelled {
            self.latest = Some(ended);
        }
        self.job = None;
        true
    }

    pub fn set(&mut self, input: Input, output: Output) {
        *self = Self { input: Some(input), has_begun: true, job: None, latest: Some(Ok(output)) };
    }

    pub fn input(&self) -> Option<&Input> {
        self.input.as_ref()
    }

    pub fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// How far the job is; `None` if none is running.
    pub fn progress(&self) -> Option<JobProgress> {
        self.job.as_ref().map(Job::progress)
    }

    /// How the latest job of this input ended; `None` before any has.
    pub fn outcome(&self, input: &Input) -> Option<&anyhow::Result<Output>> {
        self.latest.as_ref().filter(|_| self.input.as_ref() == Some(input))
    }

    pub fn output(&self, input: &Input) -> Option<&Output> {
        self.outcome(input)?.as_ref().ok()
    }

    /// How the latest job of [`Self::follow_latest`] ended, which may be that of the input before.
    pub fn latest(&self) -> Option<&anyhow::Result<Output>> {
        self.latest.as_ref()
    }

    /// The output of that job.
    pub fn latest_output(&self) -> Option<&Output> {
        self.latest()?.as_ref().ok()
    }

    /// Takes how the latest job of this input ended. The output is not computed again for the same input.
    pub fn take(&mut self, input: &Input) -> Option<anyhow::Result<Output>> {
        self.poll();
        self.latest.take_if(|_| self.input.as_ref() == Some(input))
    }

    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

impl<Input: PartialEq, Output> Derived<Input, Arc<Output>> {
    /// How far the output of this input is, as a panel shows it.
    pub fn status(&mut self, input: &Input) -> JobStatus<Output> {
        self.poll();
        if self.input.as_ref() != Some(input) {
            return JobStatus::Idle;
        }
        match (&self.job, &self.latest) {
            (Some(job), _) => {
                let JobProgress { stage, fraction } = job.progress();
                JobStatus::Busy { stage, fraction, is_stopping: job.is_cancelled() }
            }
            (None, None) => JobStatus::Idle,
            (None, Some(Ok(output))) => JobStatus::Done(output.clone()),
            (None, Some(Err(error))) => JobStatus::Failed(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;
    use crate::job::{JobError, OnDrop};
    use crate::progress::Cancelled;
    use anyhow::anyhow;

    /// A job that ends with `output`, and what tells that it has.
    fn job(output: u8) -> (Computing<u8>, Receiver<()>) {
        let (send, ended) = channel();
        (Job::spawn("test", OnDrop::Join, move || send.send(()).unwrap_or_default(), move |_| Ok(output)), ended)
    }

    fn wait(ended: &Receiver<()>) {
        ended.recv_timeout(Duration::from_secs(120)).unwrap();
    }

    #[test]
    fn each_input_has_one_job_which_begins_when_it_is_ready() {
        let mut derived = Derived::default();
        for input in ["a", "b"] {
            assert!(!derived.follow(input, false, || unreachable!()) && !derived.is_busy());
            assert_eq!(derived.output(&input), None, "that of the input before is given up");
            let (job, ended) = job(7);
            let has_ended = derived.follow(input, true, || job);
            wait(&ended);
            assert!(has_ended || derived.follow(input, true, || unreachable!()));
            assert!(!derived.follow(input, false, || unreachable!()), "it is said once");
            assert_eq!(derived.output(&input), Some(&7), "it stays while it is not ready");
            assert!(derived.output(&"c").is_none() && derived.take(&"c").is_none(), "it is that of its input only");
        }
        assert_eq!((derived.take(&"b").map(Result::unwrap), derived.output(&"b")), (Some(7), None));
        assert!(!derived.follow("b", true, || unreachable!()), "nor is it computed again once it was taken");
        derived.forget();
        assert_eq!(derived.input(), None);
        derived.set("c", 9);
        assert!(!derived.follow("c", true, || unreachable!()) && derived.output(&"c") == Some(&9));
    }

    #[test]
    fn what_follows_an_input_that_changes_all_the_time_keeps_its_output_until_the_next() {
        let mut derived = Derived::default();
        let (first, first_ended) = job(1);
        derived.follow_latest("a", |_| first);
        assert!(derived.is_busy() && derived.latest_output().is_none());
        wait(&first_ended);
        let (second, second_ended) = job(2);
        assert!(derived.follow_latest("b", |_| second) && derived.is_busy());
        assert_eq!((derived.latest_output(), derived.output(&"a")), (Some(&1), None));
        wait(&second_ended);
        assert!(derived.follow_latest("b", |_| unreachable!()) && !derived.is_busy());
        assert_eq!((derived.latest_output(), derived.output(&"b")), (Some(&2), Some(&2)));
    }

    #[test]
    fn a_job_that_stops_unexpectedly_is_not_begun_again() {
        let mut derived: Derived<&str, u8> = Derived::default();
        let (send, ended) = channel();
        let notify = move || send.send(()).unwrap_or_default();
        derived.follow("a", true, || Job::spawn("test", OnDrop::Join, notify, |_| panic!("on purpose")));
        wait(&ended);
        derived.follow("a", true, || unreachable!());
        let why = derived.outcome(&"a").and_then(|ended| ended.as_ref().err()?.downcast_ref());
        assert!(matches!(why, Some(JobError::Panicked)) && derived.output(&"a").is_none());
    }

    /// Starts a job that ends once something is sent to it, with what that says.
    fn start(
        derived: &mut Derived<&'static str, Arc<u8>>,
        outcome: anyhow::Result<u8>,
    ) -> (impl Fn() + use<>, Receiver<()>) {
        let (end, may_end) = channel();
        let (notify, notified) = channel();
        let notify = move || notify.send(()).unwrap_or_default();
        derived.start("a", || {
            Job::spawn("test", OnDrop::Join, notify, move |control| {
                let _ = control.progress().report("half of it", 0.5);
                may_end.recv().unwrap();
                outcome.map(Arc::new)
            })
        });
        wait(&notified);
        (move || end.send(()).unwrap(), notified)
    }

    #[test]
    fn it_is_done_once_at_a_time_and_a_cancelled_job_leaves_the_last_result() {
        let mut derived = Derived::default();
        let ended = |derived: &mut Derived<_, Arc<u8>>, notified: &Receiver<()>| {
            while derived.is_busy() {
                wait(notified);
                derived.status(&"a");
            }
            derived.status(&"a")
        };
        assert_eq!(derived.status(&"a"), JobStatus::Idle);
        let (end, notified) = start(&mut derived, Ok(7));
        let busy = |is_stopping| JobStatus::Busy { stage: "half of it".into(), fraction: 0.5, is_stopping };
        assert_eq!(derived.status(&"a"), busy(false));
        derived.start("a", || unreachable!());
        end();
        assert_eq!(ended(&mut derived, &notified), JobStatus::Done(Arc::new(7)));
        let (end, notified) = start(&mut derived, Err(Cancelled.into()));
        derived.cancel();
        assert_eq!(derived.status(&"a"), busy(true));
        end();
        assert_eq!(ended(&mut derived, &notified), JobStatus::Done(Arc::new(7)));
        let (end, notified) = start(&mut derived, Err(anyhow!("no adapter")));
        end();
        assert_eq!(ended(&mut derived, &notified), JobStatus::Failed("no adapter".into()));
        assert_eq!(derived.status(&"b"), JobStatus::Idle, "it is that of another input");
    }
}
