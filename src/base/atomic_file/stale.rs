//! Temporary files of programs that were killed, which nobody else deletes.
//!
//! A program holds a lock on each of its temporary files, and the system releases it however the program ends. A file whose lock is
//! free is therefore stale, provided that all programs see the same locks. In network folders that holds among the programs of one
//! machine only, so that the name of a temporary file names its machine, and files of other machines are left alone. So are files
//! where the file system has no locks, and all files on systems other than Linux.

use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::sync::LazyLock;

/// What the names of all temporary files begin with.
const PREFIX: &str = ".smirk-";

/// This machine, or this container; `None` if that cannot be told.
static MACHINE: LazyLock<Option<String>> = LazyLock::new(|| {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok()?;
    Some(format!("{:016x}", hash(&format!("{} {}", id.trim(), host.trim()))))
});

/// What the names of the temporary files of this machine begin with.
pub(super) fn prefix() -> String {
    MACHINE.as_ref().map_or_else(|| PREFIX.to_owned(), |machine| format!("{PREFIX}{machine}-"))
}

/// Locks a new temporary file. Returns false if another program has deleted it, or is about to.
pub(super) fn claim(file: &File) -> bool {
    match file.try_lock() {
        Ok(()) => !is_deleted(file),
        Err(TryLockError::WouldBlock) => false,
        // Without locks, every program leaves the file alone.
        Err(TryLockError::Error(_)) => true,
    }
}

#[cfg(unix)]
fn is_deleted(file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() == 0)
}

#[cfg(not(unix))]
fn is_deleted(_file: &File) -> bool {
    false
}

/// Deletes the temporary files in `folder` that programs on this machine left behind when they were killed.
pub(super) fn remove(folder: &Path) {
    if MACHINE.is_none() {
        return;
    }
    let prefix = prefix();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_temporary = entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes())
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

/// FNV-1a, which is the same in every build of the program.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn only_unlocked_files_of_this_machine_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: String| folder.path().join(name);
        let (dead, live) = (place(prefix() + "dead"), place(prefix() + "live"));
        let elsewhere = place(format!("{PREFIX}0123456789abcdef-abc"));
        let own = place("notes.txt".into());
        for path in [&dead, &live, &elsewhere, &own] {
            fs::write(path, "half a file").unwrap();
        }
        let lock = File::options().write(true).open(&live).unwrap();
        lock.try_lock().unwrap();
        std::os::unix::fs::symlink(&own, place(prefix() + "link")).unwrap();
        remove(folder.path());
        assert!(!dead.exists() && live.exists() && elsewhere.exists() && own.exists());
        drop(lock);
        remove(folder.path());
        assert!(!live.exists() && own.exists());
    }
}
