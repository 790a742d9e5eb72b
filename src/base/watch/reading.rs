//! The stamps of files from before they were read.
//!
//! Which files a head is read from is known only once it is read: a model names its buffers and textures, a project its
//! head. So whatever reads a file calls [`before_reading`], and each [`Reading`] that is under way remembers the stamp.
//! What is read for other purposes meanwhile is remembered too, which does no harm: stamps are asked for by path, and
//! one from too early causes at most one reading too many.
//!
//! A stamp is what the system says about a file without reading it. Stamps are only compared with other stamps of the
//! same file. A time of a file and a time of a clock cannot be compared: the system takes the times of files from a
//! clock of its own that is some milliseconds behind, a server on a network has another one, and programs set them as
//! they like.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use crate::inputs::{self, inode_of};

type Stamps = BTreeMap<PathBuf, Stamp>;

/// The stamps of the readings that are under way. They cannot belong to a thread, because a reading may use several.
static UNDER_WAY: Mutex<Vec<Weak<Mutex<Stamps>>>> = Mutex::new(Vec::new());

/// Remembers the stamp of a file that is read next, in all readings that are under way. The first stamp of a reading
/// counts. No output of a command may replace it.
pub fn before_reading(path: &Path) {
    inputs::add(path);
    // The lock is not held while a slow disk is asked.
    let under_way: Vec<_> = locked(&UNDER_WAY).iter().filter_map(Weak::upgrade).collect();
    if under_way.is_empty() {
        return;
    }
    let stamp = Stamp::read(path);
    for stamps in under_way {
        locked(&stamps).entry(path.to_owned()).or_insert(stamp);
    }
}

/// A reading of files that is under way.
#[derive(Debug)]
pub struct Reading {
    began_at: SystemTime,
    stamps: Arc<Mutex<Stamps>>,
}

impl Reading {
    /// Begins to remember stamps, before the first file is read.
    pub fn begin() -> Self {
        let stamps = Arc::default();
        let mut under_way = locked(&UNDER_WAY);
        under_way.retain(|stamps| stamps.strong_count() > 0);
        under_way.push(Arc::downgrade(&stamps));
        Self { began_at: SystemTime::now(), stamps }
    }

    /// Ends it. What is read from now on is not among its files.
    pub fn end(self) -> FilesRead {
        let stamps = std::mem::take(&mut *locked(&self.stamps));
        FilesRead { began_at: self.began_at, stamps }
    }
}

/// Files that were read, with their stamps from before that.
#[derive(Clone, Debug)]
pub struct FilesRead {
    began_at: SystemTime,
    stamps: Stamps,
}

impl FilesRead {
    /// Files that are read next, and no others, with their present stamps.
    pub fn from_files<'a>(files: impl IntoIterator<Item = &'a Path>) -> Self {
        let stamps = files.into_iter().map(|file| (file.to_owned(), Stamp::read(file))).collect();
        Self { began_at: SystemTime::now(), stamps }
    }

    /// When the reading began, as it is told to the artist. Whether a file was changed later is seen by its stamp
    /// alone.
    pub fn began_at(&self) -> SystemTime {
        self.began_at
    }

    /// The paths that were looked at, also those where no file was.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.stamps.keys().map(PathBuf::as_path)
    }

    /// Adds the files of a later reading. A file that is in both may have been read as it was before the first.
    pub fn add(&mut self, later: &Self) {
        for (path, stamp) in &later.stamps {
            self.stamps.entry(path.clone()).or_insert(*stamp);
        }
    }

    /// The stamp of a file from before it was read. None if it was not read.
    pub(super) fn stamp_of(&self, path: &Path) -> Option<Stamp> {
        self.stamps.get(path).copied()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What tells a file from what was at its path before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Stamp {
    #[default]
    Absent,
    File {
        bytes: u64,
        /// When its content was changed last. None where the system does not say.
        modified: Option<SystemTime>,
        /// Which file it is, since one that replaces another may have the length and the times of that.
        identity: Identity,
    },
}

/// Which of all files one is, as far as the system says it. The time of the last change of an inode (`ctime`) is not
/// part of it: programs that index or synchronise files set attributes of files whose content stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Identity {
    created: Option<SystemTime>,
    /// Unix: its device and its inode there. The number of an inode that is free is given to another file.
    inode: Option<(u64, u64)>,
}

impl Stamp {
    /// The stamp of what is at a path now.
    pub(super) fn read(path: &Path) -> Self {
        let Ok(metadata) = std::fs::metadata(path) else { return Self::Absent };
        let identity = Identity { created: metadata.created().ok(), inode: inode_of(&metadata) };
        Self::File { bytes: metadata.len(), modified: metadata.modified().ok(), identity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stamp_of_each_reading_counts_whatever_thread_reads() {
        let folder = tempfile::tempdir().unwrap();
        let (file, gone) = (folder.path().join("file"), folder.path().join("gone"));
        std::fs::write(&file, "1").unwrap();
        let first = Reading::begin();
        let before = Stamp::read(&file);
        std::thread::scope(|scope| scope.spawn(|| before_reading(&file)).join()).unwrap();
        std::fs::write(&file, "22").unwrap();
        let after = Stamp::read(&file);
        let second = Reading::begin();
        before_reading(&file);
        before_reading(&gone);
        let (mut first, second) = (first.end(), second.end());
        before_reading(folder.path());
        assert_eq!((first.stamp_of(&file), second.stamp_of(&file)), (Some(before), Some(after)));
        assert_eq!((second.stamp_of(&gone), second.stamp_of(folder.path())), (Some(Stamp::Absent), None));
        assert_ne!(before, after);
        first.add(&second);
        assert_eq!((first.stamp_of(&file), first.stamp_of(&gone)), (Some(before), Some(Stamp::Absent)));
        assert!([&*file, &*gone].iter().all(|wanted| first.paths().any(|path| path == *wanted)));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_replaces_another_of_its_length_and_time_has_another_stamp() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("file"), folder.path().join("other"));
        for path in [&file, &other] {
            std::fs::write(path, "text").unwrap();
            std::fs::File::options().write(true).open(path).unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        let before = Stamp::read(&file);
        assert_eq!(Stamp::read(&file), before);
        std::fs::rename(&other, &file).unwrap();
        assert_ne!(Stamp::read(&file), before);
        std::fs::remove_file(&file).unwrap();
        assert_eq!(Stamp::read(&file), Stamp::Absent);
    }
}
