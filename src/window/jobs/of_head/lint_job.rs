//! The lint of the head in the window, as a job: a large head takes a second, which no frame can wait for.

use std::sync::{Arc, Weak};

use smirk_base::job::{Job, JobControl, OnDrop};
use smirk_base::progress::{Cancelled, Progress};
use smirk_editor::session::HeadSource;
use smirk_face::head::Head;
use smirk_face::lint::{Finding, Settings, lint_while};

/// The findings of the head that was followed last.
#[derive(Debug, Default)]
pub(crate) struct LintJob {
    head: Weak<Head>,
    /// The lint of the head has begun.
    has_begun: bool,
    job: Option<Job<Result<Vec<Finding>, Cancelled>>>,
    findings: Option<Vec<Finding>>,
}

impl LintJob {
    /// Starts the lint of a head that is new, by the rules beside its file, and takes the findings of one that is not. `is_ready`: there
    /// is a picture of the head, and it can be blended; neither is to share the processor with the lint of a large head. Returns whether
    /// there are new findings. `notify` is called on the job's thread when it is done.
    pub(crate) fn follow(
        &mut self,
        head: &Arc<Head>,
        source: &HeadSource,
        is_ready: bool,
        notify: impl Fn() + Send + 'static,
    ) -> bool {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            *self = Self { head: Arc::downgrade(head), ..Self::default() };
        }
        if is_ready && !std::mem::replace(&mut self.has_begun, true) {
            let (new_head, source) = (head.clone(), source.clone());
            let lint = move |control: &JobControl| {
                let report = |stage: &str, part: f32| control.report_quietly(stage, part);
                lint_by_rules(&new_head, &source, Progress::new(&report))
            };
            self.job = Some(Job::spawn("lint", OnDrop::Detach, notify, lint));
        }
        let Some(result) = self.job.as_mut().and_then(Job::poll) else { return false };
        // Without a thread there are no findings, and everything else works.
        (self.job, self.findings) = (None, result.ok().and_then(Result::ok));
        self.findings.is_some()
    }

    /// Whether the lint has begun and is not done.
    pub(crate) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    /// The findings; `None` until they are known.
    pub(crate) fn findings(&self) -> Option<&[Finding]> {
        self.findings.as_deref()
    }
}

/// The findings by the rules beside the file of a head. If those cannot be read, that is a finding too.
fn lint_by_rules(head: &Head, source: &HeadSource, progress: Progress<'_>) -> Result<Vec<Finding>, Cancelled> {
    let settings = match source {
        HeadSource::Embedded => Ok(Settings::default()),
        HeadSource::File(path) => Settings::beside(path),
    };
    let (settings, problem) = match settings {
        Ok(settings) => (settings, None),
        Err(error) => (Settings::default(), Some(Finding::unreadable_rules(head, error.to_string()))),
    };
    let findings = lint_while(head, &settings, progress)?;
    Ok(problem.into_iter().chain(findings).collect())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use smirk_face::head::Asset;

    #[test]
    fn a_head_is_checked_once_and_after_its_first_picture() {
        let heads = [(); 2].map(|()| Arc::new(Head::new(Asset::default())));
        let mut job = LintJob::default();
        let (send, notified) = channel();
        for head in &heads {
            let follow = |job: &mut LintJob, is_ready| {
                let send = send.clone();
                job.follow(head, &HeadSource::Embedded, is_ready, move || send.send(()).unwrap_or_default())
            };
            assert!(!follow(&mut job, false) && !job.is_busy() && job.findings().is_none());
            let mut is_found = follow(&mut job, true);
            while !is_found {
                notified.recv_timeout(Duration::from_secs(20)).unwrap();
                is_found = follow(&mut job, true);
            }
            assert!(job.findings().is_some());
            assert!(!follow(&mut job, true) && !job.is_busy(), "it is not checked again");
        }
    }
}
