//! A head as a binary glTF file (.glb, glTF 2.0): everything that Smirk reads of one. The JSON and the bytes are
//! written directly, without the `gltf` crate.
//!
//! A head that is read from a file of glTF, written and read again is the same, with the extensions that are not read
//! ([`smirk_face::head::Carried`]), but for rounding of emissive colours and matrices that shear. In-betweens, which
//! only other formats have, become targets.

mod bin;
mod clips;
mod geometry;
mod in_betweens;
mod khr;
mod nodes;
mod surface;
mod toon;
mod vrm;

pub use self::bin::StoredDeltas;
pub use self::in_betweens::FlattenedInBetweens;
pub(super) use self::surface::file_as_it_is;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use self::bin::Bin;
use self::nodes::Nodes;
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
    mut extensions: Map<String, Value>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, ExportError> {
    if let Some(skin) = head.rig.skins.iter().find(|skin| skin.joints.len() > 1 << 16) {
        let (name, joints) = (&skin.name, skin.joints.len());
        return Err(failed!("skin {name} has {joints} joints, and a skin of a .glb has at most 65536"));
    }
    let flat = in_betweens::as_targets(head);
    let head = flat.as_ref().unwrap_or(head);
    let mut bin = Bin::new(deltas);
    let mut root = Map::new();
    root.insert("asset".into(), json!({"version": "2.0", "generator": generator()}));
    root.insert("scene".into(), json!(0));
    let mut nodes = Nodes::from_head(head);
    let mut meshes = Vec::with_capacity(head.meshes.len());
    for index in 0..head.meshes.len() {
        progress.report("meshes", 0.5 * index as f32 / head.meshes.len() as f32)?;
        if let Some(mut mesh) = geometry::mesh(head, index, &mut bin) {
            add_extensions(&mut mesh, head.carried.meshes.get(&index));
            nodes.show(index, meshes.len());
            meshes.push(mesh);
        }
    }
    root.insert("meshes".into(), meshes.into());
    let skins = nodes::write_skins(head, &mut nodes, &mut bin);
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
    extensions.extend(head.carried.root.clone());
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
    let mut used = extensions_of(&root);
    used.extend(used_by_expressions);
    if !used.is_empty() {
        root.insert("extensionsUsed".into(), json!(used));
    }
    root.insert("accessors".into(), bin.accessors.into());
    root.insert("bufferViews".into(), bin.views.into());
    let has_bytes = !bin.bytes.is_empty();
    root.insert("buffers".into(), if has_bytes { json!([{"byteLength": bin.bytes.len()}]) } else { json!([]) });
    // A list of glTF has at least one element.
    root.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    container(Value::Object(root).to_string().into_bytes(), bin.bytes)
}

/// Adds extensions to an element of the file, but for those that it has.
fn add_extensions(element: &mut Value, extensions: Option<&Extensions>) {
    if let Some(extensions) = extensions {
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
