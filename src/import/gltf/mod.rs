//! glTF 2.0 (.glb, .gltf, and .vrm, which is a GLB).
//!
//! The `gltf` crate's JSON structs are used as plain data, one element at a time; its `Document` wrappers panic on
//! indices that lead nowhere, and its accessor reader does not know quantised morph targets, so indices are checked
//! and accessors read here.
//!
//! ```text
//! read       bytes ─ container ─► JSON ─ prepare ─ document ─► Document;  buffers ─► views ─► accessors
//! nodes      Document ─► the tree of nodes at rest, and which of them show a mesh
//! surface    Document, views ─► materials and textures
//! mesh       Document, accessors, nodes, materials ─► meshes, targets, skins
//! animation, vrm, variants    Document, meshes ─► clips, expressions, variants;  cameras, lights
//! ```

mod animation;
mod cameras;
mod lights;
mod mesh;
mod nodes;
mod read;
mod surface;
mod variants;
mod vrm;

use std::path::Path;

pub use self::read::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};

use self::read::{Accessors, Buffers, Document, Views};
use super::budget::Budget;
use super::size_check::note_unusual_sizes;
use super::{Fault, Progress, report};
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
    let container = read::split(source.bytes, source.is_text, &mut notes)?;
    let value = read::prepare(container.json, &mut notes)?;
    let document = Document::from_value(value)?;
    report(progress, "reading buffers", 0.1)?;
    let buffers = Buffers::load(&document, container.bin, source.folder)?;
    let mut budget = Budget::for_file(source.bytes.len() as u64 + buffers.bytes());
    let views = Views::new(&document, &buffers, &mut budget, progress)?;
    let accessors = Accessors::new(&document, &views);

    report(progress, "reading materials", 0.15)?;
    let images = surface::Images { document: &document, views: &views, folder: source.folder };
    let (mut materials, textures) = surface::read_materials(&document, &images, progress, &mut notes)?;
    let vrm = vrm::Vrm::of(&document);
    let mut graph = nodes::Graph::new(&document, vrm.world_from_file(), &mut notes)?;
    let placements = graph.placements(&document, &mut notes)?;
    let meshes = mesh::read_meshes(
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
    let clips = animation::read_clips(&sources, &mut budget, &mut notes);
    report(progress, "finishing", 0.98)?;
    let expressions = vrm.expressions(&meshes, &mut budget, &mut notes);
    let variants = variants::read_all(&document, &meshes, &mut budget, &mut notes)?;
    let cameras = cameras::read_all(&document, &graph, &mut notes);
    let lights = lights::read_all(&document, &graph, &mut notes);
    vrm.note(&mut notes);
    let (rig, meshes) = (graph.into_rig(meshes.skins), meshes.instances);
    note_unusual_sizes(&meshes, &rig, &mut notes);
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
