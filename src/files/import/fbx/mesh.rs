//! The geometry of one mesh, without its targets and without the nodes that show it.

use std::collections::HashMap;

use glam::{Vec2, Vec3};

use crate::import::fbx::{vec2, vec3};
use crate::import::mesh::{
    GeneratedTangents, INDEX_BYTES, TangentRange, VERTEX_BYTES, first_equals, smooth_normals, triangulate,
};
use crate::import::{Fault, Import};
use smirk_face::head::{Material, Mesh, Part, Subject, Vertices};

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
            import.notes.warn(subject, format!("{count} of {} polygons {what}; left out", mesh.faces.len()));
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
    let normals = if mesh.generated_normals { 0 } else { missing(&mesh.vertex_normal.indices) };
    for (count, what) in [
        (missing(&mesh.vertex_uv.indices), "texture coordinates"),
        (normals, "normal; theirs were made from its polygons"),
    ] {
        if count > 0 {
            import.notes.inform(subject, format!("{count} of {} corners have no {what}", mesh.num_indices));
        }
    }
    if mesh.generated_normals && !read.indices.is_empty() {
        import.notes.inform(subject, "has no normals; they were made from its polygons");
    }
    if mesh.vertex_color.exists {
        import.notes.inform(subject, "its vertex colours are not shown: materials of FBX do not use them");
    }
    Ok(read)
}

fn missing(indices: &[u32]) -> usize {
    indices.iter().filter(|&&index| index == NONE).count()
}

/// Generates tangents for the parts whose materials have a normal map. `materials` are those of the mesh's parts.
pub(super) fn complete_tangents(
    mesh: &mut Mesh,
    materials: &[&Material],
    generated: &mut GeneratedTangents,
    subject: &Subject,
    import: &mut Import<'_>,
) -> Result<(), Fault> {
    let of_parts = mesh.parts.iter().zip(materials);
    let mapped: Vec<_> = of_parts.filter_map(|(part, material)| Some((part, material.normal_texture?))).collect();
    let Some(&(_, map)) = mapped.first() else { return Ok(()) };
    if mesh.vertices.uvs.is_empty() {
        import.notes.warn(subject, "shown without its textures: it has no texture coordinates");
        return Ok(());
    }
    let firsts = mapped.iter().flat_map(|(part, _)| (part.first_index..part.first_index + part.index_count).step_by(3));
    let triangles: Vec<usize> = firsts.map(|first| first as usize).collect();
    let all = 0..mesh.vertices.len() as u32;
    let range = TangentRange::new(mesh, all, &triangles, map, import, subject)?;
    let corners = range.corners(mesh);
    if let Some(split) = range.apply(corners, mesh, import)? {
        generated.meshes += 1;
        generated.split_vertices += split.len();
    }
    Ok(())
}

/// Stands for the texture coordinates or the normal of a corner that has none: `UFBX_NO_INDEX`.
pub(super) const NONE: u32 = u32::MAX;

pub(super) struct VertexCollector<'a> {
    mesh: &'a ufbx::Mesh,
    /// Per texture coordinate of the file, the first equal one; exporters write one for every corner.
    uvs: Vec<u32>,
    /// The same for normals; [`NONE`] for those that are zero or not finite.
    normals: Vec<u32>,
    known: HashMap<[u32; 3], u32>,
    /// Per vertex its control point, and indices into the texture coordinates and normals of the file.
    vertices: Vec<[u32; 3]>,
}

impl<'a> VertexCollector<'a> {
    pub(super) fn new(mesh: &'a ufbx::Mesh) -> Self {
        let uvs = first_equals(&mesh.vertex_uv.values, |uv| {
            Some(vec2(uv)).filter(|uv| uv.is_finite()).map(|uv| uv.to_array().map(f32::to_bits))
        });
        let normals = first_equals(&mesh.vertex_normal.values, |normal| {
            let normal = Some(vec3(normal)).filter(|normal| normal.is_finite() && *normal != Vec3::ZERO);
            normal.map(|normal| normal.to_array().map(f32::to_bits))
        });
        Self { mesh, uvs, normals, known: HashMap::new(), vertices: Vec::new() }
    }

    pub(super) fn position(&self, corner: usize) -> Vec3 {
        let point = self.mesh.vertex_indices.get(corner).and_then(|&point| self.mesh.vertices.get(point as usize));
        point.map_or(Vec3::NAN, vec3)
    }

    /// The vertex of a corner of the file, a new one if no equal corner came before.
    pub(super) fn vertex(&mut self, corner: usize) -> u32 {
        let point = self.mesh.vertex_indices.get(corner).copied().unwrap_or(0);
        let uv = first_equal(&self.mesh.vertex_uv.indices, &self.uvs, corner);
        let key = [point, uv, first_equal(&self.mesh.vertex_normal.indices, &self.normals, corner)];
        let vertices = &mut self.vertices;
        *self.known.entry(key).or_insert_with(|| {
            vertices.push(key);
            vertices.len() as u32 - 1
        })
    }

    pub(super) fn len(&self) -> usize {
        self.vertices.len()
    }

    /// All vertices. Where the file has no normal, it is computed from the triangles around the control point.
    pub(super) fn finish(self, indices: &[u32]) -> Vertices {
        let control_points: Vec<u32> = self.vertices.iter().map(|[point, ..]| *point).collect();
        let positions: Vec<Vec3> = control_points
            .iter()
            .map(|&point| self.mesh.vertices.get(point as usize).map_or(Vec3::ZERO, vec3))
            .collect();
        let has_all = self.vertices.iter().all(|[.., normal]| *normal != NONE);
        let computed = match has_all {
            true => Vec::new(),
            false => smooth_normals(&positions, indices, &control_points, self.mesh.num_vertices),
        };
        // In a file v counts from the bottom of the image, in a head from the top.
        let has_uvs = self.vertices.iter().any(|[_, uv, _]| *uv != NONE);
        Vertices {
            normals: self
                .vertices
                .iter()
                .map(|&[point, _, normal]| {
                    let of_file = self.mesh.vertex_normal.values.get(normal as usize).filter(|_| normal != NONE);
                    let computed = computed.get(point as usize).copied().unwrap_or_default();
                    of_file.map_or(computed, |normal| vec3(normal).as_dvec3().normalize_or_zero().as_vec3())
                })
                .collect(),
            uvs: if has_uvs {
                self.vertices
                    .iter()
                    .map(|&[_, uv, _]| match self.mesh.vertex_uv.values.get(uv as usize) {
                        Some(of_file) if uv != NONE => Vec2::new(vec2(of_file).x, 1.0 - vec2(of_file).y),
                        _ => Vec2::ZERO,
                    })
                    .collect()
            } else {
                Vec::new()
            },
            positions,
            control_points,
            ..Vertices::default()
        }
    }
}

fn first_equal(indices: &[u32], firsts: &[u32], corner: usize) -> u32 {
    let value = indices.get(corner).and_then(|&index| firsts.get(index as usize));
    value.copied().unwrap_or(NONE)
}
