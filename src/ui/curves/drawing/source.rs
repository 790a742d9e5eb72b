//! The data that a curve's points are computed from. It is cheap to compare, so that points are computed only when it
//! changes.

use std::sync::Arc;

use super::polyline::{ALWAYS, Window, united};
use smirk_face::head::{Curve, Head, OfHead};
use smirk_face::motion::{ColumnMap, ColumnMix, KeyCurve, Take, TakeMap};

/// The source of a curve's values. The curve reaches from 0 to `end_secs`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PointSource {
    pub(super) from: Origin,
    pub(super) end_secs: f32,
}

#[derive(Clone, Debug)]
pub(super) enum Origin {
    Clip {
        /// Index of the clip and of the channel.
        of_head: OfHead<[usize; 2]>,
    },
    Take {
        columns: Vec<MappedColumn>,
        mix: ColumnMix,
    },
    /// Keys over another source, or over a constant weight.
    Keys {
        curve: KeyCurve,
        below: Option<Box<PointSource>>,
        rest: f32,
    },
    /// One source less another; without a source, the weight is constant.
    Difference {
        of: [Option<Box<PointSource>>; 2],
        rest: f32,
    },
}

/// A column of a take, and the numbers of its mapping. Curves share their numbers, so a copy is cheap.
#[derive(Clone, Debug)]
pub(super) struct MappedColumn {
    pub curve: Curve,
    pub element: usize,
    pub map: ColumnMap,
}

impl PartialEq for MappedColumn {
    fn eq(&self, other: &Self) -> bool {
        self.curve.is_copy_of(&other.curve) && self.element == other.element && self.map == other.map
    }
}

impl PartialEq for Origin {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Clip { of_head }, Self::Clip { of_head: other }) => of_head == other,
            (Self::Take { columns, mix }, Self::Take { columns: columns2, mix: mix2 }) => {
                (columns, mix) == (columns2, mix2)
            }
            (Self::Keys { curve, below, rest }, Self::Keys { curve: curve2, below: below2, rest: rest2 }) => {
                curve.is_copy_of(curve2) && below == below2 && rest == rest2
            }
            (Self::Difference { of, rest }, Self::Difference { of: of2, rest: rest2 }) => of == of2 && rest == rest2,
            _ => false,
        }
    }
}

impl PointSource {
    pub(crate) fn of_clip(head: &Arc<Head>, clip: usize, channel: usize, end_secs: f32) -> Self {
        Self { from: Origin::Clip { of_head: OfHead::with(head, [clip, channel]) }, end_secs }
    }

    pub(crate) fn of_take(take: &Take, map: &TakeMap, mix: &ColumnMix, end_secs: f32) -> Self {
        let mut numbers: Vec<usize> = mix.all_columns().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut columns = Vec::with_capacity(numbers.len());
        // A map that was read from a file may name columns that the take lacks.
        numbers.retain(|&column| {
            let found = take.curve_of(column).zip(map.columns.get(column));
            // Channel names do not change values, so only the numbers are copied.
            columns.extend(found.map(|((curve, element), map)| MappedColumn {
                curve: curve.clone(),
                element,
                map: map.numbers(),
            }));
            found.is_some()
        });
        let mix = mix.clone().renumbered(|column| numbers.binary_search(&column).unwrap_or(usize::MAX));
        Self { from: Origin::Take { columns, mix }, end_secs }
    }

    /// Keys set by the user, over what is below them: another source, or the weight at rest.
    pub(crate) fn of_keys(curve: &KeyCurve, below: Option<Self>, rest: f32, end_secs: f32) -> Self {
        Self { from: Origin::Keys { curve: curve.clone(), below: below.map(Box::new), rest }, end_secs }
    }

    /// `a` less `b`; a channel without a source has the weight at rest.
    pub(crate) fn difference(a: Option<Self>, b: Option<Self>, rest: f32, end_secs: f32) -> Self {
        Self { from: Origin::Difference { of: [a, b].map(|source| source.map(Box::new)), rest }, end_secs }
    }

    /// The other sources that the points depend on: what is below keys, or both sides of a difference.
    pub(super) fn needed(&self) -> [Option<&Self>; 2] {
        match &self.from {
            Origin::Keys { curve, below, .. } if !curve.hides_below() => [below.as_deref(), None],
            Origin::Difference { of, .. } => of.each_ref().map(Option::as_deref),
            _ => [None; 2],
        }
    }

    /// The window in which the points of both may differ, apart from what differs in the other sources that they depend
    /// on. `None` if they are the same.
    pub(super) fn differs_within(&self, other: &Self) -> Option<Window> {
        let own = match (&self.from, &other.from) {
            (Origin::Keys { curve, rest, .. }, Origin::Keys { curve: curve2, rest: rest2, .. })
                if rest == rest2 && acts_like(curve, curve2) =>
            {
                curve.values_differ_within(curve2)
            }
            (Origin::Difference { rest, .. }, Origin::Difference { rest: rest2, .. }) if rest == rest2 => None,
            (from, from2) => (from != from2).then_some(ALWAYS),
        };
        let ends = [self.end_secs, other.end_secs];
        let of_ends = (ends[0] != ends[1]).then(|| {
            let start = ends[0].min(ends[1]).next_down();
            let first_secs = match &self.from {
                // It repeats until the end, so that the end may change any of its points.
                Origin::Clip { .. } => None,
                Origin::Take { columns, .. } => {
                    columns.iter().filter_map(|column| column.curve.times().first().copied()).next()
                }
                Origin::Keys { curve, .. } => curve.keys().first().map(|key| key.time_secs),
                // The curves of both sides begin at 0 at the latest.
                Origin::Difference { .. } => Some(0.0),
            };
            if first_secs.is_some_and(|first| first <= start) { [start, f32::INFINITY] } else { ALWAYS }
        });
        own.into_iter().chain(of_ends).reduce(united)
    }
}

fn acts_like(curve: &KeyCurve, other: &KeyCurve) -> bool {
    (curve.mode, curve.before, curve.after) == (other.mode, other.before, other.after)
}
