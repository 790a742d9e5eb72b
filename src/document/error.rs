//! Why another head or project is not opened.

use thiserror::Error;

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
    pub source: std::io::Error,
}
