//! The recordings that belong to a document: where they are put, and what happens to them when the project is saved.

use std::path::{Path, PathBuf};

use super::places::{Places, copy_to, project_folder};
use crate::document::project::{FileRef, Project};

/// Recordings whose takes the session does not have yet, and where new ones are put.
#[derive(Clone, Debug, Default)]
pub(in crate::document) struct Recordings {
    pub(in crate::document) places: Places,
    /// The files that grow or are being read, each with the name of its take.
    pub(in crate::document) growing: Vec<(PathBuf, String)>,
}

impl Recordings {
    /// Whether there is any that the session does not have yet.
    pub(in crate::document) fn is_empty(&self) -> bool {
        self.growing.is_empty()
    }

    /// Their files.
    pub(in crate::document) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.growing.iter().map(|(path, _)| path.clone())
    }

    /// Copies recordings of work that had no project file to the folder of the one that `project` is written to, and makes it name
    /// them there. One that cannot be copied stays named where it is.
    pub(in crate::document) fn move_to(&self, file: &Path, project: &mut Project) {
        let Some(folder) = project_folder(file) else { return };
        for record in &mut project.takes {
            let Some(path) = record.file.as_ref().map(FileRef::path).filter(|path| self.places.is_unsaved(path)) else {
                continue;
            };
            match copy_to(&folder, &path) {
                Ok(copy) => record.file = Some(FileRef::new(&copy)),
                Err(error) => log::warn!("a recording stays in the folder of unsaved work: {error}"),
            }
        }
    }
}
