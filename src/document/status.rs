//! What the panels show about the document: whether it is saved, and what is missing or waits to be restored.

/// What the window says of the files an artist works in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentStatus {
    /// The name of the project in the window, if it has one.
    pub project: Option<String>,
    /// The window holds work that no project file does.
    pub is_unsaved: bool,
    /// Work of an earlier run that waits to be taken up or thrown away.
    pub unsaved_work: Option<UnsavedWork>,
    /// A project that waits for its head.
    pub missing_head: Option<MissingHead>,
    /// Takes of the project whose file is gone.
    pub lost_takes: Vec<MissingTake>,
}

/// Work that was never saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsavedWork {
    /// The project it belongs to, else the head.
    pub name: String,
    /// How old it is, in words.
    pub age: String,
    /// How many others wait.
    pub more: usize,
}

/// A project whose head does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingHead {
    /// The project's name.
    pub project: String,
    /// Which file, and why not.
    pub problem: String,
}

/// A take that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingTake {
    /// Where among those that wait; what [`Command::ForgetTake`](crate::session::Command::ForgetTake) calls it.
    pub place: usize,
    /// Its name.
    pub name: String,
    /// Which file, and why not.
    pub problem: String,
}
