//! What Smirk needs that knows nothing of faces.
//!
//! - Files: [`atomic_file`] (written whole or not at all), [`regular_file`] (read unless it is a pipe or a device),
//!   [`inputs`] (what no output may replace), [`file_kind`] (the table of formats), [`folders`] (those of the user),
//!   [`watch`] (files that other programs write while they are open).
//! - Text: [`names`] (what is shown of names), [`json`], [`date`], [`logging`].
//! - The process: [`interrupt`] (signals), [`job`] (work on a thread beside the window), [`progress`] (how far work
//!   is).
//! - Numbers: [`random`], [`counting_sort`].
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod atomic_file;
pub mod counting_sort;
pub mod date;
pub mod derived;
pub mod file_kind;
pub mod folders;
pub mod inputs;
pub mod interrupt;
pub mod job;
pub mod json;
pub mod logging;
pub mod names;
pub mod program;
pub mod progress;
pub mod random;
pub mod regular_file;
pub mod watch;
