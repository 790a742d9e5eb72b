//! What happens to the files of the head that is open, and when it is to be read again and shown.

use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

use smirk_base::watch::{FileWatch, NotWatched};
use smirk_editor::document::{Reload, Reloaded};
use smirk_editor::session::{HeadSource, Session};
use smirk_face::head::Head;
use smirk_files::import::correctives_beside;

/// What happens to the files of the head.
pub(crate) struct HotReload {
    watch: FileWatch,
    /// The head whose files are watched.
    head: Weak<Head>,
    stage: Stage,
    /// When the head on screen was read.
    read_at: SystemTime,
    /// The artist knows that some changes are noticed late.
    is_limit_told: bool,
}

/// How far a change of the files is.
enum Stage {
    /// There is none.
    Unchanged,
    /// The files have changed, and are read once the loader is free.
    Changed,
    /// They are being read.
    Reading,
    /// They were read from this time on. The head is shown when nothing is being dragged.
    Ready(Box<Reloaded>, SystemTime),
}

/// What the window does next.
pub(crate) enum NextStep {
    /// Nothing.
    Wait,
    /// It reads the head again.
    Read(Reload),
    /// It shows the head that was read again.
    Show(Box<Reloaded>),
}

/// What the window is doing, as far as a reload waits for it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Busy {
    /// A file is being opened, or waits to be.
    pub loads: bool,
    /// The head is being read again.
    pub reloads: bool,
    /// The artist is dragging.
    pub interacts: bool,
}

impl HotReload {
    /// Watches nothing yet. `notify` is called on another thread when something may have happened to a file.
    pub(crate) fn new(notify: impl Fn() + Send + 'static) -> Self {
        Self {
            watch: FileWatch::new(notify),
            head: Weak::new(),
            stage: Stage::Unchanged,
            read_at: SystemTime::now(),
            is_limit_told: false,
        }
    }

    /// The next head that is shown was read from this time on.
    pub(crate) fn set_read_at(&mut self, read_at: SystemTime) {
        self.read_at = read_at;
    }

    /// Looks at the files soon: something may have happened that the system does not report.
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

    /// When the head on screen was read.
    pub(crate) fn read_at(&self) -> SystemTime {
        self.read_at
    }

    /// Whether the files of this head are watched.
    pub(crate) fn is_following(&self, head: &Arc<Head>) -> bool {
        std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head))
    }

    /// Watches nothing.
    pub(crate) fn stop(&mut self) {
        self.watch.stop();
        (self.head, self.stage) = (Weak::new(), Stage::Unchanged);
    }

    /// Watches the files of a head that was just read. An error, once for a run of the program, if the system does not report
    /// what happens to them.
    pub(crate) fn follow(&mut self, session: &Session, now: Instant) -> Result<(), NotWatched> {
        (self.head, self.stage) = (Arc::downgrade(&session.head), Stage::Unchanged);
        let watched = self.watch.follow(files_of(session), self.read_at, now);
        let was_told = self.is_limit_told;
        self.is_limit_told |= watched.is_err();
        if was_told { Ok(()) } else { watched }
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
                let (head, source) = (session.head.clone(), session.source.clone());
                NextStep::Read(Reload { head, source, shapes: session.shapes.clone() })
            }
            Stage::Ready(reloaded, read_at) if !busy.interacts => {
                self.read_at = read_at;
                NextStep::Show(reloaded)
            }
            stage => {
                self.stage = stage;
                NextStep::Wait
            }
        }
    }

    /// Takes a head that was read again from this time on, if it is still the one that is open.
    pub(crate) fn take(&mut self, reloaded: Box<Reloaded>, read_at: SystemTime) {
        if self.is_following(&reloaded.before) {
            self.stage = Stage::Ready(reloaded, read_at);
        }
    }

    /// The head could not be read. The next change is another attempt, unless there was one meanwhile.
    pub(crate) fn fail(&mut self) {
        if matches!(self.stage, Stage::Reading) {
            self.stage = Stage::Unchanged;
        }
    }

    /// Watches in addition the files of shapes that were just added to the head.
    pub(crate) fn follow_shapes(&mut self, session: &Session, now: Instant) {
        let is_switched_on = !self.head.ptr_eq(&Weak::new());
        if is_switched_on {
            self.head = Arc::downgrade(&session.head);
            // If the system did not report the changes of the head itself, the artist knows.
            let _ = self.watch.follow_also(files_of(session), now);
        }
    }
}

/// The files that the head of a session was read from.
fn files_of(session: &Session) -> Vec<PathBuf> {
    let head = match &session.source {
        // The correctives may be written later.
        HeadSource::File(path) => vec![path.clone(), correctives_beside(path)],
        HeadSource::Embedded => Vec::new(),
    };
    let shapes = session.shapes.iter().map(|shape| shape.path.clone());
    head.into_iter().chain(shapes).chain(session.head.side_files.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::Asset;
    use smirk_graphics::blend::BlendMode;
    use smirk_picture::scene::Look;

    const REST: Duration = Duration::from_millis(300);
    const LOADING: Busy = Busy { loads: true, reloads: false, interacts: false };
    const READING: Busy = Busy { loads: true, reloads: true, interacts: false };

    /// A session with a file that was read, and what follows its files. `now` is when they are looked at next.
    fn changed(folder: &tempfile::TempDir) -> (Session, HotReload, Instant) {
        let file = folder.path().join("head.glb");
        std::fs::write(&file, "one").unwrap();
        let head = Arc::new(Head::new(Asset::default()));
        let session = Session::new(head, HeadSource::File(file.clone()), Look::default(), BlendMode::Cpu);
        let mut reload = HotReload::new(|| {});
        reload.set_read_at(SystemTime::now() + Duration::from_secs(60));
        let now = Instant::now();
        reload.follow(&session, now).unwrap();
        assert!(matches!(reload.step(&session, Busy::default(), now + REST), NextStep::Wait), "nothing has changed");
        std::fs::write(&file, "another").unwrap();
        reload.look_soon(now);
        (session, reload, now + REST)
    }

    fn reads(step: &NextStep) -> bool {
        matches!(step, NextStep::Read(_))
    }

    #[test]
    fn a_change_waits_for_what_the_artist_opens_and_survives_being_cancelled_by_it() {
        let folder = tempfile::tempdir().unwrap();
        let (session, mut reload, now) = changed(&folder);
        // The thread of the system may report the write meanwhile, which begins another rest.
        let now = now + REST;
        assert!(!reads(&reload.step(&session, LOADING, now)) && !reads(&reload.step(&session, LOADING, now + REST)));
        assert!(reads(&reload.step(&session, Busy::default(), now + 2 * REST)));
        assert!(!reads(&reload.step(&session, READING, now + 2 * REST)), "once");
        assert!(!reads(&reload.step(&session, LOADING, now + 2 * REST)), "cancelled by another load");
        assert!(reads(&reload.step(&session, Busy::default(), now + 2 * REST)), "and begun again");
        reload.fail();
        assert!(
            matches!(reload.step(&session, Busy::default(), now + 2 * REST), NextStep::Wait),
            "not without a change"
        );
    }

    #[test]
    fn correctives_that_are_written_beside_the_head_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("head.glb");
        std::fs::write(&file, "one").unwrap();
        let head = Arc::new(Head::new(Asset::default()));
        let session = Session::new(head, HeadSource::File(file), Look::default(), BlendMode::Cpu);
        let mut reload = HotReload::new(|| {});
        reload.set_read_at(SystemTime::now() + Duration::from_secs(60));
        let now = Instant::now();
        reload.follow(&session, now).unwrap();
        assert!(!reads(&reload.step(&session, Busy::default(), now + REST)));
        std::fs::write(folder.path().join("head.correctives.json"), "{}").unwrap();
        reload.look_soon(now + REST);
        // The thread of the system may report the write meanwhile, which begins another rest.
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
        reload.follow_shapes(&session, now);
        assert!(!reload.is_following(&session.head), "it is switched off");
    }
}
