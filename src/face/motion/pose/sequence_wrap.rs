//! What happens at the end of a sequence.

use serde::{Deserialize, Serialize};

/// What happens at the end of a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SequenceWrap {
    /// The last pose blends into the first.
    #[default]
    Loop,
    /// The sequence plays backwards, then forwards again.
    PingPong,
    /// The sequence stops at the last pose.
    Clamp,
}

impl SequenceWrap {
    /// All choices, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Loop, Self::PingPong, Self::Clamp];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Loop => "Loop",
            Self::PingPong => "Ping-pong",
            Self::Clamp => "Stop at the end",
        }
    }
}
