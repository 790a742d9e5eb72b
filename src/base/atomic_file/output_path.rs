//! The path of an output, and the inputs that it must not replace.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::destination::{Destination, InPlace, same_file};
use super::error::{Problem, WriteError};
use super::replace::{keep_attributes, replace};
use super::stale;
use super::temporary::Temporary;
use crate::regular_file::folder_of;

/// The path of an output, and the inputs that it must not replace.
#[derive(Clone, Debug)]
pub struct OutputPath {
    path: PathBuf,
    inputs: Vec<PathBuf>,
    takes_streams: bool,
}

impl OutputPath {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), inputs: Vec::new(), takes_streams: false }
    }

    /// The same path, where a device or a pipe is written to. Without this they are refused, since what is written
    /// there cannot be read again, and a pipe without a reader would block the window.
    pub fn or_stream(self) -> Self {
        Self { takes_streams: true, ..self }
    }

    pub fn protecting(mut self, inputs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.inputs.extend(inputs);
        self
    }

    pub fn with_path(&self, path: PathBuf) -> Self {
        Self { path, ..self.clone() }
    }

    /// [`Self::check`] of the place alone, which makes no file.
    pub fn check_place(&self) -> Result<(), WriteError> {
        self.destination().map(drop).map_err(|problem| self.error(problem))
    }

    /// Whether two outputs go to the same file, which need not exist yet.
    pub fn is_same_file(&self, other: &Self) -> bool {
        same_file(&self.path, &other.path)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether what is written goes to the program's own standard output.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.destination(), Ok(Destination::InPlace(InPlace::StandardOutput)))
    }

    /// Whether the output is a device or a pipe rather than a file.
    pub fn is_stream(&self) -> bool {
        matches!(self.destination(), Ok(Destination::InPlace(_)))
    }

    /// Returns an error if nothing may be written there, so that it is reported before any work is done. Leaves no file
    /// behind.
    pub fn check(&self) -> Result<(), WriteError> {
        let checked = self.destination().and_then(|destination| match destination {
            Destination::File { path, .. } => temporary_beside(&path).map(drop),
            Destination::InPlace(_) => Ok(()),
        });
        checked.map_err(|problem| self.error(problem))
    }

    /// Writes a device or a pipe, or replaces a file. If that fails, a file that is there is unchanged.
    pub fn write(&self, bytes: &[u8]) -> Result<(), WriteError> {
        self.write_like(bytes, None)
    }

    /// Replaces a file, and keeps its previous content at [`backup_path`]. At every moment there is a file at the path.
    /// `may_replace` is asked before anything changes, and once more when only the renaming is left to be done; its
    /// error ends the write. A change that another program makes between that answer and the renaming, some
    /// microseconds later, is not noticed.
    pub fn write_with_backup(
        &self,
        bytes: &[u8],
        mut may_replace: impl FnMut() -> io::Result<()>,
    ) -> Result<(), WriteError> {
        let Destination::File { path, existing } = self.destination().map_err(|problem| self.error(problem))? else {
            return Err(self.error(Problem::is_no_file()));
        };
        may_replace().map_err(|error| self.error(error.into()))?;
        let new = complete(&path, bytes, existing.as_ref()).map_err(|problem| self.error(problem))?;
        if let Some(existing) = &existing {
            let inputs = self.inputs.iter().cloned().chain([path.clone()]);
            let backup = Self::new(backup_path(&path)).protecting(inputs);
            let old = fs::read(&path).map_err(|error| self.error(error.into()))?;
            backup.write_like(&old, Some(existing))?;
        }
        // Only the disk takes long here: it is waited for before the last question.
        new.file.sync_all().and_then(|()| may_replace()).map_err(|error| self.error(error.into()))?;
        replace(new, &path, existing.as_ref()).map_err(|problem| self.error(problem))
    }

    /// Like [`Self::write`]. A new file gets the mode and the owner of another, if there is one.
    fn write_like(&self, bytes: &[u8], other: Option<&Metadata>) -> Result<(), WriteError> {
        let written = self.destination().and_then(|destination| match destination {
            Destination::File { path, existing } => {
                replace(complete(&path, bytes, existing.as_ref().or(other))?, &path, existing.as_ref())
            }
            Destination::InPlace(stream) => Ok(stream.write(bytes)?),
        });
        written.map_err(|problem| self.error(problem))
    }

    pub(super) fn destination(&self) -> Result<Destination, Problem> {
        match Destination::find(&self.path, &self.inputs)? {
            Destination::InPlace(_) if !self.takes_streams => Err(Problem::is_no_file()),
            destination => Ok(destination),
        }
    }

    pub(super) fn error(&self, problem: Problem) -> WriteError {
        WriteError::new(&self.path, problem)
    }
}

/// The path of the previous content of a file: `face.smirk.bak`.
pub fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// A temporary file beside `path` that holds `bytes`, with the mode and the owner of another file if there is one.
fn complete(path: &Path, bytes: &[u8], like: Option<&Metadata>) -> Result<Temporary, Problem> {
    let mut temporary = empty(path, like)?;
    temporary.file.write_all(bytes)?;
    Ok(temporary)
}

/// An empty temporary file beside `path`, with the mode and the owner of another file if there is one.
pub(super) fn empty(path: &Path, like: Option<&Metadata>) -> Result<Temporary, Problem> {
    stale::remove(folder_of(path));
    let temporary = temporary_beside(path)?;
    if let Some(other) = like {
        // Before there is any content, which others may not be allowed to read.
        keep_attributes(&temporary.file, other)?;
    }
    Ok(temporary)
}

fn temporary_beside(path: &Path) -> Result<Temporary, Problem> {
    Temporary::beside(path).map_err(|error| Problem::in_folder(folder_of(path), &error))
}

impl InPlace {
    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut to: Box<dyn Write> = match self {
            Self::StandardOutput => Box::new(io::stdout().lock()),
            Self::StandardError => Box::new(io::stderr().lock()),
            Self::Descriptor(path) => Box::new(File::options().append(true).open(path)?),
            Self::Device(path) => Box::new(File::options().write(true).open(path)?),
        };
        to.write_all(bytes)?;
        to.flush()
    }
}
