//! Why a file is not written: which file, what is wrong in plain words, and what to do.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::names::printable_path;

/// Why a file is not written. What was there before is unchanged.
#[derive(Debug, Error)]
#[error("cannot write {}: {problem}", printable_path(path))]
pub struct WriteError {
    path: PathBuf,
    problem: Problem,
}

impl WriteError {
    pub(super) fn new(path: &Path, problem: impl Into<Problem>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }

    /// The content cannot be made; `problem` says why and what to do.
    pub fn of_content(path: &Path, problem: impl fmt::Display) -> Self {
        Self::new(path, Problem::Content(problem.to_string()))
    }

    /// The file that was to be written.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The same without the path, for messages that name the file or its folder in their own words.
impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> Self {
        let kind = match &error.problem {
            Problem::System(system) => system.kind(),
            Problem::InFolder(_, system) => system.kind(),
            Problem::NoFolder(_) => ErrorKind::NotFound,
            _ => ErrorKind::Other,
        };
        Self::new(kind, error.problem.to_string())
    }
}

/// What is wrong, and what to do about it.
#[derive(Debug)]
pub(super) enum Problem {
    /// The file is an input. The path is the one that the input was given by.
    IsInput(PathBuf),
    IsFolder,
    NoFolder(PathBuf),
    /// What should be the folder is a file.
    FolderIsFile(PathBuf),
    WriteProtected,
    LinksInCircle,
    IsDisk,
    /// A device, a pipe or a socket, where only a file can be written.
    IsNoFile,
    NoName,
    /// What stands for the standard output in other programs.
    Dash,
    /// What was to be written does not exist.
    Content(String),
    /// The old file is damaged; its content is in another file.
    Torn {
        old: PathBuf,
        cause: io::Error,
    },
    /// The folder does not take a new file.
    InFolder(PathBuf, io::Error),
    System(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsInput(input) => {
                write!(f, "it is an input ({}), which would be lost. Choose another name", printable_path(input))
            }
            Self::IsFolder => f.write_str("it is a folder. Add the name of a file"),
            Self::NoFolder(folder) => {
                write!(f, "there is no folder {}. Make it, or choose another", printable_path(folder))
            }
            Self::FolderIsFile(folder) => {
                write!(f, "{} is a file, not a folder. Choose a folder", printable_path(folder))
            }
            Self::WriteProtected => {
                f.write_str("the file is write-protected. Change its permissions, or choose another name")
            }
            Self::LinksInCircle => {
                f.write_str("it is a symbolic link that leads back to itself. Delete the link, or choose another name")
            }
            Self::IsDisk => f.write_str("it is a disk, and all files on it would be lost. Add the name of a file"),
            Self::IsNoFile => f.write_str("it is not a regular file, and keeps nothing. Choose a file"),
            Self::NoName => f.write_str("it has no name. Name a file"),
            Self::Dash => f.write_str(
                "a dash names no file. Give /dev/stdout for the standard output, or ./- for a file of that name",
            ),
            Self::Content(problem) => f.write_str(problem),
            Self::Torn { old, cause } => write!(
                f,
                "{}. The file is damaged; its old content is in {}",
                Words { error: cause, folder: None },
                printable_path(old)
            ),
            Self::InFolder(folder, error) => Words { error, folder: Some(folder) }.fmt(f),
            Self::System(error) => Words { error, folder: None }.fmt(f),
        }
    }
}

/// The common errors of the operating system in plain words; all others in the words of the system.
struct Words<'a> {
    error: &'a io::Error,
    /// The folder, if it is what refuses.
    folder: Option<&'a Path>,
}

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let advice = match self.error.kind() {
            ErrorKind::StorageFull => "the disk is full. Free some space, or choose another disk",
            ErrorKind::QuotaExceeded => "your share of the disk is used up. Free some space, or choose another disk",
            ErrorKind::FileTooLarge => {
                "it is larger than files may be there. Choose another disk, or raise the limit (ulimit -f)"
            }
            ErrorKind::ReadOnlyFilesystem => "the disk is read-only. Choose another disk",
            ErrorKind::InvalidFilename => "the name is too long or not allowed. Choose another name",
            ErrorKind::BrokenPipe => "the program that reads the pipe has ended",
            ErrorKind::PermissionDenied => {
                return match self.folder {
                    Some(folder) => write!(
                        f,
                        "no files may be made in {}. Change the permissions of the folder, or choose another",
                        printable_path(folder)
                    ),
                    None => f.write_str("permission denied. Change its permissions, or choose another name"),
                };
            }
            _ => return write!(f, "{}", self.error),
        };
        f.write_str(advice)
    }
}
