//! Signed distance fields and the brushes that model them, in centimetres, negative inside.
//! Ellipsoids and smooth unions after I. Quilez, "Distance functions".

use glam::{DMat3, DVec3};

use super::numbers::{bell, blob, cos, sin, v};

/// The union of two fields, with a seam that is rounded over a width of about `k`.
pub fn join(a: f64, b: f64, k: f64) -> f64 {
    let h = (k - (a - b).abs()).max(0.0) / k;
    a.min(b) - h * h * k * 0.25
}

/// The intersection of two fields, with an edge that is rounded over a width of about `k`.
pub fn meet(a: f64, b: f64, k: f64) -> f64 {
    -join(-a, -b, k)
}

/// Distance to an ellipsoid around the origin, close to exact near its surface.
pub fn ellipsoid(q: DVec3, radius: DVec3) -> f64 {
    let k0 = (q / radius).length();
    let k1 = (q / (radius * radius)).length();
    k0 * (k0 - 1.0) / k1.max(1e-6)
}

/// Points along a chain of tapered capsules with their radii.
pub type Chain<'a> = &'a [(DVec3, f64)];

/// Distance to a chain of tapered capsules, joined over `k`.
pub fn tube(p: DVec3, chain: Chain, k: f64) -> f64 {
    let mut distance = f64::INFINITY;
    for pair in chain.windows(2) {
        let ((a, ra), (b, rb)) = (pair[0], pair[1]);
        let along = b - a;
        let h = ((p - a).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let d = (p - a - along * h).length() - (ra + h * (rb - ra));
        distance = if distance.is_infinite() {
            d
        } else if k > 0.0 {
            join(distance, d, k)
        } else {
            distance.min(d)
        };
    }
    distance
}

/// Distance to a polyline.
pub fn line(p: DVec3, points: &[DVec3]) -> f64 {
    let mut nearest = f64::INFINITY;
    for pair in points.windows(2) {
        let along = pair[1] - pair[0];
        let h = ((p - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        nearest = nearest.min((p - pair[0] - along * h).length_squared());
    }
    nearest.sqrt()
}

/// `amount` centimetres of material added (or, negative, taken) around a point, as a change of distance.
pub fn dab(p: DVec3, center: DVec3, radius: DVec3, amount: f64) -> f64 {
    -amount * blob(p, center, radius)
}

/// The same change of distance along a polyline, as [`dab`] makes around a point.
pub fn stroke(p: DVec3, points: &[DVec3], radius: f64, amount: f64) -> f64 {
    let q = line(p, points) / radius;
    if q > 4.9 { 0.0 } else { -amount * bell(q) }
}

/// The transform into a frame that is turned about y by `degrees`.
pub fn yawed(degrees: f64) -> DMat3 {
    let (s, c) = (sin(degrees.to_radians()), cos(degrees.to_radians()));
    DMat3::from_cols(v(c, 0.0, s), DVec3::Y, v(-s, 0.0, c))
}

/// Points of a quadratic curve with interpolated radii.
pub fn curve(a: (DVec3, f64), b: (DVec3, f64), c: (DVec3, f64), count: usize) -> Vec<(DVec3, f64)> {
    let at = |i: usize| {
        let t = i as f64 / (count - 1) as f64;
        let (u, w, x) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        (a.0 * u + b.0 * w + c.0 * x, a.1 * u + b.1 * w + c.1 * x)
    };
    (0..count).map(at).collect()
}

/// Gradient of a field by four taps on a tetrahedron.
pub fn gradient(f: impl Fn(DVec3) -> f64, p: DVec3, h: f64) -> DVec3 {
    const CORNERS: [DVec3; 4] = [v(1.0, -1.0, -1.0), v(-1.0, -1.0, 1.0), v(-1.0, 1.0, -1.0), v(1.0, 1.0, 1.0)];
    CORNERS.iter().map(|&corner| corner * f(p + corner * h)).sum::<DVec3>() / (4.0 * h)
}

/// A smooth field between the nodes of a lattice with one node per centimetre, by uniform cubic B-splines. It is alike on both sides of
/// the middle, and 0 away from the nodes.
pub struct Lattice {
    first: [i64; 3],
    size: [usize; 3],
    values: Vec<f64>,
}

impl Lattice {
    /// Makes the field from the place of each node on the left side, and its value.
    pub fn new(nodes: &[[f64; 4]]) -> Self {
        let places = || nodes.iter().map(|&[x, y, z, _]| [x as i64, y as i64, z as i64]);
        let first = std::array::from_fn(|axis| places().map(|place| place[axis]).min().unwrap_or(0));
        let size = std::array::from_fn(|axis| {
            let last = places().map(|place| place[axis]).max().unwrap_or(-1);
            (last + 1 - first[axis]).max(0) as usize
        });
        let mut lattice = Self { first, size, values: vec![0.0; size.iter().product()] };
        for (place, node) in places().zip(nodes) {
            if let Some(index) = lattice.index(place) {
                lattice.values[index] = node[3];
            }
        }
        lattice
    }

    fn index(&self, place: [i64; 3]) -> Option<usize> {
        let mut index = 0;
        for (axis, at) in place.into_iter().enumerate() {
            let within = usize::try_from(at - self.first[axis]).ok().filter(|&within| within < self.size[axis])?;
            index = index * self.size[axis] + within;
        }
        Some(index)
    }

    /// The value of the field at a point.
    pub fn at(&self, p: DVec3) -> f64 {
        let base = p.floor();
        let weights = (p - base).to_array().map(|t| {
            let u = 1.0 - t;
            [u * u * u / 6.0, 2.0 / 3.0 - t * t + t * t * t / 2.0, 2.0 / 3.0 - u * u + u * u * u / 2.0, t * t * t / 6.0]
        });
        let [x, y, z] = base.to_array().map(|at| at as i64 - 1);
        let mut sum = 0.0;
        for n in 0..64 {
            let (i, j, k) = (n / 16, n / 4 % 4, n % 4);
            if let Some(index) = self.index([(x + i as i64).abs(), y + j as i64, z + k as i64]) {
                sum += weights[0][i] * weights[1][j] * weights[2][k] * self.values[index];
            }
        }
        sum
    }
}
