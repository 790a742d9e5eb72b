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
//! # The rooms
//!
//! `docs/architecture.md` says what each folder may use, which `tests/rooms` checks, and where new things go.
//!
//! - [`head`]: a head as plain data: meshes, targets, channels, materials, rig, clips. [`lint`]: problems found in its shapes.
//!   [`judge`]: what breaks when expressions are combined.
//! - [`import`]: files to heads, takes and poses; separate meshes to targets.
//! - [`motion`]: weights over time: takes, keys, poses, blinks, gaze, the stack that mixes them, the blend rule, the clock.
//! - [`live`]: frames of a performer's face from the network.
//!   [`audio`]: the sound of takes: decoded, drawn as a waveform, played, recorded.
//! - [`blend`]: weights to vertices, in four modes that agree with one f64 reference.
//! - [`scene`]: what is looked at, from where, in what light. [`render`]: a scene to an image. [`gpu`]: the adapter and its device.
//!   [`measure`]: what a shape does to the vertices. [`pick`]: what is under the pointer. [`openness`]: how much of the light around a head reaches each vertex.
//! - [`session`]: everything an artist edits, with undo. [`document`]: the session with its files: project, autosave, recovery.
//! - [`mod@reference`]: images that are looked at together with the face.
//! - [`ui`]: the panels. [`window`]: the event loop, frame schedule, quality governor, dialogs, settings, device loss.
//! - [`cli`]: the commands that need no window. [`export`]: animation, heads, meshes, pictures, films,
//!   contact sheets and poses to files.
//!   [`mod@bench`]: what blending costs, measured.
//! - General help: [`atomic_file`] (written whole or not at all), `counting_sort`, `date`, `names` (what is shown of names),
//!   [`file_kind`] (the table of formats), `folders` (those of the user), `fonts` (of the system), [`interrupt`] (signals), `job`
//!   (work on a thread beside the window), [`json`], [`logging`], [`random`], `regular_file` (read unless it is a pipe or a device),
//!   `watch` (files that other programs write while they are open).
//!
//! The bundled head is made by `assets/sculpt`, a program of its own.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What tests, benches and the program use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod cli;
pub mod window;
