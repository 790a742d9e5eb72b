//! The trash: unsaved work that the artist does not want to be offered any more. It is bounded, and the oldest is
//! deleted first. The names of its files begin with numbers that count up, so that no clock decides what is deleted.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use smirk_base::regular_file;

#[derive(Debug)]
pub(super) struct Trash(PathBuf);

impl Trash {
    pub(super) const MAX_WORKS: usize = 20;
    pub(super) const MAX_BYTES: u64 = 256 << 20;

    pub(super) fn in_folder(recovery_folder: &Path) -> Self {
        Self(recovery_folder.join("trash"))
    }

    pub(super) fn folder(&self) -> &Path {
        &self.0
    }

    /// The files, the newest first, with their numbers.
    pub(super) fn files(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut files: Vec<_> = paths
            .filter(|path| path.extension().is_some_and(|is| is == "json") && regular_file::check(path).is_ok())
            .map(|path| (number_of(&path), path))
            .collect();
        files.sort_by(|a, b| b.cmp(a));
        Ok(files)
    }

    /// Moves a file into the trash. Returns its number there, and where it is.
    pub(super) fn put(&self, path: &Path) -> io::Result<(u64, PathBuf)> {
        fs::create_dir_all(&self.0)?;
        let number = self.files()?.first().map_or(1, |(newest, _)| newest.saturating_add(1));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let place = self.0.join(format!("{number:010}-{name}"));
        fs::rename(path, &place)?;
        Ok((number, place))
    }

    /// Deletes the oldest files that are beyond the bounds, but never the newest. Returns them.
    pub(super) fn delete_surplus(&self) -> Vec<PathBuf> {
        let (mut bytes, mut deleted) = (0, Vec::new());
        for (index, (_, path)) in self.files().unwrap_or_default().into_iter().enumerate() {
            bytes += fs::metadata(&path).map_or(0, |metadata| metadata.len());
            let is_surplus = index > 0 && (index >= Self::MAX_WORKS || bytes > Self::MAX_BYTES);
            if is_surplus && fs::remove_file(&path).is_ok() {
                deleted.push(path);
            }
        }
        deleted
    }
}

fn number_of(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('-').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_oldest_beyond_the_bounds_are_deleted_whatever_the_clock_says() {
        let folder = tempfile::tempdir().unwrap();
        let trash = Trash::in_folder(folder.path());
        for number in 0..Trash::MAX_WORKS + 3 {
            let path = folder.path().join(format!("work-{number}.json"));
            let file = fs::File::create(&path).unwrap();
            // The newest were written by a clock that had been set back.
            let secs = 4_000_000_000 - 100_000_000 * number as u64;
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(secs)).unwrap();
            trash.put(&path).unwrap();
        }
        let deleted = trash.delete_surplus();
        let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        let names: Vec<_> = deleted.iter().map(name).collect();
        assert_eq!(names, ["0000000003-work-2.json", "0000000002-work-1.json", "0000000001-work-0.json"]);
        assert_eq!(trash.files().unwrap().len(), Trash::MAX_WORKS);
        assert_eq!(trash.delete_surplus(), Vec::<PathBuf>::new());
        assert!(name(&trash.files().unwrap()[0].1).ends_with("work-22.json"));
    }

    #[test]
    fn the_bytes_are_bounded_too_but_the_newest_stays() {
        let folder = tempfile::tempdir().unwrap();
        let trash = Trash::in_folder(folder.path());
        for name in ["a", "b", "c"] {
            let path = folder.path().join(format!("{name}.json"));
            // A sparse file, which takes no room on the disk.
            fs::File::create(&path).unwrap().set_len(Trash::MAX_BYTES + 1).unwrap();
            trash.put(&path).unwrap();
            trash.delete_surplus();
            assert_eq!(trash.files().unwrap().len(), 1);
        }
        assert!(trash.files().unwrap()[0].1.to_string_lossy().ends_with("c.json"));
    }
}
