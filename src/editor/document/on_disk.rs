//! The project file as it is on disk, where other windows and programs may have changed or deleted it.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use smirk_base::regular_file;

/// The content of a file: its length and a hash of its bytes. It is stored with unsaved work, so that it must be the
/// same in all versions of the program: 64-bit FNV-1a.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    bytes: u64,
    hash: u64,
}

impl Fingerprint {
    const EMPTY: Self = Self { bytes: 0, hash: 0xcbf2_9ce4_8422_2325 };

    pub fn new(bytes: &[u8]) -> Self {
        let mut fingerprint = Self::EMPTY;
        fingerprint.add(bytes);
        fingerprint
    }

    fn add(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        self.bytes += bytes.len() as u64;
        self.hash = bytes.iter().fold(self.hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    }

    fn read(path: &Path) -> io::Result<Self> {
        let (mut file, mut buffer) = (regular_file::open(path)?, vec![0; 1 << 16]);
        let mut fingerprint = Self::EMPTY;
        loop {
            match file.read(&mut buffer) {
                Ok(0) => return Ok(fingerprint),
                Ok(count) => fingerprint.add(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    Nothing,
    Content(Fingerprint),
    /// Something else, such as a folder or a file that cannot be read.
    Unreadable,
}

impl Found {
    pub fn at(path: &Path) -> Self {
        match Fingerprint::read(path) {
            Ok(content) => Self::Content(content),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::Nothing,
            Err(_) => Self::Unreadable,
        }
    }
}

/// How the project file compares with what this window read from it or saved in it last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileState {
    #[default]
    Same,
    /// Another window or program has changed it.
    Changed,
    Missing,
}

#[derive(Clone, Debug)]
pub(super) struct ProjectFile {
    path: PathBuf,
    /// What this window read from it or saved in it last. None for restored work whose record does not name it.
    known: Option<Fingerprint>,
    state: FileState,
    /// The size and the time of the file whose content was compared last.
    compared: Option<(u64, SystemTime)>,
}

impl ProjectFile {
    /// The file at an absolute path, of which this window knows that content.
    pub(super) fn new(path: PathBuf, known: Option<Fingerprint>) -> Self {
        Self { path, known, state: FileState::Same, compared: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn known(&self) -> Option<Fingerprint> {
        self.known
    }

    pub(super) fn state(&self) -> FileState {
        self.state
    }

    pub(super) fn is_at(&self, path: &Path) -> bool {
        match [self.path.as_path(), path].map(|path| path.canonicalize().or_else(|_| std::path::absolute(path))) {
            [Ok(own), Ok(other)] => own == other,
            _ => self.path == path,
        }
    }

    /// Compares the file with what this window knows of it. Its content is read only if its size or its time differ
    /// from those of the last comparison, so that this can be called often; before the file is replaced, [`Found::at`]
    /// reads it in any case.
    pub(super) fn look(&mut self) {
        let metadata = std::fs::metadata(&self.path).ok();
        let now = metadata.and_then(|metadata| Some((metadata.len(), metadata.modified().ok()?)));
        if now.is_none() || now != self.compared {
            self.compared = now;
            self.state = match Found::at(&self.path) {
                Found::Nothing => FileState::Missing,
                Found::Content(content) if Some(content) == self.known => FileState::Same,
                Found::Content(_) | Found::Unreadable => FileState::Changed,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fingerprint_is_that_of_all_versions() {
        assert_eq!(Fingerprint::new(b"foobar"), Fingerprint { bytes: 6, hash: 0x8594_4171_f739_67e8 });
        let folder = tempfile::tempdir().unwrap();
        let long: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
        std::fs::write(folder.path().join("long"), &long).unwrap();
        assert_eq!(Found::at(&folder.path().join("long")), Found::Content(Fingerprint::new(&long)));
        assert_eq!(Found::at(folder.path()), Found::Unreadable);
        assert_eq!(Found::at(&folder.path().join("none")), Found::Nothing);
    }

    #[test]
    fn a_look_notices_changes_deletion_and_return() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("walk.smirk");
        std::fs::write(&path, "mine").unwrap();
        let mut file = ProjectFile::new(path.clone(), Some(Fingerprint::new(b"mine")));
        let mut state = || {
            file.look();
            file.state()
        };
        assert_eq!(state(), FileState::Same);
        std::fs::write(&path, "theirs").unwrap();
        assert_eq!(state(), FileState::Changed);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(state(), FileState::Missing);
        std::fs::write(&path, "mine").unwrap();
        assert_eq!(state(), FileState::Same, "the same content is no change, whenever it was written");
    }
}
