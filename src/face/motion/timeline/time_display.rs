//! How times are shown.

use serde::{Deserialize, Serialize};

use super::FrameRate;

/// How times are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeDisplay {
    /// Seconds.
    #[default]
    Seconds,
    /// Frames, counted from 0.
    Frames,
    /// Hours, minutes, seconds and frames.
    Timecode,
}

impl TimeDisplay {
    /// All ways, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Seconds, Self::Frames, Self::Timecode];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Seconds => "Seconds",
            Self::Frames => "Frames",
            Self::Timecode => "Timecode",
        }
    }

    /// A time as text.
    pub fn text(self, rate: FrameRate, secs: f32) -> String {
        match self {
            Self::Seconds => format!("{secs:.2} s"),
            Self::Frames => format!("f {:.0}", rate.frame_at(secs)),
            Self::Timecode => rate.timecode(secs),
        }
    }
}
