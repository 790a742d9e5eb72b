//! The document: what counts as unsaved work, and that no work is lost whatever replaces it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use smirk_editor::document::{RecoveryFolder, TakeFiles, WorkHint};
use smirk_face::head::{Matching, ShapeFile};
use smirk_session::WorkCommand;

use crate::project::*;

/// A document with a recovery folder, and a clock that the test sets forward.
pub(crate) struct Fixture {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) document: Document,
    pub(crate) now: Instant,
}

impl Fixture {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let recovery = RecoveryFolder::open(folder.path().join("recovery")).0;
        let document = Document::new(session(head(&FACE), HeadSource::Embedded), Some(recovery));
        Self { folder, document, now: Instant::now() }
    }

    /// Lets time pass as the window does, and waits until nothing is being written. Returns the messages for the artist.
    pub(crate) fn wait(&mut self, secs: f32) -> Vec<String> {
        let mut problems = vec![self.document.update(self.now)];
        self.now += Duration::from_secs_f32(secs);
        problems.push(self.document.update(self.now));
        while self.document.next_update_in(self.now) == Some(Duration::from_millis(200)) {
            std::thread::sleep(Duration::from_millis(1));
            problems.push(self.document.update(self.now));
        }
        problems.into_iter().flat_map(|problem| problem.not_kept.into_iter().chain(problem.unread)).collect()
    }

    pub(crate) fn recovery(&self) -> PathBuf {
        self.folder.path().join("recovery")
    }

    /// What another program would find if this one were killed now.
    pub(crate) fn written(&self) -> String {
        let entries = std::fs::read_dir(self.recovery()).unwrap().map(|entry| entry.unwrap().path());
        let texts = entries.filter(|path| path.extension().is_some_and(|is| is == "json"));
        texts.map(|path| std::fs::read_to_string(path).unwrap()).collect()
    }

    /// Opens another head with the same channels.
    pub(crate) fn replace_head(&mut self, name: &str) {
        self.document.open_head(head(&FACE), HeadSource::File(name.into())).unwrap();
    }

    pub(crate) fn offers(&self) -> usize {
        self.document.works().iter().filter(|work| work.place == WorkPlace::Offered).count()
    }

    /// Sets a slider and keys it, which is work.
    pub(crate) fn smile(&mut self, weight: f32) {
        self.touch(weight);
        self.document.session.keys_mut().key(1);
    }

    /// Sets a slider, which is none.
    fn touch(&mut self, weight: f32) {
        let smile = self.document.session.head.channel_named("mouthSmileLeft").unwrap();
        self.document.session.channel_mut(smile).set(weight);
    }

    /// How many files of unsaved work the recovery folder has.
    pub(crate) fn record_count(&self) -> usize {
        let Ok(entries) = std::fs::read_dir(self.recovery()) else { return 0 };
        entries.filter(|entry| entry.as_ref().unwrap().path().extension().is_some_and(|is| is == "json")).count()
    }

    pub(crate) fn open(&mut self, pending: &PendingProject) -> usize {
        let session = session(head(&FACE), pending.project.head.source());
        self.document.open_project(pending, session, &TakeFiles::default()).unwrap().len()
    }
}

fn assert_no_message(messages: Vec<String>) {
    assert_eq!(messages, Vec::<String>::new());
}

#[test]
fn only_edits_count_as_unsaved_until_they_are_undone_or_saved() {
    let mut fixture = Fixture::new();
    fixture.document.session.camera.orbit(glam::vec2(1.0, 0.0));
    fixture.document.session.clock.timeline.looping = false;
    assert_no_message(fixture.wait(3.0));
    assert!(!fixture.document.is_unsaved() && fixture.document.next_update_in(fixture.now).is_none());
    assert_eq!(fixture.document.title(), "ada — Smirk");
    fixture.smile(0.5);
    assert_eq!(fixture.document.title(), "• ada — Smirk");
    fixture.document.session.undo();
    assert!(!fixture.document.is_unsaved());
    fixture.smile(0.5);
    let file = fixture.folder.path().join("walk.smirk");
    fixture.document.save(&file).unwrap();
    assert_eq!(fixture.document.title(), "walk — Smirk");
    assert!(fixture.document.save(&fixture.folder.path().join("no/such.smirk")).is_err());
    assert_eq!(fixture.document.file(), Some(file.as_path()), "a save that fails changes nothing");
}

#[test]
fn another_head_or_project_is_counted_and_the_same_head_read_again_is_not() {
    let mut fixture = Fixture::new();
    let file = fixture.folder.path().join("walk.smirk");
    fixture.document.save(&file).unwrap();
    let mut counts = vec![fixture.document.opened()];
    for name in ["/a.glb", "/a.glb"] {
        fixture.replace_head(name);
        counts.push(fixture.document.opened());
    }
    let project = PendingProject::read(&file).unwrap();
    for _ in 0..2 {
        fixture.open(&project);
        counts.push(fixture.document.opened());
    }
    fixture.document.open_head_anew(head(&FACE), HeadSource::Embedded).unwrap();
    counts.push(fixture.document.opened());
    assert_eq!(counts, [0, 1, 1, 2, 3, 4]);
}

#[test]
fn unsaved_work_is_written_one_second_after_the_last_edit_and_deleted_once_it_is_saved() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    assert_no_message(fixture.wait(0.5));
    assert_eq!(fixture.record_count(), 0);
    let alarm = fixture.document.next_update_in(fixture.now).unwrap();
    assert!(alarm <= Duration::from_millis(500) && alarm > Duration::from_millis(400), "{alarm:?}");
    assert_no_message(fixture.wait(0.6));
    assert!(fixture.document.next_update_in(fixture.now).is_none(), "nothing is due");
    fixture.document.close().unwrap();
    assert_eq!(fixture.record_count(), 1);
    fixture.document.save(&fixture.folder.path().join("walk.smirk")).unwrap();
    assert_eq!(fixture.record_count(), 0);
    fixture.document.session.commit();
    fixture.smile(0.75);
    assert_no_message(fixture.wait(2.5));
    fixture.document.session.undo();
    assert_no_message(fixture.wait(0.1));
    fixture.document.close().unwrap();
    assert_eq!(fixture.record_count(), 0, "undone: equal to the file again");
}

#[test]
fn unsaved_work_that_a_project_replaces_can_be_restored() {
    let mut fixture = Fixture::new();
    let file = fixture.folder.path().join("walk.smirk");
    Project::from_session(&full_session(fixture.folder.path())).write(&file).unwrap();
    fixture.smile(0.5);
    let work = fixture.document.session.edits.clone();
    let pending = PendingProject::read(&file).unwrap();
    assert_eq!(fixture.open(&pending), 3, "two takes and an unknown name");
    assert_eq!(fixture.document.title(), "walk — Smirk");
    assert_eq!((fixture.record_count(), fixture.document.works()[0].summary.name.as_str()), (1, "ada"));
    let set_aside = Some(WorkHint::SetAside("ada".into()));
    assert_eq!(fixture.document.status().work_hint, set_aside, "and the artist is told");
    assert!(!fixture.document.is_unsaved());

    let offered = newest_offer(&mut fixture.document).unwrap();
    fixture.open(&offered);
    assert_eq!(fixture.document.session.edits, work);
    assert!(fixture.document.is_unsaved() && newest_offer(&mut fixture.document).is_none());
    assert_eq!((fixture.document.file(), fixture.record_count()), (None, 1), "it is still saved nowhere else");
    fixture.document.save(&fixture.folder.path().join("mine.smirk")).unwrap();
    assert_eq!(fixture.record_count(), 0);
}

/// Ends the program and starts it again: only when the first document is gone is its recovery file unlocked.
fn restart(fixture: &mut Fixture) {
    let session = fixture.document.session.clone();
    fixture.document = Document::new(session, None);
    let session = session_at_rest();
    fixture.document = Document::new(session, Some(RecoveryFolder::open(fixture.recovery()).0));
}

fn session_at_rest() -> Session {
    session(head(&FACE), HeadSource::Embedded)
}

#[test]
fn discarded_work_is_in_the_trash_until_it_is_deleted_there() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    fixture.document.close().unwrap();
    restart(&mut fixture);
    assert_eq!(fixture.document.status().work_hint, Some(WorkHint::Earlier));
    let newest = fixture.document.works()[0].clone();
    assert_eq!(
        (newest.summary.name.as_str(), newest.summary.head.as_str(), newest.summary.project_file),
        ("ada", "ada", None)
    );
    fixture.document.change_works(WorkCommand::Trash(newest.id)).unwrap();
    assert_eq!((fixture.record_count(), fixture.offers(), newest_offer(&mut fixture.document)), (0, 0, None));
    assert_eq!(fixture.document.status().work_hint, None);
    restart(&mut fixture);
    assert_eq!(fixture.document.refresh_works(), Vec::<String>::new());
    let trashed = fixture.document.works()[0].clone();
    assert_eq!(trashed.place, WorkPlace::Trash);
    let project = fixture.document.unsaved_project(trashed.id).unwrap();
    fixture.open(&project);
    assert!(fixture.document.is_unsaved() && fixture.written().contains("0.5"), "restored from the trash");
    fixture.document.session.undo();
}

#[test]
fn restoring_does_not_alternate_between_the_two_newest() {
    let mut fixture = Fixture::new();
    for weight in [0.25, 0.5] {
        fixture.smile(weight);
        fixture.document.close().unwrap();
        restart(&mut fixture);
    }
    assert_eq!((fixture.document.status().work_hint, fixture.offers()), (Some(WorkHint::Earlier), 2));
    let newest = fixture.document.works()[0].clone();
    // The artist has begun to work before the notice is answered.
    fixture.smile(0.75);
    fixture.document.change_works(WorkCommand::Restore(newest.id)).unwrap();
    let project = fixture.document.unsaved_project(newest.id).unwrap();
    fixture.open(&project);
    assert_eq!(fixture.document.session.mix().weights[1], 0.5);
    let hint = fixture.document.status().work_hint;
    assert_eq!(hint, Some(WorkHint::SetAside("ada".into())), "nothing to restore by a second click");
    assert_eq!(fixture.offers(), 2, "both others are listed");
}

#[test]
fn the_picture_of_the_work_is_stored_with_it_and_drawn_once_per_edit() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    fixture.document.update(fixture.now);
    assert!(!fixture.document.wants_picture(fixture.now), "the edit may go on");
    fixture.now += Duration::from_secs(1);
    assert!(fixture.document.wants_picture(fixture.now));
    let picture = image::RgbaImage::from_pixel(4, 3, image::Rgba([200, 150, 100, 255]));
    fixture.document.set_picture(&picture);
    assert!(!fixture.document.wants_picture(fixture.now));
    fixture.document.close().unwrap();
    restart(&mut fixture);
    let stored = fixture.document.works()[0].summary.picture.clone();
    assert_eq!(stored.unwrap().decode(), Some(picture));
}

#[test]
fn opening_a_head_is_unsaved_work_only_if_there_was_some_before() {
    let mut fixture = Fixture::new();
    fixture.replace_head("/a.glb");
    assert!(!fixture.document.is_unsaved(), "opening a head is not an edit");
    fixture.document.session.poses_mut().store("Mine");
    fixture.replace_head("/b.glb");
    assert!(fixture.document.is_unsaved(), "the pose was carried over");
    let file = fixture.folder.path().join("walk.smirk");
    fixture.document.save(&file).unwrap();
    fixture.replace_head("/b.glb");
    assert_eq!(fixture.document.file(), Some(file.as_path()), "the same head, read again");
    fixture.replace_head("/c.glb");
    assert!(!fixture.document.is_unsaved(), "the pose is in the project");
    assert_eq!(fixture.document.file(), None, "saving would replace the project by one of another head");
}

#[test]
fn work_that_goes_along_to_another_head_is_offered_once_as_it_was() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    fixture.document.session.poses_mut().store("Mine");
    let work = fixture.document.session.edits.clone();
    fixture.replace_head("/a.glb");
    assert_no_message(fixture.wait(2.5));
    assert_eq!((fixture.offers(), fixture.record_count()), (1, 2), "the work before, and what was carried over");
    fixture.replace_head("/b.glb");
    assert_eq!(fixture.offers(), 1, "nothing more would be lost");
    fixture.smile(0.25);
    fixture.replace_head("/b.glb");
    assert_eq!(fixture.offers(), 1, "the same file keeps its work");
    fixture.replace_head("/c.glb");
    assert_eq!(fixture.offers(), 2);
    let oldest = fixture.document.works().last().unwrap().id;
    let offered = fixture.document.unsaved_project(oldest).unwrap();
    fixture.open(&offered);
    assert_eq!(fixture.document.session.edits, work);
}

#[test]
fn a_touched_slider_an_applied_pose_and_a_look_at_the_surface_are_no_unsaved_work() {
    let mut fixture = Fixture::new();
    fixture.touch(0.5);
    fixture.document.session.channel_mut(0).toggle_solo();
    fixture.document.session.edits.look.view = smirk_scene::ViewMode::Heat;
    let pose = fixture.document.session.edits.poses.first().map(|pose| pose.id);
    pose.into_iter().for_each(|pose| fixture.document.session.poses_mut().apply(pose));
    assert_no_message(fixture.wait(3.0));
    assert!(!fixture.document.is_unsaved());
    fixture.replace_head("/a.glb");
    fixture.document.close().unwrap();
    assert_eq!((fixture.offers(), fixture.record_count(), fixture.document.is_unsaved()), (0, 0, false));
    // Several sliders are a face that was made.
    for channel in [0, 1, 3] {
        fixture.document.session.channels_mut([channel]).set(0.5);
    }
    assert!(fixture.document.is_unsaved());
    fixture.document.session.undo();
    fixture.document.session.edits.markers.add(Marker::default());
    assert!(fixture.document.is_unsaved());
}

#[test]
fn a_head_that_is_opened_anew_has_no_work_of_the_one_before_and_the_way_back_has_all_of_it() {
    for (is_saved, has_undone) in [(false, false), (true, false), (true, true)] {
        let mut fixture = Fixture::new();
        fixture.smile(0.5);
        let file = fixture.folder.path().join("walk.smirk");
        if is_saved {
            fixture.document.save(&file).unwrap();
        }
        let work = fixture.document.session.edits.clone();
        fixture.document.open_head_anew(head(&FACE), HeadSource::File("/b.glb".into())).unwrap();
        assert!(fixture.document.session.work_in_words().is_empty() && fixture.document.session.keys().is_empty());
        assert_eq!((fixture.document.file(), fixture.document.is_unsaved()), (None, false));
        assert_eq!(fixture.offers(), usize::from(!is_saved));
        assert!(fixture.document.status().replaced.is_some());
        if has_undone {
            fixture.smile(0.75);
            while fixture.document.session.undo() {}
            assert!(!fixture.document.is_unsaved());
        }
        let before = fixture.document.take_replaced().unwrap();
        fixture.open(&before);
        assert_eq!(fixture.document.session.edits, work);
        assert_eq!(fixture.document.file(), is_saved.then_some(file.as_path()));
        assert_eq!((fixture.document.is_unsaved(), fixture.offers()), (!is_saved, usize::from(has_undone)));
        assert_eq!(fixture.document.status().replaced, None);
    }
}

#[test]
fn all_offered_work_goes_to_the_trash_at_once_and_back() {
    let mut fixture = Fixture::new();
    for weight in [0.25, 0.5, 0.75] {
        fixture.smile(weight);
        fixture.document.close().unwrap();
        restart(&mut fixture);
    }
    fixture.document.change_works(WorkCommand::TrashAll).unwrap();
    assert_eq!((fixture.offers(), fixture.document.status().work_hint), (0, Some(WorkHint::Trashed(3))));
    fixture.document.change_works(WorkCommand::PutBackAll).unwrap();
    assert_eq!((fixture.offers(), fixture.document.status().work_hint), (3, Some(WorkHint::Earlier)));
    fixture.document.change_works(WorkCommand::Later).unwrap();
    assert_eq!((fixture.offers(), fixture.document.status().work_hint), (3, None), "the offer alone is hidden");
}

#[test]
fn shapes_that_a_file_that_is_read_again_does_not_have_are_offered() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    let smiles = fixture.document.session.head.pair_of(1).unwrap();
    fixture.document.session.edits.link_pair(&fixture.document.session.head, smiles, true);
    let read_again = |fixture: &mut Fixture, names: &[&str]| {
        let source = fixture.document.session.source.clone();
        fixture.document.open_head(head(names), source).unwrap();
    };
    read_again(&mut fixture, &FACE[..4]);
    assert_eq!(fixture.offers(), 0, "the keys stay");
    assert!(
        fixture.document.session.bound().linked[fixture.document.session.head.pair_of(1).unwrap()],
        "other pairs stay linked"
    );
    fixture.document.set_shapes(vec![ShapeFile::new("/smile.obj".into(), Matching::Auto)]);
    read_again(&mut fixture, &FACE[..1]);
    assert_eq!(
        (fixture.offers(), fixture.document.session.shapes().len()),
        (1, 0),
        "imported shapes are in no head file"
    );
}

#[test]
fn work_that_cannot_be_set_aside_is_not_replaced() {
    let mut fixture = Fixture::new();
    let file = fixture.folder.path().join("walk.smirk");
    Project::from_session(&full_session(fixture.folder.path())).write(&file).unwrap();
    std::fs::write(fixture.recovery(), "no folder").unwrap();
    fixture.smile(0.5);
    let before = fixture.document.session.clone();
    let error = fixture.document.open_head(head(&FACE), HeadSource::File("/a.glb".into())).unwrap_err();
    assert!(error.to_string().contains("on ada") && error.to_string().contains("Save the project"), "{error}");
    let pending = PendingProject::read(&file).unwrap();
    let other = session(head(&FACE), HeadSource::Embedded);
    assert!(fixture.document.open_project(&pending, other, &TakeFiles::default()).is_err());
    assert_eq!((&fixture.document.session.edits, &fixture.document.session.source), (&before.edits, &before.source));
    assert_eq!((fixture.document.file(), fixture.document.is_unsaved()), (None, true));
}

#[test]
fn a_write_that_fails_is_reported_once_and_retried_until_it_succeeds() {
    let mut fixture = Fixture::new();
    std::fs::write(fixture.recovery(), "no folder").unwrap();
    fixture.smile(0.5);
    assert_eq!(fixture.wait(2.5).len(), 1);
    assert_no_message(fixture.wait(10.5));
    std::fs::remove_file(fixture.recovery()).unwrap();
    assert_no_message(fixture.wait(10.5));
    assert_eq!(fixture.record_count(), 1, "without another edit");
    assert!(fixture.document.next_update_in(fixture.now).is_none());

    // The folder is replaced while its lock file is open, which only the write notices.
    std::fs::remove_dir_all(fixture.recovery()).unwrap();
    std::fs::write(fixture.recovery(), "no folder").unwrap();
    fixture.smile(0.75);
    let messages = fixture.wait(2.5);
    assert!(messages.len() == 1 && messages[0].contains("Save the project"), "a new failure is reported: {messages:?}");
    assert!(messages[0].contains(fixture.recovery().to_str().unwrap()), "it says where: {messages:?}");
    std::fs::remove_file(fixture.recovery()).unwrap();
    fixture.smile(0.875);
    assert_no_message(fixture.wait(2.5));
    assert!(fixture.written().contains("0.875"), "the newest work is written, not the one that failed");
}

#[test]
fn the_view_is_saved_with_unsaved_work() {
    let mut fixture = Fixture::new();
    fixture.smile(0.5);
    assert_no_message(fixture.wait(2.5));
    fixture.document.session.clips_mut().select(Some(1));
    fixture.document.session.clock.timeline.speed = 0.375;
    fixture.document.session.camera.distance = 3.0625;
    assert_no_message(fixture.wait(2.5));
    for words in ["Talk", "0.375", "3.0625"] {
        assert!(fixture.written().contains(words), "{words}");
    }
}

#[test]
fn a_missing_take_whose_import_is_undone_keeps_its_mapping() {
    let mut fixture = Fixture::new();
    let file = saved(&full_session(fixture.folder.path()), fixture.folder.path());
    let stored = PendingProject::read(&file).unwrap();
    fixture.open(&stored);
    let capture = fixture.folder.path().join("walk.json");
    let takes = || import::open_takes(&capture).unwrap();
    let missing =
        |fixture: &Fixture| fixture.document.session.edits.takes.iter().filter(|entry| entry.is_missing()).count();
    fixture.document.session.takes_mut().add(takes());
    fixture.document.session.commit();
    assert_eq!(missing(&fixture), 1);
    fixture.document.session.undo();
    assert_eq!(missing(&fixture), 2);
    fixture.document.save(&file).unwrap();
    assert_eq!(Project::read(&file).unwrap().edits.takes, stored.project.edits.takes);
    fixture.document.session.takes_mut().add(takes());
    assert_eq!(fixture.document.session.edits.takes[0].map, stored.project.edits.takes[0].map);
    fixture.document.save(&file).unwrap();
    let imported = fixture.document.session.edits.takes[0].id;
    fixture.document.session.takes_mut().remove(imported);
    assert_eq!(missing(&fixture), 1, "what was saved and then removed is not missing");
    let last = fixture.document.session.edits.takes[0].id;
    fixture.document.session.takes_mut().remove(last);
    assert!(fixture.document.is_unsaved());
    fixture.document.save(&file).unwrap();
    assert_eq!(Project::read(&file).unwrap().edits.takes, Vec::new());
}

#[test]
fn a_missing_take_that_is_imported_again_gets_its_mapping() {
    let mut fixture = Fixture::new();
    let file = saved(&full_session(fixture.folder.path()), fixture.folder.path());
    let pending = PendingProject::read(&file).unwrap();
    fixture.open(&pending);
    assert!(fixture.document.session.edits.playable_takes().next().is_none(), "nothing was read");
    fixture.document.session.takes_mut().add(import::open_takes(&fixture.folder.path().join("walk.json")).unwrap());
    fixture.document.session.takes_mut().add(import::open_takes(&fixture.folder.path().join("walk.json")).unwrap());
    let maps: Vec<_> = fixture.document.session.edits.takes.iter().map(|entry| entry.map.clone()).collect();
    assert_eq!(maps, pending.project.edits.takes.iter().map(|record| record.map.clone()).collect::<Vec<_>>());
}
