//! Hair tied back into a bun: a shell over the skull along lines from the hairline to the back, a strip of single strands that
//! fades out over the forehead, and the bun.

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::anatomy::head;
use super::eyes::face_outwards;
use super::field::gradient;
use super::hair_guides;
use super::hairline::{self, CENTER};
use super::layout::cast;
use super::numbers::{Rgb, blob, cos, exp, mix, pow, sin, step, v};
use super::part::{Material, Part};

/// The number of lines from the front to the back, per side.
const LINES: usize = 76;
/// The number of vertices along each line.
const STEPS: usize = 28;
/// The distance behind the hairline at which the shell leaves the scalp, in centimetres.
const EMERGES: f64 = 0.45;

/// The scalp in a direction from the hair's centre, and its normal.
pub fn scalp(around: f64, away: f64) -> (DVec3, DVec3) {
    let p = cast(CENTER, hairline::direction(around, away), head);
    (p, gradient(head, p, 0.004).normalize_or(DVec3::Y))
}

/// The height of the shell as a part of that of the hair: strands lie over it and hide its outline.
const SHELL: f64 = 0.78;
/// The brightness of the shell and of the bun's body: they are seen between strands, in their shade.
const DARK: f64 = 0.5;
/// That of the strip over the hairline, of which more is seen; as bright as its strands, it would be a band across the head.
const DARK_EDGE: f64 = 0.58;

/// Height of the hair over the scalp, `inwards` centimetres behind the hairline.
pub fn height(around: f64, away: f64, inwards: f64) -> f64 {
    let (p, _) = scalp(around, away);
    height_over(p, around.abs(), inwards)
}

/// [`height`] over a known point of the scalp.
fn height_over(p: DVec3, around: f64, inwards: f64) -> f64 {
    // The shell leaves the scalp behind the hairline, where the strip covers it.
    let rise = 1.0 - exp(-(inwards - EMERGES).max(0.0) / 2.0);
    let top = step(2.3, 0.2, around);
    let volume = 0.44 + 0.22 * top + 0.34 * top * step(1.0, 6.0, inwards);
    // The hair is flat around the ear.
    let a = v(p.x.abs(), p.y, p.z);
    let flat = 1.0 - 0.70 * blob(a, v(7.2, 3.2, 0.3), v(3.0, 2.6, 2.8));
    // Locks that follow the lines, broad ones over narrow ones.
    let locks = 0.5 * sin(around * 9.0 + 1.5 * sin(around * 4.0))
        + 0.6 * sin(around * 17.0 + 1.2 * sin(around * 5.0))
        + 0.4 * sin(around * 31.0 + 2.0 * sin(around * 7.0));
    -0.05 + rise * volume * flat + 0.055 * locks * step(EMERGES, 3.0, inwards)
}

/// The left half's shell and strip.
fn left_half() -> Part {
    let mut part = Part::default();
    let back = 176f64.to_radians();
    let shell = rows(STEPS, |around, start, j| {
        let t = pow(j as f64 / (STEPS - 1) as f64, 1.35);
        let away = mix(start, back, t);
        let (p, normal) = scalp(around, away);
        let inwards = (away - start) * 9.5;
        (p + normal * (SHELL * height_over(p, around, inwards)), normal, DVec2::new(around / std::f64::consts::PI, t))
    });
    push_rows(&mut part, &shell, Material::Hair);

    // The strip: from bare skin to well inside the shell, lying on it.
    const STRIP: [f64; 8] = [-0.75, -0.45, -0.2, 0.05, 0.35, 0.75, 1.3, 2.0];
    let strip = rows(STRIP.len(), |around, start, j| {
        let (p, normal) = scalp(around, start + STRIP[j] / 9.5);
        let lift = (SHELL * height_over(p, around, STRIP[j])).max(0.0) + 0.03;
        let along = (STRIP[j] - STRIP[0]) / (STRIP[7] - STRIP[0]);
        (p + normal * lift, normal, DVec2::new(around / std::f64::consts::PI, along))
    });
    push_rows(&mut part, &strip, Material::HairEdge);
    part
}

/// Position, normal and uv.
type Vertex = (DVec3, DVec3, DVec2);

/// Rows of vertices, one along each line around the head; the arguments of `vertex` are the angle of the line, the position of the
/// hairline on it, and the position in the row.
fn rows(length: usize, vertex: impl Fn(f64, f64, usize) -> Vertex + Sync) -> Vec<Vec<Vertex>> {
    let row = |i: usize| {
        let around = std::f64::consts::PI * i as f64 / LINES as f64;
        let start = hairline::edge(around);
        (0..length).map(|j| vertex(around, start, j)).collect()
    };
    (0..=LINES).into_par_iter().map(row).collect()
}

fn push_rows(part: &mut Part, rows: &[Vec<Vertex>], material: Material) {
    let first = part.positions.len();
    for (i, row) in rows.iter().enumerate() {
        let is_middle = i == 0 || i + 1 == rows.len();
        for &(mut p, normal, uv) in row {
            if is_middle {
                p.x = 0.0;
            }
            part.push(p, normal, Rgb::splat(if material == Material::Hair { DARK } else { DARK_EDGE }));
            part.uvs.push(uv);
        }
    }
    // Only the rows of this material are joined.
    let mut own = Part { positions: part.positions[first..].to_vec(), ..Part::default() };
    own.loft(material, 0, rows[0].len(), false);
    let shifted = own.all_triangles().into_iter().map(|corners| corners.map(|corner| corner + first));
    part.triangles_of(material).extend(shifted);
}

/// A point on the bun, a squashed ball, and its normal. `u` is the angle from the pole behind, `twist` the angle around.
pub fn bun_surface(u: f64, twist: f64) -> (DVec3, DVec3) {
    const CENTER: DVec3 = v(0.0, 4.6, -9.75);
    let tilt = 14f64.to_radians();
    let radius = 2.35 * (1.0 + 0.035 * sin(3.0 * twist) + 0.02 * sin(8.0 * twist));
    let around = twist - 1.9 * u;
    let p = v(radius * sin(u) * cos(around), radius * sin(u) * sin(around), -0.75 * radius * cos(u));
    let turned = v(p.x, p.y * cos(tilt) - p.z * sin(tilt), p.y * sin(tilt) + p.z * cos(tilt));
    (CENTER + turned, turned.normalize_or(DVec3::Z))
}

/// The bun under its strands.
fn bun() -> Part {
    const AROUND: usize = 40;
    const RINGS: usize = 18;
    let mut part = Part::default();
    for ring in 0..RINGS {
        let u = mix(0.02, std::f64::consts::PI - 0.02, ring as f64 / (RINGS - 1) as f64);
        for i in 0..=AROUND {
            let around = std::f64::consts::TAU * i as f64 / AROUND as f64;
            let twist = around + 1.9 * u;
            let (p, normal) = bun_surface(u, twist);
            part.push(p, normal, Rgb::splat(DARK));
            // Back and forth over the texture, which does not repeat.
            let wound = (twist / std::f64::consts::PI).rem_euclid(2.0);
            let across = if wound > 1.0 { 2.0 - wound } else { wound };
            part.uvs.push(DVec2::new(across, mix(0.45, 0.95, ring as f64 / RINGS as f64)));
        }
    }
    part.loft(Material::Hair, 0, AROUND + 1, false);
    part
}

/// All of the hair.
pub fn hair() -> Part {
    let mut part = left_half();
    let right = part.mirrored();
    part.append(&right);
    part.append(&bun());
    part.drop_flat();
    face_outwards(&mut part);
    part.smooth();
    // The strip has the normals of the skin under it; both sides of the middle line share a normal.
    for (position, normal) in part.positions.iter().zip(&mut part.normals) {
        if position.x == 0.0 {
            normal.x = 0.0;
            *normal = normal.normalize_or(DVec3::Y);
        }
    }
    part.guides = hair_guides::all();
    part.name = "hair";
    part
}
