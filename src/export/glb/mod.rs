//! A head as a binary glTF file (.glb, glTF 2.0): meshes in their rest transforms, targets with their names, materials,
//! textures and clips. The JSON and the bytes are written directly, without the `gltf` crate.

mod bin;
mod clips;
mod geometry;
mod material;
mod surface;

use glam::Mat4;
use serde_json::{Map, Value, json};

use self::bin::Bin;
use crate::atomic_file::{OutputPath, WriteError};
use crate::head::{Head, Mesh};

/// Writes a head. Returns the size of the file in bytes.
pub fn save_glb(output: &OutputPath, head: &Head) -> Result<usize, WriteError> {
    let impossible = |problem: String| WriteError::of_content(output.path(), problem);
    let bytes = glb(head).map_err(|error| impossible(format!("a texture cannot be encoded as PNG: {error}")))?;
    // A GLB states its length in 32 bits.
    if u32::try_from(bytes.len()).is_err() {
        let (bytes, most) = (bytes.len(), u32::MAX);
        return Err(impossible(format!("it would have {bytes} bytes, and a .glb has at most {most}")));
    }
    output.write(&bytes)?;
    Ok(bytes.len())
}

/// The bytes of the file.
pub fn glb(head: &Head) -> Result<Vec<u8>, image::ImageError> {
    let mut bin = Bin::default();
    let mut root = Map::new();
    let generator = format!("Smirk {}", env!("CARGO_PKG_VERSION"));
    root.insert("asset".into(), json!({"version": "2.0", "generator": generator}));
    root.insert("scene".into(), json!(0));
    let nodes: Vec<Value> = head.meshes.iter().enumerate().map(|(index, mesh)| node(mesh, index)).collect();
    root.insert("scenes".into(), json!([{"name": head.name, "nodes": (0..nodes.len()).collect::<Vec<_>>()}]));
    root.insert("nodes".into(), nodes.into());
    let meshes: Vec<Value> = head.meshes.iter().map(|mesh| geometry::mesh(mesh, &mut bin)).collect();
    root.insert("meshes".into(), meshes.into());
    surface::write(head, &mut root, &mut bin)?;
    let animations = clips::write(head, &mut bin);
    if !animations.is_empty() {
        root.insert("animations".into(), animations.into());
    }
    root.insert("accessors".into(), bin.accessors.into());
    root.insert("bufferViews".into(), bin.views.into());
    root.insert("buffers".into(), json!([{"byteLength": bin.bytes.len()}]));
    Ok(container(Value::Object(root).to_string().into_bytes(), bin.bytes))
}

fn node(mesh: &Mesh, index: usize) -> Value {
    let mut node = json!({"name": mesh.name, "mesh": index});
    if mesh.world_from_mesh != Mat4::IDENTITY {
        node["matrix"] = json!(mesh.world_from_mesh.to_cols_array());
    }
    node
}

/// Header and chunks (glTF 2.0 §4).
fn container(mut text: Vec<u8>, mut bin: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    bin.resize(bin.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + bin.len();
    let mut glb = Vec::with_capacity(length);
    glb.extend(b"glTF");
    glb.extend(2_u32.to_le_bytes());
    glb.extend((length as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", bin)] {
        glb.extend((chunk.len() as u32).to_le_bytes());
        glb.extend(kind);
        glb.extend(chunk);
    }
    glb
}
