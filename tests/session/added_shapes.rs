//! The edits after shapes were added to the head.

use std::sync::Arc;

use super::{NAMES, channel, session, weight};
use glam::Vec3;
use smirk_face::head::{ARKIT_NAMES, Asset, Head, Matching, Mesh, ShapeFile, Target, Vertices};
use smirk_session::HeadSource;

#[test]
fn a_session_with_added_shapes_keeps_the_edits_and_every_undo_step() {
    let mut session = session();
    let (funnel, blink) = (channel(&session, "mouthFunnel"), channel(&session, "eyeBlinkLeft"));
    session.channel_mut(funnel).set(0.5);
    session.commit();
    session.channel_mut(blink).toggle_mute();
    session.commit();
    let shape = |name: &str| Target::from_dense(name.into(), 0.0, &[Vec3::Y], &[], &[]);
    let grown = session.head.with_targets(vec![(0, shape("tongueOut")), (0, shape("mouthFunnel"))], Vec::new());
    let file = ShapeFile::new("tongueOut.obj".into(), Matching::Auto);
    session.add_shapes(Arc::new(grown), vec![file.clone()]);

    assert_eq!((session.head.channels.len(), session.shapes()), (NAMES.len() + 1, &[file][..]));
    assert_eq!((weight(&session, "mouthFunnel"), weight(&session, "tongueOut")), (0.5, 0.0));
    assert!(session.bound().sliders.muted[blink]);
    let tongue = channel(&session, "tongueOut");
    session.channel_mut(tongue).set(0.75);
    session.commit();
    assert_eq!(weight(&session, "tongueOut"), 0.75);
    assert!(session.undo() && weight(&session, "tongueOut") == 0.0 && session.bound().sliders.muted[blink]);
    assert!(!session.needs_shapes() && session.undo() && session.needs_shapes() && session.edits.shapes.is_empty());
    assert!(session.redo() && !session.needs_shapes() && session.undo());
    assert!(
        session.undo()
            && !session.bound().sliders.muted[blink]
            && session.bound().sliders.soloed.len() == NAMES.len() + 1
    );
    assert!(session.undo() && weight(&session, "mouthFunnel") == 0.0 && !session.undo());
    assert!(session.redo() && weight(&session, "mouthFunnel") == 0.5);
}

#[test]
fn undo_of_added_shapes_asks_for_the_head_without_them_and_may_be_given_up() {
    let mut session = session();
    let before = session.head.clone();
    let shape = Target::from_dense("tongueOut".into(), 0.0, &[Vec3::Y], &[], &[]);
    let file = ShapeFile::new("tongueOut.obj".into(), Matching::Auto);
    session.add_shapes(Arc::new(before.with_targets(vec![(0, shape)], Vec::new())), vec![file.clone()]);
    session.undo();
    assert!(session.needs_shapes());
    session.keep_shapes();
    assert!(!session.needs_shapes() && session.edits.shapes == [file]);
    session.commit();
    assert!(session.undo() && session.needs_shapes());
    session.show_with_shapes(before, Vec::new());
    assert!(!session.needs_shapes() && session.head.channel_named("tongueOut").is_none());
    // Shapes of a head that was just opened are no step.
    session.set_shapes(vec![ShapeFile::new("smile.obj".into(), Matching::Auto)]);
    assert!(!session.needs_shapes() && session.undo() && !session.needs_shapes() && session.shapes().len() == 1);
}

#[test]
fn starter_poses_come_and_go_with_the_shapes_that_they_need() {
    let mut session = session();
    let (bare, full) = (head(&[]), head(&ARKIT_NAMES));
    session.replace_head(bare.clone(), HeadSource::Embedded);
    let count = session.edits.poses.len();
    let file = ShapeFile::new("shapes.glb".into(), Matching::Face);
    session.add_shapes(full.clone(), vec![file.clone()]);
    let with_shapes = session.edits.poses.len();
    assert!(with_shapes > count + 7 && !session.edits.pose_keys.is_empty());
    let smile = session.edits.poses.iter().find(|pose| pose.name == "Smile").unwrap().id;
    session.poses_mut().rename(smile, "My smile");
    session.commit();
    assert!(session.undo() && session.undo() && session.needs_shapes());
    session.show_with_shapes(bare.clone(), Vec::new());
    assert_eq!((session.edits.poses.len(), session.edits.pose_keys.len()), (count, 0), "nothing shows them");
    assert!(session.redo() && session.redo() && session.needs_shapes());
    session.show_with_shapes(full, vec![file]);
    assert_eq!(session.edits.poses.len(), with_shapes);
    assert_eq!(session.edits.pose(smile).unwrap().name, "My smile", "an artist's pose is kept without its shapes");
}

#[test]
fn a_channel_that_the_head_with_added_shapes_lacks_leaves_the_others_alone() {
    let mut session = session();
    session.replace_head(head(&["mouthFunnel", "jawOpen"]), HeadSource::Embedded);
    session.channel_mut(1).toggle_mute();
    session.commit();
    session.glide(2.0, |session| session.channels_mut([1]).set(1.0));
    session.add_shapes(head(&["mouthFunnel", "jawDrop"]), Vec::new());
    let bound = session.bound();
    assert_eq!((&bound.sliders.muted[..], &bound.sliders.manual[..]), (&[false; 2][..], &[false; 2][..]));
    session.undo();
    assert_eq!(session.bound().sliders.muted, [false; 2]);
}

/// A head of one vertex, which each shape moves.
fn head(names: &[&str]) -> Arc<Head> {
    let target = |name: &&str| Target::from_dense((*name).into(), 0.0, &[Vec3::X], &[], &[]);
    let vertices = Vertices { positions: vec![Vec3::ZERO], normals: vec![Vec3::Z], ..Vertices::default() };
    let mesh = Mesh { vertices, targets: names.iter().map(target).collect(), ..Mesh::default() };
    Arc::new(Head::new(Asset { name: "head".into(), meshes: vec![mesh], ..Asset::default() }))
}
