//! A microphone.

/// A microphone of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Microphone {
    /// What the system calls it.
    pub id: String,
    /// Its name for people.
    pub name: String,
}
