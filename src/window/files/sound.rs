//! Takes, sounds and markers that were loaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lines;
use crate::window::viewer::Viewer;
use smirk_editor::session::{HeadSource, SoundTrack};
use smirk_face::motion::Take;
use smirk_files::audio::Sound;
use smirk_files::import::ImportedMarkers;

impl Viewer {
    /// Adds the takes of a file. The sound beside it belongs to the first of them, which plays.
    pub(super) fn import_takes(&mut self, takes: Vec<Take>, sound: Option<(Arc<Sound>, PathBuf)>) {
        self.document.import_takes(takes);
        let has_own = self.document.session.take().is_some_and(|entry| entry.sound.is_some());
        if let Some((sound, path)) = sound.filter(|_| !has_own) {
            self.import_sound(sound, &path);
        }
    }

    /// Gives what plays a sound. One that was located again keeps its offset.
    pub(super) fn import_sound(&mut self, sound: Arc<Sound>, path: &Path) {
        let name = HeadSource::File(path.to_owned()).name();
        if sound.damaged_secs > 0.0 {
            let text = format!("{:.2} s of it are damaged, and are silent.", sound.damaged_secs);
            self.notices.add_information(format!("{name} is damaged"), text);
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let track = SoundTrack::new(&path, sound.duration_secs() as f32);
        let session = &mut self.document.session;
        let located = session.sound().filter(|old| self.sound.is_missing(&old.file)).map(|old| old.offset_secs);
        match located {
            Some(offset_secs) => session.change_sound(|_| Some(track.clone().at(offset_secs))),
            None => session.set_sound(track.clone()),
        }
        self.sound.give(&track.file, sound);
    }

    pub(super) fn import_markers(&mut self, imported: ImportedMarkers, path: PathBuf) {
        let ImportedMarkers { markers, notes } = imported;
        let count = markers.len();
        self.document.session.add_markers(markers);
        if !notes.is_empty() {
            let title = format!("{count} markers imported from {}", HeadSource::File(path).name());
            self.notices.add_information(title, lines(&notes));
        }
    }
}
