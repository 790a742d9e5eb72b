//! Bakes the textures of the skin: colour, normals of details finer than the mesh, and roughness.

use glam::DVec3;

use super::anatomy::head;
use super::field::gradient;
use super::layout::parting;
use super::nostril;
use super::numbers::{bell, step, to_srgb};
use super::paint;
use super::picture::Picture;
use super::relief;
use super::rings::Tissue;
use super::skin::Skin;
use super::texels::{Place, Texel, picture};

/// Width and height of each texture, in texels.
const COLOR_SIZE: usize = 2048;
const NORMAL_SIZE: usize = 1024;
const ROUGHNESS_SIZE: usize = 512;
/// The steepest deviation from the mesh's own normal, as a slope: steeper ones could turn over when a muscle moves the mesh.
const STEEPEST: f64 = 0.6;

/// Distance to the edge of an eyelid and position along it from the inner corner: upper, lower. None away from the eyes.
fn lid_edges(skin: &Skin, p: DVec3) -> Option<[(f64, f64); 2]> {
    if p.z < 6.0 || (p.y - 3.6).abs() > 1.6 {
        return None;
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
    Some([nearest(&skin.lids[0]), nearest(&skin.lids[1])])
}

/// The strength, 0..1, with which the dark line along the lashes colours a point.
pub fn lid_line(skin: &Skin, p: DVec3) -> f64 {
    let Some([(upper, s), (lower, t)]) = lid_edges(skin, p) else { return 0.0 };
    // Thicker towards the outer corner.
    let upper_line = 0.88 * bell(upper / (0.055 + 0.075 * s)) * step(0.0, 0.15, s);
    let lower_line = 0.34 * bell(lower / 0.07) * step(0.1, 0.5, t);
    upper_line.max(lower_line)
}

/// The base-colour texture.
pub fn base_color(skin: &Skin) -> Picture<'_> {
    picture(skin, "skin", COLOR_SIZE, 85, move |texel| match texel {
        Texel::Strip(_) => [255; 3],
        Texel::Skin(Place { position, normal, openness, .. }) => {
            let c = paint::color(position, normal, Tissue::Skin, openness, lid_line(skin, position));
            [c.x, c.y, c.z].map(to_srgb)
        }
    })
}

/// The part, 0..1, by which the normals of the sculpt replace those of the mesh. It is 0 where the mesh ends in a slit and turns
/// inwards.
fn sculpt_normal_share(skin: &Skin, p: DVec3) -> f64 {
    let front = step(3.5, 5.5, p.z) * step(-8.5, -7.5, p.y) * step(9.5, 8.5, p.y);
    let off_lids = lid_edges(skin, p).map_or(1.0, |[(upper, _), (lower, _)]| step(0.05, 0.22, upper.min(lower)));
    let is_mouth = p.x.abs() < 2.9 && p.z > 9.0;
    let off_lips = if is_mouth { step(0.05, 0.20, (p.y - parting(p.x)).abs()) } else { 1.0 };
    let off_nostril = step(1.05, 1.6, nostril::from_middle(DVec3::new(p.x.abs(), p.y, p.z)));
    front * off_lids * off_lips * off_nostril
}

/// The normal map: what the sculpt and the relief of the skin add to the normals of the mesh, in tangent space.
pub fn normals(skin: &Skin) -> Picture<'_> {
    let encode = |slope_u: f64, slope_v: f64| {
        let n = DVec3::new(slope_u, slope_v, 1.0).normalize();
        [n.x, n.y, n.z].map(|c| ((c * 0.5 + 0.5) * 255.0).round() as u8)
    };
    picture(skin, "skin_normal", NORMAL_SIZE, 94, move |texel| {
        let Texel::Skin(Place { position, normal, along_u, .. }) = texel else { return encode(0.0, 0.0) };
        let tangent = (along_u - normal * along_u.dot(normal)).normalize_or(DVec3::X);
        let up = normal.cross(tangent);
        let mut wanted = normal;
        let share = sculpt_normal_share(skin, position);
        if share > 0.0 {
            let slope = gradient(head, position, 0.01);
            let on_skin = position - slope * (head(position) / slope.length_squared().max(0.1)).clamp(-0.05, 0.05);
            let fine = gradient(head, on_skin, 0.01).normalize_or(normal);
            wanted = normal.lerp(fine, share);
        }
        wanted -= relief::slope(position);
        let flat = wanted.dot(normal).max(0.2);
        let slopes = glam::DVec2::new(wanted.dot(tangent), wanted.dot(up)) / flat;
        let slopes = slopes.clamp_length_max(STEEPEST);
        encode(slopes.x, slopes.y)
    })
}

/// The roughness texture: in green, as in glTF; the other channels are equal, so that it compresses well.
pub fn roughness(skin: &Skin) -> Picture<'_> {
    picture(skin, "skin_roughness", ROUGHNESS_SIZE, 88, |texel| {
        let roughness = match texel {
            Texel::Strip(true) => relief::WET,
            Texel::Strip(false) => relief::DRY,
            Texel::Skin(place) => relief::roughness(place.position),
        };
        [(roughness * 255.0).round() as u8; 3]
    })
}
