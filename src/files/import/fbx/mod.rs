//! FBX (`.fbx`), binary and as text, versions 3000 to 7700. The `ufbx` crate reads the file; its scene becomes a head
//! here.
//!
//! ```text
//! scene                bytes ─► ufbx scene: metres, y up, within a limit of memory
//! nodes                scene ─► the tree of nodes at rest, and which of them show a mesh
//! surface              scene, folder ─► materials and textures
//! mesh, vertices       mesh of the scene ─► vertices split at corners that differ, triangles, parts
//! channels, shapes     blend channels ─► targets with in-betweens, one offset for every vertex of a control point
//! skins                skin deformers ─► skins and influences
//! instances            nodes that show a mesh ─► meshes of the head
//! animation            animation stacks ─► clips
//! ```
//!
//! Autodesk documents the SDK, not the file. What FBX means where this is said nowhere is what `ufbx` makes of it.

mod animation;
mod channels;
mod instances;
mod mesh;
mod nodes;
mod scene;
mod shapes;
mod skins;
mod surface;

use glam::{Mat4, Quat, Vec2, Vec3};

use self::instances::Instances;
use self::nodes::NodeTree;
use self::surface::FbxMaterials;
use super::error::Fault;
use super::mesh::note_unusual_sizes;
use super::sidecar::ModelFolder;
use crate::import::Import;
use smirk_face::head::{Asset, Note, Trs};

pub(super) struct FbxFile<'a> {
    pub bytes: &'a [u8],
    /// The folder with its textures; none for a file in memory.
    pub folder: Option<&'a ModelFolder>,
}

pub(super) fn read(file: &FbxFile<'_>, name: String, mut import: Import<'_>) -> Result<Asset, Fault> {
    let import = &mut import;
    let scene = scene::load(file.bytes, import)?;
    import.report("reading nodes", 0.3)?;
    let tree = NodeTree::from_scene(&scene, &mut import.notes)?;
    import.report("reading materials", 0.32)?;
    let mut materials = FbxMaterials::read(&scene, file.folder, import)?;
    let Instances { meshes, skins, sources } = instances::read(&scene, &tree, &mut materials, import)?;
    if meshes.is_empty() {
        return Err(Fault::nothing_to_show(instances::why_empty(&scene, &import.notes)));
    }
    if meshes.iter().all(|mesh| mesh.targets.is_empty()) {
        import.notes.push(Note::no_targets());
    }
    import.report("reading animations", 0.9)?;
    let clips = animation::read_clips(&scene, &tree, &sources, import)?;
    let rig = tree.into_rig(skins);
    note_unusual_sizes(&meshes, &rig, import)?;
    import.report("finishing", 0.99)?;
    let notes = import.take_notes();
    let (materials, textures) = materials.finish();
    Ok(Asset { name, meshes, rig, materials, textures, clips, notes, ..Asset::default() })
}

fn name_or_number(element: &ufbx::Element, kind: &str, number: usize) -> String {
    if element.name.is_empty() { format!("{kind} {number}") } else { element.name.to_string() }
}

fn vec2(v: &ufbx::Vec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

fn vec3(v: &ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn quat(q: &ufbx::Quat) -> Quat {
    Quat::from_xyzw(q.x as f32, q.y as f32, q.z as f32, q.w as f32)
}

/// The identity if the rotation has no length.
fn trs(transform: &ufbx::Transform) -> Trs {
    let rotation = quat(&transform.rotation);
    let rotation = if rotation.length_squared() > 0.0 { rotation.normalize() } else { Quat::IDENTITY };
    Trs { translation: vec3(&transform.translation), rotation, scale: vec3(&transform.scale) }
}

fn mat4(m: &ufbx::Matrix) -> Mat4 {
    let columns = [[m.m00, m.m10, m.m20, 0.0], [m.m01, m.m11, m.m21, 0.0], [m.m02, m.m12, m.m22, 0.0]];
    let [x, y, z] = columns.map(|column| column.map(|number| number as f32));
    let origin = [m.m03, m.m13, m.m23, 1.0].map(|number| number as f32);
    Mat4::from_cols_array_2d(&[x, y, z, origin])
}
