//! What lies on the artist's desk: the project in the window, whether it is saved, and the work that is not.
//!
//! Nobody announces an edit. The desk keeps what it last saw and compares, as undo does. Only edits count as work; where
//! the camera stands and what plays is saved with them, and is no reason to save.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::file_kind;
use crate::head::{Head, Note};
use crate::import::ShapeFile;
use crate::motion::Take;
use crate::session::{Session, Source};

use super::autosave::Autosave;
use super::error::NotSetAside;
use super::project::{PendingProject, Project, ProjectError, TakeFiles, Unresolved};
use super::recovery::{RecoveryFolder, RecoveryRecord};
use super::snapshot::{Snapshot, ViewSnapshot};
use super::status::{DocumentStatus, MissingHead, UnsavedWork};

/// The project in the window.
#[derive(Debug)]
pub struct Document {
    file: Option<PathBuf>,
    /// What the file holds; without a file, what the head opened with. None if it is known to hold something else.
    saved: Option<Snapshot>,
    seen: Snapshot,
    viewed: ViewSnapshot,
    /// What came along from another head, and the offer that all of it is in.
    carried: Option<(Snapshot, PathBuf)>,
    unresolved: Unresolved,
    autosave: Autosave,
    recovery: Option<RecoveryFolder>,
    /// A project whose head is gone, and why it does not open.
    headless: Option<(PendingProject, String)>,
    /// Autosaving fails, and the artist knows.
    is_warned: bool,
}

impl Document {
    /// A session that was just opened. Without recovery, nothing is autosaved.
    pub fn new(session: &Session, recovery: Option<RecoveryFolder>) -> Self {
        Self {
            file: None,
            saved: Some(Snapshot::of(session)),
            seen: Snapshot::of(session),
            viewed: ViewSnapshot::of(session),
            carried: None,
            unresolved: Unresolved::default(),
            autosave: Autosave::default(),
            recovery,
            headless: None,
            is_warned: false,
        }
    }

    /// Where the project is saved.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Whether the window holds work that no project file does.
    pub fn is_unsaved(&self, session: &Session) -> bool {
        self.saved.as_ref().is_none_or(|saved| !saved.is_in(session))
    }

    /// What the artist calls it: the project, else the head.
    pub fn name(&self, session: &Session) -> String {
        match self.file.as_ref().and_then(|file| file.file_stem()) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => session.head.name.clone(),
        }
    }

    /// The window's title.
    pub fn title(&self, session: &Session) -> String {
        let mark = if self.is_unsaved(session) { "• " } else { "" };
        format!("{mark}{} — Smirk", self.name(session))
    }

    /// Puts another head into the session. Unsaved work is offered from then on, for its sliders do not come along (those of
    /// the same file read again do, as far as it still has their channels); an error, and the head that was there stays, if
    /// it cannot be kept.
    pub fn open_head(&mut self, session: &mut Session, head: Arc<Head>, source: Source) -> Result<(), NotSetAside> {
        let was_unsaved = self.is_unsaved(session);
        let loses = session.source != source || session.has_more_than(&head);
        let offer = if was_unsaved && loses { self.set_aside(session)? } else { None };
        session.replace_head(head, source);
        if loses {
            self.carried = offer.map(|offer| (Snapshot::of(session), offer));
        }
        if self.file.is_none() && !was_unsaved {
            self.saved = Some(Snapshot::of(session));
            self.seen = Snapshot::of(session);
        }
        self.headless = None;
        Ok(())
    }

    /// Says which files the shapes of the head just opened are from.
    pub fn shape_head(&mut self, session: &mut Session, shapes: Vec<ShapeFile>) {
        let was_saved = !self.is_unsaved(session);
        session.shapes = shapes;
        if was_saved {
            self.saved = Some(Snapshot::of(session));
            self.seen = Snapshot::of(session);
        }
    }

    /// Looks at the session once a frame, and keeps its work safe a moment after the last edit. A message if that fails, once.
    pub fn follow(&mut self, session: &Session, now: Instant) -> Option<String> {
        let problem = self.hear_of_last_write(now);
        let is_edited = !self.seen.is_in(session);
        if is_edited {
            self.seen = Snapshot::of(session);
        }
        let viewed = ViewSnapshot::of(session);
        let is_turned = std::mem::replace(&mut self.viewed, viewed) != viewed;
        if is_edited || (is_turned && self.is_unsaved(session)) {
            self.autosave.edited(now);
        }
        problem.or(self.keep_if_due(session, now))
    }

    fn hear_of_last_write(&mut self, now: Instant) -> Option<String> {
        match self.recovery.as_mut()?.written()? {
            Ok(()) => {
                self.is_warned = false;
                None
            }
            Err(problem) => self.warn(&problem, now),
        }
    }

    fn keep_if_due(&mut self, session: &Session, now: Instant) -> Option<String> {
        if !self.autosave.is_wanted() {
            return None;
        }
        let is_unsaved = self.is_unsaved(session);
        let recovery = self.recovery.as_mut()?;
        if !is_unsaved {
            self.autosave.done();
            recovery.forget();
            return None;
        }
        if !self.autosave.is_due(now) || recovery.is_writing() {
            return None;
        }
        self.autosave.done();
        let work = self.work(session);
        let problem = self.recovery.as_mut()?.keep(&work).err()?;
        self.warn(&problem, now)
    }

    /// Tries again later. The artist is told once, until it goes well again.
    fn warn(&mut self, problem: &io::Error, now: Instant) -> Option<String> {
        self.autosave.failed(now);
        let is_news = !std::mem::replace(&mut self.is_warned, true);
        is_news.then(|| format!("{problem}. Save the project; until then a crash would lose your work"))
    }

    /// How long until [`Self::follow`] has something to do that no event announces.
    pub fn alarm(&self, now: Instant) -> Option<Duration> {
        const BEFORE_ASKING_THE_DISK_AGAIN: Duration = Duration::from_millis(200);
        if self.recovery.as_ref()?.is_writing() {
            return Some(BEFORE_ASKING_THE_DISK_AGAIN);
        }
        self.autosave.alarm(now)
    }

    /// The program ends: unsaved work stays for the next start.
    pub fn close(&mut self, session: &Session) -> io::Result<()> {
        let (is_unsaved, work) = (self.is_unsaved(session), self.work(session));
        match &mut self.recovery {
            Some(recovery) if is_unsaved => recovery.keep_now(&work),
            Some(recovery) => {
                recovery.forget();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes the project file, which is the project's from now on.
    pub fn save(&mut self, session: &Session, path: &Path) -> Result<(), ProjectError> {
        Project::of(session, &self.unresolved).write(path)?;
        self.file = Some(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        self.saved = Some(Snapshot::of(session));
        self.unresolved.drop_imported(&session.edits);
        self.is_warned = false;
        self.autosave.done();
        if let Some(recovery) = &mut self.recovery {
            recovery.forget();
        }
        Ok(())
    }

    /// Puts a project into a session of its head. Unsaved work that it takes the place of is kept, and offered; `was` is the
    /// session it was in, which stays if that fails. What the head or the disk lacks is told.
    pub fn open(
        &mut self,
        draft: &PendingProject,
        was: &Session,
        session: &mut Session,
        takes: &TakeFiles,
    ) -> Result<Vec<Note>, NotSetAside> {
        if self.is_unsaved(was) {
            self.set_aside(was)?;
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.forget();
            if let Some(path) = &draft.recovered {
                recovery.adopt(path);
            }
        }
        let (unresolved, notes) = draft.project.apply(session, takes);
        self.unresolved = unresolved;
        self.file.clone_from(&draft.file);
        self.saved = (!draft.is_changed).then(|| Snapshot::of(session));
        self.seen = Snapshot::of(session);
        self.autosave.done();
        if draft.is_changed {
            self.autosave.edited(Instant::now());
        }
        self.headless = None;
        Ok(notes)
    }

    /// Offers the work in the session, unless all of it is on offer already. Where it lies.
    fn set_aside(&mut self, session: &Session) -> Result<Option<PathBuf>, NotSetAside> {
        let work = self.work(session);
        let Some(recovery) = &mut self.recovery else { return Ok(None) };
        let is_offered = |path: &PathBuf| recovery.offers().iter().any(|offer| offer.path() == path);
        if let Some((carried, path)) = &self.carried
            && carried.is_in(session)
            && is_offered(path)
        {
            return Ok(Some(path.clone()));
        }
        let name = work.name.clone();
        let offer = recovery.set_aside(work).map_err(|source| NotSetAside { name, source })?;
        Ok(Some(offer.path().to_owned()))
    }

    /// Adds imported takes to a session. One that a project lost is mapped as it was.
    pub fn import_takes(&mut self, session: &mut Session, takes: Vec<Take>) {
        let first = session.edits.takes.len();
        session.add_takes(takes);
        for place in first..session.edits.takes.len() {
            let entry = &session.edits.takes[place];
            if let Some(map) = self.unresolved.map_for(entry, &session.edits) {
                session.edits.takes[place].map = map.fitted(&entry.take, &session.head, &session.edits.aliases);
            }
        }
    }

    /// The artist does without a take whose file is gone.
    pub fn forget_take(&mut self, place: usize) {
        self.unresolved.forget_take(place);
        self.saved = None;
        self.autosave.edited(Instant::now());
    }

    /// Keeps a project whose head is gone until the artist says where it is.
    pub fn await_head(&mut self, draft: PendingProject, problem: String) {
        self.headless = Some((draft, problem));
    }

    /// The project that waits for its head.
    pub fn headless(&self) -> Option<&PendingProject> {
        self.headless.as_ref().map(|(draft, _)| draft)
    }

    /// The artist does without the project that waits for its head.
    pub fn give_up_headless(&mut self) {
        self.headless = None;
    }

    /// The newest unsaved work on offer.
    pub fn offered(&self) -> Option<PendingProject> {
        Some(self.recovery.as_ref()?.offers().first()?.draft())
    }

    /// Throws the newest unsaved work on offer away.
    pub fn discard_offered(&mut self) {
        if let Some(recovery) = &mut self.recovery {
            recovery.discard();
        }
    }

    /// What the window says of it.
    pub fn news(&self, session: &Session) -> DocumentStatus {
        let offers = self.recovery.as_ref().map_or(&[][..], RecoveryFolder::offers);
        DocumentStatus {
            project: self.file.as_ref().map(|_| self.name(session)),
            is_unsaved: self.is_unsaved(session),
            unsaved_work: offers.first().map(|offer| UnsavedWork {
                name: offer.work.name.clone(),
                age: offer.work.age_text(),
                more: offers.len() - 1,
            }),
            missing_head: self.headless.as_ref().map(|(draft, problem)| MissingHead {
                project: draft.name(),
                problem: match draft.project.head.source() {
                    Source::Embedded => problem.clone(),
                    Source::File(path) => format!("{problem}. It was at {}", path.display()),
                },
            }),
            lost_takes: self.unresolved.lost_takes(&session.edits),
        }
    }

    /// Where to save the project, if the artist has no other idea: where it is, else beside the head.
    pub fn suggested_place(&self, session: &Session, ending: &str) -> PathBuf {
        let folder = match (&self.file, &session.source) {
            (Some(file), _) | (None, Source::File(file)) => file.parent().map(Path::to_owned),
            (None, Source::Embedded) => None,
        };
        let home = || {
            let user = directories::UserDirs::new()?;
            Some(user.document_dir().unwrap_or(user.home_dir()).to_owned())
        };
        let folder = folder.or_else(home).unwrap_or_default();
        let is_plain = |letter: &char| !matches!(letter, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '\0');
        let name: String = self.name(session).chars().filter(is_plain).collect();
        folder.join(format!("{name}{ending}"))
    }

    /// Where to save the project.
    pub fn suggested_project(&self, session: &Session) -> PathBuf {
        self.file
            .clone()
            .unwrap_or_else(|| self.suggested_place(session, &format!(".{}", file_kind::PROJECT.extension())))
    }

    fn work(&self, session: &Session) -> RecoveryRecord {
        RecoveryRecord::new(self.name(session), self.file.clone(), Project::of(session, &self.unresolved))
    }
}
