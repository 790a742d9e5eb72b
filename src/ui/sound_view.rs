//! What the panels show of the sound of what plays.

use std::sync::Arc;

use smirk_files::audio::Sound;

/// The sound of what plays, as far as it is decoded.
#[derive(Clone, Debug, Default)]
pub struct SoundView {
    /// How far the sound of the session is.
    pub state: SoundState,
    /// Why nothing is heard although a sound plays.
    pub problem: Option<String>,
}

/// How far a sound is.
#[derive(Clone, Debug, Default)]
pub enum SoundState {
    /// The session has no sound.
    #[default]
    None,
    /// Its file is being decoded.
    Decoding,
    /// It is decoded.
    Ready(Arc<Sound>),
    /// Its file cannot be used, and why.
    Failed(String),
}

impl SoundView {
    /// The decoded sound.
    pub fn sound(&self) -> Option<&Sound> {
        match &self.state {
            SoundState::Ready(sound) => Some(sound),
            SoundState::None | SoundState::Decoding | SoundState::Failed(_) => None,
        }
    }
}
