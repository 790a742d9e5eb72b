//! The graphics adapter, and blend shapes evaluated on it and on the processor.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod blend;
pub mod gpu;
pub mod measure;
