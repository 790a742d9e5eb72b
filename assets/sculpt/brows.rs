//! Eyebrows and lashes: hairs rooted in the skin, in the direction of growth.

use glam::DVec3;

use super::anatomy::{EYE, head};
use super::blades::{self, Blade};
use super::field::gradient;
use super::layout::Caster;
use super::numbers::{cos, hash, mix, polyline, pow, sin, step, v};
use super::paint::{PALETTE, brow_half, brow_line};
use super::part::Part;
use super::skin::Skin;

/// The number of hairs of a brow.
const BROW_HAIRS: usize = 660;
/// The number of lashes of an upper and of a lower eyelid.
const UPPER_LASHES: usize = 106;
const LOWER_LASHES: usize = 48;

/// Both brows and the roots of their vertices.
pub fn brows() -> (Part, Vec<DVec3>) {
    let caster = Caster::default();
    let hair = |i: usize| {
        let t = (i as f64 + hash(i, 1)) / BROW_HAIRS as f64;
        // Fewer towards the narrow outer end.
        let t = t * (0.80 + 0.20 * t) + mix(0.05, 0.14, t * t) * (hash(i, 10) - 0.5);
        let x = 1.24 + 3.98 * t;
        // More hairs in the middle of the brow than at its edges.
        let across = 0.62 * (hash(i, 2) + hash(i, 3) - 1.0) + 0.55 * (hash(i, 7) - 0.5);
        let y = brow_line(x) + across * brow_half(x);
        let (_, p) = caster.at_x(x, y);
        let normal = gradient(head, p, 0.004).normalize_or(DVec3::Z);
        let slope = (brow_line(x + 0.05) - brow_line(x - 0.05)) / 0.1;
        let out = v(1.0, slope, 0.0);
        let along = (out - normal * out.dot(normal)).normalize_or(DVec3::X);
        let up = normal.cross(along);
        // Hairs stand upright at the inner end and lie down along the brow; lower ones grow up, upper ones down, so that both meet
        // at the brow's ridge.
        let flow = mix(0.30, 0.62, step(0.0, 0.3, t));
        let rise = polyline(&[[0.0, 1.30], [0.10, 1.02], [0.30, 0.58], [0.65, 0.20], [1.0, 0.02]], t);
        let lean = rise - flow * across + mix(0.30, 0.55, t) * (hash(i, 9) - 0.5);
        let direction = |lean: f64, lift: f64| along * cos(lean) + up * sin(lean) + normal * lift;
        let fringe = step(0.0, 0.10, t) * step(1.25, 0.75, across.abs());
        Blade {
            root: p + normal * 0.012,
            bend: [direction(lean, 0.20), direction(0.45 * lean - 0.10, 0.01)],
            length: (0.34 + 0.22 * hash(i, 4)) * (1.0 - 0.36 * t) * mix(0.62, 1.0, fringe),
            // Finer and lighter towards the outer end, which has no edge.
            width: (0.014 + 0.006 * hash(i, 5)) * mix(0.85, 1.0, fringe) * (1.0 - 0.45 * t * t),
            facing: normal,
            normal,
            // Near the colour of the skin below, so that the brow stays whole where hairs are thinner than a pixel.
            color: PALETTE.brow * mix(0.75, 1.35, hash(i, 6)) * (1.0 + 0.7 * t * t),
            segments: 2,
        }
    };
    let hairs: Vec<Blade> = (0..BROW_HAIRS).map(hair).collect();
    blades::both_sides(blades::mesh(&hairs), "brows")
}

/// The lashes of both eyes and the roots of their vertices.
pub fn lashes(skin: &Skin) -> (Part, Vec<DVec3>) {
    let mut hairs = Vec::new();
    for (edge, count, is_upper) in [(&skin.lids[0], UPPER_LASHES, true), (&skin.lids[1], LOWER_LASHES, false)] {
        for i in 0..count {
            hairs.push(lash(edge, i, count, is_upper));
        }
    }
    blades::both_sides(blades::mesh(&hairs), "lashes")
}

fn lash(edge: &[DVec3], i: usize, count: usize, is_upper: bool) -> Blade {
    let series = if is_upper { 40 } else { 50 };
    let place = |i: f64| {
        let spread = i / count as f64;
        if is_upper { 0.06 + 0.93 * spread } else { 0.20 + 0.76 * spread }
    };
    let s = place(i as f64 + 0.5 + 0.9 * (hash(i, series) - 0.5));
    let at = s * (edge.len() - 1) as f64;
    let index = (at as usize).min(edge.len() - 2);
    let root = edge[index].lerp(edge[index + 1], at - index as f64);
    let along = (edge[index + 1] - edge[index]).normalize_or(DVec3::X);
    let out = (root - EYE).normalize_or(DVec3::Z);
    // Neighbours gather in clumps of three or four, whose tips lean towards the middle of the clump.
    let clump = ((i as f64 + 1.2 * hash(i / 7, series + 1)) / 3.4).floor();
    let middle = place((clump + 0.5) * 3.4);
    let gathers = 0.35 + 0.65 * hash(clump as usize, series + 2);
    let stray = 0.22 * (hash(i, series + 3) - 0.5);
    // Lashes fan outwards.
    let fan = DVec3::X * ((s - 0.36) * 1.05 + gathers * (middle - s) * 14.0 + stray);
    let curl = 0.22 * (hash(i, series + 4) - 0.5);
    // Long and short ones alternate.
    let grown = mix(0.58, 1.0, pow(hash(i, series + 5), 0.6));
    let (bend, length, width) = if is_upper {
        let length = (0.30 + 0.30 * sin((s * 1.12).clamp(0.0, 1.0) * 2.05)) * grown;
        ([out * 0.95 + fan * 0.6 + v(0.0, -0.30, 0.35), out * 0.40 + fan + v(0.0, 1.0 + curl, 0.25)], length, 0.021)
    } else {
        let length = (0.15 + 0.07 * s) * grown;
        ([out * 0.9 + fan * 0.6 + v(0.0, -0.30, 0.30), out * 0.5 + fan + v(0.0, -0.85 - curl, 0.15)], length, 0.012)
    };
    Blade {
        // In two or three rows.
        root: root - out * (0.005 + 0.03 * hash(i, series + 6)),
        bend,
        length,
        width: width * mix(0.8, 1.0, hash(i, series + 7)),
        facing: bend[0].cross(along).normalize_or(DVec3::Y),
        normal: out,
        color: PALETTE.liner * if is_upper { 0.5 } else { 0.9 },
        segments: if is_upper { 3 } else { 2 },
    }
}
