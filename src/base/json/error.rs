//! Why a file is not read at all.

use std::fmt::Display;

use serde::de;
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

/// Why a pass over a file ends before its end.
#[derive(Debug, Error)]
pub(super) enum Fault {
    #[error("has no {0:?}")]
    Missing(&'static str),
    #[error("{owner} has no {field:?}")]
    Required { owner: &'static str, field: &'static str },
    #[error("a value was refused")]
    Refused,
    #[error("it needs too much memory")]
    TooLarge,
    /// Refused by a type, at a position that the caller knows.
    #[error("{0}")]
    Other(String),
}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}
