//! What lies on the artist's desk: the project in the window, whether it is saved, and the work that is not.
//!
//! Nobody announces an edit. The desk keeps what it last saw and compares, as undo does. Only edits count as work; where
//! the camera stands and what plays is saved with them.

mod autosave;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::head::Note;
use crate::project::{Draft, EXTENSION, Project, ProjectError, Strays, TakeFiles};
use crate::readout::{FileNews, MissingHead, UnsavedWork};
use crate::recovery::{Recovery, Work};
use crate::session::{Edits, Session, Source};

use autosave::Autosave;

/// The part of a session that is work.
#[derive(Clone, Debug, PartialEq)]
struct Kept {
    source: Source,
    edits: Edits,
}

impl Kept {
    fn of(session: &Session) -> Self {
        Self { source: session.source.clone(), edits: session.edits.clone() }
    }

    fn is_in(&self, session: &Session) -> bool {
        self.source == session.source && self.edits == session.edits
    }
}

/// The project in the window.
#[derive(Debug)]
pub struct Desk {
    file: Option<PathBuf>,
    /// What the file holds; without a file, what the head opened with. None if it is known to hold something else.
    saved: Option<Kept>,
    seen: Kept,
    strays: Strays,
    autosave: Autosave,
    recovery: Option<Recovery>,
    /// A project whose head is gone, and why it does not open.
    headless: Option<(Draft, String)>,
    /// Autosaving failed, and the artist knows.
    is_warned: bool,
}

impl Desk {
    /// A session that was just opened. Without recovery, nothing is autosaved.
    pub fn new(session: &Session, recovery: Option<Recovery>) -> Self {
        Self {
            file: None,
            saved: Some(Kept::of(session)),
            seen: Kept::of(session),
            strays: Strays::default(),
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

    /// Another head took the place of the one in the session; `was_unsaved` says how things stood before.
    pub fn head_changed(&mut self, session: &Session, was_unsaved: bool) {
        if self.file.is_none() && !was_unsaved {
            self.saved = Some(Kept::of(session));
            self.seen = Kept::of(session);
        }
        self.headless = None;
    }

    /// Looks at the session once a frame, and keeps its work safe a moment after the last edit. A message if that fails, once.
    pub fn follow(&mut self, session: &Session, now: Instant) -> Option<String> {
        if !self.seen.is_in(session) {
            self.seen = Kept::of(session);
            self.autosave.edited(now);
        }
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
        let is_news = !std::mem::replace(&mut self.is_warned, true);
        is_news.then(|| format!("{problem}. Save the project; until then a crash would lose your work"))
    }

    /// How long until [`Self::follow`] has something to do that no event announces.
    pub fn alarm(&self, now: Instant) -> Option<Duration> {
        self.recovery.as_ref()?;
        self.autosave.alarm(now)
    }

    /// The program ends: unsaved work stays for the next start.
    pub fn close(&mut self, session: &Session) -> std::io::Result<()> {
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
        Project::of(session, &self.strays).write(path)?;
        self.file = Some(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        self.saved = Some(Kept::of(session));
        self.autosave.done();
        if let Some(recovery) = &mut self.recovery {
            recovery.forget();
        }
        Ok(())
    }

    /// Puts a project into a session of its head. Unsaved work that it takes the place of is kept, and offered; `was` is the
    /// session it was in. What the head or the disk lacks is told.
    pub fn open(&mut self, draft: &Draft, was: &Session, session: &mut Session, takes: &TakeFiles) -> Vec<Note> {
        let is_lost = self.is_unsaved(was).then(|| self.work(was));
        let mut notes = Vec::new();
        if let Some(recovery) = &mut self.recovery {
            match is_lost.map(|work| recovery.set_aside(work)) {
                Some(Err(error)) => notes.push(Note::warning("unsaved work", format!("could not be kept: {error}"))),
                Some(Ok(())) => {}
                None => recovery.forget(),
            }
            if let Some(path) = &draft.recovered {
                recovery.adopt(path);
            }
        }
        let (strays, told) = draft.project.apply(session, takes);
        notes.extend(told);
        self.strays = strays;
        self.file.clone_from(&draft.file);
        self.saved = (!draft.is_changed).then(|| Kept::of(session));
        self.seen = Kept::of(session);
        self.autosave.done();
        if draft.is_changed {
            self.autosave.edited(Instant::now());
        }
        self.headless = None;
        notes
    }

    /// Adds imported takes to a session. One that a project lost is mapped as it was.
    pub fn import_takes(&mut self, session: &mut Session, takes: Vec<crate::motion::Take>) {
        let first = session.edits.takes.len();
        session.add_takes(takes);
        for entry in &mut session.edits.takes[first..] {
            if let Some(record) = self.strays.claim_take(&entry.take.name) {
                entry.map = record.map.fitted(&entry.take, &session.head, &session.edits.aliases);
            }
        }
    }

    /// Keeps a project whose head is gone until the artist says where it is.
    pub fn await_head(&mut self, draft: Draft, problem: String) {
        self.headless = Some((draft, problem));
    }

    /// The project that waits for its head.
    pub fn headless(&self) -> Option<&Draft> {
        self.headless.as_ref().map(|(draft, _)| draft)
    }

    /// The artist does without the project that waits for its head.
    pub fn give_up_headless(&mut self) {
        self.headless = None;
    }

    /// The newest unsaved work on offer.
    pub fn offered(&self) -> Option<Draft> {
        Some(self.recovery.as_ref()?.offers().first()?.draft())
    }

    /// Throws the newest unsaved work on offer away.
    pub fn discard_offered(&mut self) {
        if let Some(recovery) = &mut self.recovery {
            recovery.discard();
        }
    }

    /// What the window says of it.
    pub fn news(&self, session: &Session) -> FileNews {
        let offers = self.recovery.as_ref().map_or(&[][..], Recovery::offers);
        FileNews {
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
        self.file.clone().unwrap_or_else(|| self.suggested_place(session, &format!(".{EXTENSION}")))
    }

    fn work(&self, session: &Session) -> Work {
        Work::new(self.name(session), self.file.clone(), Project::of(session, &self.strays))
    }
}
