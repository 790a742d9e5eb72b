//! Surfaces (glTF 2.0 §3.9), as far as Smirk draws them: base colour, roughness, alpha.

use std::collections::HashMap;

use gltf::json;
use gltf::json::validation::Checked;
use serde_json::{Map, Value};

use super::super::error::quoted;
use super::super::{Fault, Progress, report};
use super::document::{Document, lookup};
use super::texture::Images;
use crate::head::{AlphaMode, Material, Note, Texture};

/// All materials, and the textures they use for colour; no others are decoded.
pub fn read_all(
    document: &Document,
    images: &Images<'_>,
    progress: &Progress<'_>,
    notes: &mut Vec<Note>,
) -> Result<(Vec<Material>, Vec<Texture>), Fault> {
    let mut textures = Textures { list: Vec::new(), known: HashMap::new(), bytes: 0 };
    let mut materials = Vec::with_capacity(document.materials.len());
    for (index, material) in document.materials.iter().enumerate() {
        let share = index as f32 / document.materials.len() as f32;
        report(progress, "reading materials", 0.15 + 0.15 * share)?;
        materials.push(read(index, material, images, &mut textures, notes)?);
    }
    Ok((materials, textures.list))
}

/// Which set of texture coordinates a material's colour asks for.
pub fn uv_set(material: Option<&json::Material>) -> u32 {
    let texture = material.and_then(|material| material.pbr_metallic_roughness.base_color_texture.as_ref());
    texture.map_or(0, |texture| texture.tex_coord)
}

/// Textures decoded so far. Many materials may share one.
struct Textures {
    list: Vec<Texture>,
    /// By index in the file; none where reading failed.
    known: HashMap<usize, Option<usize>>,
    bytes: u64,
}

impl Textures {
    /// What all pictures of a head may take, decoded.
    const MAX_BYTES: u64 = 2 << 30;

    fn find(
        &mut self,
        info: &json::texture::Info,
        object: &str,
        images: &Images<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<Option<usize>, Fault> {
        if let Some(&known) = self.known.get(&info.index.value()) {
            return Ok(known);
        }
        let texture = lookup(&images.document.textures, info.index, object, "texture")?;
        let read = if self.bytes < Self::MAX_BYTES {
            images.read(info.index, texture)
        } else {
            Err(format!("the textures before it already take {} MiB", self.bytes >> 20))
        };
        let found = match read {
            Ok(texture) => {
                self.bytes += texture.rgba.len() as u64;
                self.list.push(texture);
                Some(self.list.len() - 1)
            }
            Err(why) => {
                notes.push(Note::warning(object, format!("shown without its texture: {why}")));
                None
            }
        };
        self.known.insert(info.index.value(), found);
        Ok(found)
    }
}

fn read(
    index: usize,
    material: &json::Material,
    images: &Images<'_>,
    textures: &mut Textures,
    notes: &mut Vec<Note>,
) -> Result<Material, Fault> {
    let name = material.name.clone().unwrap_or_else(|| format!("material {index}"));
    let object = format!("material {}", quoted(&name));
    let pbr = &material.pbr_metallic_roughness;
    let has = |extension| has_extension(material.extensions.as_ref().map(|extensions| &extensions.others), extension);
    let base_color_texture = match &pbr.base_color_texture {
        Some(info) => {
            if has_extension(info.extensions.as_ref().map(|extensions| &extensions.others), "KHR_texture_transform") {
                notes.push(Note::warning(&*object, "its texture is shown without KHR_texture_transform"));
            }
            textures.find(info, &object, images, notes)?
        }
        None => None,
    };
    if has("KHR_materials_pbrSpecularGlossiness") {
        notes.push(Note::warning(&*object, "KHR_materials_pbrSpecularGlossiness is not read: its colour may be lost"));
    }
    // The texture says how metallic each texel is, and its factor is then usually 1: without the texture, all metal.
    let plain = Material::default();
    let has_map = pbr.metallic_roughness_texture.is_some();
    if has_map {
        notes.push(Note::info(&*object, "its metallic-roughness texture is not read: shown as a plain dielectric"));
    }
    Ok(Material {
        name,
        base_color: pbr.base_color_factor.0.map(|factor| if factor.is_finite() { factor.clamp(0.0, 1.0) } else { 1.0 }),
        base_color_texture,
        metallic: if has_map { plain.metallic } else { pbr.metallic_factor.0.clamp(0.0, 1.0) },
        roughness: if has_map { plain.roughness } else { pbr.roughness_factor.0.clamp(0.0, 1.0) },
        alpha: match material.alpha_mode {
            Checked::Valid(json::material::AlphaMode::Mask) => {
                AlphaMode::Mask { cutoff: material.alpha_cutoff.map_or(0.5, |cutoff| cutoff.0) }
            }
            Checked::Valid(json::material::AlphaMode::Blend) => AlphaMode::Blend,
            Checked::Valid(json::material::AlphaMode::Opaque) | Checked::Invalid => AlphaMode::Opaque,
        },
        double_sided: material.double_sided,
        unlit: has("KHR_materials_unlit"),
    })
}

fn has_extension(others: Option<&Map<String, Value>>, name: &str) -> bool {
    others.is_some_and(|others| others.contains_key(name))
}
