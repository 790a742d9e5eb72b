//! The lint of the head in the window, as a job: a large head takes a second, which no frame can wait for.

use std::sync::{Arc, Weak};

use crate::head::Head;
use crate::job::{Job, JobControl, OnDrop};
use crate::lint::{Finding, Settings, lint_while};
use crate::session::HeadSource;

/// The findings of the head that was followed last.
#[derive(Debug, Default)]
pub(crate) struct LintJob {
    head: Weak<Head>,
    job: Option<Job<Option<Vec<Finding>>>>,
    findings: Option<Vec<Finding>>,
}

impl LintJob {
    /// Starts the lint of a head that is new, by the rules beside its file, and takes the findings of one that is not. `notify` is
    /// called on the job's thread when it is done.
    pub(crate) fn follow(&mut self, head: &Arc<Head>, source: &HeadSource, notify: impl Fn() + Send + 'static) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            let (new_head, source) = (head.clone(), source.clone());
            let lint = move |control: &JobControl| lint_by_rules(&new_head, &source, || !control.is_cancelled());
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

/// The findings by the rules beside the file of a head. If those cannot be read, that is a finding too.
fn lint_by_rules(head: &Head, source: &HeadSource, is_wanted: impl Fn() -> bool) -> Option<Vec<Finding>> {
    let settings = match source {
        HeadSource::Embedded => Ok(Settings::default()),
        HeadSource::File(path) => Settings::beside(path),
    };
    let (settings, problem) = match settings {
        Ok(settings) => (settings, None),
        Err(error) => (Settings::default(), Some(Finding::unreadable_rules(head, error.to_string()))),
    };
    let findings = lint_while(head, &settings, is_wanted)?;
    Some(problem.into_iter().chain(findings).collect())
}
