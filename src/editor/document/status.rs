//! What the panels show about the document: whether it is saved, and what is missing or can be restored.

use std::path::PathBuf;
use std::sync::Arc;

use crate::session::WorkId;

use super::on_disk::FileState;
use super::recovery::WorkPicture;

/// The state of the project and its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentStatus {
    /// The name of the open project, if the document has been saved as one.
    pub project: Option<String>,
    /// How the project's file compares with what this window read from it or saved in it last.
    pub file_state: FileState,
    /// The session holds work that the project file does not.
    pub is_unsaved: bool,
    /// Unsaved work that can be restored, and what is in the trash.
    pub works: Arc<[UnsavedWork]>,
    /// How much unsaved work belongs to other windows.
    pub works_in_use: usize,
    /// What a notice says about unsaved work.
    pub work_hint: Option<WorkHint>,
    /// A project that cannot open until its head file is located.
    pub missing_head: Option<MissingHead>,
}

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkPlace {
    /// In the list; it can be restored.
    Offered,
    /// In the list, but another window may be using it: which one, in words.
    Uncertain(String),
    /// In the trash.
    Trash,
}

/// Why unsaved work is brought to the artist's attention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkHint {
    /// Earlier runs of the program left it.
    Earlier {
        /// The newest.
        newest: UnsavedWork,
        /// How much there is in all.
        count: usize,
    },
    /// What was opened last has replaced the work of this name.
    SetAside(String),
}

/// What the artist is told about unsaved work without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attention {
    /// Nothing.
    None,
    /// That earlier runs have left some.
    Earlier,
    /// That work of this name was replaced by what was opened last.
    SetAside(String),
}

/// A project whose head file does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingHead {
    /// The project's name.
    pub project: String,
    /// Which file, and why not.
    pub problem: String,
}
