//! A project that is not open yet.

use std::path::{Path, PathBuf};

use super::error::ProjectError;
use super::format::{HeadRef, Project};
use crate::document::on_disk::Fingerprint;
use crate::session::FileRef;

/// A project that was read, while its head is loaded or has to be located.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingProject {
    /// The project.
    pub project: Project,
    /// The file it is saved in, if it ever was.
    pub file: Option<PathBuf>,
    /// What that file held when the project was read from it or saved in it last, if that is known.
    pub known: Option<Fingerprint>,
    /// For unsaved work: the recovery file that holds it.
    pub recovery_file: Option<PathBuf>,
    /// Whether the project differs from what the file holds.
    pub is_changed: bool,
}

impl PendingProject {
    /// Reads a project file.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let file = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let (project, known) = Project::read_known(path)?;
        Ok(Self { project, file: Some(file), known: Some(known), recovery_file: None, is_changed: false })
    }

    /// The name of its file, else of its head's.
    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            None => self.project.head.source().name(),
        }
    }

    /// The same project with its head in another file.
    pub fn with_head(mut self, path: &Path) -> Self {
        self.project.head = HeadRef::File(FileRef::new(path).absolute());
        self.is_changed = true;
        self
    }
}
