//! Heads, takes, sound and images that Smirk reads, and frames of a face from the network.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod audio;
pub mod import;
pub mod live;
pub mod reference;
