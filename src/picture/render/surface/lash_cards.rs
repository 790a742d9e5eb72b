//! Where each vertex of the lash cards of a head is between root and tip, so that the shader can draw strands on them.

use glam::Vec3;

use smirk_face::head::Head;

/// A vertex of a lash card, and where it is on the card.
pub(crate) struct OnCard {
    pub mesh: usize,
    pub vertex: usize,
    /// Along the lid in millimetres, and from root (0) to tip (1).
    pub place: [f32; 2],
}

/// Where the vertices of all lash cards are on their cards. Lashes grow away from the eyeball, so that the nearest of
/// the vertices in one direction from the middle of the lids are the roots, and the farthest are the tips.
pub(crate) fn places_on_cards(head: &Head, mm_per_unit: f32) -> Vec<OnCard> {
    let centers = head.lash_cards.centers;
    let mut around = [Vec::new(), Vec::new()];
    for &(index, part) in head.lash_cards.parts() {
        let mesh = &head.meshes[index];
        let mut vertices = mesh.triangles_of(&mesh.parts[part]).to_vec();
        vertices.sort_unstable();
        vertices.dedup();
        for vertex in vertices.into_iter().map(|vertex| vertex as usize) {
            let Some(point) = mesh.vertices.positions.get(vertex) else { continue };
            let in_world = head.rest_pose.world_from_vertex(mesh, vertex).transform_point3(*point);
            let [first, second] = centers.map(|center| in_world - center);
            let eye = usize::from(second.length() < first.length());
            around[eye].push(Lash { mesh: index, vertex, from_center: [first, second][eye] });
        }
    }
    around.iter().flat_map(|lashes| places_around(lashes, mm_per_unit)).collect()
}

/// A vertex, from the center of its eyeball.
struct Lash {
    mesh: usize,
    vertex: usize,
    from_center: Vec3,
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
    let angles: Vec<f32> = (lashes.iter())
        .map(|lash| {
            let scaled = (lash.from_center - middle) / half;
            scaled.y.atan2(scaled.x)
        })
        .collect();
    let distances: Vec<f32> = lashes.iter().map(|lash| lash.from_center.length()).collect();
    let mut places = Vec::with_capacity(lashes.len());
    for (lash, &angle) in lashes.iter().zip(&angles) {
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
        places.push(OnCard { mesh: lash.mesh, vertex: lash.vertex, place: [along, out] });
    }
    places
}
