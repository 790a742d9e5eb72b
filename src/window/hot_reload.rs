//! Watches the files of the open head, and decides when the head is read again and shown.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use smirk_base::watch::{FileWatch, FilesRead, NotWatched};
use smirk_editor::document::{LoadRequest, Reloaded};
use smirk_face::head::{Head, HeadId};
use smirk_files::import::files_beside;
use smirk_session::{HeadSource, Session};

pub(crate) struct HotReload {
    watch: FileWatch,
    head: Option<HeadId>,
    stage: Stage,
    read: FilesRead,
    /// It was reported that some changes are noticed late.
    is_limit_reported: bool,
}

enum Stage {
    Unchanged,
    /// The files have changed, and are read once the loader is free.
    Changed,
    Reading,
    /// They were read. The head is shown when nothing is being dragged.
    Ready(Box<Reloaded>, FilesRead),
}

pub(crate) enum NextStep {
    Wait,
    Read(LoadRequest),
    Show(Box<Reloaded>),
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Busy {
    pub loads: bool,
    pub reloads: bool,
    pub interacts: bool,
}

impl HotReload {
    /// Watches nothing yet. `notify` is called on another thread when a file may have changed.
    pub(crate) fn new(notify: impl Fn() + Send + 'static) -> Self {
        Self {
            watch: FileWatch::new(notify),
            head: None,
            stage: Stage::Unchanged,
            read: FilesRead::from_files([]),
            is_limit_reported: false,
        }
    }

    /// The next head that is shown was read from these files.
    pub(crate) fn set_read(&mut self, read: FilesRead) {
        self.read = read;
    }

    /// Checks the files at the next opportunity: they may have changed in a way that the system does not report.
    pub(crate) fn look_soon(&mut self, now: Instant) {
        self.watch.look_soon(now);
    }

    /// How long until [`Self::step`] is to be called without an event.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        // The end of a drag is known only after the frame that it is in.
        const AFTER_DRAG: Duration = Duration::from_millis(50);
        let to_be_shown = matches!(self.stage, Stage::Ready(..)).then_some(AFTER_DRAG);
        [to_be_shown, self.watch.due_in(now)].into_iter().flatten().min()
    }

    pub(crate) fn read_at(&self) -> SystemTime {
        self.read.began_at()
    }

    pub(crate) fn is_following(&self, head: &Arc<Head>) -> bool {
        self.head.as_ref().is_some_and(|followed| followed.is_of(head))
    }

    pub(crate) fn stop(&mut self) {
        self.watch.stop();
        (self.head, self.stage) = (None, Stage::Unchanged);
    }

    /// Watches the files of a head that was just read. An error, once for a run of the program, if the system does not
    /// report what happens to them.
    pub(crate) fn follow(&mut self, session: &Session, now: Instant) -> Result<(), NotWatched> {
        (self.head, self.stage) = (Some(HeadId::new(&session.head)), Stage::Unchanged);
        let watched = self.watch.follow(files_of(session), &self.read, now);
        let was_reported = self.is_limit_reported;
        self.is_limit_reported |= watched.is_err();
        if was_reported { Ok(()) } else { watched }
    }

    /// What is to be done now. Whatever the artist opens comes first, and what it has cancelled is read again.
    pub(crate) fn step(&mut self, session: &Session, busy: Busy, now: Instant) -> NextStep {
        let was_cancelled = matches!(self.stage, Stage::Reading) && !busy.reloads;
        if self.watch.take_change(now) || was_cancelled {
            self.stage = Stage::Changed;
        }
        match std::mem::replace(&mut self.stage, Stage::Unchanged) {
            Stage::Changed if !busy.loads && !busy.reloads => {
                self.stage = Stage::Reading;
                NextStep::Read(LoadRequest::Reload(session.source.clone(), session.shapes().to_vec()))
            }
            // Shapes were added to the head meanwhile, which this one lacks.
            Stage::Ready(reloaded, _) if !Arc::ptr_eq(&reloaded.before, &session.head) => {
                self.stage = Stage::Changed;
                NextStep::Wait
            }
            // What is being opened may be made for the head that is on screen.
            Stage::Ready(reloaded, read) if !busy.interacts && !busy.loads => {
                self.read = read;
                NextStep::Show(reloaded)
            }
            stage => {
                self.stage = stage;
                NextStep::Wait
            }
        }
    }

    /// Takes a head that was read again from these files, if it is still the one that is open.
    pub(crate) fn take(&mut self, reloaded: Box<Reloaded>, read: FilesRead) {
        if self.is_following(&reloaded.before) {
            self.stage = Stage::Ready(reloaded, read);
        }
    }

    /// A head that was read again but is not shown yet is of no use any more.
    pub(crate) fn read_again(&mut self) {
        if matches!(self.stage, Stage::Ready(..)) {
            self.stage = Stage::Changed;
        }
    }

    /// The head could not be read from these files. The next change is another attempt, unless there was one meanwhile;
    /// so is one of a file that the head on screen does not have.
    pub(crate) fn fail(&mut self, read: &FilesRead, now: Instant) {
        if matches!(self.stage, Stage::Reading) {
            self.stage = Stage::Unchanged;
            // With a missing folder among them, the system would not report changes of the head's files either.
            let files = read.paths().filter(|file| file.parent().is_some_and(Path::is_dir));
            // That the system does not report changes was reported already for the head itself.
            self.watch.follow_also(files.map(Path::to_owned).collect(), read, now).ok();
        }
    }

    /// Watches in addition the files of shapes that were just read and added to the head.
    pub(crate) fn follow_shapes(&mut self, session: &Session, read: &FilesRead, now: Instant) {
        self.read.add(read);
        if let Some(head) = &mut self.head {
            *head = HeadId::new(&session.head);
            // That the system does not report changes was reported already for the head itself.
            self.watch.follow_also(files_of(session), read, now).ok();
        }
    }
}

fn files_of(session: &Session) -> Vec<PathBuf> {
    let head = match &session.source {
        // What is beside it may be written later.
        HeadSource::File(path) => [vec![path.clone()], files_beside(path).into()].concat(),
        HeadSource::Embedded => Vec::new(),
    };
    let shapes = session.shapes().iter().filter_map(|shape| shape.file().map(Path::to_owned));
    head.into_iter().chain(shapes).chain(session.head.side_files.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::progress::Progress;
    use smirk_face::head::{Asset, HeadChanges};
    use smirk_graphics::blend::{Precision, VertexOrder};
    use smirk_graphics::gpu::{Gpu, Prefer};
    use smirk_picture::render::HeadOnGpu;
    use smirk_scene::{BlendMode, Look};

    const REST: Duration = Duration::from_millis(300);
    const LOADING: Busy = Busy { loads: true, reloads: false, interacts: false };
    const READING: Busy = Busy { loads: true, reloads: true, interacts: false };

    /// A session with a file that was read, and what follows its files.
    fn unchanged(folder: &tempfile::TempDir) -> (Session, HotReload, Instant) {
        let file = folder.path().join("head.glb");
        std::fs::write(&file, "one").unwrap();
        let head = Arc::new(Head::new(Asset::default()));
        let session = Session::new(head, HeadSource::File(file.clone()), Look::default(), BlendMode::Cpu);
        let mut reload = HotReload::new(|| {});
        reload.set_read(read(&[&file]));
        let now = Instant::now();
        reload.follow(&session, now).unwrap();
        assert!(matches!(reload.step(&session, Busy::default(), now + REST), NextStep::Wait), "nothing has changed");
        (session, reload, now)
    }

    /// The same after a change of the file. The time is when the files are looked at next.
    fn changed(folder: &tempfile::TempDir) -> (Session, HotReload, Instant) {
        let (session, mut reload, now) = unchanged(folder);
        std::fs::write(folder.path().join("head.glb"), "another").unwrap();
        reload.look_soon(now);
        (session, reload, now + REST)
    }

    /// Files that are read at once, whatever is in them. What other tests read meanwhile is not among them.
    fn read(files: &[&Path]) -> FilesRead {
        FilesRead::from_files(files.iter().copied())
    }

    fn reads(step: &NextStep) -> bool {
        matches!(step, NextStep::Read(_))
    }

    #[test]
    fn a_change_waits_for_what_the_artist_opens_and_survives_being_cancelled_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let (session, mut reload, now) = changed(&folder);
        // The system's thread may report the write meanwhile, which starts the debounce interval again.
        let now = now + REST;
        assert!(!reads(&reload.step(&session, LOADING, now)) && !reads(&reload.step(&session, LOADING, now + REST)));
        assert!(reads(&reload.step(&session, Busy::default(), now + 2 * REST)));
        assert!(!reads(&reload.step(&session, READING, now + 2 * REST)), "once");
        assert!(!reads(&reload.step(&session, LOADING, now + 2 * REST)), "cancelled by another load");
        assert!(reads(&reload.step(&session, Busy::default(), now + 2 * REST)), "and begun again");
        reload.fail(&read(&[&folder.path().join("head.glb")]), now + 2 * REST);
        assert!(
            matches!(reload.step(&session, Busy::default(), now + 2 * REST), NextStep::Wait),
            "not without a change"
        );
    }

    #[test]
    fn a_file_that_is_replaced_while_it_is_read_is_read_again_whether_or_not_it_opens() {
        let folder = tempfile::tempdir().unwrap();
        let (file, temporary) = (folder.path().join("head.glb"), folder.path().join("head.tmp"));
        let (session, mut reload, mut now) = changed(&folder);
        let replace = || {
            std::fs::write(&temporary, "different").unwrap();
            std::fs::rename(&temporary, &file).unwrap();
        };
        let mut is_read = |reload: &mut HotReload| {
            (0..10).any(|_| {
                now += REST;
                reads(&reload.step(&session, Busy::default(), now))
            })
        };
        assert!(is_read(&mut reload));
        for _ in 0..20 {
            let of_failure = read(&[&file]);
            replace();
            reload.fail(&of_failure, Instant::now());
            assert!(is_read(&mut reload), "it does not open");
            let read = read(&[&file]);
            replace();
            reload.set_read(read);
            reload.follow(&session, Instant::now()).unwrap();
            assert!(is_read(&mut reload), "it opens");
        }
    }

    #[test]
    fn a_file_that_only_a_reading_that_fails_has_asked_for_is_followed_until_a_head_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let (session, mut reload, now) = changed(&folder);
        let (now, buffer) = (now + REST, folder.path().join("head.bin"));
        let is_read = |reload: &mut HotReload, from: Instant| {
            (0..10).any(|rests| reads(&reload.step(&session, Busy::default(), from + rests * REST)))
        };
        assert!(is_read(&mut reload, now));
        reload.fail(&read(&[&buffer, &folder.path().join("nowhere/skin.png")]), now + 10 * REST);
        assert!(!is_read(&mut reload, now + 20 * REST), "nothing has changed");
        std::fs::write(&buffer, "buffer").unwrap();
        reload.look_soon(now + 30 * REST);
        assert!(is_read(&mut reload, now + 30 * REST));
    }

    #[test]
    fn correctives_that_are_written_beside_the_head_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let (session, mut reload, now) = unchanged(&folder);
        std::fs::write(folder.path().join("head.correctives.json"), "{}").unwrap();
        reload.look_soon(now + REST);
        // The system's thread may report the write meanwhile, which starts the debounce interval again.
        let soon = now + 2 * REST;
        assert!((0..10).any(|rests| reads(&reload.step(&session, Busy::default(), soon + rests * REST))));
    }

    #[test]
    fn another_head_makes_a_change_of_the_one_before_irrelevant() {
        let folder = tempfile::tempdir().unwrap();
        let (mut session, mut reload, now) = changed(&folder);
        session.replace_head(Arc::new(Head::new(Asset::default())), HeadSource::Embedded);
        assert!(!reload.is_following(&session.head));
        reload.follow(&session, now).unwrap();
        assert!(matches!(reload.step(&session, Busy::default(), now + REST), NextStep::Wait));
        reload.stop();
        reload.follow_shapes(&session, &FilesRead::from_files([]), now);
        assert!(!reload.is_following(&session.head), "it is switched off");
    }

    #[test]
    fn a_head_that_was_read_again_waits_for_what_is_being_opened_and_does_not_undo_it() {
        let folder = tempfile::tempdir().unwrap();
        let (mut session, mut reload, now) = changed(&folder);
        // The system's thread may report the write meanwhile, which starts the debounce interval again.
        let now = now + 2 * REST;
        assert!((0..10).any(|rests| reads(&reload.step(&session, Busy::default(), now + rests * REST))));
        let now = now + 20 * REST;
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let reloaded = |before: &Arc<Head>| {
            let head = Arc::new(smirk_files::import::embedded().unwrap());
            let order = Arc::new(VertexOrder::new(&head));
            let head = HeadOnGpu::for_window(&gpu, head, order, Precision::Packed, Progress::NONE).unwrap();
            Box::new(Reloaded { head, before: before.clone(), changes: HeadChanges::default() })
        };
        reload.take(reloaded(&session.head), read(&[]));
        let drags = Busy { interacts: true, ..Busy::default() };
        for busy in [LOADING, drags] {
            assert!(matches!(reload.step(&session, busy, now), NextStep::Wait), "{busy:?}");
        }
        assert!(matches!(reload.step(&session, Busy::default(), now), NextStep::Show(_)));

        // What was being opened has added a shape to the head.
        reload.follow(&session, now).unwrap();
        reload.take(reloaded(&session.head), read(&[]));
        assert!(matches!(reload.step(&session, LOADING, now), NextStep::Wait));
        session.add_shapes(Arc::new(Head::new(Asset::default())), Vec::new());
        reload.follow_shapes(&session, &FilesRead::from_files([]), now);
        assert!(matches!(reload.step(&session, Busy::default(), now), NextStep::Wait), "it lacks the shape");
        let NextStep::Read(again) = reload.step(&session, Busy::default(), now) else { panic!("it is read again") };
        assert_eq!(again, LoadRequest::Reload(session.source.clone(), session.shapes().to_vec()));

        // The graphics device that it was uploaded to is lost.
        reload.follow(&session, now).unwrap();
        reload.take(reloaded(&session.head), read(&[]));
        reload.read_again();
        assert!(reads(&reload.step(&session, Busy::default(), now)));

        reload.stop();
        reload.take(reloaded(&session.head), read(&[]));
        assert!(matches!(reload.step(&session, Busy::default(), now), NextStep::Wait), "another head is open");
    }
}
