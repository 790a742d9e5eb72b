//! How live faces are received and recorded on this machine. It is kept with the settings of the program, since phones and networks
//! belong to a place and not to a project.

use serde::{Deserialize, Serialize};

/// How live faces are received and recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveSetup {
    /// Whether other machines are heard too, and not this one alone.
    pub allows_network: bool,
    /// The only sender that is heard, by its address; empty for whichever sends.
    pub only_sender: String,
    /// The address of the phone that is asked to send; empty to ask none.
    pub phone: String,
    /// How many frames are held back: 0, 1 or 2.
    pub buffer_frames: u8,
    /// How long the face stays after it was lost, in seconds.
    pub hold_secs: f32,
    /// The seconds from the key to the start of a recording.
    pub countdown_secs: u8,
    /// What the names of recordings begin with.
    pub take_name: String,
}

impl Default for LiveSetup {
    fn default() -> Self {
        Self {
            allows_network: false,
            only_sender: String::new(),
            phone: String::new(),
            buffer_frames: 0,
            hold_secs: 0.5,
            countdown_secs: 0,
            take_name: "Take".into(),
        }
    }
}

impl LiveSetup {
    /// The longest countdown.
    pub const LONGEST_COUNTDOWN_SECS: u8 = 10;
    /// The longest time that a lost face stays.
    pub const LONGEST_HOLD_SECS: f32 = 5.0;
    /// The most frames that are held back.
    pub const MOST_BUFFER_FRAMES: u8 = 2;

    /// The same with values that make sense: those of a file may be any. Other machines are heard only if the artist says so in
    /// this run of the program.
    pub fn within_reason(self) -> Self {
        let hold_secs = if self.hold_secs.is_finite() { self.hold_secs } else { Self::default().hold_secs };
        Self {
            buffer_frames: self.buffer_frames.min(Self::MOST_BUFFER_FRAMES),
            hold_secs: hold_secs.clamp(0.0, Self::LONGEST_HOLD_SECS),
            countdown_secs: self.countdown_secs.min(Self::LONGEST_COUNTDOWN_SECS),
            ..self
        }
    }
}
