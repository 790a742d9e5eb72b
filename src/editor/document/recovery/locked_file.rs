//! A file that belongs to one running program at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use smirk_base::regular_file;

use super::owner::{Life, Owner};

/// How a file is locked: [`File::try_lock`], or in tests a file system without locks.
pub(super) type TryLock = fn(&File) -> Result<(), TryLockError>;

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
    /// It belongs to this program now, under another name.
    Claimed(LockedFile),
    /// A program that still runs uses it.
    InUse,
    /// Whether another program uses it cannot be told: which one, in words.
    Uncertain(String),
    /// Another program was faster.
    Gone,
}

impl LockedFile {
    /// Chooses the path of a new file and locks it.
    pub(super) fn create(folder: &Path, try_lock: TryLock) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        fs::create_dir_all(folder)?;
        // The lock file of a path may be locked for a moment by a program that looks for locks of programs that have ended.
        for _ in 0..64 {
            let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("work-{}-{nanos}-{count}.json", std::process::id()));
            let lock = match File::options().read(true).write(true).create_new(true).open(lock_path(&path)) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                lock => lock?,
            };
            let mut file = Self { path, lock };
            if !matches!(try_lock(&file.lock), Err(TryLockError::WouldBlock)) && file.has_lock() {
                file.lock.write_all(serde_json::to_string(Owner::this_program())?.as_bytes())?;
                return Ok(file);
            }
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "other programs use all files of this program's names"))
    }

    /// Takes a file from a program that has ended. It gets another name: of two programs that claim it at the same time, only
    /// one can rename it, whether or not the file system has locks.
    pub(super) fn claim(path: &Path, folder: &Path, try_lock: TryLock) -> io::Result<Claim> {
        match holder(&lock_path(path), try_lock)? {
            // The lock of the program before is held until the file has moved.
            Holder::None(_held) => Self::move_here(path, folder, try_lock),
            Holder::Running => Ok(Claim::InUse),
            Holder::Uncertain(owner) => Ok(Claim::Uncertain(owner)),
        }
    }

    /// Takes a file whoever it belongs to, and moves it to `folder`. If another program still uses it, that one writes its work
    /// to a new file.
    pub(super) fn move_here(path: &Path, folder: &Path, try_lock: TryLock) -> io::Result<Claim> {
        let file = Self::create(folder, try_lock)?;
        match fs::rename(path, &file.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Claim::Gone),
            moved => moved?,
        }
        // There may be none.
        let _ = fs::remove_file(lock_path(path));
        Ok(Claim::Claimed(file))
    }

    /// Deletes the lock file at `path` if its program has ended and has left no work.
    pub(super) fn remove_stale_lock(path: &Path, try_lock: TryLock) {
        if let Ok(Holder::None(Some(_held))) = holder(path, try_lock)
            && !path.with_extension("json").exists()
        {
            let _ = fs::remove_file(path);
        }
    }

    /// Whether the lock file is still the one that this program made. Another program may have taken the work over, or somebody
    /// has cleared the folder.
    pub(super) fn has_lock(&self) -> bool {
        is_at(&self.lock, &lock_path(&self.path))
    }

    /// Deletes the file; the lock is kept.
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

/// Which program holds a lock file.
enum Holder {
    /// None. The lock is held by this program while the file is open; there may be no lock file.
    None(Option<File>),
    Running,
    /// It cannot be told: which program, in words.
    Uncertain(String),
}

fn holder(lock_path: &Path, try_lock: TryLock) -> io::Result<Holder> {
    for _ in 0..64 {
        match regular_file::check(lock_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Holder::None(None)),
            checked => checked?,
        };
        let mut file = match File::options().read(true).write(true).open(lock_path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Holder::None(None)),
            file => file?,
        };
        let has_locks = match try_lock(&file) {
            Ok(()) => true,
            Err(TryLockError::WouldBlock) => return Ok(Holder::Running),
            Err(TryLockError::Error(_)) => false,
        };
        // Its program may have deleted it between opening and locking.
        if !is_at(&file, lock_path) {
            continue;
        }
        let owner = read_owner(&mut file);
        let life = owner.as_ref().map(Owner::life);
        return Ok(match (life, owner) {
            (Some(Life::Running), _) => Holder::Running,
            (Some(Life::Ended), _) => Holder::None(Some(file)),
            // The lock is free, and all programs on this machine see it.
            (Some(Life::Unknown), Some(owner)) if has_locks && owner.is_on_this_machine() => Holder::None(Some(file)),
            (_, Some(owner)) => Holder::Uncertain(owner.text()),
            // Earlier versions of Smirk wrote no owner.
            (_, None) if has_locks => Holder::None(Some(file)),
            (_, None) => Holder::Uncertain("a program of an earlier version".into()),
        });
    }
    Ok(Holder::Running)
}

fn read_owner(lock: &mut File) -> Option<Owner> {
    let mut text = String::new();
    lock.rewind().ok()?;
    lock.take(1 << 16).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// Whether an open file is the one at `path`, rather than one that was there before.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(identity).ok() == fs::metadata(path).map(identity).ok()
}

#[cfg(not(unix))]
fn is_at(_file: &File, path: &Path) -> bool {
    // An open file cannot be deleted here.
    path.exists()
}

pub(super) fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}
