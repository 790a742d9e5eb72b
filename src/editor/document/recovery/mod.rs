//! Unsaved work on disk: the recovery folder with its trash, its locked files, and the record that each of them holds.

mod folder;
#[cfg(test)]
mod folder_tests;
#[cfg(test)]
mod lock_tests;
mod locked_file;
mod own_file;
mod picture;
mod record;
mod rescue;
mod trash;
mod work;

pub use folder::RecoveryFolder;
pub use picture::WorkPicture;
pub(super) use record::RecoveryRecord;
pub use rescue::Rescue;
pub use work::{UnsavedWork, WorkPlace};
