//! Sounds: every format is decoded at the right time, damaged files are refused, and what is heard is where the play head is.
#![allow(clippy::unwrap_used)]

mod damage;
mod formats;
#[cfg(target_os = "linux")]
mod microphone;
#[cfg(target_os = "linux")]
mod server;

use smirk_support::watch;

#[global_allocator]
static ALLOCATOR: watch::Counting = watch::Counting;
