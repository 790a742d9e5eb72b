//! Smirk: a facial-animation viewer for artists who preview and judge blend shapes.
//!
//! ```text
//! file ── import ──► Head (plain data, Arc)
//!                      │
//! sliders, clips ──► session ──► weights, one per target
//!                      │
//!                      ▼
//!            Scene { head, weights, mode, camera, look }      (borrowed, plain)
//!                      │
//!               blend (CPU │ vertex shader │ compute │ multi-pass) ──► Blended
//!                      │
//!               render ──► offscreen image ──► the window, a PNG, a test
//! ```
//!
//! One direction, no way back. The window, `smirk render`, the tests and the README's picture call the same renderer.
#![cfg_attr(test, allow(clippy::unwrap_used))]

pub mod blend;
pub mod cli;
pub mod export;
pub mod gpu;
pub mod head;
pub mod import;
pub mod motion;
pub mod readout;
pub mod render;
pub mod scene;
pub mod session;
pub mod ui;
