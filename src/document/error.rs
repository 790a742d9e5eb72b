//! Why something does not open.

use thiserror::Error;

/// Something else was to come in the place of unsaved work, and would have been the end of it.
#[derive(Debug, Error)]
#[error(
    "The unsaved work on {name} could not be set aside: {source}. It is still in the window. Save the project, or make room \
     on the disk, then try again"
)]
pub struct NotSetAside {
    /// What the artist calls the work.
    pub name: String,
    /// What the system said.
    pub source: std::io::Error,
}
