//! What may be written where. Every command, and every dialog of the window, asks this one function before it writes.

use std::fs::{self, File, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::Problem;
use crate::inputs::{input_at, is_same_file};
use crate::names::printable_path;
use crate::regular_file::folder_of;

/// Where an output goes once all symbolic links are followed.
#[derive(Debug)]
pub(super) enum Destination {
    /// A regular file, which is replaced, or a new one.
    File { path: PathBuf, existing: Option<Metadata> },
    /// A device or a pipe, which is written to and not replaced.
    InPlace(InPlace),
}

/// What an output is written to without replacing it.
#[derive(Debug)]
pub(super) enum InPlace {
    StandardOutput,
    StandardError,
    /// Another open file of a program, such as `/dev/fd/3`. It is appended to, as the program that opened it would.
    Descriptor(PathBuf),
    /// A pipe or a device other than a disk.
    Device(PathBuf),
}

impl Destination {
    /// Decides where an output at `path` goes, or why it must not be written: inputs, folders, disks and
    /// write-protected files are not replaced, and devices and pipes are written to.
    pub(super) fn find(path: &Path, inputs: &[PathBuf]) -> Result<Self, Problem> {
        if path.as_os_str() == "-" {
            return Err(Problem::new(
                "a dash names no file. Give /dev/stdout for the standard output, or ./- for a file of that name",
            ));
        }
        let place = follow_links(path)?;
        let metadata = match fs::metadata(path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                check_folder(&place)?;
                return Ok(Self::File { path: place, existing: None });
            }
            metadata => metadata?,
        };
        if metadata.is_dir() {
            return Err(Problem::new("it is a folder. Add the name of a file"));
        }
        let named = inputs.iter().filter(|_| metadata.is_file()).find(|input| is_same_file(&place, &metadata, input));
        if metadata.is_file()
            && let Some(input) = named.cloned().or_else(|| input_at(&place, &metadata))
        {
            let input = printable_path(&input);
            return Err(Problem::new(format!("it is an input ({input}), which would be lost. Choose another name")));
        }
        if is_descriptor(&place) {
            return Ok(Self::InPlace(InPlace::of_descriptor(place)));
        }
        if !metadata.is_file() {
            return match special_kind(&metadata) {
                Special::Disk => {
                    Err(Problem::new("it is a disk, and all files on it would be lost. Add the name of a file"))
                }
                Special::Socket => Err(Problem::is_no_file()),
                Special::DeviceOrPipe => Ok(Self::InPlace(InPlace::Device(place))),
            };
        }
        // Only the folder needs to be writable to replace a file, but a file that may not be changed may not be
        // replaced either.
        if metadata.permissions().readonly() {
            return Err(Problem::write_protected());
        }
        match File::options().write(true).open(&place) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(Problem::write_protected()),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(Self::File { path: place, existing: Some(metadata) }),
        }
    }
}

impl InPlace {
    fn of_descriptor(path: PathBuf) -> Self {
        let is_own = |number| {
            fs::canonicalize("/proc/self/fd")
                .is_ok_and(|own| path.parent().and_then(|folder| fs::canonicalize(folder).ok()) == Some(own))
                && path.ends_with(number)
        };
        if is_own("1") {
            Self::StandardOutput
        } else if is_own("2") {
            Self::StandardError
        } else {
            Self::Descriptor(path)
        }
    }
}

/// The path at the end of a chain of symbolic links, which need not exist. The links in the folder of `/proc` that
/// lists the open files of a program are not followed: they lead to the open files themselves.
fn follow_links(path: &Path) -> Result<PathBuf, Problem> {
    /// Linux's own limit.
    const MOST_LINKS: usize = 40;
    let mut place = path.to_owned();
    for _ in 0..=MOST_LINKS {
        let is_link = fs::symlink_metadata(&place).is_ok_and(|metadata| metadata.is_symlink());
        if !is_link || is_descriptor(&place) {
            return Ok(place);
        }
        let target = fs::read_link(&place)?;
        place = folder_of(&place).join(target);
    }
    Err(Problem::new("it is a symbolic link that leads back to itself. Delete the link, or choose another name"))
}

/// Whether a path names an open file of a program, as `/proc/self/fd/1` does, to which `/dev/stdout` leads.
fn is_descriptor(path: &Path) -> bool {
    let Ok(folder) = fs::canonicalize(folder_of(path)) else { return false };
    cfg!(unix) && (folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd")))
}

/// Returns an error if the folder of a new file does not exist.
fn check_folder(place: &Path) -> Result<(), Problem> {
    if place.as_os_str().is_empty() {
        return Err(Problem::new("it has no name. Name a file"));
    }
    // `Path` ignores a slash at the end, but it says that a folder is meant.
    if place.file_name().is_none() || place.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(Problem::no_folder(place));
    }
    let folder = folder_of(place);
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(Problem::new(format!("{} is a file, not a folder. Choose a folder", printable_path(folder)))),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Problem::no_folder(folder)),
        Err(error) => Err(Problem::in_folder(folder, &error)),
    }
}

/// Whether two paths lead to one file, which need not exist yet.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    let place = |path: &Path| {
        let place = follow_links(path).ok()?;
        Some(fs::canonicalize(folder_of(&place)).ok()?.join(place.file_name()?))
    };
    let is_same_place = matches!((place(a), place(b)), (Some(a), Some(b)) if a == b);
    is_same_place || fs::metadata(a).is_ok_and(|metadata| metadata.is_file() && is_same_file(a, &metadata, b))
}

/// What is neither a regular file nor a folder.
enum Special {
    Disk,
    Socket,
    DeviceOrPipe,
}

#[cfg(unix)]
fn special_kind(metadata: &Metadata) -> Special {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    match (kind.is_block_device(), kind.is_socket()) {
        (true, _) => Special::Disk,
        (_, true) => Special::Socket,
        _ => Special::DeviceOrPipe,
    }
}

#[cfg(not(unix))]
fn special_kind(_metadata: &Metadata) -> Special {
    Special::DeviceOrPipe
}
