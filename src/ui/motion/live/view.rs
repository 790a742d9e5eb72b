//! What the Live section shows besides the setup.

use std::time::Duration;

use smirk_editor::session::{CalibrationKind, LatencyReading};
use smirk_files::audio::Microphone;
use smirk_files::live::LiveStatus;

/// A sender whose last frame is older is silent.
pub const SILENT_AFTER: Duration = Duration::from_secs(2);

/// What the Live section shows besides the setup.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveView {
    /// What arrives; none while nothing is listened for.
    pub status: Option<LiveStatus>,
    /// Why nothing is listened for, although it should be.
    pub problem: Option<String>,
    /// Why the face is not sent on, although it should be.
    pub send_problem: Option<String>,
    /// By how much the face is delayed.
    pub latency: LatencyReading,
    /// The calibration under way, and how much of it is done, from 0 to 1.
    pub calibrating: Option<(CalibrationKind, f32)>,
    /// The recording.
    pub recording: RecordingView,
    /// Why the recording, or the last one, has no sound or lacks its end.
    pub sound_problem: Option<String>,
    /// The microphones of this machine, as far as they were looked for.
    pub microphones: Vec<Microphone>,
    /// The name of the next recording.
    pub next_take: String,
}

/// A recording, as the panels show it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RecordingView {
    /// None.
    #[default]
    Idle,
    /// It begins in so many seconds.
    Countdown {
        /// The seconds.
        secs: f32,
    },
    /// It grows.
    Running {
        /// The name of the take.
        name: String,
        /// The time of its last frame.
        secs: f32,
        /// The number of its frames.
        frames: usize,
    },
    /// It has ended and is being read.
    Reading,
}
