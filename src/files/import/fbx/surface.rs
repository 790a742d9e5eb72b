//! Materials: colour, roughness, metalness, emission, opacity and their maps, of whatever kind of shader the file has
//! them. Textures are embedded in the file, or files in its folder; each image is decoded once.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine2, Mat2, Vec2};
use ufbx::{MaterialMap, Scene, ShaderType};

use super::name_or_number;
use crate::import::image::{ImageBudget, MAX_IMAGE_FILE_BYTES};
use crate::import::sidecar::{ModelFolder, fetch_end_of_path, has_end_of_path};
use crate::import::tiles::{self, Tile, TiledMaterials, is_tiled, path_of_tile};
use crate::import::{Fault, Import, Problem};
use smirk_base::names::quoted;
use smirk_face::head::{
    AlphaMode, Encoding, Image, Kind, Material, Mesh, Notes, Sampler, Subject, Texture, TextureRef, UvSet, Wrap,
};

pub(crate) struct FbxMaterials<'a> {
    scene: &'a Scene,
    /// Those of the scene in its order, then one for parts without a material, if there are such, then those of tiles.
    materials: Vec<Material>,
    /// The index of the material of parts without one, or of the last one of the scene.
    fallback: usize,
    tiled: TiledMaterials,
    textures: FbxTextureCache<'a>,
}

impl<'a> FbxMaterials<'a> {
    /// Reads the materials. Those with tiles are read when the tiles of a mesh are known.
    pub(crate) fn read(
        scene: &'a Scene,
        folder: Option<&'a ModelFolder>,
        import: &mut Import<'_>,
    ) -> Result<Self, Fault> {
        let mut textures = FbxTextureCache::new(folder);
        import.begin("reading materials", 0.32);
        let mut materials = Vec::with_capacity(scene.materials.len() + 1);
        let mut tiled = TiledMaterials::default();
        for (index, material) in scene.materials.iter().enumerate() {
            import.tick_at(0.32 + 0.08 * index as f32 / scene.materials.len() as f32)?;
            if material.textures.iter().any(|used| has_tiles(file_of(&used.texture), folder)) {
                tiled.insert(index);
                materials.push(Material { name: name_of_material(index, material, None), ..Material::default() });
            } else {
                materials.push(read_material(index, material, None, &mut textures, &mut import.notes));
            }
        }
        if materials.is_empty() || scene.meshes.iter().any(|mesh| mesh.materials.is_empty()) {
            materials.push(Material::default());
        }
        Ok(Self { scene, fallback: materials.len() - 1, materials, tiled, textures })
    }

    /// The index of a material of the scene, or of that for parts without one.
    pub(super) fn index_of(&self, material: Option<&ufbx::Material>) -> usize {
        material.map_or(self.fallback, |material| (material.element.typed_id as usize).min(self.fallback))
    }

    pub(super) fn get(&self, index: usize) -> &Material {
        &self.materials[index]
    }

    /// Splits the parts of a mesh whose materials have tiles, and gives each the material of its tile.
    pub(super) fn split_by_tiles(&mut self, mesh: &mut Mesh, notes: &mut Notes) -> Result<(), Fault> {
        self.tiled.split(mesh, &mut self.materials, |index, tile| {
            Ok(read_material(index, &self.scene.materials[index], Some(tile), &mut self.textures, notes))
        })
    }

    pub(crate) fn finish(self) -> (Vec<Material>, Vec<Texture>) {
        (self.materials, self.textures.textures)
    }
}

fn name_of_material(index: usize, material: &ufbx::Material, tile: Option<Tile>) -> String {
    let name = name_or_number(&material.element, "material", index);
    tile.map_or(name.clone(), |tile| tiles::name_of_material(&name, tile))
}

/// The file of a texture: of a stack of layers its lowest, of a texture that is computed the first file in it.
fn file_of(texture: &ufbx::Texture) -> &ufbx::Texture {
    texture.file_textures.first().map_or(texture, |file| file.as_ref())
}

/// The paths that a texture names: relative to the model, and absolute. Either may be one of the machine on which the
/// model was made.
fn paths_of(texture: &ufbx::Texture) -> impl Iterator<Item = &str> {
    let paths = [&texture.relative_filename, &texture.absolute_filename, &texture.filename];
    paths.into_iter().map(|path| &**path).filter(|path| !path.is_empty())
}

fn has_tiles(file: &ufbx::Texture, folder: Option<&ModelFolder>) -> bool {
    file.content.is_empty() && paths_of(file).any(|path| is_tiled(path, |path| has_end_of_path(path, folder)))
}

fn read_material(
    index: usize,
    material: &ufbx::Material,
    tile: Option<Tile>,
    textures: &mut FbxTextureCache<'_>,
    notes: &mut Notes,
) -> Material {
    let name = name_of_material(index, material, tile);
    let subject = Subject::named(Kind::Material, &name);
    let (pbr, plain) = (&material.pbr, Material::default());
    let mut find = |map: &MaterialMap, encoding, purpose: &str, notes: &mut Notes| {
        textures.find(texture_of(map)?, tile, encoding, purpose, &subject, notes)
    };
    let base_color_texture = find(&pbr.base_color, Encoding::Srgb, "colour texture", notes);
    let normal_texture = find(&pbr.normal_map, Encoding::Linear, "normal map", notes);
    let emissive_texture = find(&pbr.emission_color, Encoding::Srgb, "emissive map", notes);
    let occlusion_texture = find(&pbr.ambient_occlusion, Encoding::Linear, "occlusion map", notes);
    let (metalness, roughness) = (metalness(material), roughness(material));
    // One image may hold roughness in its green and metalness in its blue channel. A map of roughness alone is grey,
    // and can be shown on what is no metal.
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
        notes.warn(&subject, format!("shown without {}", unshown.join(", ")));
    }
    let alpha = if opacity_map.is_some() { 1.0 } else { opacity(material) };
    let emission = match texture_of(&pbr.emission_color) {
        _ if emissive_texture.is_some() => Some([1.0; 3]),
        // Without its map, the whole surface would glow.
        Some(_) => None,
        None => color(&pbr.emission_color),
    };
    let factor = value(&pbr.base_factor).unwrap_or(1.0);
    // A texture takes the place of the colour.
    let color = if base_color_texture.is_some() { [1.0; 3] } else { color(&pbr.base_color).unwrap_or([0.8; 3]) };
    let [red, green, blue] = color.map(|share| fraction(share * factor));
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
    if let Some(opacity) = color(&material.pbr.opacity) {
        return fraction(mean(opacity));
    }
    let transparency = color(&material.fbx.transparency_color).map(mean);
    let factor = value(&material.fbx.transparency_factor);
    let opacity = match (transparency, factor) {
        (Some(transparency), factor) => 1.0 - transparency * factor.unwrap_or(1.0),
        (None, _) => material.element.props.find_prop("Opacity").map_or(1.0, |opacity| opacity.value_vec4.x as f32),
    };
    // Some programs write a transparency of 1 for opaque materials, and an invisible material is not exported on
    // purpose.
    let opacity = fraction(opacity);
    if opacity > 0.0 { opacity } else { 1.0 }
}

fn mean([red, green, blue]: [f32; 3]) -> f32 {
    (red + green + blue) / 3.0
}

fn texture_of(map: &MaterialMap) -> Option<&ufbx::Texture> {
    map.texture.as_deref().filter(|_| map.texture_enabled)
}

fn is_same_image(a: &ufbx::Texture, b: &ufbx::Texture) -> bool {
    a.element.typed_id == b.element.typed_id || (a.has_file && b.has_file && a.file_index == b.file_index)
}

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

/// The textures read so far. A failure is stored too, so that the image is not decoded again. Of a texture with several
/// tiles, each tile is one.
struct FbxTextureCache<'a> {
    folder: Option<&'a ModelFolder>,
    textures: Vec<Texture>,
    known: HashMap<(u32, Option<Tile>, Encoding), Result<usize, Problem>>,
    /// By file of the scene, which several textures may show, and tile.
    decoded: HashMap<(u32, Option<Tile>), Result<Arc<Image>, Problem>>,
    budget: ImageBudget,
}

impl<'a> FbxTextureCache<'a> {
    fn new(folder: Option<&'a ModelFolder>) -> Self {
        let (known, decoded) = (HashMap::new(), HashMap::new());
        Self { folder, textures: Vec::new(), known, decoded, budget: ImageBudget::default() }
    }

    /// A texture of the scene as a material uses it, for one of its tiles if it has such; none, with a note, if it
    /// cannot be read. `purpose` is what the texture is for on its `owner`, e.g. "normal map".
    fn find(
        &mut self,
        texture: &ufbx::Texture,
        tile: Option<Tile>,
        encoding: Encoding,
        purpose: &str,
        owner: &Subject,
        notes: &mut Notes,
    ) -> Option<TextureRef> {
        let file = file_of(texture);
        let tile = tile.filter(|_| has_tiles(file, self.folder));
        if texture.file_textures.len() > 1 {
            let message = format!("the first of the {} layers of its {purpose} is shown", texture.file_textures.len());
            notes.warn(owner, message);
        }
        let key = (file.element.typed_id, tile, encoding);
        let found = match self.known.get(&key) {
            Some(known) => known.clone(),
            None => {
                let found = self.read(file, tile, encoding);
                self.known.insert(key, found.clone());
                found
            }
        };
        match found {
            Ok(index) => {
                Some(TextureRef { texture: index, uv_set: UvSet::First, texture_from_uv: texture_from_uv(file) })
            }
            Err(why) => {
                notes.warn(owner, format!("shown without its {purpose}: {why}"));
                None
            }
        }
    }

    fn read(&mut self, texture: &ufbx::Texture, tile: Option<Tile>, encoding: Encoding) -> Result<usize, Problem> {
        let name = of_tile(name_of(texture), tile);
        let key = (texture.file_index, tile);
        let decoded = match self.decoded.get(&key) {
            Some(decoded) if texture.has_file => decoded.clone(),
            _ => {
                let decoded = self.decode(texture, tile, &name);
                if texture.has_file {
                    self.decoded.insert(key, decoded.clone());
                }
                decoded
            }
        };
        let image = decoded?;
        let sampler = match tile {
            // The coordinates of all tiles but the first are outside the image.
            Some(_) => Sampler::default(),
            None => Sampler { wrap_u: wrap(texture.wrap_u), wrap_v: wrap(texture.wrap_v), ..Sampler::default() },
        };
        self.textures.push(Texture { name, image, encoding, sampler });
        Ok(self.textures.len() - 1)
    }

    fn decode(&mut self, texture: &ufbx::Texture, tile: Option<Tile>, name: &str) -> Result<Arc<Image>, Problem> {
        let bytes = match &texture.content[..] {
            [] => Cow::Owned(self.fetch(texture, tile, name)?),
            content => Cow::Borrowed(content),
        };
        self.budget.decode(&bytes).map_err(|problem| format!("{} {problem}", quoted(name)).into())
    }

    fn fetch(&self, texture: &ufbx::Texture, tile: Option<Tile>, name: &str) -> Result<Vec<u8>, Problem> {
        let subject = Subject::named(Kind::Texture, name);
        let mut first_fault = None;
        for path in paths_of(texture) {
            let path = of_tile(path.to_owned(), tile);
            match fetch_end_of_path(&path, self.folder, MAX_IMAGE_FILE_BYTES, &subject) {
                Ok(bytes) => return Ok(bytes),
                Err(fault) => drop(first_fault.get_or_insert(fault)),
            }
        }
        Err(first_fault.map_or_else(|| format!("{subject} names no file").into(), Problem::from))
    }
}

fn wrap(mode: ufbx::WrapMode) -> Wrap {
    match mode {
        ufbx::WrapMode::Repeat => Wrap::Repeat,
        ufbx::WrapMode::Clamp => Wrap::Clamp,
    }
}

fn of_tile(path: String, tile: Option<Tile>) -> String {
    tile.and_then(|tile| path_of_tile(&path, tile)).unwrap_or(path)
}

/// The name of the file of a texture, without its folder; else the name of the texture.
fn name_of(texture: &ufbx::Texture) -> String {
    let file = paths_of(texture).find_map(|path| path.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()));
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
