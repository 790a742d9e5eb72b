//! One edit of a take.

use serde::{Deserialize, Serialize};

/// One operation in the list of a take's edits. It applies to what the edits before it made of the recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeEdit {
    pub kind: EditKind,
    /// Start and end in seconds; `None` for the whole take.
    pub span: Option<[f32; 2]>,
    /// Over how many seconds after the start it sets in.
    pub ease_in_secs: f32,
    /// Over how many seconds before the end it goes out.
    pub ease_out_secs: f32,
    /// The columns by name; `None` for all. Names that the take lacks have no effect.
    pub columns: Option<Vec<String>>,
    pub enabled: bool,
}

impl Default for TakeEdit {
    fn default() -> Self {
        Self {
            kind: EditKind::default(),
            span: None,
            ease_in_secs: Self::EASE_SECS,
            ease_out_secs: Self::EASE_SECS,
            columns: None,
            enabled: true,
        }
    }
}

impl TakeEdit {
    /// The eased ends of a new edit.
    pub const EASE_SECS: f32 = 0.1;
    pub const MOST: usize = 200;

    /// Start and end on a take of this duration: in order, and limited to the take. `None` if nothing of the range is
    /// on the take, or a number is not finite.
    pub fn span_on(&self, duration_secs: f32) -> Option<[f32; 2]> {
        let Some([a, b]) = self.span else { return Some([0.0, duration_secs]) };
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let span = [a.min(b).max(0.0), a.max(b).min(duration_secs)];
        (span[0] <= span[1]).then_some(span)
    }

    pub(super) fn has_column(&self, name: &str) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column == name))
    }

    /// The lengths of both eased ends on a span. Ends that overlap are shortened in proportion. An end of the take is
    /// not eased, because there is nothing to blend with.
    pub(super) fn eases_on(&self, [from, to]: [f32; 2], duration_secs: f32) -> [f32; 2] {
        let lengths = [(self.ease_in_secs, from > 0.0), (self.ease_out_secs, to < duration_secs)];
        let lengths =
            lengths.map(|(secs, is_inside)| if is_inside && secs > 0.0 { secs.min(f32::MAX / 4.0) } else { 0.0 });
        let [eases_in, eases_out] = self.kind.eases();
        let (ease_in, ease_out) = (if eases_in { lengths[0] } else { 0.0 }, if eases_out { lengths[1] } else { 0.0 });
        let scale = ((to - from) / (ease_in + ease_out)).min(1.0);
        if scale < 1.0 { [ease_in * scale, ease_out * scale] } else { [ease_in, ease_out] }
    }
}

/// What an edit does with the values in its range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditKind {
    Gain(f32),
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
    /// Gives every column the values of the column of the other side, and this one its own. Head rotations to a side
    /// change their sign.
    Mirror,
    /// Fewer keys that stay near the curve.
    Reduce {
        fit: Fit,
        /// The largest distance from the curve.
        tolerance: f32,
    },
    /// Samples at a rate, per second.
    Bake(f32),
    /// Puts the frames at even times, so many in a second: for a recording without a clock, or with a wrong one. All of
    /// it, in all columns.
    FrameRate(f32),
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
    Mean,
}

/// The curve between the keys that [`EditKind::Reduce`] leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fit {
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
    pub const LONGEST_INSERT_SECS: f32 = 3600.0;

    /// One of each kind with the numbers of a new edit, in the order of the menu. `time_secs` is the moment that a new
    /// [`Self::Neutral`] takes the rest face from.
    pub fn all(time_secs: f32) -> [Self; 16] {
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
            Self::FrameRate(60.0),
            Self::Stretch(1.0),
            Self::InsertTime(0.5),
            Self::DeleteTime,
        ]
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Gain(_) => "Gain",
            Self::Offset(_) => "Offset",
            Self::Clamp(_) => "Clamp",
            Self::Smooth { .. } => "Smooth",
            Self::RemoveSpikes { .. } => "Remove spikes",
            Self::Neutral(_) => "Subtract rest face",
            Self::Hold(_) => "Hold",
            Self::Line => "Straight line",
            Self::Bridge => "Fill gap",
            Self::Mirror => "Mirror",
            Self::Reduce { .. } => "Reduce to keys",
            Self::Bake(_) => "Bake to samples",
            Self::FrameRate(_) => "Frame rate",
            Self::Stretch(_) => "Stretch time",
            Self::InsertTime(_) => "Insert time",
            Self::DeleteTime => "Delete time",
        }
    }

    /// Whether it changes the time of all columns instead of the values of some.
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::FrameRate(_) | Self::Stretch(_) | Self::InsertTime(_) | Self::DeleteTime)
    }

    /// Whether it is done to a range of the take; else to all of it.
    pub fn has_range(self) -> bool {
        !matches!(self, Self::FrameRate(_))
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
            | Self::FrameRate(_)
            | Self::Stretch(_)
            | Self::InsertTime(_) => [false; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::column::Place;
    use super::*;

    #[test]
    fn spans_are_ordered_and_limited_to_the_take() {
        let on = |span| TakeEdit { span, ..TakeEdit::default() }.span_on(10.0);
        assert_eq!(on(None), Some([0.0, 10.0]));
        assert_eq!(on(Some([4.0, 2.0])), Some([2.0, 4.0]));
        assert_eq!(on(Some([-1.0, 99.0])), Some([0.0, 10.0]));
        assert_eq!((on(Some([11.0, 12.0])), on(Some([f32::NAN, 1.0]))), (None, None));
    }

    #[test]
    fn eased_ends_rise_from_0_and_never_overlap() {
        let edit = TakeEdit { ease_in_secs: 3.0, ease_out_secs: 1.0, ..TakeEdit::default() };
        assert_eq!(edit.eases_on([2.0, 4.0], 10.0), [1.5, 0.5]);
        assert_eq!(edit.eases_on([0.0, 10.0], 10.0), [0.0, 0.0], "the ends of the take");
        let place =
            Place { span: [2.0, 4.0], eases: [1.5, 0.5], may_jump: true, duration_secs: 10.0, frames_per_sec: 60.0 };
        let amount = |time| place.amount_at(time);
        assert_eq!((amount(2.0), amount(2.75), amount(3.5), amount(4.0)), (0.0, 0.5, 1.0, 0.0));
        let odd = TakeEdit { ease_in_secs: f32::NAN, ease_out_secs: f32::INFINITY, ..TakeEdit::default() };
        assert_eq!(odd.eases_on([2.0, 4.0], 10.0), [0.0, 2.0]);
    }
}
