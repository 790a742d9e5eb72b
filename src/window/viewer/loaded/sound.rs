//! Sounds that are loaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crate::window::viewer::Viewer;
use smirk_base::file_kind::Content;
use smirk_editor::document::LoadRequest;
use smirk_files::audio::Sound;
use smirk_session::{HeadSource, SoundTrack};
use smirk_ui::SoundState;

impl Viewer {
    /// Gives what plays a sound. One that was located again keeps its offset.
    pub(super) fn import_sound(&mut self, sound: Arc<Sound>, path: &Path) {
        let name = HeadSource::File(path.to_owned()).name();
        if let Some(text) = sound.damage() {
            self.notices.add_information(format!("{name} is damaged"), text);
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let track = SoundTrack::new(&path, sound.duration_secs() as f32);
        let session = &mut self.document.session;
        let is_missing = matches!(self.ui.sound.view.state, SoundState::Failed(_));
        let located = session.sound().filter(|_| is_missing).map(|old| old.offset_secs);
        match located {
            Some(offset_secs) => session.timeline_mut().change_sound(|_| Some(track.clone().at(offset_secs))),
            None => session.timeline_mut().set_sound(track.clone()),
        }
        self.ui.sound.opened = Some((track.file, sound));
    }

    /// A video that becomes the reference is heard as well, unless something else is.
    pub(super) fn load_sound_of_reference(&mut self, path: PathBuf) {
        if self.document.session.sound().is_none() {
            let request = LoadRequest::File(path, Some(Content::Sound));
            return self.jobs.load(request, &self.document.session, &self.viewport.gpu);
        }
        let text = "The sound stays. File › Import › Sound… opens that of the video";
        self.notices.show_status(text.into(), Instant::now());
    }
}
