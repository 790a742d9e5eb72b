//! The window's contents, driven by label through egui_kittest: what the hand does, and what the session then holds.

#![allow(clippy::unwrap_used)]

mod bench;
mod clip;
mod curves;
mod files;
mod keys;
mod list;
mod motion;
mod normals;
mod offers;
mod pictures;
mod poses;
mod report;
mod sliders;
mod stage;
mod takes;
mod undo;
mod window;
