//! The window's contents, driven by label through egui_kittest: what the hand does, and what the session then holds.

#![allow(clippy::unwrap_used)]

mod clip;
mod files;
mod list;
mod pictures;
mod poses;
mod sliders;
mod stage;
mod undo;
mod window;
