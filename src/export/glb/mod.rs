//! A head as a binary glTF file (.glb, glTF 2.0): meshes in their rest transforms, targets with their names, materials,
//! textures and clips. The JSON and the bytes are written directly, without the `gltf` crate.

mod bin;
mod clips;
mod geometry;
mod material;
mod surface;

use std::path::{Path, PathBuf};

use glam::Mat4;
use serde_json::{Map, Value, json};
use thiserror::Error;

use self::bin::Bin;
use crate::atomic_file;
use crate::head::{Head, Mesh};

/// Why a head was not saved.
#[derive(Debug, Error)]
pub enum GlbError {
    /// The file cannot be written.
    #[error("cannot write {}: {source}. Does the folder exist, and may it be written to?", path.display())]
    Write {
        /// The file that was to be written.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// A texture cannot be encoded.
    #[error("cannot write {}: a texture cannot be encoded as PNG: {source}", path.display())]
    Texture {
        /// The file that was to be written.
        path: PathBuf,
        /// The encoder's error.
        source: image::ImageError,
    },
    /// A GLB states its length in 32 bits.
    #[error("cannot write {}: it would have {bytes} bytes, and a .glb has at most {}", path.display(), u32::MAX)]
    TooLarge {
        /// The file that was to be written.
        path: PathBuf,
        /// The length it would have.
        bytes: usize,
    },
}

/// Writes a head to a file. An existing file is replaced once the new one is complete.
pub fn save_glb(path: &Path, head: &Head) -> Result<(), GlbError> {
    let bytes = glb(head).map_err(|source| GlbError::Texture { path: path.to_owned(), source })?;
    if u32::try_from(bytes.len()).is_err() {
        return Err(GlbError::TooLarge { path: path.to_owned(), bytes: bytes.len() });
    }
    atomic_file::write(path, &bytes).map_err(|source| GlbError::Write { path: path.to_owned(), source })
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
