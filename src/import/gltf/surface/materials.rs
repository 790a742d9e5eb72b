//! Surfaces (glTF 2.0 §3.9), as far as Smirk draws them: base colour, metal and roughness, normal, occlusion and emissive
//! maps, alpha, and the [layers](super::material_extensions) of extensions.

use glam::Affine2;
use gltf::json;
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::images::Images;
use super::material_extensions::Layers;
use super::specular_glossiness::SpecularGlossiness;
use super::texture_cache::Gallery;
use super::texture_use::TextureUse;
use super::uv_sets::UvSets;
use crate::head::{AlphaMode, Encoding, Material, Note, Texture, TextureRef};
use crate::import::error::quoted;
use crate::import::gltf::read::Document;
use crate::import::{Fault, Progress, report};

/// All materials, and the textures they use; no others are decoded.
pub fn read_all(
    document: &Document,
    images: &Images<'_>,
    progress: &Progress<'_>,
    notes: &mut Vec<Note>,
) -> Result<(Vec<Material>, Vec<Texture>), Fault> {
    let mut gallery = Gallery::new(images);
    let mut materials = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let share = index as f32 / document.materials.len() as f32;
        report(progress, "reading materials", 0.15 + 0.15 * share)?;
        materials.push(read(index, material, &mut gallery, notes)?);
    }
    Ok((materials, gallery.into_textures()))
}

/// Which sets of texture coordinates a material's textures are read at.
pub fn uv_sets(material: Option<&json::Material>) -> UvSets {
    UvSets::of(material.into_iter().flat_map(|material| Uses::of(material).in_order()))
}

/// A material's textures. glTF has a type for each use.
struct Uses {
    color: Option<TextureUse>,
    normal: Option<TextureUse>,
    metallic_roughness: Option<TextureUse>,
    occlusion: Option<TextureUse>,
    emissive: Option<TextureUse>,
    specular: Option<TextureUse>,
}

impl Uses {
    fn of(material: &json::Material) -> Self {
        let extensions = extensions_of(material);
        let pbr = &material.pbr_metallic_roughness;
        let older = SpecularGlossiness::of(extensions);
        let color = match &older {
            Some(older) => older.diffuse_texture,
            None => pbr.base_color_texture.as_ref().map(TextureUse::of_info),
        };
        if is_unlit(material) {
            let none = None;
            return Self {
                color,
                normal: none,
                metallic_roughness: none,
                occlusion: none,
                emissive: none,
                specular: none,
            };
        }
        let plain = older.is_none();
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
            metallic_roughness: pbr.metallic_roughness_texture.as_ref().filter(|_| plain).map(TextureUse::of_info),
            occlusion,
            emissive: material.emissive_texture.as_ref().map(TextureUse::of_info),
            specular: Layers::of(extensions).specular_texture,
        }
    }

    /// Those there are, from what is missed most to what is missed least.
    fn in_order(&self) -> impl Iterator<Item = TextureUse> + use<> {
        let all = [self.color, self.normal, self.metallic_roughness, self.occlusion, self.emissive, self.specular];
        all.into_iter().flatten()
    }
}

fn read(
    index: usize,
    material: &json::Material,
    gallery: &mut Gallery<'_>,
    notes: &mut Vec<Note>,
) -> Result<Material, Fault> {
    let name = material.name.clone().unwrap_or_else(|| format!("material {index}"));
    let object = format!("material {}", quoted(&name));
    let uses = Uses::of(material);
    let uv_sets = UvSets::of(uses.in_order());
    let mut find = |found: Option<TextureUse>, encoding, what: &str| -> Result<Option<TextureRef>, Fault> {
        let Some(TextureUse { texture, uv_set, texture_from_uv }) = found else { return Ok(None) };
        let Some(place) = uv_sets.place_of(uv_set) else {
            let (first, second) = (uv_sets.first, uv_sets.second.unwrap_or(uv_sets.first));
            let message = format!(
                "shown without its {what}: it is read at TEXCOORD_{uv_set}, others at TEXCOORD_{first} and \
                 TEXCOORD_{second}; two sets are read"
            );
            notes.push(Note::warning(&*object, message));
            return Ok(None);
        };
        let texture_from_uv = if texture_from_uv.is_finite() { texture_from_uv } else { Affine2::IDENTITY };
        let texture = gallery.find(texture, encoding, what, &object, notes)?;
        Ok(texture.map(|texture| TextureRef { texture, uv_set: place, texture_from_uv }))
    };
    let base_color_texture = find(uses.color, Encoding::Srgb, "colour texture")?;
    let metallic_roughness_texture = find(uses.metallic_roughness, Encoding::Linear, "metallic-roughness texture")?;
    let normal_texture = find(uses.normal, Encoding::Linear, "normal map")?;
    let occlusion_texture = find(uses.occlusion, Encoding::Linear, "occlusion map")?;
    let emissive_texture = find(uses.emissive, Encoding::Srgb, "emissive map")?;
    let specular_texture = find(uses.specular, Encoding::Linear, "specular map")?;

    let extensions = extensions_of(material);
    let layers = Layers::of(extensions);
    let plain = Material::default();
    let pbr = &material.pbr_metallic_roughness;
    // The texture says how metallic each texel is, and its factor is then usually 1: without the texture, all metal.
    let lacks_map = uses.metallic_roughness.is_some() && metallic_roughness_texture.is_none();
    // A factor of 1 where the map is lost would make a lamp of it.
    let glows = uses.emissive.is_none() || emissive_texture.is_some();
    let emissive = material.emissive_factor.0.map(|channel| share(channel) * layers.emissive_strength);
    let mut read = Material {
        name,
        base_color: pbr.base_color_factor.0.map(share),
        base_color_texture,
        metallic: if lacks_map { plain.metallic } else { share(pbr.metallic_factor.0) },
        roughness: if lacks_map { plain.roughness } else { share(pbr.roughness_factor.0) },
        metallic_roughness_texture,
        normal_texture,
        normal_scale: material.normal_texture.as_ref().map_or(1.0, |texture| finite_or(texture.scale, 1.0)),
        occlusion_texture,
        occlusion_strength: material.occlusion_texture.as_ref().map_or(1.0, |texture| share(texture.strength.0)),
        emissive: if glows { emissive } else { [0.0; 3] },
        emissive_texture,
        specular: layers.specular,
        specular_color: layers.specular_color,
        specular_texture,
        coat: layers.coat,
        coat_roughness: layers.coat_roughness,
        sheen_color: layers.sheen_color,
        sheen_roughness: layers.sheen_roughness,
        transmission: layers.transmission,
        alpha: alpha_of(material),
        double_sided: material.double_sided,
        unlit: is_unlit(material),
    };
    let mut unshown = layers.unshown;
    if let Some(older) = SpecularGlossiness::of(extensions) {
        read.base_color = older.diffuse.map(share);
        read.metallic = 0.0;
        read.roughness = older.roughness.unwrap_or(plain.roughness);
        read.specular_color = older.specular_color;
        if older.has_map {
            unshown.push("specularGlossinessTexture".to_owned());
        }
    }
    if !unshown.is_empty() {
        notes.push(Note::warning(object, format!("shown without {}", unshown.join(", "))));
    }
    Ok(read)
}

fn share(factor: f32) -> f32 {
    finite_or(factor, 1.0).clamp(0.0, 1.0)
}

/// JSON has numbers that f32 has not.
fn finite_or(number: f32, usual: f32) -> f32 {
    if number.is_finite() { number } else { usual }
}

fn alpha_of(material: &json::Material) -> AlphaMode {
    match material.alpha_mode {
        Checked::Valid(json::material::AlphaMode::Mask) => {
            AlphaMode::Mask { cutoff: material.alpha_cutoff.map_or(0.5, |cutoff| finite_or(cutoff.0, 0.5)) }
        }
        Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
        Checked::Valid(json::material::AlphaMode::Opaque) | Checked::Invalid => AlphaMode::Opaque,
    }
}

fn is_unlit(material: &json::Material) -> bool {
    extensions_of(material).is_some_and(|extensions| extensions.contains_key("KHR_materials_unlit"))
}

fn extensions_of(material: &json::Material) -> Option<&Map<String, Value>> {
    material.extensions.as_ref().map(|extensions| &extensions.others)
}
