//! What plays, the files of a session, and what is exported of it.
#![allow(clippy::unwrap_used, reason = "a test")]

mod animation;
mod carried;
mod character;
mod cut_heads;
mod drawn;
mod file_names;
mod loader;
#[cfg(target_os = "linux")]
mod microphone;
mod motion;

#[cfg(target_os = "linux")]
mod server;
mod shapes;
mod solve;
mod vrm;
mod written;
