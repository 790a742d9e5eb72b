//! Why unsaved work is not kept, and why another head or project is not opened then.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Unsaved work is not in the recovery folder, so that closing the window or a crash would lose it.
#[derive(Debug, Error)]
pub enum NotKept {
    /// The folder cannot be written.
    #[error("Unsaved work cannot be written to {}: {source}", folder.display())]
    Unwritable {
        /// The recovery folder.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// There is no such folder.
    #[error("Unsaved work has no folder: this user has no home folder, and SMIRK_CONFIG_DIR names no other")]
    NoFolder,
}

/// Unsaved work could not be written to the recovery folder, so what was opened does not replace it.
#[derive(Debug, Error)]
#[error(
    "The unsaved work on {name} could not be set aside: {source}. It is still in the window. Save the project, or make room \
     on the disk, then try again"
)]
pub struct SetAsideError {
    /// The name of the document.
    pub name: String,
    /// The system's error.
    pub source: io::Error,
}
