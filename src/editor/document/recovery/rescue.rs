//! The unsaved work as it was after the last frame, for the ends of the program in which the window's thread no longer runs its
//! own code: a panic, a display server that is gone, a graphics driver that does not return.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::own_file::OwnFile;
use super::record::RecoveryRecord;

/// The unsaved work, and the recovery file it belongs in. Clones share both; any thread can write it.
#[derive(Clone, Debug)]
pub struct Rescue {
    file: OwnFile,
    work: Arc<Mutex<Option<Arc<RecoveryRecord>>>>,
}

impl Rescue {
    pub(super) fn new(file: OwnFile) -> Self {
        Self { file, work: Arc::default() }
    }

    /// Replaces the work; `None` when all of it is saved.
    pub fn keep(&self, record: Option<RecoveryRecord>) {
        let record = record.map(Arc::new);
        // The work before is freed after the lock is released.
        let _before = std::mem::replace(&mut *self.lock(), record);
    }

    /// Whether there is unsaved work.
    pub fn is_kept(&self) -> bool {
        self.lock().is_some()
    }

    /// Writes the work; returns the file, or `None` if there is no unsaved work.
    pub fn write(&self) -> Option<io::Result<PathBuf>> {
        const PATIENCE: Duration = Duration::from_secs(1);
        let record = self.lock().clone()?;
        Some(self.file.write_within(PATIENCE, &record))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<RecoveryRecord>>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
