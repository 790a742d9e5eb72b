//! Temporary files beside the files that they will replace. None outlives its program: each is deleted when it is
//! dropped, by [`remove_temporaries`] when the program is interrupted, or by the next program that writes to the folder
//! if this one is killed.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::stale;
use crate::regular_file::folder_of;

struct InFlight {
    paths: Vec<PathBuf>,
    /// Other programs that write some of them.
    writers: Vec<Arc<Mutex<Child>>>,
    /// Set when the program ends: no temporary file is made or put in place any more.
    is_closed: bool,
}

static IN_FLIGHT: Mutex<InFlight> = Mutex::new(InFlight { paths: Vec::new(), writers: Vec::new(), is_closed: false });

fn in_flight() -> MutexGuard<'static, InFlight> {
    IN_FLIGHT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Deletes the temporary files that are being written, at the end of a program that is interrupted. From then on every
/// write fails, so that no other thread leaves a file behind: unsaved work must be written before. A file that is just
/// being put in place is waited for.
pub fn remove_temporaries() {
    let mut in_flight = in_flight();
    in_flight.is_closed = true;
    for writer in in_flight.writers.drain(..) {
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        // Nothing can be done about a program that does not end.
        let _ = writer.kill().and_then(|()| writer.wait());
    }
    for path in in_flight.paths.drain(..) {
        // Nothing can be done about a file that cannot be deleted.
        let _ = fs::remove_file(path);
    }
}

/// While this exists, [`remove_temporaries`] waits, so that the program does not end.
pub(super) struct Uninterrupted(MutexGuard<'static, InFlight>);

/// Begins work that must not be interrupted. An error if the program is ending already.
pub(super) fn uninterrupted() -> io::Result<Uninterrupted> {
    let in_flight = in_flight();
    if in_flight.is_closed { Err(ending()) } else { Ok(Uninterrupted(in_flight)) }
}

/// Changes the list of other programs that write temporary files. An error if this program is ending already.
pub(super) fn with_writers<R>(change: impl FnOnce(&mut Vec<Arc<Mutex<Child>>>) -> R) -> io::Result<R> {
    Ok(change(&mut uninterrupted()?.0.writers))
}

/// A temporary file, deleted when it is dropped.
#[derive(Debug)]
pub(super) struct Temporary {
    /// Locked while it is open; see [`stale`].
    pub file: File,
    path: PathBuf,
}

impl Temporary {
    /// An empty file in the folder of `path`, with the permissions of any other new file.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let folder = folder_of(path);
        // A file whose lock is not free is being deleted by another program that took it for a stale one.
        for _ in 0..16 {
            let mut uninterrupted = uninterrupted()?;
            let (file, path) = builder().tempfile_in(folder)?.keep().map_err(|error| error.error)?;
            if stale::claim(&file) {
                uninterrupted.0.paths.push(path.clone());
                return Ok(Self { file, path });
            }
            let _ = fs::remove_file(path);
        }
        Err(io::Error::new(ErrorKind::AlreadyExists, "another program deletes the temporary files in this folder"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to `path`, after its content has reached the disk. If that fails, it stays a temporary file.
    pub(super) fn put_in_place(&self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename(&mut uninterrupted()?, path)
    }

    /// Moves the file to `path`. It is not temporary any more, so that dropping it deletes nothing.
    pub(super) fn rename(&self, uninterrupted: &mut Uninterrupted, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        uninterrupted.0.paths.retain(|other| *other != self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut in_flight = in_flight();
        let before = in_flight.paths.len();
        in_flight.paths.retain(|other| *other != self.path);
        if in_flight.paths.len() < before {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn ending() -> io::Error {
    io::Error::new(ErrorKind::Interrupted, "the program is ending")
}

/// Temporary files can be read by their owner only. A saved file gets the permissions of any other new file, less the
/// umask.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(stale::PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}
