//! Numbers: steps, blends, tables and colours. Transcendental functions come from the `libm` crate, so that every machine
//! computes the same bits.

use glam::DVec3;
pub use libm::{asin, atan2, cos, exp, hypot, pow, sin, tanh};

/// A colour in linear light, 0..1 per channel.
pub type Rgb = DVec3;

/// Shorthand for a point or a vector, in centimetres.
pub const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Smooth step from 0 at `a` to 1 at `b`, in either direction.
pub fn step(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A bell, 1 at 0 and 1/e at 1.
pub fn bell(x: f64) -> f64 {
    exp(-x * x)
}

/// The fourth power, multiplied out the same way at every optimisation level.
pub fn fourth(x: f64) -> f64 {
    let square = x * x;
    square * square
}

/// A bell in space around `center`, with a radius per axis.
pub fn blob(p: DVec3, center: DVec3, radius: DVec3) -> f64 {
    let q = ((p - center) / radius).length_squared();
    if q > 24.0 { 0.0 } else { exp(-q) }
}

/// Linear interpolation from `a` to `b`.
pub fn mix(a: f64, b: f64, t: f64) -> f64 {
    a + (b - a) * t
}

/// The colour of 8-bit sRGB numbers.
pub fn srgb(r: u8, g: u8, b: u8) -> Rgb {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { pow((c + 0.055) / 1.055, 2.4) }
    };
    v(linear(r), linear(g), linear(b))
}

/// Linear light to 8-bit sRGB.
pub fn to_srgb(c: f64) -> u8 {
    let c = c.clamp(0.0, 1.0);
    let encoded = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * pow(c, 1.0 / 2.4) - 0.055 };
    (encoded * 255.0).round() as u8
}

/// A pseudo-random number in 0..1, one per `i` and `series`.
pub fn hash(i: usize, series: u32) -> f64 {
    let mut h = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(series).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h = (h ^ (h >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    h = (h ^ (h >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    ((h ^ (h >> 32)) >> 11) as f64 / (1u64 << 53) as f64
}

/// A soft wave field, about -1..1: sums of sines that bend each other.
pub fn waves(p: DVec3) -> f64 {
    let a = v(1.7, 0.9, -1.1).dot(p);
    let b = v(-0.8, 1.9, 1.3).dot(p);
    let c = v(1.2, -1.4, 1.6).dot(p);
    (sin(a + 1.3 * sin(b)) + sin(b + 1.1 * sin(c)) + sin(c + 1.7 * sin(a))) / 3.0
}

/// Smooth noise, -1..1, with one value per unit of length.
pub fn noise(p: DVec3) -> f64 {
    let (cell, within) = (p.floor(), p - p.floor());
    let share = within * within * (DVec3::splat(3.0) - 2.0 * within);
    let corner = |i: usize| {
        let at = cell + v((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        hash(cell_number(at), 75)
    };
    let along_x = |i: usize| mix(corner(i), corner(i + 1), share.x);
    let sheet = |i: usize| mix(along_x(i), along_x(i + 2), share.y);
    2.0 * mix(sheet(0), sheet(4), share.z) - 1.0
}

/// A number for a cell of a lattice, to be given to [`hash`].
pub fn cell_number(cell: DVec3) -> usize {
    ((cell.x as i64 * 73_856_093) ^ (cell.y as i64 * 19_349_663) ^ (cell.z as i64 * 83_492_791)) as usize
}

/// Linear interpolation through sorted `(x, y)` knots, constant outside.
pub fn polyline(knots: &[[f64; 2]], x: f64) -> f64 {
    let last = knots.len() - 1;
    if x <= knots[0][0] {
        return knots[0][1];
    }
    for pair in knots.windows(2) {
        if x <= pair[1][0] {
            return mix(pair[0][1], pair[1][1], (x - pair[0][0]) / (pair[1][0] - pair[0][0]));
        }
    }
    knots[last][1]
}

/// `N` curves over one axis, without overshoot (Fritsch and Carlson 1980, as in PCHIP), constant outside.
pub struct Table<const N: usize> {
    rows: Vec<(f64, [f64; N], [f64; N])>,
}

impl<const N: usize> Table<N> {
    /// Makes the curves from rows of a position and its values, sorted by position.
    pub fn new(rows: &[(f64, [f64; N])]) -> Self {
        let slope = |k: usize, i: usize| (rows[i + 1].1[k] - rows[i].1[k]) / (rows[i + 1].0 - rows[i].0);
        let tangent = |k: usize, i: usize| {
            if i == 0 {
                return slope(k, 0);
            }
            if i == rows.len() - 1 {
                return slope(k, i - 1);
            }
            let (before, after) = (slope(k, i - 1), slope(k, i));
            if before * after <= 0.0 {
                return 0.0;
            }
            let (h0, h1) = (rows[i].0 - rows[i - 1].0, rows[i + 1].0 - rows[i].0);
            let (w0, w1) = (2.0 * h1 + h0, h1 + 2.0 * h0);
            (w0 + w1) / (w0 / before + w1 / after)
        };
        let row = |i: usize| (rows[i].0, rows[i].1, std::array::from_fn(|k| tangent(k, i)));
        Self { rows: (0..rows.len()).map(row).collect() }
    }

    /// The values at `x`.
    pub fn at(&self, x: f64) -> [f64; N] {
        let (first, last) = (&self.rows[0], &self.rows[self.rows.len() - 1]);
        if x <= first.0 {
            return first.1;
        }
        if x >= last.0 {
            return last.1;
        }
        let i = self.rows.partition_point(|row| row.0 <= x) - 1;
        let (a, b) = (&self.rows[i], &self.rows[i + 1]);
        let h = b.0 - a.0;
        let t = (x - a.0) / h;
        let (t2, t3) = (t * t, t * t * t);
        std::array::from_fn(|k| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * a.1[k]
                + (t3 - 2.0 * t2 + t) * h * a.2[k]
                + (3.0 * t2 - 2.0 * t3) * b.1[k]
                + (t3 - t2) * h * b.2[k]
        })
    }
}
