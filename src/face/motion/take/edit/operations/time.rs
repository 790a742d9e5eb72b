//! Edits of time. They move the keys of every column alike.

use super::super::column::{Column, ColumnKeys, Opening, Place, SAME_SECS};
use super::super::kind::EditKind;

/// The limits of a stretch.
const FACTORS: [f32; 2] = [0.05, 20.0];

/// How long the take is after an edit.
pub(in crate::motion::take::edit) fn duration_after(kind: EditKind, place: Place) -> f32 {
    let length = place.span[1] - place.span[0];
    let longer = match kind {
        EditKind::Stretch(factor) => allowed_factor(factor, place).map_or(0.0, |factor| length * (factor - 1.0)),
        EditKind::InsertTime(secs) => allowed_secs(secs).unwrap_or(0.0),
        EditKind::DeleteTime if can_delete(place) => -length,
        _ => 0.0,
    };
    place.duration_secs + longer
}

fn allowed_factor(factor: f32, place: Place) -> Option<f32> {
    let is_long_enough = place.span[1] - place.span[0] > SAME_SECS;
    (factor.is_finite() && is_long_enough).then(|| factor.clamp(FACTORS[0], FACTORS[1]))
}

fn allowed_secs(secs: f32) -> Option<f32> {
    (secs > 0.0).then(|| secs.min(EditKind::LONGEST_INSERT_SECS))
}

/// Something has to be left.
fn can_delete(place: Place) -> bool {
    let length = place.span[1] - place.span[0];
    length > SAME_SECS && length < place.duration_secs - SAME_SECS
}

/// The column with its span made `factor` times as long.
pub(in crate::motion::take::edit) fn stretched(column: &Column, place: Place, factor: f32) -> Option<Column> {
    let (factor, [from, to]) = (allowed_factor(factor, place)?, place.span);
    let (mut keys, inside) = ColumnKeys::opened(column, without_fill(place, [false; 2]))?;
    let longer = (to - from) * (factor - 1.0);
    let moved = |(key, &time): (usize, &f32)| match key {
        _ if key <= *inside.start() => time,
        _ if key <= *inside.end() => from + (time - from) * factor,
        _ => time + longer,
    };
    keys.times = in_order(keys.times.iter().enumerate().map(moved));
    if let Some(slopes) = &mut keys.slopes {
        for key in *inside.start()..*inside.end() {
            slopes[key][1] /= factor;
            slopes[key + 1][0] /= factor;
        }
    }
    keys.into_column()
}

/// The column with its value at the start of the span held for a while.
pub(in crate::motion::take::edit) fn inserted(column: &Column, place: Place, secs: f32) -> Option<Column> {
    let (secs, at) = (allowed_secs(secs)?, place.span[0]);
    let column = column.without_steps();
    let mut keys = ColumnKeys::with_added(&column, &[at, at]);
    let second = keys.times.partition_point(|&time| time <= at) - 1;
    keys.times =
        in_order(keys.times.iter().enumerate().map(|(key, &time)| if key < second { time } else { time + secs }));
    if let Some(slopes) = &mut keys.slopes {
        slopes[second - 1][1] = 0.0;
        slopes[second][0] = 0.0;
    }
    keys.into_column()
}

/// The column without its span. What follows sets in at the value that the cut has reached, and eases to its own.
pub(in crate::motion::take::edit) fn deleted(column: &Column, place: Place) -> Option<Column> {
    let ([from, to], length) = (place.span, place.span[1] - place.span[0]);
    if !can_delete(place) {
        return None;
    }
    let is_inside = [from > 0.0, to < place.duration_secs];
    let (mut keys, inside) = ColumnKeys::opened(column, without_fill(place, is_inside))?;
    let (before, after) = (column.sample(from), column.sample(to));
    let (first, last) = (*inside.start(), *inside.end());
    let kept = |key: usize| key < first || key > last || (first == 0 && key == last && !is_inside[1]);
    let moved = |(key, &time): (usize, &f32)| if key < first { time } else { (time - length).max(from) };
    let times: Vec<f32> = in_order(keys.times.iter().enumerate().map(moved)).to_vec();
    let only_kept = |key: &usize| kept(*key);
    keys.times = (0..times.len()).filter(only_kept).map(|key| times[key]).collect();
    keys.values = (0..times.len()).filter(only_kept).map(|key| keys.values[key]).collect();
    keys.slopes = keys.slopes.map(|slopes| (0..times.len()).filter(only_kept).map(|key| slopes[key]).collect());
    let cut = keys.into_column()?;
    let duration_secs = place.duration_secs - length;
    let ease_secs = place.eases[1].min(duration_secs - from);
    if !is_inside[0] || !is_inside[1] || ease_secs <= SAME_SECS {
        return Some(cut);
    }
    let span = [from, from + ease_secs];
    let eased = Place { span, eases: [0.0, ease_secs], may_jump: true, duration_secs, ..place };
    cut.with_values(eased, |keys, key| keys.values[key] + (before - after)).or(Some(cut))
}

fn without_fill(place: Place, jumps: [bool; 2]) -> Opening {
    Opening { span: place.span, jumps, largest_gap_secs: 0.0, step_secs: 0.0 }
}

/// Times that rounding must not bring out of order.
fn in_order(times: impl Iterator<Item = f32>) -> std::sync::Arc<[f32]> {
    let mut latest = f32::NEG_INFINITY;
    let ordered = times.map(|time| {
        latest = latest.max(time);
        latest
    });
    ordered.collect()
}
