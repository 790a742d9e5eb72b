//! The state of live capture that the panels and the window share.

use std::time::Duration;

use smirk_files::audio::Microphone;
use smirk_files::live::{CalibrationKind, LatencyReading, LiveStatus};
use smirk_session::LiveSetup;

/// What the artist has set up and wants of live capture, and what has come of it. The setup is saved with the settings;
/// whether it is on is not, so that no port is open that the artist has not asked for in this run.
#[derive(Debug, Default)]
pub struct LiveState {
    pub is_on: bool,
    pub sends: bool,
    pub setup: LiveSetup,
    /// Whether there is a recording. The window begins and ends it.
    pub records: bool,
    /// The calibration under way. The window begins it, and ends it when it is complete.
    pub calibrates: Option<CalibrationKind>,
    /// Whether the window is to look for microphones.
    pub finds_microphones: bool,
    pub view: LiveView,
}

/// A sender whose last frame is older is silent.
pub const SILENT_AFTER: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveView {
    /// The state of the stream; `None` while not listening.
    pub status: Option<LiveStatus>,
    pub problem: Option<String>,
    pub send_problem: Option<String>,
    pub latency: LatencyReading,
    /// How much of the calibration is done, from 0 to 1.
    pub calibrated: f32,
    pub recording: RecordingView,
    pub microphone: MicrophoneView,
    pub next_take: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MicrophoneView {
    /// The microphones of this machine, once they were searched.
    pub found: Vec<Microphone>,
    /// Why the recording, or the last one, has no sound or lacks its end.
    pub recording_problem: Option<String>,
    /// Why the microphone does not move the mouth.
    pub mouth_problem: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum RecordingView {
    #[default]
    Idle,
    Countdown {
        secs: f32,
    },
    Running {
        name: String,
        secs: f32,
        frames: usize,
    },
    Reading,
}
