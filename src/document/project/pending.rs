//! A project on its way into the window.

use std::path::{Path, PathBuf};

use super::{FileRef, HeadRef, Project, ProjectError};

/// A project that was read and is not on screen yet: its head may take a while, or be gone.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingProject {
    /// What it holds.
    pub project: Project,
    /// The file it is saved in, if it ever was.
    pub file: Option<PathBuf>,
    /// For work that was never saved: the recovery file that holds it.
    pub recovery_file: Option<PathBuf>,
    /// Whether the file says something else than this.
    pub is_changed: bool,
}

impl PendingProject {
    /// Reads a project file.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let file = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Ok(Self { project: Project::read(path)?, file: Some(file), recovery_file: None, is_changed: false })
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned(),
            None => self.project.head.source().name(),
        }
    }

    /// The same with a head that is somewhere else now.
    pub fn with_head(mut self, path: &Path) -> Self {
        self.project.head = HeadRef::File(FileRef::new(path));
        self.is_changed = true;
        self
    }
}
