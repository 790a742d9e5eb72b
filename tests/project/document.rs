//! The desk: what counts as unsaved, and that no work is lost whatever comes in its place.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use smirk::document::Document;
use smirk::document::RecoveryFolder;
use smirk::document::{PendingProject, TakeFiles};
use smirk::import::{Matching, ShapeFile};

use crate::*;

struct Room {
    folder: tempfile::TempDir,
    session: Session,
    document: Document,
    now: Instant,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let session = session(head(&FACE), Source::Embedded);
        let document = Document::new(&session, Some(RecoveryFolder::open(folder.path().join("recovery")).0));
        Self { folder, session, document, now: Instant::now() }
    }

    /// Lets time pass, as the window does, and the disk do what it can. What the artist is told.
    fn wait(&mut self, secs: f32) -> Vec<String> {
        let first = self.document.follow(&self.session, self.now);
        self.now += Duration::from_secs_f32(secs);
        let mut told: Vec<String> = first.into_iter().chain(self.document.follow(&self.session, self.now)).collect();
        // Once it is done, nothing asks for it soon.
        while self.document.alarm(self.now) == Some(Duration::from_millis(200)) {
            std::thread::sleep(Duration::from_millis(1));
            told.extend(self.document.follow(&self.session, self.now));
        }
        told
    }

    fn recovery(&self) -> PathBuf {
        self.folder.path().join("recovery")
    }

    /// What another program would find if this one were killed now.
    fn written(&self) -> String {
        let entries = std::fs::read_dir(self.recovery()).unwrap().map(|entry| entry.unwrap().path());
        let texts = entries.filter(|path| path.extension().unwrap() == "json");
        texts.map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    /// Opens another head, which may lack nothing.
    fn replace_head(&mut self, name: &str) {
        self.document.open_head(&mut self.session, head(&FACE), Source::File(name.into())).unwrap();
    }

    fn offers(&self) -> usize {
        self.document.news(&self.session).unsaved_work.map_or(0, |work| work.more + 1)
    }

    fn smile(&mut self, weight: f32) {
        let smile = self.session.head.channel_named("mouthSmileLeft").unwrap();
        self.session.set_channel(smile, weight);
    }

    /// Files of work in the recovery folder.
    fn kept(&self) -> usize {
        let Ok(entries) = std::fs::read_dir(self.recovery()) else { return 0 };
        entries.filter(|entry| entry.as_ref().unwrap().path().extension().unwrap() == "json").count()
    }

    fn open(&mut self, draft: &PendingProject) -> usize {
        let mut next = session(head(&FACE), draft.project.head.source());
        let notes = self.document.open(draft, &self.session, &mut next, &TakeFiles::default()).unwrap();
        self.session = next;
        notes.len()
    }
}

fn assert_quiet(told: Vec<String>) {
    assert_eq!(told, Vec::<String>::new());
}

#[test]
fn only_edits_count_and_only_until_they_are_taken_back_or_saved() {
    let mut room = Room::new();
    room.session.camera.orbit(glam::vec2(1.0, 0.0));
    room.session.playback.looping = false;
    assert_quiet(room.wait(3.0));
    assert!(!room.document.is_unsaved(&room.session) && room.document.alarm(room.now).is_none());
    assert_eq!(room.document.title(&room.session), "ada — Smirk");
    room.smile(0.5);
    assert_eq!(room.document.title(&room.session), "• ada — Smirk");
    room.session.undo();
    assert!(!room.document.is_unsaved(&room.session));
    room.smile(0.5);
    let file = room.folder.path().join("walk.smirk");
    room.document.save(&room.session, &file).unwrap();
    assert_eq!(room.document.title(&room.session), "walk — Smirk");
    assert!(room.document.save(&room.session, &room.folder.path().join("no/such.smirk")).is_err());
    assert_eq!(room.document.file(), Some(file.as_path()), "a save that fails changes nothing");
}

#[test]
fn work_is_kept_two_seconds_after_the_last_edit_and_let_go_once_it_is_saved() {
    let mut room = Room::new();
    room.smile(0.5);
    assert_quiet(room.wait(1.0));
    assert_eq!(room.kept(), 0);
    let alarm = room.document.alarm(room.now).unwrap();
    assert!(alarm <= Duration::from_secs(1) && alarm > Duration::from_millis(900), "{alarm:?}");
    assert_quiet(room.wait(1.1));
    assert!(room.document.alarm(room.now).is_none(), "idle means idle");
    room.document.close(&room.session).unwrap();
    assert_eq!(room.kept(), 1);
    room.document.save(&room.session, &room.folder.path().join("walk.smirk")).unwrap();
    assert_eq!(room.kept(), 0);
    room.session.commit();
    room.smile(0.75);
    assert_quiet(room.wait(2.5));
    room.session.undo();
    assert_quiet(room.wait(0.1));
    room.document.close(&room.session).unwrap();
    assert_eq!(room.kept(), 0, "taken back: like the file again");
}

#[test]
fn a_project_that_comes_in_the_place_of_unsaved_work_lets_it_be_restored() {
    let mut room = Room::new();
    let file = room.folder.path().join("walk.smirk");
    Project::of(&full_session(room.folder.path()), &Unresolved::default()).write(&file).unwrap();
    room.smile(0.5);
    let work = room.session.edits.clone();
    let draft = PendingProject::read(&file).unwrap();
    assert_eq!(room.open(&draft), 3, "two takes and an unknown name");
    assert_eq!(room.document.title(&room.session), "walk — Smirk");
    assert_eq!((room.kept(), room.document.news(&room.session).unsaved_work.unwrap().name), (1, "ada".to_owned()));
    assert!(!room.document.is_unsaved(&room.session));

    let offered = room.document.offered().unwrap();
    room.open(&offered);
    assert_eq!(room.session.edits, work);
    assert!(room.document.is_unsaved(&room.session) && room.document.offered().is_none());
    assert_eq!((room.document.file(), room.kept()), (None, 1), "still on no disk but here");
    room.document.save(&room.session, &file).unwrap();
    assert_eq!(room.kept(), 0);
}

#[test]
fn what_is_discarded_is_gone() {
    let mut room = Room::new();
    room.smile(0.5);
    room.document.close(&room.session).unwrap();
    let left = std::mem::replace(&mut room.document, Document::new(&room.session, None));
    drop(left);
    room.document = Document::new(&room.session, Some(RecoveryFolder::open(room.recovery()).0));
    assert_eq!(room.document.news(&room.session).unsaved_work.unwrap().age, "a moment ago");
    room.document.discard_offered();
    assert_eq!((room.kept(), room.document.offered()), (0, None));
}

#[test]
fn another_head_is_work_only_where_there_was_some() {
    let mut room = Room::new();
    room.replace_head("/a.glb");
    assert!(!room.document.is_unsaved(&room.session), "opening a head is no work");
    room.session.keep_pose("Mine");
    room.replace_head("/b.glb");
    assert!(room.document.is_unsaved(&room.session), "the pose came along");
    room.document.save(&room.session, &room.folder.path().join("walk.smirk")).unwrap();
    room.replace_head("/c.glb");
    assert!(room.document.is_unsaved(&room.session), "the project has another head now");
}

#[test]
fn what_another_head_takes_away_is_offered_once() {
    let mut room = Room::new();
    room.smile(0.5);
    room.session.keep_pose("Mine");
    let work = room.session.edits.clone();
    room.replace_head("/a.glb");
    assert_eq!(room.session.mix().weights[1], 0.0, "the slider did not come along");
    assert_quiet(room.wait(2.5));
    assert_eq!((room.offers(), room.kept()), (1, 2), "the work before, and the pose that goes on");
    room.replace_head("/b.glb");
    assert_eq!(room.offers(), 1, "nothing new was lost");
    room.smile(0.25);
    room.replace_head("/b.glb");
    assert_eq!((room.offers(), room.session.edits.held[1]), (1, true), "the same file keeps its sliders");
    room.replace_head("/c.glb");
    assert_eq!(room.offers(), 2);
    room.document.discard_offered();
    room.replace_head("/d.glb");
    assert_eq!(room.offers(), 2, "what came along is nowhere else now");
    let offered = room.document.offered().unwrap();
    room.open(&offered);
    assert_eq!((room.offers(), room.session.source.clone()), (1, Source::File("/c.glb".into())));
    let offered = room.document.offered().unwrap();
    room.open(&offered);
    assert_eq!(room.session.edits, work);
}

#[test]
fn what_the_same_file_lacks_when_it_is_read_again_is_offered() {
    let mut room = Room::new();
    room.smile(0.5);
    let smiles = room.session.pair_of(1).unwrap();
    room.session.edits.linked[smiles] = true;
    let read_again = |room: &mut Room, names: &[&str]| {
        let source = room.session.source.clone();
        room.document.open_head(&mut room.session, head(names), source).unwrap();
    };
    read_again(&mut room, &FACE[..4]);
    assert_eq!(room.offers(), 0, "nothing was done to the blink that is gone");
    assert!(room.session.edits.linked[room.session.pair_of(1).unwrap()], "other pairs stay linked");
    read_again(&mut room, &FACE[..1]);
    assert_eq!(room.offers(), 1, "the smile is gone, and so is its weight");
    room.session.shapes = vec![ShapeFile { path: "/smile.obj".into(), matching: Matching::Auto }];
    read_again(&mut room, &FACE[..1]);
    assert_eq!((room.offers(), room.session.shapes.len()), (2, 0), "imported shapes are in no head file");
}

#[test]
fn what_cannot_be_set_aside_stays_in_the_window() {
    let mut room = Room::new();
    let file = room.folder.path().join("walk.smirk");
    Project::of(&full_session(room.folder.path()), &Unresolved::default()).write(&file).unwrap();
    std::fs::write(room.recovery(), "no folder").unwrap();
    room.smile(0.5);
    let before = room.session.clone();
    let error = room.document.open_head(&mut room.session, head(&FACE), Source::File("/a.glb".into())).unwrap_err();
    assert!(error.to_string().contains("on ada") && error.to_string().contains("Save the project"), "{error}");
    let mut next = session(head(&FACE), Source::Embedded);
    let draft = PendingProject::read(&file).unwrap();
    assert!(room.document.open(&draft, &before, &mut next, &TakeFiles::default()).is_err());
    assert_eq!((&room.session.edits, &room.session.source), (&before.edits, &before.source));
    assert_eq!(next.edits, session(head(&FACE), Source::Embedded).edits);
    assert_eq!((room.document.file(), room.document.is_unsaved(&room.session)), (None, true));
}

#[test]
fn a_write_that_fails_is_told_at_once_and_tried_again_until_it_goes_well() {
    let mut room = Room::new();
    std::fs::write(room.recovery(), "no folder").unwrap();
    room.smile(0.5);
    assert_eq!(room.wait(2.5).len(), 1);
    assert_quiet(room.wait(10.5));
    std::fs::remove_file(room.recovery()).unwrap();
    assert_quiet(room.wait(10.5));
    assert_eq!(room.kept(), 1, "without another edit");
    assert!(room.document.alarm(room.now).is_none());

    // The folder goes while the file is open: the writer alone sees that.
    std::fs::remove_dir_all(room.recovery()).unwrap();
    room.smile(0.75);
    let told = room.wait(2.5);
    assert!(told.len() == 1 && told[0].contains("Save the project"), "another failure is news: {told:?}");
    std::fs::create_dir(room.recovery()).unwrap();
    room.smile(0.875);
    assert_quiet(room.wait(2.5));
    assert!(room.written().contains("0.875"), "the newest work is written, not the one that failed");
}

#[test]
fn how_unsaved_work_is_looked_at_is_kept_with_it() {
    let mut room = Room::new();
    room.smile(0.5);
    assert_quiet(room.wait(2.5));
    room.session.select_clip(Some(1));
    room.session.playback.speed = 0.375;
    room.session.camera.distance = 3.0625;
    assert_quiet(room.wait(2.5));
    for words in ["Talk", "0.375", "3.0625"] {
        assert!(room.written().contains(words), "{words}");
    }
}

#[test]
fn a_take_whose_import_is_undone_keeps_its_map() {
    let mut room = Room::new();
    let file = saved(&full_session(room.folder.path()), room.folder.path());
    let stored = PendingProject::read(&file).unwrap();
    room.open(&stored);
    let takes = || import::open_takes(&room.folder.path().join("walk.json")).unwrap();
    let mut session = room.session.clone();
    room.document.import_takes(&mut session, takes());
    session.commit();
    assert_eq!(room.document.news(&session).lost_takes.len(), 1);
    session.undo();
    assert_eq!(room.document.news(&session).lost_takes.len(), 2);
    room.document.save(&session, &file).unwrap();
    assert_eq!(Project::read(&file).unwrap().takes, stored.project.takes);
    room.document.import_takes(&mut session, takes());
    assert_eq!(session.edits.takes[0].map, stored.project.takes[0].map);
    room.document.save(&session, &file).unwrap();
    session.remove_take(session.edits.takes[0].id);
    assert_eq!(room.document.news(&session).lost_takes.len(), 1, "what was saved and then removed is no stray");
    room.document.forget_take(0);
    assert!(room.document.is_unsaved(&session));
    room.document.save(&session, &file).unwrap();
    assert_eq!(Project::read(&file).unwrap().takes, Vec::new());
}

#[test]
fn a_take_imported_again_is_mapped_as_it_was() {
    let mut room = Room::new();
    let file = saved(&full_session(room.folder.path()), room.folder.path());
    let draft = PendingProject::read(&file).unwrap();
    room.open(&draft);
    assert!(room.session.edits.takes.is_empty(), "nothing was read");
    room.document.import_takes(&mut room.session, import::open_takes(&room.folder.path().join("walk.json")).unwrap());
    room.document.import_takes(&mut room.session, import::open_takes(&room.folder.path().join("walk.json")).unwrap());
    let maps: Vec<_> = room.session.edits.takes.iter().map(|entry| entry.map.clone()).collect();
    assert_eq!(maps, draft.project.takes.iter().map(|record| record.map.clone()).collect::<Vec<_>>());
}
