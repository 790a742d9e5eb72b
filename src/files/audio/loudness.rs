//! How loud sounds are played.

use serde::{Deserialize, Serialize};

/// How loud sounds are played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Loudness {
    /// From 0 to 1, the volume of the file.
    pub volume: f32,
    /// Whether nothing is heard. The volume is kept.
    pub is_muted: bool,
}

impl Default for Loudness {
    fn default() -> Self {
        Self { volume: 1.0, is_muted: false }
    }
}

impl Loudness {
    /// The same with a volume from 0 to 1.
    #[must_use]
    pub fn within_reason(self) -> Self {
        let volume = if self.volume.is_nan() { 1.0 } else { self.volume.clamp(0.0, 1.0) };
        Self { volume, ..self }
    }

    /// The factor of the samples. Its square follows the ear more evenly than the volume itself.
    pub(super) fn gain(self) -> f32 {
        let Self { volume, is_muted } = self.within_reason();
        if is_muted { 0.0 } else { volume * volume }
    }
}
