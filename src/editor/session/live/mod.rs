//! The face of a performer that arrives while it is shown: how it is smoothed, delayed, mapped and calibrated.
//!
//! ```text
//! frame ── SenderClock (when it belongs) ── One Euro filter ── JitterBuffer ──► LiveFace ── map ──► weights
//!    └──── recording
//! ```
//!
//! [`LiveStream`] does what happens when a frame arrives, on the thread that receives it; [`LiveInput`] is what the session shows of it.

mod calibration;
mod edits;
mod jitter_buffer;
mod operations;
mod sender_clock;
mod setup;
mod stream;

pub use calibration::{Calibration, CalibrationKind};
pub use edits::LiveEdits;
pub(super) use jitter_buffer::LiveInput;
pub use sender_clock::SenderClock;
pub use setup::{FixedSender, LivePort, LiveSetup, MicrophoneChoice, SendSetup};
pub use stream::{LatencyReading, LiveStream};
