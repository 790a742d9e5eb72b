//! Stamps of files: what the system says about a file without reading it. Stamps are only compared with other stamps of the same
//! file. A time of a file and a time of a clock cannot be compared: the system takes the times of files from a clock of its own that
//! is some milliseconds behind, a server on a network has another one, and programs set them as they like.

use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

/// What tells a file from what was at its path before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stamp {
    /// There is no file.
    #[default]
    Absent,
    /// There is a file.
    File {
        /// Its length.
        bytes: u64,
        /// When its content was changed last. None where the system does not say.
        modified: Option<SystemTime>,
        /// Which file it is, since one that replaces another may have the length and the times of that.
        identity: Identity,
    },
}

/// Which of all files one is, as far as the system says it. The time of the last change of an inode (`ctime`) is not part of it:
/// programs that index or synchronise files set attributes of files whose content stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    /// When the file was made.
    created: Option<SystemTime>,
    /// Unix: its device and its inode there. The number of an inode that is free is given to another file.
    inode: Option<(u64, u64)>,
}

impl Stamp {
    /// The stamp of what is at a path now.
    pub(super) fn of(path: &Path) -> Self {
        let Ok(metadata) = std::fs::metadata(path) else { return Self::Absent };
        let identity = Identity { created: metadata.created().ok(), inode: inode_of(&metadata) };
        Self::File { bytes: metadata.len(), modified: metadata.modified().ok(), identity }
    }
}

#[cfg(unix)]
fn inode_of(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn inode_of(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_that_replaces_another_of_its_length_and_time_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("file"), folder.path().join("other"));
        for path in [&file, &other] {
            std::fs::write(path, "text").unwrap();
            std::fs::File::options().write(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let before = Stamp::of(&file);
        assert_eq!(Stamp::of(&file), before);
        std::fs::rename(&other, &file).unwrap();
        assert_ne!(Stamp::of(&file), before);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(Stamp::of(&file), Stamp::Absent);
    }
}
