//! A head as plain data, its weights over time, and what is odd about its shapes.
//!
//! - [`head`]: meshes, targets, channels, materials, rig, clips.
//! - [`motion`]: weights over time: takes, keys, poses, blinks, gaze, the stack that mixes them, the blend rule, the clock.
//! - [`lint`]: problems found in the shapes of a head. [`judge`]: what breaks when expressions are combined.
//! - [`solve`]: the weights that show a face of which the vertices are known over time.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod head;
pub mod judge;
pub mod lint;
pub mod motion;
pub mod solve;
