//! The eyeballs of a head: where they are at rest, where they look, and how large their irises are.

mod iris;
mod parts;
mod sphere;

use glam::Vec3;

use super::{Head, Role};
use parts::parts_of;
use sphere::Sphere;

/// The eyeballs of a head at rest, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eyes {
    /// The centers: first that with the smaller x.
    pub centers: [Vec3; 2],
    /// The radius of both.
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
    /// Two eyeballs whose radii differ by more than this fraction are none.
    const MOST_DIFFERENCE: f32 = 0.25;
    /// A cornea has vertices within 12 degrees of the optical axis.
    const LEAST_COSINE_OF_CORNEA: f32 = 0.978;

    /// The eyeballs of a head whose materials have these roles; `None` if there are none, or if they are not round.
    pub fn of(head: &Head, roles: &[Role]) -> Option<Self> {
        let points = points_of(head, roles, Role::Eye);
        let (least, most) = points
            .iter()
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(least, most), point| (least.min(point.x), most.max(point.x)));
        let middle = 0.5 * (least + most);
        let (right, left): (Vec<Vec3>, Vec<Vec3>) = points.iter().partition(|point| point.x < middle);
        let [right, left] = [Sphere::around(&right)?, Sphere::around(&left)?];
        let radius = 0.5 * (right.radius + left.radius);
        let is_pair = (right.radius - left.radius).abs() < Self::MOST_DIFFERENCE * radius
            && right.center.distance(left.center) > 1.5 * radius
            // One round mesh, split in its middle.
            && least + radius < middle
            && most - radius > middle;
        if !is_pair {
            return None;
        }
        let centers = [right.center, left.center];
        let colors = iris::colors_on(head, roles, centers);
        let found = iris::find(&colors);
        let forward = found.map_or(Vec3::Z, |iris| iris.axis);
        // The line of tears along the lids is no layer before the pupil.
        let is_before_pupil = |point: &Vec3| {
            let from_centers = centers.map(|center| *point - center);
            from_centers.iter().any(|from| {
                from.length() < 1.6 * radius && from.normalize_or_zero().dot(forward) > Self::LEAST_COSINE_OF_CORNEA
            })
        };
        Some(Self {
            centers,
            radius,
            forward,
            iris_sine: found.map(|iris| iris.sine),
            iris_colors: found.map(|iris| iris.colors),
            are_plain: are_plain(head, roles),
            have_cornea: points_of(head, roles, Role::Cornea).iter().any(is_before_pupil),
        })
    }
}

/// The positions of all vertices of the parts with a role.
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
    fn position_at_rest(&self, mesh: &super::Mesh, vertex: u32) -> Option<Vec3> {
        let point = mesh.vertices.positions.get(vertex as usize)?;
        let in_world = self.rest_pose.world_from_vertex(mesh, vertex as usize).transform_point3(*point);
        in_world.is_finite().then_some(in_world)
    }
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
        let eyes = Eyes::of(&head, &roles).unwrap();
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
        let eyes = Eyes::of(&head, &roles).unwrap();
        assert_eq!((eyes.iris_sine, eyes.are_plain, eyes.forward), (None, true, Vec3::Z));
    }

    #[test]
    fn a_head_without_eyes_has_none() {
        let (head, _) = globes(0.012, 0.5);
        assert_eq!(Eyes::of(&head, &[Role::Skin, Role::Skin]), None);
    }

    #[test]
    fn a_cornea_lies_before_the_pupil_and_a_line_of_tears_does_not() {
        let (mut head, mut roles) = globes(0.012, 0.5);
        head.materials.push(Material { base_color: [1.0, 1.0, 1.0, 0.1], ..Material::default() });
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
            let head = Head::new(Asset { meshes, materials: head.materials.clone(), ..Asset::default() });
            assert_eq!(Eyes::of(&head, &roles).unwrap().have_cornea, is_cornea, "{degrees} degrees");
        }
    }
}
