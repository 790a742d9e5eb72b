//! Live capture in the window: listening, showing what arrives, and recording it.
//!
//! ```text
//! sockets ─► Receiver ─ pump ─► Feed ── LiveStream ──► Session::show_live, once a frame
//!                                └───── Recording (a file that grows)
//! microphone ─► SoundRecorder ─────────► SoundRecording (another one)
//! ```
//!
//! [`Sending`] sends on what is on the face. The pump is a thread of its own, so that nothing is lost while the window is minimised or busy.

mod capture;
mod feed;
mod following;
mod microphone;
mod sending;

pub(super) use capture::LiveCapture;
pub(super) use sending::Sending;
