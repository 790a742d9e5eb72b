//! The sculpt: the head as one signed distance field, in centimetres, y up, z to the front, x mirrored.
//!
//! A lofted face over a skull gives the proportions and the silhouette; brushes that change the field's value model the flesh; nose,
//! eyelids and lips are small solids joined to it. This file defines the shape at rest and the landmarks that other files use.

use std::sync::LazyLock;

use glam::DVec3;

use super::field::{curve, dab, ellipsoid, join, meet, stroke, tube, yawed};
use super::numbers::{Table, hypot, mix, pow, step, v};

/// Centre of the left eyeball (the character's left is +x).
pub const EYE: DVec3 = v(3.17, 3.60, 8.06);
/// Radius of the sphere on which the eyelids slide; the eyeball with its cornea stays inside.
pub const EYE_RADIUS: f64 = 1.50;
/// Half axes of the ellipsoid that forms the eyelids.
const LID: DVec3 = v(1.90, 1.78, EYE_RADIUS + 0.16);

/// Height at which the lips meet, in the middle.
pub const MOUTH_Y: f64 = -3.05;
/// Half the width of the mouth.
pub const MOUTH_X: f64 = 2.42;

/// The cross-sections of the loft. Per row: the height, then half width, front, widest depth, back, exponent of the outline.
static SECTIONS: LazyLock<Table<5>> = LazyLock::new(|| {
    Table::new(&[
        (-7.3, [1.7, 9.25, 7.0, 5.0, 2.0]),
        (-6.8, [2.1, 9.75, 6.2, 3.5, 2.15]),
        (-6.0, [2.85, 10.0, 5.0, 1.6, 2.3]),
        (-5.0, [3.82, 10.0, 3.9, -0.4, 2.4]),
        (-3.8, [4.72, 10.0, 3.0, -2.0, 2.5]),
        (-2.5, [5.5, 9.95, 2.3, -3.4, 2.6]),
        (-1.0, [6.02, 9.85, 1.7, -4.6, 2.6]),
        (1.0, [6.46, 9.80, 1.2, -5.5, 2.38]),
        (3.0, [6.62, 9.82, 0.9, -6.5, 2.35]),
        (4.5, [6.72, 10.14, 0.7, -7.0, 2.35]),
        (6.0, [6.78, 10.42, 0.5, -7.0, 2.38]),
        (8.0, [6.82, 10.02, 0.3, -7.0, 2.34]),
        (10.0, [6.50, 8.90, 0.2, -6.5, 2.25]),
        (11.5, [5.50, 7.5, 0.3, -5.0, 2.1]),
        (12.9, [3.95, 5.4, 0.3, -3.5, 2.0]),
    ])
});

fn loft(p: DVec3) -> f64 {
    let [width, front, middle, back, n] = SECTIONS.at(p.y);
    let depth = if p.z > middle { front - middle } else { middle - back };
    let q = pow(pow(p.x.abs() / width, n) + pow((p.z - middle).abs() / depth, n), 1.0 / n);
    let d = (q - 1.0) * (0.5 * (width + depth.min(width)));
    meet(d * 0.9, (p.y - 12.9).max(-7.3 - p.y), 1.5)
}

/// Ellipsoidal brushes: the centre, the radius per axis, and the centimetres of flesh that are added.
const DABS: [(DVec3, DVec3, f64); 12] = [
    // Muzzle, chin, forehead.
    (v(0.0, -2.45, 10.3), v(2.7, 2.4, 2.2), 1.08),
    (v(0.0, -5.85, 10.2), v(1.25, 1.0, 1.7), 0.62),
    (v(0.0, 8.1, 9.6), v(3.6, 2.4, 2.4), 0.24),
    // Cheek apple, hollow below it, temple.
    (v(3.75, 0.5, 9.2), v(1.9, 1.8, 1.8), 0.46),
    (v(4.9, -1.7, 7.2), v(1.8, 2.4, 2.6), 0.17),
    (v(6.0, 4.6, 6.2), v(1.6, 2.3, 2.4), 0.30),
    // Jaw angle, outer orbit, glabella.
    (v(5.0, -3.6, 3.6), v(1.6, 1.9, 2.4), 0.15),
    (v(5.8, 3.3, 6.7), v(1.5, 1.9, 2.0), 0.15),
    (v(0.0, 5.1, 10.6), v(1.0, 1.1, 1.1), 0.14),
    // Beside the nose, beside the chin, below the outer brow.
    (v(1.9, 1.0, 10.1), v(0.9, 1.4, 1.1), 0.20),
    (v(2.2, -5.2, 9.4), v(1.1, 1.2, 1.6), 0.05),
    (v(4.7, 4.9, 9.2), v(1.0, 0.6, 1.0), 0.14),
];

const CHEEKBONE: [DVec3; 3] = [v(3.9, 1.2, 9.0), v(5.5, 1.3, 7.4), v(6.7, 1.9, 3.8)];
const BROW_RIDGE: [DVec3; 3] = [v(1.0, 5.45, 10.4), v(2.7, 5.85, 9.9), v(5.2, 5.4, 7.9)];
/// The nasolabial fold: from the wing of the nose to the side of the mouth.
pub const NASOLABIAL: [DVec3; 3] = [v(1.72, -0.2, 10.7), v(2.35, -1.25, 10.5), v(2.95, -2.5, 10.0)];
/// The edge of the cheek above that fold.
pub const NASOLABIAL_FOLD: [DVec3; 3] = [v(2.15, 0.15, 10.5), v(2.95, -0.9, 10.2), v(3.5, -2.1, 9.6)];

/// `p` for brushes that reach over the middle: their mirror images would meet in a crease there.
fn without_crease(p: DVec3) -> DVec3 {
    v(hypot(p.x, 0.45), p.y, p.z)
}

/// The head without mouth, eyelids and nose; `p.x` is not negative.
fn skull(p: DVec3) -> f64 {
    let mut d = ellipsoid(p - v(0.0, 5.5, 0.35), v(7.05, 8.35, 8.75));
    d = join(d, ellipsoid(p - v(0.0, 4.0, -3.3), v(6.6, 6.6, 5.4)), 1.5);
    d = join(d, loft(p), 0.9);
    const JAW: [(DVec3, f64); 4] =
        [(v(4.35, -2.9, 2.5), 0.80), (v(3.0, -4.4, 4.9), 0.78), (v(1.1, -5.75, 8.3), 0.76), (v(0.0, -6.10, 9.3), 0.85)];
    if p.y < 2.0 {
        d = join(d, tube(p, &JAW, 0.6), 1.8);
    }
    let q = without_crease(p);
    for (center, radius, amount) in DABS {
        d += dab(q, center, radius, amount);
    }
    d += stroke(p, &CHEEKBONE, 1.55, 0.27);
    d += stroke(q, &BROW_RIDGE, 1.0, 0.29);
    d + stroke(p, &NASOLABIAL, 0.5, -0.05)
}

/// Neck, shoulders and chest down to the cut of the bust.
fn body(p: DVec3) -> f64 {
    let flat = v(p.x, p.y, p.z * 0.94);
    let mut d = tube(flat, &[(v(0.0, -1.0, -0.7), 4.1), (v(0.0, -8.0, 0.55), 3.72), (v(0.0, -13.0, -0.7), 4.1)], 0.8);
    d += stroke(p, &[v(5.1, -2.5, 0.4), v(3.7, -7.5, 2.6), v(1.3, -13.0, 3.4)], 1.0, 0.27);
    d += dab(p, v(0.0, -9.6, 4.0), v(0.9, 1.6, 1.4), 0.18);
    let trapezius = [
        (v(1.6, -5.5, -3.1), 1.9),
        (v(2.3, -10.8, -3.5), 2.0),
        (v(6.0, -14.4, -3.8), 2.3),
        (v(12.4, -16.4, -3.4), 2.5),
    ];
    d = join(d, tube(p, &trapezius, 1.5), 2.0);
    d = join(d, ellipsoid(p - v(0.0, -20.0, -1.7), v(13.4, 6.6, 6.0)), 2.5);
    d = join(d, ellipsoid(p - v(12.9, -18.5, -3.0), v(3.6, 4.0, 3.7)), 2.0);
    d += stroke(p, &[v(1.6, -14.3, 3.6), v(5.6, -13.9, 2.8), v(10.6, -14.6, -0.2)], 0.8, 0.34);
    d += dab(p, v(0.0, -13.9, 3.8), v(0.9, 0.9, 1.2), -0.35);
    meet(d, ellipsoid(p - v(0.0, -9.6, -0.8), v(16.6, 12.6, 8.2)), 3.5)
}

/// The ridge of the nose. Per row: the height, then the depth, the slope of the sides, and the roundness.
static RIDGE: LazyLock<Table<3>> = LazyLock::new(|| {
    Table::new(&[
        (-1.0, [11.3, 1.2, 0.45]),
        (-0.3, [11.85, 1.5, 0.50]),
        (0.2, [12.60, 1.65, 0.60]),
        (0.65, [12.78, 1.75, 0.62]),
        (1.15, [12.52, 1.8, 0.58]),
        (1.8, [12.02, 1.8, 0.52]),
        (2.7, [11.20, 1.75, 0.48]),
        (3.6, [10.48, 1.55, 0.50]),
        (4.4, [10.26, 1.15, 0.62]),
        (5.2, [9.95, 1.05, 0.75]),
    ])
});

fn nose(p: DVec3) -> f64 {
    let [depth, slope, round] = RIDGE.at(p.y);
    let roof = p.z - depth + slope * ((p.x * p.x + round * round).sqrt() - round);
    let mut d = roof / (1.0 + slope * slope).sqrt();
    d = meet(d, -0.30 - p.y - 0.25 * (p.z - 11.5), 0.45);
    d = meet(d, ellipsoid(p - v(0.0, 1.75, 10.9), v(1.7, 3.55, 2.6)), 1.0);
    d = join(d, ellipsoid(p - v(0.0, 0.62, 12.24), v(0.48, 0.42, 0.46)), 0.95);
    d = join(d, ellipsoid(yawed(16.0) * (p - v(0.91, 0.02, 11.0)), v(0.33, 0.43, 0.88)), 1.0);
    d = join(d, tube(p, &[(v(0.0, 0.15, 11.1), 0.62), (v(0.0, -0.85, 10.75), 0.60)], 0.0), 0.3);
    let columella = [(v(0.0, 0.4, 12.05), 0.44), (v(0.0, -0.40, 11.82), 0.38), (v(0.0, -0.95, 11.08), 0.42)];
    join(d, tube(p, &columella, 0.0), 0.4)
}

type Lip = LazyLock<Vec<(DVec3, f64)>>;
static UPPER_LIP: Lip = LazyLock::new(|| {
    curve((v(0.0, -2.60, 11.28), 0.37), (v(1.1, -2.46, 11.42), 0.41), (v(MOUTH_X, -2.84, 10.02), 0.09), 24)
});
static LOWER_LIP: Lip = LazyLock::new(|| {
    curve((v(0.0, -3.52, 11.06), 0.49), (v(1.15, -3.60, 11.12), 0.48), (v(MOUTH_X - 0.05, -2.90, 10.02), 0.09), 24)
});

/// `d` with the eye sockets removed and the eyelids added.
fn with_lids(p: DVec3, mut d: f64) -> f64 {
    let q = without_crease(p);
    d += dab(q, v(3.0, 4.0, 10.0), v(1.75, 0.92, 1.5), -0.56);
    d += dab(q, v(1.55, 3.9, 10.4), v(0.62, 0.9, 0.9), -0.18);
    d += stroke(p, &[v(1.9, 2.6, 9.9), v(3.2, 2.15, 9.9), v(4.4, 2.5, 9.2)], 0.5, -0.04);
    let from_eye = p - EYE;
    // The edge is sharp above and soft below, and soft around the outer corner, which has no rim.
    let outer = step(0.8, 1.7, from_eye.x);
    let below = step(0.5, -0.3, from_eye.y).max(outer);
    let round = 0.20 + 0.55 * below + 0.8 * outer + 0.5 * step(-0.9, -1.7, from_eye.x);
    let lids = join(d, ellipsoid(yawed(12.0) * from_eye, LID), round);
    // The fold above the upper lid.
    lids + stroke(p, &[v(1.95, 4.12, 9.7), v(2.6, 4.68, 9.85), v(3.5, 4.78, 9.7), v(4.7, 4.28, 8.9)], 0.19, -0.07)
}

fn with_nose(p: DVec3, d: f64) -> f64 {
    let round = 0.42 + 0.55 * step(-0.2, 1.7, p.y) + 0.30 * step(-0.3, -1.0, p.y);
    let d = join(d, nose(p), round);
    // The crease behind the wing.
    let d = d + stroke(p, &[v(1.12, 0.55, 11.4), v(1.46, 0.22, 10.95), v(1.48, -0.32, 10.7)], 0.24, -0.05);
    let nostril = [(v(0.58, -0.95, 11.84), 0.10), (v(0.60, -0.44, 11.56), 0.16), (v(0.55, 0.1, 11.27), 0.14)];
    meet(d, -tube(p, &nostril, 0.0), 0.24)
}

fn with_lips(p: DVec3, mut d: f64) -> f64 {
    // Philtrum: two pillars and the groove between them.
    d += stroke(p, &[v(0.50, -2.08, 11.6), v(0.38, -1.2, 11.4)], 0.28, 0.045);
    d += stroke(p, &[v(0.0, -2.05, 11.6), v(0.0, -1.3, 11.4)], 0.28, -0.04);
    // Corner of the mouth; fold above the chin.
    d += dab(p, v(2.72, -3.0, 10.4), v(0.55, 0.6, 0.8), -0.18);
    d += stroke(p, &[v(0.0, -4.62, 11.2), v(1.6, -4.42, 10.7)], 0.55, -0.26);
    let tubercle = ellipsoid(p - v(0.0, -2.71, 11.32), v(0.34, 0.30, 0.34));
    if (p.y - MOUTH_Y).abs() > 2.2 || p.z < 8.0 {
        return d;
    }
    let upper = join(tube(p, &UPPER_LIP, 0.0), tubercle, 0.25);
    d = join(d, upper, 0.28);
    join(d, tube(p, &LOWER_LIP, 0.0), 0.07 + 0.25 * step(-3.35, -3.85, p.y))
}

/// The field of the whole head without ears, on both sides.
pub fn head(p: DVec3) -> f64 {
    let p = v(p.x.abs(), p.y, p.z);
    let mut d = skull(p);
    if p.y < 4.0 {
        // The floor of the mouth fills the space between chin and neck.
        d = join(d, ellipsoid(p - v(0.0, -4.5, 5.9), v(2.8, 2.2, 3.9)), 1.0);
        // Under the jaw the neck begins with an edge; behind its angle the flesh below the ear fills the groove.
        d = join(d, body(p), mix(1.8, 3.2, step(3.2, -0.4, p.z)));
    }
    let is_face = p.z > 5.0 && p.y > -8.0 && p.y < 9.0;
    if !is_face {
        return d;
    }
    with_lips(p, with_nose(p, with_lids(p, d)))
}
