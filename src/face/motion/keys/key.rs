//! A key: a value at a time, and how the curve passes through it.

use serde::{Deserialize, Serialize};

/// How a curve passes through a key. Slopes are in weight per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tangents {
    /// A smooth curve that never leaves the range between two neighbouring keys. Peaks, valleys and the first and the
    /// last key are flat.
    #[default]
    Auto,
    /// Straight lines to both neighbours.
    Linear,
    /// The value is held until the next key.
    Step,
    /// One slope on both sides.
    Free(f32),
    /// A slope before the key and another one after it.
    Broken {
        /// The slope with which the curve arrives.
        incoming: f32,
        /// The slope with which the curve leaves.
        outgoing: f32,
    },
}

impl Tangents {
    /// Free tangents of slope 0, which ease in and out between two keys by smoothstep. Keys of files that store no
    /// tangents were eased in this way.
    pub const FLAT: Self = Self::Free(0.0);

    pub(super) fn is_finite(self) -> bool {
        match self {
            Self::Auto | Self::Linear | Self::Step => true,
            Self::Free(slope) => slope.is_finite(),
            Self::Broken { incoming, outgoing } => incoming.is_finite() && outgoing.is_finite(),
        }
    }

    /// The same tangents after values were multiplied by `value` and times by `time`, both not 0.
    pub fn scaled(self, value: f32, time: f32) -> Self {
        let factor = value / time;
        match self {
            Self::Auto | Self::Linear | Self::Step => self,
            Self::Free(slope) => Self::Free(slope * factor),
            // Where time runs backwards, the curve arrives where it left before.
            Self::Broken { incoming, outgoing } if time < 0.0 => {
                Self::Broken { incoming: outgoing * factor, outgoing: incoming * factor }
            }
            Self::Broken { incoming, outgoing } => {
                Self::Broken { incoming: incoming * factor, outgoing: outgoing * factor }
            }
        }
    }

    fn flat() -> Self {
        Self::FLAT
    }

    fn is_flat(&self) -> bool {
        *self == Self::FLAT
    }
}

/// A value at a time, as set by the user.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Time on the timeline.
    pub time_secs: f32,
    /// The channel's weight, or what is added to it.
    pub value: f32,
    /// How the curve passes through the key. A file without tangents means [`Tangents::FLAT`].
    #[serde(default = "Tangents::flat", skip_serializing_if = "Tangents::is_flat")]
    pub tangents: Tangents,
}

impl Key {
    /// The time of the last possible key: one day.
    pub const LATEST_SECS: f32 = 86_400.0;
    /// Keys that are closer together than this are the same key.
    pub const SAME_SECS: f32 = 1e-3;

    /// A new key, with [`Tangents::Auto`].
    pub fn new(time_secs: f32, value: f32) -> Self {
        Self { time_secs, value, tangents: Tangents::Auto }
    }

    /// The keys from a time to another. `keys` are in order of time.
    pub fn between(keys: &[Self], [start, end]: [f32; 2]) -> &[Self] {
        let first = keys.partition_point(|key| key.time_secs < start);
        let last = keys.partition_point(|key| key.time_secs <= end);
        &keys[first..last.max(first)]
    }

    /// Whether the time is from 0 to [`Self::LATEST_SECS`] and all numbers are finite.
    pub(super) fn is_valid(&self) -> bool {
        (0.0..=Self::LATEST_SECS).contains(&self.time_secs) && self.value.is_finite() && self.tangents.is_finite()
    }

    pub(super) fn is_at(&self, time_secs: f32) -> bool {
        (self.time_secs - time_secs).abs() <= Self::SAME_SECS
    }
}
