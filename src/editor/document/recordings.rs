//! The recordings of a document: where they are put, and the takes that they become.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::open_document::Document;
use super::recording::{GrowingTake, Recording, RecordingError};
use smirk_face::motion::Take;
use smirk_session::SoundTrack;

impl Document {
    /// The name that the next recording gets: `base` with a number.
    pub fn next_recording(&self, base: &str) -> Result<String, RecordingError> {
        self.next_place(base).map(|(_, name)| name)
    }

    /// Begins a recording. It counts as unsaved work from now on, and that is written at once, so that it is offered
    /// again if the program is killed. `has_sound` says whether a [`SoundRecording`](super::SoundRecording) grows
    /// beside it.
    pub fn begin_recording(&mut self, base: &str, has_sound: bool) -> Result<Recording, RecordingError> {
        let (path, name) = self.next_place(base)?;
        let recording =
            Recording::create(&path).map_err(|source| RecordingError::Unwritable { file: path.clone(), source })?;
        self.recordings.growing.push(GrowingTake { path, name, has_sound });
        let record = self.record();
        match &mut self.recovery {
            Some(recovery) => recovery.start_write(record),
            None => self.autosave.edited(Instant::now()),
        }
        Ok(recording)
    }

    /// Takes the take of a recording that has ended, and its sound. No take if it has no frame or cannot be read.
    pub fn end_recording(&mut self, path: &Path, take: Option<Take>, sound: Option<SoundTrack>) {
        self.recordings.growing.retain(|growing| growing.path != path);
        if let Some(take) = take {
            self.session.add_recording(take, sound);
        }
        self.autosave.edited(Instant::now());
    }

    fn next_place(&self, base: &str) -> Result<(PathBuf, String), RecordingError> {
        let takes = self.session.edits.takes.iter().map(|entry| entry.take.name.as_str());
        let growing = self.recordings.growing.iter().map(|take| take.name.as_str());
        let names: Vec<&str> = takes.chain(growing).collect();
        self.recordings.places.next(base, self.file(), &names)
    }
}
