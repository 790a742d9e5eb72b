//! Temporary files of programs that were killed. Each is locked as long as its program uses it, however the program
//! ends, so that one whose lock is free is stale. Where a file system has no locks, they are left alone.

use std::fs::{self, File, Metadata, TryLockError};
use std::path::Path;

/// What the names of all temporary files begin with.
pub(super) const PREFIX: &str = ".smirk-";

/// Locks a new temporary file. Returns false if another program has deleted it, or is about to.
pub(super) fn claim(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => !file.metadata().is_ok_and(|metadata| link_count(&metadata) == 0),
        Err(TryLockError::WouldBlock) => false,
        // Without locks, every program leaves the file alone.
        Err(TryLockError::Error(_)) => true,
    }
}

/// The number of names of a file; 1 where the standard library does not tell.
#[cfg(unix)]
pub(super) fn link_count(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(super) fn link_count(_metadata: &Metadata) -> u64 {
    1
}

/// Deletes the temporary files in `folder` that programs left behind when they were killed.
pub(super) fn remove(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())
            && entry.file_type().is_ok_and(|kind| kind.is_file());
        if !is_temporary {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_unlocked_temporary_files_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let [dead, live, link, own] =
            [".smirk-dead", ".smirk-live", ".smirk-link", "notes.txt"].map(|name| folder.path().join(name));
        for path in [&dead, &live, &own] {
            fs::write(path, "half a file").unwrap();
        }
        let lock = File::options().write(true).open(&live).unwrap();
        lock.try_lock().unwrap();
        std::os::unix::fs::symlink(&own, &link).unwrap();
        remove(folder.path());
        assert!(!dead.exists() && live.exists() && own.exists());
        drop(lock);
        remove(folder.path());
        assert!(!live.exists() && own.exists());
    }
}
