//! A polyline over time, and its outline at screen resolution: thousands of points become one span of values per pixel
//! column.

/// Points in order of time. Two points at the same time are a jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Polyline {
    /// Pairs of seconds and value.
    points: Vec<[f32; 2]>,
}

/// The smallest and the largest value in a pixel column; see [`EMPTY`] for a column without values.
pub(super) type Span = [f32; 2];

/// A span without values.
pub(super) const EMPTY: Span = [f32::INFINITY, f32::NEG_INFINITY];

impl Polyline {
    /// A polyline through these points. The first value also applies from 0 on, the last one until the end, as in
    /// animation curves.
    pub(crate) fn held(mut points: Vec<[f32; 2]>, end_secs: f32) -> Self {
        if let Some(&[secs, value]) = points.first()
            && secs > 0.0
        {
            points.insert(0, [0.0, value]);
        }
        if let Some(&[secs, value]) = points.last()
            && secs < end_secs
        {
            points.push([end_secs, value]);
        }
        Self { points }
    }

    /// The value at a time; `None` outside of the polyline.
    pub(crate) fn at(&self, secs: f32) -> Option<f32> {
        self.before(self.points.partition_point(|point| point[0] <= secs), secs)
    }

    /// The difference from another polyline over the times of both. Where one of them has no value, it has `missing`.
    pub(super) fn minus(&self, other: &Self, missing: f32) -> Self {
        let mut times: Vec<f32> = self.times().chain(other.times()).collect();
        times.sort_by(f32::total_cmp);
        times.dedup();
        let mut points = Vec::with_capacity(times.len());
        for secs in times {
            let value = |line: &Self| line.at(secs).unwrap_or(missing);
            // At a jump, a point before it and one after it.
            let before = |line: &Self| line.just_before(secs).unwrap_or_else(|| value(line));
            let (left, right) = (before(self) - before(other), value(self) - value(other));
            points.push([secs, left]);
            if left != right {
                points.push([secs, right]);
            }
        }
        Self { points }
    }

    /// The value with which the polyline arrives at a time.
    fn just_before(&self, secs: f32) -> Option<f32> {
        self.before(self.points.partition_point(|point| point[0] < secs), secs)
    }

    /// The seconds and the value of the point that is farthest from 0; the first one where several are about equally far.
    pub(super) fn farthest_from_zero(&self) -> Option<[f32; 2]> {
        self.points
            .iter()
            .copied()
            .reduce(|farthest, point| if is_farther(point[1], farthest[1]) { point } else { farthest })
    }

    /// The times of all points.
    pub(super) fn times(&self) -> impl Iterator<Item = f32> {
        self.points.iter().map(|point| point[0])
    }

    /// The smallest and the largest value.
    pub(crate) fn range(&self) -> Span {
        self.points.iter().fold(EMPTY, |span, &[_, value]| include(span, value))
    }

    /// The spans of values that the polyline covers in `columns` pixel columns between two times.
    pub(crate) fn outline(&self, [start, end]: [f32; 2], columns: usize) -> Vec<Span> {
        let width = (end - start) / columns as f32;
        let mut next = self.points.partition_point(|point| point[0] <= start);
        let mut left = self.before(next, start);
        let mut outline = Vec::with_capacity(columns);
        for column in 0..columns {
            let edge = start + width * (column + 1) as f32;
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
            outline.push(left.map_or(span, |value| include(span, value)));
        }
        outline
    }

    /// The value at a time between the points `next - 1` and `next`.
    fn before(&self, next: usize, secs: f32) -> Option<f32> {
        let &[from_secs, from] = self.points.get(next.checked_sub(1)?)?;
        match self.points.get(next) {
            Some(&[to_secs, to]) => Some(from + (to - from) * ((secs - from_secs) / (to_secs - from_secs))),
            None => (secs <= from_secs).then_some(from),
        }
    }
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

    fn line(points: &[[f32; 2]], end_secs: f32) -> Polyline {
        Polyline::held(points.to_vec(), end_secs)
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
        let outline = line(&points, 99.99).outline([0.0, 100.0], 10);
        assert_eq!(outline.iter().filter(|span| span[1] == 1.0).count(), 1);
        assert_eq!(outline[5], [0.0, 1.0]);
    }

    #[test]
    fn neighbouring_columns_connect_and_jumps_are_complete() {
        let line = line(&[[0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [2.0, -1.0]], 2.0);
        let outline = line.outline([-1.0, 3.0], 8);
        assert_eq!(outline[0], EMPTY);
        assert_eq!((outline[2], outline[3]), ([0.0, 0.5], [-1.0, 1.0]));
        assert_eq!((outline[4], outline[7]), ([-1.0, -1.0], EMPTY));
    }

    #[test]
    fn the_difference_is_exact_between_the_points_and_at_jumps() {
        let a = line(&[[0.0, 0.0], [2.0, 1.0]], 4.0);
        let b = line(&[[1.0, 0.5], [3.0, 0.5], [3.0, -1.0]], 4.0);
        let difference = a.minus(&b, 0.0);
        for (secs, expected) in [(0.0, -0.5), (0.5, -0.25), (1.5, 0.25), (2.5, 0.5), (3.0, 2.0), (4.0, 2.0)] {
            assert_eq!(difference.at(secs), Some(expected), "{secs}");
        }
        assert_eq!((difference.just_before(3.0), difference.farthest_from_zero()), (Some(0.5), Some([3.0, 2.0])));
        assert_eq!(a.minus(&Polyline::default(), 0.25).at(1.0), Some(0.25));
        assert_eq!(Polyline::default().minus(&Polyline::default(), 0.0).farthest_from_zero(), None);
    }

    #[test]
    fn an_empty_polyline_has_empty_spans() {
        assert!(Polyline::default().outline([0.0, 1.0], 4).iter().all(|&span| span == EMPTY));
    }
}
