//! Files, names, jobs, JSON and the log: what Smirk needs that knows nothing of faces.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod atomic_file;
pub mod counting_sort;
pub mod date;
pub mod file_kind;
pub mod folders;
pub mod interrupt;
pub mod job;
pub mod json;
pub mod logging;
pub mod names;
pub mod random;
pub mod regular_file;
pub mod watch;
