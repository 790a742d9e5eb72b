//! A recording while it grows.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use smirk_files::live::{LiveFrame, table_header, table_row};

/// A recording that grows on disk. Each frame is handed to the system at once: a program that is killed loses at most the frame that
/// it was writing.
#[derive(Debug)]
pub struct Recording {
    file: File,
    path: PathBuf,
    columns: Arc<[String]>,
    /// For frames with other columns than the first one.
    other: Option<OtherColumns>,
    started_secs: Option<f64>,
    last_secs: f64,
    frames: usize,
    line: String,
}

/// The columns of a frame that differ from those of the recording.
#[derive(Debug)]
struct OtherColumns {
    names: Arc<[String]>,
    /// For each column of the recording, the index of the column of the same name in `names`.
    places: Vec<Option<usize>>,
}

impl Recording {
    /// The most values that it holds: as many as Smirk reads of such a table, five hours of 61 columns at 60 frames per second.
    pub const MOST_VALUES: usize = 1 << 26;

    /// Begins a recording that will be the file at `path`, which does not exist yet. Nothing is there before [`Self::finish`]; the
    /// file that grows has another name.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: create_growing(path)?,
            path: path.to_owned(),
            columns: Arc::default(),
            other: None,
            started_secs: None,
            last_secs: 0.0,
            frames: 0,
            line: String::new(),
        })
    }

    /// Adds a frame with its time by the sender. The columns are those of the first frame: where a later one lacks any of them, its
    /// cell stays empty, and others are left out.
    pub fn push(&mut self, secs: f64, frame: &LiveFrame) -> io::Result<()> {
        let started_secs = match self.started_secs {
            Some(secs) => secs,
            None => {
                self.columns = frame.columns.clone();
                self.file.write_all(table_header(&self.columns).as_bytes())?;
                *self.started_secs.insert(secs)
            }
        };
        if (self.frames + 1).saturating_mul(self.columns.len()) > Self::MOST_VALUES {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it is as long as a take can be"));
        }
        let secs = secs - started_secs;
        if frame.columns == self.columns {
            table_row(&mut self.line, secs, frame.values.iter().copied().map(Some));
        } else {
            let other = self.other_columns(&frame.columns);
            table_row(&mut self.line, secs, other.places.iter().map(|place| frame.values.get((*place)?).copied()));
            self.other = Some(other);
        }
        self.file.write_all(self.line.as_bytes())?;
        self.last_secs = secs;
        self.frames += 1;
        Ok(())
    }

    /// These columns, looked up unless the frame before had them too.
    fn other_columns(&mut self, names: &Arc<[String]>) -> OtherColumns {
        self.other.take().filter(|known| known.names == *names).unwrap_or_else(|| OtherColumns {
            names: names.clone(),
            places: self.columns.iter().map(|name| names.iter().position(|other| other == name)).collect(),
        })
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The time of the last frame after the first one, in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.last_secs
    }

    /// Gives the file its name. None if there is no frame: then nothing stays.
    pub fn finish(self) -> io::Result<Option<PathBuf>> {
        let growing = growing_path(&self.path);
        if self.frames == 0 {
            fs::remove_file(growing)?;
            return Ok(None);
        }
        self.file.sync_all()?;
        rename_to_new(&growing, &self.path)?;
        Ok(Some(self.path))
    }
}

/// Creates what will be the file at `path`, which does not exist yet. It is locked for as long as it grows, so that no other window takes
/// it for one that was left behind.
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

/// The name of a file while it grows.
pub fn growing_path(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_ends_before_it_is_longer_than_what_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut recording = Recording::create(&folder.path().join("Take 1.csv")).unwrap();
        let columns: Arc<[String]> = ["jawOpen".to_owned(), "tongueOut".to_owned()].into();
        let frame =
            LiveFrame { subject: "".into(), time_secs: None, is_tracked: true, columns, values: vec![0.0, 1.0] };
        recording.push(0.0, &frame).unwrap();
        recording.frames = Recording::MOST_VALUES / 2 - 1;
        recording.push(1.0, &frame).unwrap();
        let error = recording.push(2.0, &frame).unwrap_err();
        assert!(error.to_string().contains("as long as a take can be"), "{error}");
    }
}
