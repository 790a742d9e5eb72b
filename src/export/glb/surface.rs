//! Materials, textures and samplers of a head (glTF 2.0 §3.8). Images are written as PNG.

use std::collections::{HashMap, HashSet};
use std::io::Cursor;
use std::sync::Arc;

use image::error::{ParameterError, ParameterErrorKind};
use image::{ImageBuffer, ImageError, ImageFormat, Rgba};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::bin::Bin;
use super::error::GlbError;
use super::material;
use crate::head::{Head, Sampler, Texture, Wrap};

/// Adds materials, textures, images and samplers to the root object. `report` is given the part of the images that is encoded.
pub(super) fn write(
    head: &Head,
    root: &mut Map<String, Value>,
    bin: &mut Bin,
    report: &dyn Fn(f32) -> Result<(), GlbError>,
) -> Result<(), GlbError> {
    root.insert("materials".into(), head.materials.iter().map(material::write).collect());
    if head.textures.is_empty() {
        return Ok(());
    }
    let pictures = pictures(&head.textures, report)?;
    let (mut images, mut samplers, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    let mut image_of: HashMap<*const Vec<u8>, usize> = HashMap::new();
    let mut known_samplers: Vec<Sampler> = Vec::new();
    for texture in &head.textures {
        let source = match image_of.get(&Arc::as_ptr(&texture.rgba)) {
            Some(&image) => image,
            None => {
                let view = bin.raw(pictures.get(&Arc::as_ptr(&texture.rgba)).map_or(&[], Vec::as_slice));
                images.push(json!({"name": texture.name, "mimeType": "image/png", "bufferView": view}));
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

/// The PNG of every image, by its texels, which textures may share. As many at once as there are cores.
fn pictures(
    textures: &[Texture],
    report: &dyn Fn(f32) -> Result<(), GlbError>,
) -> Result<HashMap<*const Vec<u8>, Vec<u8>>, GlbError> {
    let mut known = HashSet::new();
    let own: Vec<&Texture> = textures.iter().filter(|texture| known.insert(Arc::as_ptr(&texture.rgba))).collect();
    let mut pictures = HashMap::with_capacity(own.len());
    for textures in own.chunks(rayon::current_num_threads()) {
        report(pictures.len() as f32 / own.len() as f32)?;
        let encoded: Result<Vec<Vec<u8>>, GlbError> = textures.par_iter().map(|texture| png(texture)).collect();
        pictures.extend(textures.iter().map(|texture| Arc::as_ptr(&texture.rgba)).zip(encoded?));
    }
    Ok(pictures)
}

fn png(texture: &Texture) -> Result<Vec<u8>, GlbError> {
    let failed = |source| GlbError::Texture { name: texture.name.clone(), source };
    let picture = ImageBuffer::<Rgba<u8>, &[u8]>::from_raw(texture.width, texture.height, texture.rgba.as_slice());
    let mismatch = || ImageError::Parameter(ParameterError::from_kind(ParameterErrorKind::DimensionMismatch));
    let mut png = Cursor::new(Vec::new());
    picture.ok_or_else(mismatch).and_then(|it| it.write_to(&mut png, ImageFormat::Png)).map_err(failed)?;
    Ok(png.into_inner())
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
