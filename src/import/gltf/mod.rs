//! glTF 2.0 (.glb, .gltf, and .vrm, which is a GLB).
//!
//! The `gltf` crate's JSON structs are used as plain data, one element at a time; its `Document` wrappers panic on
//! indices that lead nowhere, and its accessor reader does not know quantised morph targets, so indices are checked
//! and accessors read here.
//!
//! ```text
//! bytes ─ container ─► JSON, BIN ─ prepare ─► Value ─ document ─► Document
//!                                                                   │
//!        buffers ─► views ─► accessor ─► geometry, tangents ─► mesh, skin, animation; texture ─► gallery ─► material; node ─► the rig they stand on
//!        vrm, vrm_expressions, vrm_binds ─► expressions; variants; camera; light
//! ```

mod accessor;
mod animation;
mod buffers;
mod camera;
mod channel;
mod container;
mod decode;
mod deltas;
mod document;
mod extension;
mod gallery;
mod geometry;
mod layers;
mod light;
mod material;
mod mesh;
mod meshopt;
mod names;
mod node;
mod paint;
mod prepare;
mod primitive;
mod range;
mod skin;
mod specular_glossiness;
mod tangents;
mod texture;
mod texture_use;
mod unit;
mod uv_sets;
mod variants;
mod views;
mod vrm;
mod vrm_binds;
mod vrm_expressions;

use std::path::Path;

pub use self::meshopt::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};

use self::accessor::Accessors;
use self::budget::Budget;
use self::buffers::Buffers;
use self::document::Document;
use self::views::Views;
use super::odd_size::note_odd_sizes;
use super::{Fault, Progress, budget, report};
use crate::head::{Asset, Head, Level, Note};

/// A file's content and what is known about where it came from.
pub(super) struct Source<'a> {
    /// All of the file.
    pub bytes: &'a [u8],
    /// Its name says that it is JSON.
    pub is_text: bool,
    /// Where its neighbours are; none for a file in memory.
    pub folder: Option<&'a Path>,
}

/// Reads a head.
pub(super) fn read(source: &Source<'_>, name: String, progress: &Progress<'_>) -> Result<Head, Fault> {
    let mut notes = Vec::new();
    report(progress, "reading the structure", 0.05)?;
    let container = container::split(source.bytes, source.is_text, &mut notes)?;
    let value = prepare::prepare(container.json, &mut notes)?;
    let document = Document::from_value(value)?;
    report(progress, "reading buffers", 0.1)?;
    let buffers = Buffers::load(&document, container.bin, source.folder)?;
    let mut budget = Budget::for_file(source.bytes.len() as u64 + buffers.bytes());
    let views = Views::new(&document, &buffers, &mut budget, progress)?;
    let accessors = Accessors::new(&document, &views);

    report(progress, "reading materials", 0.15)?;
    let images = texture::Images { document: &document, views: &views, folder: source.folder };
    let (mut materials, textures) = material::read_all(&document, &images, progress, &mut notes)?;
    let vrm = vrm::Vrm::of(&document);
    let mut graph = node::Graph::new(&document, vrm.world_from_file(), &mut notes)?;
    let placements = graph.placements(&document, &mut notes)?;
    let meshes = mesh::read_all(
        &mesh::Context { document: &document, accessors: &accessors, graph: &graph, progress },
        &placements,
        &mut materials,
        &mut budget,
        &mut notes,
    )?;
    if meshes.instances.is_empty() {
        return Err(Fault::NothingToShow(why_empty(&document, &notes)));
    }
    if meshes.instances.iter().all(|mesh| mesh.targets.is_empty()) {
        notes.push(Note::no_targets());
    }
    report(progress, "reading animations", 0.95)?;
    let sources = animation::Sources { document: &document, accessors: &accessors, meshes: &meshes, graph: &graph };
    let clips = animation::read_all(&sources, &mut budget, &mut notes);
    report(progress, "finishing", 0.98)?;
    let expressions = vrm.expressions(&meshes, &mut budget, &mut notes);
    let variants = variants::read_all(&document, &meshes, &mut budget, &mut notes)?;
    let cameras = camera::read_all(&document, &graph, &mut notes);
    let lights = light::read_all(&document, &graph, &mut notes);
    vrm.note(&mut notes);
    let (rig, meshes) = (graph.into_rig(meshes.skins), meshes.instances);
    note_odd_sizes(&meshes, &rig, &mut notes);
    Ok(Head::new(Asset {
        name,
        meshes,
        rig,
        materials,
        textures,
        clips,
        expressions,
        variants,
        cameras,
        lights,
        notes,
    }))
}

/// Why no mesh is left: what was left out first, or that there was none.
fn why_empty(document: &Document, notes: &[Note]) -> String {
    match notes.iter().find(|note| note.level == Level::Warning && note.object.starts_with("mesh ")) {
        Some(note) => format!("{}: {}", note.object, note.message),
        None => format!("meshes in the file: {}", document.meshes.len()),
    }
}
