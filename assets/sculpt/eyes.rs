//! The eyeballs: a white sphere with a bulging cornea, the iris textured under it, and the soft shadow of the eyelids.

use glam::{DVec2, DVec3};
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::anatomy::EYE;
use super::numbers::{Rgb, asin, atan2, bell, cos, hash, hypot, mix, sin, srgb, step, to_srgb, v};
use super::part::{Material, Part};
use super::rings::RIM_RADIUS;
use super::skin::Skin;

/// Radius of the sclera; the cornea protrudes by [`BULGE`].
const WHITE_RADIUS: f64 = 1.465;
const BULGE: f64 = 0.052;
/// Radius of the iris, as seen from the front.
const IRIS: f64 = 0.80;
/// The edge of the eye texture, in radians from the front.
const PICTURE_EDGE: f64 = 1.25;
const PICTURE_SIZE: usize = 512;

fn iris_angle() -> f64 {
    asin(IRIS / WHITE_RADIUS)
}

/// Distance of the surface from the eyeball's centre, `away` radians from its front.
fn radius(away: f64) -> f64 {
    WHITE_RADIUS + BULGE * step(1.12, 0.0, away / iris_angle())
}

/// The left eye, looking ahead.
fn left() -> Part {
    const AROUND: usize = 40;
    let mut part = Part::default();
    let rings = [0.0, 0.12, 0.24, 0.34, 0.42, 0.48, 0.53, 0.58, 0.66, 0.80, 1.0, 1.25, 1.6, 2.1];
    for away in rings {
        for i in 0..AROUND {
            let around = std::f64::consts::TAU * i as f64 / AROUND as f64;
            let direction = v(sin(away) * cos(around), sin(away) * sin(around), cos(away));
            part.push(EYE + direction * radius(away), direction, Rgb::ONE);
            let out = 0.5 * (away / PICTURE_EDGE).min(1.0);
            part.uvs.push(DVec2::new(0.5 + out * cos(around), 0.5 - out * sin(around)));
        }
    }
    part.loft(Material::Eye, 0, AROUND, true);
    part.drop_flat();
    face_outwards(&mut part);
    part.smooth();
    for i in 0..AROUND {
        part.normals[i] = DVec3::Z;
    }
    part
}

/// Both eyes.
pub fn eyes() -> Part {
    Part { name: "eyes", ..left().both_sides() }
}

/// Smooth noise around a circle with `sectors` values.
fn spokes(around: f64, sectors: usize, series: u32) -> f64 {
    let at = (around / std::f64::consts::TAU).rem_euclid(1.0) * sectors as f64;
    let i = at as usize;
    mix(hash(i % sectors, series), hash((i + 1) % sectors, series), step(0.0, 1.0, at - i as f64))
}

fn color(away: f64, around: f64) -> Rgb {
    let t = away / iris_angle();
    // Fibres of the iris are slightly wavy.
    let swayed = around + 0.03 * sin(t * 9.0 + 5.0 * around) + 0.02 * sin(t * 17.0 - 3.0 * around);
    let fibre = 0.5 * spokes(swayed, 70, 1) + 0.3 * spokes(swayed, 150, 2) + 0.2 * spokes(swayed, 31, 3);
    let mut iris = srgb(54, 84, 84).lerp(srgb(140, 166, 142), step(0.2, 0.85, fibre));
    // A warm ring around the pupil with a wavy edge.
    let ruff = 0.50 + 0.07 * spokes(around, 26, 4);
    iris = iris.lerp(srgb(150, 108, 58), 0.75 * bell((t - ruff + 0.06) / 0.13) * (0.55 + 0.45 * fibre));
    // The cornea focuses light from above on the opposite side of the iris.
    iris *= 0.62 + 0.62 * step(0.8, -0.9, sin(around) * (0.4 + 0.6 * t));
    iris = iris.lerp(srgb(20, 32, 36), 0.9 * step(0.80, 1.0, t));
    iris = iris.lerp(srgb(6, 5, 6), step(0.40, 0.35, t + 0.012 * spokes(around, 40, 5)));
    let mut white = srgb(222, 214, 208);
    white = white.lerp(srgb(208, 172, 162), 0.60 * step(0.66, 1.15, away));
    // Faint veins near the corners.
    let vein = bell((spokes(around + 0.10 * sin(away * 14.0), 24, 6) - 0.5) / 0.05);
    white = white.lerp(srgb(196, 120, 112), 0.22 * vein * step(0.62, 1.0, away));
    iris.lerp(white, step(0.95, 1.07, t))
}

/// The eye texture, as JPEG.
pub fn picture() -> image::ImageResult<Vec<u8>> {
    let mut rgb = Vec::with_capacity(PICTURE_SIZE * PICTURE_SIZE * 3);
    for y in 0..PICTURE_SIZE {
        for x in 0..PICTURE_SIZE {
            let place = |i: usize| (i as f64 + 0.5) / PICTURE_SIZE as f64 * 2.0 - 1.0;
            let (right, up) = (place(x), -place(y));
            let c = color(hypot(right, up) * PICTURE_EDGE, atan2(up, right));
            rgb.extend([c.x, c.y, c.z].map(to_srgb));
        }
    }
    let mut bytes = Vec::new();
    let size = PICTURE_SIZE as u32;
    JpegEncoder::new_with_quality(&mut bytes, 92).write_image(&rgb, size, size, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}

/// The shadow of the eyelids on the eyeballs, and per vertex the point on the edge of the eyelid that it moves with.
pub fn lid_shade(skin: &Skin) -> (Part, Vec<DVec3>) {
    // Radians beyond the edge of the eyelid, opacity.
    const UPPER: [(f64, f64); 6] = [(-0.10, 0.78), (0.0, 0.72), (0.07, 0.48), (0.17, 0.27), (0.32, 0.10), (0.5, 0.0)];
    const LOWER: [(f64, f64); 4] = [(-0.10, 0.40), (0.0, 0.36), (0.05, 0.15), (0.13, 0.0)];
    let mut part = Part { name: "lid_shade", ..Part::default() };
    let mut roots = Vec::new();
    for (edge, profile, sign) in [(&skin.lids[0], &UPPER[..], -1.0), (&skin.lids[1], &LOWER[..], 1.0)] {
        let first = part.positions.len();
        for &(past, opacity) in profile {
            for (i, &root) in edge.iter().enumerate() {
                let away = root - EYE;
                let (height, depth) = (hypot(away.y, away.z), atan2(away.y, away.z));
                let turned = v(away.x, height * sin(depth + sign * past), height * cos(depth + sign * past));
                let normal = turned.normalize_or(DVec3::Z);
                part.push(EYE + normal * (RIM_RADIUS - 0.006), normal, srgb(58, 24, 20));
                // Full strength along the opening, zero beyond its corners.
                let s = i as f64 / (edge.len() - 1) as f64;
                part.alphas.push(opacity * step(0.0, 0.06, s) * step(1.0, 0.94, s));
                roots.push(root);
            }
        }
        part.loft(Material::LidShade, first, edge.len(), false);
    }
    face_outwards(&mut part);
    let mirrored_roots: Vec<DVec3> = roots.iter().map(|&root| super::skin::mirrored(root)).collect();
    roots.extend(mirrored_roots);
    (Part { name: "lid_shade", ..part.both_sides() }, roots)
}

/// Reverses triangles whose winding disagrees with their vertices' normals.
pub fn face_outwards(part: &mut Part) {
    let (positions, normals) = (&part.positions, &part.normals);
    for [a, b, c] in part.triangles.iter_mut().flat_map(|(_, triangles)| triangles) {
        let facet = (positions[*b] - positions[*a]).cross(positions[*c] - positions[*a]);
        if facet.dot(normals[*a] + normals[*b] + normals[*c]) < 0.0 {
            std::mem::swap(b, c);
        }
    }
}
