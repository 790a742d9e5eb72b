//! The kinds of surface that pipelines are built for.

use smirk_face::head::{AlphaMode, Head, Material, Role, TextureRef};

use super::relief::Relief;
use super::toon::ToonKind;
use super::transparency::{Alpha, AlphaPass, AlphaRange};

/// How a surface reflects light sources. It determines which parts of the shader are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Finish {
    /// With highlights and with sharp reflections of the light sources, as an eye does.
    Wet,
    Satin,
    Matte,
}

impl Finish {
    /// Surfaces with a lower roughness are wet; `reflection.wgsl` has the same number.
    pub(crate) const WET_ROUGHNESS: f32 = 0.22;
    /// From this roughness on, surfaces have no highlights; `reflection.wgsl` has the same number.
    pub(crate) const MATTE_ROUGHNESS: f32 = 0.85;

    /// The finish of a material. If `is_mapped`, a texture gives roughness and metallic; since it may contain any value
    /// up to that of the material, no part of the shader can be left out. The same holds under a clearcoat, which has a
    /// roughness of its own.
    fn new(material: &Material, is_mapped: bool) -> Self {
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
    /// The effect of alpha on the surface.
    pub alpha: Alpha,
    /// Fragments whose alpha is below a cutoff are dropped.
    pub alpha_tested: bool,
    /// Alpha is the coverage of the surface. If this is false, a blended surface has full coverage, and is blended only
    /// because light goes through it.
    pub blended_by_alpha: bool,
    /// Both sides are drawn.
    pub double_sided: bool,
    /// The surface has a base colour texture, and texture coordinates to read it at.
    pub textured: bool,
    /// The surface is shaded with the normals of the triangles instead of those of the vertices.
    pub flat: bool,
    /// The colour is shown without lighting (KHR_materials_unlit).
    pub unlit: bool,
    /// The head has toon materials, and this is none: it is lit as they are, by its material alone.
    pub beside_toon: bool,
    /// How the surface reflects light sources.
    pub finish: Finish,
    /// It has a normal map, and tangents to read it with.
    pub normal_mapped: bool,
    /// It has a texture of roughness and metallic.
    pub roughness_mapped: bool,
    /// It has an occlusion texture.
    pub occlusion_mapped: bool,
    /// It emits light.
    pub emissive: bool,
    /// A texture scales the light that it emits.
    pub emissive_mapped: bool,
    /// It reflects more or less than the usual dielectric (KHR_materials_specular).
    pub specular: bool,
    /// A texture scales this reflection.
    pub specular_mapped: bool,
    /// It has a clearcoat (KHR_materials_clearcoat).
    pub clearcoat: bool,
    /// It has a sheen (KHR_materials_sheen).
    pub sheen: bool,
    /// Light goes through it (KHR_materials_transmission).
    pub transmissive: bool,
    /// At least one texture has a transform (KHR_texture_transform), or is read at the second set of coordinates.
    pub uv_transformed: bool,
    /// Its mesh has a skin.
    pub skinned: bool,
    pub role: Role,
    /// It has one colour: neither a texture nor vertex colours.
    pub plain: bool,
    /// It is hair whose texture shows strands.
    pub strands_in_texture: bool,
    /// A plain band of lashes, on which strands are drawn.
    pub lash_card: bool,
    /// The relief of skin that the shader adds.
    pub relief: Relief,
    /// It is shown in grey clay, with nothing of its material but alpha.
    pub clay: bool,
    /// It has toon shading (VRMC_materials_mtoon).
    pub toon: Option<ToonKind>,
}

impl SurfaceKind {
    /// The kind of surface of a part of a mesh, with a material and its role, and the range of its alpha.
    pub(crate) fn new(
        head: &Head,
        mesh_index: usize,
        part_index: usize,
        material: &Material,
        role: Role,
        range: AlphaRange,
    ) -> Self {
        let mesh = &head.meshes[mesh_index];
        let can_read =
            |map: &TextureRef| map.texture < head.textures.len() && !mesh.vertices.uv_set(map.uv_set).is_empty();
        let has = |map: Option<TextureRef>| map.as_ref().is_some_and(can_read);
        let is_lit = !material.is_shown_unlit();
        let beside_toon = is_lit && material.toon.is_none() && head.has_toon();
        let roughness_mapped = has(material.metallic_roughness_texture) && is_lit;
        let changed = material.changed_by_expressions;
        let emissive = (material.emissive != [0.0; 3] || changed.emissive) && is_lit;
        let specular_mapped = has(material.specular_texture) && is_lit;
        let textured = has(material.base_color_texture);
        let normal_mapped = has(material.normal_texture)
            && !mesh.vertices.tangents.is_empty()
            && !mesh.parts[part_index].flat_shaded
            && is_lit;
        let of_alpha = range.alpha_of(material);
        // A cornea that hides what is behind it is drawn as an eye.
        let role = match role.of_film(material) {
            _ if !is_lit || beside_toon => Role::Other,
            Role::Cornea if of_alpha != Alpha::Blended => Role::Eye,
            role => role,
        };
        // Another variant, or the artist, may give a card another material or role.
        let is_plain_lash = role == Role::Lash
            && of_alpha == Alpha::Opaque
            && material.base_color_texture.is_none()
            && material.toon.is_none();
        let lash_card = is_plain_lash && head.lash_cards.contains(mesh_index, part_index);
        let alpha = if lash_card { Alpha::Blended } else { of_alpha };
        let surface = Self {
            alpha,
            alpha_tested: range.is_alpha_tested(material),
            blended_by_alpha: of_alpha == Alpha::Blended && material.alpha == AlphaMode::Blend,
            double_sided: material.double_sided,
            textured,
            flat: mesh.parts[part_index].flat_shaded,
            unlit: !is_lit,
            beside_toon,
            finish: Finish::new(material, roughness_mapped),
            normal_mapped,
            roughness_mapped,
            occlusion_mapped: has(material.occlusion_texture) && is_lit,
            emissive,
            emissive_mapped: emissive && has(material.emissive_texture),
            specular: is_lit && (specular_mapped || material.specular != 1.0 || material.specular_color != [1.0; 3]),
            specular_mapped,
            clearcoat: material.coat > 0.0 && is_lit,
            sheen: material.sheen_color != [0.0; 3] && is_lit,
            transmissive: material.transmission > 0.0 && is_lit,
            uv_transformed: (material.textures().iter().flatten())
                .any(|map| can_read(map) && (!map.is_plain() || changed.texture_transforms)),
            skinned: mesh.skin.is_some(),
            role,
            plain: !textured && mesh.vertices.colors.is_empty(),
            strands_in_texture: role == Role::Hair && textured && shows_strands(head, material),
            lash_card,
            relief: Relief::new(
                head,
                mesh,
                &mesh.parts[part_index],
                material,
                role,
                material.normal_texture.filter(|_| normal_mapped),
            ),
            clay: false,
            toon: None,
        };
        match &material.toon {
            Some(toon) => surface.toon(head, mesh, material, toon),
            None => surface,
        }
    }

    /// The passes that draw any fragment of the surface, whose material and range of alpha these are.
    pub(crate) fn passes(self, range: AlphaRange, material: &Material) -> Vec<AlphaPass> {
        match &material.toon {
            Some(toon) => self.toon_passes(range, toon),
            None if self.lash_card => vec![AlphaPass::Cards],
            None => range.passes(material),
        }
    }

    /// The same surface in grey clay. A plain band of lashes becomes a band.
    pub(crate) fn in_clay(self) -> Self {
        let alpha = if self.lash_card { Alpha::Opaque } else { self.alpha };
        Self {
            alpha,
            textured: self.textured && alpha != Alpha::Opaque,
            unlit: false,
            beside_toon: false,
            finish: Finish::Satin,
            normal_mapped: false,
            roughness_mapped: false,
            occlusion_mapped: false,
            emissive: false,
            emissive_mapped: false,
            specular: false,
            specular_mapped: false,
            clearcoat: false,
            sheen: false,
            role: Role::Other,
            plain: false,
            strands_in_texture: false,
            lash_card: false,
            relief: Relief::None,
            clay: true,
            toon: None,
            ..self
        }
    }
}

/// Whether a texture of hair is large enough to show strands; some are a single colour.
fn shows_strands(head: &Head, material: &Material) -> bool {
    const LEAST_TEXELS: u32 = 32;
    let texture = material.base_color_texture.and_then(|map| head.textures.get(map.texture));
    texture.is_some_and(|texture| texture.image.width().min(texture.image.height()) >= LEAST_TEXELS)
}
