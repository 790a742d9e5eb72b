//! Why nothing is heard.

/// Why nothing is heard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(in crate::audio) enum OutputError {
    /// There is nothing to play on.
    #[error("{0}")]
    NoDevice(String),
    /// The device was there, and is gone.
    #[error("the sound device is gone ({0})")]
    Lost(String),
    /// The device says nothing.
    #[error("the sound device does not play")]
    Silent,
}
