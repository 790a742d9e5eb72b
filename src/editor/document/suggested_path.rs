//! Paths that file dialogs begin with.

use std::path::{Path, PathBuf};

use crate::session::HeadSource;
use smirk_base::file_kind;
use smirk_base::names::safe_file_name;

use super::open_document::Document;

impl Document {
    /// A path to suggest for a new file: beside the project, else beside the head, else in the user's documents folder. Its name
    /// is that of the document with `suffix`.
    pub fn suggested_path(&self, suffix: &str) -> PathBuf {
        let head = match &self.session.source {
            HeadSource::File(file) => Some(file.as_path()),
            HeadSource::Embedded => None,
        };
        let folder = self.file().or(head).and_then(Path::parent).map(Path::to_owned);
        let home = || {
            let user = directories::UserDirs::new()?;
            Some(user.document_dir().unwrap_or(user.home_dir()).to_owned())
        };
        let folder = folder.or_else(home).unwrap_or_default();
        folder.join(safe_file_name(&self.name(), suffix))
    }

    /// A path to suggest for the project file.
    pub fn suggested_project_path(&self) -> PathBuf {
        let extension = file_kind::PROJECT.extension();
        self.file().map(Path::to_owned).unwrap_or_else(|| self.suggested_path(&format!(".{extension}")))
    }
}
