//! Where a head comes from.

use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeadSource {
    /// The head that is part of the program.
    Embedded,
    File(PathBuf),
}

impl HeadSource {
    /// The name of the source on the screen.
    pub fn name(&self) -> String {
        match self {
            Self::Embedded => "Bundled head".into(),
            Self::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
        }
    }

    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Embedded => None,
            Self::File(path) => Some(path),
        }
    }
}
