//! Replaces a file by a temporary one that is written completely.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Seek};
use std::path::{Path, PathBuf};

use super::error::Problem;
use super::stale::link_count;
use super::temporary::{Temporary, uninterrupted};

/// Puts a temporary file in place of the file at `path`.
///
/// A rename is one step, but gives the name to another file. The other names of a file with several hard links would
/// keep the old content. A file that is mounted by itself, as in containers, cannot be renamed over, and neither can
/// the file of another user in a folder such as `/tmp`. Such a file is overwritten in place.
pub(super) fn replace(mut new: Temporary, path: &Path, existing: Option<&Metadata>) -> Result<(), Problem> {
    let Some(existing) = existing else { return Ok(new.put_in_place(path)?) };
    if link_count(existing) > 1 {
        return overwrite(&mut new, path);
    }
    match new.put_in_place(path) {
        Err(error) if matches!(error.kind(), ErrorKind::ResourceBusy | ErrorKind::PermissionDenied) => {
            overwrite(&mut new, path)
        }
        result => Ok(result?),
    }
}

/// Copies `new` into the file at `path`, so that the file stays the same one. Before it is touched, complete copies of
/// its new and its old content are on the disk. If the copying fails, the old content is written back; if the program
/// is killed meanwhile, the copy of the old content stays beside the file.
fn overwrite(new: &mut Temporary, path: &Path) -> Result<(), Problem> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut old = Temporary::beside(path)?;
    keep_attributes(&old.file, &file.metadata()?)?;
    io::copy(&mut file, &mut old.file)?;
    old.file.sync_all()?;
    new.file.sync_all()?;
    let mut uninterrupted = uninterrupted()?;
    let kept = unused_name(path);
    old.rename(&mut uninterrupted, &kept)?;
    let outcome = copy_into(&mut file, &mut new.file);
    if let Err(cause) = &outcome
        && copy_into(&mut file, &mut old.file).is_err()
    {
        return Err(Problem::torn(&kept, cause));
    }
    // Its content is in the file again, or is not wanted any more.
    let _ = fs::remove_file(kept);
    Ok(outcome?)
}

/// Gives `file` the content of `from`. It is cut off last, so that old content that is written back needs no space on
/// the disk that it did not have before.
fn copy_into(file: &mut File, from: &mut File) -> io::Result<()> {
    file.rewind()?;
    from.rewind()?;
    let length = io::copy(from, file)?;
    file.set_len(length)?;
    file.sync_all()
}

/// A path for the old content of a file: `face.png.before`, or one with a number if that is taken.
fn unused_name(path: &Path) -> PathBuf {
    let numbered = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(".before");
        if number > 1 {
            name.push(number.to_string());
        }
        PathBuf::from(name)
    };
    (1..=u32::MAX).map(numbered).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| numbered(1))
}

/// Gives a file the mode, and where the user may, the owner and the group of the one it replaces.
#[cfg(unix)]
pub(super) fn keep_attributes(file: &File, existing: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    let mut mode = existing.mode() & 0o7777;
    if (new.uid(), new.gid()) != (existing.uid(), existing.gid()) {
        let has_group = fchown(file, None, Some(existing.gid())).is_ok();
        let has_owner = new.uid() == existing.uid() || fchown(file, Some(existing.uid()), None).is_ok();
        if !(has_group && has_owner) {
            // A program that runs as its owner must not run as another one.
            mode &= 0o777;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn keep_attributes(_file: &File, _existing: &Metadata) -> io::Result<()> {
    Ok(())
}
