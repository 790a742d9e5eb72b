//! The files of the version that is compared.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use smirk_base::watch::FileWatch;

/// What happens to the files of the version that is compared.
pub(crate) struct VersionFiles {
    pub(super) watch: FileWatch,
    /// A file of the command line that is read once the others are open.
    wanted: Option<PathBuf>,
}

impl VersionFiles {
    /// Watches nothing yet. `notify` is called on another thread when something may have happened to a file; `wanted` is read once the
    /// files of the command line are open.
    pub(crate) fn new(wanted: Option<PathBuf>, notify: impl Fn() + Send + 'static) -> Self {
        Self { watch: FileWatch::new(notify), wanted }
    }

    /// Takes the file that is still to be read.
    pub(super) fn take_wanted(&mut self) -> Option<PathBuf> {
        self.wanted.take()
    }

    /// Looks at the files soon: something may have happened that the system does not report.
    pub(crate) fn look_soon(&mut self, now: Instant) {
        self.watch.look_soon(now);
    }

    /// How long until they are to be looked at without an event.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        self.watch.due_in(now)
    }
}
