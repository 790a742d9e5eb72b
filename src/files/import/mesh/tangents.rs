//! Generates tangents for primitives with a normal map and no tangents: MikkTSpace (M. S. Mikkelsen, "Simulation of
//! Wrinkled Surfaces Revisited", 2008), as glTF 2.0 §3.7.2.1 demands and as programs that bake normal maps assume.
//!
//! MikkTSpace gives a tangent per corner of a triangle. The corners at one vertex differ where the texture is mirrored,
//! for example along the middle of a face both halves of which use the same half of the texture. The mean of such
//! tangents may have length zero and has no handedness, so the vertex is split: copies of it, with all its attributes
//! and deltas, are appended after the mesh's other vertices.

use std::collections::HashMap;
use std::ops::Range;

use bevy_mikktspace::{Geometry, TangentSpace};
use glam::{DVec3, Vec2, Vec3, Vec4};

use crate::import::{Fault, Import};
use smirk_face::head::{Mesh, Note, Subject, TextureRef, Vertices};

#[derive(Default)]
pub(crate) struct GeneratedTangents {
    pub meshes: usize,
    pub split_vertices: usize,
}

impl GeneratedTangents {
    pub(crate) fn note(&self) -> Option<Note> {
        let Self { meshes, split_vertices } = self;
        let split = match split_vertices {
            0 => String::new(),
            count => format!("; {count} vertices added where a texture is mirrored"),
        };
        let message =
            format!("tangents were generated (MikkTSpace) for {meshes} meshes with normal maps and without tangents");
        (*meshes > 0).then(|| Note::info(Subject::File, message + &split))
    }
}

/// Vertices of a mesh that get tangents, for a normal map.
pub(crate) struct TangentRange {
    vertices: Range<u32>,
    /// The positions in the mesh's indices at which the triangles of these vertices begin, those with an area.
    triangles: Vec<usize>,
    map: TextureRef,
    subject: Subject,
}

/// The tangents at the corners of the triangles of a [`TangentRange`]: three per triangle, none where MikkTSpace found
/// none.
pub(crate) type CornerTangents = Vec<Option<Vec4>>;

pub(crate) enum NoTangents {
    TooManyAtOnePoint(usize),
    Refused(String),
}

impl TangentRange {
    /// The vertices in the range `vertices` of a mesh. `triangles` are the positions in the mesh's indices at which the
    /// triangles of these vertices begin; none of them may use other vertices. Claims the memory that [`Self::corners`]
    /// takes.
    pub(crate) fn new(
        mesh: &Mesh,
        vertices: Range<u32>,
        triangles: &[usize],
        map: TextureRef,
        import: &mut Import<'_>,
        subject: &Subject,
    ) -> Result<Self, Fault> {
        /// Roughly the memory that MikkTSpace takes per corner.
        const CORNER_BYTES: usize = 128;
        let triangles = with_area(mesh, triangles);
        import.budget.spend((triangles.len() * 3 * CORNER_BYTES) as u64, subject)?;
        Ok(Self { vertices, triangles, map, subject: subject.clone() })
    }

    pub(crate) fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Computes the tangents. Those of other ranges of the mesh may be applied before or after.
    pub(crate) fn corners(&self, mesh: &Mesh) -> Result<CornerTangents, NoTangents> {
        let first = self.vertices.start;
        let uvs = &mesh.vertices.uv_set(self.map.uv_set)[first as usize..self.vertices.end as usize];
        let uvs: Vec<Vec2> = uvs.iter().map(|&uv| self.map.transform(uv)).collect();
        check_corners_per_point(&mesh.vertices, (&uvs, first), &mesh.indices, &self.triangles)
            .map_err(NoTangents::TooManyAtOnePoint)?;
        let mut input = MikktspaceInput {
            vertices: &mesh.vertices,
            uvs: &uvs,
            first: first as usize,
            indices: &mesh.indices,
            triangles: &self.triangles,
            tangents: vec![None; self.triangles.len() * 3],
        };
        bevy_mikktspace::generate_tangents(&mut input).map_err(|error| NoTangents::Refused(error.to_string()))?;
        Ok(input.tangents)
    }

    /// Gives the vertices the tangents of the corners. Returns the vertices that were split, in the order of their
    /// copies at the end of `mesh`; none, with a note, if generating would take too long.
    pub(crate) fn apply(
        self,
        corners: Result<CornerTangents, NoTangents>,
        mesh: &mut Mesh,
        import: &mut Import<'_>,
    ) -> Result<Option<Vec<u32>>, Fault> {
        let Self { vertices: range, triangles, subject, .. } = self;
        let corners = match corners {
            Ok(corners) => corners,
            Err(NoTangents::TooManyAtOnePoint(count)) => {
                let message = format!(
                    "shown without its normal map: {count} triangles meet at one point, too many for MikkTSpace"
                );
                import.notes.warn(subject, message);
                return Ok(None);
            }
            Err(NoTangents::Refused(why)) => return Err(Fault::invalid(&subject, why)),
        };
        mesh.vertices.tangents.resize(mesh.vertices.len(), Vec4::W);
        let first_copy = mesh.vertices.len() as u32;
        let (mut originals, mut copy_tangents) = (Vec::new(), Vec::new());
        // By vertex and the bits of the tangent: the copy of the vertex with that tangent.
        let mut copies: HashMap<(u32, [u32; 4]), u32> = HashMap::new();
        let mut has_tangent = vec![false; range.len()];
        for (at, tangent) in triangles.iter().flat_map(|&first| first..first + 3).zip(corners) {
            let Some(tangent) = tangent else { continue };
            let vertex = mesh.indices[at];
            let own = &mut mesh.vertices.tangents[vertex as usize];
            let is_first = !std::mem::replace(&mut has_tangent[(vertex - range.start) as usize], true);
            if is_first {
                *own = tangent;
            } else if *own != tangent {
                mesh.indices[at] = *copies.entry((vertex, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
                    originals.push(vertex);
                    copy_tangents.push(tangent);
                    first_copy + originals.len() as u32 - 1
                });
            }
        }
        for vertex in range.clone().filter(|vertex| !has_tangent[(vertex - range.start) as usize]) {
            mesh.vertices.tangents[vertex as usize] = any_tangent(mesh.vertices.normals[vertex as usize]).extend(1.0);
        }
        if !originals.is_empty() {
            import.budget.spend(bytes_of(mesh, &originals), &subject)?;
            append_copies(mesh, &originals, copy_tangents);
        }
        Ok(Some(originals))
    }
}

/// The triangles whose corners are at three different places: others have no tangent.
fn with_area(mesh: &Mesh, triangles: &[usize]) -> Vec<usize> {
    triangles
        .iter()
        .copied()
        .filter(|first| {
            let [a, b, c] = [0, 1, 2].map(|corner| mesh.vertices.positions[mesh.indices[first + corner] as usize]);
            a != b && b != c && c != a
        })
        .collect()
}

/// MikkTSpace visits the corners at one point recursively and compares every pair of them. A real surface has few
/// corners at a point; a file made to block a program may have a million. The error is the largest number of corners at
/// one point.
fn check_corners_per_point(
    vertices: &Vertices,
    (uvs, first): (&[Vec2], u32),
    indices: &[u32],
    triangles: &[usize],
) -> Result<(), usize> {
    const MAX_CORNERS: usize = 1024;
    const MAX_PAIRS: usize = 200_000_000;
    let mut corner_counts: HashMap<[u32; 8], usize> = HashMap::new();
    for at in triangles.iter().flat_map(|&first| first..first + 3) {
        let vertex = indices[at] as usize;
        let [px, py, pz] = vertices.positions[vertex].to_array();
        let [nx, ny, nz] = vertices.normals[vertex].to_array();
        let [u, v] = uvs[vertex - first as usize].to_array();
        *corner_counts.entry([px, py, pz, nx, ny, nz, u, v].map(f32::to_bits)).or_default() += 1;
    }
    let largest = corner_counts.values().copied().max().unwrap_or(0);
    let pairs: usize = corner_counts.values().map(|count| count * count).sum();
    if largest > MAX_CORNERS || pairs > MAX_PAIRS { Err(largest) } else { Ok(()) }
}

fn bytes_of(mesh: &Mesh, vertices: &[u32]) -> u64 {
    let deltas: usize = mesh
        .targets
        .iter()
        .map(|target| count_in(&target.rows, vertices) + count_in(&target.uv_color_deltas.rows, vertices))
        .sum();
    (vertices.len() * size_of::<[f32; 24]>() + deltas * size_of::<[f32; 10]>()) as u64
}

fn count_in(rows: &[u32], vertices: &[u32]) -> usize {
    vertices.iter().filter(|vertex| rows.binary_search(vertex).is_ok()).count()
}

fn append_copies(mesh: &mut Mesh, originals: &[u32], tangents: Vec<Vec4>) {
    fn duplicate<T: Copy>(list: &mut Vec<T>, originals: &[u32]) {
        if !list.is_empty() {
            let copies: Vec<T> = originals.iter().map(|&vertex| list[vertex as usize]).collect();
            list.extend(copies);
        }
    }
    let vertices = &mut mesh.vertices;
    let first_copy = vertices.len() as u32;
    duplicate(&mut vertices.positions, originals);
    duplicate(&mut vertices.normals, originals);
    duplicate(&mut vertices.uvs, originals);
    duplicate(&mut vertices.second_uvs, originals);
    duplicate(&mut vertices.colors, originals);
    duplicate(&mut vertices.control_points, originals);
    vertices.tangents.extend(tangents);
    for target in &mut mesh.targets {
        let row_count = target.rows.len();
        for (copy, original) in (first_copy..).zip(originals) {
            let Ok(row) = target.rows[..row_count].binary_search(original) else { continue };
            target.rows.push(copy);
            for column in [&mut target.positions, &mut target.normals, &mut target.tangents] {
                if let Some(&delta) = column.get(row) {
                    column.push(delta);
                }
            }
        }
        let deltas = &mut target.uv_color_deltas;
        let row_count = deltas.rows.len();
        for (copy, original) in (first_copy..).zip(originals) {
            let Ok(row) = deltas.rows[..row_count].binary_search(original) else { continue };
            deltas.rows.push(copy);
            deltas.uvs.push(deltas.uvs[row]);
            deltas.colors.push(deltas.colors[row]);
        }
    }
}

/// A direction perpendicular to a normal, for vertices that no triangle gives a tangent.
fn any_tangent(normal: Vec3) -> Vec3 {
    normal.try_normalize().map_or(Vec3::X, |normal| normal.any_orthonormal_vector())
}

/// A part of a mesh in the form that MikkTSpace reads.
struct MikktspaceInput<'a> {
    vertices: &'a Vertices,
    /// Texture coordinates in the normal map, of the vertices from `first` on.
    uvs: &'a [Vec2],
    first: usize,
    indices: &'a [u32],
    /// The position in `indices` at which each triangle begins.
    triangles: &'a [usize],
    /// The result: three per triangle, none where MikkTSpace found none.
    tangents: Vec<Option<Vec4>>,
}

impl MikktspaceInput<'_> {
    fn vertex(&self, triangle: usize, corner: usize) -> usize {
        self.indices[self.triangles[triangle] + corner] as usize
    }
}

impl Geometry for MikktspaceInput<'_> {
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
        self.uvs[self.vertex(face, vert) - self.first].to_array()
    }

    /// glTF's v points down the image and its bitangent up (§3.9.3); MikkTSpace's bitangent points along v. Hence the
    /// sign.
    fn set_tangent(&mut self, tangent_space: Option<TangentSpace>, face: usize, vert: usize) {
        let tangent =
            tangent_space.map(|space| Vec4::from_array(space.tangent_encoded()) * Vec4::new(1.0, 1.0, 1.0, -1.0));
        self.tangents[face * 3 + vert] = tangent.filter(|tangent| {
            let is_unit = (tangent.truncate().length_squared() - 1.0).abs() < 0.01;
            tangent.is_finite() && is_unit
        });
    }
}

/// One normal per group of vertices: the mean normal of the triangles at its vertices, weighted by their angles there
/// (G. Thürmer, C. Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998). Unit length, or zero without
/// triangles.
///
/// `group_of[vertex]` is the group of a vertex; vertices of groups from `group_count` on are ignored.
pub(crate) fn smooth_normals(positions: &[Vec3], indices: &[u32], group_of: &[u32], group_count: usize) -> Vec<Vec3> {
    // Computed in f64, where the square of any f32 is finite.
    let mut sums = vec![DVec3::ZERO; group_count];
    for triangle in indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3());
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        for (vertex, (to_previous, to_next)) in triangle.iter().zip([(c - a, b - a), (a - b, c - b), (b - c, a - c)]) {
            if let Some(sum) = sums.get_mut(group_of[*vertex as usize] as usize) {
                *sum += normal * to_previous.angle_between(to_next);
            }
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or_default().as_vec3()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_counts_by_its_angle_not_by_its_number_of_triangles() {
        // A box's corner; two of the three sides are one triangle, the third is two.
        let positions = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(1.0, 1.0, 0.0)];
        let indices = [0, 4, 1, 0, 2, 4, 0, 3, 2, 0, 1, 3];
        let normals = smooth_normals(&positions, &indices, &[0, 9, 9, 9, 9], 1);
        assert!(normals[0].distance(Vec3::splat(-1.0).normalize_or_zero()) < 1e-6, "{}", normals[0]);
    }

    #[test]
    fn vast_and_flat_surfaces_have_finite_normals() {
        let positions = [Vec3::ZERO, Vec3::X * 1e38, Vec3::Y * 1e38];
        assert_eq!(smooth_normals(&positions, &[0, 1, 2], &[0, 0, 0], 1), [Vec3::Z]);
        assert_eq!(smooth_normals(&[Vec3::ONE; 3], &[0, 1, 2], &[0, 1, 2], 3), [Vec3::ZERO; 3]);
    }
}
