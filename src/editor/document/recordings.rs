//! The recordings of a document: where they are put, and the takes that they become.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::open_document::Document;
use super::recording::{GrowingTake, Recording, RecordingError};
use smirk_face::head::Curve;
use smirk_face::motion::Take;
use smirk_files::live::LiveFrame;
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

    /// Writes the voice into a take of its own, in a file beside the recordings; it plays in place of the voice.
    /// Returns the name of the take; none if nothing is said.
    pub fn bake_voice(&mut self) -> Result<Option<String>, RecordingError> {
        let Some(spoken) = self.session.spoken() else { return Ok(None) };
        let (path, name) = self.next_place("Voice")?;
        let written = write_take(&path, &spoken.take);
        written.map_err(|source| RecordingError::Unwritable { file: path.clone(), source })?;
        let take = Take { name: name.clone(), source: Some(path), ..Take::clone(&spoken.take) };
        self.session.takes_mut().add_baked_voice(take);
        self.autosave.edited(Instant::now());
        Ok(Some(name))
    }

    fn next_place(&self, base: &str) -> Result<(PathBuf, String), RecordingError> {
        let takes = self.session.edits.takes.iter().map(|entry| entry.take.name.as_str());
        let growing = self.recordings.growing.iter().map(|take| take.name.as_str());
        let names: Vec<&str> = takes.chain(growing).collect();
        self.recordings.places.next(base, self.file(), &names)
    }
}

/// Writes the frames of a take whose columns are those of one curve.
fn write_take(path: &Path, take: &Take) -> io::Result<()> {
    let mut recording = Recording::create(path)?;
    let columns: Arc<[String]> = take.column_names().map(str::to_owned).collect();
    let times = take.tracks.first().map_or(&[][..], Curve::times);
    for &secs in times {
        let values = (0..take.columns.len()).map(|column| take.sample(column, secs)).collect();
        let frame =
            LiveFrame { subject: "".into(), time_secs: None, is_tracked: true, columns: columns.clone(), values };
        recording.push(secs.into(), &frame)?;
    }
    recording.finish().map(drop)
}
