//! Materials, textures and samplers of a head (glTF 2.0 §3.8). Images that were read from PNG or JPEG are written as they are, others
//! as PNG.

use std::borrow::Cow;
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
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Image, Sampler, Texture, Wrap};

/// Adds materials, textures, images and samplers to the root object. Reports the part of the images that is encoded.
pub(super) fn write(
    head: &Head,
    root: &mut Map<String, Value>,
    bin: &mut Bin,
    progress: Progress<'_>,
) -> Result<(), GlbError> {
    root.insert("materials".into(), head.materials.iter().map(material::write).collect());
    if head.textures.is_empty() {
        return Ok(());
    }
    let pictures = pictures(&head.textures, progress)?;
    let (mut images, mut samplers, mut textures) = (Vec::new(), Vec::new(), Vec::new());
    let mut image_of: HashMap<*const Image, usize> = HashMap::new();
    let mut known_samplers: Vec<Sampler> = Vec::new();
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

/// The MIME type of PNG.
const PNG: &str = "image/png";

/// The bytes of a file and its MIME type.
type Picture<'a> = (Cow<'a, [u8]>, &'static str);

/// The file that an image was read from with its MIME type, if a GLB may contain it.
pub(in crate::export) fn file_as_it_is(image: &Image) -> Option<(&[u8], &'static str)> {
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
) -> Result<HashMap<*const Image, Picture<'a>>, GlbError> {
    let mut known = HashSet::new();
    let own: Vec<&Texture> = textures.iter().filter(|texture| known.insert(Arc::as_ptr(&texture.image))).collect();
    let mut pictures = HashMap::with_capacity(own.len());
    for textures in own.chunks(rayon::current_num_threads()) {
        progress.report("textures", pictures.len() as f32 / own.len() as f32)?;
        let encoded: Result<Vec<Picture<'_>>, GlbError> = textures.par_iter().map(|texture| picture(texture)).collect();
        pictures.extend(textures.iter().map(|texture| Arc::as_ptr(&texture.image)).zip(encoded?));
    }
    Ok(pictures)
}

fn picture(texture: &Texture) -> Result<Picture<'_>, GlbError> {
    let image = &texture.image;
    if let Some((file, mime_type)) = file_as_it_is(image) {
        return Ok((file.into(), mime_type));
    }
    let failed = |source| GlbError::Texture { name: texture.name.clone(), source };
    let rgba = image.rgba();
    let picture = ImageBuffer::<Rgba<u8>, &[u8]>::from_raw(image.width(), image.height(), rgba.as_slice());
    let mismatch = || ImageError::Parameter(ParameterError::from_kind(ParameterErrorKind::DimensionMismatch));
    let mut png = Cursor::new(Vec::new());
    picture.ok_or_else(mismatch).and_then(|it| it.write_to(&mut png, ImageFormat::Png)).map_err(failed)?;
    Ok((png.into_inner().into(), PNG))
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
