//! Live capture in the window: listening, showing what arrives, and recording it.
//!
//! ```text
//! sockets ─► Receiver ─► Incoming ── LiveStream ──► Session::show_live, once a frame
//!                           └───── Recording (a file that grows)
//! microphone ─► SoundRecorder ───────────────────────► SoundRecording (another one)
//! ```
//!
//! [`Sending`] sends on what is on the face. The thread of a socket takes every frame when it arrives, so that nothing
//! is lost while the window is minimised or busy.

mod capture;
mod microphone;
mod sending;

pub(super) use capture::LiveCapture;
pub(super) use microphone::RecordedSound;
pub(super) use sending::Sending;
