//! A shape becomes two: one of either side, or one of a region and one of what is around it.

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::{fields, with_fields};
use super::mask::smooth_step;
use super::plan::{Added, Plan, Scope};
use crate::mirror::Plane;
use smirk_face::head::{Head, Target, UvColorDeltas};

/// A shape is replaced by two parts, which fade into each other. At equal weights both move every vertex exactly as the
/// whole did; clips and expressions that moved the whole move both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Split {
    #[serde(skip_serializing_if = "Parts::is_sides")]
    pub by: Parts,
    /// The width over which a side fades out, half of it on either side of the plane.
    #[serde(deserialize_with = "super::not_negative")]
    pub falloff_mm: f32,
    /// What follows the name of the shape in those of its parts.
    pub suffixes: [String; 2],
}

/// The two parts of a shape, the first one first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Parts {
    /// The left and the right half, about the plane of symmetry, or about the middle of a face that has none.
    #[default]
    Sides,
    /// What is inside of the mask, and the rest.
    Mask,
}

impl Parts {
    fn is_sides(&self) -> bool {
        *self == Self::Sides
    }

    /// What usually follows the names of the parts.
    pub fn suffixes(self) -> [String; 2] {
        match self {
            Self::Sides => ["Left", "Right"],
            Self::Mask => ["Inside", "Outside"],
        }
        .map(str::to_owned)
    }
}

impl Default for Split {
    fn default() -> Self {
        Self { by: Parts::default(), falloff_mm: 10.0, suffixes: Parts::default().suffixes() }
    }
}

impl Split {
    pub(super) fn plan(&self, scope: &Scope<'_>) -> Plan {
        let mut plan = Plan::default();
        let to_left = ToLeft::new(scope);
        let mask = scope.mask.filter(|_| self.by == Parts::Mask);
        if self.by == Parts::Mask && mask.is_none() {
            return Plan::refusing(Reason::NoMask);
        }
        for &channel in &scope.shapes {
            let names = self.suffixes.each_ref().map(|suffix| format!("{}{suffix}", scope.name(channel)));
            let is_taken = |name: &&String| {
                let is_added = plan.added.iter().any(|added| added.target.name == **name);
                is_added || scope.head.target_channels().iter().any(|other| other.full_name == **name)
            };
            let taken = names.iter().find(is_taken).or(names.iter().find(|_| names[0] == names[1]));
            if let Some(taken) = taken.cloned() {
                plan.refuse(scope, channel, Reason::NameTaken(taken));
                continue;
            }
            if scope.is_in_corrective(channel) {
                plan.refuse(scope, channel, Reason::InCorrective);
                continue;
            }
            for ((mesh, index), whole) in scope.targets(channel) {
                let first_part = |row: u32| {
                    if let Some(mask) = mask {
                        return mask.amount(scope.surface.place(mesh, row), scope.surface.mm_per_unit);
                    }
                    let distance_mm = to_left.distance_mm(scope, mesh, row);
                    match self.falloff_mm {
                        0.0 => (distance_mm.partial_cmp(&0.0).map_or(0, |order| order as i8) as f32 + 1.0) / 2.0,
                        falloff_mm => smooth_step(distance_mm / falloff_mm + 0.5),
                    }
                };
                for (side, name) in names.iter().enumerate() {
                    let target = Target { name: name.clone(), ..part(whole, side, &first_part) };
                    plan.added.push(Added { mesh, before: index, weight_of: Some(index), target });
                }
                plan.removed.insert((mesh, index));
            }
        }
        plan
    }
}

/// The direction to the left of the face, and the plane in its middle.
struct ToLeft {
    plane: Plane,
    left: Vec3,
}

impl ToLeft {
    fn new(scope: &Scope<'_>) -> Self {
        let head: &Head = scope.head;
        let middle = Plane { axis: Vec3::X, at: head.focus.center().x };
        let plane = scope.surface.mirror(head).map_or(middle, |mirror| mirror.plane);
        // Up is Y; a face looks along Z, or, with a plane across Z, along X to the side on which the face is.
        let looks_along_x = if head.focus.center().x < head.bounds.center().x { -1.0 } else { 1.0 };
        let left = if plane.axis == Vec3::X { Vec3::X } else { Vec3::NEG_Z * looks_along_x };
        Self { plane, left }
    }

    /// How far to the left of the middle a vertex is at rest.
    fn distance_mm(&self, scope: &Scope<'_>, mesh: usize, row: u32) -> f32 {
        let from_plane = scope.surface.place(mesh, row) - self.plane.axis * self.plane.at;
        from_plane.dot(self.left) * scope.surface.mm_per_unit
    }
}

/// The first (0) or the second (1) part of a target.
fn part(whole: &Target, side: usize, first_part: &impl Fn(u32) -> f32) -> Target {
    let of_vectors = |row: u32, vectors: [Vec3; 3]| {
        let part = first_part(row);
        vectors.map(|vector| Vec3::from_array(vector.to_array().map(|number| halves(number, part)[side])))
    };
    let target = with_fields(whole, fields(whole).map(|field| field.map(of_vectors)));
    let UvColorDeltas { rows, uvs, colors } = &whole.uv_color_deltas;
    let uvs = rows.iter().zip(uvs).map(|(&row, uvs)| {
        uvs.map(|uv| Vec2::from_array(uv.to_array().map(|number| halves(number, first_part(row))[side])))
    });
    let colors = rows
        .iter()
        .zip(colors)
        .map(|(&row, color)| Vec4::from_array(color.to_array().map(|number| halves(number, first_part(row))[side])));
    let uv_color_deltas = UvColorDeltas { rows: rows.clone(), uvs: uvs.collect(), colors: colors.collect() };
    Target { uv_color_deltas, ..target }
}

/// A number in two parts that add up to it exactly. The larger one, at least half of the number, is rounded; the
/// difference of two numbers of which one is at most twice the other is exact (Sterbenz's lemma).
fn halves(number: f32, first: f32) -> [f32; 2] {
    let larger = number * first.max(1.0 - first);
    let smaller = number - larger;
    if first >= 0.5 { [larger, smaller] } else { [smaller, larger] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    #[test]
    fn halves_add_up_to_the_last_bit() {
        for at in 0..20_000 {
            let number = random::signed(1, at) * 10.0_f32.powi((at % 60) as i32 - 44);
            let part = (random::signed(2, at) * 0.5 + 0.5).clamp(0.0, 1.0);
            let [left, right] = halves(number, part);
            assert_eq!(left + right, number, "{number} in {part}");
            assert!((left - number * part).abs() <= number.abs() * 1e-6 + f32::MIN_POSITIVE);
        }
    }
}
