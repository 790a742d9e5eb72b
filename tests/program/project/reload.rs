//! A document whose head was read again because its file has changed.

use std::time::Instant;

use super::{FACE, head, session};
use smirk_editor::document::{Document, Project};
use smirk_session::HeadSource;

fn document() -> Document {
    let mut session = session(head(&FACE), HeadSource::File("/heads/ada.glb".into()));
    session.channel_mut(2).set(0.5);
    session.commit();
    Document::new(session, None)
}

#[test]
fn a_reload_is_no_unsaved_work_and_hides_none() {
    let mut document = document();
    let again = head(&["eyeBlinkLeft", "mouthSmileRight", "cheekPuff"]);
    document.reload_head(again.clone());
    document.update(Instant::now());
    assert!(!document.is_unsaved() && document.title() == "ada — Smirk");
    let smile = again.channel_named("mouthSmileRight").unwrap();
    document.session.channel_mut(smile).set(0.75);
    document.session.keys_mut().key(smile);
    document.session.commit();
    assert!(document.is_unsaved());
    document.reload_head(head(&FACE));
    document.update(Instant::now());
    assert!(document.is_unsaved(), "the edit is still one");
    assert!(document.session.undo());
    assert!(!document.is_unsaved(), "and undo leads to what was saved");
}

#[test]
fn sliders_of_channels_that_are_gone_are_saved_and_come_back() {
    let mut document = document();
    document.reload_head(head(&["eyeBlinkLeft"]));
    let project = Project::from_session(&document.session);
    assert_eq!(project.edits.sliders["mouthSmileRight"].value, Some(0.5));
    let mut opened = session(head(&FACE), HeadSource::File("/heads/ada.glb".into()));
    let takes = project.read_takes(&opened.head);
    project.apply(&mut opened, &takes);
    assert_eq!(opened.bound().sliders.weights, document_weights());
}

/// The sliders of the document as it was.
fn document_weights() -> Vec<f32> {
    document().session.bound().sliders.weights.clone()
}
