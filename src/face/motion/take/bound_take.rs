//! A take as a source of weights.

use std::sync::Arc;

use super::bound_columns::{BoundColumn, BoundColumns};
use super::{Angle, Take, TakeMap, smoothed};
use crate::head::{FaceTurns, Head};
use crate::motion::{Moment, StackWeights, WeightSource};

/// A take, bound to the channels of a head, with the curves of its columns found.
#[derive(Debug)]
pub(in crate::motion) struct BoundTake {
    take: Arc<Take>,
    columns: BoundColumns,
    /// Per column, its curve and the element of that; `None` if the take does not have the curve, and the value is then 0.
    curves: Vec<Option<(usize, usize)>>,
    /// The factor that makes its angles radians.
    radians: f32,
}

impl BoundTake {
    pub(in crate::motion) fn bind(head: &Head, take: &Arc<Take>, map: &TakeMap) -> Option<Box<dyn WeightSource>> {
        let columns = BoundColumns::bind(head, take.column_names(), map);
        let curve_of = |index: usize| take.curve_of(index).map(|(_, element)| (take.columns[index].track, element));
        let curves = (0..take.columns.len()).map(curve_of).collect();
        let radians = if columns.has_angles() { Angle::radians_per_unit(take) } else { 1.0 };
        Some(Box::new(Self { take: take.clone(), columns, curves, radians }))
    }

    /// The next key of each curve. Columns of a curve, and curves that were edited alike, share one list of key times, so it is
    /// searched once.
    fn next_keys(&self, time_secs: f32) -> Vec<usize> {
        let tracks = &self.take.tracks;
        let mut next_keys: Vec<usize> = Vec::with_capacity(tracks.len());
        for (track, curve) in tracks.iter().enumerate() {
            let before = track.checked_sub(1).filter(|&before| tracks[before].shares_times(curve));
            next_keys.push(before.map_or_else(|| curve.next_key(time_secs), |before| next_keys[before]));
        }
        next_keys
    }

    fn value(&self, column: &BoundColumn, time_secs: f32, next_keys: &[usize]) -> f32 {
        let raw = self.curves.get(column.index).copied().flatten().map_or(0.0, |(track, element)| {
            let curve = &self.take.tracks[track];
            if column.map.smoothing_secs > 0.0 {
                smoothed(curve, time_secs, element, column.map.smoothing_secs)
            } else {
                curve.sample_before(next_keys[track], time_secs, element)
            }
        });
        column.map.shape(raw)
    }
}

impl WeightSource for BoundTake {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        let time_secs = moment.timeline_secs;
        let next_keys = self.next_keys(time_secs);
        self.columns.apply(weights, 1.0, |column| self.value(column, time_secs, &next_keys));
    }

    fn turn(&self, moment: Moment, turns: &mut FaceTurns) {
        if self.columns.has_angles() {
            let time_secs = moment.timeline_secs;
            let next_keys = self.next_keys(time_secs);
            self.columns.turn(turns, 1.0, |column| self.value(column, time_secs, &next_keys) * self.radians);
        }
    }
}
