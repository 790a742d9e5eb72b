//! The eyeballs of a head: where they are at rest, where they look, and how large their irises are.

use std::sync::Arc;

use glam::{DMat4, DVec3, DVec4, Vec2, Vec3};

use super::{Head, Role};
use crate::head::{Encoding, Mesh, Texture, TextureRef, Wrap};

/// The eyeballs of a head at rest, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eyes {
    /// The centers: first that with the smaller x.
    pub centers: [Vec3; 2],
    pub radius: f32,
    /// The optical axis, of unit length.
    pub forward: Vec3,
    /// The sine of the angle between this axis and the edge of the iris, if the colours tell.
    pub iris_sine: Option<f32>,
    /// The colours of the irises, linear RGB, if there are any.
    pub iris_colors: Option<[Vec3; 2]>,
    /// They have neither a texture nor vertex colours.
    pub are_plain: bool,
    /// A transparent cornea lies before them.
    pub have_cornea: bool,
}

impl Eyes {
    /// A cornea has vertices within 12 degrees of the optical axis.
    const LEAST_COSINE_OF_CORNEA: f32 = 0.978;

    /// The eyeballs of a head whose materials have these roles; `None` if there are none, or if they are not round.
    pub fn find(head: &Head, roles: &[Role]) -> Option<Self> {
        let Globes { centers, radius } = Globes::find(head, roles)?;
        let iris = find_iris(&colors_on(head, roles, centers));
        let forward = iris.map_or(Vec3::Z, |iris| iris.axis);
        // The line of tears along the lids is no layer before the pupil.
        let have_cornea = points_of(head, roles, Role::Cornea).iter().any(|point| {
            let from_centers = centers.map(|center| *point - center);
            from_centers.iter().any(|from| {
                from.length() < 1.6 * radius && from.normalize_or_zero().dot(forward) > Self::LEAST_COSINE_OF_CORNEA
            })
        });
        Some(Self {
            centers,
            radius,
            forward,
            iris_sine: iris.map(|iris| iris.sine),
            iris_colors: iris.map(|iris| iris.colors),
            are_plain: are_plain(head, roles),
            have_cornea,
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Globes {
    pub centers: [Vec3; 2],
    pub radius: f32,
}

impl Globes {
    /// Two eyeballs whose radii differ by more than this fraction are none.
    const MOST_DIFFERENCE: f32 = 0.25;

    pub(super) fn find(head: &Head, roles: &[Role]) -> Option<Self> {
        Self::among(&points_of(head, roles, Role::Eye), 0)
    }

    /// The same of a head that may lie, beside each other along the axis of this index.
    pub(super) fn find_along(head: &Head, axis: usize) -> Option<Self> {
        Self::among(&points_of(head, &head.roles, Role::Eye), axis)
    }

    fn among(points: &[Vec3], axis: usize) -> Option<Self> {
        let (least, most) = points.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), point| {
            (least.min(point[axis]), most.max(point[axis]))
        });
        let middle = 0.5 * (least + most);
        let (right, left): (Vec<Vec3>, Vec<Vec3>) = points.iter().partition(|point| point[axis] < middle);
        let [right, left] = [Sphere::around(&right)?, Sphere::around(&left)?];
        let radius = 0.5 * (right.radius + left.radius);
        let is_pair = (right.radius - left.radius).abs() < Self::MOST_DIFFERENCE * radius
            && right.center.distance(left.center) > 1.5 * radius
            // One round mesh, split in its middle.
            && least + radius < middle
            && most - radius > middle;
        is_pair.then_some(Self { centers: [right.center, left.center], radius })
    }
}

fn points_of(head: &Head, roles: &[Role], role: Role) -> Vec<Vec3> {
    let mut points = Vec::new();
    for (index, _, triangles) in parts_of(head, roles, role) {
        let mesh = &head.meshes[index];
        let mut vertices = triangles.to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        points.extend(vertices.iter().filter_map(|&vertex| head.position_at_rest(mesh, vertex)));
    }
    points
}

/// Whether the eyes have one colour per material: no texture and no vertex colours.
fn are_plain(head: &Head, roles: &[Role]) -> bool {
    parts_of(head, roles, Role::Eye).all(|(mesh, material, _)| {
        head.materials[material].base_color_texture.is_none() && head.meshes[mesh].vertices.colors.is_empty()
    })
}

impl Head {
    /// The position of a vertex in the world at rest, if it is finite.
    pub(super) fn position_at_rest(&self, mesh: &Mesh, vertex: u32) -> Option<Vec3> {
        let point = mesh.vertices.positions.get(vertex as usize)?;
        let in_world = self.rest_pose.world_from_vertex(mesh, vertex as usize).transform_point3(*point);
        in_world.is_finite().then_some(in_world)
    }
}

/// The parts of a head whose material has a role: the indices of the mesh and of the material, and the triangles.
fn parts_of<'a>(head: &'a Head, roles: &'a [Role], role: Role) -> impl Iterator<Item = (usize, usize, &'a [u32])> {
    let parts =
        head.meshes.iter().enumerate().flat_map(|(index, mesh)| {
            mesh.parts.iter().map(move |part| (index, part.material, mesh.triangles_of(part)))
        });
    parts.filter(move |(_, material, _)| {
        let shown =
            roles.get(*material).zip(head.materials.get(*material)).map(|(role, material)| role.of_film(material));
        shown == Some(role)
    })
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Sphere {
    pub center: Vec3,
    pub radius: f32,
}

impl Sphere {
    /// Points farther from the surface than this part of the radius are left out: a cornea, or tear glands.
    const OUTLIER: f64 = 0.06;
    /// The part of the points that has to lie on the sphere.
    const LEAST_SHARE: f64 = 0.6;

    /// The sphere on which most of the points lie, if there is one.
    fn around(points: &[Vec3]) -> Option<Self> {
        const LEAST_POINTS: usize = 12;
        let count = points.len();
        let mean = points.iter().map(|point| point.as_dvec3()).sum::<DVec3>() / count.max(1) as f64;
        let size = points.iter().map(|point| point.as_dvec3().distance(mean)).fold(0.0, f64::max);
        if count < LEAST_POINTS || size.is_nan() || size <= 0.0 {
            return None;
        }
        // Points around the origin at a size of about 1, so that the equations are well conditioned for every unit of
        // length.
        let mut kept: Vec<DVec3> = points.iter().map(|point| (point.as_dvec3() - mean) / size).collect();
        let all = kept.clone();
        let mut fitted = fit(&kept)?;
        for _ in 0..4 {
            let (center, radius) = fitted;
            let near = all.iter().filter(|point| (point.distance(center) - radius).abs() < Self::OUTLIER * radius);
            kept = near.copied().collect();
            if (kept.len() as f64) < Self::LEAST_SHARE * count as f64 {
                return None;
            }
            fitted = fit(&kept)?;
        }
        let (center, radius) = fitted;
        Some(Self { center: (center * size + mean).as_vec3(), radius: (radius * size) as f32 })
    }
}

/// The sphere with the least squares of |p|² - 2 c·p - k, where k is radius² - |c|².
fn fit(points: &[DVec3]) -> Option<(DVec3, f64)> {
    let (mut matrix, mut sums) = (DMat4::ZERO, DVec4::ZERO);
    for point in points {
        let row = (*point * 2.0).extend(1.0);
        matrix += DMat4::from_cols(row * row.x, row * row.y, row * row.z, row * row.w);
        sums += row * point.length_squared();
    }
    if matrix.determinant().abs() < 1e-12 {
        return None;
    }
    let solved = matrix.inverse() * sums;
    let (center, radius_squared) = (solved.truncate(), solved.w + solved.truncate().length_squared());
    (radius_squared.is_finite() && radius_squared > 0.0).then(|| (center, radius_squared.sqrt()))
}

/// The colour of the eyes in one direction from the center of the eyeball.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Which eyeball: an index of [`Eyes::centers`].
    eye: usize,
    direction: Vec3,
    color: Vec3,
    area: f32,
}

impl Seen {
    fn luminance(&self) -> f32 {
        self.color.dot(Vec3::new(0.2126, 0.7152, 0.0722))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Iris {
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
fn find_iris(colors: &[Seen]) -> Option<Iris> {
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
    let colors = [0, 1].map(|eye| {
        let iris = before.iter().filter(|seen| {
            let reach = seen.direction.cross(axis).length() / sine;
            seen.eye == eye && (0.5..0.9).contains(&reach) && seen.luminance() < DARK * sclera
        });
        let (color, area) =
            iris.fold((Vec3::ZERO, 0.0), |(color, area), seen| (color + seen.color * seen.area, area + seen.area));
        color / area.max(f32::MIN_POSITIVE)
    });
    (0.15..0.85).contains(&sine).then_some(Iris { axis, sine, colors })
}

/// 1 if the irises of a head look along +z, -1 if along -z, 0 if the colours do not tell.
pub(super) fn iris_side(head: &Head, roles: &[Role]) -> i32 {
    let Some(Globes { centers, .. }) = Globes::find(head, roles) else { return 0 };
    let colors = colors_on(head, roles, centers);
    let turned: Vec<Seen> =
        colors.iter().map(|seen| Seen { direction: seen.direction * Vec3::new(-1.0, 1.0, -1.0), ..*seen }).collect();
    i32::from(find_iris(&colors).is_some()) - i32::from(find_iris(&turned).is_some())
}

/// The colours of all parts that are eyes, at points that are spread over their triangles.
fn colors_on(head: &Head, roles: &[Role], centers: [Vec3; 2]) -> Vec<Seen> {
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

struct Paint<'a> {
    mesh: &'a Mesh,
    factor: [f32; 4],
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
    let column = texel_index(uv.x, texture.sampler.wrap_u, texture.image.width());
    let row = texel_index(uv.y, texture.sampler.wrap_v, texture.image.height());
    let &[red, green, blue, _] = rgba.as_chunks::<4>().0.get(row * texture.image.width() as usize + column)?;
    Some(Vec3::from_array([red, green, blue].map(|byte| {
        let value = f32::from(byte) / 255.0;
        match texture.encoding {
            Encoding::Linear => value,
            Encoding::Srgb if value <= 0.040_45 => value / 12.92,
            Encoding::Srgb => ((value + 0.055) / 1.055).powf(2.4),
        }
    })))
}

/// The index of the texel at a texture coordinate, along one axis of a texture of `size` texels.
fn texel_index(coordinate: f32, wrap: Wrap, size: u32) -> usize {
    let inside = match wrap {
        Wrap::Repeat => coordinate.rem_euclid(1.0),
        Wrap::Mirror => 1.0 - (coordinate.rem_euclid(2.0) - 1.0).abs(),
        Wrap::Clamp => coordinate.clamp(0.0, 1.0),
    };
    ((inside * size as f32) as usize).min(size.saturating_sub(1) as usize)
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::super::{Asset, Head, Material, Mesh, Part, Vertices};
    use super::*;

    /// Two globes of `bands` x 24 vertices, the caps within `iris_sine` of the axis in the second material.
    fn globes(radius: f32, iris_sine: f32) -> (Head, Vec<Role>) {
        let mut meshes = Vec::new();
        for x in [-0.03_f32, 0.03] {
            let mut vertices = Vertices::default();
            let (rows, columns) = (24_u32, 24_u32);
            for row in 0..=rows {
                for column in 0..columns {
                    let (polar, around) = (
                        std::f32::consts::PI * row as f32 / rows as f32,
                        std::f32::consts::TAU * column as f32 / columns as f32,
                    );
                    let direction = Vec3::new(polar.sin() * around.cos(), polar.sin() * around.sin(), polar.cos());
                    vertices.positions.push(direction * radius + Vec3::new(x, 1.6, 0.1));
                    vertices.normals.push(direction);
                }
            }
            let mut parts_indices = [Vec::new(), Vec::new()];
            for row in 0..rows {
                let polar = std::f32::consts::PI * (row as f32 + 0.5) / rows as f32;
                let is_iris = polar.sin() < iris_sine && polar < 1.5;
                for column in 0..columns {
                    let next = (column + 1) % columns;
                    let [a, b] = [row * columns + column, row * columns + next];
                    let indices = [a, a + columns, b, b, a + columns, b + columns];
                    parts_indices[usize::from(is_iris)].extend(indices);
                }
            }
            let [white, iris] = parts_indices;
            let part = |first: usize, count: usize, material| Part {
                first_index: first as u32,
                index_count: count as u32,
                material,
                flat_shaded: false,
            };
            let parts = vec![part(0, white.len(), 0), part(white.len(), iris.len(), 1)];
            let indices = [white, iris].concat();
            let mesh = Mesh { vertices, indices, parts, world_from_mesh: Mat4::IDENTITY, ..Mesh::default() };
            meshes.push(mesh);
        }
        let material = |color: [f32; 4]| Material { base_color: color, ..Material::default() };
        let materials = vec![material([0.9, 0.9, 0.9, 1.0]), material([0.1, 0.2, 0.4, 1.0])];
        let head = Head::new(Asset { meshes, materials, ..Asset::default() });
        (head, vec![Role::Eye, Role::Eye])
    }

    #[test]
    fn globes_are_found_with_their_irises() {
        let (head, roles) = globes(0.012, 0.5);
        let eyes = Eyes::find(&head, &roles).unwrap();
        assert!(eyes.centers[0].distance(Vec3::new(-0.03, 1.6, 0.1)) < 1e-4, "{eyes:?}");
        assert!((eyes.radius - 0.012).abs() < 1e-4);
        assert!((eyes.iris_sine.unwrap() - 0.5).abs() < 0.08, "{eyes:?}");
        assert!(eyes.forward.dot(Vec3::Z) > 0.999);
        let colors = eyes.iris_colors.unwrap();
        assert!(colors[0].distance(Vec3::new(0.1, 0.2, 0.4)) < 1e-3, "{colors:?}");
    }

    #[test]
    fn white_globes_are_bare() {
        let (head, roles) = globes(0.012, 0.0);
        let eyes = Eyes::find(&head, &roles).unwrap();
        assert_eq!((eyes.iris_sine, eyes.are_plain, eyes.forward), (None, true, Vec3::Z));
    }

    #[test]
    fn a_head_without_eyes_has_none() {
        let (head, _) = globes(0.012, 0.5);
        assert_eq!(Eyes::find(&head, &[Role::Skin, Role::Skin]), None);
    }

    #[test]
    fn a_cornea_lies_before_the_pupil_and_a_line_of_tears_does_not() {
        let (head, mut roles) = globes(0.012, 0.5);
        let mut materials = head.materials.clone();
        materials.push(Material { base_color: [1.0, 1.0, 1.0, 0.1], ..Material::default() });
        roles.push(Role::Cornea);
        for (degrees, is_cornea) in [(0.0_f32, true), (8.0, true), (22.0, false)] {
            let at = |side: f32| {
                let (sine, cosine) = degrees.to_radians().sin_cos();
                Vec3::new(-0.03 + side * 0.001, 1.6 - sine * 0.013, 0.1 + cosine * 0.013)
            };
            let film = Mesh {
                vertices: Vertices { positions: [-1.0, 0.0, 1.0].map(at).to_vec(), ..Vertices::default() },
                indices: vec![0, 1, 2],
                parts: vec![Part { first_index: 0, index_count: 3, material: 2, flat_shaded: false }],
                ..Mesh::default()
            };
            let meshes = head.meshes.iter().take(2).cloned().chain([film]).collect();
            let head = Head::new(Asset { meshes, materials: materials.clone(), ..Asset::default() });
            assert_eq!(Eyes::find(&head, &roles).unwrap().have_cornea, is_cornea, "{degrees} degrees");
        }
    }
}
