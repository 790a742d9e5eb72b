//! What playing and hearing share: the sound server of Linux, the failures of devices elsewhere, and errors.

#[cfg(target_os = "linux")]
mod server;

#[cfg(target_os = "linux")]
pub(super) use server::{answer, connect, opened};

/// The rate of devices that take any: sound servers convert it to theirs.
pub(super) const USUAL_FRAMES_PER_SEC: u32 = 48_000;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    #[error("{0}")]
    NoDevice(String),
    #[error("the sound device is gone ({0})")]
    Lost(String),
    #[error("the sound device does not play")]
    Silent,
    #[error("the microphone sends nothing")]
    Mute,
    #[error("it cannot be written: {0}")]
    Unwritable(String),
}

/// The first of the errors that `cpal` reports while a stream runs after which the stream goes on no more.
#[cfg(not(target_os = "linux"))]
pub(super) fn first_failure(failures: &std::sync::mpsc::Receiver<cpal::Error>) -> Option<cpal::Error> {
    use cpal::ErrorKind::{DeviceChanged, RealtimeDenied, Xrun};
    failures.try_iter().find(|error| !matches!(error.kind(), DeviceChanged | Xrun | RealtimeDenied))
}
