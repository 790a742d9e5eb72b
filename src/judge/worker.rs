//! Judging as a job, so that the window is not blocked.

use std::sync::{Arc, Weak};

use super::ranking::{Judged, judge_while};
use crate::head::Head;
use crate::job::{Job, JobControl, JobProgress, OnDrop};

/// How far the combinations of a head are judged.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Status {
    /// Nothing was tried yet.
    #[default]
    Idle,
    /// They are being tried.
    Busy {
        /// The combination it is at.
        stage: String,
        /// The progress, from 0 to 1.
        fraction: f32,
        /// It was cancelled, and ends after this combination.
        is_stopping: bool,
    },
    /// The judged combinations, the worst first.
    Done(Arc<Vec<Judged>>),
    /// Why there is no result.
    Failed(String),
}

/// The job that tries the combinations of one head, and its result.
#[derive(Debug, Default)]
pub(crate) struct Worker {
    head: Weak<Head>,
    job: Option<Job<Option<Vec<Judged>>>>,
    outcome: Option<Result<Arc<Vec<Judged>>, String>>,
}

impl Worker {
    /// Begins with a head, unless its combinations are being tried. `notify` is called on the job's thread after every combination and at the
    /// end.
    pub(crate) fn start(&mut self, head: &Arc<Head>, notify: impl Fn() + Send + 'static) {
        self.follow(head);
        if self.job.is_none() {
            let head = head.clone();
            self.job = Some(Job::spawn("combinations", OnDrop::Detach, notify, move |control| judged(&head, control)));
        }
    }

    /// Cancels the job, which ends after its current combination. The last result stays.
    pub(crate) fn cancel(&mut self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// What is known of a head.
    pub(crate) fn status(&mut self, head: &Arc<Head>) -> Status {
        self.follow(head);
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            self.job = None;
            match result {
                Ok(Some(judged)) => self.outcome = Some(Ok(Arc::new(judged))),
                Ok(None) => {}
                Err(error) => self.outcome = Some(Err(error.to_string())),
            }
        }
        if let Some(job) = &self.job {
            let JobProgress { stage, fraction } = job.progress();
            return Status::Busy { stage, fraction, is_stopping: job.is_cancelled() };
        }
        match &self.outcome {
            None => Status::Idle,
            Some(Ok(judged)) => Status::Done(judged.clone()),
            Some(Err(message)) => Status::Failed(message.clone()),
        }
    }

    /// Forgets what it knows of another head.
    fn follow(&mut self, head: &Arc<Head>) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            *self = Self { head: Arc::downgrade(head), job: None, outcome: None };
        }
    }
}

fn judged(head: &Head, control: &JobControl) -> Option<Vec<Judged>> {
    judge_while(head, |done, total| {
        let fraction = done as f32 / total.max(1) as f32;
        control.report(&format!("Combination {} of {total}", done + 1), fraction).is_continue()
    })
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
