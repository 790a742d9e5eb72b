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
//! - [`ui`]: the panels. [`app`], [`viewer`]: the window. [`readout`], [`thumbnails`], [`review`]: what the panels are given to show.
//!   [`pace`]: when a frame is due. [`governor`]: quality against frame time.
//!   [`dialog`]: the file dialogs. [`wake`]: news from threads. [`screenshot`]: a picture of the window. [`settings`]: what is
//!   remembered.
//! - [`cli`]: the commands that need no window. [`export`]: what leaves as a file, heads among it. [`darkroom`]: thumbnails and contact sheets,
//!   a picture a frame. [`mod@bench`]: what blending costs, measured. [`atomic_file`]: files written whole or not at all. [`json`]:
//!   JSON with numbers that are numbers. [`random`]: chance that repeats.
//!
//! The head inside the program is made by `assets/sculpt`, which knows nothing of these rooms.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod app;
pub mod atomic_file;
pub mod bench;
pub mod blend;
pub mod cli;
pub mod darkroom;
pub mod dialog;
pub mod document;
pub mod export;
pub mod governor;
pub mod gpu;
pub mod head;
pub mod import;
pub mod json;
pub mod lint;
pub mod motion;
pub mod pace;
pub mod random;
pub mod readout;
pub mod render;
pub mod review;
pub mod scene;
pub mod screenshot;
pub mod session;
pub mod settings;
pub mod thumbnails;
pub mod ui;
pub mod viewer;
pub mod wake;
