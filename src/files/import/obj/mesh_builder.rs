//! Builds a mesh from a [`Model`]. Corners with the same position, texture coordinate and normal become one vertex,
//! with the index of its `v` statement as [`Vertices::control_points`].

use std::collections::HashMap;

use glam::{Mat4, Vec2, Vec3};

use super::parser::{Corner, Model, NONE};
use crate::import::mesh::{INDEX_BYTES, MOST_TO_CLIP, VERTEX_BYTES, first_equals, smooth_normals, triangulate};
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Mesh, Notes, Part, Subject, Vertices};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shading {
    /// The normal in the file: the index of the first equal `vn`.
    Given(u32),
    /// The faces around it in one smoothing group.
    Smooth(u32),
    Flat(u32),
}

/// A mesh, and the number of its vertices that had no normal in the file.
pub(super) struct BuiltMesh {
    pub mesh: Mesh,
    pub computed_normals: usize,
}

/// Builds the mesh. The material of a part is an index into the model's materials, or their number for a part without a
/// material.
pub(super) fn build(model: &Model, name: String, import: &mut Import<'_>) -> Result<BuiltMesh, Fault> {
    import.begin("joining corners", 0.7);
    let mut builder = MeshBuilder {
        model,
        uvs: first_equals(&model.uvs, |uv| Some(uv.to_array().map(f32::to_bits))),
        normals: first_equals(&model.normals, |normal| Some(normal.to_array().map(f32::to_bits))),
        known: HashMap::new(),
        corners: Vec::new(),
    };
    let mut indices = vec![Vec::new(); model.parts.len()];
    for (number, face) in model.faces.iter().enumerate() {
        import.tick()?;
        let corners = model.corners_of(number);
        if corners.iter().any(|corner| !model.positions[corner.point as usize].is_finite()) {
            continue;
        }
        let count_before = builder.corners.len();
        let vertices: Vec<u32> = corners.iter().map(|&corner| builder.vertex(corner, number, face.smoothing)).collect();
        import.budget.spend(((builder.corners.len() - count_before) * VERTEX_BYTES) as u64, &Subject::File)?;
        import.budget.spend((corners.len().saturating_sub(2) * 3 * INDEX_BYTES) as u64, &Subject::File)?;
        let of_part = &mut indices[face.part as usize];
        if corners.len() > MOST_TO_CLIP {
            of_part.extend(vertices[1..].windows(2).flat_map(|pair| [vertices[0], pair[0], pair[1]]));
        } else {
            let positions: Vec<Vec3> = corners.iter().map(|corner| model.positions[corner.point as usize]).collect();
            of_part.extend(triangulate(&positions).into_iter().flatten().map(|corner| vertices[corner]));
        }
    }
    let mut parts = Vec::new();
    let mut first_index = 0;
    for (key, indices) in model.parts.iter().zip(&indices).filter(|(_, indices)| !indices.is_empty()) {
        let material = key.material.map_or(model.materials.list.len(), |material| material as usize);
        let index_count = indices.len() as u32;
        parts.push(Part { first_index, index_count, material, flat_shaded: false });
        first_index += index_count;
    }
    let indices = if indices.len() == 1 { indices.swap_remove(0) } else { indices.concat() };
    let MeshBuilder { corners, .. } = builder;
    import.tick()?;
    let positions: Vec<Vec3> = corners.iter().map(|(corner, _)| model.positions[corner.point as usize]).collect();
    let (normals, computed_normals) = normals_of(model, &corners, &positions, &indices);
    let vertices = Vertices {
        normals,
        uvs: uvs(model, &corners, &mut import.notes),
        colors: colors(model, &corners),
        control_points: corners.iter().map(|(corner, _)| corner.point).collect(),
        positions,
        ..Vertices::default()
    };
    let mesh = Mesh { name, world_from_mesh: Mat4::IDENTITY, vertices, indices, parts, ..Mesh::default() };
    Ok(BuiltMesh { mesh, computed_normals })
}

struct MeshBuilder<'a> {
    model: &'a Model,
    uvs: Vec<u32>,
    normals: Vec<u32>,
    known: HashMap<(u32, u32, Shading), u32>,
    /// Per vertex, its first corner and the source of its normal.
    corners: Vec<(Corner, Shading)>,
}

impl MeshBuilder<'_> {
    /// The vertex of a corner, a new one if no equal corner came before.
    fn vertex(&mut self, corner: Corner, face: usize, smoothing: u32) -> u32 {
        let uv = self.uvs.get(corner.uv as usize).copied().unwrap_or(NONE);
        let given = self.normals.get(corner.normal as usize).filter(|&&normal| {
            let normal = self.model.normals[normal as usize];
            normal.is_finite() && normal != Vec3::ZERO
        });
        let shading = match (given, smoothing) {
            (Some(&normal), _) => Shading::Given(normal),
            (None, 0) => Shading::Flat(face as u32),
            (None, group) => Shading::Smooth(group),
        };
        let corners = &mut self.corners;
        *self.known.entry((corner.point, uv, shading)).or_insert_with(|| {
            corners.push((Corner { uv, ..corner }, shading));
            corners.len() as u32 - 1
        })
    }
}

/// The normal of each vertex, and the number of those that the file has none for.
fn normals_of(model: &Model, corners: &[(Corner, Shading)], positions: &[Vec3], indices: &[u32]) -> (Vec<Vec3>, usize) {
    let mut groups: HashMap<(u32, Shading), u32> = HashMap::new();
    let group_of: Vec<u32> = corners
        .iter()
        .map(|&(corner, shading)| match shading {
            Shading::Given(_) => u32::MAX,
            Shading::Smooth(_) | Shading::Flat(_) => {
                let next = groups.len() as u32;
                *groups.entry((corner.point, shading)).or_insert(next)
            }
        })
        .collect();
    let smooth = smooth_normals(positions, indices, &group_of, groups.len());
    let normals = corners.iter().zip(&group_of).map(|((_, shading), &group)| match shading {
        Shading::Given(normal) => model.normals[*normal as usize].normalize_or_zero(),
        Shading::Smooth(_) | Shading::Flat(_) => smooth[group as usize],
    });
    (normals.collect(), group_of.iter().filter(|&&group| group != u32::MAX).count())
}

/// Texture coordinates with v downwards from the top of the image, as in glTF; empty if no corner has any.
fn uvs(model: &Model, corners: &[(Corner, Shading)], notes: &mut Notes) -> Vec<Vec2> {
    if corners.iter().all(|(corner, _)| corner.uv == NONE) {
        return Vec::new();
    }
    let mut lacking = 0;
    let uvs = corners.iter().map(|(corner, _)| match model.uvs.get(corner.uv as usize) {
        Some(uv) if uv.is_finite() => Vec2::new(uv.x, 1.0 - uv.y),
        _ => {
            lacking += 1;
            Vec2::ZERO
        }
    });
    let uvs = uvs.collect();
    if lacking > 0 {
        let message = format!("{lacking} of {} vertices have none that is finite; set to 0", corners.len());
        notes.warn(Subject::All(Kind::ObjTextureCoordinate), message);
    }
    uvs
}

/// Linear colours, as in glTF.
fn colors(model: &Model, corners: &[(Corner, Shading)]) -> Vec<[f32; 4]> {
    if model.colors.is_empty() {
        return Vec::new();
    }
    corners
        .iter()
        .map(|(corner, _)| {
            let [r, g, b] = model.colors[corner.point as usize].map(|value| {
                let value = if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
                if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            });
            [r, g, b, 1.0]
        })
        .collect()
}
