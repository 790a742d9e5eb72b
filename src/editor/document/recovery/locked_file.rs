//! A file that belongs to one running program at a time.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use smirk_base::regular_file;

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
        }
    }

    /// Takes a file, whichever program has locked it, and moves it to `folder`. If another program still uses it, that one writes its work
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

    /// Whether the lock file is still the one that this program made. Another program may have taken the work over, or the
    /// folder may have been cleared.
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
        let is_running = match try_lock(&file) {
            Ok(()) => false,
            Err(TryLockError::WouldBlock) => true,
            // There are no locks in this file system.
            Err(TryLockError::Error(_)) => read_owner(&mut file).is_some_and(|owner| owner.is_running()),
        };
        if is_running {
            return Ok(Holder::Running);
        }
        // Its program may have deleted it between opening and locking.
        if is_at(&file, lock_path) {
            return Ok(Holder::None(Some(file)));
        }
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

/// A process of this machine, described so that another program can find out whether it still runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// A number that is drawn at every start of the system.
    boot: Option<String>,
    process: u32,
    /// When the process started, in ticks since the start of the system: the same number may be given to another one later.
    started: Option<u64>,
}

static THIS_PROGRAM: LazyLock<Owner> = LazyLock::new(|| Owner {
    boot: fs::read_to_string("/proc/sys/kernel/random/boot_id").ok(),
    process: std::process::id(),
    started: start_of(std::process::id()),
});

impl Owner {
    pub(super) fn this_program() -> &'static Self {
        &THIS_PROGRAM
    }

    /// Whether it still runs on this machine. False also on a system that does not tell.
    pub(super) fn is_running(&self) -> bool {
        self.started.is_some() && self.boot == THIS_PROGRAM.boot && start_of(self.process) == self.started
    }
}

/// When a process started; `None` if it does not run, or the system does not tell.
fn start_of(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the process comes second, in parentheses, and may itself hold spaces and parentheses.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    // A process that has ended is listed until its parent has asked for the result.
    if matches!(state, "Z" | "X" | "x") { None } else { fields.nth(18)?.parse().ok() }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_runs_until_it_ends_or_the_system_is_started_again() {
        let this = Owner::this_program().clone();
        assert!(this.is_running());
        assert!(!Owner { started: Some(1), ..this.clone() }.is_running(), "the number of another process now");
        assert!(!Owner { boot: Some("before".into()), ..this }.is_running());
    }

    #[test]
    fn a_process_that_was_killed_has_ended_even_before_its_parent_asks() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        assert!(start_of(child.id()).is_some());
        child.kill().unwrap();
        while start_of(child.id()).is_some() {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
