//! A recording while it grows.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use smirk_base::regular_file;
use smirk_files::live::{FrameTable, LiveFrame};

/// A recording that grows on disk. Each frame is handed to the system at once: a program that is killed loses at most
/// the frame that it was writing.
#[derive(Debug)]
pub struct Recording {
    table: FrameTable<File>,
    path: PathBuf,
    most_values: usize,
}

/// The most values that a recording holds: as many as Smirk reads of such a table, five hours of 61 columns at 60
/// frames per second.
const MOST_VALUES: usize = 1 << 26;

impl Recording {
    /// Begins a recording that will be the file at `path`, which does not exist yet. Nothing is there before
    /// [`Self::finish`]; the file that grows has another name.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { table: FrameTable::new(create_growing(path)?), path: path.to_owned(), most_values: MOST_VALUES })
    }

    /// Adds a frame with its time by the sender. The columns are those of the first frame: where a later one lacks any
    /// of them, its cell stays empty, and others are left out.
    pub fn push(&mut self, secs: f64, frame: &LiveFrame) -> io::Result<()> {
        if self.table.values_after_next() > self.most_values {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it is as long as a take can be"));
        }
        self.table.write(secs, frame)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of values that came after the first frame and have no column, once each.
    pub fn left_out(&self) -> &[String] {
        self.table.left_out()
    }

    pub fn frames(&self) -> usize {
        self.table.rows()
    }

    /// The time of the last frame after the first one, in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.table.duration_secs()
    }

    /// Gives the file its name. None if there is no frame: then nothing stays.
    pub fn finish(self) -> io::Result<Option<PathBuf>> {
        let growing = growing_path(&self.path);
        if self.table.rows() == 0 {
            fs::remove_file(growing)?;
            return Ok(None);
        }
        self.table.file().sync_all()?;
        rename_to_new(&growing, &self.path)?;
        Ok(Some(self.path))
    }
}

/// Creates what will be the file at `path`, which does not exist yet. It is locked for as long as it grows, so that no
/// other window takes it for one that was left behind.
pub(super) fn create_growing(path: &Path) -> io::Result<File> {
    if path.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
    let file = File::options().write(true).create_new(true).open(growing_path(path))?;
    // Where the file system has no locks, no other window can ask for one either.
    let _ = file.try_lock();
    Ok(file)
}

/// Renames a file unless another one has the name.
pub(super) fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    if to.try_exists()? {
        return Err(ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

pub fn growing_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

/// If a recording that was to become the file at `path` was left behind by a program that has ended, gives it its name,
/// without the line that was being written. Whatever goes wrong, the file stays as it is, and the take counts as
/// missing.
pub(in crate::document) fn complete(path: &Path) {
    complete_file(path, |file| {
        let length = end_of_last_line(file)?;
        file.set_len(length)?;
        file.flush()
    });
}

/// Makes a file whole by `complete` and gives it its name, if there is none of that name and the program that wrote it
/// has ended.
pub(super) fn complete_file(path: &Path, complete: impl FnOnce(&mut File) -> io::Result<()>) {
    if path.exists() {
        return;
    }
    let growing = growing_path(path);
    if let Err(error) = complete_and_rename(&growing, path, complete)
        && error.kind() != ErrorKind::NotFound
    {
        log::warn!("the recording {} cannot be completed: {error}", growing.display());
    }
}

fn complete_and_rename(
    growing: &Path,
    path: &Path,
    complete: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = open_to_mend(growing)?;
    // Held by the program that records. A file system without locks cannot say so.
    if let Err(error @ TryLockError::WouldBlock) = file.try_lock() {
        return Err(error.into());
    }
    complete(&mut file)?;
    rename_to_new(growing, path)
}

/// Opens a recording to read and to change it.
pub(super) fn open_to_mend(path: &Path) -> io::Result<File> {
    regular_file::check(path)?;
    File::options().read(true).write(true).open(path)
}

/// The length of the file up to the end of its last whole line.
fn end_of_last_line(file: &mut File) -> io::Result<u64> {
    const MOST: u64 = 1 << 20;
    let length = file.seek(SeekFrom::End(0))?;
    let from = length.saturating_sub(MOST);
    file.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    file.take(MOST).read_to_end(&mut end)?;
    let line = end.iter().rposition(|byte| *byte == b'\n');
    line.map(|at| from + at as u64 + 1).ok_or_else(|| ErrorKind::InvalidData.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_recording_ends_before_it_is_longer_than_what_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut recording = Recording::create(&folder.path().join("Take 1.csv")).unwrap();
        let columns: Arc<[String]> = ["jawOpen".to_owned(), "tongueOut".to_owned()].into();
        let frame =
            LiveFrame { subject: "".into(), time_secs: None, is_tracked: true, columns, values: vec![0.0, 1.0] };
        recording.push(0.0, &frame).unwrap();
        recording.most_values = 4;
        recording.push(1.0, &frame).unwrap();
        let error = recording.push(2.0, &frame).unwrap_err();
        assert!(error.to_string().contains("as long as a take can be"), "{error}");
    }
}
