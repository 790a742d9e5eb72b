//! Saving the project, and keeping unsaved work when the window closes.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::autosave::Snapshot;
use super::on_disk::{FileState, Found, ProjectFile};
use super::open_document::{Document, NotKept};
use super::project::ProjectError;
use super::recovery::RecoveryFolder;
use smirk_base::atomic_file::OutputPath;

impl Document {
    /// Writes the project file. From then on, the document is saved there. Nothing is replaced but what this window
    /// itself has read from the file or saved in it: for anything else, see [`Self::save_over`]. Returns a message on
    /// each recording that could not be copied beside the file, and that the project names in the folder of unsaved
    /// work.
    pub fn save(&mut self, path: &Path) -> Result<Vec<String>, ProjectError> {
        let own = self.file.as_ref().filter(|file| file.is_at(path));
        let known = own.and_then(ProjectFile::known).map_or(Found::Nothing, Found::Content);
        self.save_over(path, known)
    }

    /// The same for a path that was chosen in a file dialog, which has asked whether the file there may be replaced. It
    /// cannot know that the project's own file is not as it was: that is asked apart, as in [`Self::save`].
    pub fn save_as(&mut self, path: &Path) -> Result<Vec<String>, ProjectError> {
        if self.file.as_ref().is_some_and(|file| file.is_at(path)) {
            return self.save(path);
        }
        self.save_over(path, Found::at(path))
    }

    /// Writes the project file over `replaced`, which the artist has agreed to. If something else is found there by
    /// now, [`ProjectError::Changed`] says what, and nothing is written. Returns messages as [`Self::save`] does.
    pub fn save_over(&mut self, path: &Path, replaced: Found) -> Result<Vec<String>, ProjectError> {
        let (project, left_behind) = self.project_at(path);
        let output = OutputPath::new(path).protecting(self.session.head.side_files.iter().cloned());
        let content = project.write_over(output, |found| found == Found::Nothing || found == replaced)?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.file = Some(ProjectFile::new(path, Some(content)));
        self.saved = Some(Snapshot::take(&self.session));
        self.is_warned = false;
        self.autosave.done();
        if let Some(recovery) = &mut self.recovery {
            recovery.clear();
        }
        Ok(left_behind)
    }

    /// How the project file compared with what this window knows of it when [`Self::look_at_file`] was called last.
    pub fn file_state(&self) -> FileState {
        self.file.as_ref().map_or(FileState::Same, ProjectFile::state)
    }

    /// Notices whether another window or program has changed or deleted the project file. Work whose file is gone is
    /// unsaved.
    pub fn look_at_file(&mut self, now: Instant) {
        let Some(file) = &mut self.file else { return };
        let before = file.state();
        file.look();
        if file.state() != before {
            self.autosave.edited(now);
        }
    }

    /// Writes unsaved work to the recovery folder before the program ends, to be offered at the next start. An error if
    /// it would be lost. May be called again.
    pub fn close(&mut self) -> Result<(), NotKept> {
        self.look_at_file(Instant::now());
        let is_unsaved = self.is_unsaved();
        let record = is_unsaved.then(|| self.record());
        match (&mut self.recovery, record) {
            (Some(recovery), Some(record)) => {
                let written = recovery.write_now(&record);
                written.map_err(|source| NotKept::Unwritable { folder: recovery.folder().to_owned(), source })?;
                recovery.rescue().keep(None);
                Ok(())
            }
            (Some(recovery), None) => {
                recovery.clear();
                recovery.rescue().keep(None);
                Ok(())
            }
            (None, Some(_)) => Err(NotKept::NoFolder),
            (None, None) => Ok(()),
        }
    }

    /// The file that [`Self::close`] has written.
    pub fn kept_in(&self) -> Option<PathBuf> {
        self.recovery.as_ref().filter(|_| self.is_unsaved()).and_then(RecoveryFolder::own_path)
    }

    /// A message about unsaved work that is not kept, unless it was given before and no write has succeeded since.
    pub(super) fn warn_once(&mut self, problem: &NotKept) -> Option<String> {
        let is_first = !std::mem::replace(&mut self.is_warned, true);
        let advice = "Save the project (Ctrl+S); until then, a crash would lose your work.";
        is_first.then(|| format!("{problem}. {advice}"))
    }

    /// The same about a write to the recovery folder that failed.
    pub(super) fn warn(&mut self, source: io::Error) -> Option<String> {
        let folder = self.recovery.as_ref()?.folder().to_owned();
        self.warn_once(&NotKept::Unwritable { folder, source })
    }
}
