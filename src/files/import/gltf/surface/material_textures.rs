//! The textures of a material, core and of extensions (glTF 2.0 §3.9).
//!
//! How a material refers to a texture: which one, at which texture coordinates, and how those are transformed
//! (`KHR_texture_transform`).

use glam::{Affine2, Vec2};
use gltf::json::{self, Index};
use serde_json::{Map, Value};

use super::material_extensions::{ExtensionObject, MaterialExtensions, SpecularGlossiness};

/// A material's textures by what they are for; none where it has no texture, or one that is not drawn.
#[derive(Default)]
pub(crate) struct MaterialTextures {
    pub color: Option<TextureUse>,
    pub normal: Option<TextureUse>,
    pub metallic_roughness: Option<TextureUse>,
    pub occlusion: Option<TextureUse>,
    pub emissive: Option<TextureUse>,
    pub specular: Option<TextureUse>,
}

impl MaterialTextures {
    /// The textures that a material is drawn with. An unlit material has only its colour.
    pub(crate) fn of(material: &json::Material) -> Self {
        let extensions = extensions_of(material);
        let pbr = &material.pbr_metallic_roughness;
        let specular_glossiness = SpecularGlossiness::of(extensions);
        let color = match &specular_glossiness {
            Some(specular_glossiness) => specular_glossiness.diffuse_texture,
            None => pbr.base_color_texture.as_ref().map(TextureUse::of_info),
        };
        if is_unlit(material) {
            return Self { color, ..Self::default() };
        }
        let is_metallic_roughness = specular_glossiness.is_none();
        let metallic_roughness = pbr.metallic_roughness_texture.as_ref().filter(|_| is_metallic_roughness);
        let normal = material.normal_texture.as_ref().map(|normal| {
            let extensions = normal.extensions.as_ref().map(|extensions| &extensions.others);
            TextureUse::new(normal.index, normal.tex_coord, extensions)
        });
        let occlusion = material.occlusion_texture.as_ref().map(|occlusion| {
            let extensions = occlusion.extensions.as_ref().map(|extensions| &extensions.others);
            TextureUse::new(occlusion.index, occlusion.tex_coord, extensions)
        });
        Self {
            color,
            normal,
            metallic_roughness: metallic_roughness.map(TextureUse::of_info),
            occlusion,
            emissive: material.emissive_texture.as_ref().map(TextureUse::of_info),
            specular: MaterialExtensions::of(extensions).specular_texture,
        }
    }

    /// The textures that are present, by how much the picture would change without them, most first.
    pub(crate) fn by_importance(&self) -> impl Iterator<Item = TextureUse> + use<> {
        let all = [self.color, self.normal, self.metallic_roughness, self.occlusion, self.emissive, self.specular];
        all.into_iter().flatten()
    }
}

/// Whether a material is drawn without light (`KHR_materials_unlit`).
pub(super) fn is_unlit(material: &json::Material) -> bool {
    extensions_of(material).is_some_and(|extensions| extensions.contains_key("KHR_materials_unlit"))
}

/// A material's extensions by name.
pub(super) fn extensions_of(material: &json::Material) -> Option<&Map<String, Value>> {
    material.extensions.as_ref().map(|extensions| &extensions.others)
}

/// A material's reference to a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureUse {
    pub texture: Index<json::Texture>,
    /// The number of the TEXCOORD attribute.
    pub uv_set: u32,
    pub texture_from_uv: Affine2,
}

impl TextureUse {
    /// A texture that a core property of the material refers to.
    pub(crate) fn of_info(info: &json::texture::Info) -> Self {
        let extensions = info.extensions.as_ref().map(|extensions| &extensions.others);
        Self::new(info.index, info.tex_coord, extensions)
    }

    /// A texture that a property of an extension refers to; none if it is absent or has no valid index.
    pub(crate) fn in_extension(extension: ExtensionObject<'_>, key: &str) -> Option<Self> {
        let info = extension.get(key)?;
        let number = |key: &str| info.get(key)?.as_u64().and_then(|number| u32::try_from(number).ok());
        let extensions = info.get("extensions").and_then(Value::as_object);
        Some(Self::new(Index::new(number("index")?), number("texCoord").unwrap_or(0), extensions))
    }

    /// A texture at TEXCOORD `uv_set`; `KHR_texture_transform` among `extensions` may name another set.
    pub(crate) fn new(texture: Index<json::Texture>, uv_set: u32, extensions: Option<&Map<String, Value>>) -> Self {
        let Some(transform) = extensions.and_then(|extensions| extensions.get("KHR_texture_transform")) else {
            return Self { texture, uv_set, texture_from_uv: Affine2::IDENTITY };
        };
        let own_set = transform.get("texCoord").and_then(Value::as_u64).and_then(|set| u32::try_from(set).ok());
        let transform = ExtensionObject(Some(transform));
        let offset = Vec2::from(transform.numbers("offset", [0.0; 2]));
        let scale = Vec2::from(transform.numbers("scale", [1.0; 2]));
        // The extension rotates counter-clockwise as seen in the image, where v points down.
        let angle = -transform.number("rotation", 0.0);
        let texture_from_uv = Affine2::from_scale_angle_translation(scale, angle, offset);
        Self { texture, uv_set: own_set.unwrap_or(uv_set), texture_from_uv }
    }
}
