//! Unsaved work on disk: the recovery folder, its locked files, and the record that each of them holds.

mod folder;
mod locked_file;
mod own_file;
mod record;
mod rescue;

pub use folder::RecoveryFolder;
pub(crate) use record::RecoveryRecord;
pub use rescue::Rescue;
