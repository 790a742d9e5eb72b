//! Smirk: a facial-animation viewer for artists who preview and judge blend shapes.
//!
//! ```text
//! file ── import ──► Head (plain data, in an Arc)
//!                      │
//! clip, take, live, keys, sequence, blink, gaze, pose, slider ──► motion::BoundStack ──► mix ──► motion::BlendRule ──► weights
//!                      │
//!                      ▼
//!           Scene { head, weights, world_from_nodes, mode, camera, look, … }      (borrowed plain data)
//!                      │
//!              blend (CPU │ vertex shader │ compute │ multi-pass) ──► blended vertices
//!                      │
//!              render ──► offscreen image ──► window, PNG, contact sheet, test
//! ```
//!
//! Data moves in one direction. The window, every command and the tests call the same renderer.
//!
//! # The crates
//!
//! `docs/architecture.md` says what each crate and its folders may use, and where new things go. From the lowest:
//!
//! - [`smirk_base`]: files, names, jobs, JSON and the log.
//! - [`smirk_face`]: a head as plain data, its weights over time, and what is odd about its shapes.
//! - [`smirk_files`]: heads, takes, sound and images that are read, and frames of a face from the network.
//! - [`smirk_graphics`]: the graphics adapter, and the blend modes. [`smirk_picture`]: a scene to an image.
//! - [`smirk_editor`]: everything an artist edits, its files, and what is exported of it.
//! - [`smirk_ui`]: the panels.
//! - This one, the program: [`window`]: the event loop, frame schedule, quality governor, dialogs, settings, device loss.
//!   [`cli`]: the commands that need no window.
//!
//! The bundled head is made by `assets/sculpt`, a crate that the program does not use.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What tests, benches and the program use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod cli;
pub mod window;
