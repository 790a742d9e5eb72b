//! Why a pass over a file ends before its end.

use std::fmt::Display;

use serde::de;
use thiserror::Error;

/// Why a pass over a file ends before its end.
#[derive(Debug, Error)]
pub(super) enum Fault {
    /// A field that has no default value is missing.
    #[error("has no {0:?}")]
    Missing(&'static str),
    /// The same, with the name of the type that requires the field.
    #[error("{owner} has no {field:?}")]
    Required { owner: &'static str, field: &'static str },
    /// A type refused a value, which was recorded.
    #[error("a value was refused")]
    Refused,
    /// The content needs more memory than a file of this size may use.
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
