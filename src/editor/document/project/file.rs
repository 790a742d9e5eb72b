//! Reading and writing project files.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use super::format::{HeadRef, Project};
use crate::document::on_disk::{Fingerprint, Found};
use smirk_base::atomic_file::{OutputPath, WriteError, backup_path};
use smirk_base::json::{self, JsonError};
use smirk_base::regular_file::{self, folder_of};
use smirk_session::FileRef;

const MAX_FILE_BYTES: u64 = 1 << 28;

/// What tells a project from other files, and its version from others.
#[derive(Deserialize)]
struct Header {
    smirk: Option<String>,
    version: Option<u64>,
}

impl Project {
    /// Reads a project file, and finds the files it names where they are now.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        Self::read_known(path).map(|(project, _)| project)
    }

    /// Reads a project file. The second value is the content that was read.
    pub(super) fn read_known(path: &Path) -> Result<(Self, Fingerprint), ProjectError> {
        let bytes = regular_file::read(path, MAX_FILE_BYTES)
            .map_err(|source| ProjectError::Unreadable { file: path.to_owned(), source })?;
        let mut project = Self::from_bytes(&bytes, path)?;
        project.map_files(|file| file.resolved_from(folder_of(path)));
        Ok((project, Fingerprint::new(&bytes)))
    }

    /// Reads the content of a project file. Errors name the file at `path`.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self, ProjectError> {
        let file = path.to_owned();
        let broken = |problem| {
            let backup = Some(backup_path(path)).filter(|backup| backup.is_file());
            ProjectError::Broken { file: path.to_owned(), problem, backup }
        };
        // The version is read first, since a later format may look damaged to this version.
        let Header { smirk, version } = json::read_header(bytes).map_err(broken)?;
        if smirk.as_deref() != Some(Self::KIND) {
            return Err(ProjectError::Unmarked { file });
        }
        match version {
            Some(found) if found > u64::from(Self::VERSION) => {
                Err(ProjectError::Newer { file, found, known: Self::VERSION })
            }
            _ => Self::from_json(bytes).map_err(broken),
        }
    }

    /// Replaces a project file in one step, and keeps its previous content in a `.bak` file beside it.
    pub fn write(&self, path: &Path) -> Result<(), ProjectError> {
        self.write_over(OutputPath::new(path), |_| true).map(|_| ())
    }

    /// The same, unless `may_replace` says no to what is found there; text that equals the project's own may always be
    /// replaced. The files that the project names are never replaced. Returns what the file holds now.
    pub(in crate::document) fn write_over(
        &self,
        output: OutputPath,
        may_replace: impl Fn(Found) -> bool,
    ) -> Result<Fingerprint, ProjectError> {
        let output = output.protecting(self.files());
        let path = output.path();
        let text = self.to_text(path);
        let text = text.map_err(|error| ProjectError::Unwritable(WriteError::of_content(path, error)))?;
        let content = Fingerprint::new(text.as_bytes());
        let mut refused = None;
        let written = output.write_with_backup(text.as_bytes(), || {
            let found = Found::at(path);
            if may_replace(found) || found == Found::Content(content) {
                return Ok(());
            }
            refused = Some(found);
            Err(ErrorKind::AlreadyExists.into())
        });
        match (written, refused) {
            (_, Some(found)) => Err(ProjectError::Changed { file: path.to_owned(), found }),
            (written, None) => written.map(|()| content).map_err(ProjectError::Unwritable),
        }
    }

    /// The content of the project file at `path`.
    pub fn to_text(&self, path: &Path) -> serde_json::Result<String> {
        let mut project = self.clone();
        project.map_files(|file| file.relative_to(folder_of(path)));
        let text = serde_json::to_string_pretty(&project)?;
        debug_assert!(
            Self::from_bytes(text.as_bytes(), path).is_ok(),
            "a number that is not finite cannot be read back"
        );
        Ok(text)
    }

    /// The files that the project names: its head, shapes, captures, sounds and reference.
    pub fn files(&self) -> Vec<PathBuf> {
        self.clone().file_refs().map(|file| file.to_path_buf()).filter(|path| !path.as_os_str().is_empty()).collect()
    }
}

/// What to do about a file that does not fit.
fn advice(backup: Option<&Path>) -> String {
    match backup {
        Some(backup) => format!("Mend it in a text editor, or open {}, the save before it", backup.display()),
        None => "Mend it in a text editor, or open another copy of it".into(),
    }
}

/// Why a project is not read or written: which file, where in it, and what to do.
#[derive(Debug, Error)]
pub enum ProjectError {
    #[error("{}: cannot be read: {source}", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    #[error(r#"{}: is no project: it does not say "smirk": "project""#, file.display())]
    Unmarked { file: PathBuf },
    #[error("{}: is no project that can be read: {problem}. {}", file.display(), advice(.backup.as_deref()))]
    Broken { file: PathBuf, problem: JsonError, backup: Option<PathBuf> },
    #[error(
        "{}: is a project of version {found}; this Smirk reads up to version {known}. Open it with a newer Smirk",
        file.display()
    )]
    Newer { file: PathBuf, found: u64, known: u32 },
    #[error("{}: is not replaced, since another window or program has changed it", file.display())]
    Changed { file: PathBuf, found: Found },
    #[error("{0}. What was there is unchanged")]
    Unwritable(WriteError),
}

/// A project that was read, while its head is loaded or has to be located.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingProject {
    pub project: Project,
    pub file: Option<PathBuf>,
    /// What that file held when the project was read from it or saved in it last, if that is known.
    pub known: Option<Fingerprint>,
    /// For unsaved work: the recovery file that holds it.
    pub recovery_file: Option<PathBuf>,
    /// Whether the project differs from what the file holds.
    pub is_changed: bool,
}

impl PendingProject {
    /// Reads a project file, or the backup of one.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let file = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (project, known) = Project::read_known(path)?;
        if file.extension().is_some_and(|extension| extension == "bak") {
            // The save before the last one is unsaved work of its project, which is not replaced unasked.
            let file = Some(file.with_extension(""));
            return Ok(Self { project, file, known: None, recovery_file: None, is_changed: true });
        }
        Ok(Self { project, file: Some(file), known: Some(known), recovery_file: None, is_changed: false })
    }

    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            None => self.project.head.source().name(),
        }
    }

    pub fn with_head(mut self, path: &Path) -> Self {
        self.project.head = HeadRef::File(FileRef::new(path).absolute());
        self.is_changed = true;
        self
    }
}
