//! Where an edit applies.

use super::curve::Column;
use super::keys::Opening;
use crate::head::Interpolation;
use crate::motion::Ease;

/// A longer gap between two keys of straight lines gets samples before its values change, so that what is not straight
/// has its shape. The frames that a capture drops are shorter.
const LONGEST_GAP_SECS: f32 = 0.1;

/// The span of an edit, what of it is eased, and the take's rate.
#[derive(Clone, Copy, Debug)]
pub(in crate::motion::take::edit) struct Place {
    pub span: [f32; 2],
    pub eases: [f32; 2],
    /// Whether values may jump at an end that is not eased. If not, they stay as they are there.
    pub may_jump: bool,
    pub duration_secs: f32,
    pub frames_per_sec: f32,
}

impl Place {
    /// How much of the edit applies at a time within its span: 1, and less in its eased ends.
    pub(in crate::motion::take::edit) fn amount_at(self, time_secs: f32) -> f32 {
        let part = |distance: f32, length: f32| if length > 0.0 { Ease::InOut.at(distance / length) } else { 1.0 };
        part(time_secs - self.span[0], self.eases[0]) * part(self.span[1] - time_secs, self.eases[1])
    }

    /// The keys that a column needs for a change of its values here.
    pub(in crate::motion::take::edit) fn opening(self, column: &Column) -> Opening {
        let step_secs = 1.0 / self.frames_per_sec;
        let is_spline = column.curve.interpolation() == Interpolation::CubicSpline;
        let jumps = [
            self.may_jump && self.eases[0] == 0.0 && self.span[0] > 0.0,
            self.may_jump && self.eases[1] == 0.0 && self.span[1] < self.duration_secs,
        ];
        let largest_gap_secs = if is_spline { 1.5 * step_secs } else { LONGEST_GAP_SECS.max(1.5 * step_secs) };
        Opening { span: self.span, jumps, largest_gap_secs, step_secs }
    }

    /// The times of the frames in the span, from its start.
    pub(in crate::motion::take::edit) fn frame_times(self) -> impl Iterator<Item = f32> + Clone {
        let ([from, to], rate) = (self.span.map(f64::from), f64::from(self.frames_per_sec));
        let first = (from * rate).floor();
        let count = ((to * rate).ceil() - first).clamp(1.0, 5e5) as usize;
        (0..count).map(move |frame| ((first + frame as f64) / rate).clamp(from, to) as f32)
    }
}
