//! Why a file is not read at all.

use thiserror::Error;

/// Why a file is not read at all.
#[derive(Debug, Error)]
pub enum JsonError {
    /// The syntax is broken, with line and column; or the whole is of another type.
    #[error("{0}")]
    Broken(String),
    /// What it holds would take too much memory.
    #[error("its {} MB of text would take more than {} MB of memory, the most that Smirk uses for a file of its size", megabytes(*.bytes), megabytes(memory_of(*.bytes)))]
    TooLarge {
        /// The length of the text.
        bytes: usize,
    },
}

/// How much memory the content of a file may take. What Smirk writes takes less than three times the bytes of the file.
pub(super) fn memory_of(bytes: usize) -> usize {
    bytes.saturating_mul(4).saturating_add(64 << 20)
}

fn megabytes(bytes: usize) -> usize {
    bytes.div_ceil(1_000_000)
}
