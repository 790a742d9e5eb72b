//! Wavefront OBJ (`.obj`, with `.mtl` sidecar files): text, one statement per line.
//!
//! ```text
//! bytes ─ statements ─ parser ─► Model ─ mesh_builder ─► Mesh     material libraries ─ mtl ─► materials, textures
//! ```
//!
//! The `v` statements are the control points that modelling programs count and that shapes are matched by. A mesh has
//! more vertices, because control points are split at seams of texture coordinates or normals;
//! [`Vertices::control_points`](smirk_face::head::Vertices::control_points) is the control point of each vertex.

mod mesh_builder;
mod mtl;
mod parser;
mod statements;

use self::mesh_builder::BuiltMesh;
use super::error::Fault;
use super::file::without_byte_order_mark;
use super::mesh::{note_black_colors, note_unusual_size};
use super::sidecar::ModelFolder;
use crate::import::Import;
use glam::Vec3;
use smirk_face::head::{Asset, Kind, Note, Notes, Rig, RigPose, Subject};

pub(super) struct ObjFile<'a> {
    pub bytes: &'a [u8],
    /// The folder with its material libraries; none for a file in memory.
    pub folder: Option<&'a ModelFolder>,
}

/// The positions of the `v` statements of a file, which
/// [`Vertices::control_points`](smirk_face::head::Vertices::control_points) count.
pub(super) fn positions(bytes: &[u8]) -> Result<Vec<Vec3>, Fault> {
    parser::positions(without_byte_order_mark(bytes))
}

pub(super) fn read(source: &ObjFile<'_>, name: String, mut import: Import<'_>) -> Result<Asset, Fault> {
    let text = without_byte_order_mark(source.bytes);
    if text.is_empty() {
        return Err(Fault::Unfit("is empty (0 bytes); export it again".into()));
    }
    if text[..text.len().min(4096)].contains(&0) {
        return Err(Fault::Unfit("is no text, as OBJ files are; export it again".into()));
    }
    let import = &mut import;
    let model = parser::parse(text, import)?;
    let mesh_name = match &model.objects.list[..] {
        [object] => object.clone(),
        _ => name.clone(),
    };
    import.report("joining corners", 0.7)?;
    let BuiltMesh { mut mesh, computed_normals } = mesh_builder::build(&model, mesh_name, import)?;
    if mesh.indices.is_empty() {
        let (points, faces) = (model.positions.len(), model.faces.len());
        let broken = if faces > 0 { ", none of them with finite vertices only" } else { "" };
        return Err(Fault::nothing_to_show(format!("vertices: {points}, faces: {faces}{broken}")));
    }
    import.report("reading materials", 0.85)?;
    let (materials, textures) = mtl::read(&model.libraries, &model.materials.list, &mut mesh, source.folder, import)?;
    note_conversions(&model, &mesh, computed_normals, &mut import.notes);
    note_unusual_size(&mesh, &RigPose::default(), &Subject::File, &mut import.notes);
    import.report("finishing", 0.98)?;
    let (mut rig, mut meshes) = (Rig::default(), vec![mesh]);
    note_black_colors(&meshes, &materials, &mut import.notes);
    let notes = import.take_notes();
    rig.add_nodes_for(&mut meshes);
    Ok(Asset { name, meshes, rig, materials, textures, notes, ..Asset::default() })
}

fn note_conversions(model: &parser::Model, mesh: &smirk_face::head::Mesh, computed_normals: usize, notes: &mut Notes) {
    let (points, vertices) = (model.positions.len(), mesh.vertices.len());
    if vertices > points {
        let message =
            format!("its {points} vertices became {vertices}, split where texture coordinates or normals tear");
        notes.inform(Subject::All(Kind::ObjPosition), message);
    }
    let hard = model.faces.iter().any(|face| face.smoothing != model.faces[0].smoothing || face.smoothing == 0);
    let kind = if hard { "smooth within smoothing groups" } else { "smooth" };
    match computed_normals {
        0 => {}
        made if made == vertices => {
            let message = format!("it has none; normals were made from its faces, {kind}");
            notes.inform(Subject::All(Kind::ObjNormal), message);
        }
        made => {
            let message = format!("missing at {made} of {vertices} vertices; made from its faces there, {kind}");
            notes.inform(Subject::All(Kind::ObjNormal), message);
        }
    }
    let height = RigPose::default().bounds_in_world(mesh).size().y;
    notes.inform(Subject::File, format!("OBJ says no unit: shown as it is, {height} high"));
    notes.push(Note::no_targets());
}
