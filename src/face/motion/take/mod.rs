//! Takes: recorded performances. Their columns have the names in the file, independently of any head.

mod angles;
mod bound_take;
mod edit;
mod matching;
mod take_map;

pub use angles::{ANGLE_COLUMNS, Angle, angle_values};
pub(super) use bound_take::{BoundColumn, BoundColumns};
pub use edit::{EditKind, EditedTake, Fit, NeutralOf, Reduction, TakeEdit, fit_lines};
pub use matching::{Aliases, ColumnMatching, MatchKind};
pub use take_map::{ColumnMap, ColumnMix, DrivenChannel, MAPPING_FILE_VERSION, MappedColumns, TakeMap, is_same_column};

use std::path::PathBuf;

use crate::head::{BodyMotion, Curve, Note};

/// A recorded performance: the columns of its file over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Take {
    /// The file's name without its extension, or the clip's name.
    pub name: String,
    /// The file that it was read from.
    pub source: Option<PathBuf>,
    /// The frame rate that the file states. Each frame still has its own time, because some frames may have been
    /// dropped.
    pub frames_per_sec: Option<f32>,
    /// The timecode of the first frame, as written in the file.
    pub start_timecode: Option<String>,
    /// The recorded columns, in the file's order.
    pub columns: Vec<TakeColumn>,
    /// The values. A capture has one curve with an element per column; a glTF clip has one curve per animated mesh.
    pub tracks: Vec<Curve>,
    /// How the body moves, if it was recorded.
    pub body: Option<BodyMotion>,
    /// The time of the last frame; the first is at 0.
    pub duration_secs: f32,
    /// What the importer assumed, repaired or skipped.
    pub notes: Vec<Note>,
}

/// A column of a take: one recorded value per frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeColumn {
    /// The name in the file.
    pub name: String,
    /// Index into [`Take::tracks`].
    pub track: usize,
    /// The element of that curve.
    pub element: usize,
}

impl Take {
    /// A take of one curve, each element of which is a column.
    pub fn of_curve(columns: impl IntoIterator<Item = impl Into<String>>, curve: Curve) -> Self {
        let columns = columns.into_iter().enumerate();
        let columns = columns.map(|(element, name)| TakeColumn { name: name.into(), track: 0, element });
        Self { columns: columns.collect(), duration_secs: curve.end_secs(), tracks: vec![curve], ..Self::default() }
    }

    /// Whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.body.is_none()
    }

    /// The value of a column at a time; 0 if the take does not have the column.
    pub fn sample(&self, column: usize, time_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| curve.sample(time_secs, element))
    }

    /// Like [`Self::sample`], smoothed with a window of `window_secs`.
    pub fn sample_smoothed(&self, column: usize, time_secs: f32, window_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| smoothed(curve, time_secs, element, window_secs))
    }

    /// The names of the columns, in the file's order.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The curve of a column, and the index of its element.
    pub fn curve_of(&self, column: usize) -> Option<(&Curve, usize)> {
        let column = self.columns.get(column)?;
        let curve = self.tracks.get(column.track)?;
        (column.element < curve.width()).then_some((curve, column.element))
    }
}

/// The widest window. A wider one would flatten the curve instead of smoothing it, and its cost grows with the number
/// of keys inside.
pub(crate) const LONGEST_SMOOTHING_SECS: f32 = 2.0;

/// The mean of a curve around `time_secs`, weighted by a triangular window that falls to 0 at a distance of half of
/// `window_secs`. Before its first and after its last key, the curve is constant. A window of 0 does not smooth.
///
/// Exact for every interpolation: between two keys, the window times a cubic is a polynomial of degree four, which
/// three Gauss-Legendre points integrate. The points are inside the span, so two keys at one time (a jump) are no
/// special case.
pub(crate) fn smoothed(curve: &Curve, time_secs: f32, element: usize, window_secs: f32) -> f32 {
    let half_secs = 0.5 * window_secs.min(LONGEST_SMOOTHING_SECS);
    let (start, end) = (time_secs - half_secs, time_secs + half_secs);
    // This is also false for NaN, and for times so large that adding the window does not change them.
    if !(window_secs > 0.0 && start < time_secs && time_secs < end) {
        return curve.sample(time_secs, element);
    }
    let times = curve.times();
    let mut next = times.partition_point(|&key| key <= start);
    let mut from = start;
    let (mut sum, mut weight_sum) = (0.0, 0.0);
    while from < end {
        let key = times.get(next).copied().unwrap_or(f32::INFINITY);
        // The window has a corner at its peak, so no span may cross it.
        let to = if from < time_secs { key.min(time_secs) } else { key.min(end) };
        // There is nothing between two keys at one time.
        if from < to {
            let (middle, reach) = (0.5 * (from + to), 0.5 * (to - from));
            for (point, share) in GAUSS_POINTS {
                let at = middle + reach * point;
                let weight = f64::from(share * (to - from) * (half_secs - (at - time_secs).abs()).max(0.0));
                sum += weight * f64::from(curve.sample_before(next, at, element));
                weight_sum += weight;
            }
        }
        next += usize::from(to == key);
        from = to;
    }
    if weight_sum > 0.0 { (sum / weight_sum) as f32 } else { curve.sample(time_secs, element) }
}

/// The three Gauss-Legendre points in -1..1 (0 and ±√⅗), and their weights in ninths.
const GAUSS_POINTS: [(f32, f32); 3] = [(-0.774_596_7, 5.0), (0.0, 8.0), (0.774_596_7, 5.0)];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Interpolation;

    fn curve(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Curve {
        Curve::new(interpolation, times.to_vec(), values.to_vec(), 1).unwrap()
    }

    /// The definition of the smoothed value, computed as a sum of many small steps.
    fn slow(curve: &Curve, time_secs: f32, window_secs: f32) -> f32 {
        let (count, half) = (20_000, 0.5 * f64::from(window_secs));
        let (mut sum, mut weights) = (0.0, 0.0);
        for step in 0..count {
            let offset = ((step as f64 + 0.5) / f64::from(count) * 2.0 - 1.0) * half;
            let weight = half - offset.abs();
            sum += weight * f64::from(curve.sample((f64::from(time_secs) + offset) as f32, 0));
            weights += weight;
        }
        (sum / weights) as f32
    }

    #[test]
    fn it_is_the_mean_under_a_triangular_window() {
        let times = [0.0, 0.1, 0.1, 0.25, 0.3, 0.9, 1.0];
        let jagged = [0.0, 1.0, -1.0, 0.5, 0.5, 2.0, 0.0];
        let spline: Vec<f32> = jagged.iter().flat_map(|&value| [value * 3.0, value, 1.0 - value]).collect();
        for curve in [
            curve(Interpolation::Linear, &times, &jagged),
            curve(Interpolation::Step, &times, &jagged),
            curve(Interpolation::CubicSpline, &times, &spline),
        ] {
            for window_secs in [0.02, 0.1, 0.5, 2.0] {
                for step in -5..26 {
                    let time_secs = step as f32 * 0.05;
                    let (fast, slow) =
                        (smoothed(&curve, time_secs, 0, window_secs), slow(&curve, time_secs, window_secs));
                    let kind = curve.interpolation();
                    assert!((fast - slow).abs() < 1e-3, "{kind:?} {time_secs} {window_secs}: {fast} {slow}");
                }
            }
        }
    }

    #[test]
    fn constant_and_linear_curves_are_unchanged() {
        let still = curve(Interpolation::Linear, &[0.0, 0.1, 5000.0], &[0.7, 0.7, 0.7]);
        assert!((smoothed(&still, 4321.0, 0, 0.01) - 0.7).abs() < 1e-6);
        let line = curve(Interpolation::Linear, &[0.0, 1.0, 10.0], &[0.0, 1.0, 10.0]);
        assert!((smoothed(&line, 1.1, 0, 1.0) - 1.1).abs() < 1e-5);
    }

    #[test]
    fn a_window_of_0_does_not_smooth_and_any_number_ends() {
        let line = curve(Interpolation::Linear, &[0.0, 1.0], &[0.0, 1.0]);
        for window_secs in [0.0, -1.0, f32::NAN] {
            assert_eq!(smoothed(&line, 0.25, 0, window_secs), 0.25);
        }
        assert_eq!(smoothed(&line, 0.5, 0, f32::INFINITY), smoothed(&line, 0.5, 0, LONGEST_SMOOTHING_SECS));
        assert_eq!(smoothed(&line, 1e30, 0, 1.0), 1.0);
        assert_eq!(smoothed(&line, f32::INFINITY, 0, 1.0), 1.0);
    }
}
