//! Unsaved work in the list of the recovery folder.

use std::path::{Path, PathBuf};

use smirk_session::WorkId;

use super::locked_file::LockedFile;
use super::record::WorkSummary;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    pub id: WorkId,
    /// What is known of it without reading it.
    pub summary: WorkSummary,
    pub place: WorkPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkPlace {
    /// In the list; it can be restored.
    Offered,
    Trash,
}

#[derive(Debug)]
pub(super) struct Work {
    pub(super) id: WorkId,
    pub(super) file: WorkFile,
    pub(super) summary: WorkSummary,
}

#[derive(Debug)]
pub(super) enum WorkFile {
    /// In the folder; it belongs to this program.
    Held(LockedFile),
    Trashed(PathBuf, u64),
}

impl Work {
    pub(super) fn path(&self) -> &Path {
        match &self.file {
            WorkFile::Held(file) => &file.path,
            WorkFile::Trashed(path, _) => path,
        }
    }

    /// What sorts the list: work before the trash, the newest first.
    pub(super) fn rank(&self) -> (bool, std::cmp::Reverse<u64>) {
        match self.file {
            WorkFile::Trashed(_, number) => (true, std::cmp::Reverse(number)),
            WorkFile::Held(_) => (false, std::cmp::Reverse(self.summary.sequence)),
        }
    }

    pub(super) fn shown(&self) -> UnsavedWork {
        let place = match &self.file {
            WorkFile::Held(_) => WorkPlace::Offered,
            WorkFile::Trashed(..) => WorkPlace::Trash,
        };
        UnsavedWork { id: self.id, summary: self.summary.clone(), place }
    }
}
