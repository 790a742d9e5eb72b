//! Poses, channels, takes and undo of a session, without a window and without a graphics driver.

#![allow(clippy::unwrap_used)]

mod added_shapes;
mod channels;
mod clips;
mod correctives;
mod keys;
mod live;
mod mends;
mod merged_notes;
mod notes;
mod poses;
mod reload;

mod sound;
mod takes;
mod versions;
mod voice;

use std::sync::Arc;

use glam::Vec3;
use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Target, Track, Vertices};
use smirk_face::motion::{Layer, PoseId};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

const NAMES: [&str; 6] =
    ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthSmileLeft", "mouthSmileRight", "mouthFunnel"];

/// A session with a clip of 8 s that closes both eyes and opens the jaw.
fn session() -> Session {
    let target = |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = Mesh {
        name: "face".into(),
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: NAMES.iter().map(target).collect(),
        ..Mesh::default()
    };
    let values = vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.8];
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 8.0], values, 3).unwrap();
    let clips = vec![Clip::new("talk".into(), vec![Track { first_target: 0, curve }])];
    let head = Head::new(Asset { name: "head".into(), meshes: vec![mesh], clips, ..Asset::default() });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.edits.poses.clear();
    session.clock.timeline.playing = false;
    session
}

fn channel(session: &Session, name: &str) -> usize {
    session.head.channel_named(name).unwrap()
}

fn weight(session: &Session, name: &str) -> f32 {
    session.head.channel_value(channel(session, name), &session.mix().weights)
}

fn layer(session: &Session, name: &str) -> Layer {
    session.mix().layers[channel(session, name)]
}

fn add(session: &mut Session, name: &str, weights: &[(&str, f32)]) -> PoseId {
    let weights = weights.iter().map(|&(name, weight)| (name.to_owned(), weight)).collect();
    session.poses_mut().add([(name.to_owned(), weights)]);
    session.edits.poses.last().unwrap().id
}
