//! A recording whose program was killed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::grow::{growing_path, rename_to_new};
use smirk_files::audio;

/// If a recording that was to become the file at `path` was left behind by a program that has ended, gives it its name, without the
/// line that was being written. Whatever goes wrong, the file stays as it is, and the take counts as missing.
pub(in crate::document) fn complete(path: &Path) {
    let whole_lines = |file: &mut File| {
        let length = end_of_last_line(file)?;
        file.set_len(length)?;
        file.flush()
    };
    complete_file(path, whole_lines);
}

/// The same for the sound of such a recording. Returns how long the sound is, in seconds; none if nothing was heard.
pub(in crate::document) fn complete_sound(path: &Path) -> Option<f64> {
    complete_file(path, |file| audio::complete_wav(file).map(drop));
    let mut file = File::options().read(true).write(true).open(path).ok()?;
    audio::complete_wav(&mut file).ok()
}

/// Makes a file whole by `complete` and gives it its name, if there is none of that name and the program that wrote it has ended.
fn complete_file(path: &Path, complete: impl FnOnce(&mut File) -> io::Result<()>) {
    if path.exists() {
        return;
    }
    let growing = growing_path(path);
    let completed = || {
        let mut file = File::options().read(true).write(true).open(&growing)?;
        // Held by the program that records.
        file.try_lock()?;
        complete(&mut file)?;
        rename_to_new(&growing, path)
    };
    if let Err(error) = completed()
        && error.kind() != io::ErrorKind::NotFound
    {
        log::warn!("the recording {} cannot be completed: {error}", growing.display());
    }
}

/// The length of the file up to the end of its last whole line.
fn end_of_last_line(file: &mut File) -> io::Result<u64> {
    /// No line is longer.
    const MOST: u64 = 1 << 20;
    let length = file.seek(SeekFrom::End(0))?;
    let from = length.saturating_sub(MOST);
    file.seek(SeekFrom::Start(from))?;
    let mut end = Vec::new();
    file.take(MOST).read_to_end(&mut end)?;
    let line = end.iter().rposition(|byte| *byte == b'\n');
    line.map(|at| from + at as u64 + 1).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
