//! The graphics adapter, and blend shapes evaluated on it and on the processor.
//!
//! - [`gpu`]: the adapter and its device.
//! - [`blend`]: weights to vertices, in four modes that agree with one f64 reference.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod blend;
pub mod gpu;
