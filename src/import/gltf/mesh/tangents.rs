//! Tangents for normal maps whose primitives bring none: MikkTSpace (M. S. Mikkelsen, "Simulation of Wrinkled Surfaces
//! Revisited", 2008), as glTF 2.0 §3.7.2.1 asks and as bakers of normal maps assume.
//!
//! MikkTSpace answers per corner of a triangle. The corners of one vertex disagree where the texture is mirrored across
//! it, as along the middle of a face whose halves share one half of a picture. Their mean would have no length there and
//! no side, so such a vertex is split: its twins stand behind all others, with copies of all it has, deltas included.

use std::collections::HashMap;
use std::ops::Range;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use glam::{Vec2, Vec3, Vec4};

use crate::head::{Mesh, Note, TextureRef, Vertices};
use crate::import::Fault;
use crate::import::budget::Budget;

/// What was made for a file.
#[derive(Default)]
pub struct MadeTangents {
    /// In how many meshes.
    pub meshes: usize,
    /// How many vertices were added for it.
    pub split_vertices: usize,
}

impl MadeTangents {
    /// What the report says of it, if anything was made.
    pub fn note(&self) -> Option<Note> {
        let Self { meshes, split_vertices } = self;
        let split = match split_vertices {
            0 => String::new(),
            count => format!("; {count} vertices added where a texture is mirrored"),
        };
        let message = format!("tangents made (MikkTSpace) for {meshes} meshes with normal maps and none of their own");
        (*meshes > 0).then(|| Note::info("file", message + &split))
    }
}

/// Makes the tangents of the vertices in `range`, none of which shares a triangle with others, for a normal map that lies
/// as `map` says. Returns which of them were
/// split, in the order of the twins now at the end of `mesh`. None, with a note, where that would take too long.
pub fn make(
    mesh: &mut Mesh,
    range: Range<u32>,
    map: TextureRef,
    budget: &mut Budget,
    object: &str,
    notes: &mut Vec<Note>,
) -> Result<Option<Vec<u32>>, Fault> {
    /// About what MikkTSpace keeps per corner.
    const CORNER_BYTES: usize = 128;
    let triangles = sound_triangles(mesh, &range);
    budget.spend((triangles.len() * 3 * CORNER_BYTES) as u64, object)?;
    let uvs: Vec<Vec2> = mesh.vertices.uv_set(map.uv_set).iter().map(|&uv| map.place(uv)).collect();
    if let Err(crowd) = check_crowds(&mesh.vertices, &uvs, &mesh.indices, &triangles) {
        let message =
            format!("shown without its normal map: {crowd} triangles meet in one place, too many for MikkTSpace");
        notes.push(Note::warning(object, message));
        return Ok(None);
    }
    let mut surface = Surface {
        vertices: &mesh.vertices,
        uvs: &uvs,
        indices: &mesh.indices,
        triangles: &triangles,
        tangents: vec![None; triangles.len() * 3],
    };
    generate_tangents(&mut surface).map_err(|error| Fault::invalid(object, error.to_string()))?;
    let corners = surface.tangents;

    mesh.vertices.tangents.resize(mesh.vertices.len(), Vec4::W);
    let first_twin = mesh.vertices.len() as u32;
    let (mut originals, mut twin_tangents) = (Vec::new(), Vec::new());
    let mut twins: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
    let mut is_made = vec![false; range.len()];
    for (at, tangent) in triangles.iter().flat_map(|&first| first..first + 3).zip(corners) {
        let Some(tangent) = tangent else { continue };
        let vertex = mesh.indices[at];
        let own = &mut mesh.vertices.tangents[vertex as usize];
        let is_first = !std::mem::replace(&mut is_made[(vertex - range.start) as usize], true);
        if is_first {
            *own = tangent;
        } else if *own != tangent {
            mesh.indices[at] = *twins.entry((vertex, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
                originals.push(vertex);
                twin_tangents.push(tangent);
                first_twin + originals.len() as u32 - 1
            });
        }
    }
    for vertex in range.clone().filter(|vertex| !is_made[(vertex - range.start) as usize]) {
        mesh.vertices.tangents[vertex as usize] = across(mesh.vertices.normals[vertex as usize]).extend(1.0);
    }
    budget.spend(bytes_of(mesh, &originals), object)?;
    append_twins(mesh, &originals, twin_tangents);
    Ok(Some(originals))
}

/// Where the triangles of `range` begin in the mesh's indices; without those that have no area, which say nothing.
fn sound_triangles(mesh: &Mesh, range: &Range<u32>) -> Vec<usize> {
    let is_sound = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| mesh.vertices.positions[vertex as usize]);
        range.contains(&corners[0]) && a != b && b != c && c != a
    };
    let triangles = mesh.indices.as_chunks::<3>().0.iter().enumerate();
    triangles.filter(|(_, corners)| is_sound(corners)).map(|(index, _)| index * 3).collect()
}

/// MikkTSpace walks around each place by recursion and compares every pair of its triangles. A real surface has few of
/// them in one place; a file made to hang a viewer may have a million. `Err` is the largest crowd.
fn check_crowds(vertices: &Vertices, uvs: &[Vec2], indices: &[u32], triangles: &[usize]) -> Result<(), usize> {
    const MAX_CROWD: usize = 1024;
    const MAX_PAIRS: usize = 200_000_000;
    let mut crowds: HashMap<[u32; 8], usize> = HashMap::new();
    for at in triangles.iter().flat_map(|&first| first..first + 3) {
        let vertex = indices[at] as usize;
        let [px, py, pz] = vertices.positions[vertex].to_array();
        let [nx, ny, nz] = vertices.normals[vertex].to_array();
        let [u, v] = uvs[vertex].to_array();
        *crowds.entry([px, py, pz, nx, ny, nz, u, v].map(f32::to_bits)).or_default() += 1;
    }
    let largest = crowds.values().copied().max().unwrap_or(0);
    let pairs: usize = crowds.values().map(|crowd| crowd * crowd).sum();
    if largest > MAX_CROWD || pairs > MAX_PAIRS { Err(largest) } else { Ok(()) }
}

/// What copies of these vertices take.
fn bytes_of(mesh: &Mesh, vertices: &[u32]) -> u64 {
    let touches = |rows: &[u32]| vertices.iter().filter(|vertex| rows.binary_search(vertex).is_ok()).count();
    let deltas: usize =
        mesh.targets.iter().map(|target| touches(&target.rows) + touches(&target.uv_color_deltas.rows)).sum();
    (vertices.len() * size_of::<[f32; 24]>() + deltas * size_of::<[f32; 10]>()) as u64
}

fn append_twins(mesh: &mut Mesh, originals: &[u32], tangents: Vec<Vec4>) {
    fn copy<T: Copy>(list: &mut Vec<T>, originals: &[u32]) {
        if !list.is_empty() {
            let copies: Vec<T> = originals.iter().map(|&vertex| list[vertex as usize]).collect();
            list.extend(copies);
        }
    }
    let vertices = &mut mesh.vertices;
    let first_twin = vertices.len() as u32;
    copy(&mut vertices.positions, originals);
    copy(&mut vertices.normals, originals);
    copy(&mut vertices.uvs, originals);
    copy(&mut vertices.second_uvs, originals);
    copy(&mut vertices.colors, originals);
    copy(&mut vertices.control_points, originals);
    vertices.tangents.extend(tangents);
    for target in &mut mesh.targets {
        let row_count = target.rows.len();
        for (twin, original) in (first_twin..).zip(originals) {
            let Ok(row) = target.rows[..row_count].binary_search(original) else { continue };
            target.rows.push(twin);
            for column in [&mut target.positions, &mut target.normals, &mut target.tangents] {
                if let Some(&delta) = column.get(row) {
                    column.push(delta);
                }
            }
        }
        let paint = &mut target.uv_color_deltas;
        let row_count = paint.rows.len();
        for (twin, original) in (first_twin..).zip(originals) {
            let Ok(row) = paint.rows[..row_count].binary_search(original) else { continue };
            paint.rows.push(twin);
            paint.uvs.push(paint.uvs[row]);
            paint.colors.push(paint.colors[row]);
        }
    }
}

/// Some direction at right angles to a normal.
fn across(normal: Vec3) -> Vec3 {
    normal.try_normalize().map_or(Vec3::X, |normal| normal.any_orthonormal_vector())
}

/// A part of a mesh as MikkTSpace reads it.
struct Surface<'a> {
    vertices: &'a Vertices,
    /// Places in the normal map.
    uvs: &'a [Vec2],
    indices: &'a [u32],
    /// Where each triangle begins in `indices`.
    triangles: &'a [usize],
    /// Three per triangle.
    tangents: Vec<Option<Vec4>>,
}

impl Surface<'_> {
    fn vertex(&self, triangle: usize, corner: usize) -> usize {
        self.indices[self.triangles[triangle] + corner] as usize
    }
}

impl Geometry for Surface<'_> {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _face: usize) -> usize {
        3
    }

    fn position(&self, face: usize, vert: usize) -> [f32; 3] {
        self.vertices.positions[self.vertex(face, vert)].to_array()
    }

    fn normal(&self, face: usize, vert: usize) -> [f32; 3] {
        self.vertices.normals[self.vertex(face, vert)].to_array()
    }

    fn tex_coord(&self, face: usize, vert: usize) -> [f32; 2] {
        self.uvs[self.vertex(face, vert)].to_array()
    }

    /// glTF's v goes down the picture and its bitangent up (§3.9.3); MikkTSpace's goes along v, hence the other sign.
    fn set_tangent(&mut self, tangent_space: Option<TangentSpace>, face: usize, vert: usize) {
        let tangent =
            tangent_space.map(|space| Vec4::from_array(space.tangent_encoded()) * Vec4::new(1.0, 1.0, 1.0, -1.0));
        self.tangents[face * 3 + vert] = tangent.filter(|tangent| {
            let is_unit = (tangent.truncate().length_squared() - 1.0).abs() < 0.01;
            tangent.is_finite() && is_unit
        });
    }
}
