//! Unsaved work on disk: the recovery folder with its trash, its locked files, and the record that each of them holds.

mod folder;
#[cfg(test)]
mod folder_tests;
#[cfg(test)]
mod lock_tests;
mod locked_file;
mod own_file;
mod record;
mod trash;
mod work;

pub use folder::RecoveryFolder;
pub use own_file::Rescue;
pub(super) use record::RecoveryRecord;
pub use record::{WorkPicture, WorkSummary};
pub use work::{UnsavedWork, WorkPlace};
