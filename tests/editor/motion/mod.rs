//! Weights over time, from the layers to the weights that are blended.

#![allow(clippy::unwrap_used, reason = "tests")]

mod curves;
mod keys;
mod ripple;
mod rule;
mod stack;
mod transition;

use std::sync::Arc;

use glam::Vec3;
use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Part, Target, Track, Vertices};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

const NAMES: [&str; 12] = [
    "jawOpen",
    "mouthSmileLeft",
    "mouthSmileRight",
    "eyeBlinkLeft",
    "eyeBlinkRight",
    "browInnerUp",
    "eyeLookOutLeft",
    "eyeLookInLeft",
    "eyeLookOutRight",
    "eyeLookInRight",
    "jawLeft",
    "jawRight",
];

fn mesh(names: &[&str], defaults: &[(&str, f32)]) -> Mesh {
    let target = |name: &&str| {
        let rest = defaults.iter().find(|(other, _)| other == name).map_or(0.0, |(_, rest)| *rest);
        Target::from_dense((*name).into(), rest, &[Vec3::X * 0.01, Vec3::ZERO, Vec3::ZERO], &[], &[])
    };
    Mesh {
        name: "mesh".into(),
        vertices: Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Vertices::default() },
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
        targets: names.iter().map(target).collect(),
        ..Mesh::default()
    }
}

/// A head with a face and teeth. Its clip of 4 s opens the jaw of both linearly to 0.8. The rest weight of browInnerUp
/// is 0.1.
fn head() -> Arc<Head> {
    let meshes = vec![mesh(&NAMES, &[("browInnerUp", 0.1)]), mesh(&["jawOpen"], &[])];
    let ramp = || Curve::new(Interpolation::Linear, vec![0.0, 4.0], vec![0.0, 0.8], 1).unwrap();
    let tracks = [0, NAMES.len()].map(|first_target| Track { first_target, curve: ramp() }).to_vec();
    let clips = vec![Clip::new("open".into(), tracks)];
    Arc::new(Head::new(Asset { name: "head".into(), meshes, clips, ..Asset::default() }))
}

/// A paused session at 2 s, the middle of the clip.
fn session() -> Session {
    let mut session = Session::new(head(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clock.timeline.playing = false;
    session.seek(2.0);
    session
}

fn channel(session: &Session, name: &str) -> usize {
    session.head.channel_named(name).unwrap()
}

fn value(session: &Session, name: &str) -> f32 {
    session.head.channel_value(channel(session, name), &session.mix().weights)
}

fn pose(session: &mut Session, name: &str, weights: &[(&str, f32)]) -> smirk_face::motion::PoseId {
    session
        .poses_mut()
        .add([(name.to_owned(), weights.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect())]);
    session.edits.poses.last().unwrap().id
}
