//! A polyline over time, and its outline at screen resolution: thousands of points become one span of values per pixel
//! column.

use std::ops::Range;
use std::sync::OnceLock;

/// Points in order of time. Two points at the same time are a jump.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polyline {
    points: Vec<[f32; 2]>,
    /// The smallest and the largest value, computed on demand.
    range: OnceLock<Span>,
    farthest: OnceLock<Option<[f32; 2]>>,
}

/// Everything else is computed from the points.
impl PartialEq for Polyline {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points
    }
}

/// The smallest and the largest value in a pixel column; see [`EMPTY`] for a column without values.
pub(super) type Span = [f32; 2];

pub(super) const EMPTY: Span = [f32::INFINITY, f32::NEG_INFINITY];

/// An open range of seconds: its ends are not in it.
pub(super) type Window = [f32; 2];

pub(super) const ALWAYS: Window = [f32::NEG_INFINITY, f32::INFINITY];

impl Polyline {
    /// Replaces the points in a window by others. The first value also applies from 0 on, the last one until
    /// `end_secs`, as in animation curves: a window without a start or an end gets a point there. One with a start or
    /// an end lies after or before a point that was given earlier. Returns the window in which the polyline may have
    /// changed: from the last point before those that were replaced to the first one after them.
    pub(super) fn replace(&mut self, [start, end]: Window, mut new: Vec<[f32; 2]>, end_secs: f32) -> Window {
        let first = self.points.partition_point(|point| point[0] <= start);
        let last = self.points.partition_point(|point| point[0] < end).max(first);
        let (before, after) = (first.checked_sub(1).map(|index| self.points[index]), self.points.get(last).copied());
        if let Some([secs, value]) = new.first().copied().or(after)
            && start == f32::NEG_INFINITY
            && secs > 0.0
        {
            new.insert(0, [0.0, value]);
        }
        if let Some([secs, value]) = new.last().copied().or(before)
            && end == f32::INFINITY
            && secs < end_secs
        {
            new.push([end_secs, value]);
        }
        self.points.splice(first..last, new);
        (self.range, self.farthest) = (OnceLock::new(), OnceLock::new());
        [before.map_or(f32::NEG_INFINITY, |point| point[0]), after.map_or(f32::INFINITY, |point| point[0])]
    }

    pub(crate) fn at(&self, secs: f32) -> Option<f32> {
        self.before(self.points.partition_point(|point| point[0] <= secs), secs)
    }

    /// The points, in a window, of the difference from another polyline over the times of both. Where one of them has
    /// no value, it has `missing`.
    pub(super) fn minus(&self, other: &Self, missing: f32, window: Window) -> Vec<[f32; 2]> {
        let mut times: Vec<f32> = self.times_within(window).chain(other.times_within(window)).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let mut points = Vec::with_capacity(times.len());
        for secs in times {
            // At a jump, a point before it and one after it.
            let [a, b] = [self, other].map(|line| {
                let value = line.at(secs).unwrap_or(missing);
                [line.just_before(secs).unwrap_or(value), value]
            });
            let (left, right) = (a[0] - b[0], a[1] - b[1]);
            points.push([secs, left]);
            if left != right {
                points.push([secs, right]);
            }
        }
        points
    }

    /// The value with which the polyline arrives at a time.
    fn just_before(&self, secs: f32) -> Option<f32> {
        self.before(self.points.partition_point(|point| point[0] < secs), secs)
    }

    /// Reads values at times in ascending order, without a search through all points for each of them.
    pub(crate) fn walk(&self) -> Walk<'_> {
        Walk { line: self, next: 0 }
    }

    pub(super) fn times_within(&self, [start, end]: Window) -> impl Iterator<Item = f32> {
        let first = self.points.partition_point(|point| point[0] <= start);
        self.points[first..].iter().map(|point| point[0]).take_while(move |secs| *secs < end)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    pub(crate) fn range(&self) -> Span {
        *self.range.get_or_init(|| self.points.iter().fold(EMPTY, |range, &[_, value]| include(range, value)))
    }

    /// The seconds and the value of the point that is farthest from 0; the first one where several are about equally
    /// far.
    pub(super) fn farthest_from_zero(&self) -> Option<[f32; 2]> {
        *self.farthest.get_or_init(|| {
            let points = self.points.iter().copied();
            points.reduce(|farthest, point| if is_farther(point[1], farthest[1]) { point } else { farthest })
        })
    }

    /// Finds the spans of values that the polyline covers in some pixel columns. `outline` has all columns between two
    /// times.
    pub(super) fn trace(&self, [start, end]: [f32; 2], outline: &mut [Span], columns: Range<usize>) {
        let width = (end - start) / outline.len() as f32;
        let left_of = |column: usize| start + width * column as f32;
        let mut next = self.points.partition_point(|point| point[0] <= left_of(columns.start));
        let mut left = self.before(next, left_of(columns.start));
        for column in columns {
            let edge = left_of(column + 1);
            let mut span = left.map_or(EMPTY, |value| [value, value]);
            // A plain loop for speed: it visits all points whenever the visible range changes.
            for &[secs, value] in &self.points[next..] {
                if secs > edge {
                    break;
                }
                span = [if value < span[0] { value } else { span[0] }, if value > span[1] { value } else { span[1] }];
                next += 1;
            }
            left = self.before(next, edge);
            outline[column] = left.map_or(span, |value| include(span, value));
        }
    }

    fn before(&self, next: usize, secs: f32) -> Option<f32> {
        let &[from_secs, from] = self.points.get(next.checked_sub(1)?)?;
        match self.points.get(next) {
            Some(&[to_secs, to]) => Some(from + (to - from) * ((secs - from_secs) / (to_secs - from_secs))),
            None => (secs <= from_secs).then_some(from),
        }
    }
}

/// A position in a polyline, from which later times are searched.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    line: &'a Polyline,
    /// The point after the time that was asked for last.
    next: usize,
}

impl Walk<'_> {
    /// The value at a time, which is not before the last one; `None` outside of the polyline.
    pub(crate) fn at(&mut self, secs: f32) -> Option<f32> {
        /// More points than this are not passed one by one.
        const NEAR: usize = 8;
        let rest = &self.line.points[self.next..];
        let passed = rest.iter().take(NEAR).take_while(|point| point[0] <= secs).count();
        self.next += if passed < NEAR { passed } else { rest.partition_point(|point| point[0] <= secs) };
        self.line.before(self.next, secs)
    }
}

pub(super) fn united(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The pixel columns, of those between two times, in which a window lies.
pub(super) fn columns_within(window: Window, [start, end]: [f32; 2], columns: usize) -> Range<usize> {
    let column = |secs: f32| (secs - start) / (end - start) * columns as f32;
    // One more column on either side, because of rounding.
    let first = (column(window[0]).floor() - 1.0).clamp(0.0, columns as f32) as usize;
    let last = (column(window[1]).ceil() + 1.0).clamp(0.0, columns as f32) as usize;
    first..last.max(first)
}

/// Whether a value is farther from 0 than another one, by more than rounding.
pub(super) fn is_farther(value: f32, other: f32) -> bool {
    value.abs() > other.abs() + 1e-4
}

fn include([low, high]: Span, value: f32) -> Span {
    [low.min(value), high.max(value)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random::{bits, signed, unit};

    fn line(points: &[[f32; 2]], end_secs: f32) -> Polyline {
        let mut line = Polyline::default();
        line.replace(ALWAYS, points.to_vec(), end_secs);
        line
    }

    fn outline(line: &Polyline, secs: [f32; 2], columns: usize) -> Vec<Span> {
        let mut outline = vec![EMPTY; columns];
        line.trace(secs, &mut outline, 0..columns);
        outline
    }

    #[test]
    fn values_are_held_at_the_ends_and_missing_outside() {
        let line = line(&[[1.0, 0.5], [2.0, 1.0]], 3.0);
        assert_eq!([0.0, 1.5, 3.0].map(|secs| line.at(secs)), [Some(0.5), Some(0.75), Some(1.0)]);
        assert_eq!((line.at(-0.1), line.at(3.1)), (None, None));
        assert_eq!(line.range(), [0.5, 1.0]);
    }

    #[test]
    fn a_single_peak_among_ten_thousand_points_is_visible() {
        let mut points: Vec<[f32; 2]> = (0..10_000).map(|index| [index as f32 * 0.01, 0.0]).collect();
        points[5_050][1] = 1.0;
        let outline = outline(&line(&points, 99.99), [0.0, 100.0], 10);
        assert_eq!(outline.iter().filter(|span| span[1] == 1.0).count(), 1);
        assert_eq!(outline[5], [0.0, 1.0]);
    }

    #[test]
    fn neighbouring_columns_connect_and_jumps_are_complete() {
        let line = line(&[[0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [2.0, -1.0]], 2.0);
        let outline = outline(&line, [-1.0, 3.0], 8);
        assert_eq!(outline[0], EMPTY);
        assert_eq!((outline[2], outline[3]), ([0.0, 0.5], [-1.0, 1.0]));
        assert_eq!((outline[4], outline[7]), ([-1.0, -1.0], EMPTY));
    }

    #[test]
    fn the_difference_is_exact_between_the_points_and_at_jumps() {
        let a = line(&[[0.0, 0.0], [2.0, 1.0]], 4.0);
        let b = line(&[[1.0, 0.5], [3.0, 0.5], [3.0, -1.0]], 4.0);
        let minus = |a: &Polyline, b: &Polyline, missing: f32| line(&a.minus(b, missing, ALWAYS), 4.0);
        let difference = minus(&a, &b, 0.0);
        for (secs, expected) in [(0.0, -0.5), (0.5, -0.25), (1.5, 0.25), (2.5, 0.5), (3.0, 2.0), (4.0, 2.0)] {
            assert_eq!(difference.at(secs), Some(expected), "{secs}");
        }
        assert_eq!((difference.just_before(3.0), difference.farthest_from_zero()), (Some(0.5), Some([3.0, 2.0])));
        assert_eq!(a.minus(&b, 0.0, [1.0, 3.0]), [[2.0, 0.5]]);
        let none = Polyline::default();
        assert_eq!(minus(&a, &none, 0.25).at(1.0), Some(0.25));
        assert_eq!(minus(&none, &none, 0.0).farthest_from_zero(), None);
    }

    #[test]
    fn an_empty_polyline_has_empty_spans() {
        assert!(outline(&Polyline::default(), [0.0, 1.0], 4).iter().all(|&span| span == EMPTY));
    }

    /// Points at random times, some of them jumps.
    fn random_points(seed: u32) -> Vec<[f32; 2]> {
        let count = bits(seed, 0) % 40;
        let time = |index: u64| (unit(seed, 2 * index + 1) * 30.0).round() / 3.0;
        let mut points: Vec<[f32; 2]> = (0..count).map(|index| [time(index), signed(seed, 2 * index + 2)]).collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    }

    fn at(points: &[[f32; 2]], index: u64) -> Option<[f32; 2]> {
        points.get(index as usize % points.len().max(1)).copied()
    }

    #[test]
    fn a_polyline_whose_points_are_replaced_is_the_one_that_is_made_at_once() {
        const COLUMNS: usize = 37;
        for seed in 0..2_000 {
            let (old, new) = (random_points(seed), random_points(seed + 50_000));
            let ends: Vec<f32> = [100, 102].iter().filter_map(|&turn| Some(at(&old, bits(seed, turn))?[0])).collect();
            let window = match (ends.as_slice(), bits(seed, 104) % 4) {
                (&[a, _], 0) => [a, f32::INFINITY],
                (&[_, b], 1) => [f32::NEG_INFINITY, b],
                (&[a, b], 2..) => [a.min(b), a.max(b)],
                _ => ALWAYS,
            };
            let is_inside = |point: &&[f32; 2]| window[0] < point[0] && point[0] < window[1];
            let inside: Vec<[f32; 2]> = new.iter().filter(is_inside).copied().collect();
            let mut mixed: Vec<[f32; 2]> = old.iter().filter(|point| !is_inside(point)).copied().collect();
            mixed.extend(&inside);
            mixed.sort_by(|a, b| a[0].total_cmp(&b[0]));
            // The end is the same unless the window reaches it.
            let ends = if window[1] == f32::INFINITY { [11.0, 12.0] } else { [12.0; 2] };
            let mut line = line(&old, ends[0]);
            let secs = [unit(seed, 105) * 5.0 - 1.0, 6.0 + unit(seed, 106) * 8.0];
            let mut spans = outline(&line, secs, COLUMNS);
            assert_eq!(
                (line.range()[0] > line.range()[1], line.farthest_from_zero().is_none()),
                (old.is_empty(), old.is_empty())
            );
            let changed = line.replace(window, inside, ends[1]);
            let expected = self::line(&mixed, ends[1]);
            assert_eq!((&line, line.range()), (&expected, expected.range()), "{seed}");
            assert_eq!(line.farthest_from_zero(), expected.farthest_from_zero(), "{seed}");
            let mut times: Vec<f32> = (0..60).map(|index| unit(seed, 200 + index) * 14.0 - 1.0).collect();
            times.sort_by(f32::total_cmp);
            let mut walk = line.walk();
            assert!(times.iter().all(|&secs| walk.at(secs) == line.at(secs)), "{seed}");
            line.trace(secs, &mut spans, columns_within(changed, secs, COLUMNS));
            assert_eq!(spans, outline(&expected, secs, COLUMNS), "{seed}");
        }
    }
}
