//! The kinds of edits, and their numbers.

use serde::{Deserialize, Serialize};

/// What an edit does with the values in its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    /// Multiplies by a factor.
    Gain(f32),
    /// Adds a number.
    Offset(f32),
    /// Limits to a range of values.
    Clamp([f32; 2]),
    /// Removes what moves faster than a frequency.
    Smooth {
        /// The frequency in hertz at which half of a movement is left.
        cutoff_hz: f32,
        /// Peaks that the filter would take more off than the noise keep their height: 1 for all of it, 0 for a plain
        /// filter.
        keep_peaks: f32,
    },
    /// Replaces outliers by a line between their neighbours.
    RemoveSpikes {
        /// The least distance from the median of the neighbours.
        threshold: f32,
        /// The longest duration of a spike. What is longer is movement.
        longest_secs: f32,
    },
    /// Subtracts the value of a moment or the mean of the range.
    Neutral(NeutralOf),
    /// Holds one value: this one, or with `None` each column's value at the start of the range.
    Hold(Option<f32>),
    /// A straight line from the value at the start of the range to the one at its end.
    Line,
    /// A smooth curve that goes on in the direction in which the curve enters the range, and leaves in the direction in
    /// which the curve goes on.
    Bridge,
    /// Gives every column the values of the column of the other side. Head rotations to a side change their sign.
    Mirror,
    /// Fewer keys that stay near the curve.
    Reduce {
        /// The curve between the keys.
        fit: Fit,
        /// The largest distance from the curve.
        tolerance: f32,
    },
    /// Samples at a rate, per second.
    Bake(f32),
    /// Makes the range this many times as long; everything after it comes later. In all columns.
    Stretch(f32),
    /// Inserts this many seconds at the start of the range, in which the values are held. In all columns.
    InsertTime(f32),
    /// Removes the range; everything after it comes earlier. In all columns.
    DeleteTime,
}

/// What [`EditKind::Neutral`] subtracts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NeutralOf {
    /// The value at a time, in seconds.
    Moment(f32),
    /// The mean over the range.
    Mean,
}

/// The curve between the keys that [`EditKind::Reduce`] leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
    /// Straight lines.
    Linear,
    /// Cubic Hermite splines with fitted slopes.
    Smooth,
}

impl Default for EditKind {
    fn default() -> Self {
        Self::Gain(1.0)
    }
}

impl EditKind {
    /// The longest time that can be inserted.
    pub const LONGEST_INSERT_SECS: f32 = 3600.0;

    /// One of each kind with the numbers of a new edit, in the order of the menu. `time_secs` is the moment that a new
    /// [`Self::Neutral`] takes the rest face from.
    pub fn all(time_secs: f32) -> [Self; 15] {
        [
            Self::Gain(1.0),
            Self::Offset(0.0),
            Self::Clamp([0.0, 1.0]),
            Self::Smooth { cutoff_hz: 6.0, keep_peaks: 1.0 },
            Self::RemoveSpikes { threshold: 0.1, longest_secs: 0.035 },
            Self::Neutral(NeutralOf::Moment(time_secs)),
            Self::Hold(None),
            Self::Line,
            Self::Bridge,
            Self::Mirror,
            Self::Reduce { fit: Fit::Smooth, tolerance: 0.01 },
            Self::Bake(30.0),
            Self::Stretch(1.0),
            Self::InsertTime(0.5),
            Self::DeleteTime,
        ]
    }

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Gain(_) => "Gain",
            Self::Offset(_) => "Offset",
            Self::Clamp(_) => "Clamp",
            Self::Smooth { .. } => "Smooth",
            Self::RemoveSpikes { .. } => "Remove spikes",
            Self::Neutral(_) => "Neutral",
            Self::Hold(_) => "Hold",
            Self::Line => "Straight line",
            Self::Bridge => "Bridge",
            Self::Mirror => "Mirror",
            Self::Reduce { .. } => "Reduce to keys",
            Self::Bake(_) => "Bake to samples",
            Self::Stretch(_) => "Stretch time",
            Self::InsertTime(_) => "Insert time",
            Self::DeleteTime => "Delete time",
        }
    }

    /// Whether it changes the time of all columns instead of the values of some.
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::Stretch(_) | Self::InsertTime(_) | Self::DeleteTime)
    }

    /// Whether it sets in and out gradually at the start and at the end of its range. Kinds that meet the curve at both
    /// ends by themselves have no eased ends. After deleted time the face eases into what follows.
    pub fn eases(self) -> [bool; 2] {
        match self {
            Self::Gain(_)
            | Self::Offset(_)
            | Self::Clamp(_)
            | Self::Smooth { .. }
            | Self::Neutral(_)
            | Self::Hold(_)
            | Self::Mirror => [true; 2],
            Self::DeleteTime => [false, true],
            Self::RemoveSpikes { .. }
            | Self::Line
            | Self::Bridge
            | Self::Reduce { .. }
            | Self::Bake(_)
            | Self::Stretch(_)
            | Self::InsertTime(_) => [false; 2],
        }
    }
}
