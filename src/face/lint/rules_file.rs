//! The file of rules beside a head.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::settings::{Settings, SettingsError};
use smirk_base::regular_file;

/// The largest file of rules.
const MOST_BYTES: u64 = 1 << 20;

/// Why a file of rules cannot be used.
#[derive(Debug, Error)]
pub enum RulesFileError {
    /// It cannot be read.
    #[error("{}: {problem}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        problem: std::io::Error,
    },
    /// It is not text in UTF-8.
    #[error("{}: is not text in UTF-8", .0.display())]
    NoText(PathBuf),
    /// Its content is no rules.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong in it.
        problem: SettingsError,
    },
}

impl Settings {
    /// Reads a file of rules.
    pub fn read(path: &Path) -> Result<Self, RulesFileError> {
        let own = || path.to_owned();
        let bytes = regular_file::read(path, MOST_BYTES)
            .map_err(|problem| RulesFileError::Unreadable { path: own(), problem })?;
        let text = String::from_utf8(bytes).map_err(|_| RulesFileError::NoText(own()))?;
        Self::parse(&text).map_err(|problem| RulesFileError::Invalid { path: own(), problem })
    }

    /// Reads the file of rules in the folder of a head; without one, the rules as they are.
    pub fn beside(head: &Path) -> Result<Self, RulesFileError> {
        match Self::read(&head.with_file_name(Self::FILE_NAME)) {
            Err(RulesFileError::Unreadable { problem, .. }) if problem.kind() == ErrorKind::NotFound => {
                Ok(Self::default())
            }
            read => read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::{Rule, Severity};

    #[test]
    fn rules_are_read_from_the_folder_of_the_head() {
        let folder = tempfile::tempdir().unwrap();
        let (head, rules) = (folder.path().join("ada.glb"), folder.path().join(Settings::FILE_NAME));
        assert_eq!(Settings::beside(&head).unwrap(), Settings::default());
        std::fs::write(&rules, "[noise]\nlevel = \"error\"\n").unwrap();
        assert_eq!(Settings::beside(&head).unwrap().severity(Rule::Noise), Severity::Error);
        for (bytes, problem) in [(&b"[noise"[..], "line 1"), (b"\xff", "is not text in UTF-8")] {
            std::fs::write(&rules, bytes).unwrap();
            let error = Settings::beside(&head).unwrap_err().to_string();
            assert!(error.contains(Settings::FILE_NAME) && error.contains(problem), "{error}");
        }
    }
}
