//! Another version of the head that is compared with it.

use smirk_analysis::measure::MeasuredHead;
use smirk_face::head::{CombinationMethod, Corrective, Drive, Driver, Version};
use smirk_files::import::version_of;
use smirk_scene::{Compared, Heat, HeatAgainst, ViewMode};
use smirk_session::ComparedWith;

use super::*;

/// A head whose targets each move one of four corners up by so much.
fn face(targets: &[(&str, usize, f32)]) -> Arc<Head> {
    face_with(targets, Vec::new())
}

fn face_with(targets: &[(&str, usize, f32)], correctives: Vec<Corrective>) -> Arc<Head> {
    let corners = [Vec3::ZERO, Vec3::X * 140.0, Vec3::new(140.0, 140.0, 0.0), Vec3::Y * 140.0];
    let target = |&(name, corner, up): &(&str, usize, f32)| {
        let mut deltas = [Vec3::ZERO; 4];
        deltas[corner] = Vec3::Y * up;
        Target::from_dense(name.into(), 0.0, &deltas, &[], &[])
    };
    let mesh = Mesh {
        name: "face".into(),
        vertices: Vertices { positions: corners.into(), normals: vec![Vec3::Z; 4], ..Vertices::default() },
        indices: vec![0, 1, 2, 0, 2, 3],
        targets: targets.iter().map(target).collect(),
        ..Mesh::default()
    };
    Arc::new(Head::new(Asset {
        name: "face".into(),
        meshes: vec![mesh],
        declared_correctives: correctives,
        ..Asset::default()
    }))
}

fn combination(target: &str, method: CombinationMethod, drivers: [&str; 2]) -> Corrective {
    let driver = |name: &str| Driver { name: name.into(), full_weight: 1.0 };
    Corrective { target: target.into(), drive: Drive::Combination(method, drivers.map(driver).into()) }
}

fn in_between(target: &str, of: &str) -> Corrective {
    Corrective { target: target.into(), drive: Drive::InBetween { of: of.into(), at: 0.5 } }
}

fn old() -> Arc<Head> {
    face(&[("jawOpen", 0, -10.0), ("smile", 1, 5.0), ("pout", 2, 2.0)])
}

/// The jaw opens wider, the smile has another name, and there is a shape more.
fn new() -> Arc<Head> {
    face(&[("puff", 3, 1.0), ("mouthSmile", 1, 5.0), ("jawOpen", 0, -12.0)])
}

fn open(head: Arc<Head>) -> Session {
    Session::new(head, HeadSource::File("v12.glb".into()), Look::default(), BlendMode::Cpu)
}

fn compared() -> Session {
    let mut session = open(old());
    let version = version_of(&session.head, new());
    session.compare_with(Arc::new(version), HeadSource::File("v13.glb".into()));
    session
}

#[test]
fn the_other_version_has_the_weights_of_the_same_names_and_of_renamed_channels() {
    let mut session = compared();
    for (name, value) in [("jawOpen", 0.5), ("smile", 0.75), ("pout", 1.0)] {
        session.channel_mut(channel(&session, name)).set(value);
    }
    let face = session.b().scene([64; 2]).unwrap();
    assert_eq!((&face.weights[..], face.head.channels.len()), (&[0.0, 0.75, 0.5][..], 3));
    assert_eq!((session.b().exists(), session.b().with(|_| ())), (true, None), "B has no edits of its own");
    assert_eq!(session.b().name(|entry| entry.take.name.clone()), "v13.glb");
    let version = &session.version().unwrap().version;
    let moved: Vec<(usize, f32)> = version.moved.iter().map(|moved| (moved.channel, moved.largest_mm)).collect();
    assert!(
        moved.len() == 1 && moved[0].0 == channel(&session, "jawOpen") && (moved[0].1 - 2.0).abs() < 1e-3,
        "{moved:?}"
    );
    assert_eq!(
        (&version.changes.new[..], &version.changes.gone[..]),
        (&["puff".to_owned()][..], &["pout".to_owned()][..])
    );
}

/// The weights of the targets of B by name, at weights of channels of A.
fn weights_of_b(session: &mut Session, channels: &[(&str, f32)]) -> Vec<(String, f32)> {
    for &(name, value) in channels {
        session.channel_mut(channel(session, name)).set(value);
    }
    let face = session.b().scene([64; 2]).unwrap();
    face.head.meshes[0].targets.iter().map(|target| target.name.clone()).zip(face.weights.iter().copied()).collect()
}

fn versions(a: Arc<Head>, b: Arc<Head>) -> Session {
    let mut session = open(a);
    let version = version_of(&session.head, b);
    session.compare_with(Arc::new(version), HeadSource::File("v13.glb".into()));
    session
}

#[test]
fn correctives_of_the_other_version_alone_play_and_those_of_both_are_as_in_a() {
    const SHAPES: [(&str, usize, f32); 4] =
        [("jawOpen", 0, -10.0), ("smile", 1, 5.0), ("jawSmile", 2, 2.0), ("fix", 3, 7.0)];
    let both = ["jawOpen", "smile"];
    let a = face_with(&SHAPES[..3], vec![combination("jawSmile", CombinationMethod::Lowest, both)]);
    let of_b = vec![
        combination("jawSmile", CombinationMethod::Product, both),
        combination("fix", CombinationMethod::Product, both),
    ];
    let mut session = versions(a, face_with(&SHAPES, of_b));
    let weights = weights_of_b(&mut session, &[("jawOpen", 0.5), ("smile", 0.75)]);
    let expected = |fix: f32, jaw_smile: f32| {
        [("jawOpen", 0.5), ("smile", 0.75), ("jawSmile", jaw_smile), ("fix", fix)]
            .map(|(name, at)| (name.to_owned(), at))
    };
    assert_eq!(weights, expected(0.375, 0.5));
    // The shape that B alone has is the difference that is measured.
    let largest = |session: &Session| {
        let heat = Heat { against: HeatAgainst::Compared, ..Heat::default() };
        let measured = MeasuredHead::new(&session.head);
        let values =
            heat.values(&session.head, &measured, &session.weights(), session.b().compared().as_ref()).unwrap();
        values[0].iter().copied().fold(0.0, f32::max) / session.head.mm_per_unit()
    };
    assert!((largest(&session) - 0.375 * 7.0).abs() < 1e-3, "{}", largest(&session));
    session.edits.plays_correctives = false;
    assert_eq!(weights_of_b(&mut session, &[]), expected(0.0, 0.0));
    assert_eq!(largest(&session), 0.0);
}

#[test]
fn correctives_of_the_other_version_alone_follow_no_weights_that_in_betweens_have_changed() {
    let shapes = [("jawOpen", 0, -10.0), ("smile", 1, 5.0), ("smile50", 2, 2.0), ("jaw50", 3, 3.0), ("fix", 3, 7.0)];
    let a = face_with(&shapes[..3], vec![in_between("smile50", "smile")]);
    let fix = combination("fix", CombinationMethod::Product, ["jawOpen", "smile"]);
    let b = face_with(&shapes, vec![in_between("smile50", "smile"), in_between("jaw50", "jawOpen"), fix]);
    let mut session = versions(a, b);
    let weights = weights_of_b(&mut session, &[("jawOpen", 0.75), ("smile", 0.75)]);
    let expected = [("jawOpen", 0.5), ("smile", 0.5), ("smile50", 0.5), ("jaw50", 0.5), ("fix", 0.0)];
    assert_eq!(weights, expected.map(|(name, at)| (name.to_owned(), at)));
    assert_eq!(session.weights()[..2], [0.75, 0.5], "A is as it was");
}

#[test]
fn undo_does_not_touch_the_comparison_and_a_look_at_the_difference_is_undone() {
    let mut session = compared();
    session.edits.look.view = ViewMode::Heat;
    session.edits.look.heat.against = HeatAgainst::Compared;
    session.commit();
    assert!(matches!(session.b().compared(), Some(Compared::Version { .. })));
    assert_eq!(session.b().scene([64; 2]).unwrap().look.view, ViewMode::Shaded, "the difference is shown on A");
    assert!(session.undo() && session.version().is_some() && !session.look().shows_comparison());
}

#[test]
fn a_head_that_is_read_again_is_compared_again_and_another_head_ends_the_comparison() {
    let mut session = compared();
    session.reload(old());
    assert!(
        session.version().is_none() && session.b().scene([64; 2]).is_none(),
        "it is not known how they belong together"
    );
    let other = session.open_version.as_ref().unwrap().version.head.clone();
    let renewed: Version = version_of(&session.head, other);
    session.open_version.as_mut().unwrap().version = Arc::new(renewed);
    assert!(session.b().scene([64; 2]).is_some());
    session.replace_head(new(), HeadSource::File("another.glb".into()));
    assert!(session.open_version.is_none());
    assert_eq!((session.compared_with, session.b().exists()), (ComparedWith::Take, false));
}

#[test]
fn a_version_in_centimetres_is_seen_through_the_same_lens_from_the_same_side() {
    let mut session = open(old());
    let version = version_of(&session.head, Arc::new(new().rescaled(0.1)));
    session.compare_with(Arc::new(version), HeadSource::Embedded);
    let (a, b) = (session.camera, session.b().scene([64; 2]).unwrap().camera);
    assert_eq!((b.yaw, b.pitch, b.fov_y), (a.yaw, a.pitch, a.fov_y));
    assert!((b.distance * 10.0 / a.distance - 1.0).abs() < 1e-4, "{} of {}", b.distance, a.distance);
    assert!((b.target_in_world * 10.0).distance(a.target_in_world) < 1e-3 * a.distance);
}

#[test]
fn hidden_meshes_are_hidden_on_both() {
    let mut session = compared();
    session.edits.hidden_meshes.insert("face".into());
    let look = session.b().scene([64; 2]).unwrap().look;
    assert!(look.hidden.contains(0) && session.look().hidden.contains(0));
}

#[test]
fn the_heat_map_shows_the_same_channel_on_both() {
    let mut session = compared();
    for (name, other) in [("jawOpen", Some("jawOpen")), ("smile", Some("mouthSmile")), ("pout", None)] {
        let shown = channel(&session, name);
        session.edits.show_heat_of(&session.head, shown);
        assert_eq!(session.look().heat.channel, Some(shown));
        let face = session.b().scene([64; 2]).unwrap();
        assert_eq!(face.look.heat.channel.map(|channel| face.head.channels[channel].name.as_str()), other);
        let view = if other.is_some() { ViewMode::Heat } else { ViewMode::Shaded };
        assert_eq!(face.look.view, view, "what the version lacks has no heat map");
    }
}

#[test]
fn the_errors_of_a_version_are_not_taken_for_those_of_the_next() {
    let mut session = compared();
    let version = session.open_version.as_ref().unwrap().version.clone();
    let known = Arc::weak_count(&version);
    let from = session.b().errors_from();
    assert!(from.is_some() && Arc::weak_count(&version) > known, "another version may get its address");
    let next: Version = version_of(&session.head, new());
    session.open_version.as_mut().unwrap().version = Arc::new(next);
    assert_ne!(session.b().errors_from(), from);
}

#[test]
fn two_takes_are_measured_at_their_weights() {
    let mut session = session();
    session.saved_edits = Some(session.edits.snapshot());
    session.compared_with = ComparedWith::Saved;
    session.channel_mut(channel(&session, "mouthFunnel")).set(1.0);
    let Some(Compared::Weights(weights)) = session.b().compared() else { panic!("no weights") };
    assert_eq!((weights[5], session.weights()[5]), (0.0, 1.0));
}
