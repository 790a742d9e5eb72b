//! The meshes of a head: one for each node that shows a mesh.

use ufbx::Scene;

use super::nodes::NodeTree;
use super::skins;
use super::surface::FbxMaterials;
use super::{channels, mesh};
use crate::import::mesh::{GeneratedTangents, Skins};
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Level, Material, Mesh, Notes, Skin, Subject};

pub(super) struct Instances {
    pub meshes: Vec<Mesh>,
    pub skins: Vec<Skin>,
    /// Per mesh of the head, the index of the file's mesh.
    pub sources: Vec<usize>,
}

/// Reads each mesh that a node shows, for each of these nodes.
pub(super) fn read(
    scene: &Scene,
    tree: &NodeTree,
    materials: &mut FbxMaterials<'_>,
    import: &mut Import<'_>,
) -> Result<Instances, Fault> {
    import.begin("reading meshes", 0.4);
    let mut reader =
        InstanceReader { tree, materials, import, generated: GeneratedTangents::default(), skins: Skins::default() };
    let all: Vec<(usize, &ufbx::Node, &ufbx::Mesh)> = scene
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(index, node)| Some((index, node.as_ref(), node.mesh.as_ref()?.as_ref())))
        .collect();
    let visible: Vec<_> = all.iter().filter(|(index, ..)| !tree.is_hidden(*index)).copied().collect();
    let shown = if visible.is_empty() { &all } else { &visible };
    if shown.len() < all.len() {
        reader.import.notes.inform(Subject::File, format!("{} hidden meshes are left out", all.len() - shown.len()));
    }
    let mut instances = Instances { meshes: Vec::new(), skins: Vec::new(), sources: Vec::new() };
    for (number, &(index, node, file_mesh)) in shown.iter().enumerate() {
        reader.import.tick_at(0.4 + 0.5 * number as f32 / shown.len() as f32)?;
        let Some(mesh) = reader.read(index, node, file_mesh)? else { continue };
        instances.meshes.push(mesh);
        instances.sources.push(file_mesh.element.typed_id as usize);
    }
    reader.import.notes.extend(reader.generated.note());
    instances.skins = reader.skins.finish(&mut reader.import.notes);
    Ok(instances)
}

/// Why there is no mesh to show: the first warning about a mesh, or that the file has none.
pub(super) fn why_empty(scene: &Scene, notes: &Notes) -> String {
    match notes.find(|note| note.level == Level::Warning && note.subject.kind() == Some(Kind::Mesh)) {
        Some(note) => note.to_string(),
        None => format!("meshes in the file: {}", scene.meshes.len()),
    }
}

struct InstanceReader<'r, 'a, 'm> {
    tree: &'r NodeTree,
    materials: &'r mut FbxMaterials<'m>,
    import: &'r mut Import<'a>,
    generated: GeneratedTangents,
    skins: Skins,
}

impl InstanceReader<'_, '_, '_> {
    /// The mesh that a node shows; none, with a note, if it has no triangle.
    fn read(&mut self, node_index: usize, node: &ufbx::Node, file_mesh: &ufbx::Mesh) -> Result<Option<Mesh>, Fault> {
        let is_shared = file_mesh.element.instances.len() > 1;
        // The geometry may hang on a helper node, which has the name of no object.
        let named = if node.is_geometry_transform_helper { node.parent.as_deref().unwrap_or(node) } else { node };
        let own_name = Some(&*file_mesh.element.name).filter(|name| !(name.is_empty() || is_shared));
        let name = own_name.unwrap_or(&named.element.name).to_owned();
        let name = if name.is_empty() { format!("mesh {}", file_mesh.element.typed_id) } else { name };
        let subject = Subject::named(Kind::Mesh, &name);
        let mut mesh = mesh::read(file_mesh, &subject, self.import)?;
        if mesh.indices.is_empty() {
            self.import.notes.warn(&subject, "has no triangle; left out");
            return Ok(None);
        }
        mesh.name = name;
        mesh.node = self.tree.rig_index(node_index);
        // A node may have other materials than the mesh that it shows.
        for part in &mut mesh.parts {
            let material = node.materials.get(part.material).or(file_mesh.materials.get(part.material));
            part.material = self.materials.index_of(material.map(|material| material.as_ref()));
        }
        self.materials.split_by_tiles(&mut mesh, &mut self.import.notes)?;
        let materials: Vec<&Material> = mesh.parts.iter().map(|part| self.materials.get(part.material)).collect();
        mesh::complete_tangents(&mut mesh, &materials, &mut self.generated, &subject, self.import)?;
        // Per node, because tangents split other vertices for other materials.
        mesh.targets = channels::read(file_mesh, &mesh, &subject, self.import)?;
        skins::bind(&mut self.skins, file_mesh, self.tree, &mut mesh, &subject, self.import)?;
        for (count, what) in [
            (file_mesh.cache_deformers.len(), "a point cache"),
            (file_mesh.skin_deformers.len().saturating_sub(1), "its second skin"),
        ] {
            if count > 0 {
                self.import.notes.warn(&subject, format!("shown without {what}"));
            }
        }
        Ok(Some(mesh))
    }
}
