//! Smirk: a facial-animation viewer for artists who preview and judge blend shapes.
//!
//! This crate is the program: [`window`] with its event loop, and [`cli`], the commands that need no window.
//! `docs/architecture.md` is the map: how data flows, which files to read first, what each crate and its folders are
//! for, and where new things go.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What tests, benches and the program use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod cli;
pub mod window;
