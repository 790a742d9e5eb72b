//! The kinds of surface that pipelines are built for.

use crate::head::{AlphaMode, Head, Material, Mesh, Part, TextureRef};

use super::transparency::{Alpha, AlphaRange};

/// How much of the light is mirrored: what the shader can leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finish {
    /// The lamps themselves, as in an eye.
    Wet,
    /// Highlights.
    Satin,
    /// Nothing.
    Matte,
}

impl Finish {
    /// Where the shader's highlights have faded to nothing (`light.wgsl`). A map may hold any roughness up to the
    /// material's, and metal: nothing can be left out. Varnish may be of any roughness.
    fn of(material: &Material, is_mapped: bool) -> Self {
        let mirrors_nothing = material.roughness >= 0.85 || material.specular <= 0.0;
        match material.roughness {
            _ if is_mapped || material.coat > 0.0 => Self::Wet,
            _ if mirrors_nothing && material.metallic <= 0.0 => Self::Matte,
            roughness if roughness < 0.22 => Self::Wet,
            _ => Self::Satin,
        }
    }
}

/// What a pipeline is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SurfaceKind {
    /// What alpha does.
    pub alpha: Alpha,
    /// Fragments whose alpha is below a cutoff are dropped.
    pub alpha_tested: bool,
    /// Alpha says how much of it is there; else all of it is, and what is blended is the light that goes through.
    pub blended_by_alpha: bool,
    /// Both sides are drawn.
    pub double_sided: bool,
    /// There is a texture, and coordinates to read it at.
    pub textured: bool,
    /// Shaded by triangle, not by vertex normals.
    pub flat: bool,
    /// Shown without light.
    pub unlit: bool,
    /// How much is mirrored.
    pub finish: Finish,
    /// A normal map bends the vertex normals.
    pub normal_mapped: bool,
    /// A texture tells roughness and metal.
    pub roughness_mapped: bool,
    /// A texture tells how much of the surrounding light arrives.
    pub occlusion_mapped: bool,
    /// It shines by itself.
    pub emissive: bool,
    /// Where a texture says.
    pub emissive_mapped: bool,
    /// It mirrors more or less than other dielectrics.
    pub specular: bool,
    /// As much as a texture says.
    pub specular_mapped: bool,
    /// Varnish lies on it.
    pub clearcoat: bool,
    /// Fibres stand up on it.
    pub sheen: bool,
    /// Light goes through it, past the highlights.
    pub transmissive: bool,
    /// Some texture is moved, turned, scaled or read at the second set.
    pub uv_transformed: bool,
    /// Its vertices hang on joints.
    pub skinned: bool,
}

impl SurfaceKind {
    /// The kind of a part of a mesh with a material whose alpha has that range.
    pub fn of(head: &Head, mesh: &Mesh, part: &Part, material: &Material, range: AlphaRange) -> Self {
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
            alpha_tested: range.is_cut(material),
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
