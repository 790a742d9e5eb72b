//! How a material refers to a texture: which one, at which texture coordinates, and how those are transformed
//! (`KHR_texture_transform`).

use glam::{Affine2, Vec2};
use gltf::json;
use gltf::json::Index;
use serde_json::{Map, Value};

use super::extension_object::ExtensionObject;

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
