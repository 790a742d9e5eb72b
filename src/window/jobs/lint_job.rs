//! The lint of the head in the window, as a job: a large head takes a second, which no frame can wait for.

use std::sync::{Arc, Weak};

use crate::head::Head;
use crate::job::{Job, JobControl, OnDrop};
use crate::lint::{Finding, lint_while};

/// The findings of the head that was followed last.
#[derive(Debug, Default)]
pub(crate) struct LintJob {
    head: Weak<Head>,
    job: Option<Job<Option<Vec<Finding>>>>,
    findings: Option<Vec<Finding>>,
}

impl LintJob {
    /// Starts the lint of a head that is new, and takes the findings of one that is not. `notify` is called on the job's
    /// thread when it is done.
    pub(crate) fn follow(&mut self, head: &Arc<Head>, notify: impl Fn() + Send + 'static) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            let new_head = head.clone();
            let lint = move |control: &JobControl| lint_while(&new_head, || !control.is_cancelled());
            let job = Job::spawn("lint", OnDrop::Detach, notify, lint);
            *self = Self { head: Arc::downgrade(head), job: Some(job), findings: None };
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            // Without a thread there are no findings, and everything else works.
            (self.job, self.findings) = (None, result.ok().flatten());
        }
    }

    /// The findings; `None` until they are known.
    pub(crate) fn findings(&self) -> Option<&[Finding]> {
        self.findings.as_deref()
    }
}
