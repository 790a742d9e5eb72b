//! The recordings of live faces that belong to a document: where they are put, and what happens to them when they end, when the
//! project is saved and when the program is killed.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::open_document::Document;
use super::project::{FileRef, Project, TakeRecord};
use super::recording::{Places, Recording, RecordingError, copy_to, project_folder};
use crate::motion::Take;

/// Recordings whose takes the session does not have yet, and where new ones are put.
#[derive(Clone, Debug, Default)]
pub(super) struct Recordings {
    pub places: Places,
    /// The files that grow or are being read, each with the name of its take.
    pub growing: Vec<(PathBuf, String)>,
}

impl Recordings {
    /// Whether there is any that the session does not have yet.
    pub(super) fn is_empty(&self) -> bool {
        self.growing.is_empty()
    }

    /// Their files.
    pub(super) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.growing.iter().map(|(path, _)| path.clone())
    }

    /// Copies recordings of work that had no project file to the folder of the one that `project` is written to, and makes it name
    /// them there. One that cannot be copied stays named where it is.
    pub(super) fn move_to(&self, file: &Path, project: &mut Project) {
        let Some(folder) = project_folder(file) else { return };
        for record in &mut project.takes {
            let Some(path) = record.file.as_ref().map(FileRef::path).filter(|path| self.places.is_unsaved(path)) else {
                continue;
            };
            match copy_to(&folder, &path) {
                Ok(copy) => record.file = Some(FileRef::new(&copy)),
                Err(error) => log::warn!("a recording stays in the folder of unsaved work: {error}"),
            }
        }
    }
}

impl Document {
    /// The name that the next recording gets: `base` with a number.
    pub fn next_recording(&self, base: &str) -> Result<String, RecordingError> {
        self.next_place(base).map(|(_, name)| name)
    }

    /// Begins a recording. It counts as unsaved work from now on, and that is written at once, so that it is offered again if the
    /// program is killed.
    pub fn begin_recording(&mut self, base: &str) -> Result<Recording, RecordingError> {
        let (path, name) = self.next_place(base)?;
        let unwritable = |source| RecordingError::Unwritable { file: path.clone(), source };
        let recording = Recording::create(&path).map_err(unwritable)?;
        self.recordings.growing.push((path, name));
        let record = self.record();
        match &mut self.recovery {
            Some(recovery) => recovery.start_write(record),
            None => self.autosave.edited(Instant::now()),
        }
        Ok(recording)
    }

    /// Takes the take of a recording that has ended. None if it has no frame or cannot be read.
    pub fn end_recording(&mut self, path: &Path, take: Option<Take>) {
        self.recordings.growing.retain(|(growing, _)| growing != path);
        if let Some(take) = take {
            self.session.add_recording(take);
        }
        self.autosave.edited(Instant::now());
    }

    fn next_place(&self, base: &str) -> Result<(PathBuf, String), RecordingError> {
        let takes = self.session.edits.takes.iter().map(|entry| entry.take.name.as_str());
        let growing = self.recordings.growing.iter().map(|(_, name)| name.as_str());
        let names: Vec<&str> = takes.chain(growing).collect();
        self.recordings.places.next(base, self.file(), &names)
    }

    /// What unsaved work names of the recordings that the session does not have yet.
    pub(super) fn recording_records(&self) -> impl Iterator<Item = TakeRecord> {
        let map = self.session.live_map().map(|map| (*map).clone()).unwrap_or_default();
        self.recordings.growing.iter().map(move |(path, name)| TakeRecord {
            file: Some(FileRef::new(path)),
            name: name.clone(),
            map: map.clone(),
            ..TakeRecord::default()
        })
    }
}
