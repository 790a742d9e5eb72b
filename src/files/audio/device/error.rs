//! Why a device neither plays nor hears.

/// Why a sound device does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeviceError {
    /// There is none.
    #[error("{0}")]
    NoDevice(String),
    /// The device was there, and is gone.
    #[error("the sound device is gone ({0})")]
    Lost(String),
    /// The device takes nothing and gives nothing.
    #[error("the sound device does not play")]
    Silent,
    /// A microphone gives nothing.
    #[error("the microphone sends nothing")]
    Mute,
    /// What is heard cannot be kept.
    #[error("it cannot be written: {0}")]
    Unwritable(String),
}
