//! Requests of the panels about unsaved work.

/// Unsaved work in the list, numbered anew by every run of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkId(pub u64);

/// A request about unsaved work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkCommand {
    /// Look for work that other runs have left meanwhile, and list all of it.
    List,
    /// Hide the notice about unsaved work.
    DismissNotice,
    /// Open it, from the list or from the trash.
    Restore(WorkId),
    /// Move it to the trash.
    Trash(WorkId),
    /// Move it from the trash back to the list.
    PutBack(WorkId),
    /// Delete it from the trash.
    Delete(WorkId),
    /// Delete all work in the trash.
    EmptyTrash,
    /// Take over work of which it is not known whether another window still uses it.
    TakeOver(WorkId),
}
