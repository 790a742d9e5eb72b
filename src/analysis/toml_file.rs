//! Files of TOML that lie beside a head: the rules of a check, and lists of mends.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// Why a text or a file cannot be used, as one line.
#[derive(Debug, Error)]
#[error("{}{problem}", file.as_deref().map(|file| format!("{}: ", file.display())).unwrap_or_default())]
pub struct TomlError {
    /// None for a text.
    file: Option<PathBuf>,
    problem: String,
}

impl TomlError {
    pub(crate) fn new(problem: impl Into<String>) -> Self {
        Self { file: None, problem: problem.into() }
    }
}

/// Reads a text. An error has its line and column.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, TomlError> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join(" ");
        TomlError::new(match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|&letter| letter != '\n').count() + 1;
                format!("line {line}, column {column}: {message}")
            }
            None => message,
        })
    })
}

/// Parses what was read of a file, which an error names.
pub(crate) fn parse_file<T>(
    path: &Path,
    read: io::Result<Vec<u8>>,
    parse: impl FnOnce(&str) -> Result<T, TomlError>,
) -> Result<T, TomlError> {
    let bytes = read.map_err(|problem| TomlError::new(problem.to_string()));
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|_| TomlError::new("is not text in UTF-8")));
    text.and_then(|text| parse(&text)).map_err(|error| TomlError { file: Some(path.to_owned()), ..error })
}
