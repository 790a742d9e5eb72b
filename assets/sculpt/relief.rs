//! Details of the skin finer than the mesh: pores and lines as a height field, and the roughness of each zone.

use glam::DVec3;

use super::anatomy::MOUTH_Y;
use super::field::{gradient, line};
use super::numbers::{bell, blob, cell_number, hash, sin, step, v};
use super::paint::lip_share;

/// Roughness of skin outside of oily zones.
pub const DRY: f64 = 0.64;
/// Roughness of wet tissue: eyelid rims and the inside of the lips.
pub const WET: f64 = 0.36;
/// Edge of the cells that pores are scattered over, centimetres.
const PORE_CELL: f64 = 0.05;

/// The roughness of the skin, 0..1. Brow, nose and chin are oily and lips moist: smoother.
pub fn roughness(p: DVec3) -> f64 {
    let a = v(p.x.abs(), p.y, p.z);
    let oily = 0.09 * blob(a, v(0.0, 6.6, 10.2), v(3.2, 1.6, 2.5))
        + 0.11 * blob(a, v(0.0, 1.2, 12.0), v(0.8, 2.6, 1.6))
        + 0.07 * blob(a, v(3.9, 1.2, 9.2), v(1.5, 1.1, 1.8))
        + 0.08 * blob(a, v(0.0, -5.9, 10.8), v(1.4, 0.9, 1.5))
        + 0.08 * blob(a, v(3.2, 4.5, 9.6), v(1.6, 0.5, 1.4));
    let chalky = 0.06 * step(-7.0, -10.0, a.y) + 0.04 * blob(a, v(5.6, -1.0, 6.5), v(1.6, 3.0, 2.5));
    let skin = DRY - oily.min(0.2) + chalky;
    let lip = if is_mouth(a) { lip_share(a.x, a.y) } else { 0.0 };
    // Nostrils are fully rough.
    let nostril = blob(a, v(0.54, -0.55, 11.5), v(0.32, 0.40, 0.6)) + blob(a, v(0.54, 0.1, 11.0), v(0.4, 0.6, 0.6));
    skin + (0.45 - skin) * lip + (0.95 - skin) * nostril.min(1.0)
}

fn is_mouth(a: DVec3) -> bool {
    a.z > 9.0 && a.x < 2.7 && (a.y - MOUTH_Y).abs() < 1.4
}

/// The gradient of the relief.
pub fn slope(p: DVec3) -> DVec3 {
    if p.z < 2.0 {
        return DVec3::ZERO;
    }
    gradient(height, v(p.x.abs(), p.y, p.z), 0.004)
}

/// The height of the relief over the sculpt, in centimetres.
fn height(a: DVec3) -> f64 {
    let lip = if is_mouth(a) { lip_share(a.x, a.y) } else { 0.0 };
    let mut h = lines(a) * (1.0 - lip);
    if lip > 0.0 {
        // Lips are folded across.
        let fold = sin(a.x * 23.0 + 2.0 * sin(a.x * 5.0) + 0.8 * sin(a.y * 4.0)) * step(0.0, 0.25, a.x);
        h += lip * 0.0022 * fold;
    }
    let open_pores = 0.35
        + 0.65 * blob(a, v(1.6, 0.4, 10.8), v(1.8, 1.5, 2.5))
        + 0.35 * blob(a, v(0.0, 6.5, 10.0), v(3.0, 1.8, 3.0))
        + 0.35 * blob(a, v(0.0, -5.8, 10.5), v(1.6, 1.0, 2.0));
    if lip < 1.0 && a.z > 4.0 && a.y > -8.0 {
        h -= 0.0022 * open_pores * (1.0 - lip) * pores(a);
    }
    h
}

/// Fine lines that are visible at rest: beside and under the eyes, across the lids, over the forehead.
fn lines(a: DVec3) -> f64 {
    const UNDER_EYE: [[DVec3; 3]; 2] = [
        [v(1.85, 2.95, 9.7), v(2.7, 2.42, 9.9), v(3.8, 2.45, 9.6)],
        [v(2.0, 2.70, 9.8), v(2.8, 2.12, 10.0), v(3.5, 2.05, 9.8)],
    ];
    if a.z < 6.0 || a.y < 1.0 {
        return 0.0;
    }
    let mut h = 0.0;
    for (path, depth) in UNDER_EYE.iter().zip([0.003, 0.002]) {
        h -= depth * bell(line(a, path) / 0.11);
    }
    let lid = blob(a, v(3.2, 4.35, 9.6), v(1.3, 0.30, 1.2));
    h += 0.0018 * lid * sin(a.y * 42.0 + 1.5 * sin(a.x * 3.0));
    let forehead = blob(a, v(0.0, 7.3, 9.8), v(2.6, 1.1, 2.0));
    h + 0.0016 * forehead * sin(a.y * 8.5 + 0.5 * sin(a.x * 1.3))
}

/// Scattered dents, 0..1: one per cell of a lattice.
fn pores(a: DVec3) -> f64 {
    let q = a / PORE_CELL;
    let base = q.floor();
    let mut depth: f64 = 0.0;
    for n in 0..27 {
        let cell = base + v(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) - DVec3::ONE;
        let seed = cell_number(cell);
        let center = cell + v(hash(seed, 71), hash(seed, 72), hash(seed, 73));
        let size = 0.28 + 0.30 * hash(seed, 74);
        depth = depth.max((1.0 - (q - center).length_squared() / (size * size)).max(0.0));
    }
    depth
}
