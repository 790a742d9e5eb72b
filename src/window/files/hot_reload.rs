//! The head that is open is read again when its files have changed, and takes the place of the one before.

use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant, SystemTime};

use crate::date::clock_time;
use crate::document::{LoadRequest, Reload, Reloaded};
use crate::head::{Head, listed};
use crate::names::printable;
use crate::session::{HeadSource, Session};
use crate::watch::{FileWatch, NotWatched};
use crate::window::viewer::Viewer;

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

    /// How long until the files are to be looked at.
    pub(crate) fn due_in(&self, now: Instant) -> Option<Duration> {
        self.watch.due_in(now)
    }

    fn is_following(&self, head: &Arc<Head>) -> bool {
        std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head))
    }

    fn stop(&mut self) {
        self.watch.stop();
        (self.head, self.stage) = (Weak::new(), Stage::Unchanged);
    }

    /// Watches the files of a head that was just read.
    fn follow(&mut self, session: &Session, now: Instant) -> Result<(), NotWatched> {
        (self.head, self.stage) = (Arc::downgrade(&session.head), Stage::Unchanged);
        self.watch.follow(files_of(session), self.read_at, now)
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
        HeadSource::File(path) => Some(path.clone()),
        HeadSource::Embedded => None,
    };
    let shapes = session.shapes.iter().map(|shape| shape.path.clone());
    head.into_iter().chain(shapes).chain(session.head.side_files.iter().cloned()).collect()
}

impl Viewer {
    /// Reads the head again if its files have changed, and shows it once it is read. Whatever the artist opens comes first.
    pub(crate) fn follow_files(&mut self, now: Instant) {
        if !self.ui.reloads_head {
            self.hot_reload.stop();
            self.notices.release();
            return;
        }
        let Self { hot_reload, document, jobs, .. } = self;
        let session = &document.session;
        if !hot_reload.is_following(&session.head) {
            self.notices.release();
            let watched = hot_reload.follow(session, now);
            let is_new = watched.is_err() && !std::mem::replace(&mut hot_reload.is_limit_told, watched.is_err());
            if let (Err(problem), true) = (watched, is_new) {
                let name = session.source.name();
                let text = format!("Changes of {name} are noticed when this window gets the focus, not at once: {problem}");
                self.notices.tell(text, now);
            }
        }
        if hot_reload.watch.take_change(now) {
            hot_reload.stage = Stage::Changed;
        }
        // What the artist opened meanwhile has cancelled the reading.
        if matches!(hot_reload.stage, Stage::Reading) && !jobs.loader.is_reloading() {
            hot_reload.stage = Stage::Changed;
        }
        let is_free = !jobs.loader.is_busy() && self.file_queue.is_empty() && !self.viewport.gpu.is_lost();
        match &hot_reload.stage {
            Stage::Changed if is_free => {
                hot_reload.stage = Stage::Reading;
                let reload = Reload {
                    head: session.head.clone(),
                    source: session.source.clone(),
                    shapes: session.shapes.clone(),
                };
                jobs.load(LoadRequest::Reload(reload), &self.viewport.gpu);
            }
            Stage::Ready(..) if !self.ui.is_interacting => {
                if let Stage::Ready(reloaded, read_at) = std::mem::replace(&mut hot_reload.stage, Stage::Unchanged) {
                    hot_reload.set_read_at(read_at);
                    self.show_reloaded(*reloaded, now);
                }
            }
            Stage::Unchanged | Stage::Changed | Stage::Reading | Stage::Ready(..) => {}
        }
    }

    /// Takes a head that was read again, if it is still the one that is open.
    pub(super) fn take_reloaded(&mut self, reloaded: Box<Reloaded>, read_at: SystemTime) {
        if Arc::ptr_eq(&reloaded.before, &self.document.session.head) {
            self.hot_reload.stage = Stage::Ready(reloaded, read_at);
        }
    }

    /// Says why the head was not read again. The next event is another attempt.
    pub(super) fn keep_head(&mut self, problem: &str) {
        self.hot_reload.stage = Stage::Unchanged;
        let (name, time) = (self.document.session.source.name(), clock_time(self.hot_reload.read_at));
        let line = format!("{name} is being written or broken: {problem}; the head on screen is the one from {time}");
        log::info!("{line}");
        self.notices.hold(line);
    }

    fn show_reloaded(&mut self, reloaded: Reloaded, now: Instant) {
        let Reloaded { head: loaded, before, changes } = reloaded;
        let head = loaded.head().clone();
        self.document.reload_head(head.clone());
        self.ui.follow_reload(&before, &head);
        self.viewport.set_head(loaded);
        self.choose_mode();
        let session = &self.document.session;
        // Side files may be others than before.
        let _ = self.hot_reload.follow(session, now);
        self.notices.release();
        let line = format!("{} reloaded: {}", session.source.name(), changes.summary());
        log::info!("{line}");
        let mut lines = vec![line];
        lines.extend(Some(changes.details()).filter(|details| !details.is_empty()));
        let kept = kept_for(&before, session);
        if !kept.is_empty() {
            lines.push(format!("Sliders and keys are kept until the target is there again: {}", listed(&kept, 12)));
        }
        self.notices.tell(lines.join("\n"), now);
    }
}

/// The names of channels that the head has lost, and that the artist has moved or keyed.
fn kept_for(before: &Head, session: &Session) -> Vec<String> {
    let is_gone = |name: &str| session.head.channel_named(name).is_none();
    let is_kept =
        |name: &str| session.edits.absent.sliders.contains_key(name) || session.edits.keys.curve(name).is_some();
    let gone = before.channels.iter().filter(|channel| is_gone(&channel.full_name) && is_kept(&channel.full_name));
    gone.map(|channel| printable(&channel.name).into_owned()).collect()
}
