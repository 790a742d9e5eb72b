//! Materials: colour, roughness, metalness, emission, opacity and their maps, of whatever kind of shader the file has them.

use ufbx::{MaterialMap, Scene, ShaderType};

use super::textures::FbxTextureCache;
use crate::import::Import;
use crate::import::error::Fault;
use crate::import::sidecar::ModelFolder;
use smirk_face::head::{AlphaMode, Encoding, Kind, Material, Note, Notes, Subject, Texture};

/// The materials of a scene in its order, then one for parts without a material, and the textures that they use.
pub(crate) fn read_materials(
    scene: &Scene,
    folder: Option<&ModelFolder>,
    import: &mut Import<'_>,
) -> Result<(Vec<Material>, Vec<Texture>), Fault> {
    let mut textures = FbxTextureCache::new(folder);
    import.begin("reading materials", 0.32);
    let mut materials = Vec::with_capacity(scene.materials.len() + 1);
    for (index, material) in scene.materials.iter().enumerate() {
        import.tick_at(0.32 + 0.08 * index as f32 / scene.materials.len() as f32)?;
        materials.push(read_material(index, material, &mut textures, &mut import.notes));
    }
    let lacks_material = |mesh: &ufbx::Mesh| mesh.materials.is_empty();
    if materials.is_empty() || scene.meshes.iter().any(|mesh| lacks_material(mesh)) {
        materials.push(Material::default());
    }
    Ok((materials, textures.into_textures()))
}

fn read_material(
    index: usize,
    material: &ufbx::Material,
    textures: &mut FbxTextureCache<'_>,
    notes: &mut Notes,
) -> Material {
    let name = Some(material.element.name.to_string()).filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| format!("material {index}"));
    let subject = Subject::named(Kind::Material, &name);
    let (pbr, plain) = (&material.pbr, Material::default());
    let mut find = |map: &MaterialMap, encoding, purpose: &str, notes: &mut Notes| {
        textures.find(texture_of(map)?, encoding, purpose, &subject, notes)
    };
    let base_color_texture = find(&pbr.base_color, Encoding::Srgb, "colour texture", notes);
    let normal_texture = find(&pbr.normal_map, Encoding::Linear, "normal map", notes);
    let emissive_texture = find(&pbr.emission_color, Encoding::Srgb, "emissive map", notes);
    let occlusion_texture = find(&pbr.ambient_occlusion, Encoding::Linear, "occlusion map", notes);
    let (metalness, roughness) = (metalness(material), roughness(material));
    // One image may hold roughness in its green and metalness in its blue channel. A map of roughness alone is grey, and can be shown
    // on what is no metal.
    let [of_roughness, of_metalness] = [&pbr.roughness, &pbr.metalness].map(texture_of);
    let is_one_image = matches!((of_roughness, of_metalness), (Some(a), Some(b)) if is_same_image(a, b));
    let is_grey_on_no_metal = of_metalness.is_none() && metalness == Some(0.0);
    let mut unshown = Vec::new();
    let metallic_roughness_texture = if is_one_image || (of_roughness.is_some() && is_grey_on_no_metal) {
        find(&pbr.roughness, Encoding::Linear, "roughness map", notes)
    } else {
        unshown.extend(of_roughness.map(|_| "its roughness map"));
        unshown.extend(of_metalness.map(|_| "its metalness map"));
        None
    };
    unshown.extend(texture_of(&material.fbx.bump).map(|_| "its bump map"));
    unshown.extend(texture_of(&pbr.displacement_map).map(|_| "its displacement map"));
    let opacity_maps = [&pbr.opacity, &material.fbx.transparency_color, &material.fbx.transparency_factor];
    let opacity_map = opacity_maps.into_iter().find_map(texture_of);
    let color_map = texture_of(&pbr.base_color);
    let alpha_in_texture =
        base_color_texture.is_some() && matches!((opacity_map, color_map), (Some(a), Some(b)) if is_same_image(a, b));
    if opacity_map.is_some() && !alpha_in_texture {
        unshown.push("its opacity map: alpha is read from the colour texture only");
    }
    if !unshown.is_empty() {
        notes.push(Note::warning(&subject, format!("shown without {}", unshown.join(", "))));
    }
    let alpha = if opacity_map.is_some() { 1.0 } else { opacity(material) };
    let factor = value(&pbr.base_factor).unwrap_or(1.0);
    // A texture takes the place of the colour.
    let color = if base_color_texture.is_some() { [1.0; 3] } else { color(&pbr.base_color).unwrap_or([0.8; 3]) };
    let [red, green, blue] = color.map(|share| fraction(share * factor));
    // Without its map, the whole surface would glow.
    let lacks_emissive_map = texture_of(&pbr.emission_color).is_some() && emissive_texture.is_none();
    let emission = if emissive_texture.is_some() { Some([1.0; 3]) } else { color_of_emission(pbr, lacks_emissive_map) };
    let emission_factor = value(&pbr.emission_factor).unwrap_or(1.0);
    Material {
        base_color: [red, green, blue, alpha],
        base_color_texture,
        metallic: if is_one_image && metallic_roughness_texture.is_some() {
            1.0
        } else {
            metalness.unwrap_or(plain.metallic)
        },
        roughness: if metallic_roughness_texture.is_some() { 1.0 } else { roughness.unwrap_or(plain.roughness) },
        metallic_roughness_texture,
        normal_texture,
        occlusion_texture,
        emissive: emission.unwrap_or_default().map(|share| (share * emission_factor).clamp(0.0, 1e4)),
        emissive_texture,
        alpha: if alpha < 1.0 || alpha_in_texture { AlphaMode::Blend } else { AlphaMode::Opaque },
        unlit: material.features.unlit.enabled,
        name,
        ..plain
    }
}

fn color_of_emission(pbr: &ufbx::MaterialPbrMaps, lacks_map: bool) -> Option<[f32; 3]> {
    color(&pbr.emission_color).filter(|_| !lacks_map)
}

/// 0..1; none if the shader does not say.
fn metalness(material: &ufbx::Material) -> Option<f32> {
    match value(&material.pbr.metalness) {
        Some(metalness) => Some(fraction(metalness)),
        // These have no metals.
        None if matches!(material.shader_type, ShaderType::FbxLambert | ShaderType::FbxPhong) => Some(0.0),
        None => None,
    }
}

/// 0..1; none if the shader does not say.
fn roughness(material: &ufbx::Material) -> Option<f32> {
    if material.features.roughness_as_glossiness.enabled {
        return value(&material.pbr.glossiness).map(|glossiness| 1.0 - fraction(glossiness));
    }
    value(&material.pbr.roughness).map(fraction)
}

/// 0..1.
fn opacity(material: &ufbx::Material) -> f32 {
    let mean = |[red, green, blue]: [f32; 3]| (red + green + blue) / 3.0;
    if let Some(opacity) = color(&material.pbr.opacity) {
        return fraction(mean(opacity));
    }
    let transparency = color(&material.fbx.transparency_color).map(mean);
    let factor = value(&material.fbx.transparency_factor);
    let opacity = match (transparency, factor) {
        (Some(transparency), factor) => 1.0 - transparency * factor.unwrap_or(1.0),
        (None, _) => material.element.props.find_prop("Opacity").map_or(1.0, |opacity| opacity.value_vec4.x as f32),
    };
    // Some programs write a transparency of 1 for what is opaque, and nobody exports what is never seen.
    let opacity = fraction(opacity);
    if opacity > 0.0 { opacity } else { 1.0 }
}

/// The texture of a map, if it is used.
fn texture_of(map: &MaterialMap) -> Option<&ufbx::Texture> {
    map.texture.as_deref().filter(|_| map.texture_enabled)
}

fn is_same_image(a: &ufbx::Texture, b: &ufbx::Texture) -> bool {
    a.element.typed_id == b.element.typed_id || (a.has_file && b.has_file && a.file_index == b.file_index)
}

/// The number of a map; none if the material does not have it.
fn value(map: &MaterialMap) -> Option<f32> {
    Some(map.value_vec4.x as f32).filter(|value| map.has_value && value.is_finite())
}

/// The colour of a map, linear RGB; none if the material does not have it. One number stands for grey.
fn color(map: &MaterialMap) -> Option<[f32; 3]> {
    let ufbx::Vec4 { x, y, z, .. } = map.value_vec4;
    let color = if map.value_components == 1 { [x; 3] } else { [x, y, z] }.map(|share| share as f32);
    Some(color).filter(|color| map.has_value && color.iter().all(|share| share.is_finite()))
}

fn fraction(number: f32) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1.0) } else { 1.0 }
}
