//! The recovery file of this program. Its clones share it, so that several threads can write it, one after the other.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use super::locked_file::LockedFile;
use super::record::RecoveryRecord;
use smirk_base::atomic_file;

/// The file, which is created by the first write.
#[derive(Clone, Debug)]
pub(super) struct OwnFile {
    folder: PathBuf,
    file: Arc<Mutex<Option<LockedFile>>>,
}

impl OwnFile {
    pub(super) fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), file: Arc::default() }
    }

    pub(super) fn write(&self, record: &RecoveryRecord) -> io::Result<PathBuf> {
        self.write_into(&mut self.lock(), record)
    }

    /// As [`Self::write`], but if another thread has been writing for this long, which happens on a disk that does not
    /// answer, the work goes into a second file.
    pub(super) fn write_within(&self, patience: Duration, record: &RecoveryRecord) -> io::Result<PathBuf> {
        let deadline = Instant::now() + patience;
        loop {
            match self.file.try_lock() {
                Ok(mut file) => return self.write_into(&mut file, record),
                Err(TryLockError::Poisoned(error)) => return self.write_into(&mut error.into_inner(), record),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => return self.write_into(&mut None, record),
            }
        }
    }

    fn write_into(&self, file: &mut Option<LockedFile>, record: &RecoveryRecord) -> io::Result<PathBuf> {
        let text = serde_json::to_string(record)?;
        let own = match file.take().filter(LockedFile::has_lock) {
            Some(own) => own,
            // Also if the folder was cleared: what is written without a lock would be offered to other windows.
            None => LockedFile::create(&self.folder)?,
        };
        let path = file.insert(own).path.clone();
        atomic_file::write(&path, text.as_bytes())?;
        Ok(path)
    }

    pub(super) fn path(&self) -> Option<PathBuf> {
        self.lock().as_ref().map(|file| file.path.clone()).filter(|path| path.exists())
    }

    /// Deletes it, since all work is saved; the lock is kept.
    pub(super) fn delete(&self) {
        if let Some(file) = &*self.lock() {
            // It holds work that is saved now; at worst, that is offered once more.
            let _ = file.delete();
        }
    }

    /// Gives the file away; the next write creates another one.
    pub(super) fn take(&self) -> Option<LockedFile> {
        self.lock().take()
    }

    pub(super) fn replace(&self, file: LockedFile) {
        *self.lock() = Some(file);
    }

    fn lock(&self) -> MutexGuard<'_, Option<LockedFile>> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Project;

    #[test]
    fn work_goes_into_a_second_file_while_a_write_of_the_first_does_not_end() {
        let folder = tempfile::tempdir().unwrap();
        let own = OwnFile::in_folder(folder.path());
        let record = RecoveryRecord::new("ada".into(), None, Project::default());
        let first = own.write(&record).unwrap();
        let _write_that_does_not_end = own.lock();
        let second = own.write_within(Duration::from_millis(20), &record).unwrap();
        assert!(second != first && RecoveryRecord::read(&second).unwrap() == Some(record));
    }
}
