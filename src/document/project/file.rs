//! Reading and writing project files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::error::ProjectError;
use super::file_ref::{FileRef, HeadRef};
use super::format::Project;
use crate::atomic_file;
use crate::document::on_disk::{Fingerprint, Found};
use crate::json::from_text;

/// A larger file is not a project.
const MAX_FILE_BYTES: u64 = 1 << 28;

impl Project {
    /// Reads a project file, and finds the files it names where they are now.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        Self::read_known(path).map(|(project, _)| project)
    }

    /// Reads a project file. The second value is the content that was read.
    pub(super) fn read_known(path: &Path) -> Result<(Self, Fingerprint), ProjectError> {
        let file = path.to_owned();
        let unreadable = |source| ProjectError::Unreadable { file: path.to_owned(), source };
        let metadata = std::fs::metadata(path).map_err(unreadable)?;
        if !metadata.is_file() || metadata.len() > MAX_FILE_BYTES {
            let problem = if metadata.is_file() { "it is too large" } else { "it is not a regular file" };
            return Err(ProjectError::Unfit { file, problem: problem.into() });
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let broken = |problem| ProjectError::Broken { file: path.to_owned(), problem, advice: advice(path) };
        // The version is read first, since a later format may look broken to this version.
        let header: Value = from_text(&text).map_err(broken)?;
        if header.get("smirk").and_then(Value::as_str) != Some(Self::KIND) {
            let problem = r#"it does not say "smirk": "project""#.into();
            return Err(ProjectError::Unfit { file, problem });
        }
        if let Some(found) = Self::later_version(&header) {
            return Err(ProjectError::Newer { file, found, known: Self::VERSION });
        }
        let mut project: Self = from_text(&text).map_err(broken)?;
        project.map_files(|file| file.resolved_from(folder_of(path)));
        Ok((project, Fingerprint::of(text.as_bytes())))
    }

    /// The version of the format, if it is later than [`Self::VERSION`].
    pub fn later_version(project: &Value) -> Option<u64> {
        project.get("version").and_then(Value::as_u64).filter(|&found| found > u64::from(Self::VERSION))
    }

    /// Replaces a project file in one step, and keeps its previous content in a `.bak` file beside it.
    pub fn write(&self, path: &Path) -> Result<(), ProjectError> {
        self.write_over(path, |_| true).map(|_| ())
    }

    /// The same, unless `may_replace` says no to what is found there; text that equals the project's own may always be replaced.
    /// Returns what the file holds now.
    pub(in crate::document) fn write_over(
        &self,
        path: &Path,
        may_replace: impl Fn(Found) -> bool,
    ) -> Result<Fingerprint, ProjectError> {
        let unwritable = |source| ProjectError::Unwritable { file: path.to_owned(), source };
        let mut project = self.clone();
        project.map_files(|file| file.relative_to(folder_of(path)));
        let text = serde_json::to_string_pretty(&project).map_err(|error| unwritable(error.into()))?;
        let content = Fingerprint::of(text.as_bytes());
        let mut refused = None;
        let written = atomic_file::write_with_backup(path, text.as_bytes(), || {
            let found = Found::at(path);
            if may_replace(found) || found == Found::Content(content) {
                return Ok(());
            }
            refused = Some(found);
            Err(ErrorKind::AlreadyExists.into())
        });
        match (written, refused) {
            (_, Some(found)) => Err(ProjectError::Changed { file: path.to_owned(), found }),
            (written, None) => written.map(|()| content).map_err(unwritable),
        }
    }

    fn map_files(&mut self, change: impl Fn(&FileRef) -> FileRef) {
        let head = match &mut self.head {
            HeadRef::Embedded => None,
            HeadRef::File(file) => Some(file),
        };
        let shapes = self.shapes.iter_mut().map(|record| &mut record.file);
        for file in
            head.into_iter().chain(shapes).chain(self.takes.iter_mut().filter_map(|record| record.file.as_mut()))
        {
            *file = change(file);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn advice(path: &Path) -> String {
    let backup: PathBuf = atomic_file::backup_path(path);
    if backup.is_file() {
        format!("Mend it in a text editor, or rename {}, the save before it, and open that", backup.display())
    } else {
        "Mend it in a text editor, or open another copy of it".into()
    }
}
