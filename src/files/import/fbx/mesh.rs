//! The geometry of one mesh, without its targets and without the nodes that show it.

use std::collections::HashMap;

use glam::Vec3;

use super::vertices::{NONE, VERTEX_BYTES, VertexCollector};
use crate::import::Import;
use crate::import::error::Fault;
use crate::import::mesh::{GeneratedTangents, TangentRange, triangulate};
use smirk_face::head::{Material, Mesh, Note, Part, Subject};

/// The memory of a corner of a triangle: its index in the list of its part and in that of the mesh.
const INDEX_BYTES: usize = 2 * size_of::<u32>();

/// The geometry of a mesh. Its parts have, as materials, indices into the materials of the file's mesh.
pub(super) fn read(mesh: &ufbx::Mesh, subject: &Subject, import: &mut Import<'_>) -> Result<Mesh, Fault> {
    import.budget.spend(((mesh.vertex_uv.values.len() + mesh.vertex_normal.values.len()) * 24) as u64, subject)?;
    let mut collector = VertexCollector::new(mesh);
    // Per material of the mesh, in order of first use.
    let mut parts: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut part_of_material: HashMap<usize, usize> = HashMap::new();
    let (mut lines, mut broken) = (0, 0);
    for (number, face) in mesh.faces.iter().enumerate() {
        import.tick()?;
        if mesh.face_hole.get(number) == Some(&true) {
            continue;
        }
        if face.num_indices < 3 {
            lines += 1;
            continue;
        }
        let corners = face.index_begin as usize..(face.index_begin as usize + face.num_indices as usize);
        import.budget.spend((corners.len() * 3 * INDEX_BYTES) as u64, subject)?;
        let positions: Vec<Vec3> = corners.clone().map(|corner| collector.position(corner)).collect();
        if positions.iter().any(|position| !position.is_finite()) {
            broken += 1;
            continue;
        }
        let count_before = collector.len();
        let vertices: Vec<u32> = corners.map(|corner| collector.vertex(corner)).collect();
        import.budget.spend(((collector.len() - count_before) * VERTEX_BYTES) as u64, subject)?;
        let material = mesh.face_material.get(number).map_or(0, |material| *material as usize);
        let part = *part_of_material.entry(material).or_insert_with(|| {
            parts.push((material, Vec::new()));
            parts.len() - 1
        });
        parts[part].1.extend(triangulate(&positions).into_iter().flatten().map(|corner| vertices[corner]));
    }
    for (count, what) in [(lines, "have fewer than 3 corners"), (broken, "have corners that are not finite")] {
        if count > 0 {
            let message = format!("{count} of {} polygons {what}; left out", mesh.faces.len());
            import.notes.push(Note::warning(subject, message));
        }
    }
    import.tick()?;
    let mut read = Mesh::default();
    for (material, of_part) in &parts {
        let (first_index, index_count) = (read.indices.len() as u32, of_part.len() as u32);
        read.indices.extend(of_part);
        read.parts.push(Part { first_index, index_count, material: *material, flat_shaded: false });
    }
    read.vertices = collector.finish(&read.indices);
    let missing = |indices: &[u32]| indices.iter().filter(|&&index| index == NONE).count();
    let normals = if mesh.generated_normals { 0 } else { missing(&mesh.vertex_normal.indices) };
    for (count, what) in [
        (missing(&mesh.vertex_uv.indices), "texture coordinates"),
        (normals, "normal; theirs were made from its polygons"),
    ] {
        if count > 0 {
            import.notes.push(Note::info(subject, format!("{count} of {} corners have no {what}", mesh.num_indices)));
        }
    }
    if mesh.generated_normals && !read.indices.is_empty() {
        import.notes.push(Note::info(subject, "has no normals; they were made from its polygons"));
    }
    if mesh.vertex_color.exists {
        import.notes.push(Note::info(subject, "its vertex colours are not shown: materials of FBX do not use them"));
    }
    Ok(read)
}

/// Generates tangents for the parts whose materials have a normal map. `materials` are those of the mesh's parts.
pub(super) fn complete_tangents(
    mesh: &mut Mesh,
    materials: &[&Material],
    generated: &mut GeneratedTangents,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<(), Fault> {
    let mapped = || mesh.parts.iter().zip(materials).filter(|(_, material)| material.normal_texture.is_some());
    let Some(map) = mapped().find_map(|(_, material)| material.normal_texture) else { return Ok(()) };
    if mesh.vertices.uvs.is_empty() {
        import.notes.push(Note::warning(subject, "shown without its textures: it has no texture coordinates"));
        return Ok(());
    }
    let triangles: Vec<usize> = mapped()
        .flat_map(|(part, _)| (part.first_index..part.first_index + part.index_count).step_by(3))
        .map(|first| first as usize)
        .collect();
    let all = 0..mesh.vertices.len() as u32;
    let range = TangentRange::new(mesh, all, &triangles, map, import, subject)?;
    let corners = range.corners(mesh);
    if let Some(split) = range.apply(corners, mesh, import)? {
        generated.meshes += 1;
        generated.split_vertices += split.len();
    }
    Ok(())
}
