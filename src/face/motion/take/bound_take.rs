//! A take as a source of weights.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Angle, ColumnMap, ColumnMix, Take, TakeMap, smoothed};
use crate::head::{FaceTurns, Head, LookAtExpressions, Preset};
use crate::motion::{Moment, StackWeights, WeightSource};

/// A take, bound to the channels of a head, with the curves of its columns found.
#[derive(Debug)]
struct BoundTake {
    take: Arc<Take>,
    columns: BoundColumns,
    /// Per column, its curve and the element of that; `None` if the take does not have the curve, and the value is then
    /// 0.
    curves: Vec<Option<(usize, usize)>>,
}

impl Take {
    /// The take as a source of weights. `turns_eyes` says whether its angles turn the eyes.
    pub fn source(self: Arc<Self>, head: &Head, map: &TakeMap, turns_eyes: bool) -> Box<dyn WeightSource> {
        let columns = BoundColumns::bind(head, self.column_names(), map, turns_eyes);
        let curves = (0..self.columns.len()).map(|index| {
            let (_, element) = self.curve_of(index)?;
            Some((self.columns[index].track, element))
        });
        let curves = curves.collect();
        Box::new(BoundTake { take: self, columns, curves })
    }
}

impl BoundTake {
    /// The next key of each curve. Columns of a curve, and curves that were edited alike, share one list of key times,
    /// so it is searched once.
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
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        let time_secs = moment.timeline_secs;
        let next_keys = self.next_keys(time_secs);
        self.columns.apply(weights, 1.0, |column| self.value(column, time_secs, &next_keys));
    }

    fn turn(&self, moment: &Moment, turns: &mut FaceTurns) {
        if self.columns.has_angles() {
            let time_secs = moment.timeline_secs;
            let next_keys = self.next_keys(time_secs);
            self.columns.turn(turns, 1.0, |column| self.value(column, time_secs, &next_keys));
        }
    }
}

/// The columns of a take or of live frames, with what each of them drives found.
#[derive(Debug)]
pub(in crate::motion) struct BoundColumns {
    columns: Vec<BoundColumn>,
    driven: Vec<(usize, ColumnMix)>,
    /// The angles among the columns that drive no channel, each with its column.
    angles: Vec<(Angle, usize)>,
    /// The gaze as expressions, if the angles of the eyes are among the columns and turn the eyes.
    gaze: Option<GazeExpressions>,
}

/// The expressions that show the gaze of an avatar, but for those that columns drive.
#[derive(Debug)]
struct GazeExpressions {
    ranges: LookAtExpressions,
    channels: Vec<(Preset, usize)>,
}

impl GazeExpressions {
    fn bind(head: &Head, driven: &[(usize, ColumnMix)], angles: &[(Angle, usize)]) -> Option<Self> {
        let ranges = head.avatar.as_ref()?.look_at?;
        if !angles.iter().any(|(angle, _)| angle.is_of_eyes()) {
            return None;
        }
        let driven: HashSet<usize> = driven.iter().map(|(channel, _)| *channel).collect();
        let channels = (0..head.channels.len()).filter(|channel| !driven.contains(channel));
        let presets = channels.filter_map(|channel| Some((head.expression_of(channel)?.preset?, channel)));
        Some(Self { ranges, channels: presets.collect() })
    }
}

#[derive(Debug)]
pub(in crate::motion) struct BoundColumn {
    /// Its index in the list of columns.
    pub index: usize,
    /// Its numbers, without its names.
    pub map: ColumnMap,
}

impl BoundColumns {
    /// Finds what columns with these names drive. `map` has an entry for each. If `turns_eyes` is false, their angles
    /// set no expressions.
    pub(in crate::motion) fn bind<'a>(
        head: &Head,
        names: impl Iterator<Item = &'a str>,
        map: &TakeMap,
        turns_eyes: bool,
    ) -> Self {
        let driven = map.driven(head);
        let angles = names.enumerate().filter_map(|(index, name)| {
            let is_free = map.columns.get(index).is_some_and(|map| map.enabled && map.channels.is_empty());
            Some((Angle::of_column(name).filter(|_| is_free)?, index))
        });
        let angles: Vec<(Angle, usize)> = angles.collect();
        let gaze = GazeExpressions::bind(head, &driven, &angles).filter(|_| turns_eyes);
        let columns = map.columns.iter().enumerate().map(|(index, map)| BoundColumn { index, map: map.numbers() });
        Self { columns: columns.collect(), driven, angles, gaze }
    }

    pub(in crate::motion) fn has_angles(&self) -> bool {
        !self.angles.is_empty()
    }

    /// Sets each driven channel to the value of its columns, and the expressions that show the gaze to the mean of both
    /// eyes; all moved from the value below by `amount`, from 0 to 1.
    pub(in crate::motion) fn apply(
        &self,
        weights: &mut StackWeights<'_>,
        amount: f32,
        value: impl Fn(&BoundColumn) -> f32,
    ) {
        for (channel, mix) in &self.driven {
            let mixed = mix.value(|column| value(&self.columns[column]));
            weights.set(*channel, |_, below| between(below, mixed, amount));
        }
        self.look(weights, amount, value);
    }

    fn look(&self, weights: &mut StackWeights<'_>, amount: f32, radians: impl Fn(&BoundColumn) -> f32) {
        let Some(gaze) = &self.gaze else { return };
        let mut turns = FaceTurns::NONE;
        self.turn(&mut turns, 1.0, radians);
        let [left, right] = turns.eyes;
        let values = gaze.ranges.values(0.5 * (left.yaw + right.yaw), 0.5 * (left.pitch + right.pitch));
        for (preset, value) in values {
            for (_, channel) in gaze.channels.iter().filter(|(of, _)| *of == preset) {
                weights.set(*channel, |_, below| between(below, value, amount));
            }
        }
    }

    /// Sets the angles to the values of their columns, in radians, moved from the angles below by `amount`, from 0 to
    /// 1.
    pub(in crate::motion) fn turn(&self, turns: &mut FaceTurns, amount: f32, radians: impl Fn(&BoundColumn) -> f32) {
        for (angle, column) in &self.angles {
            angle.set(turns, between(angle.value(turns), radians(&self.columns[*column]), amount));
        }
    }
}

/// `to` itself at an amount of 1, whatever `from` is.
fn between(from: f32, to: f32, amount: f32) -> f32 {
    if amount >= 1.0 { to } else { from + (to - from) * amount }
}
