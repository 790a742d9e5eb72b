//! The eyeballs: a white sphere with a bulging cornea, under which the iris is textured.

use glam::{DVec2, DVec3};

use super::anatomy::EYE;
use super::numbers::{Rgb, asin, cos, sin, step, v};
use super::part::{Material, Part};

/// Radius of the sclera; the cornea protrudes by [`BULGE`].
pub const WHITE_RADIUS: f64 = 1.465;
const BULGE: f64 = 0.052;
/// Radius of the iris, as seen from the front: 12.4 mm across, as in people (11 to 13).
pub const IRIS: f64 = 0.62;
/// The edge of the eye texture, in radians from the front.
pub const PICTURE_EDGE: f64 = 1.25;

/// The edge of the iris, in radians from the front.
pub fn iris_angle() -> f64 {
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
    // Closer to each other where the corners of the lids shade the white.
    let rings = [0.0, 0.10, 0.19, 0.27, 0.34, 0.39, 0.43, 0.47, 0.55, 0.68, 0.80, 0.90, 0.98, 1.05, 1.13, 1.3, 1.6];
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
