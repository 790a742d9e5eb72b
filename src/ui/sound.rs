//! The state of the sound that the panels and the window share.

use std::sync::Arc;

use smirk_files::audio::{Loudness, Sound};
use smirk_session::FileRef;

/// The sound of what plays, as the panels and the window share it.
#[derive(Debug, Default)]
pub struct SoundPanel {
    /// Saved with the settings.
    pub loudness: Loudness,
    /// Whether the window is to try again to read the sound and to play it.
    pub retries: bool,
    /// A sound that was just opened, with its file, so that it is not decoded again.
    pub opened: Option<(FileRef, Arc<Sound>)>,
    pub view: SoundView,
}

#[derive(Clone, Debug, Default)]
pub struct SoundView {
    pub state: SoundState,
    pub problem: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub enum SoundState {
    #[default]
    None,
    Decoding,
    Ready(Arc<Sound>),
    /// Its file cannot be used, and why.
    Failed(String),
}

impl SoundView {
    pub fn sound(&self) -> Option<&Sound> {
        match &self.state {
            SoundState::Ready(sound) => Some(sound),
            SoundState::None | SoundState::Decoding | SoundState::Failed(_) => None,
        }
    }
}
