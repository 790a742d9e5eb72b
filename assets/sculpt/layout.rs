//! The layout of the skin's grid: columns by angle around the head, rows by height, and three slits (two eyes, a mouth)
//! where a row exists twice. Only the left half; the other is its mirror image.

use super::numbers::{Table, atan2, cos, mix, pow, sin, step, v};
use super::{anatomy, numbers::polyline};
use anatomy::{CORNER_RISE, MOUTH_X, MOUTH_Y};
use glam::DVec3;

/// The centimetres of arc per radian of a column's angle.
pub const ARC: f64 = 9.0;
/// The depth, in the face, of the axis around which the angles of columns are measured.
const AXIS_Z: f64 = 1.0;
/// Inner and outer corner of the left eye, seen from the front.
pub const CANTHI: [[f64; 2]; 2] = [[1.62, 3.27], [4.74, 3.74]];

/// Positions from the first knot to the last, with the spacing given by the knots.
fn spaced(knots: &[[f64; 2]], count: usize) -> Vec<f64> {
    const FINE: usize = 4000;
    let (from, to) = (knots[0][0], knots[knots.len() - 1][0]);
    let at = |i: usize| mix(from, to, i as f64 / FINE as f64);
    let mut steps = vec![[0.0, from]];
    for i in 0..FINE {
        let spacing = polyline(knots, 0.5 * (at(i) + at(i + 1)));
        steps.push([steps[i][0] + (at(i + 1) - at(i)) / spacing, at(i + 1)]);
    }
    let total = steps[FINE][0];
    (0..=count).map(|i| polyline_sorted(&steps, total * i as f64 / count as f64)).collect()
}

fn polyline_sorted(steps: &[[f64; 2]], x: f64) -> f64 {
    let i = steps.partition_point(|step| step[0] < x).clamp(1, steps.len() - 1);
    polyline(&steps[i - 1..=i], x)
}

/// The rays of the grid's rows, which fan out of the head. Per row: its height, then y and z of the origin, and the elevation in
/// degrees in front, at the side and behind.
fn fans() -> Table<5> {
    Table::new(&[
        (-29.0, [-15.5, -2.0, -75.0, -75.0, -75.0]),
        (-26.5, [-15.5, -2.0, -40.0, -35.0, -38.0]),
        (-23.0, [-15.5, -2.0, -14.0, 5.0, -12.0]),
        (-20.0, [-15.0, -2.0, 2.0, 27.0, 8.0]),
        (-17.0, [-13.0, -1.8, 3.0, 28.0, 14.0]),
        (-14.5, [-10.0, -1.2, -14.0, 12.0, 6.0]),
        (-12.0, [-8.4, -0.5, -28.0, 0.0, 0.0]),
        (-10.6, [-7.0, 0.1, -37.0, -9.0, 0.0]),
        (-9.6, [-6.1, 0.6, -37.0, -13.0, 0.0]),
        (-8.4, [-5.8, 0.9, -20.0, -12.0, 0.0]),
        (-7.2, [-5.6, 1.0, -10.5, -7.0, 0.0]),
        (-6.2, [-5.5, 1.0, -4.5, -3.0, 0.0]),
        (-5.0, [-5.0, 1.0, 0.0, 0.0, 0.0]),
        (-4.0, [-4.0, 1.0, 0.0, 0.0, 0.0]),
        (6.0, [6.0, 1.0, 0.0, 0.0, 0.0]),
        (6.5, [6.5, 1.0, 0.0, 0.0, 0.0]),
        (8.0, [7.6, 0.6, 3.0, 3.0, 3.0]),
        (20.5, [7.0, 0.2, 90.0, 90.0, 90.0]),
    ])
}

/// The point at which a ray from inside the head leaves it: where the field turns positive.
pub fn cast(origin: DVec3, direction: DVec3, field: impl Fn(DVec3) -> f64) -> DVec3 {
    let mut t: f64 = 0.5;
    for _ in 0..46 {
        t = (t + (-0.75 * field(origin + direction * t)).clamp(-0.4, 3.0)).min(30.0);
    }
    origin + direction * t
}

/// Casts grid coordinates (column's angle, row's height) onto the head.
pub struct Caster {
    fans: Table<5>,
}

impl Default for Caster {
    /// A caster with the rays of all rows.
    fn default() -> Self {
        Self { fans: fans() }
    }
}

impl Caster {
    /// The skin's point at `theta` and row height `y`.
    pub fn point(&self, theta: f64, y: f64) -> DVec3 {
        let [origin_y, origin_z, front, side, back] = self.fans.at(y);
        let c = cos(theta);
        let end = if c > 0.0 { front } else { back };
        let elevation = mix(side, end, step(0.0, 0.95, c.abs())).to_radians();
        let direction = v(sin(theta) * cos(elevation), sin(elevation), c * cos(elevation));
        cast(v(0.0, origin_y, origin_z), direction, anatomy::head)
    }

    /// The angle at which the skin at row height `y` has this `x`, and the point.
    pub fn at_x(&self, x: f64, y: f64) -> (f64, DVec3) {
        let mut theta = angle(x, 9.2);
        for _ in 0..6 {
            theta = atan2(x, self.point(theta, y).z - AXIS_Z);
        }
        let p = self.point(theta, y);
        (theta, v(x, p.y, p.z))
    }
}

/// A column's angle through a point.
pub fn angle(x: f64, z: f64) -> f64 {
    atan2(x, z - AXIS_Z)
}

/// A bump over 0..1 with another power at each end, 1 at its peak.
fn bump(s: f64, a: f64, b: f64) -> f64 {
    let s = s.clamp(0.0, 1.0);
    let peak = a / (a + b);
    pow(s, a) * pow(1.0 - s, b) / (pow(peak, a) * pow(1.0 - peak, b))
}

/// The edge of the eyelid at `s`, from the inner to the outer corner.
pub fn lid_edge(s: f64, is_upper: bool) -> [f64; 2] {
    let height = if is_upper { 0.51 * bump(s, 0.70, 0.80) } else { -0.40 * bump(s, 0.95, 0.72) };
    [mix(CANTHI[0][0], CANTHI[1][0], s), mix(CANTHI[0][1], CANTHI[1][1], s) + height]
}

/// Height of the line between the lips at `x`.
pub fn parting(x: f64) -> f64 {
    let t = x.abs() / MOUTH_X;
    let wave = if t < 0.87 { sin(std::f64::consts::PI * (t * 1.15).clamp(0.0, 1.0)) } else { 0.0 };
    MOUTH_Y + 0.05 * wave * wave + CORNER_RISE * t.clamp(0.0, 1.2).powi(2)
}

/// The rows, the columns and the slits of the grid.
pub struct Layout {
    /// Angle per column, 0 in front, π behind.
    pub columns: Vec<f64>,
    /// Height per row, downwards.
    pub rows: Vec<f64>,
    /// Row of the eye's slit and its first and last column.
    pub eye: (usize, usize, usize),
    /// Row of the mouth's slit and its last column; it begins in the middle.
    pub mouth: (usize, usize),
}

impl Layout {
    /// A layout that is dense where expressions move the skin and coarse where nothing moves.
    pub fn new(column_count: usize, row_count: usize) -> Self {
        let column_knots = [
            [0.0, 0.125],
            [2.6, 0.125],
            [4.8, 0.135],
            [7.0, 0.21],
            [10.0, 0.29],
            [14.0, 0.42],
            [std::f64::consts::PI * ARC, 1.4],
        ];
        let row_knots = [
            [-29.0, 1.1],
            [-20.0, 0.6],
            [-14.0, 0.6],
            [-12.0, 0.6],
            [-10.6, 0.36],
            [-9.6, 0.22],
            [-8.2, 0.18],
            [-6.4, 0.15],
            [-5.0, 0.15],
            [-4.2, 0.115],
            [-1.9, 0.105],
            [-0.8, 0.12],
            [1.2, 0.14],
            [2.5, 0.12],
            [4.6, 0.115],
            [6.2, 0.17],
            [8.2, 0.22],
            [10.0, 0.6],
            [12.0, 0.9],
            [20.3, 1.1],
        ];
        let columns: Vec<f64> = spaced(&column_knots, column_count).iter().map(|arc| arc / ARC).collect();
        let mut rows = spaced(&row_knots, row_count);
        rows.reverse();
        let nearest = |values: &[f64], to: f64| {
            let distance = |i: &usize| (values[*i] - to).abs();
            (0..values.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
        };
        let eye = (
            nearest(&rows, 3.45),
            nearest(&columns, angle(CANTHI[0][0], 9.0)),
            nearest(&columns, angle(CANTHI[1][0], 8.6)),
        );
        let mouth = (nearest(&rows, MOUTH_Y), nearest(&columns, angle(MOUTH_X, 10.0)));
        Self { columns, rows, eye, mouth }
    }

    /// Half widths of the mouth's columns: between even steps and the columns' own.
    pub fn mouth_x(&self) -> Vec<f64> {
        let last = self.mouth.1 as f64;
        let arc = std::f64::consts::FRAC_PI_2 * 0.92;
        let at = |j: usize| {
            let t = j as f64 / last;
            MOUTH_X * 0.5 * (sin(t * arc) / sin(arc) + t)
        };
        (0..=self.mouth.1).map(at).collect()
    }
}
