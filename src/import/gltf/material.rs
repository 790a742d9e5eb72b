//! Surfaces (glTF 2.0 §3.9), as far as Smirk draws them: base colour, metal and roughness, normal and occlusion maps,
//! alpha.

use gltf::json;
use gltf::json::Index;
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::super::error::quoted;
use super::super::{Fault, Progress, report};
use super::document::Document;
use super::gallery::Gallery;
use super::texture::Images;
use crate::head::{AlphaMode, Encoding, Material, Note, Texture};

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

/// Which set of texture coordinates a material's textures are read at: the one its colour asks for, else the first of
/// its other maps.
pub fn uv_set(material: Option<&json::Material>) -> u32 {
    material.map_or(0, |material| References::of(material).uv_set())
}

/// What a material says of one of its textures.
#[derive(Clone, Copy)]
struct Reference<'a> {
    index: Index<json::Texture>,
    uv_set: u32,
    extensions: Option<&'a Map<String, Value>>,
}

impl<'a> Reference<'a> {
    fn plain(info: &'a json::texture::Info) -> Self {
        let extensions = info.extensions.as_ref().map(|extensions| &extensions.others);
        Self { index: info.index, uv_set: info.tex_coord, extensions }
    }

    /// Whether it asks to be moved, turned or scaled. Exporters write transforms that say nothing.
    fn is_transformed(&self) -> bool {
        let transform = self.extensions.and_then(|extensions| extensions.get("KHR_texture_transform"));
        transform.and_then(Value::as_object).is_some_and(|transform| !transform.is_empty())
    }
}

/// A material's textures. glTF has a type for each use.
struct References<'a> {
    color: Option<Reference<'a>>,
    metallic_roughness: Option<Reference<'a>>,
    normal: Option<Reference<'a>>,
    occlusion: Option<Reference<'a>>,
}

impl<'a> References<'a> {
    fn of(material: &'a json::Material) -> Self {
        let pbr = &material.pbr_metallic_roughness;
        let color = pbr.base_color_texture.as_ref().map(Reference::plain);
        if is_unlit(material) {
            return Self { color, metallic_roughness: None, normal: None, occlusion: None };
        }
        Self {
            color,
            metallic_roughness: pbr.metallic_roughness_texture.as_ref().map(Reference::plain),
            normal: material.normal_texture.as_ref().map(|texture| Reference {
                index: texture.index,
                uv_set: texture.tex_coord,
                extensions: texture.extensions.as_ref().map(|extensions| &extensions.others),
            }),
            occlusion: material.occlusion_texture.as_ref().map(|texture| Reference {
                index: texture.index,
                uv_set: texture.tex_coord,
                extensions: texture.extensions.as_ref().map(|extensions| &extensions.others),
            }),
        }
    }

    fn uv_set(&self) -> u32 {
        let first = self.color.or(self.normal).or(self.metallic_roughness).or(self.occlusion);
        first.map_or(0, |reference| reference.uv_set)
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
    let pbr = &material.pbr_metallic_roughness;
    let references = References::of(material);
    let uv_set = references.uv_set();
    let mut find = |reference: Option<Reference<'_>>, encoding, what: &str| -> Result<Option<usize>, Fault> {
        let Some(reference) = reference else { return Ok(None) };
        if reference.uv_set != uv_set {
            let message = format!(
                "shown without its {what}: it is read at TEXCOORD_{}, its other textures at TEXCOORD_{uv_set}",
                reference.uv_set
            );
            notes.push(Note::warning(&*object, message));
            return Ok(None);
        }
        if reference.is_transformed() {
            notes.push(Note::warning(&*object, format!("its {what} is shown without KHR_texture_transform")));
        }
        gallery.find(reference.index, encoding, what, &object, notes)
    };
    let base_color_texture = find(references.color, Encoding::Srgb, "colour texture")?;
    let metallic_roughness_texture =
        find(references.metallic_roughness, Encoding::Linear, "metallic-roughness texture")?;
    let normal_texture = find(references.normal, Encoding::Linear, "normal map")?;
    let occlusion_texture = find(references.occlusion, Encoding::Linear, "occlusion map")?;
    if has_extension(material, "KHR_materials_pbrSpecularGlossiness") {
        notes.push(Note::warning(&*object, "KHR_materials_pbrSpecularGlossiness is not read: its colour may be lost"));
    }
    // The texture says how metallic each texel is, and its factor is then usually 1: without the texture, all metal.
    let lacks_map = references.metallic_roughness.is_some() && metallic_roughness_texture.is_none();
    let plain = Material::default();
    let share = |factor: f32| if factor.is_finite() { factor.clamp(0.0, 1.0) } else { 1.0 };
    Ok(Material {
        name,
        base_color: pbr.base_color_factor.0.map(share),
        base_color_texture,
        metallic: if lacks_map { plain.metallic } else { share(pbr.metallic_factor.0) },
        roughness: if lacks_map { plain.roughness } else { share(pbr.roughness_factor.0) },
        metallic_roughness_texture,
        normal_texture,
        normal_scale: material.normal_texture.as_ref().map_or(1.0, |texture| texture.scale),
        occlusion_texture,
        occlusion_strength: material.occlusion_texture.as_ref().map_or(1.0, |texture| share(texture.strength.0)),
        alpha: match material.alpha_mode {
            Checked::Valid(json::material::AlphaMode::Mask) => {
                AlphaMode::Mask { cutoff: material.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0) }
            }
            Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
            Checked::Valid(json::material::AlphaMode::Opaque) | Checked::Invalid => AlphaMode::Opaque,
        },
        double_sided: material.double_sided,
        unlit: is_unlit(material),
    })
}

fn is_unlit(material: &json::Material) -> bool {
    has_extension(material, "KHR_materials_unlit")
}

fn has_extension(material: &json::Material, name: &str) -> bool {
    material.extensions.as_ref().is_some_and(|extensions| extensions.others.contains_key(name))
}
