//! What every command may write where: inputs, folders, devices, pipes and links, and disks without room.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod case;
mod inputs;
mod options;
mod places;
mod room;
