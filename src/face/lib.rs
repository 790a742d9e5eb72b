//! A head as plain data, its weights over time, and what is odd about its shapes.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod head;
pub mod judge;
pub mod lint;
pub mod motion;
