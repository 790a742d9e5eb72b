//! Axis-aligned bounding boxes.

use glam::{BVec3, Vec3};

use super::{Head, Mesh, Role};

/// An axis-aligned box. Empty when `min` is above `max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    pub min: Vec3,
    pub max: Vec3,
}

impl Bounds {
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// The smallest box around finite points.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points
            .into_iter()
            .filter(|point| point.is_finite())
            .fold(Self::EMPTY, |bounds, point| Self { min: bounds.min.min(point), max: bounds.max.max(point) })
    }

    pub fn union(boxes: impl IntoIterator<Item = Self>) -> Self {
        boxes.into_iter().fold(Self::EMPTY, |a, b| Self { min: a.min.min(b.min), max: a.max.max(b.max) })
    }

    pub fn intersection(self, other: Self) -> Option<Self> {
        let common = Self { min: self.min.max(other.min), max: self.max.min(other.max) };
        (!common.is_empty()).then_some(common)
    }

    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let is_high = BVec3::new(corner & 1 != 0, corner & 2 != 0, corner & 4 != 0);
            Vec3::select(is_high, self.max, self.min)
        })
    }

    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    pub fn encloses(&self, other: &Self) -> bool {
        self.contains(other.min) && self.contains(other.max)
    }

    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }

    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The centre; the origin when empty.
    pub fn center(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { (self.min + self.max) * 0.5 }
    }

    /// The extent along each axis; zero when empty.
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// The distance of the farthest corner from a point; 0 when empty.
    pub fn reach_from(&self, point: Vec3) -> f32 {
        if self.is_empty() { 0.0 } else { (self.min - point).abs().max((self.max - point).abs()).length() }
    }

    /// The radius of the sphere around it; 1 when the box is empty or a point, so that callers can divide by it.
    pub fn radius(&self) -> f32 {
        let radius = self.size().length() * 0.5;
        if radius.is_finite() && radius > 0.0 { radius } else { 1.0 }
    }
}

/// The distance between the pupils of an adult (mean of men and women, Dodgson 2004).
const BETWEEN_EYES_MM: f32 = 63.0;

/// The width of the part of a face that expressions move, about that between the cheekbones (ANSUR II: 140 mm).
const FACE_WIDTH_MM: f32 = 140.0;

impl Head {
    /// The millimetres of a human head per unit of the world. It follows from the distance between the eyes; on a head
    /// without two eyes of their own material, from the width of what expressions move.
    pub fn mm_per_unit(&self) -> f32 {
        let known = [(between_eyes(self), BETWEEN_EYES_MM), (Some(self.moved_width), FACE_WIDTH_MM)];
        let scale = known.into_iter().find_map(|(size, size_mm)| {
            let scale = size_mm / size.filter(|size| *size > 0.0)?;
            scale.is_finite().then_some(scale)
        });
        scale.unwrap_or(1.0)
    }
}

fn between_eyes(head: &Head) -> Option<f32> {
    let in_eyes: Vec<Vec3> = head.meshes.iter().flat_map(|mesh| eye_points(head, mesh)).collect();
    let middle = Bounds::around(in_eyes.iter().copied()).center().x;
    let [left, right] = [true, false]
        .map(|is_left| Bounds::around(in_eyes.iter().copied().filter(|point| (point.x > middle) == is_left)));
    let distance = left.center().distance(right.center());
    // There is a nose between two eyes. One eye, or a material of more than eyes, has no gap.
    let (gap, width) = (left.min.x - right.max.x, left.max.x - right.min.x);
    (gap > width * 0.25).then_some(distance)
}

fn eye_points<'a>(head: &'a Head, mesh: &'a Mesh) -> impl Iterator<Item = Vec3> + 'a {
    let eyes = mesh.parts.iter().filter(|part| head.roles.get(part.material) == Some(&Role::Eye));
    eyes.flat_map(|part| mesh.triangles_of(part)).filter_map(|&vertex| head.position_at_rest(mesh, vertex))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Material, Part, Target, Vertices};

    /// A face 2 units wide, with eyes of 0.3 units whose middles are `apart`.
    fn head(apart: f32, eye_material: &str) -> Head {
        let square = |x: f32, half: f32| {
            [Vec3::new(x - half, -half, 0.0), Vec3::new(x + half, -half, 0.0), Vec3::new(x, half, 0.0)]
        };
        let positions = [square(0.0, 1.0), square(apart / 2.0, 0.15), square(-apart / 2.0, 0.15)].concat();
        let deltas = [[Vec3::Y; 3], [Vec3::ZERO; 3], [Vec3::ZERO; 3]].concat();
        let part = |first_index, index_count, material| Part { first_index, index_count, material, flat_shaded: false };
        let mesh = Mesh {
            vertices: Vertices { positions, ..Vertices::default() },
            indices: (0..9).collect(),
            parts: vec![part(0, 3, 0), part(3, 6, 1)],
            targets: vec![Target::from_dense("up".into(), 0.0, &deltas, &[], &[])],
            ..Mesh::default()
        };
        let material = |name: &str| Material { name: name.into(), ..Material::default() };
        let materials = vec![material("skin"), material(eye_material)];
        Head::new(Asset { meshes: vec![mesh], materials, ..Asset::default() })
    }

    #[test]
    fn the_eyes_tell_the_scale_and_else_the_width_of_the_face() {
        assert!((head(0.63, "eyes").mm_per_unit() - 100.0).abs() < 1e-3);
        assert!((head(0.63, "paint").mm_per_unit() - 70.0).abs() < 1e-3, "no eyes");
        assert!((head(0.2, "eyes").mm_per_unit() - 70.0).abs() < 1e-3, "eyes that touch");
        let nothing = Head::new(Asset::default());
        assert_eq!(nothing.mm_per_unit(), 1.0);
    }
}
