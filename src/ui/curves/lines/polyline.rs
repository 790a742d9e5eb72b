//! A line over time, and its outline at the width of a screen: thousands of points become one span per pixel column.

/// Points in order of time; two at one time are a jump.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    /// Seconds and value.
    points: Vec<[f32; 2]>,
}

/// The least and the greatest value in a pixel column; the wrong way round where there is none.
pub type Span = [f32; 2];

/// No value.
pub const EMPTY: Span = [f32::INFINITY, f32::NEG_INFINITY];

impl Polyline {
    /// The points, with the first held back to 0 and the last on to the end, as curves do.
    pub fn held(mut points: Vec<[f32; 2]>, end_secs: f32) -> Self {
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

    /// Its value at a time within it.
    pub fn at(&self, secs: f32) -> Option<f32> {
        self.before(self.points.partition_point(|point| point[0] <= secs), secs)
    }

    /// The least and the greatest of all.
    pub fn range(&self) -> Span {
        self.points.iter().fold(EMPTY, |span, &[_, value]| include(span, value))
    }

    /// Per column of `columns` between two times: what the line covers there, from edge to edge.
    pub fn outline(&self, [start, end]: [f32; 2], columns: usize) -> Vec<Span> {
        let width = (end - start) / columns as f32;
        let mut next = self.points.partition_point(|point| point[0] <= start);
        let mut left = self.before(next, start);
        let mut outline = Vec::with_capacity(columns);
        for column in 0..columns {
            let edge = start + width * (column + 1) as f32;
            let mut span = left.map_or(EMPTY, |value| [value, value]);
            // A plain loop over the points: it runs over all of them whenever the view moves.
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

    /// The value at a time that lies between point `next - 1` and point `next`.
    fn before(&self, next: usize, secs: f32) -> Option<f32> {
        let &[from_secs, from] = self.points.get(next.checked_sub(1)?)?;
        match self.points.get(next) {
            Some(&[to_secs, to]) => Some(from + (to - from) * ((secs - from_secs) / (to_secs - from_secs))),
            None => (secs <= from_secs).then_some(from),
        }
    }
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
    fn it_is_held_at_its_ends_and_empty_beyond() {
        let line = line(&[[1.0, 0.5], [2.0, 1.0]], 3.0);
        assert_eq!([0.0, 1.5, 3.0].map(|secs| line.at(secs)), [Some(0.5), Some(0.75), Some(1.0)]);
        assert_eq!((line.at(-0.1), line.at(3.1)), (None, None));
        assert_eq!(line.range(), [0.5, 1.0]);
    }

    #[test]
    fn a_column_shows_the_one_point_in_ten_thousand() {
        let mut points: Vec<[f32; 2]> = (0..10_000).map(|index| [index as f32 * 0.01, 0.0]).collect();
        points[5_050][1] = 1.0;
        let outline = line(&points, 99.99).outline([0.0, 100.0], 10);
        assert_eq!(outline.iter().filter(|span| span[1] == 1.0).count(), 1);
        assert_eq!(outline[5], [0.0, 1.0]);
    }

    #[test]
    fn columns_meet_at_their_edges_and_jumps_are_whole() {
        let line = line(&[[0.0, 0.0], [1.0, 1.0], [1.0, -1.0], [2.0, -1.0]], 2.0);
        let outline = line.outline([-1.0, 3.0], 8);
        assert_eq!(outline[0], EMPTY);
        assert_eq!((outline[2], outline[3]), ([0.0, 0.5], [-1.0, 1.0]));
        assert_eq!((outline[4], outline[7]), ([-1.0, -1.0], EMPTY));
    }

    #[test]
    fn nothing_has_no_outline() {
        assert!(Polyline::default().outline([0.0, 1.0], 4).iter().all(|&span| span == EMPTY));
    }
}
