//! The edits after the file of the head was read again.

use std::sync::Arc;

use super::{NAMES, channel, session, weight};
use glam::Vec3;
use smirk_face::head::{Asset, Axis, Bind, ChosenAxes, Clip, Expression, Head, Mesh, Target, Vertices};
use smirk_face::motion::Key;
use smirk_session::{HeadSource, MeshWeight, Session, Slider};

/// The head of the session with other targets on its face, in this order, and with meshes before and after it.
fn head(names: &[&str]) -> Arc<Head> {
    let target = |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = |name: &str, targets: &[&str]| Mesh {
        name: name.into(),
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: targets.iter().map(target).collect(),
        ..Mesh::default()
    };
    let clips = ["walk", "talk"].map(|name| Clip::new(name.into(), Vec::new())).to_vec();
    let meshes = vec![mesh("hair", &["hairUp"]), mesh("face", names), mesh("teeth", &["jawOpen"])];
    Arc::new(Head::new(Asset { name: "head".into(), meshes, clips, ..Asset::default() }))
}

/// A session with a slider, a link, marks, a key and a camera that was moved, each a step of undo.
fn edited() -> Session {
    let mut session = session();
    let of = |session: &Session, name: &str| channel(session, name);
    let (jaw, funnel) = (of(&session, "jawOpen"), of(&session, "mouthFunnel"));
    session.channel_mut(jaw).set(0.5);
    session.commit();
    let smiles = session.head.pair_of(of(&session, "mouthSmileLeft")).unwrap();
    session.edits.link_pair(&session.head, smiles, true);
    session.commit();
    session.channel_mut(funnel).toggle_mute();
    session.commit();
    session.channel_mut(funnel).set(0.75);
    session.keys_mut().edit(|keys| keys.set("mouthFunnel", Key::new(1.0, 0.25)));
    session.commit();
    session.camera.yaw = 0.7;
    session
}

#[test]
fn everything_is_kept_by_name_when_targets_and_meshes_are_others() {
    let mut session = edited();
    let camera = session.camera;
    let reversed: Vec<&str> = NAMES.iter().rev().copied().chain(["cheekPuff"]).collect();
    session.reload(head(&reversed));
    let (jaw, funnel) = (channel(&session, "jawOpen"), channel(&session, "mouthFunnel"));
    assert_eq!((weight(&session, "jawOpen"), weight(&session, "cheekPuff")), (0.5, 0.0));
    assert!(!session.head.is_mixed(jaw, &session.weights()), "the target of a new mesh moves with the others");
    assert!(session.bound().sliders.muted[funnel] && session.keys().curve("mouthFunnel").is_some());
    let smiles = session.head.pair_of(channel(&session, "mouthSmileLeft")).unwrap();
    assert!(session.bound().linked[smiles]);
    assert_eq!(session.clips().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["talk"]);
    assert_eq!((session.camera.yaw, session.camera.target_in_world), (camera.yaw, camera.target_in_world));
}

#[test]
fn undo_goes_on_over_a_reload() {
    let mut session = edited();
    session.reload(head(&["mouthFunnel", "jawOpen", "mouthSmileRight", "mouthSmileLeft", "cheekPuff"]));
    let (puff, funnel) = (channel(&session, "cheekPuff"), channel(&session, "mouthFunnel"));
    assert!(!session.can_redo());
    session.channel_mut(puff).set(0.9);
    session.commit();
    assert!(session.undo() && weight(&session, "cheekPuff") == 0.0);
    assert!(session.undo() && session.keys().curve("mouthFunnel").is_none());
    assert!(session.bound().sliders.muted[funnel]);
    assert!(session.undo() && !session.bound().sliders.muted[funnel]);
    assert!(session.undo() && session.bound().linked.iter().all(|linked| !linked));
    assert!(session.undo() && weight(&session, "jawOpen") == 0.0 && !session.undo());
    (0..5).for_each(|_| assert!(session.redo()));
    assert_eq!((weight(&session, "jawOpen"), weight(&session, "cheekPuff")), (0.5, 0.9));
}

#[test]
fn what_was_done_to_a_channel_comes_back_with_it() {
    let mut session = edited();
    session.reload(head(&["mouthSmileLeft", "eyeBlinkLeft"]));
    assert!(session.head.channel_named("mouthFunnel").is_none());
    assert_eq!(session.bound().sliders.weights.len(), session.head.target_count());
    assert_eq!(weight(&session, "jawOpen"), 0.5, "the teeth have it");
    session.commit();
    assert!(session.undo(), "a step back while the channel is gone");
    session.redo();
    session.reload(head(&NAMES));
    let funnel = channel(&session, "mouthFunnel");
    assert!(session.bound().sliders.manual[funnel] && session.bound().sliders.muted[funnel]);
    assert_eq!(session.head.channel_value(funnel, &session.bound().sliders.weights), 0.75);
    assert!(session.keys().curve("mouthFunnel").is_some());
    let smiles = session.head.pair_of(channel(&session, "mouthSmileLeft")).unwrap();
    assert!(session.bound().linked[smiles], "the pair is whole again");
    assert_eq!(session.edits.sliders.len(), 2, "nothing is kept twice");
    assert!(session.undo());
    assert_eq!(session.head.channel_value(funnel, &session.bound().sliders.weights), 0.0, "and each step has its own");
}

#[test]
fn of_two_spellings_of_a_channel_its_full_name_counts() {
    let mut session = session();
    let full_name = session.head.channels[channel(&session, "jawOpen")].full_name.clone();
    let at = |value: f32| Slider { value: Some(value), held: true, ..Slider::default() };
    for other in ["JAWOPEN", "jawopen"] {
        session.edits.sliders.insert(other.into(), at(0.25));
    }
    assert_eq!(weight(&session, "jawOpen"), 0.25);
    session.edits.sliders.insert(full_name, at(0.75));
    assert_eq!(weight(&session, "jawOpen"), 0.75);
}

#[test]
fn a_weight_of_an_absent_mesh_never_becomes_that_of_another_of_its_name() {
    let mesh = || Mesh {
        name: "eye".into(),
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: vec![Target::from_dense("blink".into(), 0.0, &[Vec3::X], &[], &[])],
        ..Mesh::default()
    };
    let eyes = |count: usize| {
        let meshes = (0..count).map(|_| mesh()).collect();
        Arc::new(Head::new(Asset { name: "eyes".into(), meshes, ..Asset::default() }))
    };
    let weights = |value: [f32; 2]| value.map(|value| MeshWeight { mesh: "eye".into(), value }).to_vec();
    for (change, left) in [
        (Box::new(|session: &mut Session| session.channel_mut(0).set(0.5)) as Box<dyn Fn(&mut Session)>, 0.5),
        (Box::new(Session::reset_all), 0.0),
        (Box::new(|session: &mut Session| session.channel_mut(0).reset()), 0.0),
    ] {
        let mut session = session();
        session.reload(eyes(2));
        let slider = Slider { targets: weights([0.25, 0.75]), held: true, ..Slider::default() };
        session.edits.sliders.insert("blink".into(), slider);
        assert_eq!(session.bound().sliders.weights, [0.25, 0.75]);
        session.reload(eyes(1));
        assert_eq!(session.bound().sliders.weights, [0.25]);
        change(&mut session);
        assert_eq!(session.bound().sliders.weights, [left]);
        session.reload(eyes(2));
        assert_eq!(session.bound().sliders.weights, [left, 0.75]);
    }
}

#[test]
fn a_mesh_that_a_slider_with_weights_of_its_own_per_mesh_does_not_name_is_at_rest() {
    let mesh = |name: &str| Mesh {
        name: name.into(),
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: vec![Target::from_dense("jawOpen".into(), 0.0, &[Vec3::X], &[], &[])],
        ..Mesh::default()
    };
    let head = |names: &[&str]| {
        let meshes = names.iter().map(|name| mesh(name)).collect();
        Arc::new(Head::new(Asset { name: "head".into(), meshes, ..Asset::default() }))
    };
    let mut session = session();
    session.reload(head(&["face", "teeth"]));
    session.channel_mut(0).set_target(0, 0.5);
    session.channel_mut(0).set_target(1, 0.25);
    session.reload(head(&["face", "teeth", "tongue"]));
    assert_eq!(session.bound().sliders.weights, [0.5, 0.25, 0.0]);
    session.channel_mut(0).set_target(1, 0.5);
    session.channel_mut(0).set_target(2, 0.5);
    session.reload(head(&["face", "teeth", "tongue", "beard"]));
    assert_eq!(session.bound().sliders.weights, [0.5; 4], "all have one weight");
}

#[test]
fn a_target_and_an_expression_of_one_name_have_a_slider_each() {
    let target = |name: &str| Target::from_dense(name.into(), 0.0, &[Vec3::X], &[], &[]);
    let mesh = Mesh {
        vertices: Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() },
        targets: ["aa", "happy"].map(target).into(),
        ..Mesh::default()
    };
    let binds = vec![Bind { target: 1, weight: 1.0 }];
    let expressions = vec![Expression { name: "aa".into(), binds, ..Expression::default() }];
    let mut session = session();
    session.reload(Arc::new(Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() })));
    session.channel_mut(0).set(0.25);
    assert_eq!(session.bound().sliders.weights, [0.25, 0.0, 0.0]);
    session.channel_mut(2).set(0.5);
    assert_eq!(session.bound().sliders.weights, [0.25, 0.0, 0.5]);
}

#[test]
fn chosen_axes_are_an_edit_that_no_other_head_gets() {
    let mut session = edited();
    session.edits.axes = ChosenAxes { up: Some(Axis::PlusZ), front: None };
    session.commit();
    session.reload(head(&NAMES));
    assert_eq!(session.edits.axes.up, Some(Axis::PlusZ), "the same head read again");
    assert_eq!(weight(&session, "jawOpen"), 0.5);
    let saved = serde_json::to_value(&*session.edits).unwrap();
    assert_eq!(saved["axes"], serde_json::json!({"up": "+z"}));
    let mut parallel = (*session.edits).clone();
    parallel.axes.front = Some(Axis::MinusZ);
    assert_eq!(parallel.within_reason().axes, session.edits.axes, "a file may say anything");
    session.undo();
    assert_eq!(session.edits.axes, ChosenAxes::default());
    assert!(serde_json::to_value(&*session.edits).unwrap().get("axes").is_none());
    session.redo();
    session.replace_head(head(&NAMES), HeadSource::File("other.glb".into()));
    assert_eq!(session.edits.axes, ChosenAxes::default());
}
