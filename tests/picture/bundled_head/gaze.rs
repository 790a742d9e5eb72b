//! Eyes that look anywhere: the iris stays whole, and lids and eyeballs stay apart.

use glam::{Vec2, Vec3};

use super::eyes::{assert_lids_lie_outside, lids};
use super::{MILLIMETRE, mesh, posed, sculpt, triangles};

/// Weights of a gaze: the left eye looks in by -1..1 (out where it is negative) and up by -1..1, and the right one with it.
fn gaze(inwards: f32, up: f32) -> Vec<(&'static str, f32)> {
    let [left, right] =
        if inwards > 0.0 { ["eyeLookInLeft", "eyeLookOutRight"] } else { ["eyeLookOutLeft", "eyeLookInRight"] };
    let [up_left, up_right] =
        if up > 0.0 { ["eyeLookUpLeft", "eyeLookUpRight"] } else { ["eyeLookDownLeft", "eyeLookDownRight"] };
    vec![(left, inwards.abs()), (right, inwards.abs()), (up_left, up.abs()), (up_right, up.abs())]
}

/// All directions of the gaze, alone and with lids that close or open.
fn gazes() -> impl Iterator<Item = Vec<(&'static str, f32)>> {
    const STEPS: [f32; 5] = [-1.0, -0.5, 0.0, 0.5, 1.0];
    const LIDS: [&[(&str, f32)]; 5] = [
        &[],
        &[("eyeBlinkLeft", 0.5), ("eyeBlinkRight", 0.5)],
        &[("eyeBlinkLeft", 1.0), ("eyeBlinkRight", 1.0)],
        &[("eyeSquintLeft", 1.0), ("eyeSquintRight", 1.0)],
        &[("eyeWideLeft", 1.0), ("eyeWideRight", 1.0)],
    ];
    let directions = STEPS.into_iter().flat_map(|inwards| STEPS.map(|up| gaze(inwards, up)));
    let together = directions.flat_map(|gaze| LIDS.map(|lids| [&gaze[..], lids].concat()));
    // A look down lowers the lids that a wide eye raises: nobody does both.
    let is_at_odds = |weights: &[(&str, f32)]| {
        ["eyeWideLeft", "eyeLookDownLeft"].iter().all(|odd| weights.iter().any(|(name, w)| name == odd && *w > 0.0))
    };
    together.filter(move |weights| !is_at_odds(weights))
}

/// Directions towards the viewer: from the front, and from both sides unless an eye turns in two ways at once, whose targets are
/// added and carry the iris into the pocket of a corner.
fn views(weights: &[(&str, f32)]) -> Vec<Vec3> {
    let turns = weights.iter().filter(|(name, weight)| name.starts_with("eyeLook") && *weight > 0.0).count();
    let sides = [Vec3::new(0.2, 0.0, 1.0), Vec3::new(-0.2, 0.1, 1.0)].map(|side| side.normalize_or(Vec3::Z));
    let beside = sides.into_iter().filter(|_| turns <= 2);
    std::iter::once(Vec3::Z).chain(beside).collect()
}

/// The point where a ray from `origin` towards a viewer passes the front of a triangle, as a distance.
fn passes(origin: Vec3, towards: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let slope = normal.dot(towards);
    if slope < 1e-6 {
        return None;
    }
    let distance = normal.dot(a - origin) / slope;
    let p = origin + towards * distance;
    let is_left = |from: Vec3, to: Vec3| (to - from).cross(p - from).dot(normal) >= 0.0;
    (distance > 0.0 && is_left(a, b) && is_left(b, c) && is_left(c, a)).then_some(distance)
}

/// Triangles of the face near an eye that may cover the iris, and whether each is part of the lining behind the edges of the lids,
/// which is nearer to the eyeball than any skin.
fn around_the_eye(center: Vec3) -> Vec<([usize; 3], bool)> {
    let face = mesh("face");
    let distance = |&corner: &usize| face.vertices.positions[corner].distance(center);
    let near = triangles(face).filter(|corners| corners.iter().all(|corner| distance(corner) < 0.024));
    near.map(|corners| (corners, corners.iter().all(|corner| distance(corner) < 0.01605))).collect()
}

#[test]
fn no_lining_of_the_lids_covers_a_part_of_an_iris() {
    let eyes = mesh("eyes");
    // Without its blurred edge, of which the pocket in the corner may cover a little.
    let edge = 0.5 * (sculpt::eyes::iris_angle() / sculpt::eyes::PICTURE_EDGE) as f32 * 0.95;
    let iris: Vec<usize> =
        (0..eyes.vertices.len()).filter(|&i| eyes.vertices.uvs[i].distance(Vec2::splat(0.5)) < edge).collect();
    let centers = [1.0, -1.0].map(|side| sculpt::anatomy::EYE.as_vec3() * 0.01 * Vec3::new(side, 1.0, 1.0));
    let around = centers.map(around_the_eye);
    let linings = around[0].iter().filter(|(_, is_lining)| *is_lining).count();
    assert!(iris.len() > 200 && linings > 40, "{} points, {linings} triangles", iris.len());
    for weights in gazes() {
        let (face, eye) = (posed(mesh("face"), &weights), posed(eyes, &weights));
        for (center, around) in centers.iter().zip(&around) {
            for towards in views(&weights) {
                // Only triangles beside the ray can meet it.
                let place = |p: Vec3| p - towards * p.dot(towards);
                for &i in iris.iter().filter(|&&i| eyes.vertices.positions[i].x * center.x > 0.0) {
                    let p = eye[i];
                    let over = around.iter().filter(|(corners, _)| place(face[corners[0]] - p).length() < 0.004);
                    let hits = over.filter_map(|(corners, is_lining)| {
                        Some((passes(p, towards, corners.map(|corner| face[corner]))?, *is_lining))
                    });
                    // The viewer sees what is furthest from the iris.
                    let seen = hits.max_by(|a, b| a.0.total_cmp(&b.0));
                    assert!(
                        !seen.is_some_and(|(_, is_lining)| is_lining),
                        "{weights:?}: {p} is covered, seen along {towards}"
                    );
                }
            }
        }
    }
}

#[test]
fn lids_stay_outside_an_eyeball_that_looks_anywhere() {
    // In the corners of the eye the wall goes through the surface of the eyeball by design.
    let between_corners =
        |&i: &usize| (mesh("face").vertices.positions[i].x - 0.01 * sculpt::anatomy::EYE.x as f32).abs() < 0.0105;
    let lids: Vec<usize> = lids().into_iter().filter(between_corners).collect();
    assert!(lids.len() > 250, "{}", lids.len());
    for weights in gazes() {
        // Two turns are added, which widens the eyeball where both move it; the measure takes its widest place within 9°.
        assert_lids_lie_outside(&lids, &weights, -0.1 * MILLIMETRE);
    }
}
