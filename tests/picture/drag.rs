//! Which channels a drag on a face moves, on the bundled head and on real ones.

use std::sync::Arc;
use std::time::Instant;

use glam::{Vec2, vec2};

use smirk_face::head::{Head, PairKind};
use smirk_files::import;
use smirk_picture::drag::FaceDrag;
use smirk_picture::pick::{Picker, movers};
use smirk_scene::{Camera, Look, View};
use smirk_support::test_files::real_heads;

const UP: Vec2 = vec2(0.0, -1.0);
const DOWN: Vec2 = vec2(0.0, 1.0);
const OUT: Vec2 = vec2(1.0, 0.0);
const IN: Vec2 = vec2(-1.0, 0.0);

/// Points of the actor's left half of a face, and ways in which an artist drags them, with the channels one of which has
/// to go furthest, by the names of ARKit.
const DRAGS: [(&str, Vec2, &[&str]); 20] = [
    ("mouth corner", UP, &["mouthSmileLeft"]),
    ("mouth corner", DOWN, &["mouthFrownLeft"]),
    ("mouth corner", OUT, &["mouthStretchLeft", "mouthDimpleLeft", "mouthSmileLeft"]),
    ("mouth corner", IN, &["mouthPucker", "mouthFunnel", "mouthRight"]),
    ("outer brow", UP, &["browOuterUpLeft"]),
    ("middle of the brow", DOWN, &["browDownLeft"]),
    ("inner brow", UP, &["browInnerUp"]),
    ("inner brow", DOWN, &["browDownLeft"]),
    ("upper lid", DOWN, &["eyeBlinkLeft"]),
    ("upper lid", UP, &["eyeWideLeft"]),
    ("lower lid", UP, &["eyeSquintLeft", "cheekSquintLeft"]),
    ("lower lip", DOWN, &["jawOpen"]),
    ("lower lip", UP, &["mouthShrugLower", "mouthRollLower"]),
    ("chin", DOWN, &["jawOpen"]),
    ("chin", OUT, &["jawLeft"]),
    ("upper lip", UP, &["mouthUpperUpLeft", "mouthUpperUpRight", "mouthShrugUpper"]),
    ("left of the upper lip", UP, &["mouthUpperUpLeft"]),
    ("left of the lower lip", DOWN, &["mouthLowerDownLeft", "jawOpen"]),
    ("nostril", UP, &["noseSneerLeft"]),
    ("cheek", UP, &["cheekSquintLeft", "noseSneerLeft"]),
];

/// Where the points of [`DRAGS`] are in a picture of 1000 by 1000 pixels from the front, as seen in it.
struct Face {
    name: &'static str,
    hidden: &'static [&'static str],
    points: [(&'static str, [f32; 2]); 12],
}

const OWN: Face = Face {
    name: "bundled",
    hidden: &[],
    points: [
        ("mouth corner", [577.0, 651.0]),
        ("outer brow", [652.0, 344.0]),
        ("middle of the brow", [609.0, 341.0]),
        ("inner brow", [552.0, 355.0]),
        ("upper lid", [609.0, 397.0]),
        ("lower lid", [609.0, 447.0]),
        ("lower lip", [500.0, 668.0]),
        ("chin", [500.0, 752.0]),
        ("upper lip", [500.0, 639.0]),
        ("left of the upper lip", [539.0, 641.0]),
        ("nostril", [549.0, 541.0]),
        ("cheek", [620.0, 514.0]),
    ],
};
const ICT: Face = Face {
    name: "ict/ict_facekit.glb",
    hidden: &[],
    points: [
        ("mouth corner", [579.0, 629.0]),
        ("outer brow", [652.0, 352.0]),
        ("middle of the brow", [598.0, 347.0]),
        ("inner brow", [544.0, 357.0]),
        ("upper lid", [606.0, 378.0]),
        ("lower lid", [606.0, 425.0]),
        ("lower lip", [500.0, 638.0]),
        ("chin", [500.0, 730.0]),
        ("upper lip", [500.0, 619.0]),
        ("left of the upper lip", [539.0, 620.0]),
        ("nostril", [552.0, 519.0]),
        ("cheek", [622.0, 492.0]),
    ],
};
const RPM: Face = Face {
    name: "avatars/rpm_brunette-t.glb",
    hidden: &["Wolf3D_Glasses", "Wolf3D_Hair"],
    points: [
        ("mouth corner", [579.0, 666.0]),
        ("outer brow", [646.0, 412.0]),
        ("middle of the brow", [622.0, 412.0]),
        ("inner brow", [560.0, 419.0]),
        ("upper lid", [609.0, 443.0]),
        ("lower lid", [609.0, 493.0]),
        ("lower lip", [500.0, 687.0]),
        ("chin", [500.0, 762.0]),
        ("upper lip", [500.0, 657.0]),
        ("left of the upper lip", [544.0, 655.0]),
        ("nostril", [549.0, 587.0]),
        ("cheek", [620.0, 562.0]),
    ],
};

impl Face {
    fn head(&self) -> Option<Arc<Head>> {
        match self.name {
            "bundled" => Some(Arc::new(import::embedded().unwrap())),
            file => Some(Arc::new(import::open(&real_heads()?.join(file)).unwrap())),
        }
    }

    /// In picture heights from the middle.
    fn point(&self, name: &str) -> Vec2 {
        let of = |name: &str| self.points.iter().find(|(known, _)| *known == name).unwrap().1;
        let pixel = match name {
            // As far aside as the upper lip's, and as far down as the middle of the lower one.
            "left of the lower lip" => [of("left of the upper lip")[0], of("lower lip")[1]],
            name => of(name),
        };
        Vec2::from(pixel) / 1000.0 - 0.5
    }
}

fn front(head: &Head) -> Camera {
    let mut camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
    camera.turn_to(View::Front, head, 1.0);
    camera
}

/// A drag of a point of a face, which other weights than those at rest may show.
fn begin(face: &Face, head: &Arc<Head>, point: Vec2, weights: &[f32], are_together: bool) -> FaceDrag {
    let camera = front(head);
    let hidden = head.meshes.iter().enumerate().filter(|(_, mesh)| face.hidden.contains(&mesh.name.as_str()));
    let look = Look { hidden: hidden.map(|(index, _)| index).collect(), ..Look::default() };
    let mut picker = Picker::default();
    picker.place(head, (&look, &[]), weights, &[]);
    let hit = picker.pick(head, &camera.ray(point)).unwrap_or_else(|| panic!("{}: {point}", face.name));
    let found = movers(head, &hit, weights, &[]);
    let value = |channel| head.channel_value(channel, weights);
    let pair = |pair: usize| are_together && head.pairs[pair].kind == PairKind::Sides;
    FaceDrag::new(head, (&hit, &found), &camera, value, |_| true, pair)
}

fn in_words(head: &Head, values: &[(usize, f32)]) -> String {
    let mut values = values.to_vec();
    values.sort_by(|a, b| b.1.total_cmp(&a.1));
    let words = values.iter().map(|(channel, value)| format!("{} {value:.2}", head.channels[*channel].name));
    words.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_drag_moves_what_an_artist_means_on_every_head() {
    let mut wrong = Vec::new();
    for face in [OWN, ICT, RPM] {
        let Some(head) = face.head() else { continue };
        for (name, way, expected) in DRAGS {
            let rest = head.default_weights();
            let (start, mut drag) = (Instant::now(), begin(&face, &head, face.point(name), &rest, false));
            let began = start.elapsed();
            let (start, mut values) = (Instant::now(), Vec::new());
            for step in 1..=20 {
                values = drag.values(way * 0.015 * step as f32 / 20.0);
            }
            let micros = start.elapsed().as_secs_f64() * 1e6 / 20.0;
            let most = values.iter().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, value)| *value > 0.0);
            let is_expected =
                most.is_some_and(|(channel, _)| expected.iter().any(|name| head.channel_alike(name).contains(channel)));
            let way = [(UP, "up"), (DOWN, "down"), (OUT, "out"), (IN, "in")].iter().find(|it| it.0 == way).unwrap().1;
            let found = in_words(&head, &values);
            let line = format!("{} | {name} {way} | {found} | {began:.0?}, {micros:.1} µs", face.name);
            println!("{line}");
            if !is_expected {
                wrong.push(line);
            }
            let sum: f32 = values.iter().map(|(_, value)| value).sum();
            let is_broken = |name: &str| {
                values.iter().any(|(channel, value)| *value > 0.0 && head.channel_alike(name).contains(channel))
            };
            assert!(sum.is_finite() && !is_broken("mouthClose") && !is_broken("tongueOut"), "{name} {way}: {values:?}");
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Values of all channels, in steps of a drag along a path.
fn along(drag: &mut FaceDrag, head: &Head, path: impl Iterator<Item = Vec2>) -> Vec<Vec<f32>> {
    let rest = head.default_weights();
    let all = |values: Vec<(usize, f32)>| {
        let mut all: Vec<f32> = (0..head.channels.len()).map(|channel| head.channel_value(channel, &rest)).collect();
        values.into_iter().for_each(|(channel, value)| all[channel] = value);
        all
    };
    path.map(|at| all(drag.values(at))).collect()
}

#[test]
fn a_drag_in_circles_is_smooth_stays_within_0_and_1_and_comes_back() {
    let head = OWN.head().unwrap();
    for name in ["mouth corner", "inner brow", "upper lid", "lower lip", "chin"] {
        for are_together in [false, true] {
            let mut drag = begin(&OWN, &head, OWN.point(name), &head.default_weights(), are_together);
            let turn = |step: i32| Vec2::from_angle(step as f32 / 720.0 * std::f32::consts::TAU) * 0.02;
            let first = along(&mut drag, &head, std::iter::once(UP * 0.02));
            let steps = along(&mut drag, &head, (0..=720).map(turn));
            for pair in steps.windows(2) {
                let largest = pair[0].iter().zip(&pair[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(largest < 0.25, "{name}: half a degree moves a channel by {largest}");
            }
            assert!(steps.iter().flatten().all(|value| (0.0..=1.0).contains(value)), "{name}");
            assert!(steps.iter().all(|values| values.iter().filter(|it| **it > 0.0).count() <= 4), "{name}");
            let again = along(&mut drag, &head, [UP * 0.02, Vec2::ZERO].into_iter());
            let is_alike = first[0].iter().zip(&again[0]).all(|(a, b)| (a == &0.0) == (b == &0.0));
            assert!(is_alike && again[1].iter().all(|value| *value == 0.0), "{name}: where it was, it is as it was");
        }
    }
}

#[test]
fn sides_move_together_or_alone_and_what_is_shown_goes_back_first() {
    let head = OWN.head().unwrap();
    let [left, right] = ["mouthSmileLeft", "mouthSmileRight"].map(|name| head.channel_named(name).unwrap());
    let corner = OWN.point("mouth corner");
    let mut together = begin(&OWN, &head, corner, &head.default_weights(), true);
    let values = along(&mut together, &head, std::iter::once(UP * 0.015)).remove(0);
    assert!(values[left] > 0.2 && values[left] == values[right], "{values:?}");
    // From a smile, down is less of the smile, and then a frown.
    let mut weights = head.default_weights();
    for &target in &head.channels[left].targets {
        weights[target] = 0.5;
    }
    let smiling = corner + vec2(0.5 * 0.0228, -0.5 * 0.0305);
    let mut drag = begin(&OWN, &head, smiling, &weights, false);
    let frown = head.channel_named("mouthFrownLeft").unwrap();
    let value = |values: &[(usize, f32)], wanted: usize| {
        values.iter().find(|(channel, _)| *channel == wanted).map_or(0.0, |(_, value)| *value)
    };
    let values = drag.values(DOWN * 0.006);
    assert!((0.1..0.49).contains(&value(&values, left)) && value(&values, frown) == 0.0, "{values:?}");
    let values = drag.values(DOWN * 0.04);
    assert!(value(&values, left) == 0.0 && value(&values, frown) > 0.2, "{values:?}");
}
