//! The iris of an eye, found by its colours: a dark disc around the axis of a bright ball.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::parts::parts_of;
use crate::head::{Encoding, Head, Mesh, Role, Texture, TextureRef, Wrap};

/// The colour of the eyes in one direction from the center of the eyeball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Which eyeball: an index of [`super::Eyes::centers`].
    eye: usize,
    direction: Vec3,
    color: Vec3,
    /// The area that has this colour.
    area: f32,
}

impl Seen {
    fn luminance(&self) -> f32 {
        self.color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
    }
}

/// Where the irises are, and their colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Iris {
    /// The optical axis, of unit length.
    pub axis: Vec3,
    /// The sine of the angle between axis and edge.
    pub sine: f32,
    /// The mean colours between pupil and edge, linear RGB.
    pub colors: [Vec3; 2],
}

/// Colours below this part of that of the sclera are iris and pupil.
const DARK: f32 = 0.6;
/// The largest angle between the axis and the front of the face, as a cosine: a head may squint.
const LEAST_COSINE: f32 = 0.9;

/// The iris, if the colours have one: the axis is the middle of what is dark before the center.
pub(super) fn find(colors: &[Seen]) -> Option<Iris> {
    let mut before: Vec<Seen> = colors.iter().filter(|seen| seen.direction.z > 0.5).copied().collect();
    before.sort_by(|a, b| a.luminance().total_cmp(&b.luminance()));
    // The sclera is the brightest, apart from highlights that are painted.
    let all: f32 = before.iter().map(|seen| seen.area).sum();
    let mut darker = 0.0;
    let sclera = before.iter().find(|seen| {
        darker += seen.area;
        darker > 0.75 * all
    })?;
    let sclera = sclera.luminance();
    let dark = before.iter().filter(|seen| seen.luminance() < DARK * sclera);
    let axis = dark.map(|seen| seen.direction * seen.area).sum::<Vec3>().try_normalize()?;
    if axis.z < LEAST_COSINE {
        return None;
    }
    const BINS: usize = 32;
    let mut bins = [(0.0_f32, 0.0_f32); BINS];
    for seen in before.iter().filter(|seen| seen.direction.dot(axis) > 0.0) {
        let sine = seen.direction.cross(axis).length();
        let (dark, all) = &mut bins[((sine * BINS as f32) as usize).min(BINS - 1)];
        *all += seen.area;
        *dark += if seen.luminance() < DARK * sclera { seen.area } else { 0.0 };
    }
    let first_bright = bins.iter().position(|&(dark, all)| all > 0.0 && 2.0 * dark < all)?;
    let sine = first_bright as f32 / BINS as f32;
    let color_of = |eye: usize| {
        let is_iris = |seen: &&Seen| {
            let reach = seen.direction.cross(axis).length() / sine;
            seen.eye == eye && (0.5..0.9).contains(&reach) && seen.luminance() < DARK * sclera
        };
        let (color, area) = before
            .iter()
            .filter(is_iris)
            .fold((Vec3::ZERO, 0.0), |(color, area), seen| (color + seen.color * seen.area, area + seen.area));
        color / area.max(f32::MIN_POSITIVE)
    };
    (0.15..0.85).contains(&sine).then(|| Iris { axis, sine, colors: [color_of(0), color_of(1)] })
}

/// The colours of all parts that are eyes, at points that are spread over their triangles.
pub(super) fn colors_on(head: &Head, roles: &[Role], centers: [Vec3; 2]) -> Vec<Seen> {
    /// The points along an edge of each triangle.
    const STEPS: u32 = 6;
    /// Heads with more points are painted finely enough by a part of their triangles.
    const MOST_TRIANGLES: usize = 4000;
    let mut colors = Vec::new();
    for (index, material, triangles) in parts_of(head, roles, Role::Eye) {
        let mesh = &head.meshes[index];
        let material = &head.materials[material];
        let texture = material.base_color_texture.and_then(|map| Some((map, head.textures.get(map.texture)?)));
        let map = texture.map(|(map, texture)| (map, texture, texture.image.rgba()));
        let paint = Paint { mesh, factor: material.base_color, map };
        let stride = triangles.len() / 3 / MOST_TRIANGLES + 1;
        for triangle in triangles.as_chunks::<3>().0.iter().step_by(stride) {
            let corners = triangle.map(|vertex| head.position_at_rest(mesh, vertex));
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            let area = (b - a).cross(c - a).length();
            for (row, column) in (0..STEPS).flat_map(|row| (0..STEPS - row).map(move |column| (row, column))) {
                let [u, v] = [row, column].map(|step| (step as f32 + 0.33) / STEPS as f32);
                let shares = [1.0 - u - v, u, v];
                let point = a * shares[0] + b * shares[1] + c * shares[2];
                let from_center = centers.map(|center| point - center);
                let eye = usize::from(from_center[1].length() < from_center[0].length());
                let direction = from_center[eye].try_normalize();
                if let (Some(direction), Some(color)) = (direction, paint.color(*triangle, shares)) {
                    colors.push(Seen { eye, direction, color, area });
                }
            }
        }
    }
    colors
}

/// The base colour of a part.
struct Paint<'a> {
    mesh: &'a Mesh,
    factor: [f32; 4],
    /// The texture with its texels.
    map: Option<(TextureRef, &'a Texture, Arc<Vec<u8>>)>,
}

impl Paint<'_> {
    /// The colour at a point of a triangle, linear RGB.
    fn color(&self, triangle: [u32; 3], shares: [f32; 3]) -> Option<Vec3> {
        let vertices = &self.mesh.vertices;
        let mut color = Vec3::from_slice(&self.factor);
        if !vertices.colors.is_empty() {
            let corners = triangle.iter().zip(shares);
            let colored = corners.map(|(&vertex, share)| {
                vertices.colors.get(vertex as usize).map_or(Vec3::ONE, |color| Vec3::from_slice(color)) * share
            });
            color *= colored.sum::<Vec3>();
        }
        if let Some((map, texture, rgba)) = &self.map {
            let uvs = vertices.uv_set(map.uv_set);
            let corners = triangle.iter().zip(shares);
            let uv: Vec2 = corners.filter_map(|(&vertex, share)| Some(*uvs.get(vertex as usize)? * share)).sum();
            color *= texel(texture, rgba, map.transform(uv))?;
        }
        Some(color)
    }
}

/// The linear colour of the nearest texel of a texture.
fn texel(texture: &Texture, rgba: &[u8], uv: Vec2) -> Option<Vec3> {
    let place = |coordinate: f32, wrap: Wrap, size: u32| {
        let inside = match wrap {
            Wrap::Repeat => coordinate.rem_euclid(1.0),
            Wrap::Mirror => 1.0 - (coordinate.rem_euclid(2.0) - 1.0).abs(),
            Wrap::Clamp => coordinate.clamp(0.0, 1.0),
        };
        ((inside * size as f32) as usize).min(size.saturating_sub(1) as usize)
    };
    let column = place(uv.x, texture.sampler.wrap_u, texture.image.width());
    let row = place(uv.y, texture.sampler.wrap_v, texture.image.height());
    let texel = rgba.as_chunks::<4>().0.get(row * texture.image.width() as usize + column)?;
    let linear = |byte: u8| {
        let value = f32::from(byte) / 255.0;
        match texture.encoding {
            Encoding::Linear => value,
            Encoding::Srgb if value <= 0.040_45 => value / 12.92,
            Encoding::Srgb => ((value + 0.055) / 1.055).powf(2.4),
        }
    };
    Some(Vec3::new(linear(texel[0]), linear(texel[1]), linear(texel[2])))
}
