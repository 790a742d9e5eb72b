//! Materials (glTF 2.0 §3.9), as far as Smirk draws them: base colour, metallic-roughness, normal, occlusion and
//! emissive maps, alpha, and the [extensions](super::material_extensions).

use glam::Affine2;
use gltf::json;
use gltf::json::validation::Checked;

use super::images::Images;
use super::material_extensions::{MaterialExtensions, SpecularGlossiness};
use super::material_textures::{MaterialTextures, extensions_of, is_unlit};
use super::texture_cache::{GltfTextureCache, ReadTextures};
use super::texture_use::TextureUse;
use super::toon;
use super::uv_sets::UvSets;
use crate::import::gltf::read::GltfDocument;
use crate::import::{Fault, Import};
use smirk_face::head::{AlphaMode, Encoding, Kind, Material, Subject, TextureRef};

/// All materials, and the textures they use. Textures that no material uses are not decoded.
pub(crate) fn read_materials(
    document: &GltfDocument,
    images: &Images<'_>,
    import: &mut Import<'_>,
) -> Result<(Vec<Material>, ReadTextures), Fault> {
    let mut cache = GltfTextureCache::new(images);
    let mut materials = Vec::with_capacity(document.materials.len());
    import.begin("reading materials", 0.15);
    cache.decode_ahead(import)?;
    for (index, material) in document.materials.iter().enumerate() {
        let fraction = index as f32 / document.materials.len() as f32;
        import.tick_at(0.15 + 0.15 * fraction)?;
        // Of a material of VRM 0.x that is drawn otherwise, what is saved needs no notes.
        let Some(drawn) = document.drawn_materials.get(&index) else {
            materials.push(read(index, material, &mut cache, import)?);
            continue;
        };
        let notes = std::mem::take(&mut import.notes);
        let of_file = read(index, material, &mut cache, import);
        import.notes = notes;
        let (of_file, mut drawn) = (of_file?, read(index, drawn, &mut cache, import)?);
        if let Some(toon) = &mut drawn.toon {
            toon.in_file = Some(Box::new(of_file));
        }
        materials.push(drawn);
    }
    Ok((materials, cache.finish()))
}

fn read(
    index: usize,
    material: &json::Material,
    cache: &mut GltfTextureCache<'_>,
    import: &mut Import<'_>,
) -> Result<Material, Fault> {
    let name = material.name.clone().unwrap_or_else(|| format!("material {index}"));
    let subject = Subject::named(Kind::Material, &name);
    let textures = MaterialTextures::read(material);
    let uv_sets = UvSets::choose(&textures);
    let mut find = |texture: Option<TextureUse>, encoding, purpose: &str| -> Result<Option<TextureRef>, Fault> {
        let Some(TextureUse { texture, uv_set: number, texture_from_uv }) = texture else { return Ok(None) };
        // Each texture may be decoded for a second.
        import.tick()?;
        let Some(uv_set) = uv_sets.stored_as(number) else {
            let (first, second) = (uv_sets.first, uv_sets.second.unwrap_or(uv_sets.first));
            let message = format!(
                "shown without its {purpose}: it is read at TEXCOORD_{number}, others at TEXCOORD_{first} and \
                 TEXCOORD_{second}; Smirk reads two sets"
            );
            import.notes.warn(&subject, message);
            return Ok(None);
        };
        let texture_from_uv = if texture_from_uv.is_finite() { texture_from_uv } else { Affine2::IDENTITY };
        let texture = cache.find(texture, encoding, purpose, &subject, &mut import.notes);
        Ok(texture.map(|texture| TextureRef { texture, uv_set, texture_from_uv }))
    };
    let base_color_texture = find(textures.color, Encoding::Srgb, "colour texture")?;
    let metallic_roughness_texture = find(textures.metallic_roughness, Encoding::Linear, "metallic-roughness texture")?;
    let normal_texture = find(textures.normal, Encoding::Linear, "normal map")?;
    let occlusion_texture = find(textures.occlusion, Encoding::Linear, "occlusion map")?;
    let emissive_texture = find(textures.emissive, Encoding::Srgb, "emissive map")?;
    let specular_texture = find(textures.specular, Encoding::Linear, "specular map")?;
    let toon =
        toon::extension(material).map(|extension| toon::read(extension, textures.toon, &mut find)).transpose()?;
    let (toon, wrong) = toon.unzip();
    toon::note(&wrong.unwrap_or_default(), &subject, &mut import.notes);

    let extensions = extensions_of(material);
    let extension_factors = MaterialExtensions::read(extensions);
    let defaults = Material::default();
    let pbr = &material.pbr_metallic_roughness;
    // The factors are usually 1 where a texture holds the values: without it, the whole surface would be metal.
    let lacks_map = textures.metallic_roughness.is_some() && metallic_roughness_texture.is_none();
    // For the same reason: without its map, the whole surface would glow.
    let is_emissive = textures.emissive.is_none() || emissive_texture.is_some();
    let emissive = material.emissive_factor.0.map(|channel| fraction(channel) * extension_factors.emissive_strength);
    let mut read = Material {
        name,
        base_color: pbr.base_color_factor.0.map(fraction),
        base_color_texture,
        metallic: if lacks_map { defaults.metallic } else { fraction(pbr.metallic_factor.0) },
        roughness: if lacks_map { defaults.roughness } else { fraction(pbr.roughness_factor.0) },
        metallic_roughness_texture,
        normal_texture,
        normal_scale: material.normal_texture.as_ref().map_or(1.0, |texture| finite_or(texture.scale, 1.0)),
        occlusion_texture,
        occlusion_strength: material.occlusion_texture.as_ref().map_or(1.0, |texture| fraction(texture.strength.0)),
        emissive: if is_emissive { emissive } else { [0.0; 3] },
        emissive_texture,
        specular: extension_factors.specular,
        specular_color: extension_factors.specular_color,
        specular_texture,
        coat: extension_factors.coat,
        coat_roughness: extension_factors.coat_roughness,
        sheen_color: extension_factors.sheen_color,
        sheen_roughness: extension_factors.sheen_roughness,
        transmission: extension_factors.transmission,
        alpha: alpha_of(material),
        double_sided: material.double_sided,
        unlit: is_unlit(material),
        toon: toon.map(Box::new),
        ..defaults
    };
    let mut unshown = extension_factors.unshown;
    if let Some(specular_glossiness) = SpecularGlossiness::read(extensions) {
        read.base_color = specular_glossiness.diffuse.map(fraction);
        read.metallic = 0.0;
        read.roughness = specular_glossiness.roughness.unwrap_or(defaults.roughness);
        read.specular_color = specular_glossiness.specular_color;
        if specular_glossiness.has_specular_texture {
            unshown.push("specularGlossinessTexture".to_owned());
        }
    }
    if !unshown.is_empty() {
        import.notes.warn(subject, format!("shown without {}", unshown.join(", ")));
    }
    Ok(read)
}

fn fraction(factor: f32) -> f32 {
    finite_or(factor, 1.0).clamp(0.0, 1.0)
}

/// A number of the JSON, or `default` where it is too large for an f32.
fn finite_or(number: f32, default: f32) -> f32 {
    if number.is_finite() { number } else { default }
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
