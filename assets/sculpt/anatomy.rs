//! The sculpt: the head as one signed distance field, in centimetres, y up, z to the front, x mirrored.
//!
//! A lofted face over a skull gives the proportions and the silhouette; brushes that change the field's value model the flesh; nose,
//! eyelids and lips are small solids joined to it. This file defines the shape at rest and the landmarks that other files use.

use std::sync::LazyLock;

use glam::DVec3;

use super::field::{Lattice, curve, dab, ellipsoid, join, meet, stroke, tube, yawed};
use super::numbers::{Table, hypot, mix, pow, step, v};
use super::tables;

/// Centre of the left eyeball (the character's left is +x).
pub const EYE: DVec3 = v(3.17, 3.60, 8.06);
/// Radius of the sphere on which the eyelids slide; the eyeball with its cornea stays inside.
pub const EYE_RADIUS: f64 = 1.50;
/// Height at which the lips meet, in the middle.
pub const MOUTH_Y: f64 = -3.05;
/// Half the width of the mouth.
pub const MOUTH_X: f64 = 2.42;
/// Height of the corners of the mouth over its middle.
pub const CORNER_RISE: f64 = 0.05;

/// A solid: its centre and its radius per axis.
type Solid = (DVec3, DVec3);
/// A brush: the centre, the radius per axis, and the centimetres of flesh that are added.
type Brush = (DVec3, DVec3, f64);

/// The numbers that the shape is made of. `fit/shape.py` has fitted them to sections through an average face.
struct Shape {
    /// The cross-sections of the loft. Per height: half width, front, widest depth, back, exponent of the outline.
    sections: Table<5>,
    /// The heights at which the loft ends: below, above.
    ends: [f64; 2],
    /// The braincase: its middle and its back.
    skull: Vec<Solid>,
    /// The lower edge of the jaw, from its angle to the chin.
    jaw: Vec<(DVec3, f64)>,
    /// The floor of the mouth, which fills the space between chin and neck.
    mouth_floor: Vec<Solid>,
    /// Muzzle, chin, forehead, apple of the cheek and hollow below it, temple, angle of the jaw, outer orbit, glabella, beside the
    /// nose, beside the chin, below the outer brow, under the angle of the jaw, behind the tail of the brow,
    /// and under the chin.
    brushes: Vec<Brush>,
    cheekbone: Line,
    brow_ridge: Line,
    neck: Vec<(DVec3, f64)>,
    /// The hollows of the eye socket.
    sockets: Vec<Brush>,
    /// Half axes of the ellipsoid that forms the eyelids.
    lid: DVec3,
    /// The ridge of the nose. Per height: the depth, the slope of the sides, and the roundness.
    nose_ridge: Table<3>,
    /// The plane under the nose: its height, its slope, and the depth at which it has that height.
    nose_base: [f64; 3],
    /// The body of the nose, its tip, and its wing.
    nose: Vec<Solid>,
    septum: Vec<(DVec3, f64)>,
    columella: Vec<(DVec3, f64)>,
    upper_lip: Vec<(DVec3, f64)>,
    lower_lip: Vec<(DVec3, f64)>,
    tubercle: Vec<Solid>,
    /// Where the corner of the mouth lies.
    mouth_corner: DVec3,
    /// The fold above the chin.
    labiomental: Line,
    /// What is added to the field of the solids so that it meets the average.
    correction: Lattice,
}

/// Points of a line and the centimetres of flesh that are added along it.
type Line = (Vec<DVec3>, f64);

impl Shape {
    fn read() -> Self {
        const TEXT: &str = include_str!("shape.csv");
        let numbers = |name| tables::rows::<3>(TEXT, name);
        let solids =
            |name| tables::rows(TEXT, name).into_iter().map(|[x, y, z, a, b, c]| (v(x, y, z), v(a, b, c))).collect();
        let brushes = |name| {
            tables::rows(TEXT, name).into_iter().map(|[x, y, z, a, b, c, d]| (v(x, y, z), v(a, b, c), d)).collect()
        };
        let chain = |name| -> Vec<(DVec3, f64)> {
            tables::rows(TEXT, name).into_iter().map(|[x, y, z, radius]| (v(x, y, z), radius)).collect()
        };
        let line = |name| -> Line {
            let points = chain(name);
            (points.iter().map(|point| point.0).collect(), points[0].1)
        };
        let lip = |chain: Vec<(DVec3, f64)>| curve(chain[0], chain[1], chain[2], 24);
        let sections = tables::rows::<6>(TEXT, "sections");
        let upper_lip = chain("upper_lip");
        Self {
            ends: [sections[0][0] + tables::rows::<1>(TEXT, "bottom")[0][0], sections[sections.len() - 1][0]],
            sections: Table::new(&sections.iter().map(|&[y, a, b, c, d, e]| (y, [a, b, c, d, e])).collect::<Vec<_>>()),
            skull: solids("skull"),
            jaw: chain("jaw"),
            mouth_floor: solids("mouth_floor"),
            brushes: brushes("dab"),
            cheekbone: line("cheekbone"),
            brow_ridge: line("brow_ridge"),
            neck: chain("neck"),
            sockets: brushes("socket"),
            lid: numbers("lid")[0].into(),
            nose_ridge: Table::new(
                &tables::rows(TEXT, "nose_ridge").iter().map(|&[y, a, b, c]| (y, [a, b, c])).collect::<Vec<_>>(),
            ),
            nose_base: numbers("nose_base")[0],
            nose: solids("nose"),
            septum: chain("septum"),
            columella: chain("columella"),
            mouth_corner: upper_lip[2].0,
            upper_lip: lip(upper_lip),
            lower_lip: lip(chain("lower_lip")),
            tubercle: solids("tubercle"),
            labiomental: line("labiomental"),
            correction: Lattice::new(&tables::rows(TEXT, "lattice")),
        }
    }
}

static SHAPE: LazyLock<Shape> = LazyLock::new(Shape::read);

fn loft(p: DVec3) -> f64 {
    let [width, front, middle, back, n] = SHAPE.sections.at(p.y);
    let depth = if p.z > middle { front - middle } else { middle - back };
    let q = pow(pow(p.x.abs() / width, n) + pow((p.z - middle).abs() / depth, n), 1.0 / n);
    let d = (q - 1.0) * (0.5 * (width + depth.min(width)));
    let [bottom, top] = SHAPE.ends;
    meet(d * 0.9, (p.y - top).max(bottom - p.y), 1.5)
}

/// The nasolabial fold: from the wing of the nose to the side of the mouth.
pub const NASOLABIAL: [DVec3; 3] = [v(1.72, -0.2, 10.7), v(2.35, -1.25, 10.5), v(2.95, -2.5, 10.0)];
/// The edge of the cheek above that fold.
pub const NASOLABIAL_FOLD: [DVec3; 3] = [v(2.15, 0.15, 10.5), v(2.95, -0.9, 10.2), v(3.5, -2.1, 9.6)];

/// The fold above the upper lid.
pub const LID_FOLD: [DVec3; 8] = [
    v(1.95, 4.10, 9.7),
    v(2.22, 4.36, 9.78),
    v(2.60, 4.55, 9.84),
    v(3.05, 4.65, 9.82),
    v(3.50, 4.65, 9.72),
    v(3.95, 4.56, 9.52),
    v(4.35, 4.40, 9.24),
    v(4.70, 4.20, 8.9),
];

/// `p` for brushes that reach over the middle: their mirror images would meet in a crease there.
fn without_crease(p: DVec3) -> DVec3 {
    v(hypot(p.x, 0.45), p.y, p.z)
}

/// The head without mouth, eyelids and nose; `p.x` is not negative.
fn skull(p: DVec3) -> f64 {
    let solid = |i: usize| ellipsoid(p - SHAPE.skull[i].0, SHAPE.skull[i].1);
    let mut d = join(solid(0), solid(1), 1.5);
    d = join(d, loft(p), 0.9);
    if p.y < 2.0 {
        d = join(d, tube(p, &SHAPE.jaw, 0.6), 1.8);
    }
    let q = without_crease(p);
    for &(center, radius, amount) in &SHAPE.brushes {
        d += dab(q, center, radius, amount);
    }
    d += stroke(p, &SHAPE.cheekbone.0, 1.55, SHAPE.cheekbone.1);
    d += stroke(q, &SHAPE.brow_ridge.0, 1.0, SHAPE.brow_ridge.1);
    d + stroke(p, &NASOLABIAL, 0.5, -0.05)
}

/// Neck, shoulders and chest down to the cut of the bust.
fn body(p: DVec3) -> f64 {
    let flat = v(p.x, p.y, p.z * 0.94);
    let mut d = tube(flat, &SHAPE.neck, 0.8);
    d += stroke(p, &[v(5.1, -2.5, 0.4), v(3.7, -7.5, 2.6), v(1.3, -13.0, 3.4)], 1.0, 0.27);
    d += dab(p, v(0.0, -9.6, 4.0), v(0.9, 1.6, 1.4), 0.18);
    let trapezius = [
        (v(1.6, -5.5, -3.1), 1.9),
        (v(2.2, -10.8, -3.2), 1.9),
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

fn nose(p: DVec3) -> f64 {
    let [depth, slope, round] = SHAPE.nose_ridge.at(p.y);
    let roof = p.z - depth + slope * ((p.x * p.x + round * round).sqrt() - round);
    let mut d = roof / (1.0 + slope * slope).sqrt();
    let [base_y, base_slope, base_z] = SHAPE.nose_base;
    d = meet(d, base_y - p.y - base_slope * (p.z - base_z), 0.45);
    let [body, tip, wing] = [0, 1, 2].map(|i: usize| SHAPE.nose[i]);
    d = meet(d, ellipsoid(p - body.0, body.1), 1.0);
    d = join(d, ellipsoid(p - tip.0, tip.1), 0.95);
    d = join(d, ellipsoid(yawed(16.0) * (p - wing.0), wing.1), 1.0);
    d = join(d, tube(p, &SHAPE.septum, 0.0), 0.3);
    join(d, tube(p, &SHAPE.columella, 0.0), 0.4)
}

/// `d` with the eye sockets removed and the eyelids added.
fn with_lids(p: DVec3, mut d: f64) -> f64 {
    let q = without_crease(p);
    for &(center, radius, amount) in &SHAPE.sockets {
        d += dab(q, center, radius, amount);
    }
    d += stroke(p, &[v(1.9, 2.6, 9.9), v(3.2, 2.15, 9.9), v(4.4, 2.5, 9.2)], 0.5, -0.04);
    let from_eye = p - EYE;
    // The edge is sharp above and soft below, and soft around the outer corner, which has no rim.
    let outer = step(0.8, 1.7, from_eye.x);
    let below = step(0.5, -0.3, from_eye.y).max(outer);
    let round = 0.20 + 0.80 * below + 0.45 * outer + 0.5 * step(-0.9, -1.7, from_eye.x);
    let lids = join(d, ellipsoid(yawed(12.0) * from_eye, SHAPE.lid), round);
    // The fold above the upper lid.
    lids + stroke(p, &LID_FOLD, 0.19, -0.06)
}

fn with_nose(p: DVec3, d: f64) -> f64 {
    let round = 0.42 + 0.55 * step(-0.2, 1.7, p.y) + 0.30 * step(-0.3, -1.0, p.y);
    let d = join(d, nose(p), round);
    // The crease behind the wing.
    let d = d + stroke(p, &[v(1.12, 0.55, 11.4), v(1.46, 0.22, 10.95), v(1.48, -0.32, 10.7)], 0.24, -0.05);
    // The margin of the wing is an arch over the nostril.
    d + dab(p, v(0.80, -0.22, 12.15), v(0.34, 0.30, 0.40), -0.30)
}

fn with_lips(p: DVec3, mut d: f64) -> f64 {
    // Philtrum: two pillars and the groove between them.
    let q = p - v(0.0, 0.0, SHAPE.upper_lip[0].0.z - 11.28);
    d += stroke(q, &[v(0.50, -2.08, 11.6), v(0.38, -1.2, 11.4)], 0.28, 0.045);
    d += stroke(q, &[v(0.0, -2.05, 11.6), v(0.0, -1.3, 11.4)], 0.28, -0.04);
    // Corner of the mouth; fold above the chin.
    d += dab(p, SHAPE.mouth_corner + v(0.30, -0.16, 0.38), v(0.6, 0.65, 0.9), -0.11);
    d += stroke(p, &SHAPE.labiomental.0, 0.55, SHAPE.labiomental.1);
    if (p.y - MOUTH_Y).abs() > 2.2 || p.z < 8.0 {
        return d;
    }
    let tubercle = ellipsoid(p - SHAPE.tubercle[0].0, SHAPE.tubercle[0].1);
    let upper = join(tube(p, &SHAPE.upper_lip, 0.0), tubercle, 0.25);
    d = join(d, upper, 0.28);
    join(d, tube(p, &SHAPE.lower_lip, 0.0), 0.07 + 0.38 * step(-3.35, -3.85, p.y))
}

/// The field of the whole head without ears, on both sides.
pub fn head(p: DVec3) -> f64 {
    let p = v(p.x.abs(), p.y, p.z);
    let mut d = skull(p);
    if p.y < 4.0 {
        let (center, radius) = SHAPE.mouth_floor[0];
        d = join(d, ellipsoid(p - center, radius), 1.0);
        // Under the jaw the neck begins with an edge; behind its angle the flesh below the ear fills the groove.
        d = join(d, body(p), mix(1.8, 3.2, step(3.2, -0.4, p.z)));
    }
    let is_face = p.z > 5.0 && p.y > -8.0 && p.y < 9.0;
    if !is_face {
        return d + SHAPE.correction.at(p);
    }
    with_lips(p, with_nose(p, with_lids(p, d)) + SHAPE.correction.at(p))
}
