//! What is not the skin: eyeballs turn, lower teeth and tongue go with the jaw, and what lies on the skin follows it.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use super::landmarks::Landmarks;
use super::raster::{Raster, View};
use super::registration::Similarity;
use super::sheet::smooth_step;
use super::skin::Skin;
use super::welded::{Piece, Welded};
use crate::solve::RigidMotion;
use crate::tree::{Extent, Tree};
use smirk_face::head::Head;

/// How a piece of a head moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    /// With the skin, which is computed.
    Skin,
    /// About the centre of the left eyeball (0) or of the right one (1).
    Eye(usize),
    /// With the jaw.
    Jaw,
    /// Its lower part with the jaw: gums in one piece, the bag of the mouth.
    LowerPart,
    /// With the nearest points of the skin.
    Follows,
    Stays,
}

/// How each piece of a head moves.
pub(super) fn motions(head: &Welded, landmarks: &Landmarks) -> Vec<Motion> {
    let Landmarks { origin, unit, .. } = *landmarks;
    let view = View {
        rotation: DMat3::IDENTITY,
        x: origin.x - 1.1 * unit..origin.x + 1.1 * unit,
        y: origin.y - 2.3 * unit..origin.y + 1.4 * unit,
        pixel: unit / 40.0,
    };
    let mut shown = vec![0_usize; head.pieces.len()];
    for triangle in Raster::new(&head.points, &head.triangles, view).triangles.into_iter().flatten() {
        shown[head.piece(head.triangles[triangle as usize]) as usize] += 1;
    }
    let mouth = middle_of_mouth(landmarks);
    let center_of = |piece: &Piece| {
        let places = piece.points.iter().map(|&point| head.points[point as usize]);
        places.sum::<DVec3>() / piece.points.len() as f64
    };
    let teeth = head.pieces.iter().filter(|piece| {
        let from_mouth = (center_of(piece) - mouth) / unit;
        piece.names.contains("teeth") && from_mouth.abs().max_element() < 0.6
    });
    let upper_teeth = teeth.max_by(|a, b| center_of(a).y.total_cmp(&center_of(b).y));
    let motion = |number: u32| {
        let piece = &head.pieces[number as usize];
        let size = (piece.max - piece.min).max_element();
        let center = center_of(piece);
        let from_mouth = (center - mouth) / unit;
        let has = |words: &[&str]| words.iter().any(|word| piece.names.contains(word));
        // A material of both says nothing of the gums of the upper jaw.
        let is_tongue = has(&["tongue"]) && !has(&["gum"]);
        if number == landmarks.skin {
            return Motion::Skin;
        }
        if let Some(eye) = landmarks.eyes.iter().position(|eye| eye.pieces.contains(&number)) {
            return Motion::Eye(eye);
        }
        let follows = if size < 1.6 * unit { Motion::Follows } else { Motion::Stays };
        let is_in_mouth = from_mouth.x.abs() < 0.6
            && (-0.6..0.5).contains(&from_mouth.y)
            && (-1.6..0.02).contains(&from_mouth.z)
            && size < 1.8 * unit;
        if is_in_mouth && (shown[number as usize] <= 30 || has(&["teeth", "tongue", "gum"])) {
            let is_lower = match (is_tongue || has(&["lower", "bottom"]), has(&["upper", "top"])) {
                (true, _) => true,
                (_, true) => false,
                // A tongue that no name tells from the teeth lies under the upper ones, and behind their front.
                _ => {
                    let is_under =
                        |teeth: &Piece| piece.max.y < center_of(teeth).y && piece.max.z < teeth.max.z - 0.1 * unit;
                    from_mouth.y < -0.02 || upper_teeth.is_some_and(is_under)
                }
            };
            let is_bag = piece.max.y - piece.min.y > 0.45 * unit && !is_tongue;
            return match (is_bag, is_lower) {
                (true, _) => Motion::LowerPart,
                (false, true) => Motion::Jaw,
                (false, false) => Motion::Stays,
            };
        }
        if shown[number as usize] > 30 {
            return follows;
        }
        let from_eye = landmarks.eyes.iter().map(|eye| eye.center.distance(center)).fold(f64::INFINITY, f64::min);
        if from_eye < 1.2 * unit { follows } else { Motion::Stays }
    };
    (0..head.pieces.len() as u32).map(motion).collect()
}

fn middle_of_mouth(landmarks: &Landmarks) -> DVec3 {
    (landmarks.lips.upper[6] + landmarks.lips.lower[6]) / 2.0
}

/// The rigid motions of a shape: of the jaw, and of each eyeball about its own centre.
#[derive(Clone, Copy, Debug)]
pub(super) struct RigidMotions {
    pub jaw: RigidMotion,
    pub eyes: [DMat3; 2],
}

impl RigidMotions {
    /// Those of a shape of the source: `displacement` has that of each point.
    pub(super) fn of_source(
        head: &Welded,
        motions: &[Motion],
        landmarks: &Landmarks,
        displacement: impl Fn(u32) -> DVec3,
    ) -> Self {
        let pairs = |pieces: Vec<u32>| {
            let points: Vec<u32> = pieces.iter().flat_map(|&it| head.pieces[it as usize].points.clone()).collect();
            let pair = |point: u32| (head.points[point as usize], head.points[point as usize] + displacement(point));
            RigidMotion::between(points.into_iter().map(pair))
        };
        let of_jaw = (0..).zip(motions).filter(|(piece, motion)| {
            **motion == Motion::Jaw && !head.pieces[*piece as usize].names.contains("tongue")
        });
        let eyes = landmarks.eyes.each_ref().map(|eye| pairs(eye.pieces.clone()).rotation);
        Self { jaw: pairs(of_jaw.map(|(piece, _)| piece).collect()), eyes }
    }

    /// The same in the world of the target.
    pub(super) fn onto(&self, similarity: &Similarity) -> Self {
        let turn = similarity.rotation;
        let turned = |rotation: DMat3| turn * rotation * turn.transpose();
        let rotation = turned(self.jaw.rotation);
        let offset = similarity.translation;
        let translation = offset - rotation * offset + similarity.delta(self.jaw.translation);
        Self { jaw: RigidMotion { rotation, translation }, eyes: self.eyes.map(turned) }
    }
}

/// What follows the skin of a head: for each vertex, points of the skin and their shares.
pub(super) struct Followers {
    /// By mesh and vertex.
    of_vertices: BTreeMap<(usize, u32), Vec<(u32, f64)>>,
}

/// What lies on the skin follows it where it is nearer than this many units: the end of a long beard does not.
const FOLLOWS_WITHIN: f64 = 0.35;

impl Followers {
    /// `places` gives where a vertex is at rest, in the world.
    pub(super) fn new(head: &Welded, skin: &Skin, motions: &[Motion], places: impl Fn(usize, u32) -> DVec3) -> Self {
        let unit = skin.landmarks.unit;
        let nearest = skin.nearest_seen();
        let mut of_vertices = BTreeMap::new();
        let mut add = |mesh: usize, vertex: u32, within: f64| {
            let around = nearest.several(places(mesh, vertex), 6);
            if around.first().is_none_or(|(_, distance)| *distance > within) {
                return;
            }
            let weights: Vec<f64> = around.iter().map(|(_, distance)| (distance + 0.01 * unit).powi(-2)).collect();
            let sum: f64 = weights.iter().sum();
            let shares = around.iter().zip(weights).map(|((point, _), weight)| (*point, weight / sum)).collect();
            of_vertices.insert((mesh, vertex), shares);
        };
        for (mesh, points) in head.point_of.iter().enumerate() {
            for (vertex, point) in (0..).zip(points) {
                let follows = point.is_some_and(|it| motions[head.piece_of[it as usize] as usize] == Motion::Follows);
                if follows {
                    add(mesh, vertex, f64::INFINITY);
                }
            }
        }
        for (mesh, vertices) in head.on_skin.iter().enumerate() {
            vertices.iter().for_each(|&vertex| add(mesh, vertex, FOLLOWS_WITHIN * unit));
        }
        Self { of_vertices }
    }
}

/// How a vertex of a mesh moves.
pub(super) enum VertexMotion {
    /// With points of the skin, by these shares.
    Follows(Vec<(u32, f64)>),
    /// About the centre of an eyeball, from where it is at rest: a cornea.
    Turns(usize, DVec3),
    /// As its point of the welded head.
    Point(u32),
    Rests,
}

/// How each vertex of each mesh moves; `places` is that of [`Followers::new`].
pub(super) fn vertex_motions(
    head: &Head,
    welded: &Welded,
    mut followers: Followers,
    landmarks: &Landmarks,
    places: impl Fn(usize, u32) -> DVec3,
) -> Vec<Vec<VertexMotion>> {
    let mut motion = |mesh: usize, vertex: u32| {
        if let Some(shares) = followers.of_vertices.remove(&(mesh, vertex)) {
            return VertexMotion::Follows(shares);
        }
        if welded.corneas[mesh].binary_search(&vertex).is_ok() {
            let place = places(mesh, vertex);
            let eye = landmarks.eyes.iter().position(|eye| eye.center.distance(place) < 1.3 * eye.radius);
            return eye.map_or(VertexMotion::Rests, |eye| VertexMotion::Turns(eye, place));
        }
        welded.point_of[mesh][vertex as usize].map_or(VertexMotion::Rests, VertexMotion::Point)
    };
    let meshes = head.meshes.iter().enumerate();
    meshes.map(|(mesh, of)| (0..of.vertices.len() as u32).map(|vertex| motion(mesh, vertex)).collect()).collect()
}

/// Per point, how much of the jaw's motion it takes: gums in one piece follow the teeth that are nearer, and where
/// there are no teeth of both jaws, what is below the slit of the mouth follows.
pub(super) fn jaw_shares(head: &Welded, motions: &[Motion], landmarks: &Landmarks) -> Vec<f64> {
    let unit = landmarks.unit;
    let slit = middle_of_mouth(landmarks).y - 0.05 * unit;
    let teeth = |wanted: Motion| {
        let pieces = head.pieces.iter().zip(motions).filter(|(piece, motion)| {
            **motion == wanted && piece.names.contains("teeth") && !piece.names.contains("tongue")
        });
        let places = pieces.flat_map(|(piece, _)| &piece.points).map(|&point| head.points[point as usize]);
        let places: Vec<DVec3> = places.collect();
        let tree = Tree::new(places.iter().map(|place| Extent::around([place.as_vec3()])).collect());
        (places, tree)
    };
    let (upper, lower) = (teeth(Motion::Stays), teeth(Motion::Jaw));
    let distance = |(places, tree): &(Vec<DVec3>, Tree), place: DVec3| {
        let squared = |item: u32| Some(places[item as usize].distance_squared(place));
        tree.nearest(place.as_vec3(), f64::INFINITY, squared).map(|(_, squared)| squared.sqrt())
    };
    let share = |(point, place): (usize, &DVec3)| match motions[head.piece_of[point] as usize] {
        Motion::Jaw => 1.0,
        Motion::LowerPart => match (distance(&upper, *place), distance(&lower, *place)) {
            (Some(up), Some(down)) => smooth_step(0.5 + (up - down) / (0.1 * unit)),
            _ => smooth_step((slit + 0.06 * unit - place.y) / (0.12 * unit)),
        },
        _ => 0.0,
    };
    head.points.iter().enumerate().map(share).collect()
}

/// The displacement of a point of a piece that is neither skin nor follows it; `jaw_share` is of [`jaw_shares`].
pub(super) fn rigid_displacement(
    motion: Motion,
    place: DVec3,
    jaw_share: f64,
    landmarks: &Landmarks,
    motions: &RigidMotions,
) -> DVec3 {
    match motion {
        Motion::Skin | Motion::Follows | Motion::Stays => DVec3::ZERO,
        Motion::Eye(eye) => {
            let from = place - landmarks.eyes[eye].center;
            motions.eyes[eye] * from - from
        }
        Motion::Jaw | Motion::LowerPart => jaw_share * motions.jaw.movement(place),
    }
}
