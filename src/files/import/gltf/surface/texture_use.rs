//! How a material refers to a texture: which one, at which texture coordinates, and how those are transformed
//! (`KHR_texture_transform`).

use glam::{Affine2, Vec2};
use gltf::json::{self, Index};
use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug)]
pub(crate) struct TextureUse {
    pub texture: Index<json::Texture>,
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
        let [index, uv_set] = ["index", "texCoord"].map(|key| u32::try_from(info.get(key)?.as_u64()?).ok());
        let extensions = info.get("extensions").and_then(Value::as_object);
        Some(Self::new(Index::new(index?), uv_set.unwrap_or(0), extensions))
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

/// The object of an extension, or none if the extension is absent.
#[derive(Clone, Copy)]
pub(crate) struct ExtensionObject<'a>(pub Option<&'a Value>);

impl<'a> ExtensionObject<'a> {
    pub(crate) fn named(extensions: Option<&'a Map<String, Value>>, name: &str) -> Self {
        Self(extensions.and_then(|extensions| extensions.get(name)))
    }

    pub(crate) fn get(self, key: &str) -> Option<&'a Value> {
        self.0?.get(key)
    }

    /// A finite number, or `default`.
    pub(crate) fn number(self, key: &str, default: f32) -> f32 {
        finite(self.get(key)).unwrap_or(default)
    }

    /// A list of at least `N` numbers, or `default`; single numbers that are not finite have their default.
    pub(crate) fn numbers<const N: usize>(self, key: &str, default: [f32; N]) -> [f32; N] {
        let list = self.get(key).and_then(Value::as_array);
        let Some(list) = list.filter(|list| list.len() >= N) else { return default };
        let mut numbers = default;
        for (number, value) in numbers.iter_mut().zip(list) {
            *number = finite(Some(value)).unwrap_or(*number);
        }
        numbers
    }

    /// A number, clamped to 0..1, or `default`.
    pub(crate) fn fraction(self, key: &str, default: f32) -> f32 {
        self.number(key, default).clamp(0.0, 1.0)
    }
}

fn finite(value: Option<&Value>) -> Option<f32> {
    value.and_then(Value::as_f64).map(|number| number as f32).filter(|number| number.is_finite())
}
