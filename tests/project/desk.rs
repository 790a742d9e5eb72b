//! The desk: what counts as unsaved, and that no work is lost whatever comes in its place.

use std::time::{Duration, Instant};

use smirk::desk::Desk;
use smirk::project::{Draft, TakeFiles};
use smirk::recovery::Recovery;

use crate::*;

struct Room {
    folder: tempfile::TempDir,
    session: Session,
    desk: Desk,
    now: Instant,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let session = session(head(&FACE), Source::Embedded);
        let desk = Desk::new(&session, Some(Recovery::open(folder.path().join("recovery")).0));
        Self { folder, session, desk, now: Instant::now() }
    }

    /// Lets time pass, as the window does.
    fn wait(&mut self, secs: f32) {
        assert_eq!(self.desk.follow(&self.session, self.now), None);
        self.now += Duration::from_secs_f32(secs);
        assert_eq!(self.desk.follow(&self.session, self.now), None);
    }

    fn smile(&mut self, weight: f32) {
        let smile = self.session.head.channel_named("mouthSmileLeft").unwrap();
        self.session.set_channel(smile, weight);
    }

    /// Files of work in the recovery folder.
    fn kept(&self) -> usize {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("recovery")) else { return 0 };
        entries.filter(|entry| entry.as_ref().unwrap().path().extension().unwrap() == "json").count()
    }

    fn open(&mut self, draft: &Draft) -> usize {
        let mut next = session(head(&FACE), draft.project.head.source());
        let notes = self.desk.open(draft, &self.session, &mut next, &TakeFiles::default());
        self.session = next;
        notes.len()
    }
}

#[test]
fn only_edits_count_and_only_until_they_are_taken_back_or_saved() {
    let mut room = Room::new();
    room.session.camera.orbit(glam::vec2(1.0, 0.0));
    room.session.playback.looping = false;
    room.wait(3.0);
    assert!(!room.desk.is_unsaved(&room.session) && room.desk.alarm(room.now).is_none());
    assert_eq!(room.desk.title(&room.session), "ada — Smirk");
    room.smile(0.5);
    assert_eq!(room.desk.title(&room.session), "• ada — Smirk");
    room.session.undo();
    assert!(!room.desk.is_unsaved(&room.session));
    room.smile(0.5);
    let file = room.folder.path().join("walk.smirk");
    room.desk.save(&room.session, &file).unwrap();
    assert_eq!(room.desk.title(&room.session), "walk — Smirk");
    assert!(room.desk.save(&room.session, &room.folder.path().join("no/such.smirk")).is_err());
    assert_eq!(room.desk.file(), Some(file.as_path()), "a save that fails changes nothing");
}

#[test]
fn work_is_kept_two_seconds_after_the_last_edit_and_let_go_once_it_is_saved() {
    let mut room = Room::new();
    room.smile(0.5);
    room.wait(1.0);
    assert_eq!(room.kept(), 0);
    let alarm = room.desk.alarm(room.now).unwrap();
    assert!(alarm <= Duration::from_secs(1) && alarm > Duration::from_millis(900), "{alarm:?}");
    room.wait(1.1);
    assert!(room.desk.alarm(room.now).is_none(), "idle means idle");
    room.desk.close(&room.session).unwrap();
    assert_eq!(room.kept(), 1);
    room.desk.save(&room.session, &room.folder.path().join("walk.smirk")).unwrap();
    assert_eq!(room.kept(), 0);
    room.session.commit();
    room.smile(0.75);
    room.wait(2.5);
    room.session.undo();
    room.wait(0.1);
    room.desk.close(&room.session).unwrap();
    assert_eq!(room.kept(), 0, "taken back: like the file again");
}

#[test]
fn a_project_that_comes_in_the_place_of_unsaved_work_lets_it_be_restored() {
    let mut room = Room::new();
    let file = room.folder.path().join("walk.smirk");
    Project::of(&full_session(room.folder.path()), &Strays::default()).write(&file).unwrap();
    room.smile(0.5);
    let work = room.session.edits.clone();
    let draft = Draft::read(&file).unwrap();
    assert_eq!(room.open(&draft), 3, "two takes and an unknown name");
    assert_eq!(room.desk.title(&room.session), "walk — Smirk");
    assert_eq!((room.kept(), room.desk.news(&room.session).unsaved_work.unwrap().name), (1, "ada".to_owned()));
    assert!(!room.desk.is_unsaved(&room.session));

    let offered = room.desk.offered().unwrap();
    room.open(&offered);
    assert_eq!(room.session.edits, work);
    assert!(room.desk.is_unsaved(&room.session) && room.desk.offered().is_none());
    assert_eq!((room.desk.file(), room.kept()), (None, 1), "still on no disk but here");
    room.desk.save(&room.session, &file).unwrap();
    assert_eq!(room.kept(), 0);
}

#[test]
fn what_is_discarded_is_gone() {
    let mut room = Room::new();
    room.smile(0.5);
    room.desk.close(&room.session).unwrap();
    let left = std::mem::replace(&mut room.desk, Desk::new(&room.session, None));
    drop(left);
    room.desk = Desk::new(&room.session, Some(Recovery::open(room.folder.path().join("recovery")).0));
    assert_eq!(room.desk.news(&room.session).unsaved_work.unwrap().age, "a moment ago");
    room.desk.discard_offered();
    assert_eq!((room.kept(), room.desk.offered()), (0, None));
}

#[test]
fn another_head_is_work_only_where_there_was_some() {
    let mut room = Room::new();
    let replace = |room: &mut Room, name: &str| {
        let was_unsaved = room.desk.is_unsaved(&room.session);
        room.session.replace_head(head(&FACE), Source::File(name.into()));
        room.desk.head_changed(&room.session, was_unsaved);
    };
    replace(&mut room, "/a.glb");
    assert!(!room.desk.is_unsaved(&room.session), "opening a head is no work");
    room.session.keep_pose("Mine");
    replace(&mut room, "/b.glb");
    assert!(room.desk.is_unsaved(&room.session), "the pose came along");
    room.desk.save(&room.session, &room.folder.path().join("walk.smirk")).unwrap();
    replace(&mut room, "/c.glb");
    assert!(room.desk.is_unsaved(&room.session), "the project has another head now");
}

#[test]
fn a_take_imported_again_is_mapped_as_it_was() {
    let mut room = Room::new();
    let file = saved(&full_session(room.folder.path()), room.folder.path());
    let draft = Draft::read(&file).unwrap();
    room.open(&draft);
    assert!(room.session.edits.takes.is_empty(), "nothing was read");
    room.desk.import_takes(&mut room.session, import::open_takes(&room.folder.path().join("walk.json")).unwrap());
    room.desk.import_takes(&mut room.session, import::open_takes(&room.folder.path().join("walk.json")).unwrap());
    let maps: Vec<_> = room.session.edits.takes.iter().map(|entry| entry.map.clone()).collect();
    assert_eq!(maps, draft.project.takes.iter().map(|record| record.map.clone()).collect::<Vec<_>>());
}
