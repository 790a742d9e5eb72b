//! Materials, textures and samplers of a head (glTF 2.0 §3.8). Images that were read from PNG or JPEG are written as
//! they are, others as PNG.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Cursor;
use std::sync::Arc;

use image::error::{ParameterError, ParameterErrorKind};
use image::{ImageBuffer, ImageError, ImageFormat, Rgba};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::add_extensions;
use super::bin::Bin;
use super::toon;
use crate::ExportError;
use smirk_base::progress::Progress;
use smirk_face::head::{AlphaMode, Head, Image, Material, Sampler, Texture, TextureRef, UvSet, Wrap};

/// Adds materials, textures, images and samplers to the root object, and returns the image of each texture. Reports the
/// part of the images that is encoded.
pub(super) fn write(
    head: &Head,
    root: &mut Map<String, Value>,
    bin: &mut Bin,
    progress: Progress<'_>,
) -> Result<Vec<usize>, ExportError> {
    let mut materials: Vec<Value> = head.materials.iter().map(write_material).collect();
    for (index, extensions) in &head.carried.materials {
        if let Some(material) = materials.get_mut(*index) {
            add_extensions(material, Some(extensions));
        }
    }
    // Toon shading that a file has is carried as the file has it.
    for (own, written) in head.materials.iter().zip(&mut materials) {
        if let Some(toon) = own.toon.as_ref().filter(|toon| toon.in_file.is_none()) {
            let extensions = json!({toon::EXTENSION: toon::extension(toon)});
            add_extensions(
                written,
                extensions.as_object().filter(|_| written["extensions"].get(toon::EXTENSION).is_none()),
            );
        }
    }
    root.insert("materials".into(), materials.into());
    let pictures = pictures(&head.textures, progress)?;
    let (mut images, mut samplers, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    let mut image_of: HashMap<*const Image, usize> = HashMap::new();
    // The name, the image and the sampler of each texture.
    let mut written: Vec<(&str, usize, Sampler)> = Vec::new();
    for texture in &head.textures {
        let image = Arc::as_ptr(&texture.image);
        let source = match (image_of.get(&image), pictures.get(&image)) {
            (Some(&source), _) => source,
            (None, picture) => {
                let (bytes, mime_type) = picture.map_or((&[][..], PNG), |(bytes, mime_type)| (&**bytes, *mime_type));
                let view = bin.raw(bytes);
                images.push(json!({"name": texture.name, "mimeType": mime_type, "bufferView": view}));
                image_of.insert(image, images.len() - 1);
                images.len() - 1
            }
        };
        written.push((&texture.name, source, texture.sampler));
    }
    let first_carried = images.len();
    for image in &head.carried.images {
        let mime_type = if image.file.starts_with(b"\x89PNG") { PNG } else { "image/jpeg" };
        images.push(json!({"name": image.name, "mimeType": mime_type, "bufferView": bin.raw(&image.file)}));
    }
    for texture in &head.carried.textures {
        written.push((&head.carried.images[texture.image].name, first_carried + texture.image, texture.sampler));
    }
    let mut known_samplers: Vec<Sampler> = Vec::new();
    for (name, source, own) in &written {
        let sampler = known_samplers.iter().position(|known| known == own).unwrap_or_else(|| {
            known_samplers.push(*own);
            samplers.push(sampler(*own));
            samplers.len() - 1
        });
        textures.push(json!({"name": name, "source": source, "sampler": sampler}));
    }
    for (list, elements) in [("images", images), ("samplers", samplers), ("textures", textures)] {
        root.insert(list.into(), elements.into());
    }
    Ok(written.into_iter().map(|(_, source, _)| source).collect())
}

const PNG: &str = "image/png";

type EncodedImage<'a> = (Cow<'a, [u8]>, &'static str);

/// The file that an image was read from with its MIME type, if a GLB may contain it.
pub(crate) fn file_as_it_is(image: &Image) -> Option<(&[u8], &'static str)> {
    match image.file()? {
        file @ [0x89, b'P', b'N', b'G', ..] => Some((file, PNG)),
        file @ [0xFF, 0xD8, ..] => Some((file, "image/jpeg")),
        _ => None,
    }
}

/// The file of every image, which textures may share. As many at once as there are cores.
fn pictures<'a>(
    textures: &'a [Texture],
    progress: Progress<'_>,
) -> Result<HashMap<*const Image, EncodedImage<'a>>, ExportError> {
    let mut known = HashSet::new();
    let own: Vec<&Texture> = textures.iter().filter(|texture| known.insert(Arc::as_ptr(&texture.image))).collect();
    let mut pictures = HashMap::with_capacity(own.len());
    for textures in own.chunks(rayon::current_num_threads()) {
        progress.report("textures", pictures.len() as f32 / own.len() as f32)?;
        let encoded: Result<Vec<EncodedImage<'_>>, ExportError> =
            textures.par_iter().map(|texture| picture(texture)).collect();
        pictures.extend(textures.iter().map(|texture| Arc::as_ptr(&texture.image)).zip(encoded?));
    }
    Ok(pictures)
}

fn picture(texture: &Texture) -> Result<EncodedImage<'_>, ExportError> {
    let image = &texture.image;
    if let Some((file, mime_type)) = file_as_it_is(image) {
        return Ok((file.into(), mime_type));
    }
    let rgba = image.rgba();
    let picture = ImageBuffer::<Rgba<u8>, &[u8]>::from_raw(image.width(), image.height(), rgba.as_slice());
    let mut png = Cursor::new(Vec::new());
    picture
        .ok_or_else(|| ImageError::Parameter(ParameterError::from_kind(ParameterErrorKind::DimensionMismatch)))
        .and_then(|it| it.write_to(&mut png, ImageFormat::Png))
        .map_err(|problem| failed!("texture {} cannot be encoded as PNG: {problem}", texture.name))?;
    Ok((png.into_inner().into(), PNG))
}

fn sampler(sampler: Sampler) -> Value {
    let mut json = json!({"wrapS": wrap_mode(sampler.wrap_u), "wrapT": wrap_mode(sampler.wrap_v)});
    let [magnified, minified] = sampler.filters_in_file;
    let magnified = magnified.or(sampler.nearest.then_some(9728));
    for (key, filter) in [("magFilter", magnified), ("minFilter", minified)] {
        filter.into_iter().for_each(|filter| json[key] = json!(filter));
    }
    json
}

fn wrap_mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    }
}

fn write_material(material: &Material) -> Value {
    let names_transforms = material.changed_by_expressions.texture_transforms;
    let material = material.in_file();
    let mut pbr = json!({
        "baseColorFactor": material.base_color,
        "metallicFactor": material.metallic,
        "roughnessFactor": material.roughness
    });
    if let Some(map) = material.base_color_texture {
        pbr["baseColorTexture"] = texture(map);
    }
    if let Some(map) = material.metallic_roughness_texture {
        pbr["metallicRoughnessTexture"] = texture(map);
    }
    let mut json = json!({
        "name": material.name,
        "pbrMetallicRoughness": pbr,
        "doubleSided": material.double_sided
    });
    if let Some(map) = material.normal_texture {
        json["normalTexture"] = texture(map);
        json["normalTexture"]["scale"] = json!(material.normal_scale);
    }
    if let Some(map) = material.occlusion_texture {
        json["occlusionTexture"] = texture(map);
        json["occlusionTexture"]["strength"] = json!(material.occlusion_strength);
    }
    if let Some(map) = material.emissive_texture {
        json["emissiveTexture"] = texture(map);
    }
    if material.emissive != [0.0; 3] {
        json["emissiveFactor"] = json!(material.emissive.map(|channel| channel / strength_of(material)));
    }
    match material.alpha {
        AlphaMode::Opaque => {}
        AlphaMode::Mask { cutoff } => {
            json["alphaMode"] = json!("MASK");
            json["alphaCutoff"] = json!(cutoff);
        }
        AlphaMode::Blend => json["alphaMode"] = json!("BLEND"),
    }
    let extensions = extensions_of(material);
    if !extensions.is_empty() {
        json["extensions"] = extensions.into();
    }
    if names_transforms {
        name_transforms(&mut json);
    }
    json
}

/// Writes the transforms of all textures of a material, also those that change nothing: animations name them.
fn name_transforms(material: &mut Value) {
    for (key, value) in material.as_object_mut().into_iter().flatten().filter(|(_, value)| value.is_object()) {
        if key.ends_with("Texture") {
            let plain = json!({"KHR_texture_transform": {"offset": [0.0, 0.0], "scale": [1.0, 1.0]}});
            if let Some(map) = value.as_object_mut() {
                map.entry("extensions").or_insert(plain);
            }
        } else {
            name_transforms(value);
        }
    }
}

/// The factor by which the emissive colour exceeds 1, the maximum of its channels in glTF.
fn strength_of(material: &Material) -> f32 {
    material.emissive.iter().fold(1.0, |most, &channel| most.max(channel))
}

fn extensions_of(material: &Material) -> Map<String, Value> {
    let plain = Material::default();
    let strength = strength_of(material);
    let mut specular = json!({"specularFactor": material.specular, "specularColorFactor": material.specular_color});
    if let Some(map) = material.specular_texture {
        specular["specularTexture"] = texture(map);
    }
    let is_plain = (material.specular, material.specular_color) == (plain.specular, plain.specular_color);
    let coat = json!({"clearcoatFactor": material.coat, "clearcoatRoughnessFactor": material.coat_roughness});
    let sheen = json!({"sheenColorFactor": material.sheen_color, "sheenRoughnessFactor": material.sheen_roughness});
    let all = [
        ("KHR_materials_unlit", material.unlit, json!({})),
        ("KHR_materials_emissive_strength", strength > 1.0, json!({"emissiveStrength": strength})),
        ("KHR_materials_specular", !is_plain || material.specular_texture.is_some(), specular),
        ("KHR_materials_clearcoat", material.coat > 0.0, coat),
        ("KHR_materials_sheen", material.sheen_color != [0.0; 3], sheen),
        (
            "KHR_materials_transmission",
            material.transmission > 0.0,
            json!({"transmissionFactor": material.transmission}),
        ),
    ];
    let needed = all.into_iter().filter(|(_, is_needed, _)| *is_needed);
    needed.map(|(name, _, value)| (name.to_owned(), value)).collect()
}

pub(super) fn texture(map: TextureRef) -> Value {
    let mut json = json!({"index": map.texture});
    if map.uv_set == UvSet::Second {
        json["texCoord"] = json!(1);
    }
    if !TextureRef::is_plain(&TextureRef { uv_set: UvSet::First, ..map }) {
        let (scale, angle, offset) = map.texture_from_uv.to_scale_angle_translation();
        let transform = json!({"offset": offset.to_array(), "rotation": -angle, "scale": scale.to_array()});
        json["extensions"] = json!({"KHR_texture_transform": transform});
    }
    json
}

#[cfg(test)]
mod tests {
    use glam::{Affine2, Vec2};

    use super::*;

    fn names_in(material: Value) -> Vec<String> {
        let root = Map::from_iter([("material".to_owned(), material)]);
        super::super::extensions_in(&root).into_iter().collect()
    }

    #[test]
    fn only_what_is_needed_is_written_and_named() {
        assert!(names_in(write_material(&Material::default())).is_empty());
        let turned = Affine2::from_scale_angle_translation(Vec2::new(2.0, 3.0), -0.5, Vec2::new(0.1, 0.2));
        let map = TextureRef { texture: 4, uv_set: UvSet::Second, texture_from_uv: turned };
        let material =
            Material { coat: 0.5, emissive: [4.0, 2.0, 0.0], base_color_texture: Some(map), ..Material::default() };
        let json = write_material(&material);
        assert_eq!(
            names_in(json.clone()),
            ["KHR_materials_clearcoat", "KHR_materials_emissive_strength", "KHR_texture_transform"]
        );
        assert_eq!(json["emissiveFactor"], json!([1.0, 0.5, 0.0]));
        let texture = &json["pbrMetallicRoughness"]["baseColorTexture"];
        assert_eq!((&texture["index"], &texture["texCoord"]), (&json!(4), &json!(1)));
        let inside = Material { specular_texture: Some(map), ..Material::default() };
        assert_eq!(
            names_in(write_material(&inside)),
            ["KHR_materials_specular", "KHR_texture_transform"],
            "in an extension, too"
        );
        let rotation = texture["extensions"]["KHR_texture_transform"]["rotation"].as_f64();
        assert!(rotation.is_some_and(|rotation| (rotation - 0.5).abs() < 1e-6), "{texture}");
    }
}
