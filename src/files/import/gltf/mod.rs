//! glTF 2.0 (.glb, .gltf, and .vrm, which is a GLB).
//!
//! Of the `gltf` crate only the JSON structs are used, as plain data, one element at a time. Its `Document` panics on
//! indices that are out of range, and its accessor reader does not support quantised morph targets; so indices are
//! checked and accessors are read here.
//!
//! ```text
//! read                     bytes ─► JSON, buffers ─► Document (typed lists), Views, Accessors
//! nodes                    Document ─► the tree of nodes at rest, and which of them show a mesh
//! surface                  Document, Views ─► materials and textures
//! mesh                     Document, Accessors, nodes, materials ─► meshes with targets, skins
//! animation, vrm,          Document, meshes ─► clips, expressions, material variants
//!   character, variants
//! cameras, lights          Document, nodes ─► cameras and lights
//! carried                  Document ─► extensions that are not read, for saving
//! ```

mod animation;
mod carried;
mod character;
mod mesh;
mod nodes;
mod read;
mod surface;
mod variants;
mod vrm;

pub use self::read::{MeshoptFilter, MeshoptLayout, MeshoptMode, decode_meshopt};

use std::collections::BTreeMap;
use std::path::Path;

use self::nodes::NodeGraph;
use self::read::{Accessors, Buffers, GltfDocument, Views};
use self::vrm::{Vrm, VrmAnimation};
use super::Fault;
use super::budget::Budget;
use super::mesh::{note_black_colors, note_unusual_sizes};
use super::sidecar::ModelFolder;
use crate::import::Import;
use smirk_face::head::{Asset, Expression, ExpressionForm, Kind, Level, Note, Notes};
use smirk_face::motion::Take;

pub(super) struct GltfFile<'a> {
    pub bytes: &'a [u8],
    /// Its name ends in `.gltf`: it is JSON, not a GLB.
    pub is_text: bool,
    /// The folder with the files that it refers to; none for a file in memory.
    pub folder: Option<&'a ModelFolder>,
}

pub(super) enum Animated {
    Head(Box<Asset>),
    Takes(Vec<Take>),
}

pub(super) fn read(file: &GltfFile<'_>, name: String, mut import: Import<'_>) -> Result<Asset, Fault> {
    with_document(file, &mut import, |content, vrm, import| read_asset(content, vrm, file.folder, name, import))
}

/// Reads a file at a path as what can be a take: a head with clips, or the takes that it holds itself.
pub(super) fn read_animated(
    file: &GltfFile<'_>,
    path: &Path,
    name: String,
    mut import: Import<'_>,
) -> Result<Animated, Fault> {
    with_document(file, &mut import, |content, vrm, import| match VrmAnimation::read(content, import)? {
        Some(animation) => Ok(Animated::Takes(vrm::takes(&animation, path, import.progress)?)),
        None => Ok(Animated::Head(Box::new(read_asset(content, vrm, file.folder, name, import)?))),
    })
}

struct DocumentContent<'a> {
    document: &'a GltfDocument,
    views: &'a Views<'a>,
    accessors: &'a Accessors<'a>,
}

/// Reads the structure and the buffers of a file, and passes them on, with what makes it an avatar.
fn with_document<T>(
    file: &GltfFile<'_>,
    import: &mut Import<'_>,
    read_content: impl FnOnce(&DocumentContent<'_>, Vrm, &mut Import<'_>) -> Result<T, Fault>,
) -> Result<T, Fault> {
    import.report("reading the structure", 0.05)?;
    let container = read::split(file.bytes, file.is_text, &mut import.notes)?;
    let value = read::prepare(container.json, import)?;
    let mut document = GltfDocument::from_value(value, container.json.len(), import)?;
    let vrm = Vrm::take_from(&mut document);
    vrm.convert_materials(&mut document, &mut import.notes);
    import.report("reading buffers", 0.1)?;
    let buffers = Buffers::load(&document, container.bin, file.folder, import)?;
    import.budget = Budget::for_file(file.bytes.len() as u64 + buffers.bytes());
    let views = Views::new(&document, &buffers, import)?;
    let decoded = read::decode_draco(&document, &views, import)?;
    let accessors = Accessors::new(&document, &views, &decoded);
    read_content(&DocumentContent { document: &document, views: &views, accessors: &accessors }, vrm, import)
}

fn read_asset(
    content: &DocumentContent<'_>,
    mut vrm: Vrm,
    folder: Option<&ModelFolder>,
    name: String,
    import: &mut Import<'_>,
) -> Result<Asset, Fault> {
    let &DocumentContent { document, views, accessors } = content;
    import.report("reading materials", 0.15)?;
    let images = surface::Images { document, views, folder };
    let (mut materials, textures) = surface::read_materials(document, &images, import)?;
    let mut graph = NodeGraph::new(document, vrm.world_from_file(), import)?;
    let placements = graph.placements(document, &mut import.notes)?;
    let context = Context { document, accessors, graph: &graph };
    let notes_before = std::mem::take(&mut import.notes);
    let meshes = mesh::read_meshes(&context, &placements, &mut materials, import)?;
    let mesh_notes = std::mem::replace(&mut import.notes, notes_before);
    if meshes.instances.is_empty() {
        return Err(nothing_to_show(document, &mesh_notes));
    }
    import.notes.extend(mesh_notes.into_list());
    import.report("reading animations", 0.95)?;
    let of_expressions = character::animations(document);
    let clips = animation::read_clips(&context, &meshes, &of_expressions, import)?;
    import.report("finishing", 0.98)?;
    let of_vrm = vrm.take_expressions(document, &meshes, import);
    let of_draft = character::read_expressions(&context, &meshes, import)?;
    // The presets of VRM are often there and empty beside expressions of the draft.
    let shows_draft = !of_draft.is_empty() && of_vrm.iter().all(Expression::is_idle);
    let (expressions, unshown_expressions, expression_form) =
        if shows_draft { (of_draft, of_vrm, ExpressionForm::Khr) } else { (of_vrm, of_draft, ExpressionForm::Vrm) };
    if !unshown_expressions.is_empty() {
        character::note_unshown(expression_form, &mut import.notes);
    }
    let changes = |expression: &Expression| !expression.materials.is_empty() || expression.response.is_some();
    if meshes.instances.iter().all(|mesh| mesh.targets.is_empty()) && !expressions.iter().any(changes) {
        import.notes.push(Note::no_targets());
    }
    let avatar = vrm.avatar(&graph, &meshes);
    let variants = variants::read_all(document, &meshes, import)?;
    import.report("finishing", 0.985)?;
    let cameras = nodes::cameras(document, &graph, &mut import.notes);
    let lights = nodes::lights(document, &graph, &mut import.notes);
    let humanoid = vrm.humanoid(&graph, &mut import.notes);
    vrm.note(&document.extensions, &mut import.notes);
    let constraints = vrm::constraints(document, &graph, &mut import.notes);
    let carried = carried::read(&images, &textures, (&graph, &meshes), import, |carrier| vrm.carry(carrier))?;
    let (mut rig, mut meshes) = (graph.into_rig(meshes.skins, humanoid), meshes.instances);
    rig.world_from_format = avatar.as_ref().map(|avatar| avatar.version.world_from_file());
    let left_out = rig.set_constraints(constraints);
    vrm::note_left_out(&left_out, |node| rig.nodes[node].name.clone(), &mut import.notes);
    rig.add_nodes_for(&mut meshes);
    note_unusual_sizes(&meshes, &rig, import)?;
    note_black_colors(&meshes, &materials, &mut import.notes);
    import.report("finishing", 0.99)?;
    Ok(Asset {
        name,
        meshes,
        rig,
        materials,
        textures: textures.textures,
        clips,
        expressions,
        expression_form,
        unshown_expressions,
        // The caller knows the folder.
        declared_correctives: Vec::new(),
        former_names: BTreeMap::new(),
        avatar,
        variants,
        cameras,
        lights,
        carried,
        notes: import.take_notes(),
        side_files: Vec::new(),
    })
}

/// Why there is no mesh to show: the first warning about a mesh among the notes that reading the meshes added, or that
/// the file has none.
fn nothing_to_show(document: &GltfDocument, notes_of_meshes: &Notes) -> Fault {
    if let Some(note) =
        notes_of_meshes.find(|note| note.level == Level::Warning && note.subject.kind() == Some(Kind::Mesh))
    {
        return Fault::nothing_to_show(note.to_string());
    }
    let found = format!("meshes in the file: {}", document.meshes.len());
    match (document.animations.len(), document.meshes.is_empty()) {
        (1.., true) if document.extensions.contains_key("VRMC_vrm_animation") => Fault::NothingToShow {
            found: "it is a VRM animation".into(),
            advice: "open an avatar, a .vrm, and then this file as a take of it",
        },
        (1.., true) => Fault::NothingToShow { found, advice: "it is an animation alone: export it with the head" },
        _ => Fault::nothing_to_show(found),
    }
}

struct Context<'a> {
    pub document: &'a GltfDocument,
    pub accessors: &'a Accessors<'a>,
    pub graph: &'a NodeGraph,
}
