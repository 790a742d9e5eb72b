//! What the panels show about the document: whether it is saved, and what is missing or can be restored.

use super::on_disk::FileState;

/// The state of the project and its files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentStatus {
    /// The name of the open project, if the document has been saved as one.
    pub project: Option<String>,
    /// How the project's file compares with what this window read from it or saved in it last.
    pub file_state: FileState,
    /// The session holds work that the project file does not.
    pub is_unsaved: bool,
    /// Unsaved work of an earlier run that can be restored or discarded.
    pub unsaved_work: Option<UnsavedWork>,
    /// A project that cannot open until its head file is located.
    pub missing_head: Option<MissingHead>,
    /// Takes of the project whose file is missing.
    pub missing_takes: Vec<MissingTake>,
}

/// Work that was never saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// The name of the project it belongs to, else of the head.
    pub name: String,
    /// How old it is, in words.
    pub age: String,
    /// How much other unsaved work can be restored.
    pub more: usize,
}

/// A project whose head file does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingHead {
    /// The project's name.
    pub project: String,
    /// Which file, and why not.
    pub problem: String,
}

/// A take whose file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTake {
    /// Its index in the project's list of them; [`Command::ForgetTake`](crate::session::Command::ForgetTake) names it so.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// Which file, and why not.
    pub problem: String,
}
