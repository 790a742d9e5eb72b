//! Reading files that must be regular files. Opening a pipe waits until another program writes to it, and a device may
//! never end, so both are refused before they are opened. Whatever names a file, the command line, a dialog or another
//! file, it is opened here; `tests/program/rooms.rs` lists what else is opened, and why.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use crate::inputs;

pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let size = check(path)?.len();
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {max_bytes} bytes"));
    if size > max_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // `take`, because the file may grow between the check and the read.
    let read = open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if read as u64 > max_bytes { Err(too_large()) } else { Ok(bytes) }
}

pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether a folder shows a file only on request. macOS writes one, `._name`, beside each file on a disk of another
/// system.
pub fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Opens an input to read it. No output of a command may replace it.
pub fn open(path: &Path) -> io::Result<File> {
    inputs::add(path);
    open_output(path)
}

/// Opens a file that the program itself has written, to see whether it is whole or still the same: such a file may be
/// replaced.
pub fn open_output(path: &Path) -> io::Result<File> {
    check(path)?;
    File::open(path)
}

/// The metadata of a regular file, or of the one that a link leads to. An error if there is something else at `path`.
pub fn check(path: &Path) -> io::Result<Metadata> {
    let metadata = fs::metadata(path)?;
    match other_kind(&metadata) {
        None => Ok(metadata),
        Some(kind) => Err(io::Error::new(ErrorKind::InvalidInput, format!("it is {kind}, not a file"))),
    }
}

/// What something that is not a regular file is.
fn other_kind(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return None;
    }
    if kind.is_dir() {
        return Some("a folder");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    Some("something else")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_within_the_limit_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(read(&file, 4).unwrap(), b"text");
        assert_eq!(read(&file, 3).unwrap_err().to_string(), "it has more than 3 bytes");
        assert_eq!(read(folder.path(), 9).unwrap_err().to_string(), "it is a folder, not a file");
        assert_eq!(read(&folder.path().join("none"), 9).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert_eq!(read(&pipe, 9).unwrap_err().to_string(), "it is a pipe, not a file");
        assert_eq!(read(&link, 9).unwrap_err().to_string(), "it is a device, not a file");
    }
}
