//! Lash cards: lashes that are modelled as thin open sheets beside the eyes, without a texture of hairs. The renderer
//! draws strands on them. Brows and solids are never cards: strands would take most of a shape away that was modelled.

use std::collections::{BTreeSet, HashMap};

use glam::Vec3;

use super::eyes::Globes;
use super::mesh::pieces_of;
use super::role::is_brow;
use super::{AlphaMode, Head, Kind, Material, Mesh, Note, Part, Role, Subject};

/// Strands that are modelled one by one have more pieces than this.
const MOST_PIECES: usize = 24;
/// The cards of a head have no more corners of triangles than this: with more, they are no bands, and would take long.
const MOST_CORNERS: usize = 30_000;

/// Lashes grow from within this many radii of the middle of the eyeball, and end within that many. Brows are farther.
const ROOTS_WITHIN: f32 = 1.4;
const TIPS_WITHIN: f32 = 2.5;

#[derive(Clone, Debug, Default)]
pub struct LashCards {
    /// The indices of mesh and part, in their order.
    parts: Vec<(usize, usize)>,
    /// The middles of the eyes that they are beside, in the world at rest.
    pub centers: [Vec3; 2],
}

impl LashCards {
    pub(super) fn find(head: &Head) -> Self {
        let parts = head.meshes.iter().enumerate().flat_map(|(mesh, of_mesh)| {
            let parts = of_mesh.parts.iter().enumerate();
            parts.filter(|(_, part)| may_be_card(head, of_mesh, part)).map(move |(part, _)| (mesh, part))
        });
        let mut parts: Vec<(usize, usize)> = parts.collect();
        let corners = parts.iter().map(|&(mesh, part)| head.meshes[mesh].parts[part].index_count as usize);
        if parts.is_empty() || corners.sum::<usize>() > MOST_CORNERS {
            return Self::default();
        }
        let Some(globes) = Globes::find(head, &head.roles) else { return Self::default() };
        parts.retain(|&(mesh, part)| {
            let mesh = &head.meshes[mesh];
            let pieces = pieces(head, mesh, mesh.triangles_of(&mesh.parts[part]));
            (1..=MOST_PIECES).contains(&pieces.len())
                && pieces.iter().all(|piece| is_sheet(piece) && is_beside(&globes, piece))
        });
        Self { parts, centers: globes.centers }
    }

    pub fn parts(&self) -> &[(usize, usize)] {
        &self.parts
    }

    pub fn contains(&self, mesh: usize, part: usize) -> bool {
        self.parts.binary_search(&(mesh, part)).is_ok()
    }

    /// The note that strands are drawn instead of what the file has.
    pub(super) fn note(&self, head: &Head) -> Option<Note> {
        let parts = self.parts.iter().map(|&(mesh, part)| &head.meshes[mesh].parts[part]);
        let names: BTreeSet<&String> = parts.map(|part| &head.materials[part.material].name).collect();
        let mut subjects = names.iter().take(3).map(|name| Subject::named(Kind::Material, name.as_str()));
        let subject = match names.len() {
            0 => return None,
            1 => subjects.next()?,
            count => Subject::Many(subjects.collect(), count),
        };
        let message = "without a texture on plain lashes beside the eyes: strands are drawn there. Look › Plain lashes \
                       (--plain-lashes as-in-file) shows them as the file has them";
        Some(Note::info(subject, message))
    }
}

/// Whether a part looks like lashes in all but its shape.
fn may_be_card(head: &Head, mesh: &Mesh, part: &Part) -> bool {
    let Some(material) = head.materials.get(part.material) else { return false };
    head.roles[part.material] == Role::Lash
        && is_plain(material)
        && !is_brow(&mesh.name, &material.name)
        && mesh.vertices.colors.is_empty()
        // The renderer keeps the place on the card there.
        && mesh.vertices.second_uvs.is_empty()
        && mesh.targets.iter().all(|target| target.uv_color_deltas.rows.is_empty())
}

/// Whether a material has one opaque, shaded colour.
fn is_plain(material: &Material) -> bool {
    let is_opaque = material.alpha == AlphaMode::Opaque || material.base_color[3] >= 1.0;
    is_opaque
        && material.base_color_texture.is_none()
        && !material.unlit
        && material.toon.is_none()
        && material.transmission <= 0.0
}

/// The triangles of a connected piece, in the world at rest; vertices at the same position are one.
struct Piece {
    points: Vec<Vec3>,
    /// Sorted indices into the points. The two sides of a sheet are one.
    triangles: Vec<[usize; 3]>,
}

fn pieces(head: &Head, mesh: &Mesh, triangles: &[u32]) -> Vec<Piece> {
    let (mut of_position, mut points) = (HashMap::new(), Vec::new());
    let mut welded = Vec::with_capacity(triangles.len());
    for &vertex in triangles {
        let Some(point) = mesh.vertices.positions.get(vertex as usize) else { return Vec::new() };
        welded.push(*of_position.entry(point.to_array().map(f32::to_bits)).or_insert_with(|| {
            points.push(head.rest_pose.world_from_vertex(mesh, vertex as usize).transform_point3(*point));
            points.len() - 1
        }));
    }
    let mut triangles = welded.as_chunks::<3>().0.to_vec();
    triangles.iter_mut().for_each(|corners| corners.sort_unstable());
    triangles.sort_unstable();
    triangles.dedup();
    triangles.retain(|[a, b, c]| a != b && b != c);
    let piece_of = pieces_of(points.len(), triangles.iter().copied());
    let mut pieces = HashMap::<usize, Piece>::new();
    for corners in triangles {
        let piece = pieces.entry(piece_of[corners[0]]);
        let piece = piece.or_insert_with(|| Piece { points: Vec::new(), triangles: Vec::new() });
        piece.points.extend(corners.map(|corner| points[corner]));
        piece.triangles.push(corners);
    }
    pieces.into_values().collect()
}

/// Whether a piece is a thin, open sheet. A flat area cannot have a shorter border than a circle of that size has; a
/// solid has none, and one that is open at an end has a short one.
fn is_sheet(piece: &Piece) -> bool {
    let mut uses = HashMap::<[usize; 2], (usize, f32)>::new();
    let mut area = 0.0;
    for (&[a, b, c], corners) in piece.triangles.iter().zip(piece.points.as_chunks::<3>().0) {
        let [at_a, at_b, at_c] = *corners;
        area += 0.5 * (at_b - at_a).cross(at_c - at_a).length();
        for (edge, length) in
            [([a, b], at_a.distance(at_b)), ([b, c], at_b.distance(at_c)), ([a, c], at_a.distance(at_c))]
        {
            uses.entry(edge).or_insert((0, length)).0 += 1;
        }
    }
    let border: f32 = uses.values().filter(|(count, _)| *count == 1).map(|(_, length)| length).sum();
    border * border >= 4.0 * std::f32::consts::PI * area
}

fn is_beside(globes: &Globes, piece: &Piece) -> bool {
    let (mut least, mut most) = (f32::MAX, 0.0_f32);
    for point in &piece.points {
        let [one, other] = globes.centers.map(|center| center.distance(*point) / globes.radius);
        (least, most) = (least.min(one.min(other)), most.max(one.min(other)));
    }
    least < ROOTS_WITHIN && most < TIPS_WITHIN
}
