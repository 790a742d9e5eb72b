//! Project files: what is saved comes back, and what a head or the disk does not have is not lost.

#![allow(clippy::unwrap_used, reason = "tests")]

mod damage;
mod document;
mod files;
mod formats;
mod lacking;
mod look;
mod mutations;
mod property;
pub(crate) mod recordings;
mod reference;
mod reload;
mod round_trip;
mod saving;
mod sound;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use smirk_editor::document::{Document, PendingProject, Project, WorkPlace};
use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Part, Target, Track, Vertices};
use smirk_face::motion::{
    BlendRule, DrivenChannel, Ease, EditKind, HeadAndEyes, JointChoice, Key, Marker, PoseAmount, SequenceStep,
    SequenceWrap, TakeEdit,
};
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session, SoundTrack};

/// The channels of the synthetic head: all are on its face, the first is also on its teeth.
const FACE: [&str; 5] = ["jawOpen", "mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", "eyeBlinkRight"];

/// A head with these channels on its face, the first of them on its teeth, and two clips that animate the fourth.
fn head(names: &[&str]) -> Arc<Head> {
    let target =
        |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X * 0.01, Vec3::ZERO, Vec3::ZERO], &[], &[]);
    let mesh = |name: &str, targets: &[&str]| Mesh {
        name: name.into(),
        vertices: Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Vertices::default() },
        indices: vec![0, 1, 2],
        parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
        targets: targets.iter().map(target).collect(),
        ..Mesh::default()
    };
    let blink = vec![0.0; names.len()].into_iter().chain((0..names.len()).map(|at| f32::from(u8::from(at == 3))));
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], blink.collect(), names.len()).unwrap();
    let clips =
        ["Idle", "Talk"].map(|name| Clip::new(name.into(), vec![Track { first_target: 0, curve: curve.clone() }]));
    let meshes = vec![mesh("face", names), mesh("teeth", &names[..1])];
    Arc::new(Head::new(Asset { name: "ada".into(), meshes, clips: clips.into(), ..Asset::default() }))
}

/// The newest unsaved work that can be restored, read from its file.
fn newest_offer(document: &mut Document) -> Option<PendingProject> {
    let newest = document.works().iter().find(|work| work.place == WorkPlace::Offered)?.id;
    document.unsaved_project(newest).ok()
}

fn session(head: Arc<Head>, source: HeadSource) -> Session {
    Session::new(head, source, Look::default(), BlendMode::Cpu)
}

/// A capture with two columns; the head has a channel for the first.
fn write_capture(path: &Path) {
    let text = r#"{"exportFps":30,"facsNames":["jawOpen","noSuchThing"],"weightMat":[[0.0,0.0],[0.5,1.0],[1.0,0.0]]}"#;
    std::fs::write(path, text).unwrap();
}

/// A session in which everything that is saved was changed. Its head and its capture are in `folder`.
fn full_session(folder: &Path) -> Session {
    let capture = folder.join("walk.json");
    write_capture(&capture);
    let mut session = session(head(&FACE), HeadSource::File(folder.join("ada.glb")));
    let channel = |name: &str| session.head.channel_named(name).unwrap();
    let (jaw, smile, blink) = (channel("jawOpen"), channel("mouthSmileLeft"), channel("eyeBlinkRight"));
    session.takes_mut().add(import::open_takes(&capture).unwrap());
    session.takes_mut().add(import::open_takes(&capture).unwrap());
    let ids: Vec<_> = session.edits.takes.iter().map(|entry| entry.id).collect();
    session.takes_mut().select(Some(ids[1]));
    session.edits.compared_take = Some(ids[0]);
    session.takes_mut().edit_map(ids[1], |map, _| map.columns[0].gain = 1.75);
    let columns = Some(vec!["jawOpen".into(), "gone".into()]);
    let gain = TakeEdit { kind: EditKind::Gain(1.5), columns, ..TakeEdit::default() };
    let hold = EditKind::Hold(Some(0.25));
    let hold = TakeEdit { kind: hold, span: Some([0.02, 0.05]), enabled: false, ..TakeEdit::default() };
    session.takes_mut().change_edits(ids[1], |edits| edits.extend([gain, hold]));
    session.takes_mut().map_column(ids[1], 1, ["mouthSmileRight", "gone"].map(DrivenChannel::new).into());
    for name in ["voice.wav", "music.ogg"] {
        std::fs::write(folder.join(name), "is not decoded here").unwrap();
    }
    session.timeline_mut().set_sound(SoundTrack::new(&folder.join("voice.wav"), 4.5).at(-0.25));
    session.edits.sound = Some(SoundTrack::new(&folder.join("music.ogg"), 60.0));
    session.timeline_mut().add_markers(vec![
        Marker { time_secs: 0.02, text: "ma".into(), ..Marker::default() },
        Marker { time_secs: 0.04, text: "pa".into(), lasts_secs: 0.5 },
    ]);
    session.channel_mut(smile).set(0.8);
    let pose = session.poses_mut().store("Smirk");
    session.poses_mut().add([("Elsewhere".to_owned(), [("noseWrinkle".to_owned(), 0.3)].into())]);
    session.edits.applied_poses = vec![PoseAmount { pose, amount: 0.25 }];
    session.channel_mut(jaw).take_over();
    let teeth = session.head.channels[jaw].targets[1];
    session.channel_mut(jaw).set_target(teeth, -0.5);
    session.channel_mut(blink).toggle_mute();
    session.channel_mut(smile).toggle_solo();
    let pair = session.head.pair_of(smile).unwrap();
    session.edits.link_pair(&session.head, pair, true);
    session.edits.rule = BlendRule::Normalised;
    session.edits.plays_correctives = false;
    session.edits.transition.duration_secs = 1.5;
    session.edits.transition.ease = Ease::Out;
    let steps = [pose, session.edits.poses[1].id, pose].map(SequenceStep::new);
    session.edits.sequence.steps = steps.to_vec();
    session.edits.sequence.steps[1].hold_secs = 0.75;
    session.edits.sequence.enabled = true;
    session.edits.sequence.wrap = SequenceWrap::PingPong;
    session.edits.blink.enabled = true;
    session.edits.blink.channels = vec!["eyeBlinkLeft".into()];
    session.edits.gaze.reach = 0.4;
    session.keys_mut().edit(|keys| keys.set("eyeBlinkLeft", Key::new(1.0, 0.1)));
    session.keys_mut().edit(|keys| keys.set("goneToo", Key::new(2.0, 0.2)));
    session.edits.look.gloss = 1.7;
    session.camera.orbit(glam::vec2(0.3, 0.2));
    session.clips_mut().select_together([1, 0]);
    session.edits.head_and_eyes = HeadAndEyes {
        eyes: false,
        eye_joints: [JointChoice::None, JointChoice::Node("eye".into())],
        ..HeadAndEyes::default()
    };
    session.clock.timeline.looping = false;
    session.clock.timeline.speed = 0.5;
    session.mode = BlendMode::Multipass;
    session
}

/// Reads a project file and opens it on a head.
fn reopened(file: &Path, head: Arc<Head>) -> (Session, Vec<String>) {
    let project = Project::read(file).unwrap();
    let mut session = session(head, project.head.source());
    let takes = project.read_takes(&session.head);
    let notes = project.apply(&mut session, &takes);
    (session, notes.into_iter().map(|note| note.to_string()).collect())
}

fn saved(session: &Session, folder: &Path) -> PathBuf {
    let file = folder.join("walk.smirk");
    Project::from_session(session).write(&file).unwrap();
    file
}
