//! The mends in the edits: what the session shows, undo, and a head that is read again.

use std::sync::Arc;

use super::{session, weight};
use smirk_analysis::mend::{Kind, Mend, Noise, Rename, Split};
use smirk_session::{HeadSource, Session};

fn split(shape: &str) -> Mend {
    Mend::of_shapes(Kind::Split(Split::default()), [shape])
}

fn names(session: &Session) -> Vec<&str> {
    session.head.channels.iter().map(|channel| channel.name.as_str()).collect()
}

#[test]
fn mends_change_the_head_that_is_shown_and_undo_takes_them_back() {
    let mut session = session();
    let (read, count) = (session.head.clone(), session.head.channels.len());
    let funnel = session.head.channel_named("mouthFunnel").unwrap();
    session.channel_mut(funnel).set(0.5);
    session.commit();
    assert!(!session.needs_mending() && Arc::ptr_eq(session.unmended(), &read));
    session.edits.mends.push(split("jawOpen"));
    assert!(session.needs_mending() && session.mend_changes().is_none());
    session.mend();
    session.commit();
    assert!(!session.needs_mending() && Arc::ptr_eq(session.unmended(), &read));
    assert_eq!((session.head.channels.len(), weight(&session, "mouthFunnel")), (count + 1, 0.5));
    assert!(names(&session).contains(&"jawOpenLeft") && session.mend_changes().unwrap()[0].is_some());
    session.edits.mends[0].enabled = false;
    session.mend();
    assert!(Arc::ptr_eq(&session.head, &read), "what is off leaves the head as it was read");
    assert_eq!(session.mend_changes(), Some(&[None][..]));
    session.commit();
    assert!(session.undo() && session.needs_mending());
    session.mend();
    assert!(names(&session).contains(&"jawOpenRight"));
    assert!(session.undo());
    session.mend();
    assert!(Arc::ptr_eq(&session.head, &read) && session.edits.mends.is_empty() && !session.needs_mending());
}

#[test]
fn mends_of_a_list_are_added_once_and_as_far_as_there_is_room() {
    let mut session = session();
    let list = [split("jawOpen"), split("mouthFunnel")];
    assert_eq!(session.add_mends(list.clone()), [2, 0]);
    assert_eq!(session.add_mends(list), [0, 0]);
    session.commit();
    let many = (0..Mend::MOST).map(|number| split(&format!("shape {number}")));
    assert_eq!(session.add_mends(many), [Mend::MOST - 2, 2]);
    assert_eq!(session.edits.mends.len(), Mend::MOST);
    assert!(session.undo());
    assert_eq!(session.edits.mends.len(), 2);
}

fn renamed(names: &[(&str, &str)]) -> Mend {
    let names = names.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect();
    Kind::Rename(Rename { names, ..Rename::default() }).into()
}

#[test]
fn a_head_that_is_read_again_is_mended_again_and_another_head_is_not() {
    let mut session = session();
    session.source = HeadSource::File("ada.glb".into());
    session.edits.mends = vec![split("jawOpen"), Kind::Noise(Noise::default()).into()];
    session.mend();
    let again = Arc::new(smirk_face::head::Head::new(session.unmended().to_asset()));
    session.reload(again.clone());
    assert!(session.needs_mending() && Arc::ptr_eq(session.unmended(), &again));
    session.mend();
    assert!(names(&session).contains(&"jawOpenLeft") && Arc::ptr_eq(session.unmended(), &again));
    session.replace_head(again.clone(), HeadSource::File("eve.glb".into()));
    assert!(session.edits.mends.is_empty() && !session.needs_mending(), "they belong to the head");
}

#[test]
fn sliders_are_as_they_were_once_new_names_are_undone() {
    let mut session = session();
    session.clips_mut().select(None);
    let funnel = session.head.channel_named("mouthFunnel").unwrap();
    session.channel_mut(funnel).set(0.25);
    session.commit();
    session.channel_mut(funnel).set(0.5);
    session.commit();
    session.edits.mends = vec![renamed(&[("mouthFunnel", "ooh")])];
    session.commit();
    session.mend();
    assert_eq!(weight(&session, "ooh"), 0.5);
    for (undoes, value) in [(true, 0.5), (true, 0.25), (false, 0.5)] {
        assert!(if undoes { session.undo() } else { session.redo() });
        session.mend();
        assert_eq!(weight(&session, "mouthFunnel"), value);
    }
    assert!(session.redo());
    session.mend();
    assert_eq!(weight(&session, "ooh"), 0.5);
}

#[test]
fn keys_and_poses_of_a_shape_play_on_under_its_new_name() {
    let mut session = session();
    session.clips_mut().select(None);
    session.edits.transition.duration_secs = 0.0;
    let funnel = session.head.channel_named("mouthFunnel").unwrap();
    session.channel_mut(funnel).set(0.5);
    session.keys_mut().key(funnel);
    let pose = super::add(&mut session, "grin", &[("mouthSmileLeft", 0.7)]);
    session.edits.mends = vec![renamed(&[("mouthFunnel", "ooh"), ("mouthSmileLeft", "smile_L")])];
    session.mend();
    session.poses_mut().apply(pose);
    session.seek(0.0);
    assert_eq!((weight(&session, "ooh"), weight(&session, "smile_L")), (0.5, 0.7));
    session.edits.mends.clear();
    session.mend();
    assert_eq!((weight(&session, "mouthFunnel"), weight(&session, "mouthSmileLeft")), (0.5, 0.7));
}
