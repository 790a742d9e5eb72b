//! Which relief the shader adds to skin.

use smirk_face::head::{Head, Material, Mesh, Part, Role, TextureRef};

/// The relief of skin that is computed in the shader; `role/skin.wgsl` has the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub(crate) enum Relief {
    /// None.
    None = 0,
    /// Fine pores, between the furrows that a normal map shows.
    FinePores = 1,
    /// Furrows, pores and the undulation of flesh.
    Whole = 2,
}

impl Relief {
    /// A normal map whose texels are wider than this, in millimetres, shows neither furrows nor pores: both are some
    /// tenths of a millimetre wide.
    const WIDEST_TEXEL_MM: f32 = 0.18;

    /// The relief of a part of a mesh with a role, and with a normal map, if it can be read.
    pub(crate) fn new(
        head: &Head,
        mesh: &Mesh,
        part: &Part,
        material: &Material,
        role: Role,
        map: Option<TextureRef>,
    ) -> Self {
        if role != Role::Skin || material.toon.is_some() {
            return Self::None;
        }
        let texel_mm =
            map.and_then(|map| texel_in_world(head, mesh, part, map)).map(|texel| texel * head.mm_per_unit());
        match texel_mm {
            Some(texel_mm) if texel_mm <= Self::WIDEST_TEXEL_MM => Self::FinePores,
            Some(_) | None => Self::Whole,
        }
    }
}

/// The mean width of a texel of a map on a part of a mesh, in the world at rest; none if the part has no area.
fn texel_in_world(head: &Head, mesh: &Mesh, part: &Part, map: TextureRef) -> Option<f32> {
    let image = &head.textures.get(map.texture)?.image;
    let uvs = mesh.vertices.uv_set(map.uv_set);
    let (mut world, mut texture) = (0.0_f64, 0.0_f64);
    for corners in mesh.triangles_of(part).as_chunks::<3>().0 {
        let corners = corners.map(|corner| {
            let vertex = corner as usize;
            let point = *mesh.vertices.positions.get(vertex)?;
            let uv = map.texture_from_uv.transform_point2(*uvs.get(vertex)?);
            Some((head.rest_pose.world_from_vertex(mesh, vertex).transform_point3(point), uv))
        });
        let [Some((a, at_a)), Some((b, at_b)), Some((c, at_c))] = corners else { continue };
        world += f64::from((b - a).cross(c - a).length());
        texture += f64::from((at_b - at_a).perp_dot(at_c - at_a).abs());
    }
    let texels = texture * f64::from(image.width()) * f64::from(image.height());
    let width = (world / texels).sqrt() as f32;
    width.is_finite().then_some(width)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::{Vec2, Vec3};

    use super::*;
    use smirk_face::head::{Asset, Encoding, Image, Sampler, Texture, Vertices};

    /// A square of skin 140 mm wide, as a face is, with a normal map of `side` texels.
    fn relief(side: Option<u32>, role: Role, is_toon: bool) -> Relief {
        let corners = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let part = Part { first_index: 0, index_count: 6, material: 0, flat_shaded: false };
        let mesh = Mesh {
            vertices: Vertices {
                positions: corners.map(|corner| (corner * 140.0).extend(0.0)).to_vec(),
                normals: vec![Vec3::Z; 4],
                uvs: corners.to_vec(),
                ..Vertices::default()
            },
            indices: vec![0, 1, 2, 0, 2, 3],
            parts: vec![part],
            ..Mesh::default()
        };
        let texture = |side: u32| Texture {
            name: String::new(),
            image: Arc::new(Image::new(side, side, vec![u8::MAX; (side * side * 4) as usize])),
            encoding: Encoding::Linear,
            sampler: Sampler::default(),
        };
        let material = Material { toon: is_toon.then(Box::default), ..Material::default() };
        let head = Head::new(Asset {
            meshes: vec![mesh],
            materials: vec![material],
            textures: side.map(texture).into_iter().collect(),
            ..Asset::default()
        });
        assert_eq!(head.mm_per_unit(), 1.0);
        let (mesh, material) = (&head.meshes[0], &head.materials[0]);
        Relief::new(&head, mesh, &mesh.parts[0], material, role, side.map(|_| 0.into()))
    }

    #[test]
    fn skin_has_the_relief_that_its_normal_map_lacks() {
        assert_eq!(relief(None, Role::Skin, false), Relief::Whole);
        assert_eq!(relief(Some(256), Role::Skin, false), Relief::Whole, "a texel of 0.55 mm");
        assert_eq!(relief(Some(1024), Role::Skin, false), Relief::FinePores, "a texel of 0.14 mm");
        assert_eq!(relief(None, Role::Cloth, false), Relief::None);
        assert_eq!(relief(None, Role::Skin, true), Relief::None, "a cartoon has no pores");
    }
}
