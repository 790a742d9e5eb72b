//! The session with its files.
//!
//! - [`document`]: project, autosave, recovery, opening.
//! - [`mod@bench`]: what blending costs, measured.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod bench;
pub mod document;
