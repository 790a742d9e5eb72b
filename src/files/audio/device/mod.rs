//! What playing and hearing share: the sound server of Linux, the failures of devices elsewhere, and errors.

mod error;
#[cfg(not(target_os = "linux"))]
mod failures;
#[cfg(target_os = "linux")]
mod server;
#[cfg(target_os = "linux")]
mod wait;

pub use error::DeviceError;
#[cfg(not(target_os = "linux"))]
pub(super) use failures::first_failure;
#[cfg(target_os = "linux")]
pub(super) use server::{answer, connect, opened};

/// The rate of devices that take any: sound servers convert it to theirs.
pub(super) const USUAL_FRAMES_PER_SEC: u32 = 48_000;
