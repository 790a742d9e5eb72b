//! Everything an artist edits, its files, and what is exported of it.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod bench;
pub mod document;
pub mod export;
pub mod fonts;
pub mod session;
