//! The hair that grows on the bundled head.

use std::sync::LazyLock;

use smirk_face::head::{GrownStrands, StrandPoint, Strands};

use super::{mesh, sculpt};

static GROWN: LazyLock<Vec<GrownStrands>> =
    LazyLock::new(|| mesh("hair").strands.iter().map(GrownStrands::new).collect());

/// The centimetres of a point outside the skin.
fn outside(point: &StrandPoint) -> f64 {
    sculpt::anatomy::head(point.position.as_dvec3() * 100.0)
}

fn combed() -> &'static Strands {
    &mesh("hair").strands[0]
}

#[test]
fn about_14000_strands_grow_from_a_few_hundred_guides() {
    assert_eq!(mesh("hair").strands.len(), 3);
    assert!((200..500).contains(&combed().guide_count()), "{} guides", combed().guide_count());
    assert!((13_000..16_000).contains(&GROWN[0].count()), "{} strands", GROWN[0].count());
    let all: usize = GROWN.iter().map(GrownStrands::count).sum();
    assert!(all < 25_000, "{all} strands");
}

#[test]
fn strands_begin_on_the_scalp_and_stay_outside_the_skin() {
    for grown in &GROWN[..2] {
        let strands = grown.points.chunks_exact(GrownStrands::POINTS);
        let near = strands.clone().filter(|strand| outside(&strand[0]) < 0.35).count();
        assert!(near * 100 > grown.count() * 95, "{near} of {} roots are on the scalp", grown.count());
        let under = grown.points.iter().filter(|point| outside(point) < -0.08).count();
        assert!(under * 1000 < grown.points.len(), "{under} of {} points are under the skin", grown.points.len());
        let deepest = grown.points.iter().map(outside).fold(f64::MAX, f64::min);
        assert!(deepest > -0.5, "{deepest} cm");
        let farthest = grown.points.iter().map(outside).fold(f64::MIN, f64::max);
        assert!(farthest < 5.0, "{farthest} cm");
    }
}

#[test]
fn no_strand_lies_on_the_face() {
    let on_face = |point: &&StrandPoint| {
        let p = point.position * 100.0;
        p.z > 6.5 && p.y < 8.0
    };
    let found = GROWN.iter().flat_map(|grown| &grown.points).filter(on_face).count();
    assert_eq!(found, 0);
}
