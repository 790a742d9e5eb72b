//! What contact sheets show, and what is done with unsaved work.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SheetOf {
    Expressions,
    Poses,
    Moments,
    /// The faces of the review notes, each through the camera that it was noted with.
    Notes,
}

/// Unsaved work in the list, numbered anew by every run of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkId(pub u64);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkCommand {
    /// Look for work that other runs have left meanwhile, and list all of it.
    List,
    /// Open it, from the list or from the trash.
    Restore(WorkId),
    Trash(WorkId),
    /// Move all that is offered to the trash.
    TrashAll,
    /// Undo that.
    PutBackAll,
    /// Hide the offer; the work stays in the list.
    Later,
    /// Move it from the trash back to the list.
    PutBack(WorkId),
    Delete(WorkId),
    EmptyTrash,
}
