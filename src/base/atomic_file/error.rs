//! Why a file is not written: which file, what is wrong in plain words, and what to do.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::names::printable_path;

/// Why a file is not written. What was there before is unchanged.
#[derive(Debug, Error)]
#[error("cannot write {}: {}", printable_path(path), problem.text)]
pub struct WriteError {
    path: PathBuf,
    problem: Problem,
}

impl WriteError {
    pub(super) fn new(path: &Path, problem: Problem) -> Self {
        Self { path: path.to_owned(), problem }
    }

    /// The content cannot be made; `problem` says why and what to do.
    pub fn of_content(path: &Path, problem: impl fmt::Display) -> Self {
        Self::new(path, Problem::new(problem.to_string()))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The same without the path, for messages that name the file or its folder in their own words.
impl From<WriteError> for io::Error {
    fn from(WriteError { problem, .. }: WriteError) -> Self {
        Self::new(problem.kind, problem.text)
    }
}

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(super) struct Problem {
    kind: ErrorKind,
    text: String,
}

impl Problem {
    /// What the system knows nothing of.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Other, text: text.into() }
    }

    pub(super) fn is_no_file() -> Self {
        Self::new("it is not a regular file, and keeps nothing. Choose a file")
    }

    pub(super) fn write_protected() -> Self {
        Self::new("the file is write-protected. Change its permissions, or choose another name")
    }

    pub(super) fn no_folder(folder: &Path) -> Self {
        let text = format!("there is no folder {}. Make it, or choose another", printable_path(folder));
        Self { kind: ErrorKind::NotFound, text }
    }

    /// The folder does not take a new file.
    pub(super) fn in_folder(folder: &Path, error: &io::Error) -> Self {
        Self { kind: error.kind(), text: in_words(error, Some(folder)) }
    }

    /// The old file is damaged; its content is in another file.
    pub(super) fn torn(old: &Path, cause: &io::Error) -> Self {
        let (cause, old) = (in_words(cause, None), printable_path(old));
        Self::new(format!("{cause}. The file is damaged; its old content is in {old}"))
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self { kind: error.kind(), text: in_words(&error, None) }
    }
}

/// The common errors of the operating system in plain words; all others in the words of the system. `folder` is what
/// refuses, if the file does not.
fn in_words(error: &io::Error, folder: Option<&Path>) -> String {
    match (error.kind(), folder) {
        (ErrorKind::StorageFull, _) => "the disk is full. Free some space, or choose another disk".into(),
        (ErrorKind::QuotaExceeded, _) => {
            "your share of the disk is used up. Free some space, or choose another disk".into()
        }
        (ErrorKind::FileTooLarge, _) => {
            "it is larger than files may be there. Choose another disk, or raise the limit (ulimit -f)".into()
        }
        (ErrorKind::ReadOnlyFilesystem, _) => "the disk is read-only. Choose another disk".into(),
        (ErrorKind::InvalidFilename, _) => "the name is too long or not allowed. Choose another name".into(),
        (ErrorKind::BrokenPipe, _) => "the program that reads the pipe has ended".into(),
        (ErrorKind::PermissionDenied, Some(folder)) => format!(
            "no files may be made in {}. Change the permissions of the folder, or choose another",
            printable_path(folder)
        ),
        (ErrorKind::PermissionDenied, None) => {
            "permission denied. Change its permissions, or choose another name".into()
        }
        _ => error.to_string(),
    }
}
