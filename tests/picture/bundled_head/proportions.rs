//! Proportions of the face at rest, in millimetres. The ranges are those of a scanned average of many people, with room for a slim
//! face: distances along the head are compared, never a surface.

use std::ops::RangeInclusive;
use std::sync::LazyLock;

use glam::{Vec2, Vec3};

use super::{mesh, triangles};

/// The triangles of the skin, in millimetres.
static SKIN: LazyLock<Vec<[Vec3; 3]>> = LazyLock::new(|| {
    ["face", "bust"]
        .into_iter()
        .map(mesh)
        .flat_map(|mesh| triangles(mesh).map(|corners| corners.map(|i| mesh.vertices.positions[i] * 1000.0)))
        .collect()
});

/// How far in front the skin is at `x` to the left of the middle and the height `y`.
fn depth(x: f32, y: f32) -> f32 {
    let at = Vec2::new(x, y);
    let hit = |[a, b, c]: &[Vec3; 3]| {
        let (ab, ac, ap) = (b.truncate() - a.truncate(), c.truncate() - a.truncate(), at - a.truncate());
        let area = ab.perp_dot(ac);
        let (u, v) = (ap.perp_dot(ac) / area, ab.perp_dot(ap) / area);
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0).then_some(a.z + u * (b.z - a.z) + v * (c.z - a.z))
    };
    SKIN.iter().filter_map(hit).fold(f32::MIN, f32::max)
}

/// The width of the skin at the height `y`, in front of `behind`.
fn width(y: f32, behind: f32) -> f32 {
    let is_near = |p: &&Vec3| (p.y - y).abs() < 2.5 && p.z > behind;
    2.0 * SKIN.iter().flatten().filter(is_near).map(|p| p.x).fold(f32::MIN, f32::max)
}

/// The distance from the middle at which the skin beside the nose is first `depth_mm` in front, from outside.
fn half_width_of_nose(y: f32, depth_mm: f32) -> f32 {
    (0..100).map(|i| 25.0 - 0.25 * i as f32).find(|&x| depth(x, y) > depth_mm).unwrap_or(0.0)
}

/// The height of the deepest point between forehead and nose.
fn nasion() -> f32 {
    let heights = (36..=50).map(|y| y as f32);
    heights.min_by(|a, b| depth(0.3, *a).total_cmp(&depth(0.3, *b))).unwrap()
}

fn chin() -> f32 {
    let is_chin = |p: &&Vec3| p.z > 85.0 && p.x.abs() < 3.0;
    SKIN.iter().flatten().filter(is_chin).map(|p| p.y).fold(f32::MAX, f32::min)
}

#[test]
fn the_face_has_the_proportions_of_people() {
    let subnasale = depth(0.3, -10.0);
    let zygomatic = width(18.0, 20.0);
    let tip = (-2..14).map(|y| depth(0.3, y as f32)).fold(f32::MIN, f32::max);
    let facts: [(&str, f32, RangeInclusive<f32>); 19] = [
        ("width at the cheekbones", zygomatic, 132.0..=141.0),
        ("height from nasion to chin, of the width", (nasion() - chin()) / zygomatic, 0.83..=0.89),
        ("brow ridge over the inner eye", depth(20.0, 54.0), 103.5..=107.0),
        ("brow ridge over the middle of the eye", depth(32.0, 54.0), 98.5..=103.0),
        ("outer orbit", depth(52.0, 33.0), 79.5..=87.5),
        ("temple, low", depth(60.0, 54.0), 64.0..=75.0),
        ("temple, high", depth(60.0, 60.0), 63.5..=74.0),
        ("tip of the nose", tip, 128.0..=134.0),
        ("width of the nose", 2.0 * half_width_of_nose(0.0, 106.5), 27.0..=33.5),
        ("chin in front of the base of the nose", depth(0.3, -60.0) - subnasale, -7.5..=-2.5),
        ("cheek under the cheekbone", depth(52.0, 0.0), 80.5..=89.0),
        ("cheek beside the mouth", depth(52.0, -20.0), 70.0..=84.0),
        ("width at the angle of the jaw", width(-38.0, 10.0), 100.0..=114.0),
        ("width at the chin's height", width(-60.0, 40.0), 66.0..=90.0),
        ("width of the neck under the jaw", width(-80.0, -60.0), 84.0..=106.0),
        ("width of the neck above the shoulders", width(-95.0, -60.0), 88.0..=112.0),
        ("front of the neck", depth(0.3, -95.0), 40.0..=56.0),
        ("chin over the front of the neck", depth(0.3, -60.0) - depth(0.3, -95.0), 55.0..=75.0),
        ("depth of the hollow above the chin", depth(0.3, -60.0) - depth(0.3, -49.0), 0.7..=6.0),
    ];
    let wrong: Vec<String> = facts
        .iter()
        .filter(|(_, measured, range)| !range.contains(measured))
        .map(|(name, measured, range)| format!("{name}: {measured:.1}, not {range:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
