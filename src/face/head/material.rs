//! Materials: the part of glTF's materials that Smirk draws (glTF 2.0 §3.9 and those `KHR_materials` extensions that
//! change a face visibly), and variants.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use glam::{Affine2, Vec2};

use super::material_bind::ChangedByExpressions;
use super::toon::Toon;

/// How alpha is used (glTF 2.0 §3.9.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    Opaque,
    /// Fragments with alpha below the cutoff are dropped.
    Mask {
        /// The limit, usually 0.5.
        cutoff: f32,
    },
    /// The surface is blended over what is behind it.
    Blend,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    pub name: String,
    /// Linear RGBA factor.
    pub base_color: [f32; 4],
    /// Multiplies the colour.
    pub base_color_texture: Option<TextureRef>,
    /// 0 = dielectric, 1 = metal.
    pub metallic: f32,
    /// 0 = smooth as a mirror, 1 = fully rough.
    pub roughness: f32,
    /// Green multiplies the roughness, blue multiplies `metallic`.
    pub metallic_roughness_texture: Option<TextureRef>,
    /// Normals in tangent space: 0..1 stands for -1..1, x is along the tangent, y up in the image, z out of the
    /// surface.
    pub normal_texture: Option<TextureRef>,
    /// Multiplies x and y of these normals: 0 = flat, 1 = as in the image, negative = inverted.
    pub normal_scale: f32,
    /// Red is the part of the ambient light that reaches the surface.
    pub occlusion_texture: Option<TextureRef>,
    /// 0..1: strength of the occlusion.
    pub occlusion_strength: f32,
    /// Emitted light, linear RGB, multiplied by its strength.
    pub emissive: [f32; 3],
    /// Multiplies the emitted light.
    pub emissive_texture: Option<TextureRef>,
    /// 0..1: strength of the specular reflection of a dielectric.
    pub specular: f32,
    /// Linear RGB: multiplies the reflectance of a dielectric at normal incidence; 1 is an index of refraction of 1.5.
    pub specular_color: [f32; 3],
    /// Alpha multiplies [`Self::specular`].
    pub specular_texture: Option<TextureRef>,
    /// 0..1: strength of the clear coat.
    pub coat: f32,
    pub coat_roughness: f32,
    /// Linear RGB of the sheen of fabric fibres; black = none.
    pub sheen_color: [f32; 3],
    /// Roughness of the sheen: 0 = at grazing angles only, 1 = everywhere.
    pub sheen_roughness: f32,
    /// 0..1: the part of the light that is transmitted; reflections stay.
    pub transmission: f32,
    pub alpha: AlphaMode,
    /// Whether back faces are drawn too, with their normals reversed.
    pub double_sided: bool,
    /// Whether the base colour is shown without lighting (`KHR_materials_unlit`).
    pub unlit: bool,
    /// Toon shading (`VRMC_materials_mtoon`), which is drawn instead, also of an unlit material.
    pub toon: Option<Box<Toon>>,
    /// What expressions can change of it. [`Head::new`](super::Head::new) sets it.
    pub changed_by_expressions: ChangedByExpressions,
}

impl Material {
    /// Whether nothing of it can be seen: it is wholly transparent, whatever its texture.
    pub fn is_invisible(&self) -> bool {
        match self.alpha {
            AlphaMode::Opaque => false,
            AlphaMode::Mask { cutoff } => self.base_color[3] < cutoff,
            AlphaMode::Blend => self.base_color[3] <= 0.0,
        }
    }

    /// Whether the base colour is shown as it is.
    pub fn is_shown_unlit(&self) -> bool {
        self.unlit && self.toon.is_none()
    }

    /// The material as its file has it, which is what is saved.
    pub fn in_file(&self) -> &Self {
        self.toon.as_ref().and_then(|toon| toon.in_file.as_deref()).unwrap_or(self)
    }

    /// All textures that are read at texture coordinates, those of toon shading included.
    pub fn uv_textures(&self) -> impl Iterator<Item = TextureRef> {
        let of_toon = self.toon.iter().flat_map(|toon| toon.textures().into_iter().take(5));
        self.textures().into_iter().chain(of_toon).flatten()
    }

    /// All its textures but those of toon shading: base colour, normal, metallic-roughness, occlusion, emission,
    /// specular.
    pub fn textures(&self) -> [Option<TextureRef>; 6] {
        [
            self.base_color_texture,
            self.normal_texture,
            self.metallic_roughness_texture,
            self.occlusion_texture,
            self.emissive_texture,
            self.specular_texture,
        ]
    }
}

impl Default for Material {
    /// The material of surfaces without one: light grey, matt, double-sided. glTF's own default, white and fully
    /// metallic, would look dark, because Smirk has little of an environment to reflect.
    fn default() -> Self {
        Self {
            name: "default".into(),
            base_color: [0.8, 0.8, 0.8, 1.0],
            base_color_texture: None,
            metallic: 0.0,
            roughness: 0.6,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            specular: 1.0,
            specular_color: [1.0; 3],
            specular_texture: None,
            coat: 0.0,
            coat_roughness: 0.0,
            sheen_color: [0.0; 3],
            sheen_roughness: 0.0,
            transmission: 0.0,
            alpha: AlphaMode::Opaque,
            double_sided: true,
            unlit: false,
            toon: None,
            changed_by_expressions: ChangedByExpressions::default(),
        }
    }
}

/// A variant: an alternative set of materials (`KHR_materials_variants`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    pub name: String,
    /// By mesh and part, an index into [`super::Asset::materials`]; other parts keep their own material.
    pub materials: HashMap<(usize, usize), usize>,
}

/// A texture as a material uses it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRef {
    /// Index into [`crate::head::Asset::textures`].
    pub texture: usize,
    /// The set of texture coordinates it is sampled with.
    pub uv_set: UvSet,
    /// The transform of the texture coordinates before sampling (`KHR_texture_transform`).
    pub texture_from_uv: Affine2,
}

impl TextureRef {
    /// Whether it is sampled with the first set of texture coordinates, untransformed.
    pub fn is_plain(&self) -> bool {
        self.uv_set == UvSet::First && self.texture_from_uv == Affine2::IDENTITY
    }

    /// Transforms a coordinate of its set.
    pub fn transform(&self, uv: Vec2) -> Vec2 {
        self.texture_from_uv.transform_point2(uv)
    }
}

impl From<usize> for TextureRef {
    /// Sampled with the first set of texture coordinates, untransformed.
    fn from(texture: usize) -> Self {
        Self { texture, uv_set: UvSet::First, texture_from_uv: Affine2::IDENTITY }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UvSet {
    /// [`crate::head::Vertices::uvs`].
    First,
    /// [`crate::head::Vertices::second_uvs`].
    Second,
}

/// How a texture continues outside 0..1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    Repeat,
    /// It repeats, every other copy mirrored.
    Mirror,
    Clamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampler {
    pub wrap_u: Wrap,
    pub wrap_v: Wrap,
    /// Whether the nearest texel is taken instead of an interpolation.
    pub nearest: bool,
    /// `magFilter` and `minFilter` of a glTF file, for one that is written. Only [`Self::nearest`] is drawn:
    /// every image has mip maps.
    pub filters_in_file: [Option<u32>; 2],
}

impl Default for Sampler {
    fn default() -> Self {
        Self { wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, nearest: false, filters_in_file: [None; 2] }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// sRGB colour; alpha is linear.
    Srgb,
    /// Linear numbers, such as normals or roughness.
    Linear,
}

/// An image and its sampler.
#[derive(Clone, PartialEq)]
pub struct Texture {
    pub name: String,
    /// Textures of one image share it.
    pub image: Arc<Image>,
    pub encoding: Encoding,
    pub sampler: Sampler,
}

impl fmt::Debug for Texture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Texture {:?} {}×{}", self.name, self.image.width(), self.image.height())
    }
}

/// A format of blocks that graphics adapters draw without unpacking them: 4 × 4 texels with alpha in 16 bytes, a
/// quarter of RGBA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFormat {
    /// BC7, which the adapters of desktops read.
    Bc7,
    /// ASTC, which the adapters of phones and tablets read.
    Astc,
}

/// Mipmap levels from larger to smaller, each with rows of blocks from the top.
pub type Blocks = Vec<Vec<u8>>;

/// What decodes a file.
#[derive(Clone, Copy, Debug)]
pub struct Decode {
    /// The texels: RGBA, 8 bits each, rows from the top. `None` if the file cannot be decoded.
    pub rgba: fn(&[u8]) -> Option<Vec<u8>>,
    /// The mipmap levels as blocks, from the one with that number on: see [`Image::blocks`].
    pub blocks: fn(&[u8], BlockFormat, u32) -> Option<Blocks>,
}

/// An image that textures show. Decoded texels take some ten times the memory of the file that they come from, and are
/// needed for a short time only, so that they can be freed. Whoever asks for them later waits until they are decoded
/// again.
pub struct Image {
    width: u32,
    height: u32,
    /// The least and the most alpha of all texels.
    alphas: [u8; 2],
    file: Option<File>,
    texels: Mutex<Texels>,
}

struct File {
    bytes: Arc<[u8]>,
    decode: Decode,
}

enum Texels {
    /// They were not needed yet. Once they are decoded, they are kept.
    NotDecoded,
    Kept(Arc<Vec<u8>>),
    /// They are there as long as someone uses them.
    Freed(Weak<Vec<u8>>),
}

impl Image {
    /// An image of these texels, which no file has, so that they are never freed: RGBA, 8 bits each, rows from the top;
    /// `width * height * 4` bytes.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        let alphas = alphas_of(&rgba);
        Self { width, height, alphas, file: None, texels: Mutex::new(Texels::Kept(Arc::new(rgba))) }
    }

    /// The same image, whose texels `decode` makes of the bytes of a file.
    pub fn of_file(self, bytes: Arc<[u8]>, decode: Decode) -> Self {
        Self { file: Some(File { bytes, decode }), ..self }
    }

    /// An image without transparent texels whose file was checked. It is decoded when someone asks for the texels for
    /// the first time, and once more when they were freed.
    pub fn opaque_of_file(width: u32, height: u32, bytes: Arc<[u8]>, decode: Decode) -> Self {
        let texels = Mutex::new(Texels::NotDecoded);
        Self { width, height, alphas: [255; 2], file: Some(File { bytes, decode }), texels }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// The least and the most alpha of all texels; 255 if there are none.
    pub fn alphas(&self) -> [u8; 2] {
        self.alphas
    }

    /// The bytes of the file, in the format that it has.
    pub fn file(&self) -> Option<&[u8]> {
        self.file.as_ref().map(|file| &*file.bytes)
    }

    /// The texels: RGBA, 8 bits each, rows from the top; `width * height * 4` bytes. They are decoded if they are not
    /// there.
    pub fn rgba(&self) -> Arc<Vec<u8>> {
        let mut texels = self.texels.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *texels {
            Texels::Kept(rgba) => rgba.clone(),
            Texels::NotDecoded => {
                let rgba = self.decoded();
                *texels = Texels::Kept(rgba.clone());
                rgba
            }
            Texels::Freed(last) => last.upgrade().unwrap_or_else(|| {
                let rgba = self.decoded();
                *last = Arc::downgrade(&rgba);
                rgba
            }),
        }
    }

    fn decoded(&self) -> Arc<Vec<u8>> {
        let file = self.file.as_ref().expect("texels of no file are kept");
        let rgba = (file.decode.rgba)(&file.bytes).expect("the file was decoded or checked before");
        Arc::new(rgba)
    }

    /// The mipmap levels as blocks of that format, from level `first` on (0 is the largest) to the one of a single
    /// texel. They are made anew by each call, without the texels. `None` if the file has no blocks or not all levels,
    /// or if width or height is no multiple of 4, which adapters demand.
    pub fn blocks(&self, format: BlockFormat, first: u32) -> Option<Blocks> {
        self.file.as_ref().and_then(|file| (file.decode.blocks)(&file.bytes, format, first))
    }

    /// Frees the texels, if there is a file to decode them from again and nothing else holds them.
    pub fn free(&self) {
        let mut texels = self.texels.lock().unwrap_or_else(PoisonError::into_inner);
        match &*texels {
            Texels::NotDecoded => *texels = Texels::Freed(Weak::new()),
            Texels::Kept(rgba) if self.file.is_some() => *texels = Texels::Freed(Arc::downgrade(rgba)),
            Texels::Kept(_) | Texels::Freed(_) => {}
        }
    }
}

fn alphas_of(rgba: &[u8]) -> [u8; 2] {
    let (texels, _) = rgba.as_chunks::<4>();
    // Most images are opaque, which is seen in a fraction of the time.
    if texels.iter().fold(u32::MAX, |all, texel| all & u32::from_le_bytes(*texel)) >> 24 == 255 {
        return [255; 2];
    }
    let alphas = texels.iter().map(|texel| texel[3]);
    alphas.fold([255, 0], |[least, most], alpha| [least.min(alpha), most.max(alpha)])
}

impl PartialEq for Image {
    /// Whether the texels are the same. Images of the same file are, and are not decoded for it.
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.alphas) == (other.width, other.height, other.alphas)
            && (self.file().is_some_and(|file| other.file() == Some(file)) || self.rgba() == other.rgba())
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image {}×{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of two texels whose bytes are one less.
    fn of_file(bytes: [u8; 8]) -> Image {
        Image::new(2, 1, (DECODE.rgba)(&bytes).unwrap()).of_file(bytes.into(), DECODE)
    }

    const DECODE: Decode = Decode {
        rgba: |bytes| Some(bytes.iter().map(|byte| byte + 1).collect()),
        blocks: |bytes, format, _| (format == BlockFormat::Bc7).then(|| vec![bytes.to_vec()]),
    };

    #[test]
    fn freed_texels_are_decoded_again_when_they_are_needed() {
        let image = of_file([0, 1, 2, 3, 4, 5, 6, 7]);
        let first = Arc::downgrade(&image.rgba());
        image.free();
        assert!(first.upgrade().is_none(), "the texels are still in memory");
        let again = image.rgba();
        assert_eq!(again[..], [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(Arc::ptr_eq(&again, &image.rgba()), "decoded once more while the texels are in use");
        let in_use = Arc::downgrade(&again);
        drop(again);
        assert!(in_use.upgrade().is_none(), "what was decoded again is kept");
        assert_eq!(image.alphas(), [4, 8]);
    }

    #[test]
    fn checked_files_are_decoded_when_their_texels_are_needed() {
        let image = Image::opaque_of_file(2, 1, [0, 1, 2, 254, 4, 5, 6, 254].into(), DECODE);
        assert_eq!((image.alphas(), image.width(), image.height()), ([255, 255], 2, 1));
        assert_eq!(image.blocks(BlockFormat::Bc7, 0), Some(vec![vec![0, 1, 2, 254, 4, 5, 6, 254]]));
        assert_eq!(image.blocks(BlockFormat::Astc, 0), None);
        let first = Arc::downgrade(&image.rgba());
        assert_eq!(image.rgba()[..], [1, 2, 3, 255, 5, 6, 7, 255]);
        assert!(first.upgrade().is_some(), "decoded twice before they are freed");
        assert_eq!(image, Image::new(2, 1, image.rgba().to_vec()));
        image.free();
        assert!(first.upgrade().is_none(), "the texels are still in memory");
        let unused = Image::opaque_of_file(2, 1, [0; 8].into(), DECODE);
        unused.free();
        let late = Arc::downgrade(&unused.rgba());
        assert!(late.upgrade().is_none(), "what is decoded after the upload is kept");
        assert_eq!(Image::new(1, 1, vec![0; 4]).blocks(BlockFormat::Bc7, 0), None, "of no file");
    }

    #[test]
    fn texels_in_use_outlive_their_image_and_those_of_no_file_are_kept() {
        let image = of_file([0; 8]);
        let used = image.rgba();
        image.free();
        assert!(Arc::ptr_eq(&used, &image.rgba()));
        let made = Image::new(1, 1, vec![1, 2, 3, 4]);
        made.free();
        assert_eq!(made.rgba()[..], [1, 2, 3, 4]);
        assert_eq!(Image::new(0, 0, Vec::new()).alphas(), [255, 255]);
    }

    #[test]
    fn images_are_equal_if_their_texels_are() {
        let bytes = [0, 1, 2, 3, 4, 5, 6, 7];
        let (image, made) = (of_file(bytes), Image::new(2, 1, bytes.map(|byte| byte + 1).into()));
        assert_eq!(image, made);
        image.free();
        assert_eq!(image, made);
        assert_eq!(image, of_file(bytes));
        assert_ne!(image, of_file([0, 1, 2, 3, 4, 5, 7, 7]));
        assert_ne!(made, Image::new(1, 2, made.rgba().to_vec()));
    }
}
