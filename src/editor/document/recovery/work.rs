//! Unsaved work in the list of the recovery folder.

use std::path::{Path, PathBuf};

use crate::session::WorkId;

use super::locked_file::LockedFile;
use super::record::{Summary, WorkPicture};

/// Unsaved work in the recovery folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// Its number in this run of the program.
    pub id: WorkId,
    /// The name of the project it belongs to, else of the head.
    pub name: String,
    /// The name of the head.
    pub head: String,
    /// The project file it is to be saved in, if it has one.
    pub project: Option<PathBuf>,
    /// When it was written, in seconds since 1970, by the clock of that time.
    pub written_unix_secs: u64,
    /// The size of its file.
    pub bytes: u64,
    /// What was on screen.
    pub picture: Option<WorkPicture>,
    /// What can be done with it.
    pub place: WorkPlace,
}

/// Where unsaved work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkPlace {
    /// In the list; it can be restored.
    Offered,
    /// In the trash.
    Trash,
}

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
    /// In the trash, with its number there.
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

    /// As the panels show it.
    pub(super) fn shown(&self) -> UnsavedWork {
        let Summary { name, head, project_file, written_unix_secs, picture, bytes, .. } = self.summary.clone();
        let place = match &self.file {
            WorkFile::Held(_) => WorkPlace::Offered,
            WorkFile::Trashed(..) => WorkPlace::Trash,
        };
        UnsavedWork { id: self.id, name, head, project: project_file, written_unix_secs, bytes, picture, place }
    }
}
