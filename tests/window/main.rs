//! Real windows: Smirk under Xvfb with a real mouse and keyboard (xdotool). `./dev test` installs what this needs.
//!
//! The tests find what they click by its name, and wait for what the window says of itself in its state file. Long forms of some tests
//! are ignored here and run by `./dev soak`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod display;
mod editing;
mod ends;
mod exports;
mod home;
mod hot_reload;
mod kills;
mod large;
mod left;
mod live;
mod mends;
mod opening;
mod outputs;
mod pictures;
mod reference;
mod saving;
mod slider;
mod smirk;
mod soak;
mod state;
mod versions;
