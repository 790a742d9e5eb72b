//! Smirk: a facial-animation viewer for artists who preview and judge blend shapes.
//!
//! ```text
//! file ── import ──► Head (plain data, Arc)
//!                      │
//! clip · take · keys · sequence · blink · gaze · pose · slider ──► motion::Stack ──► mix, one number per target and expression
//!                      │
//!                 motion::BlendRule ──► weights, one per target
//!                      │
//!                      ▼
//!            Scene { head, weights, nodes, mode, camera, look }      (borrowed, plain)
//!                      │
//!               blend (CPU │ vertex shader │ compute │ multi-pass) ──► Blended
//!                      │
//!               render ──► offscreen image ──► the window, a PNG, a test
//! ```
//!
//! One direction, no way back. The window, `smirk render`, the tests and the README's picture call the same renderer.
//!
//! # The rooms
//!
//! - [`head`]: the asset as plain data. [`lint`]: what is odd about its shapes. [`import`]: files to heads and takes, separate meshes to targets. [`motion`]: weights over time.
//! - [`scene`]: what is looked at, from where, in what light. [`session`]: what a user can edit, with undo.
//!   [`document`]: the session in a project file, autosave and recovery, opening files on a worker thread.
//! - [`blend`]: weights to shape, in four modes, with normals and bounds of what moved; the f64 reference.
//!   [`render`]: scene to image. [`gpu`]: the adapter, and what finds no room on it.
//! - [`ui`]: the panels, and the plain data they are given to show. [`window`]: the event loop, the frame schedule, the quality
//!   governor, file dialogs, settings, screenshots, a lost graphics device.
//! - [`cli`]: the commands that need no window. [`export`]: pictures, contact sheets, heads and poses to files; the queue of pictures
//!   drawn beside the window. [`mod@bench`]: what blending costs, measured. [`atomic_file`]: files written whole or not at all. [`json`]:
//!   JSON with numbers that are numbers. [`random`]: chance that repeats.
//!
//! The head inside the program is made by `assets/sculpt`, which knows nothing of these rooms.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod atomic_file;
pub mod bench;
pub mod blend;
pub mod cli;
pub mod document;
mod elide;
pub mod export;
pub mod file_kind;
pub mod gpu;
pub mod head;
pub mod import;
mod job;
pub mod json;
pub mod lint;
pub mod logging;
pub mod motion;
pub mod random;
pub mod render;
pub mod scene;
pub mod session;
pub mod ui;
pub mod window;
