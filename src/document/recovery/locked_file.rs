//! A file that belongs to one running program at a time.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A recovery file, and the lock that this program holds on it.
#[derive(Debug)]
pub(super) struct LockedFile {
    pub(super) path: PathBuf,
    /// The lock is held while this file is open. Never read.
    _lock: File,
}

impl LockedFile {
    /// Chooses the path of a new file and locks it.
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let path = folder.join(format!("work-{}-{nanos}.json", std::process::id()));
        Self::claim(path)?
            .ok_or_else(|| io::Error::new(ErrorKind::AlreadyExists, "another program uses the file of that name"))
    }

    /// Locks the file at `path`; none if another program has locked it. On a file system without locks, it counts as locked.
    pub(super) fn claim(path: PathBuf) -> io::Result<Option<Self>> {
        let lock = File::options().write(true).create(true).truncate(false).open(lock_path(&path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(Self { path, _lock: lock })),
        }
    }

    /// Deletes the file; the lock is kept.
    pub(super) fn delete(&self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if !self.path.exists() {
            let _ = std::fs::remove_file(lock_path(&self.path));
        }
    }
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}
