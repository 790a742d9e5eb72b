//! Textures: embedded in the file, or files in its folder. Each image is decoded once.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine2, Mat2, Vec2};

use crate::import::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use crate::import::sidecar::{ModelFolder, fetch_end_of_path};
use smirk_base::names::quoted;
use smirk_face::head::{Encoding, Image, Kind, Note, Notes, Sampler, Subject, Texture, TextureRef, UvSet, Wrap};

/// The textures read so far. A failure is stored too, so that the image is not decoded again.
pub(super) struct FbxTextureCache<'a> {
    folder: Option<&'a ModelFolder>,
    textures: Vec<Texture>,
    /// By texture of the scene and encoding.
    known: HashMap<(u32, Encoding), Result<usize, String>>,
    /// By file of the scene, which several textures may show.
    decoded: HashMap<u32, Result<Arc<Image>, String>>,
    budget: ImageBudget,
}

impl<'a> FbxTextureCache<'a> {
    /// An empty cache.
    pub(super) fn new(folder: Option<&'a ModelFolder>) -> Self {
        let (known, decoded) = (HashMap::new(), HashMap::new());
        Self { folder, textures: Vec::new(), known, decoded, budget: ImageBudget::default() }
    }

    /// A texture of the scene as a material uses it; none, with a note, if it cannot be read. `purpose` is what the texture is for on
    /// its `owner`, e.g. "normal map".
    pub(super) fn find(
        &mut self,
        texture: &ufbx::Texture,
        encoding: Encoding,
        purpose: &str,
        owner: &Subject,
        notes: &mut Notes,
    ) -> Option<TextureRef> {
        // A stack of layers is shown as its lowest, and a texture that is computed as the first file in it.
        let file = texture.file_textures.first().map_or(texture, |file| file.as_ref());
        if texture.file_textures.len() > 1 {
            let message = format!("the first of the {} layers of its {purpose} is shown", texture.file_textures.len());
            notes.push(Note::warning(owner, message));
        }
        let key = (file.element.typed_id, encoding);
        let found = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = self.read(file, encoding);
                self.known.insert(key, found.clone());
                found
            }
        };
        match found {
            Ok(index) => {
                Some(TextureRef { texture: index, uv_set: UvSet::First, texture_from_uv: texture_from_uv(file) })
            }
            Err(why) => {
                notes.push(Note::warning(owner, format!("shown without its {purpose}: {why}")));
                None
            }
        }
    }

    /// All textures, in the order they were first used.
    pub(super) fn into_textures(self) -> Vec<Texture> {
        self.textures
    }

    fn read(&mut self, texture: &ufbx::Texture, encoding: Encoding) -> Result<usize, String> {
        let name = name_of(texture);
        let decoded = match self.decoded.get(&texture.file_index) {
            Some(decoded) if texture.has_file => decoded.clone(),
            _ => {
                let decoded = self.decode(texture, &name);
                if texture.has_file {
                    self.decoded.insert(texture.file_index, decoded.clone());
                }
                decoded
            }
        };
        let image = decoded?;
        let wrap = |mode| match mode {
            ufbx::WrapMode::Repeat => Wrap::Repeat,
            ufbx::WrapMode::Clamp => Wrap::Clamp,
        };
        let sampler = Sampler { wrap_u: wrap(texture.wrap_u), wrap_v: wrap(texture.wrap_v), nearest: false };
        self.textures.push(Texture { name, image, encoding, sampler });
        Ok(self.textures.len() - 1)
    }

    fn decode(&mut self, texture: &ufbx::Texture, name: &str) -> Result<Arc<Image>, String> {
        let content: &[u8] = &texture.content;
        let fetched;
        let bytes = if content.is_empty() {
            fetched = self.fetch(texture, name)?;
            &fetched
        } else {
            content
        };
        self.budget.decode(bytes).map_err(|problem| format!("{} {problem}", quoted(name)))
    }

    /// The bytes of the file that a texture names, by its path relative to the model or by its absolute path. Either may be one of
    /// the machine on which the model was made.
    fn fetch(&self, texture: &ufbx::Texture, name: &str) -> Result<Vec<u8>, String> {
        let subject = Subject::named(Kind::Texture, name);
        let paths = [&texture.relative_filename, &texture.absolute_filename, &texture.filename];
        let mut first_fault = None;
        for path in paths.into_iter().filter(|path| !path.is_empty()) {
            match fetch_end_of_path(path, self.folder, MAX_IMAGE_FILE_BYTES, &subject) {
                Ok(bytes) => return Ok(bytes),
                Err(fault) => drop(first_fault.get_or_insert(fault)),
            }
        }
        Err(first_fault.map_or_else(|| format!("{subject} names no file"), |fault| fault.to_string()))
    }
}

/// The name of the file of a texture, without its folder; else the name of the texture.
fn name_of(texture: &ufbx::Texture) -> String {
    let paths = [&texture.relative_filename, &texture.absolute_filename, &texture.filename];
    let file = paths.into_iter().find_map(|path| path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()));
    file.map_or_else(|| texture.element.name.to_string(), str::to_owned)
}

/// The transform of texture coordinates. In a file v counts from the bottom of the image, in a head from the top.
fn texture_from_uv(texture: &ufbx::Texture) -> Affine2 {
    if !texture.has_uv_transform {
        return Affine2::IDENTITY;
    }
    let m = &texture.uv_to_texture;
    let axes = Mat2::from_cols(Vec2::new(m.m00 as f32, m.m10 as f32), Vec2::new(m.m01 as f32, m.m11 as f32));
    let of_file = Affine2::from_mat2_translation(axes, Vec2::new(m.m03 as f32, m.m13 as f32));
    let upside_down = Affine2::from_mat2_translation(Mat2::from_diagonal(Vec2::new(1.0, -1.0)), Vec2::Y);
    let transform = upside_down * of_file * upside_down;
    if transform.is_finite() { transform } else { Affine2::IDENTITY }
}
