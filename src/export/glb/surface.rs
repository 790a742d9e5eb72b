//! Materials, textures and samplers of a head (glTF 2.0 §3.8). Images are written as PNG.

use std::collections::{BTreeSet, HashMap};
use std::io::Cursor;
use std::sync::Arc;

use image::RgbaImage;
use serde_json::{Map, Value, json};

use super::bin::Bin;
use super::material;
use crate::head::{Head, Sampler, Texture, Wrap};

/// Adds materials, textures, images and samplers to the root object.
pub(super) fn write(head: &Head, root: &mut Map<String, Value>, bin: &mut Bin) -> Result<(), image::ImageError> {
    let materials: Vec<Value> = head.materials.iter().map(material::write).collect();
    let used: BTreeSet<String> = materials.iter().flat_map(material::extensions_in).collect();
    if !used.is_empty() {
        root.insert("extensionsUsed".into(), json!(used));
    }
    root.insert("materials".into(), materials.into());
    if head.textures.is_empty() {
        return Ok(());
    }
    let (mut images, mut samplers, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    let mut image_of: HashMap<*const Vec<u8>, usize> = HashMap::new();
    let mut known_samplers: Vec<Sampler> = Vec::new();
    for texture in &head.textures {
        let source = match image_of.get(&Arc::as_ptr(&texture.rgba)) {
            Some(&image) => image,
            None => {
                images.push(picture(texture, bin)?);
                image_of.insert(Arc::as_ptr(&texture.rgba), images.len() - 1);
                images.len() - 1
            }
        };
        let sampler = known_samplers.iter().position(|known| *known == texture.sampler).unwrap_or_else(|| {
            known_samplers.push(texture.sampler);
            samplers.push(sampler(texture.sampler));
            samplers.len() - 1
        });
        textures.push(json!({"name": texture.name, "source": source, "sampler": sampler}));
    }
    for (list, elements) in [("images", images), ("samplers", samplers), ("textures", textures)] {
        root.insert(list.into(), elements.into());
    }
    Ok(())
}

fn picture(texture: &Texture, bin: &mut Bin) -> Result<Value, image::ImageError> {
    let mut png = Cursor::new(Vec::new());
    if let Some(picture) = RgbaImage::from_raw(texture.width, texture.height, texture.rgba.as_ref().clone()) {
        picture.write_to(&mut png, image::ImageFormat::Png)?;
    }
    let view = bin.raw(png.get_ref());
    Ok(json!({"name": texture.name, "mimeType": "image/png", "bufferView": view}))
}

fn sampler(sampler: Sampler) -> Value {
    let wrap = |wrap| match wrap {
        Wrap::Repeat => 10497,
        Wrap::Mirror => 33648,
        Wrap::Clamp => 33071,
    };
    let (magnified, minified) = if sampler.nearest { (9728, 9984) } else { (9729, 9987) };
    json!({"wrapS": wrap(sampler.wrap_u), "wrapT": wrap(sampler.wrap_v), "magFilter": magnified, "minFilter": minified})
}
