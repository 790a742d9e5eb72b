//! Judging as a job, so that the window is not blocked.

use std::sync::{Arc, Weak};

use super::ranking::{Judged, judge_while};
use crate::head::Head;
use smirk_base::job::{JobStatus, OnDrop, RepeatedJob};

/// How far the combinations of a head are judged; the worst come first.
pub type Status = JobStatus<Vec<Judged>>;

/// The job that tries the combinations of one head, and its result.
#[derive(Debug, Default)]
pub struct Worker {
    head: Weak<Head>,
    job: RepeatedJob<Vec<Judged>>,
}

impl Worker {
    /// Begins with a head, unless its combinations are being tried. `notify` is called on the job's thread after every combination and at the
    /// end.
    pub fn start(&mut self, head: &Arc<Head>, notify: impl Fn() + Send + 'static) {
        self.follow(head);
        let head = head.clone();
        self.job.start("combinations", OnDrop::Detach, notify, move |control| {
            judge_while(&head, control.progress()).map(Ok)
        });
    }

    /// Cancels the job, which ends after its current combination. The last result stays.
    pub fn cancel(&mut self) {
        self.job.cancel();
    }

    /// What is known of a head.
    pub fn status(&mut self, head: &Arc<Head>) -> Status {
        self.follow(head);
        self.job.status()
    }

    /// Forgets what it knows of another head.
    fn follow(&mut self, head: &Arc<Head>) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            *self = Self { head: Arc::downgrade(head), job: RepeatedJob::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Asset;

    fn head() -> Arc<Head> {
        Arc::new(Head::new(Asset::default()))
    }

    #[test]
    fn the_result_is_that_of_the_head_it_was_asked_for() {
        let (first, second) = (head(), head());
        let mut worker = Worker::default();
        assert_eq!(worker.status(&first), Status::Idle);
        let (send, notified) = std::sync::mpsc::channel();
        worker.start(&first, move || send.send(()).unwrap_or_default());
        while !matches!(worker.status(&first), Status::Done(_)) {
            notified.recv_timeout(std::time::Duration::from_secs(20)).unwrap();
        }
        assert_eq!(worker.status(&first), Status::Done(Arc::default()));
        assert_eq!(worker.status(&second), Status::Idle);
    }
}
