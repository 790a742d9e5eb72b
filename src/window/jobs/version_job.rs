//! The comparison with another version, as a job: when the head was read again, its vertices have to be matched again.

use std::sync::{Arc, Weak};

use smirk_base::job::{Job, OnDrop};
use smirk_editor::session::OpenVersion;
use smirk_face::head::{Head, Version};
use smirk_files::import;

/// The comparison that is being made again.
#[derive(Debug, Default)]
pub(crate) struct VersionJob {
    /// The head that it is made for.
    head: Weak<Head>,
    job: Option<Job<Version>>,
}

impl VersionJob {
    /// Compares an open version with a head, unless that is done. Returns the result once. `notify` is called on the job's thread when it
    /// is done.
    pub(crate) fn follow(
        &mut self,
        open: &OpenVersion,
        head: &Arc<Head>,
        notify: impl Fn() + Send + 'static,
    ) -> Option<Version> {
        if open.version.is_of(head) {
            self.stop();
            return None;
        }
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            self.head = Arc::downgrade(head);
            let (this, other) = (head.clone(), open.version.head.clone());
            self.job = Some(Job::spawn("versions", OnDrop::Detach, notify, move |_| import::version_of(&this, other)));
        }
        self.job.as_mut()?.poll()?.ok()
    }

    /// Gives up what is being compared.
    pub(crate) fn stop(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use smirk_editor::session::HeadSource;
    use smirk_face::head::Asset;

    #[test]
    fn a_version_is_compared_again_with_a_head_that_was_read_again() {
        let head = || Arc::new(Head::new(Asset::default()));
        let (before, now, other) = (head(), head(), head());
        let version = Arc::new(import::version_of(&before, other));
        let open = OpenVersion { version, source: HeadSource::Embedded, problem: None };
        let mut job = VersionJob::default();
        assert!(job.follow(&open, &before, || {}).is_none() && job.job.is_none(), "it belongs to this head");
        let (send, notified) = channel();
        let found = loop {
            let send = send.clone();
            if let Some(found) = job.follow(&open, &now, move || send.send(()).unwrap_or_default()) {
                break found;
            }
            notified.recv_timeout(Duration::from_secs(20)).unwrap();
        };
        assert!(found.is_of(&now) && !found.is_of(&before));
    }
}
