//! Work that is begun again and again, with the result of the last time.

use std::sync::Arc;

use super::thread::{Job, JobControl, JobProgress, OnDrop};
use crate::progress::Cancelled;

/// How far such work is, as a panel shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JobStatus<T> {
    /// It was never done.
    #[default]
    Idle,
    /// It is being done.
    Busy {
        /// The name of the current step.
        stage: String,
        /// The progress, from 0 to 1.
        fraction: f32,
        /// It was cancelled, and ends after this step.
        is_stopping: bool,
    },
    /// The result of the last time.
    Done(Arc<T>),
    /// Why it failed the last time.
    Failed(String),
}

/// The job of such work while it is being done, and how the last one ended.
#[derive(Debug)]
pub struct RepeatedJob<T> {
    job: Option<Job<Result<Result<T, String>, Cancelled>>>,
    outcome: Option<Result<Arc<T>, String>>,
}

impl<T> Default for RepeatedJob<T> {
    fn default() -> Self {
        Self { job: None, outcome: None }
    }
}

impl<T: Send + 'static> RepeatedJob<T> {
    /// [`Job::spawn`], unless the work is being done. Cancelled work leaves the last result; work that fails says why.
    pub fn start(
        &mut self,
        name: &str,
        on_drop: OnDrop,
        notify: impl Fn() + Send + 'static,
        work: impl FnOnce(&JobControl) -> Result<Result<T, String>, Cancelled> + Send + 'static,
    ) {
        if self.job.is_none() {
            self.job = Some(Job::spawn(name, on_drop, notify, work));
        }
    }
}

impl<T> RepeatedJob<T> {
    /// Cancels the job, which ends after its current step. The last result stays.
    pub fn cancel(&mut self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// How far it is.
    pub fn status(&mut self) -> JobStatus<T> {
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            self.job = None;
            match result {
                Ok(Ok(outcome)) => self.outcome = Some(outcome.map(Arc::new)),
                Ok(Err(Cancelled)) => {}
                Err(error) => self.outcome = Some(Err(error.to_string())),
            }
        }
        if let Some(job) = &self.job {
            let JobProgress { stage, fraction } = job.progress();
            return JobStatus::Busy { stage, fraction, is_stopping: job.is_cancelled() };
        }
        match &self.outcome {
            None => JobStatus::Idle,
            Some(Ok(result)) => JobStatus::Done(result.clone()),
            Some(Err(message)) => JobStatus::Failed(message.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Duration;

    use super::*;

    /// Begins with work that ends once something is sent to it, with what that says.
    fn begin(
        repeated: &mut RepeatedJob<u8>,
        outcome: Result<Result<u8, String>, Cancelled>,
    ) -> (impl Fn() + use<>, Receiver<()>) {
        let (end, may_end) = channel();
        let (notify, notified) = channel();
        let notify = move || notify.send(()).unwrap_or_default();
        repeated.start("test", OnDrop::Join, notify, move |control| {
            let _ = control.progress().report("half of it", 0.5);
            may_end.recv().unwrap();
            outcome
        });
        (move || end.send(()).unwrap(), notified)
    }

    fn ended(repeated: &mut RepeatedJob<u8>, notified: &Receiver<()>) -> JobStatus<u8> {
        loop {
            match repeated.status() {
                JobStatus::Busy { .. } => notified.recv_timeout(Duration::from_secs(20)).unwrap(),
                status => return status,
            }
        }
    }

    #[test]
    fn it_is_done_once_at_a_time_and_a_cancelled_job_leaves_the_last_result() {
        let mut repeated = RepeatedJob::default();
        assert_eq!(repeated.status(), JobStatus::Idle);
        let (end, notified) = begin(&mut repeated, Ok(Ok(7)));
        notified.recv_timeout(Duration::from_secs(20)).unwrap();
        let busy = |is_stopping| JobStatus::Busy { stage: "half of it".into(), fraction: 0.5, is_stopping };
        assert_eq!(repeated.status(), busy(false));
        repeated.start("test", OnDrop::Join, || {}, |_| Ok(Ok(8)));
        end();
        assert_eq!(ended(&mut repeated, &notified), JobStatus::Done(Arc::new(7)));
        let (end, notified) = begin(&mut repeated, Err(Cancelled));
        notified.recv_timeout(Duration::from_secs(20)).unwrap();
        repeated.cancel();
        assert_eq!(repeated.status(), busy(true));
        end();
        assert_eq!(ended(&mut repeated, &notified), JobStatus::Done(Arc::new(7)));
        let (end, notified) = begin(&mut repeated, Ok(Err("no adapter".into())));
        end();
        assert_eq!(ended(&mut repeated, &notified), JobStatus::Failed("no adapter".into()));
    }
}
