//! The files that a command has read, none of which an output of it may replace.
//!
//! Which files these are is known only once they are read: a model names its buffers and textures, a folder the frames
//! in it. So a file is remembered where it is opened ([`crate::regular_file`]), or, if it is opened later, where it is
//! named ([`crate::watch::before_reading`]), and every output is compared with all of them ([`crate::atomic_file`]).
//! The window replaces files that it has read, such as its project, and tells each output itself what it must not
//! replace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

static READ: OnceLock<Mutex<Inputs>> = OnceLock::new();

/// Remembers what is read from now on. For commands; the window never calls it.
pub fn remember() {
    READ.get_or_init(Mutex::default);
}

/// Adds what is at a path, if inputs are remembered. A file that is not there cannot be lost.
pub(crate) fn add(path: &Path) {
    if let (Some(read), Ok(metadata)) = (READ.get(), fs::metadata(path))
        && metadata.is_file()
    {
        read.lock().unwrap_or_else(PoisonError::into_inner).add(path, &metadata);
    }
}

/// The input that the file at `path` is, with the path by which it was read.
pub(crate) fn input_at(path: &Path, metadata: &Metadata) -> Option<PathBuf> {
    READ.get()?.lock().unwrap_or_else(PoisonError::into_inner).find(path, metadata)
}

/// Whether what is at `path`, which has this metadata, is the file that another path leads to.
pub(crate) fn is_same_file(path: &Path, metadata: &Metadata, other: &Path) -> bool {
    fs::metadata(other).is_ok_and(|of_other| identity(path, metadata) == identity(other, &of_other))
}

/// Which of all files one is, whatever its name. Where the system does not tell, its path with links followed: hard
/// links are not recognised there.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Identity {
    Inode(u64, u64),
    Place(PathBuf),
}

fn identity(path: &Path, metadata: &Metadata) -> Identity {
    match inode_of(metadata) {
        Some((device, inode)) => Identity::Inode(device, inode),
        None => Identity::Place(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())),
    }
}

/// The device of a file and its number there, which its hard links share; none where the standard library does not
/// tell.
#[cfg(unix)]
pub(crate) fn inode_of(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
pub(crate) fn inode_of(_metadata: &Metadata) -> Option<(u64, u64)> {
    None
}

#[derive(Debug, Default)]
struct Inputs {
    /// By the path with links followed: what is there counts as an input also after another program has replaced it.
    by_place: BTreeMap<PathBuf, PathBuf>,
    by_identity: BTreeMap<Identity, BTreeSet<PathBuf>>,
}

impl Inputs {
    fn add(&mut self, path: &Path, metadata: &Metadata) {
        if let Ok(place) = fs::canonicalize(path) {
            self.by_place.entry(place).or_insert_with(|| path.to_owned());
        }
        self.by_identity.entry(identity(path, metadata)).or_default().insert(path.to_owned());
    }

    fn find(&self, path: &Path, metadata: &Metadata) -> Option<PathBuf> {
        let at_place = fs::canonicalize(path).ok().and_then(|place| self.by_place.get(&place));
        let mut alike = self.by_identity.get(&identity(path, metadata)).into_iter().flatten();
        // The number of a file that was deleted is given to another one.
        at_place.or_else(|| alike.find(|it| is_same_file(path, metadata, it))).cloned()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn an_input_is_found_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["read", "other"] {
            fs::write(at(name), name).unwrap();
        }
        symlink(at("read"), at("link")).unwrap();
        symlink(at("link"), at("chain")).unwrap();
        fs::hard_link(at("read"), at("hard")).unwrap();
        let mut inputs = Inputs::default();
        inputs.add(&at("link"), &fs::metadata(at("link")).unwrap());
        let found = |name: &str| inputs.find(&at(name), &fs::metadata(at(name)).unwrap());
        for name in ["read", "link", "chain", "hard"] {
            assert_eq!(found(name), Some(at("link")), "{name}");
        }
        assert_eq!(found("other"), None);
        // Another program saves a new file in the place of the one that was read: it is not to be lost either.
        fs::write(at("new"), "new").unwrap();
        fs::rename(at("new"), at("read")).unwrap();
        assert_eq!(found("read"), Some(at("link")));
        assert_eq!(found("hard"), None, "no path leads to what was read any more but this one, which was not read");
    }
}
