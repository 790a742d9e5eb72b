//! Lips, tongue and teeth.

use std::collections::BTreeMap;

use glam::Vec3;
use smirk_analysis::judge::{IntersectionFinder, Through, combinations};

use super::{HEAD, MILLIMETRE, bits, dense, mesh, posed};

/// Vertices of the upper and lower lip that share a place at rest.
fn lip_line() -> Vec<(usize, usize)> {
    let face = mesh("face");
    // The jaw moves the lower one.
    let jaw = dense(face, "jawOpen");
    let mut together: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
    for (i, &p) in face.vertices.positions.iter().enumerate() {
        together.entry(bits(p)).or_default().push(i);
    }
    let drop_of = |i: &usize| jaw[*i].0.y;
    let pair = |here: &Vec<usize>| {
        let upper = *here.iter().max_by(|a, b| drop_of(a).total_cmp(&drop_of(b)))?;
        let lower = *here.iter().min_by(|a, b| drop_of(a).total_cmp(&drop_of(b)))?;
        (drop_of(&upper) - drop_of(&lower) > MILLIMETRE).then_some((upper, lower))
    };
    let lips: Vec<(usize, usize)> = together.values().filter_map(pair).collect();
    assert!(lips.len() > 25, "{} places on the lip line", lips.len());
    lips
}

/// The distances of the upper from the lower lip along the line, metres.
fn gaps(weights: &[(&str, f32)]) -> Vec<f32> {
    let positions = posed(mesh("face"), weights);
    lip_line().into_iter().map(|(upper, lower)| positions[upper].y - positions[lower].y).collect()
}

#[test]
fn lips_do_not_cross() {
    let is_mouth = |name: &&str| name.starts_with("mouth") || name.starts_with("jaw") || *name == "tongueOut";
    let names = HEAD.channels.iter().map(|channel| channel.name.as_str()).filter(is_mouth);
    // A mouth moves left and right together; mouthClose is meant to go with jawOpen.
    for name in names.filter(|name| *name != "mouthClose") {
        let other = name.replace("Left", "Right");
        let mut weights = vec![(name, 1.0)];
        if !["mouthLeft", "jawLeft"].contains(&name) && other != name {
            weights.push((&other, 1.0));
        }
        for weights in [&weights[..1], &weights] {
            let least = gaps(weights).into_iter().fold(f32::MAX, f32::min);
            assert!(least > -0.3 * MILLIMETRE, "{weights:?}: lips cross by {least} m");
        }
    }
}

#[test]
fn mouth_close_seals_the_lips_at_every_opening_of_the_jaw() {
    for weight in [0.25, 0.5, 0.75, 1.0] {
        for gap in gaps(&[("jawOpen", weight), ("mouthClose", weight)]) {
            assert!((-0.3 * MILLIMETRE..1.5 * MILLIMETRE).contains(&gap), "{gap} m at {weight}");
        }
    }
    // Alone it moves the lips past each other by what jawOpen parts them, and by no more.
    let opened = gaps(&[("jawOpen", 1.0)]);
    for (crossed, opened) in gaps(&[("mouthClose", 1.0)]).into_iter().zip(opened) {
        assert!((crossed + opened).abs() < 1.5 * MILLIMETRE, "{crossed} m against {opened} m");
    }
}

#[test]
fn the_tongue_comes_out_between_the_lips() {
    let lip_line = lip_line();
    // Targets are added linearly; the tongue must not pass through a lip at weights between either.
    for (weight, jaw) in [0.5, 0.67, 0.85, 1.0].into_iter().flat_map(|weight| [0.0, 0.3, 0.7].map(|jaw| (weight, jaw)))
    {
        let weights = [("tongueOut", weight), ("jawOpen", jaw)];
        let (face, tongue) = (posed(mesh("face"), &weights), posed(mesh("tongue"), &weights));
        let lips: Vec<(Vec3, Vec3)> = lip_line.iter().map(|&(u, l)| (face[u], face[l])).collect();
        let beside = |p: &Vec3| {
            let off = |lip: &(Vec3, Vec3)| (lip.0.x - p.x).abs();
            lips.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap()
        };
        let mut passing = 0;
        for p in &tongue {
            let (upper, lower) = beside(p);
            if (lower.z - 5.0 * MILLIMETRE..lower.z + MILLIMETRE).contains(&p.z) {
                // It touches the lower lip, into which it may sink a little.
                let is_between = p.y < upper.y && p.y > lower.y - 1.5 * MILLIMETRE;
                assert!(is_between, "{weights:?}: {p} is not between {upper} and {lower}");
                passing += 1;
            }
        }
        assert!(passing > 5, "{weights:?}: {passing} vertices between the lips");
        let front = lips.iter().map(|(upper, _)| upper.z).fold(f32::MIN, f32::max);
        let is_out = tongue.iter().any(|p| p.z > front + 5.0 * MILLIMETRE);
        assert!(is_out || weight < 1.0 || jaw > 0.0, "the tongue stays in");
    }
}

/// A mouth that opens further than each of its expressions does alone presses the chin against the throat, but not through it: only
/// below the angles of the jaw, the surfaces touch along a few millimetres.
#[test]
fn the_chin_does_not_go_through_the_throat() {
    let finder = IntersectionFinder::new(&HEAD);
    let combinations = combinations(&HEAD);
    for name in ["jawOpen + tongueOut", "jawOpen + mouthFunnel"] {
        let combination = combinations.iter().find(|it| it.name(&HEAD) == name);
        let combination = combination.unwrap_or_else(|| panic!("{name} is not tried"));
        let intersections = finder.find(&HEAD, &combination.weights(&HEAD));
        let length_mm =
            intersections.kinds.iter().filter(|(through, ..)| *through == Through::Lips).map(|it| it.2).sum::<f32>();
        assert!(length_mm < 5.0, "{name}: {length_mm} mm");
    }
}
