//! The mix that the window evaluates in a frame: 60 channels with a take, keys, poses, blinks and gaze. Run it with
//! `cargo bench -p smirk-benches --bench mix`.

use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use glam::Vec3;
use smirk_face::head::{Asset, Curve, Head, Interpolation, Mesh, Target, Vertices};
use smirk_face::motion::{Key, Take, TakeColumn};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

/// ARKit's names without their sides, and eight more, so that there are 60 channels.
const BOTH_SIDES: [&str; 22] = [
    "browDown",
    "browOuterUp",
    "cheekSquint",
    "eyeBlink",
    "eyeLookDown",
    "eyeLookIn",
    "eyeLookOut",
    "eyeLookUp",
    "eyeSquint",
    "eyeWide",
    "mouthDimple",
    "mouthFrown",
    "mouthLowerDown",
    "mouthPress",
    "mouthSmile",
    "mouthStretch",
    "mouthUpperUp",
    "noseSneer",
    "nostrilFlare",
    "lipCornerUp",
    "lipCornerDown",
    "neckTense",
];
const MIDDLE: [&str; 16] = [
    "browInnerUp",
    "cheekPuff",
    "jawForward",
    "jawLeft",
    "jawOpen",
    "jawRight",
    "mouthClose",
    "mouthFunnel",
    "mouthLeft",
    "mouthPucker",
    "mouthRight",
    "mouthRollLower",
    "mouthRollUpper",
    "mouthShrugLower",
    "mouthShrugUpper",
    "tongueOut",
];

fn main() {
    divan::main();
}

fn names() -> Vec<String> {
    let sides = BOTH_SIDES.iter().flat_map(|name| ["Left", "Right"].map(|side| format!("{name}{side}")));
    sides.chain(MIDDLE.map(str::to_owned)).collect()
}

/// A head of two meshes, face and teeth, both of which have every target.
fn head(names: &[String]) -> Head {
    let mesh = || Mesh {
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: names.iter().map(|name| Target::from_dense(name.clone(), 0.0, &[Vec3::X], &[], &[])).collect(),
        ..Mesh::default()
    };
    Head::new(Asset { name: "head".into(), meshes: vec![mesh(), mesh()], ..Asset::default() })
}

/// A take of one minute at 60 frames a second, in which every channel moves.
fn take(names: &[String]) -> Take {
    let times: Vec<f32> = (0..3600).map(|frame| frame as f32 / 60.0).collect();
    let value = |time: f32, column: usize| 0.5 + 0.5 * (time * (1.0 + column as f32 * 0.1)).sin();
    let values = times.iter().flat_map(|&time| (0..names.len()).map(move |column| value(time, column))).collect();
    let column = |(element, name): (usize, &String)| TakeColumn { name: name.clone(), track: 0, element };
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: names.iter().enumerate().map(column).collect(),
        body: None,
        duration_secs: 3599.0 / 60.0,
        tracks: vec![Curve::new(Interpolation::Linear, times, values, names.len()).expect("a curve")],
        notes: Vec::new(),
    }
}

/// A session with a take on all channels, keys on twelve, two poses, blinks and gaze.
fn session() -> Session {
    let names = names();
    assert_eq!(names.len(), 60);
    let mut session = Session::new(Arc::new(head(&names)), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.takes_mut().add(vec![take(&names)]);
    for name in &names[..12] {
        for second in 0..20 {
            session.keys_mut().edit(|keys| keys.set(name, Key::new(second as f32 * 3.0, (second % 2) as f32)));
        }
    }
    session.edits.blink.enabled = true;
    session.edits.gaze.enabled = true;
    let poses: Vec<_> = session.edits.poses.iter().skip(1).take(2).map(|pose| pose.id).collect();
    assert_eq!(poses.len(), 2);
    poses.into_iter().for_each(|pose| session.poses_mut().set_amount(pose, 0.4));
    session.commit();
    session
}

/// Reads the values that panels and picture read in one frame.
fn read(session: &Session) -> f32 {
    let (sliders, readout, picture) = (session.mix(), session.weights(), session.weights());
    black_box((session.can_undo(), session.can_redo()));
    sliders.weights[0] + readout[1] + picture[2]
}

/// Evaluates the mix at one time.
#[divan::bench]
fn mix(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        session.mix().weights[0]
    });
}

/// A frame while the take plays.
#[divan::bench]
fn frame_of_playback(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        let read = read(&session);
        session.commit();
        read
    });
}

/// A frame while a slider is dragged and the take plays.
#[divan::bench]
fn frame_of_a_drag(bencher: Bencher) {
    let mut session = session();
    session.channel_mut(7).take_over();
    let mut value = 0.0;
    bencher.bench_local(|| {
        session.advance(1.0 / 60.0);
        value = (value + 0.001) % 1.0;
        session.channel_mut(7).set(value);
        read(&session)
    });
}

/// A frame while a slider is dragged and nothing else moves, on a head that has 54 channels, and on one that has 1,000.
#[divan::bench(args = ["bundled head", "1,000 channels"])]
fn frame_of_a_drag_alone(bencher: Bencher, name: &str) {
    let head = match name {
        "bundled head" => smirk_files::import::embedded().expect("the head inside the program"),
        _ => head(&(0..1000).map(|channel| format!("shape{channel}")).collect::<Vec<_>>()),
    };
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let mut value = 0.0;
    bencher.bench_local(|| {
        value = (value + 0.001) % 1.0;
        session.channel_mut(7).set(value);
        read(&session)
    });
}

/// A frame in which nothing moves, as while the pointer is over a panel.
#[divan::bench]
fn frame_at_rest(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| {
        let read = read(&session);
        session.commit();
        read
    });
}
