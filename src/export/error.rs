//! Why an export does not begin, or ends without its files.

use thiserror::Error;

use smirk_base::atomic_file::WriteError;
use smirk_base::progress::Cancelled;
use smirk_picture::render::DrawError;

/// Why an export does not begin, or ends without its files. Files that are whole already stay.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The name, the size or the settings cannot go together, whatever is exported. On the command line, that is wrong
    /// usage.
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    NotWritten(#[from] WriteError),
    #[error(transparent)]
    NotDrawn(#[from] DrawError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// [`ExportError::Usage`] with a message like that of `format!`.
macro_rules! usage {
    ($($message:tt)*) => { $crate::ExportError::Usage(format!($($message)*)) };
}

/// [`ExportError::Failed`] with a message like that of `format!`.
macro_rules! failed {
    ($($message:tt)*) => { $crate::ExportError::Failed(format!($($message)*)) };
}
