//! Lashes and brows that are modelled as plain bands without a texture: which parts are such cards, and where each of their vertices is
//! between root and tip, so that the shader can draw strands on them.

use std::collections::HashMap;

use glam::Vec3;

use smirk_face::head::{Eyes, Head, Material, Mesh, Part, Role};

/// Strands that are modelled one by one have more pieces than this.
const MOST_PIECES: usize = 24;
/// Parts with more vertices are no bands, and would take long.
const MOST_VERTICES: usize = 5000;

/// Whether a part of a mesh is a plain band of lashes.
pub(crate) fn is_lash_card(mesh: &Mesh, part: &Part, (material, role): (&Material, Role)) -> bool {
    role == Role::Lash
        && material.base_color_texture.is_none()
        && mesh.vertices.colors.is_empty()
        && mesh.vertices.second_uvs.is_empty()
        && (1..=MOST_PIECES).contains(&piece_count(mesh, mesh.triangles_of(part)))
}

/// The number of connected pieces of some triangles, up to one more than the most. Vertices at the same position are one.
fn piece_count(mesh: &Mesh, triangles: &[u32]) -> usize {
    if triangles.len() > MOST_VERTICES * 6 {
        return MOST_PIECES + 1;
    }
    let mut of_position = HashMap::new();
    let mut parents = Vec::new();
    let mut nodes = Vec::with_capacity(triangles.len());
    for &vertex in triangles {
        let Some(point) = mesh.vertices.positions.get(vertex as usize) else { return 0 };
        let node = *of_position.entry(point.to_array().map(f32::to_bits)).or_insert_with(|| {
            parents.push(parents.len());
            parents.len() - 1
        });
        nodes.push(node);
    }
    let root = |parents: &mut Vec<usize>, mut node: usize| {
        while parents[node] != node {
            parents[node] = parents[parents[node]];
            node = parents[node];
        }
        node
    };
    for &[a, b, c] in nodes.as_chunks::<3>().0 {
        for other in [b, c] {
            let (first, second) = (root(&mut parents, a), root(&mut parents, other));
            parents[first] = second;
        }
    }
    parents.iter().enumerate().filter(|(node, parent)| node == *parent).count()
}

/// A vertex of a lash card, and where it is on the card.
pub(crate) struct OnCard {
    pub mesh: usize,
    pub vertex: usize,
    /// Along the lid in millimetres, and from root (0) to tip (1).
    pub place: [f32; 2],
}

/// Where the vertices of all lash cards are on their cards. Lashes grow away from the eyeball, so that the nearest of the vertices in one
/// direction from the middle of the lids are the roots, and the farthest are the tips.
pub(crate) fn places_on_cards(head: &Head, roles: &[Role], eyes: &Eyes, mm_per_unit: f32) -> Vec<OnCard> {
    let mut places = Vec::new();
    for center in eyes.centers {
        let mut lashes = Vec::new();
        for (index, mesh) in head.meshes.iter().enumerate() {
            for part in &mesh.parts {
                let (material, role) = (&head.materials[part.material], roles[part.material]);
                if is_lash_card(mesh, part, (material, role)) {
                    lashes.extend(vertices_of(head, index, mesh, part, eyes, center));
                }
            }
        }
        if lashes.len() > MOST_VERTICES {
            continue;
        }
        places.extend(places_around(&lashes, mm_per_unit));
    }
    places
}

/// A vertex, from the center of its eyeball.
struct Lash {
    mesh: usize,
    vertex: usize,
    from_center: Vec3,
}

/// The vertices of a part that are nearer to this eyeball than to the other.
fn vertices_of<'a>(
    head: &'a Head,
    index: usize,
    mesh: &'a Mesh,
    part: &Part,
    eyes: &'a Eyes,
    center: Vec3,
) -> impl Iterator<Item = Lash> + 'a {
    let mut vertices = mesh.triangles_of(part).to_vec();
    vertices.sort_unstable();
    vertices.dedup();
    vertices.into_iter().filter_map(move |vertex| {
        let vertex = vertex as usize;
        let point = mesh.vertices.positions.get(vertex)?;
        let in_world = head.rest_pose.world_from_vertex(mesh, vertex).transform_point3(*point);
        let nearest = eyes.centers.into_iter().min_by(|a, b| a.distance(in_world).total_cmp(&b.distance(in_world)))?;
        (nearest == center).then_some(Lash { mesh: index, vertex, from_center: in_world - center })
    })
}

/// The places of the vertices around one eye.
fn places_around(lashes: &[Lash], mm_per_unit: f32) -> Vec<OnCard> {
    /// Vertices within this angle, in radians, belong to the same strand.
    const SAME_STRAND: f32 = 0.22;
    let (least, most) = lashes.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(least, most), lash| {
        (least.min(lash.from_center), most.max(lash.from_center))
    });
    let (middle, half) = ((least + most) * 0.5, ((most - least) * 0.5).max(Vec3::splat(f32::MIN_POSITIVE)));
    // The lids are wider than high; angles are even after both are scaled to 1.
    let angle_of = |point: Vec3| {
        let scaled = (point - middle) / half;
        scaled.y.atan2(scaled.x)
    };
    let angles: Vec<f32> = lashes.iter().map(|lash| angle_of(lash.from_center)).collect();
    let distances: Vec<f32> = lashes.iter().map(|lash| lash.from_center.length()).collect();
    let of_lash = |(lash, &angle): (&Lash, &f32)| {
        let (mut root, mut tip) = (f32::INFINITY, 0.0_f32);
        for (other, &distance) in angles.iter().zip(&distances) {
            let apart = (other - angle + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
            if apart.abs() < SAME_STRAND {
                (root, tip) = (root.min(distance), tip.max(distance));
            }
        }
        let length = (tip - root).max(f32::MIN_POSITIVE);
        let along = angle * 0.5 * half.x * mm_per_unit;
        let out = ((lash.from_center.length() - root) / length).clamp(0.0, 1.0);
        OnCard { mesh: lash.mesh, vertex: lash.vertex, place: [along, out] }
    };
    lashes.iter().zip(&angles).map(of_lash).collect()
}
