//! Extensions that Smirk does not read, as they are saved again: those whose numbers mean nodes or textures, and those
//! without whole numbers, which could be the index of anything else. The others are named.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use gltf::json;
use gltf::json::Index;
use serde_json::{Value, json};

use super::mesh::Meshes;
use super::nodes::NodeGraph;
use super::read::SUPPORTED;
use super::surface::{
    ImageLocation, Images, MaterialTextures, ReadTextures, TOON_EXTENSION, UvSets, images_of_texture,
};
use crate::import::{Fault, Import};
use smirk_base::names::quoted;
use smirk_face::head::{Carried, CarriedImage, CarriedTexture, Extensions, Kind, Sampler, Subject, UvSet, listed};

/// Extensions whose only indices are those of nodes, or of lists of their own.
const OF_NODES: [&str; 8] = [
    "KHR_character",
    "KHR_character_expression_mapping",
    "KHR_character_skeleton_mapping",
    "KHR_virtual_transforms",
    "KHR_xmp_json_ld",
    "VRMC_springBone",
    "VRMC_springBone_extended_collider",
    "VRMC_node_constraint",
];

/// Extensions of materials that are read, and saved as they were in the file.
const OF_MATERIALS: [&str; 1] = [TOON_EXTENSION];

const MOST_BYTES: usize = 256 << 20;

pub(super) fn read(
    images: &Images<'_>,
    read_textures: &ReadTextures,
    (graph, meshes): (&NodeGraph, &Meshes),
    import: &mut Import<'_>,
    read_in_part: impl FnOnce(&mut Carrier<'_>) -> (Extensions, Option<usize>),
) -> Result<Carried, Fault> {
    import.begin("reading extensions", 0.985);
    let document = images.document;
    let mut carrier = Carrier {
        images_of_file: images,
        read_textures,
        textures: Vec::new(),
        images: Vec::new(),
        numbers: HashMap::new(),
        known_images: HashMap::new(),
        locations: HashMap::new(),
        bytes: 0,
        kept_names: BTreeSet::new(),
        left_out: BTreeSet::new(),
    };
    let root = carrier.kept(document.extensions.iter());
    let mut nodes = BTreeMap::new();
    for (index, node) in document.nodes.iter().enumerate() {
        import.tick()?;
        let own = carrier.kept(node.extensions.iter().flat_map(|extensions| &extensions.others));
        if let Some(rig_index) = graph.rig_index(index).filter(|_| !own.is_empty()) {
            nodes.insert(rig_index, own);
        }
    }
    let mut of_meshes = BTreeMap::new();
    let mut left_out = HashSet::new();
    for (index, source) in meshes.sources.iter().enumerate() {
        import.tick()?;
        let is_shared = meshes.nodes_of_mesh(source.mesh).len() > 1;
        if is_shared && !left_out.insert(source.mesh) {
            continue;
        }
        let extensions = document.meshes[source.mesh].extensions.iter().flat_map(|extensions| &extensions.others);
        // A mesh that several nodes show becomes several meshes.
        if is_shared {
            carrier.leave_out(extensions);
            continue;
        }
        let own = carrier.kept(extensions);
        if !own.is_empty() {
            of_meshes.insert(index, own);
        }
    }
    let mut materials = BTreeMap::new();
    for (index, material) in document.materials.iter().enumerate() {
        import.tick()?;
        let own = carrier.of_material(material);
        if !own.is_empty() {
            materials.insert(index, own);
        }
    }
    let (unread, thumbnail) = read_in_part(&mut carrier);
    for animation in &document.animations {
        carrier.kept(extensions_of(animation));
    }
    // Of what stands elsewhere, such as in skins and scenes, nothing is kept.
    let used = document.extensions_used.iter().filter_map(Value::as_str);
    for name in used.filter(|name| !SUPPORTED.contains(name) && !OF_NODES.contains(name)) {
        if !carrier.kept_names.contains(name) {
            carrier.left_out.insert(quoted(name));
        }
    }
    if !carrier.left_out.is_empty() {
        let names: Vec<&String> = carrier.left_out.iter().collect();
        let message = format!("not read, and left out when the head is saved: {}", listed(&names, 8));
        import.notes.inform(Subject::field("extensions"), message);
    }
    Ok(Carried {
        root,
        nodes,
        meshes: of_meshes,
        materials,
        textures: carrier.textures,
        images: carrier.images,
        unread,
        thumbnail,
    })
}

/// The extensions of an animation that can be kept.
pub(super) fn of_animation(animation: &Value) -> Extensions {
    let kept = unread(extensions_of(animation)).filter(|(name, value)| can_be_kept(name, value));
    kept.map(|(name, value)| (name.clone(), value.clone())).collect()
}

fn extensions_of(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.get("extensions").and_then(Value::as_object).into_iter().flatten()
}

pub(super) struct Carrier<'a> {
    images_of_file: &'a Images<'a>,
    read_textures: &'a ReadTextures,
    textures: Vec<CarriedTexture>,
    images: Vec<CarriedImage>,
    /// By the number of a texture in the file, its number in what is kept; none if its image cannot be kept.
    numbers: HashMap<usize, Option<usize>>,
    /// By the number of an image in the file, its index in `images`; none if it cannot be kept.
    known_images: HashMap<usize, Option<usize>>,
    /// The same by where it is: several images may be at one place.
    locations: HashMap<ImageLocation<'a>, Option<usize>>,
    bytes: usize,
    /// The names of the extensions that are kept somewhere.
    kept_names: BTreeSet<String>,
    left_out: BTreeSet<String>,
}

impl<'a> Carrier<'a> {
    /// The extensions of a file, a node, a mesh or an animation that can be kept.
    fn kept<'v>(&mut self, extensions: impl Iterator<Item = (&'v String, &'v Value)>) -> Extensions {
        let mut kept = Extensions::new();
        for (name, value) in unread(extensions) {
            if can_be_kept(name, value) {
                self.kept_names.insert(name.clone());
                kept.insert(name.clone(), value.clone());
            } else {
                self.left_out.insert(quoted(name));
            }
        }
        kept
    }

    fn leave_out<'v>(&mut self, extensions: impl Iterator<Item = (&'v String, &'v Value)>) {
        self.left_out.extend(unread(extensions).map(|(name, _)| quoted(name)));
    }

    /// Names what is left out although its extension is kept.
    pub(super) fn leave_out_part(&mut self, what: &str) {
        self.left_out.insert(what.to_owned());
    }

    fn of_material(&mut self, material: &json::Material) -> Extensions {
        let uv_sets = UvSets::choose(&MaterialTextures::read(material));
        let mut kept = Extensions::new();
        for (name, value) in unread(material.extensions.iter().flat_map(|extensions| &extensions.others)) {
            let mut value = value.clone();
            if self.renumber(&mut value, &uv_sets) {
                self.kept_names.insert(name.clone());
                kept.insert(name.clone(), value);
            } else {
                self.left_out.insert(quoted(name));
            }
        }
        kept
    }

    /// Replaces the numbers of textures, which are objects with an `index` under keys that end with `Texture`. False if
    /// one cannot be kept.
    fn renumber(&mut self, value: &mut Value, uv_sets: &UvSets) -> bool {
        match value {
            Value::Object(fields) => fields.iter_mut().all(|(key, value)| {
                let index = value.get("index").and_then(Value::as_u64).filter(|_| key.ends_with("exture"));
                let Some(index) = index else { return self.renumber(value, uv_sets) };
                let set = value.get("texCoord").and_then(Value::as_u64).unwrap_or(0);
                let set = u32::try_from(set).ok().and_then(|set| uv_sets.stored_as(set));
                let texture = usize::try_from(index).ok().and_then(|index| self.texture(index));
                let (Some(set), Some(texture)) = (set, texture) else { return false };
                value["index"] = json!(texture);
                match set {
                    UvSet::First => drop(value.as_object_mut().and_then(|fields| fields.remove("texCoord"))),
                    UvSet::Second => value["texCoord"] = json!(1),
                }
                // A transform may name another set, which counts instead.
                let transform = value.pointer("/extensions/KHR_texture_transform/texCoord").is_some();
                !transform
            }),
            Value::Array(values) => values.iter_mut().all(|value| self.renumber(value, uv_sets)),
            _ => true,
        }
    }

    /// The number of a texture of the file in the list of the head; none for one that cannot be kept.
    pub(super) fn texture(&mut self, index: usize) -> Option<usize> {
        if let Some(&known) = self.read_textures.of_file.get(&index) {
            return Some(known);
        }
        if let Some(known) = self.numbers.get(&index) {
            return *known;
        }
        let texture = self.images_of_file.document.textures.get(index);
        let number = texture.and_then(|texture| {
            let sampler = self.images_of_file.sampler(texture, &Subject::Numbered(Kind::Texture, index)).ok()?;
            images_of_texture(texture).into_iter().find_map(|image| self.image(image.value(), sampler))
        });
        self.numbers.insert(index, number);
        number
    }

    /// The number of a new texture with an image of the file; none for an image that is neither PNG nor JPEG.
    pub(super) fn image(&mut self, image: usize, sampler: Sampler) -> Option<usize> {
        let image = match self.known_images.get(&image) {
            Some(known) => *known,
            None => {
                let kept = self.kept_image(image);
                self.known_images.insert(image, kept);
                kept
            }
        }?;
        self.textures.push(CarriedTexture { image, sampler });
        Some(self.read_textures.textures.len() + self.textures.len() - 1)
    }

    fn kept_image(&mut self, image: usize) -> Option<usize> {
        let index = Index::new(u32::try_from(image).ok()?);
        let (name, location) = self.images_of_file.locate(index, &Subject::field("texture")).ok()?;
        if let Some(known) = self.locations.get(&location) {
            return *known;
        }
        let is_full = self.bytes >= MOST_BYTES;
        let file = if is_full { None } else { self.images_of_file.fetch(location, (image, &name)).ok() };
        let kept = file.filter(|file| is_picture(file) && self.bytes + file.len() <= MOST_BYTES).map(|file| {
            self.bytes += file.len();
            self.images.push(CarriedImage { name, file: Arc::from(&*file) });
            self.images.len() - 1
        });
        self.locations.insert(location, kept);
        kept
    }
}

fn is_picture(file: &[u8]) -> bool {
    file.starts_with(b"\x89PNG") || file.starts_with(&[0xFF, 0xD8])
}

fn unread<'v>(
    extensions: impl Iterator<Item = (&'v String, &'v Value)>,
) -> impl Iterator<Item = (&'v String, &'v Value)> {
    extensions.filter(|(name, _)| {
        let name = name.as_str();
        OF_NODES.contains(&name) || OF_MATERIALS.contains(&name) || !SUPPORTED.contains(&name)
    })
}

fn can_be_kept(name: &str, value: &Value) -> bool {
    OF_NODES.contains(&name) || !holds_whole_number(value)
}

fn holds_whole_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.is_u64(),
        Value::Array(values) => values.iter().any(holds_whole_number),
        Value::Object(fields) => fields.values().any(holds_whole_number),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}
