//! Why a project is not read or written.

use std::path::PathBuf;

use thiserror::Error;

use crate::document::on_disk::Found;
use smirk_base::atomic_file::WriteError;

/// Why a project is not read or written: which file, where in it, and what to do.
#[derive(Debug, Error)]
pub enum ProjectError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", file.display())]
    Unreadable {
        /// The project file.
        file: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A file that is no project, or needs too much memory.
    #[error("{}: is no project: {problem}", file.display())]
    Unfit {
        /// What was opened.
        file: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// Broken JSON, or a value of the wrong type.
    #[error("{}: {problem}. {advice}", file.display())]
    Broken {
        /// The project file.
        file: PathBuf,
        /// What is wrong, with line and column.
        problem: String,
        /// What to do.
        advice: String,
    },
    /// A later version of the format.
    #[error(
        "{}: is a project of version {found}; this Smirk reads up to version {known}. Open it with a newer Smirk",
        file.display()
    )]
    Newer {
        /// The project file.
        file: PathBuf,
        /// Its version.
        found: u64,
        /// The newest version that this program reads.
        known: u32,
    },
    /// The file holds what the artist has neither opened nor saved here, and was not asked about.
    #[error("{}: is not replaced, since another window or program has changed it", file.display())]
    Changed {
        /// The project file.
        file: PathBuf,
        /// What it holds.
        found: Found,
    },
    /// The file cannot be written.
    #[error("{0}. What was there is unchanged")]
    Unwritable(WriteError),
}
