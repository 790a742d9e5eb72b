//! The textures of a material, core and of extensions (glTF 2.0 §3.9).

use gltf::json;
use serde_json::{Map, Value};

use super::material_extensions::{MaterialExtensions, SpecularGlossiness};
use super::texture_use::TextureUse;
use super::toon;

/// A material's textures by what they are for; none where it has no texture, or one that is not drawn.
#[derive(Default)]
pub(crate) struct MaterialTextures {
    pub color: Option<TextureUse>,
    pub normal: Option<TextureUse>,
    pub metallic_roughness: Option<TextureUse>,
    pub occlusion: Option<TextureUse>,
    pub emissive: Option<TextureUse>,
    pub specular: Option<TextureUse>,
    /// Those of toon shading: see [`toon::textures`].
    pub toon: [Option<TextureUse>; 6],
}

impl MaterialTextures {
    /// The textures that a material is drawn with. An unlit material has only its colour.
    pub(crate) fn read(material: &json::Material) -> Self {
        let extensions = extensions_of(material);
        let pbr = &material.pbr_metallic_roughness;
        let specular_glossiness = SpecularGlossiness::read(extensions);
        let color = match &specular_glossiness {
            Some(specular_glossiness) => specular_glossiness.diffuse_texture,
            None => pbr.base_color_texture.as_ref().map(TextureUse::of_info),
        };
        let toon = toon::extension_in(extensions).map(toon::textures);
        if is_unlit(material) && toon.is_none() {
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
        let mut read = Self {
            color,
            normal,
            metallic_roughness: metallic_roughness.map(TextureUse::of_info),
            occlusion,
            emissive: material.emissive_texture.as_ref().map(TextureUse::of_info),
            specular: MaterialExtensions::read(extensions).specular_texture,
            toon: toon.unwrap_or_default(),
        };
        if let [.., Some(matcap)] = &mut read.toon {
            // It is read at no texture coordinates, so that no set has to be stored for it.
            matcap.uv_set = read.color.map_or(0, |color| color.uv_set);
        }
        read
    }

    /// The textures that are present, by how much the picture would change without them, most first.
    pub(crate) fn by_importance(&self) -> impl Iterator<Item = TextureUse> + use<> {
        let all = [self.color, self.normal, self.metallic_roughness, self.occlusion, self.emissive, self.specular];
        all.into_iter().chain(self.toon).flatten()
    }
}

/// Whether a material is drawn without light (`KHR_materials_unlit`).
pub(super) fn is_unlit(material: &json::Material) -> bool {
    extensions_of(material).is_some_and(|extensions| extensions.contains_key("KHR_materials_unlit"))
}

pub(super) fn extensions_of(material: &json::Material) -> Option<&Map<String, Value>> {
    material.extensions.as_ref().map(|extensions| &extensions.others)
}
