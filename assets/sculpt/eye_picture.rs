//! The picture of an eye: the iris in the middle, seen from the front, and the white with its veins around it. The distance from the
//! middle is the angle from the front.

use glam::DVec3;

use super::eyes::{PICTURE_EDGE, iris_angle};
use super::numbers::{Rgb, atan2, bell, hash, hypot, mix, pow, sin, srgb, step, to_srgb, v};
use super::picture::{Encoding, Picture, opaque};

const SIZE: usize = 1024;
const QUALITY: u8 = 86;
/// The radius of the pupil as a part of that of the iris.
const PUPIL: f64 = 0.38;

/// Smooth noise around a circle with `sectors` values.
fn spokes(around: f64, sectors: usize, series: u32) -> f64 {
    let at = (around / std::f64::consts::TAU).rem_euclid(1.0) * sectors as f64;
    let i = at as usize;
    mix(hash(i % sectors, series), hash((i + 1) % sectors, series), step(0.0, 1.0, at - i as f64))
}

/// Smooth noise over the ring, with `sectors` values around and one value per unit of `out`.
fn cells(around: f64, out: f64, sectors: usize, series: u32) -> f64 {
    let ring = out.floor();
    let at = |ring: f64| spokes(around, sectors, series + ring as u32);
    mix(at(ring), at(ring + 1.0), step(0.0, 1.0, out - ring))
}

/// Fibres of the iris, 0 between them, 1 on them: fine ones along the radius, which waver and part around gaps.
fn fibres(around: f64, t: f64) -> f64 {
    let swayed =
        around + 0.07 * (cells(around, t * 3.0, 22, 100) - 0.5) + 0.018 * (cells(around, t * 8.0, 60, 120) - 0.5);
    let broad = cells(swayed, t * 2.2, 46, 140);
    let fine = cells(swayed, t * 3.0, 120, 160);
    let finest = cells(swayed, t * 4.0, 230, 180);
    0.40 * broad + 0.36 * fine + 0.24 * finest
}

/// The iris at a part `t` of its radius.
fn iris(t: f64, around: f64) -> Rgb {
    let fibre = fibres(around, t);
    let lit = step(0.30, 0.72, fibre);
    let mut c = srgb(52, 66, 70).lerp(srgb(132, 148, 140), lit);
    // Broad patches of another tone.
    c = c.lerp(srgb(96, 122, 112), 0.35 * cells(around, t * 2.0, 9, 200));
    // The collarette, a ragged ring, parts the warm inner zone from the outer one.
    let collarette = 0.56 + 0.10 * (spokes(around, 34, 4) - 0.5) + 0.07 * (spokes(around, 11, 5) - 0.5);
    let warm = srgb(84, 60, 36).lerp(srgb(164, 128, 78), lit);
    c = c.lerp(warm, 0.78 * step(collarette + 0.10, collarette - 0.12, t) * (0.65 + 0.35 * spokes(around, 15, 6)));
    c *= 1.0 + 0.34 * bell((t - collarette) / 0.035) * (0.4 + 0.6 * lit);
    // Gaps between the fibres outside the collarette show the dark layer behind them.
    let gap = step(0.74, 0.90, cells(around, t * 4.5, 26, 220)) * bell((t - collarette - 0.13) / 0.12);
    c = c.lerp(srgb(24, 34, 38), 0.62 * gap);
    // Shallow folds run around the outer zone.
    let fold = sin(t * 46.0 + 3.0 * spokes(around, 9, 8)) * step(0.62, 0.75, t) * step(0.98, 0.90, t);
    c *= 1.0 - 0.06 * fold;
    // The cornea focuses light from above on the lower part.
    c *= 0.86 + 0.30 * step(0.8, -0.9, sin(around) * (0.3 + 0.7 * t));
    // Seen through the cornea, the iris is dark; its edge is darker, and soft.
    let light = c.dot(v(0.21, 0.72, 0.07));
    c = DVec3::splat(light).lerp(c, 0.68) * v(0.72, 0.68, 0.64);
    let limbus = 0.88 + 0.03 * (spokes(around, 40, 7) - 0.5);
    c = c.lerp(srgb(22, 30, 36), 0.80 * step(limbus - 0.20, limbus + 0.12, t));
    // The brown seam of the pupil, and the pupil.
    let edge = PUPIL + 0.012 * (spokes(around, 56, 9) - 0.5);
    c = c.lerp(srgb(40, 24, 16), 0.75 * step(edge + 0.07, edge + 0.01, t));
    c.lerp(srgb(4, 3, 4), step(edge + 0.015, edge - 0.015, t))
}

/// The white, `away` radians from the front.
fn white(away: f64, around: f64) -> Rgb {
    let mut c = srgb(206, 198, 190);
    c = c.lerp(srgb(196, 158, 146), 0.65 * step(0.60, 1.15, away));
    // Blue shows through where the white is thin, beside the iris.
    c = c.lerp(srgb(184, 186, 188), 0.5 * step(0.62, 0.44, away));
    // Veins wind from the corners towards the iris and fade.
    let mut vein: f64 = 0.0;
    for (sectors, series, strength) in [(13, 20, 0.34), (29, 21, 0.20)] {
        let bent = around + 0.16 * (cells(around, away * 9.0, 14, 240) - 0.5) + 0.05 * sin(away * 21.0 + 4.0 * around);
        let across = (spokes(bent, sectors, series) - 0.5).abs();
        let reach = 0.55 + 0.35 * spokes(around, 17, 23);
        vein = vein.max(strength * bell(across / 0.035) * step(reach, reach + 0.4, away));
    }
    c = c.lerp(srgb(172, 84, 76), vein);
    // Darker and warmer towards the corners, and under the upper lid; the edge of the iris is grown over by it.
    c *= DVec3::ONE - v(0.20, 0.25, 0.29) * step(0.55, 1.15, away);
    c *= 1.0 - 0.20 * step(-0.06, 0.45, away * sin(around));
    c *= 1.0 - 0.42 * step(1.16, 0.98, away / iris_angle());
    c * (1.0 + 0.02 * (cells(around, away * 12.0, 40, 260) - 0.5))
}

fn color(away: f64, around: f64) -> Rgb {
    let t = away / iris_angle();
    // The edge of the iris is blurred by the cornea that grows over it, more above and below than at the sides.
    let upright = pow(sin(around).abs(), 2.0);
    let soft = 0.055 + 0.045 * upright;
    iris(t.min(1.15), around).lerp(white(away, around), step(1.02 - soft, 1.02 + soft, t))
}

/// The eye texture.
pub fn picture() -> Picture<'static> {
    let texel = |column, row| {
        let place = |i: usize| (i as f64 + 0.5) / SIZE as f64 * 2.0 - 1.0;
        let (right, up) = (place(column), -place(row));
        let c = color(hypot(right, up) * PICTURE_EDGE, atan2(up, right));
        opaque([c.x, c.y, c.z].map(to_srgb))
    };
    Picture { name: "eye", size: [SIZE; 2], encoding: Encoding::Jpeg(QUALITY), texel: Box::new(texel) }
}
