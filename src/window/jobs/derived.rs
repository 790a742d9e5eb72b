//! Derived data: an output that is computed from an input by a job.

use std::sync::{Arc, Weak};

use smirk_base::job::{Job, JobError};
use smirk_face::head::Head;

/// An output that is computed from an input, and the job that computes it.
#[derive(Debug)]
pub(crate) struct Derived<Input, Output> {
    /// The input of the latest job, or of the one that is to begin.
    input: Option<Input>,
    /// Whether the job of the input has begun. It begins once, however it ends.
    has_begun: bool,
    job: Option<Job<Output>>,
    latest: Option<Result<Output, JobError>>,
}

impl<Input, Output> Default for Derived<Input, Output> {
    fn default() -> Self {
        Self { input: None, has_begun: false, job: None, latest: None }
    }
}

impl<Input: PartialEq, Output> Derived<Input, Output> {
    /// Follows an input. If it is another one, the job and the output of the one before are given up. Its job begins when it
    /// `is_ready`. Returns whether the job has just ended.
    pub(crate) fn follow(&mut self, input: Input, is_ready: bool, begin: impl FnOnce() -> Job<Output>) -> bool {
        if self.input.as_ref() != Some(&input) {
            *self = Self { input: Some(input), ..Self::default() };
        }
        if is_ready && !std::mem::replace(&mut self.has_begun, true) {
            self.job = Some(begin());
        }
        self.poll()
    }

    /// Follows an input that may change in every frame: the job of another one is not given up, and the output stays until there is a
    /// new one. Returns whether a job has just ended.
    pub(crate) fn follow_latest(&mut self, input: Input, begin: impl FnOnce(&Input) -> Job<Output>) -> bool {
        let has_ended = self.poll();
        if self.job.is_none() && self.input.as_ref() != Some(&input) {
            (self.job, self.has_begun) = (Some(begin(&input)), true);
            self.input = Some(input);
        }
        has_ended
    }

    fn poll(&mut self) -> bool {
        let Some(result) = self.job.as_mut().and_then(Job::poll) else { return false };
        (self.job, self.latest) = (None, Some(result));
        true
    }

    /// Stores an output that was found elsewhere.
    pub(crate) fn set(&mut self, input: Input, output: Output) {
        *self = Self { input: Some(input), has_begun: true, job: None, latest: Some(Ok(output)) };
    }

    /// The input that was followed last.
    pub(crate) fn input(&self) -> Option<&Input> {
        self.input.as_ref()
    }

    /// Whether the job is running.
    pub(crate) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// How the latest job ended; `None` before any has.
    pub(crate) fn outcome(&self) -> Option<&Result<Output, JobError>> {
        self.latest.as_ref()
    }

    /// The latest output.
    pub(crate) fn output(&self) -> Option<&Output> {
        self.latest.as_ref()?.as_ref().ok()
    }

    /// Takes the latest output. It is not computed again for the same input.
    pub(crate) fn take(&mut self) -> Option<Output> {
        self.latest.take()?.ok()
    }

    /// Gives up the job and the output, and forgets the input.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// A head as an input: heads are compared by identity, so that a head that is read again is a new input even if its contents are equal.
#[derive(Clone, Debug)]
pub(crate) struct HeadId(Weak<Head>);

impl HeadId {
    pub(crate) fn of(head: &Arc<Head>) -> Self {
        Self(Arc::downgrade(head))
    }
}

impl PartialEq for HeadId {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;
    use smirk_base::job::OnDrop;

    /// A job that ends with `output`, and what tells that it has.
    fn job(output: u8) -> (Job<u8>, Receiver<()>) {
        let (send, ended) = channel();
        (Job::spawn("test", OnDrop::Join, move || send.send(()).unwrap_or_default(), move |_| output), ended)
    }

    fn wait(ended: &Receiver<()>) {
        ended.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    #[test]
    fn each_input_has_one_job_which_begins_when_it_is_ready() {
        let mut derived = Derived::default();
        for input in ["a", "b"] {
            assert!(!derived.follow(input, false, || unreachable!()) && !derived.is_busy());
            assert_eq!(derived.output(), None, "that of the input before is given up");
            let (job, ended) = job(7);
            let has_ended = derived.follow(input, true, || job);
            wait(&ended);
            assert!(has_ended || derived.follow(input, true, || unreachable!()));
            assert!(!derived.follow(input, false, || unreachable!()), "it is said once");
            assert_eq!(derived.output(), Some(&7), "it stays while it is not ready");
        }
        assert_eq!((derived.take(), derived.output()), (Some(7), None));
        assert!(!derived.follow("b", true, || unreachable!()), "nor is it computed again once it was taken");
        derived.forget();
        assert_eq!(derived.input(), None);
        derived.set("c", 9);
        assert!(!derived.follow("c", true, || unreachable!()) && derived.output() == Some(&9));
    }

    #[test]
    fn what_follows_an_input_that_changes_all_the_time_keeps_its_output_until_the_next() {
        let mut derived = Derived::default();
        let (first, first_ended) = job(1);
        derived.follow_latest("a", |_| first);
        assert!(derived.is_busy() && derived.output().is_none());
        wait(&first_ended);
        let (second, second_ended) = job(2);
        assert!(derived.follow_latest("b", |_| second) && derived.is_busy());
        assert_eq!(derived.output(), Some(&1));
        wait(&second_ended);
        assert!(derived.follow_latest("b", |_| unreachable!()) && !derived.is_busy());
        assert_eq!(derived.output(), Some(&2));
    }

    #[test]
    fn a_job_that_stops_unexpectedly_is_not_begun_again() {
        let mut derived: Derived<&str, u8> = Derived::default();
        let (send, ended) = channel();
        let notify = move || send.send(()).unwrap_or_default();
        derived.follow("a", true, || Job::spawn("test", OnDrop::Join, notify, |_| panic!("on purpose")));
        wait(&ended);
        derived.follow("a", true, || unreachable!());
        assert!(matches!(derived.outcome(), Some(Err(JobError::Panicked))) && derived.output().is_none());
    }
}
