//! A copy of a head that shows values in colours instead of its materials.

use glam::{Vec3, Vec4};

use super::{Head, Material, Role, Target, UvColorDeltas};

/// A number at each of some vertices of a target, ascending by vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetValues {
    pub mesh: usize,
    pub target: usize,
    pub values: Vec<(u32, f32)>,
}

/// The linear grey of what has no value.
const GREY: Vec3 = Vec3::splat(0.3);

impl Head {
    /// A copy in grey, whose targets at weight 1 colour vertices: grey where the value is 0, red where it is 1. Hair,
    /// lashes and corneas are left out.
    pub fn painted(&self, values: &[TargetValues]) -> Self {
        let mut asset = self.to_asset();
        for mesh in &mut asset.meshes {
            mesh.vertices.colors = vec![GREY.extend(1.0).to_array(); mesh.vertices.len()];
            mesh.parts
                .retain(|part| !matches!(self.roles.get(part.material), Some(Role::Hair | Role::Lash | Role::Cornea)));
            mesh.strands.clear();
            mesh.targets.iter_mut().for_each(|target| target.uv_color_deltas = UvColorDeltas::default());
        }
        for TargetValues { mesh, target, values } in values {
            let targets = asset.meshes.get_mut(*mesh).map(|mesh| &mut mesh.targets);
            if let Some(target) = targets.and_then(|targets| targets.get_mut(*target)) {
                paint(target, values);
            }
        }
        let clay = asset.materials.iter().map(|material| Material {
            name: material.name.clone(),
            base_color: [1.0; 4],
            double_sided: material.double_sided,
            ..Material::default()
        });
        asset.materials = clay.collect();
        asset.variants.clear();
        Self::new(asset)
    }
}

fn paint(target: &mut Target, values: &[(u32, f32)]) {
    target.uv_color_deltas = UvColorDeltas {
        rows: values.iter().map(|(vertex, _)| *vertex).collect(),
        uvs: vec![Default::default(); values.len()],
        colors: values.iter().map(|(_, value)| (heat(*value) - GREY).extend(0.0)).collect::<Vec<Vec4>>(),
    };
}

/// The linear colour of a value from 0 to 1: grey, then yellow, then red.
fn heat(value: f32) -> Vec3 {
    const YELLOW: Vec3 = Vec3::new(0.9, 0.6, 0.05);
    const RED: Vec3 = Vec3::new(0.6, 0.0, 0.02);
    let value = value.clamp(0.0, 1.0) * 2.0;
    if value < 1.0 { GREY.lerp(YELLOW, value) } else { YELLOW.lerp(RED, value - 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Mesh, Part, Vertices};

    #[test]
    fn targets_colour_what_they_are_given_and_hair_is_left_out() {
        let part = |material| Part { first_index: 0, index_count: 3, material, flat_shaded: false };
        let mesh = Mesh {
            vertices: Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Vertices::default() },
            indices: vec![0, 1, 2],
            parts: vec![part(0), part(1)],
            targets: vec![Target::from_dense("smile".into(), 0.0, &[Vec3::X, Vec3::ZERO, Vec3::ZERO], &[], &[])],
            ..Mesh::default()
        };
        let materials = ["skin", "hair"].map(|name| Material { name: name.into(), ..Material::default() });
        let head = Head::new(Asset { meshes: vec![mesh], materials: materials.to_vec(), ..Asset::default() });
        let painted = head.painted(&[TargetValues { mesh: 0, target: 0, values: vec![(0, 1.0), (2, 0.0)] }]);
        let mesh = &painted.meshes[0];
        assert_eq!((mesh.parts.len(), mesh.parts[0].material), (1, 0));
        let colors =
            |weight: f32| mesh.uvs_and_colors(&[0, 1, 2], &[weight]).into_iter().map(|(_, color)| color.truncate());
        assert!(colors(0.0).all(|color| color == GREY));
        assert!(colors(1.0).zip([heat(1.0), GREY, GREY]).all(|(color, expected)| color.abs_diff_eq(expected, 1e-6)));
    }
}
