//! Why a file does not open: one line each, with the object, the numbers that disagree and what to do.

use thiserror::Error;

/// Why a file does not open.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The caller's progress function asked to stop.
    #[error("opening was cancelled")]
    Cancelled,
    /// The file, or what is in it, cannot be used.
    #[error("{file}: {fault}")]
    File {
        /// The file's name, without its folder.
        file: String,
        /// What is wrong with it.
        fault: Fault,
    },
}

impl ImportError {
    /// Ties a fault to the file it was found in.
    pub(super) fn in_file(file: &str, fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            fault => Self::File { file: file.to_owned(), fault },
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum Fault {
    /// Not the file's fault: somebody asked to stop.
    #[error("opening was cancelled")]
    Cancelled,
    /// The disk says no.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// A folder, a device, nothing in it …
    #[error("{0}")]
    Unfit(String),
    /// Needs something Smirk does not do yet.
    #[error("it is {feature}, which Smirk does not read yet; {advice}")]
    Unsupported {
        /// The feature in words, with the extension's name.
        feature: String,
        /// What to do in the program that made the file.
        advice: &'static str,
    },
    /// Something in it contradicts the format or itself.
    #[error("{object}: {problem}")]
    Invalid {
        /// Which object of the file, e.g. `accessor 3`.
        object: String,
        /// What is wrong with it, with the numbers.
        problem: String,
    },
    /// Sound, and nothing to look at.
    #[error("it holds no mesh to show ({0}); export the head as triangle meshes")]
    NothingToShow(String),
}

impl Fault {
    /// An object that contradicts the format or itself.
    pub(super) fn invalid(object: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { object: object.into(), problem: problem.into() }
    }
}

/// Why packed bytes do not unpack, in words that follow the name of what holds them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct Undecodable(String);

impl Undecodable {
    /// In words, e.g. `is larger than 8192 × 8192 texels; re-export it smaller`.
    pub(super) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// A name from a file, fit for a one-line message: quoted, control characters escaped, not longer than a line bears.
pub(super) fn quoted(name: &str) -> String {
    const LONGEST: usize = 48;
    let mut text: String = name.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if name.chars().nth(LONGEST).is_some() {
        text.push('…');
    }
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_on_one_short_line() {
        assert_eq!(quoted("眼\n\"x\""), r#""眼\n\"x\"""#);
        assert_eq!(quoted(&"é".repeat(10_000)).chars().count(), 51);
    }
}
