//! The positions of texels of the skin textures: columns of the grid are along u, rows along v, and both halves share them. A strip
//! at the bottom is for parts that are coloured by vertex.

use glam::{DVec2, DVec3};

use super::picture::{Encoding, Picture, opaque};
use super::rings::Tissue;
use super::skin::Skin;

/// The part of the textures' height that belongs to the grid.
const GRID_SHARE: f64 = 0.97;
/// The position along the strip that separates bare skin, on the left, from wet tissue, on the right.
const WET_FROM: f64 = 0.5;

/// A point of the grid.
pub struct Place {
    /// The position at rest on the mesh's quad, in centimetres.
    pub position: DVec3,
    /// The interpolated normal of the vertices, as a renderer computes it.
    pub normal: DVec3,
    /// The direction of u.
    pub along_u: DVec3,
    /// 0 in a deep crevice, 1 in the open.
    pub openness: f64,
}

/// The surface at a texel.
pub enum Texel {
    /// A point on the grid of the skin.
    Skin(Place),
    /// The strip: true for wet tissue.
    Strip(bool),
}

/// Texture coordinates of a place on the grid.
pub fn uv(skin: &Skin, place: DVec2) -> DVec2 {
    let columns = (skin.layout.columns.len() - 1) as f64;
    let rows = (skin.layout.rows.len() - 1) as f64;
    DVec2::new(place.x / columns, place.y / rows * GRID_SHARE)
}

/// Texture coordinates of parts that are coloured by vertex.
pub fn strip_uv(tissue: Tissue) -> DVec2 {
    let is_wet = matches!(tissue, Tissue::Lining(_) | Tissue::Bag(_));
    DVec2::new(if is_wet { 0.75 } else { 0.25 }, 0.99)
}

/// The surface at a texel of a square texture.
fn texel(skin: &Skin, size: usize, [column, row]: [usize; 2]) -> Texel {
    let columns = skin.layout.columns.len() - 1;
    let rows = skin.layout.rows.len() - 1;
    let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
    let u = x / size as f64 * columns as f64;
    let w = y / (size as f64 * GRID_SHARE) * rows as f64;
    if w >= rows as f64 {
        return Texel::Strip(x / size as f64 > WET_FROM);
    }
    let (column, row) = (u as usize, w as usize);
    let (s, t) = (u - column as f64, w - row as f64);
    // Quads are stored row by row, with the corners above left, below left, below right, above right.
    let corners = skin.grid_quads[row * columns + column];
    let [a, b, c, d] = corners;
    let blend = |value: &dyn Fn(usize) -> DVec3| value(a).lerp(value(d), s).lerp(value(b).lerp(value(c), s), t);
    let at = |i: usize| skin.vertices[i].position;
    Texel::Skin(Place {
        position: blend(&at),
        normal: blend(&|i| skin.normals[i]).normalize_or(DVec3::Z),
        along_u: (at(d) - at(a)).lerp(at(c) - at(b), t),
        openness: blend(&|i| DVec3::splat(skin.openness[i])).x,
    })
}

/// A square texture of the skin.
pub fn picture<'a>(
    skin: &'a Skin,
    name: &'static str,
    size: usize,
    quality: u8,
    color: impl Fn(Texel) -> [u8; 3] + Sync + 'a,
) -> Picture<'a> {
    let texel = move |column, row| opaque(color(texel(skin, size, [column, row])));
    Picture { name, size: [size; 2], encoding: Encoding::Jpeg(quality), texel: Box::new(texel) }
}
