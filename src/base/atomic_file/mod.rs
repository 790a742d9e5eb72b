//! Writing of files. One function decides for every command and every dialog what may be written where:
//! [`OutputPath::check`]. A regular file is then completely new or unchanged: the content goes to a temporary file in
//! the same folder, which replaces the old file.

mod destination;
mod error;
mod growing;
mod output_path;
mod replace;
mod stale;
mod temporary;
mod writer;

use std::io;
use std::path::Path;

pub use error::WriteError;
pub use growing::GrowingFile;
pub use output_path::{OutputPath, backup_path};
pub use temporary::remove_temporaries;
pub use writer::Writer;

/// Replaces a file of the program's own, such as its settings, or leaves it unchanged. The error does not name the
/// file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    Ok(OutputPath::new(path).write(bytes)?)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;

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
            OutputPath::new(&path).write_with_backup(text.as_bytes(), || Ok(())).unwrap();
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
        assert!(OutputPath::new(&path).write_with_backup(b"new", || Ok(())).is_err());
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
        let written = OutputPath::new(&path).write_with_backup(b"new", || {
            questions += 1;
            let is_old = fs::read(&path)? == b"old";
            // Another program writes after the first question.
            fs::write(&path, "theirs")?;
            if is_old { Ok(()) } else { Err(ErrorKind::AlreadyExists.into()) }
        });
        assert_eq!((io::Error::from(written.unwrap_err()).kind(), questions), (ErrorKind::AlreadyExists, 2));
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        assert_eq!(names(folder.path()), ["face.smirk", "face.smirk.bak"], "no temporary file stays");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_and_its_backup_keep_the_mode() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("face.smirk");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        OutputPath::new(&path).write_with_backup(b"two", || Ok(())).unwrap();
        for path in [&path, &backup_path(&path)] {
            assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o7777, 0o600, "{}", path.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_stays_and_its_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        OutputPath::new(&link).write_with_backup(b"new", || Ok(())).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    }
}
