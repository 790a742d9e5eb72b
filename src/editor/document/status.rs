//! What the panels show about the document: whether it is saved, and what is missing or can be restored.

use std::sync::Arc;

use super::on_disk::FileState;
use super::recovery::UnsavedWork;

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
    /// What a line in the top row says about unsaved work.
    pub work_hint: Option<WorkHint>,
    /// A project that cannot open until its head file is located.
    pub missing_head: Option<MissingHead>,
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
