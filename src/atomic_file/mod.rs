//! Atomic writing of files: the content goes to a temporary file in the same folder, which then replaces the old file. A file is
//! thus either completely new or unchanged.

mod stale;
mod temporary;

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use temporary::Temporary;
#[allow(unused_imports, reason = "called by the handler of signals")]
pub(crate) use temporary::remove_temporaries;

/// Replaces the file at `path`, or leaves it unchanged.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = temporary_beside(path)?;
    file.file.write_all(bytes)?;
    file.put_in_place(path)
}

/// Replaces the file at `path`, and keeps its previous content at [`backup_path`]. At every moment there is a file at `path`.
/// `may_replace` is asked before anything changes, and once more when only the renaming is left to be done; its error ends the
/// write. A change that another program makes between that answer and the renaming, some microseconds later, is not noticed.
pub(crate) fn write_with_backup(
    path: &Path,
    bytes: &[u8],
    mut may_replace: impl FnMut() -> io::Result<()>,
) -> io::Result<()> {
    may_replace()?;
    // The file that a symbolic link points to is replaced, not the link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = temporary_beside(path)?;
    file.file.write_all(bytes)?;
    if path.exists() {
        let mut copy = temporary_beside(path)?;
        io::copy(&mut fs::File::open(path)?, &mut copy.file)?;
        copy.put_in_place(&backup_path(path))?;
    }
    // Only the disk takes long here: it is waited for before the last question.
    file.file.sync_all()?;
    may_replace()?;
    file.put_in_place(path)
}

/// The path of the previous content of a file: `face.smirk.bak`.
pub(crate) fn backup_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    PathBuf::from(name)
}

/// A temporary file in the folder of `path`. It is deleted unless it is put in place.
pub(crate) fn temporary_beside(path: &Path) -> io::Result<Temporary> {
    // If `path` is a folder, the rename would fail, with a message that names the temporary file.
    if fs::metadata(path).is_ok_and(|there| there.is_dir()) {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    stale::remove(temporary::folder_of(path));
    Temporary::beside(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_backup_has_the_content_before_the_last_write() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("face.smirk");
        for text in ["one", "two", "three"] {
            write_with_backup(&path, text.as_bytes(), || Ok(())).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_to_string(backup_path(&path)).unwrap(), "two");
        assert_eq!(names(folder.path()), ["face.smirk", "face.smirk.bak"]);
    }

    #[test]
    fn a_write_that_fails_leaves_the_file_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("face.smirk");
        write(&path, b"old").unwrap();
        // The backup cannot be written, since a folder has its name.
        fs::create_dir(backup_path(&path)).unwrap();
        assert!(write_with_backup(&path, b"new", || Ok(())).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["face.smirk", "face.smirk.bak"]);
        assert!(write(&folder.path().join("no/such/face.smirk"), b"new").is_err());
    }

    #[test]
    fn a_file_that_changes_during_the_write_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("face.smirk");
        fs::write(&path, "old").unwrap();
        let mut questions = 0;
        let written = write_with_backup(&path, b"new", || {
            questions += 1;
            let is_old = fs::read(&path)? == b"old";
            // Another program writes after the first question.
            fs::write(&path, "theirs")?;
            if is_old { Ok(()) } else { Err(ErrorKind::AlreadyExists.into()) }
        });
        assert_eq!((written.unwrap_err().kind(), questions), (ErrorKind::AlreadyExists, 2));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(folder.path()), ["face.smirk", "face.smirk.bak"], "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_with_backup(&link, b"new", || Ok(())).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
