//! A file that belongs to one running program at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use smirk_base::regular_file;

/// A recovery file, and the lock file beside it that says that it belongs to this program.
#[derive(Debug)]
pub(super) struct LockedFile {
    pub(super) path: PathBuf,
    /// The lock is held while this file is open.
    lock: File,
}

/// The outcome of an attempt to claim a file that another program wrote.
#[derive(Debug)]
pub(super) enum Claim {
    Claimed(LockedFile),
    InUse,
    /// Another program has restored or deleted it.
    Gone,
}

impl LockedFile {
    pub(super) fn create(folder: &Path) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(folder)?;
        // The lock file of a path may be locked for a moment by a program that looks for locks of programs that have
        // ended.
        for _ in 0..64 {
            let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("work-{}-{nanos}-{count}.json", std::process::id()));
            if let Some(file) = Self::lock(&path)? {
                return Ok(file);
            }
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "other programs use all files of this program's names"))
    }

    /// Takes a file from a program that has ended.
    pub(super) fn claim(path: &Path) -> io::Result<Claim> {
        Ok(match Self::lock(path)? {
            None => Claim::InUse,
            Some(file) if path.exists() => Claim::Claimed(file),
            Some(_) => Claim::Gone,
        })
    }

    /// Moves a file that no program uses to `folder`. `None` if it is gone.
    pub(super) fn move_here(path: &Path, folder: &Path) -> io::Result<Option<Self>> {
        let file = Self::create(folder)?;
        match fs::rename(path, &file.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            moved => moved.map(|()| Some(file)),
        }
    }

    /// Deletes the lock file at `path` if its program has ended and has left no work.
    pub(super) fn remove_stale_lock(path: &Path) {
        let work = path.with_extension("json");
        if !work.exists() {
            // Dropping it deletes the lock file.
            let _ = Self::lock(&work);
        }
    }

    /// Locks the file at `path`. `None` if another program has locked it. In a file system without locks, every program
    /// may have it: then the same work is offered in several windows.
    fn lock(path: &Path) -> io::Result<Option<Self>> {
        let lock_path = lock_path(path);
        for _ in 0..64 {
            match regular_file::check(&lock_path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            let lock = File::options().read(true).write(true).create(true).truncate(false).open(&lock_path)?;
            if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
                return Ok(None);
            }
            // Another program may have deleted it between opening and locking.
            if is_at(&lock, &lock_path) {
                return Ok(Some(Self { path: path.to_owned(), lock }));
            }
        }
        Ok(None)
    }

    /// Whether the lock file is still the one that this program made. The folder may have been cleared.
    pub(super) fn has_lock(&self) -> bool {
        is_at(&self.lock, &lock_path(&self.path))
    }

    pub(super) fn delete(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            // It may never have been written.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            done => done,
        }
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        // Deleted while it is locked, so that no other program can have locked it meanwhile.
        if self.has_lock() {
            let _ = fs::remove_file(lock_path(&self.path));
        }
    }
}

/// Whether an open file is the one at `path`, rather than one that was there before.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let [own, other] =
        [file.metadata(), fs::metadata(path)].map(|metadata| metadata.ok().map(|it| (it.dev(), it.ino())));
    own == other
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    // An open file cannot be deleted here.
    path.exists()
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}
