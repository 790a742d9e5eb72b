//! Eyebrows and lashes: hairs rooted in the skin, in the direction of growth.

use glam::DVec3;

use super::anatomy::{EYE, head};
use super::blades::{self, Blade};
use super::field::gradient;
use super::layout::Caster;
use super::numbers::{hash, mix, pow, sin, step, v};
use super::paint::{PALETTE, brow_half, brow_line};
use super::part::Part;
use super::skin::Skin;

/// The number of hairs of a brow.
const BROW_HAIRS: usize = 360;

/// Both brows and the roots of their vertices.
pub fn brows() -> (Part, Vec<DVec3>) {
    let caster = Caster::new();
    let hair = |i: usize| {
        let t = (i as f64 + hash(i, 1)) / BROW_HAIRS as f64;
        let x = 1.26 + 3.95 * pow(t, 0.92);
        // More hairs in the middle of the brow than at its edges.
        let across = (hash(i, 2) + hash(i, 3)) - 1.0;
        let y = brow_line(x) + across * brow_half(x) * 0.95;
        let (_, p) = caster.at_x(x, y);
        let normal = gradient(head, p, 0.004).normalize_or(DVec3::Z);
        let slope = (brow_line(x + 0.05) - brow_line(x - 0.05)) / 0.1;
        let out = v(1.0, slope, 0.0);
        let along = (out - normal * out.dot(normal)).normalize_or(DVec3::X);
        let up = normal.cross(along);
        // Upright at the inner end, flat along the outer; upper hairs lean down, lower ones up.
        let lean = 1.25 - 1.55 * t - 0.75 * across + 0.25 * (hash(i, 9) - 0.5);
        Blade {
            root: p + normal * 0.015,
            bend: [along + up * lean + normal * 0.16, along + up * (lean * 0.25 - 0.12 * across) + normal * 0.0],
            length: (0.40 + 0.20 * hash(i, 4)) * (1.0 - 0.45 * t) * (0.7 + 0.3 * step(0.0, 0.1, t)),
            width: (0.018 + 0.010 * hash(i, 5)) * (0.7 + 0.3 * step(0.0, 0.2, t)),
            facing: normal,
            normal,
            color: PALETTE.brow * mix(0.75, 1.35, hash(i, 6)) * (1.0 + 0.35 * t),
        }
    };
    let hairs: Vec<Blade> = (0..BROW_HAIRS).map(hair).collect();
    blades::both_sides(blades::mesh(&hairs), "brows")
}

/// The lashes of both eyes and the roots of their vertices.
pub fn lashes(skin: &Skin) -> (Part, Vec<DVec3>) {
    let mut hairs = Vec::new();
    for (edge, count, is_upper) in [(&skin.lids[0], 66, true), (&skin.lids[1], 28, false)] {
        for i in 0..count {
            hairs.push(lash(edge, i, count, is_upper));
        }
    }
    blades::both_sides(blades::mesh(&hairs), "lashes")
}

fn lash(edge: &[DVec3], i: usize, count: usize, is_upper: bool) -> Blade {
    let series = if is_upper { 40 } else { 50 };
    let spread = (i as f64 + 0.5 + 0.6 * (hash(i, series) - 0.5)) / count as f64;
    let s = if is_upper { 0.07 + 0.91 * spread } else { 0.22 + 0.73 * spread };
    let at = s * (edge.len() - 1) as f64;
    let index = (at as usize).min(edge.len() - 2);
    let root = edge[index].lerp(edge[index + 1], at - index as f64);
    let along = (edge[index + 1] - edge[index]).normalize_or(DVec3::X);
    let out = (root - EYE).normalize_or(DVec3::Z);
    // Lashes fan outwards and gather in small tufts.
    let tuft = 0.16 * sin(spread * 58.0 + f64::from(series));
    let fan = DVec3::X * ((s - 0.40) * 1.15 + tuft);
    let (bend, length, width) = if is_upper {
        let length = (0.36 + 0.22 * sin((s * 1.15).clamp(0.0, 1.0) * 1.95) + 0.06 * hash(i, 42)) * 0.95;
        ([out * 0.95 + fan * 0.7 + v(0.0, -0.16, 0.35), out * 0.45 + fan + v(0.0, 0.85, 0.30)], length, 0.042)
    } else {
        let length = 0.15 + 0.08 * hash(i, 52) + 0.05 * s;
        ([out * 0.9 + fan * 0.8 + v(0.0, -0.40, 0.30), out * 0.5 + fan + v(0.0, -0.75, 0.2)], length, 0.022)
    };
    Blade {
        root: root - out * 0.02,
        bend,
        length,
        width,
        facing: bend[0].cross(along).normalize_or(DVec3::Y),
        normal: out,
        color: PALETTE.liner * if is_upper { 0.45 } else { 1.2 },
    }
}
