//! Lids and eyeballs, alone and together.

use glam::Vec3;

use super::{HEAD, MILLIMETRE, mesh, posed, sculpt, triangles};

/// The distance that lids keep from the eyeball.
const CLEAR: f32 = 0.1 * MILLIMETRE;

/// The centre of rotation of the left eyeball, metres.
fn center() -> Vec3 {
    sculpt::anatomy::EYE.as_vec3() * 0.01
}

/// The left eyeball under some expressions: how far its surface reaches in a direction from its centre.
struct Ball {
    points: Vec<(Vec3, f32)>,
}

impl Ball {
    fn new(weights: &[(&str, f32)]) -> Self {
        let positions = posed(mesh("eyes"), weights);
        let from_center = positions.into_iter().filter(|p| p.x > 0.0).map(|p| p - center());
        Self { points: from_center.map(|p| (p.normalize_or_zero(), p.length())).collect() }
    }

    /// How far a point is outside the eyeball; none behind the eye, which is never visible. It is measured from the
    /// furthest vertex within 9°, beyond which the mesh between them does not reach.
    fn clearance(&self, p: Vec3) -> Option<f32> {
        let (direction, distance) = ((p - center()).normalize_or_zero(), p.distance(center()));
        let near = self.points.iter().filter(|(other, _)| other.dot(direction) > 9f32.to_radians().cos());
        let reach = near.map(|(_, reach)| *reach).fold(0.0, f32::max);
        (direction.z > 0.0).then_some(distance - reach)
    }
}

/// The vertices of the face over the left eyeball. The floor of the corners of the eye is below its surface by design.
pub fn lids() -> Vec<usize> {
    let (rest, ball) = (&mesh("face").vertices.positions, Ball::new(&[]));
    let is_lid = |p: Vec3| {
        p.x > 0.0 && p.distance(center()) < 0.022 && ball.clearance(p).is_some_and(|gap| gap > 0.3 * MILLIMETRE)
    };
    (0..rest.len()).filter(|&i| is_lid(rest[i])).collect()
}

/// `least` is the least distance in metres.
pub fn assert_lids_lie_outside(lids: &[usize], weights: &[(&str, f32)], least: f32) {
    let (ball, positions) = (Ball::new(weights), posed(mesh("face"), weights));
    for &i in lids {
        if let Some(gap) = ball.clearance(positions[i]) {
            let rest = mesh("face").vertices.positions[i];
            assert!(gap > least, "{weights:?}: {gap} m at {rest}");
        }
    }
}

/// Expressions that close or narrow an eye together.
const SQUEEZES: [&[&str]; 6] = [
    &["eyeBlinkLeft"],
    &["eyeBlinkLeft", "eyeSquintLeft"],
    &["eyeBlinkLeft", "eyeSquintLeft", "cheekSquintLeft"],
    &["eyeBlinkLeft", "eyeSquintLeft", "cheekSquintLeft", "mouthSmileLeft"],
    &["eyeBlinkLeft", "eyeLookDownLeft"],
    &["eyeSquintLeft", "cheekSquintLeft", "mouthSmileLeft"],
];

#[test]
fn lids_stay_outside_the_eyeball() {
    let lids = lids();
    assert!(lids.len() > 300, "{}", lids.len());
    for weight in [0.0, 0.25, 0.5, 0.75, 1.0] {
        for name in ["eyeBlinkLeft", "eyeSquintLeft", "eyeWideLeft"] {
            assert_lids_lie_outside(&lids, &[(name, weight)], CLEAR);
        }
    }
    for together in SQUEEZES {
        let weights: Vec<(&str, f32)> = together.iter().map(|&name| (name, 1.0)).collect();
        assert_lids_lie_outside(&lids, &weights, CLEAR);
    }
}

#[test]
fn lids_stay_outside_an_eyeball_that_turns() {
    let lids = lids();
    for look in ["eyeLookUpLeft", "eyeLookDownLeft", "eyeLookInLeft", "eyeLookOutLeft"] {
        for weight in [0.25, 0.5, 0.75, 1.0] {
            for blink in [0.0, 0.5, 1.0] {
                assert_lids_lie_outside(&lids, &[(look, weight), ("eyeBlinkLeft", blink)], CLEAR);
            }
        }
    }
}

#[test]
fn lids_meet_in_a_blink() {
    let lines = lid_lines();
    let closed = posed(mesh("face"), &[("eyeBlinkLeft", 1.0)]);
    let gap = |&(upper, lower): &(usize, usize)| closed[upper].y - closed[lower].y;
    assert!(
        lines.iter().map(gap).all(|gap| gap.abs() < 0.7 * MILLIMETRE),
        "{:?}",
        lines.iter().map(gap).collect::<Vec<_>>()
    );
}

#[test]
fn a_squeezed_eye_hides_its_lower_lid_under_the_upper_one() {
    let (face, lines) = (mesh("face"), lid_lines());
    for together in SQUEEZES.iter().filter(|together| together.contains(&"eyeBlinkLeft")) {
        let weights: Vec<(&str, f32)> = together.iter().map(|&name| (name, 1.0)).collect();
        let positions = posed(face, &weights);
        for &(upper, lower) in &lines {
            let (over, p) = (positions[lower].y - positions[upper].y, positions[lower]);
            assert!(over < 1.6 * MILLIMETRE, "{together:?}: over-closed by {over} m at {p}");
            // Where it is above the edge of the upper lid, the skin of that lid must be in front of it.
            if over > 0.4 * MILLIMETRE {
                let out = (p - center()).normalize_or_zero();
                let is_covered = triangles(face).any(|corners| {
                    let corners = corners.map(|i| positions[i]);
                    hit(p + out * (0.02 * MILLIMETRE), out, corners)
                });
                assert!(
                    is_covered,
                    "{together:?}: the lower lid is visible at {p}, {over} m over the upper one's edge"
                );
            }
        }
    }
}

/// Whether a ray meets a triangle within a centimetre (Möller and Trumbore 1997).
fn hit(origin: Vec3, direction: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    if a.distance_squared(origin) > 2e-4 {
        return false;
    }
    let (ab, ac) = ((b - a) * 1e3, (c - a) * 1e3);
    let across = direction.cross(ac);
    let area = ab.dot(across);
    if area.abs() < 1e-9 {
        return false;
    }
    let from_a = (origin - a) * 1e3;
    let u = from_a.dot(across) / area;
    let v = direction.dot(from_a.cross(ab)) / area;
    let distance_mm = ac.dot(from_a.cross(ab)) / area;
    u >= 0.0 && v >= 0.0 && u + v <= 1.0 && (0.0..10.0).contains(&distance_mm)
}

/// Vertices of the left eye's lid edges that face each other.
fn lid_lines() -> Vec<(usize, usize)> {
    let skin = sculpt::skin::build();
    let face = mesh("face");
    let nearest = |p: glam::DVec3| {
        let p = (p * 0.01).as_vec3();
        let distance = |&i: &usize| face.vertices.positions[i].distance(p);
        (0..face.vertices.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
    };
    let [upper, lower] = &skin.lids;
    upper.iter().zip(lower).map(|(u, l)| (nearest(*u), nearest(*l))).collect()
}

#[test]
fn squints_narrow_the_eye() {
    let (lines, rest) = (lid_lines(), &mesh("face").vertices.positions);
    let opening = |positions: &[Vec3]| -> f32 { lines.iter().map(|&(u, l)| positions[u].y - positions[l].y).sum() };
    let squinting = posed(mesh("face"), &[("eyeSquintLeft", 1.0)]);
    assert!(opening(&squinting) < 0.9 * opening(rest), "{} of {}", opening(&squinting), opening(rest));
    assert!(HEAD.channel_named("eyeSquintLeft").is_some());
}
