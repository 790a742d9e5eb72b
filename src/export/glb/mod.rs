//! A head as a binary glTF file (.glb, glTF 2.0): everything that Smirk reads of one. The JSON and the bytes are
//! written directly, without the `gltf` crate.
//!
//! A head that is read from a file of glTF, written and read again is the same, with the extensions that are not read
//! ([`smirk_face::head::Carried`]), but for rounding of emissive colours and matrices that shear. In-betweens, which
//! only other formats have, become targets.

mod bin;
mod clips;
mod fetch_order;
mod geometry;
mod in_betweens;
mod khr;
mod nodes;
mod precision;
mod small;
mod streams;
mod surface;
mod toon;
mod vrm;
mod within;

pub use self::in_betweens::FlattenedInBetweens;
pub use self::precision::{Packing, Precision, StoredDeltas};
pub use self::small::{SmallGlb, StoredShape, small_glb};
pub(super) use self::surface::file_as_it_is;

use std::collections::BTreeSet;

use glam::Mat4;
use serde_json::{Map, Value, json};

use self::bin::Bin;
use self::nodes::Nodes;
use self::precision::Grid;
use self::streams::COMPRESSION;
use super::generator;
use crate::ExportError;
use smirk_base::progress::Progress;
use smirk_face::head::{Extensions, Head};

pub fn glb(head: &Head) -> Result<Vec<u8>, ExportError> {
    glb_with(head, StoredDeltas::default(), Progress::NONE)
}

/// The bytes of the file with deltas of a kind, unless that is cancelled.
pub fn glb_with(head: &Head, deltas: StoredDeltas, progress: Progress<'_>) -> Result<Vec<u8>, ExportError> {
    glb_with_extensions(head, deltas, Map::new(), progress)
}

/// The bytes of the file with extensions of the whole file besides those of the head. Nodes have the numbers of the
/// head's rig, if its `file_indices` are empty and no transform shears.
pub(super) fn glb_with_extensions(
    head: &Head,
    deltas: StoredDeltas,
    extensions: Map<String, Value>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, ExportError> {
    let flat = in_betweens::as_targets(head);
    Ok(written(flat.as_ref().unwrap_or(head), deltas, extensions, progress)?.bytes)
}

/// A file, and what is known of it since it was written.
struct Written {
    bytes: Vec<u8>,
    /// From the world to the space of the scene of the file.
    file_from_world: Mat4,
    /// Per mesh of the head, the bytes of each target, about: as floats, and as they are stored.
    target_bytes: Vec<Vec<[usize; 2]>>,
    /// The meshes of the head that the file has, in the order of their nodes, in which they are read.
    meshes: Vec<usize>,
}

/// Writes a head without in-betweens.
fn written(
    head: &Head,
    deltas: StoredDeltas,
    mut extensions: Map<String, Value>,
    progress: Progress<'_>,
) -> Result<Written, ExportError> {
    if let Some(skin) = head.rig.skins.iter().find(|skin| skin.joints.len() > 1 << 16) {
        let (name, joints) = (&skin.name, skin.joints.len());
        return Err(failed!("skin {name} has {joints} joints, and a skin of a .glb has at most 65536"));
    }
    let mut bin = Bin::new(deltas);
    let mut root = Map::new();
    root.insert("asset".into(), json!({"version": "2.0", "generator": generator()}));
    root.insert("scene".into(), json!(0));
    let mut nodes = Nodes::from_head(head);
    let mut meshes = Vec::with_capacity(head.meshes.len());
    let (mut target_bytes, mut indices, mut grids) = (Vec::new(), Vec::new(), Vec::new());
    for index in 0..head.meshes.len() {
        progress.report("meshes", 0.5 * index as f32 / head.meshes.len() as f32)?;
        bin.grid = bin.precision.map(|precision| Grid::new(head, index, precision));
        grids.push(bin.grid.filter(|grid| grid.is_in_steps));
        target_bytes.push(vec![[0; 2]; head.meshes[index].targets.len()]);
        if let Some(mut mesh) = geometry::mesh(head, index, &mut bin, &mut target_bytes[index]) {
            add_extensions(&mut mesh, head.carried.meshes.get(&index));
            nodes.show(index, meshes.len());
            meshes.push(mesh);
            indices.push(index);
            if let Some(grid) = grids[index].filter(|_| !nodes::is_skinned(&head.meshes[index], &head.rig)) {
                nodes.scale_mesh(head, index, grid.step);
            }
        }
    }
    root.insert("meshes".into(), meshes.into());
    let skins = nodes::write_skins(head, &mut nodes, &grids, &mut bin);
    if !skins.is_empty() {
        root.insert("skins".into(), skins.into());
    }
    let images = surface::write(head, &mut root, &mut bin, progress.part(0.5..0.9))?;
    progress.report("animations", 0.9)?;
    let khr::Written { animations, used: used_by_expressions } =
        khr::write(head, &mut extensions, &mut nodes, &mut bin);
    if !animations.is_empty() {
        root.insert("animations".into(), animations.into());
    }
    nodes::write_cameras_and_lights(head, &mut root, &mut extensions, &mut nodes);
    vrm::write(head, &mut extensions, &nodes, &images);
    // The mapping is of the expressions of the draft, with which it was written.
    for (name, value) in head.carried.root.iter().filter(|(name, _)| *name != khr::MAPPING) {
        extensions.entry(name.clone()).or_insert_with(|| value.clone());
    }
    for (&node, own) in &head.carried.nodes {
        if let Some(index) = nodes.index_of(node) {
            add_extensions(&mut nodes.list[index], Some(own));
        }
    }
    let mut scene = json!({"name": head.name});
    if !nodes.roots.is_empty() {
        scene["nodes"] = json!(nodes.roots);
    }
    root.insert("scenes".into(), json!([scene]));
    root.insert("nodes".into(), nodes.list.into());
    if !head.variants.is_empty() {
        let variants: Vec<Value> = head.variant_names().map(|name| json!({"name": name})).collect();
        extensions.insert(geometry::VARIANTS.into(), json!({"variants": variants}));
    }
    if !extensions.is_empty() {
        root.insert("extensions".into(), extensions.into());
    }
    let file_from_world = nodes.file_from_world;
    indices.sort_by_key(|&mesh| nodes.of_meshes[mesh]);
    let decompressed = bin.write_streams();
    let mut buffers = Vec::new();
    if !bin.bytes.is_empty() {
        buffers.push(json!({"byteLength": bin.bytes.len()}));
    }
    if decompressed > 0 {
        buffers.push(json!({"byteLength": decompressed, "extensions": {COMPRESSION: {"fallback": true}}}));
    }
    root.insert("buffers".into(), buffers.into());
    root.insert("accessors".into(), bin.accessors.into());
    root.insert("bufferViews".into(), bin.views.into());
    let mut used = extensions_of(&root);
    used.extend(used_by_expressions);
    let is_quantised = bin.precision.is_some_and(|precision| precision.packing != Packing::Floats);
    let mut required = Vec::new();
    required.extend((decompressed > 0).then_some(COMPRESSION));
    required.extend(is_quantised.then_some("KHR_mesh_quantization"));
    if !required.is_empty() {
        used.extend(required.iter().map(|&name| name.to_owned()));
        root.insert("extensionsRequired".into(), json!(required));
    }
    if !used.is_empty() {
        root.insert("extensionsUsed".into(), json!(used));
    }
    // A list of glTF has at least one element.
    root.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    let bytes = container(Value::Object(root).to_string().into_bytes(), bin.bytes)?;
    Ok(Written { bytes, file_from_world, target_bytes, meshes: indices })
}

/// Adds extensions to an element of the file, but for those that it has.
fn add_extensions(element: &mut Value, extensions: Option<&Extensions>) {
    if let Some(extensions) = extensions.filter(|extensions| !extensions.is_empty()) {
        merge(&mut element["extensions"], &Value::Object(extensions.clone()));
    }
}

/// Adds what `into` lacks of `from`, in objects at any depth.
fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into @ Value::Null, from) => *into = from.clone(),
        _ => {}
    }
}

fn extensions_of(root: &Map<String, Value>) -> BTreeSet<String> {
    let own = root.get("extensions").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned();
    // What is in an extension of the whole file is its own: a licence may have any key.
    own.chain(root.iter().filter(|(key, _)| *key != "extensions").flat_map(|(_, value)| in_value(value))).collect()
}

/// The names of all extensions in a part of the file: an extension of a material may hold a texture with another one.
fn extensions_in(object: &Map<String, Value>) -> BTreeSet<String> {
    let own = object.get("extensions").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned();
    own.chain(object.iter().filter(|(key, _)| *key != "extras").flat_map(|(_, value)| in_value(value))).collect()
}

fn in_value(value: &Value) -> BTreeSet<String> {
    match value {
        Value::Object(object) => extensions_in(object),
        Value::Array(list) => list.iter().flat_map(in_value).collect(),
        _ => BTreeSet::new(),
    }
}

/// Header and chunks (glTF 2.0 §4).
fn container(mut text: Vec<u8>, mut bin: Vec<u8>) -> Result<Vec<u8>, ExportError> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + if bin.is_empty() { 0 } else { 8 + bin.len() };
    let stated = u32::try_from(length)
        .map_err(|_| failed!("it would have {length} bytes, and a .glb has at most {max}", max = u32::MAX))?;
    let mut glb = Vec::with_capacity(length);
    glb.extend(b"glTF");
    glb.extend(2_u32.to_le_bytes());
    glb.extend(stated.to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bin)].into_iter().filter(|(_, chunk)| !chunk.is_empty()) {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    Ok(glb)
}
