//! The kinds of surface that pipelines are built for.

use crate::head::{AlphaMode, Head, Material, Mesh, Part, TextureRef};

use super::transparency::{Alpha, AlphaRange};

/// How a surface reflects lamps, which decides what the shader can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Finish {
    /// With highlights and with patches in the shape of the lamps, as an eye does.
    Wet,
    /// With highlights.
    Satin,
    /// Not at all.
    Matte,
}

impl Finish {
    /// Roughness below which a surface is wet; `light.wgsl` has the same number.
    pub(crate) const WET_ROUGHNESS: f32 = 0.22;
    /// Roughness from which on the shader's highlights have faded to nothing; `light.wgsl` has the same number.
    pub(crate) const MATTE_ROUGHNESS: f32 = 0.85;

    /// `is_mapped`: a texture holds roughness and metallic. It may hold any value up to the material's, so that nothing
    /// can be left out; nor can it under a clearcoat, which has a roughness of its own.
    fn of(material: &Material, is_mapped: bool) -> Self {
        let reflects_nothing = material.roughness >= Self::MATTE_ROUGHNESS || material.specular <= 0.0;
        match material.roughness {
            _ if is_mapped || material.coat > 0.0 => Self::Wet,
            _ if reflects_nothing && material.metallic <= 0.0 => Self::Matte,
            roughness if roughness < Self::WET_ROUGHNESS => Self::Wet,
            _ => Self::Satin,
        }
    }
}

/// All that a pipeline depends on, apart from the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SurfaceKind {
    /// What alpha does to the surface.
    pub alpha: Alpha,
    /// Fragments whose alpha is below a cutoff are dropped.
    pub alpha_tested: bool,
    /// Alpha says how much of the surface there is. A blended surface without it is there in full, and is blended
    /// because light goes through.
    pub blended_by_alpha: bool,
    /// Both sides are drawn.
    pub double_sided: bool,
    /// It has a base colour texture, and texture coordinates to read it at.
    pub textured: bool,
    /// Shaded with the normals of the triangles and not of the vertices.
    pub flat: bool,
    /// Its colour is shown as it is, without light.
    pub unlit: bool,
    /// How it reflects lamps.
    pub finish: Finish,
    /// It has a normal map, and tangents to read it with.
    pub normal_mapped: bool,
    /// It has a texture of roughness and metallic.
    pub roughness_mapped: bool,
    /// It has an occlusion texture.
    pub occlusion_mapped: bool,
    /// It emits light.
    pub emissive: bool,
    /// It emits light as a texture says.
    pub emissive_mapped: bool,
    /// It reflects more or less than the usual dielectric (KHR_materials_specular).
    pub specular: bool,
    /// It reflects as much as a texture says.
    pub specular_mapped: bool,
    /// It has a clearcoat (KHR_materials_clearcoat).
    pub clearcoat: bool,
    /// It has a sheen (KHR_materials_sheen).
    pub sheen: bool,
    /// Light goes through it (KHR_materials_transmission).
    pub transmissive: bool,
    /// Some texture has a transform (KHR_texture_transform), or is read at the second set of coordinates.
    pub uv_transformed: bool,
    /// Its mesh has a skin.
    pub skinned: bool,
}

impl SurfaceKind {
    /// The kind of a part of a mesh with a material whose alpha has that range.
    pub(crate) fn of(head: &Head, mesh: &Mesh, part: &Part, material: &Material, range: AlphaRange) -> Self {
        let can_read =
            |map: &TextureRef| map.texture < head.textures.len() && !mesh.vertices.uv_set(map.uv_set).is_empty();
        let has = |map: Option<TextureRef>| map.as_ref().is_some_and(can_read);
        let is_lit = !material.unlit;
        let roughness_mapped = has(material.metallic_roughness_texture) && is_lit;
        let emissive = material.emissive != [0.0; 3] && is_lit;
        let specular_mapped = has(material.specular_texture) && is_lit;
        let alpha = range.alpha_of(material);
        Self {
            alpha,
            alpha_tested: range.is_alpha_tested(material),
            blended_by_alpha: alpha == Alpha::Blended && material.alpha == AlphaMode::Blend,
            double_sided: material.double_sided,
            textured: has(material.base_color_texture),
            flat: part.flat_shaded,
            unlit: material.unlit,
            finish: Finish::of(material, roughness_mapped),
            normal_mapped: has(material.normal_texture)
                && !mesh.vertices.tangents.is_empty()
                && !part.flat_shaded
                && is_lit,
            roughness_mapped,
            occlusion_mapped: has(material.occlusion_texture) && is_lit,
            emissive,
            emissive_mapped: emissive && has(material.emissive_texture),
            specular: is_lit && (specular_mapped || material.specular != 1.0 || material.specular_color != [1.0; 3]),
            specular_mapped,
            clearcoat: material.coat > 0.0 && is_lit,
            sheen: material.sheen_color != [0.0; 3] && is_lit,
            transmissive: material.transmission > 0.0 && is_lit,
            uv_transformed: material.textures().iter().flatten().any(|map| can_read(map) && !map.is_plain()),
            skinned: mesh.skin.is_some(),
        }
    }
}
