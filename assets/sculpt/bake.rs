//! Bakes the skin's colour into a picture: columns of the grid run along u, rows along v, both halves share it. A strip at
//! the bottom stays white for what is coloured by vertex.

use glam::{DVec2, DVec3};
use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};
use rayon::prelude::*;

use super::numbers::{Rgb, bell, step, to_srgb};
use super::paint;
use super::rings::Tissue;
use super::skin::Skin;

/// Texels across and down.
pub const SIZE: usize = 2048;
/// Share of the picture's height that belongs to the grid.
const GRID_SHARE: f64 = 0.97;
/// A white place.
pub const WHITE: DVec2 = DVec2::new(0.5, 0.99);

/// Texture coordinates of a grid vertex.
pub fn uv(skin: &Skin, [column, row]: [usize; 2]) -> DVec2 {
    let columns = (skin.layout.columns.len() - 1) as f64;
    let rows = (skin.layout.rows.len() - 1) as f64;
    DVec2::new(column as f64 / columns, row as f64 / rows * GRID_SHARE)
}

/// How strongly the line along the lashes colours a place.
pub fn lid_line(skin: &Skin, p: DVec3) -> f64 {
    if p.z < 6.0 || (p.y - 3.6).abs() > 1.6 {
        return 0.0;
    }
    let p = DVec3::new(p.x.abs(), p.y, p.z);
    let nearest = |edge: &[DVec3]| {
        let mut best = (f64::INFINITY, 0.0);
        for (i, pair) in edge.windows(2).enumerate() {
            let along = pair[1] - pair[0];
            let h = ((p - pair[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
            let distance = (p - pair[0] - along * h).length();
            if distance < best.0 {
                best = (distance, (i as f64 + h) / (edge.len() - 1) as f64);
            }
        }
        best
    };
    let (upper, s) = nearest(&skin.lids[0]);
    let (lower, t) = nearest(&skin.lids[1]);
    // Thicker towards the outer corner.
    let upper_line = 0.88 * bell(upper / (0.055 + 0.075 * s)) * step(0.0, 0.15, s);
    let lower_line = 0.34 * bell(lower / 0.07) * step(0.1, 0.5, t);
    upper_line.max(lower_line)
}

/// Colour of a texel.
fn texel(skin: &Skin, index: usize) -> Rgb {
    let columns = skin.layout.columns.len() - 1;
    let rows = skin.layout.rows.len() - 1;
    let (x, y) = (index % SIZE, index / SIZE);
    let u = (x as f64 + 0.5) / SIZE as f64 * columns as f64;
    let w = (y as f64 + 0.5) / (SIZE as f64 * GRID_SHARE) * rows as f64;
    if w >= rows as f64 {
        return Rgb::ONE;
    }
    let (column, row) = (u as usize, w as usize);
    let (s, t) = (u - column as f64, w - row as f64);
    // Quads were laid row by row: above left, below left, below right, above right.
    let [a, b, c, d] = skin.grid_quads[row * columns + column];
    let blend = |value: &dyn Fn(usize) -> DVec3| value(a).lerp(value(d), s).lerp(value(b).lerp(value(c), s), t);
    let position = blend(&|i| skin.vertices[i].position);
    let normal = blend(&|i| skin.normals[i]).normalize_or(DVec3::Z);
    let openness = blend(&|i| DVec3::splat(skin.openness[i])).x;
    paint::color(position, normal, Tissue::Skin, openness, lid_line(skin, position))
}

/// The base colour's picture, as JPEG.
pub fn base_color(skin: &Skin) -> image::ImageResult<Vec<u8>> {
    let encoded = |index| {
        let c = texel(skin, index);
        [c.x, c.y, c.z].map(to_srgb)
    };
    let rgb: Vec<[u8; 3]> = (0..SIZE * SIZE).into_par_iter().map(encoded).collect();
    let mut bytes = Vec::new();
    let size = SIZE as u32;
    let encoder = JpegEncoder::new_with_quality(&mut bytes, 92);
    encoder.write_image(rgb.as_flattened(), size, size, ExtendedColorType::Rgb8)?;
    Ok(bytes)
}
