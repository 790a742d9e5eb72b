//! A head as plain data, and its weights over time.
//!
//! - [`head`]: meshes, targets, channels, materials, rig, clips.
//! - [`motion`]: weights over time: takes, keys, poses, blinks, gaze, the stack that mixes them, the blend rule, the
//!   clock.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod head;
pub mod motion;
