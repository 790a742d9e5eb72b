//! One edit of a take.

use serde::{Deserialize, Serialize};

use super::kind::EditKind;

/// One operation in the list of a take's edits. It applies to what the edits before it made of the recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeEdit {
    /// What is done, with its numbers.
    pub kind: EditKind,
    /// Start and end in seconds; `None` for the whole take.
    pub span: Option<[f32; 2]>,
    /// Over how many seconds after the start it sets in.
    pub ease_in_secs: f32,
    /// Over how many seconds before the end it goes out.
    pub ease_out_secs: f32,
    /// The columns by name; `None` for all. Names that the take lacks have no effect.
    pub columns: Option<Vec<String>>,
    /// Whether it has an effect.
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
    /// The largest number of edits of a take.
    pub const MOST: usize = 200;

    /// Start and end on a take of this duration: in order, and limited to the take. `None` if nothing of the range is on
    /// the take, or a number is not finite.
    pub fn span_on(&self, duration_secs: f32) -> Option<[f32; 2]> {
        let Some([a, b]) = self.span else { return Some([0.0, duration_secs]) };
        if !(a.is_finite() && b.is_finite()) {
            return None;
        }
        let span = [a.min(b).max(0.0), a.max(b).min(duration_secs)];
        (span[0] <= span[1]).then_some(span)
    }

    /// Whether it applies to a column of this name.
    pub(super) fn has_column(&self, name: &str) -> bool {
        self.columns.as_ref().is_none_or(|columns| columns.iter().any(|column| column == name))
    }

    /// The lengths of both eased ends on a span. Ends that overlap are shortened in proportion. An end of the take is
    /// not eased, because there is nothing to blend with.
    pub(super) fn eases_on(&self, [from, to]: [f32; 2], duration_secs: f32) -> [f32; 2] {
        let length =
            |eases: bool, secs: f32, is_inside: bool| if eases && is_inside && secs > 0.0 { secs } else { 0.0 };
        let [eases_in, eases_out] = self.kind.eases();
        let ease_in = length(eases_in, self.ease_in_secs, from > 0.0).min(f32::MAX / 4.0);
        let ease_out = length(eases_out, self.ease_out_secs, to < duration_secs).min(f32::MAX / 4.0);
        let scale = ((to - from) / (ease_in + ease_out)).min(1.0);
        if scale < 1.0 { [ease_in * scale, ease_out * scale] } else { [ease_in, ease_out] }
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
