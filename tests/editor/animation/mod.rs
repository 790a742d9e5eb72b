//! Exported animations, read back by Smirk's own importer and by other libraries.
#![allow(clippy::unwrap_used, reason = "a test")]

mod fbx;
mod gltf;
mod node_motion;
mod performance;
mod refusals;
mod round_trip;
mod timecode;
mod usd;
mod vrma;

use std::cell::Cell;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use smirk_base::progress::Progress;
use smirk_base::random;
use smirk_export::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationReport, AnimationSettings, FrameSpan, LostMotion,
    OutputPath, Performance,
};
use smirk_face::head::{Asset, Curve, Head, Interpolation};
use smirk_face::motion::{BlendRule, FrameRate, Key, Take, TakeColumn};
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

/// The largest error of a weight that is read back.
const EXACT: f32 = 1e-6;
/// The largest error of a time that is read back.
const SAME_SECS: f32 = 1e-4;

fn session(head: Arc<Head>) -> Session {
    let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    session
}

/// The bundled head. All clips of one file have one head.
fn bundled() -> Arc<Head> {
    static HEAD: LazyLock<Arc<Head>> = LazyLock::new(|| Arc::new(import::embedded().unwrap()));
    HEAD.clone()
}

/// A session in which keys, a pose, blinks, gaze, a slider, a mute and the dividing blend rule work together. The same seed gives
/// the same one.
fn performing(head: Arc<Head>, seed: u32) -> Session {
    let mut session = session(head.clone());
    let unit = |index: u64| random::unit(seed, index);
    for (index, channel) in head.channels.iter().enumerate() {
        let at = index as u64 * 100;
        for key in 0..(unit(at) * 7.0) as u64 {
            let [time, value] = [1, 2].map(|number| unit(at + key * 3 + number));
            session.keys_mut().edit(|keys| keys.set(&channel.full_name, Key::new(time * 3.0, value * 1.2 - 0.1)));
        }
    }
    session.edits.blink.enabled = seed.is_multiple_of(2);
    session.edits.gaze.enabled = seed.is_multiple_of(3);
    session.edits.rule = if seed % 4 < 2 { BlendRule::Additive } else { BlendRule::Normalised };
    let last = head.channels.len() - 1;
    if seed.is_multiple_of(5) {
        session.channel_mut(last).toggle_mute();
    }
    session.channels_mut([last / 2]).set(0.3);
    session
}

/// The frames of the first three seconds, in which [`performing`] moves.
fn three_seconds(fps: f64) -> FrameSpan {
    let rate = rate(fps);
    FrameSpan::new(rate, 0, rate.frame_at(3.0).round() as i64).unwrap()
}

/// What `session` plays, written as a file.
fn export(session: &Session, span: FrameSpan, settings: AnimationSettings, path: &Path) -> AnimationReport {
    export_clips(vec![AnimationClip::of_session(session, span)], settings, path)
}

fn export_clips(clips: Vec<AnimationClip>, settings: AnimationSettings, path: &Path) -> AnimationReport {
    let export = AnimationExport::new(clips, settings, OutputPath::new(path)).unwrap();
    let plan = export.plan();
    let fraction = Cell::new(0.0);
    let grows = |_: &str, part: f32| {
        assert!((fraction.get()..=1.0).contains(&part), "{part} after {}", fraction.get());
        fraction.set(part);
        Ok(())
    };
    let report = export.run(Progress::new(&grows)).unwrap();
    assert_eq!((plan.frames, plan.files), (report.frames, 1));
    assert!(fraction.get() >= 0.8);
    assert_eq!(report.bytes as u64, std::fs::metadata(path).unwrap().len());
    report
}

fn performance(session: &Session, span: FrameSpan) -> Performance {
    Performance::evaluate(session, span, Progress::NONE).unwrap()
}

/// What a head plays when it is opened with a take, at the rate and with the number of frames of `span`, from 0 on.
fn played(head: Arc<Head>, take: Take, span: FrameSpan) -> Performance {
    let mut session = session(head);
    session.takes_mut().add(vec![take]);
    performance(&session, FrameSpan::new(span.rate, 0, span.last - span.first).unwrap())
}

/// A file extension for a format.
fn file_name(format: AnimationFormat) -> String {
    format!("{}.{}", format.keyword(), format.file_kind().extension())
}

/// A take of one column, with a timecode.
fn take(start_timecode: Option<&str>, frames_per_sec: f32, duration_secs: f32) -> Take {
    Take {
        name: "take".into(),
        source: None,
        frames_per_sec: Some(frames_per_sec),
        start_timecode: start_timecode.map(str::to_owned),
        columns: vec![TakeColumn { name: "jawOpen".into(), track: 0, element: 0 }],
        tracks: vec![Curve::new(Interpolation::Linear, vec![0.0, duration_secs], vec![0.0, 1.0], 1).unwrap()],
        body: None,
        duration_secs,
        notes: Vec::new(),
    }
}

/// Two meshes, of which the second has some of the targets of the first in another order.
fn two_meshes() -> Head {
    use glam::{Mat4, Quat, Vec3};
    use smirk_face::head::{Mesh, Part, Target, Vertices};
    let mesh = |name: &str, names: &[&str], world_from_mesh: Mat4| {
        let target = |(at, name): (usize, &&str)| {
            let deltas = [Vec3::X * (at + 1) as f32 * 0.1, Vec3::ZERO, Vec3::Y * 0.2];
            Target::from_dense((*name).to_owned(), if at == 1 { 0.25 } else { 0.0 }, &deltas, &[Vec3::X * 0.1; 3], &[])
        };
        Mesh {
            name: name.into(),
            world_from_mesh,
            vertices: Vertices {
                positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
                normals: vec![Vec3::Z; 3],
                ..Vertices::default()
            },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets: names.iter().enumerate().map(target).collect(),
            ..Mesh::default()
        }
    };
    let place = Mat4::from_rotation_translation(Quat::from_rotation_y(0.5), Vec3::new(0.1, 1.5, -0.2));
    let face = mesh("face \"one\"", &["jawOpen", "smile, left", "tongueOut"], Mat4::IDENTITY);
    let teeth = mesh("teeth", &["tongueOut", "jawOpen"], place);
    Head::new(Asset { name: "two meshes".into(), meshes: vec![face, teeth], ..Asset::default() })
}

fn rate(frames_per_sec: f64) -> FrameRate {
    FrameRate::nearest(frames_per_sec)
}
