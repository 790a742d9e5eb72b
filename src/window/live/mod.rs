//! Live capture in the window: listening, showing what arrives, and recording it.
//!
//! ```text
//! sockets ─► Receiver ─► LiveStream ──► Session::show_live, once a frame
//!                └─────► Recorder ────► Recording (a file that grows)
//! microphone ─► SoundRecorder ────────► SoundRecording (another one)
//! ```
//!
//! [`Sending`] sends on what is on the face.

mod capture;
mod microphone;
mod recorder;
mod sending;

pub(super) use capture::LiveCapture;
pub(super) use microphone::RecordedSound;
pub(super) use sending::Sending;
