//! Columns with names, bound to the channels of a head and to the angles of the head and the eyes.

use super::{Angle, ColumnMap, TakeMap};
use crate::head::{FaceTurns, Head};
use crate::motion::StackWeights;

/// The columns of a take or of live frames, with what each of them drives found.
#[derive(Debug)]
pub(in crate::motion) struct BoundColumns {
    /// Each driven channel, with its columns.
    channels: Vec<(usize, Vec<BoundColumn>)>,
    /// The angles among the columns that drive no channel.
    angles: Vec<(Angle, BoundColumn)>,
}

/// One column, and how it drives.
#[derive(Debug)]
pub(in crate::motion) struct BoundColumn {
    /// Its index in the list of columns.
    pub index: usize,
    /// Its numbers, without its names.
    pub map: ColumnMap,
}

impl BoundColumns {
    /// Finds what columns with these names drive. `map` has an entry for each.
    pub(in crate::motion) fn bind<'a>(head: &Head, names: impl Iterator<Item = &'a str>, map: &TakeMap) -> Self {
        let column = |&index: &usize| {
            let map = ColumnMap { column: String::new(), channels: Vec::new(), ..map.columns[index].clone() };
            BoundColumn { index, map }
        };
        let driven = map.driven(head).into_iter();
        let channels = driven.map(|(channel, columns)| (channel, columns.iter().map(column).collect())).collect();
        let of_angle = |(index, name): (usize, &str)| {
            let is_free = map.columns.get(index).is_some_and(|map| map.enabled && map.channels.is_empty());
            Some((Angle::of_column(name).filter(|_| is_free)?, column(&index)))
        };
        Self { channels, angles: names.enumerate().filter_map(of_angle).collect() }
    }

    /// Whether any column is an angle.
    pub(in crate::motion) fn has_angles(&self) -> bool {
        !self.angles.is_empty()
    }

    /// Sets each driven channel to the mean of the values of its columns, moved from the value below by `amount`, from 0 to 1.
    pub(in crate::motion) fn apply(
        &self,
        weights: &mut StackWeights<'_>,
        amount: f32,
        value: impl Fn(&BoundColumn) -> f32,
    ) {
        for (channel, columns) in &self.channels {
            let mean = columns.iter().map(&value).sum::<f32>() / columns.len() as f32;
            weights.set(*channel, |_, below| between(below, mean, amount));
        }
    }

    /// Sets the angles to the values of their columns, in radians, moved from the angles below by `amount`, from 0 to 1.
    pub(in crate::motion) fn turn(&self, turns: &mut FaceTurns, amount: f32, radians: impl Fn(&BoundColumn) -> f32) {
        for (angle, column) in &self.angles {
            angle.set(turns, between(angle.value(turns), radians(column), amount));
        }
    }
}

/// `to` itself at an amount of 1, whatever `from` is.
fn between(from: f32, to: f32, amount: f32) -> f32 {
    if amount >= 1.0 { to } else { from + (to - from) * amount }
}
