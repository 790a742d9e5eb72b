//! The recordings that belong to a document: where they are put, and what happens to them when the project is saved.

use std::path::{Path, PathBuf};

use super::places::{Places, copy_to, project_folder};
use super::sound::sound_path;
use crate::document::project::Project;
use crate::session::FileRef;

/// Recordings whose takes the session does not have yet, and where new ones are put.
#[derive(Clone, Debug, Default)]
pub(in crate::document) struct Recordings {
    pub(in crate::document) places: Places,
    /// Those that grow or are being read.
    pub(in crate::document) growing: Vec<GrowingTake>,
}

/// A recording that the session does not have yet.
#[derive(Clone, Debug)]
pub(in crate::document) struct GrowingTake {
    /// The table.
    pub path: PathBuf,
    /// The name of its take.
    pub name: String,
    /// Whether a microphone is heard with it.
    pub has_sound: bool,
}

impl Recordings {
    /// Whether there is any that the session does not have yet.
    pub(in crate::document) fn is_empty(&self) -> bool {
        self.growing.is_empty()
    }

    /// Their files.
    pub(in crate::document) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.growing.iter().flat_map(|take| [take.path.clone(), sound_path(&take.path)])
    }

    /// Copies recordings of work that had no project file to the folder of the one that `project` is written to, and makes it name
    /// them there. One that cannot be copied stays named where it is.
    pub(in crate::document) fn move_to(&self, file: &Path, project: &mut Project) {
        let Some(folder) = project_folder(file) else { return };
        for entry in &mut project.edits.takes {
            let sound = entry.sound.as_mut().map(|sound| &mut sound.file);
            for file in entry.file.iter_mut().chain(sound).filter(|file| self.places.is_unsaved(file)) {
                match copy_to(&folder, file) {
                    Ok(copy) => *file = FileRef::new(&copy),
                    Err(error) => log::warn!("a recording stays in the folder of unsaved work: {error}"),
                }
            }
        }
    }
}
