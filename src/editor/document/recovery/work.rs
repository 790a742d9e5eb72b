//! Unsaved work in the list of the recovery folder.

use std::path::Path;

use crate::document::status::{UnsavedWork, WorkPlace};
use crate::session::WorkId;

use super::locked_file::LockedFile;
use super::record::Summary;

/// A file of unsaved work.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) id: WorkId,
    pub(super) file: WorkFile,
    pub(super) summary: Summary,
}

/// Where the file is.
#[derive(Debug)]
pub(super) enum WorkFile {
    /// In the folder; it belongs to this program.
    Held(LockedFile),
    /// In the folder. Another program may be using it: which one, in words.
    Uncertain(std::path::PathBuf, String),
    /// In the trash, with its number there.
    Trashed(std::path::PathBuf, u64),
}

impl Work {
    pub(super) fn path(&self) -> &Path {
        match &self.file {
            WorkFile::Held(file) => &file.path,
            WorkFile::Uncertain(path, _) | WorkFile::Trashed(path, _) => path,
        }
    }

    /// What sorts the list: work before the trash, the newest first.
    pub(super) fn rank(&self) -> (bool, std::cmp::Reverse<u64>) {
        match self.file {
            WorkFile::Trashed(_, number) => (true, std::cmp::Reverse(number)),
            WorkFile::Held(_) | WorkFile::Uncertain(..) => (false, std::cmp::Reverse(self.summary.sequence)),
        }
    }

    /// As the panels show it.
    pub(super) fn shown(&self) -> UnsavedWork {
        let Summary { name, head, project_file, written_unix_secs, picture, bytes, .. } = self.summary.clone();
        let place = match &self.file {
            WorkFile::Held(_) => WorkPlace::Offered,
            WorkFile::Uncertain(_, owner) => WorkPlace::Uncertain(owner.clone()),
            WorkFile::Trashed(..) => WorkPlace::Trash,
        };
        UnsavedWork { id: self.id, name, head, project: project_file, written_unix_secs, bytes, picture, place }
    }
}
