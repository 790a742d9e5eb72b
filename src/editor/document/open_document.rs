//! The document that is open in the window: the session, the project file it is saved in, and the autosave of unsaved
//! work.
//!
//! Edits are not announced: the document compares the session with what it last saw, as undo does. Only what an artist
//! would miss counts as unsaved work. Touched sliders, the camera and the playback settings are saved with it, but
//! changing them does not make a document unsaved.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::autosave::{Autosave, Snapshot, ViewSnapshot};
use super::on_disk::{FileState, ProjectFile};
use super::project::{PendingProject, Project, TakeFiles};
use super::recording::{Places, Recordings};
use super::recovery::{RecoveryFolder, RecoveryRecord, Rescue, UnsavedWork, WorkPicture, WorkPlace};
use smirk_base::date::{date_and_time, now_unix_secs};
use smirk_base::file_kind;
use smirk_base::names::safe_file_name;
use smirk_face::head::{Head, Note, ShapeFile};
use smirk_session::{Edits, HeadSource, Session, WorkId};

/// The session, where it is saved, and what of it is not saved yet.
#[derive(Debug)]
pub struct Document {
    pub session: Session,
    pub(super) file: Option<ProjectFile>,
    /// What the project file holds; without a file, the session as its head opened. None if the file is known to
    /// differ.
    pub(super) saved: Option<Snapshot>,
    /// The session in the last [`Self::update`], to notice edits.
    last_seen: Snapshot,
    last_view: ViewSnapshot,
    /// What came along from the head before this one, and the listed work that holds all of it.
    carried_over: Option<(Snapshot, WorkId)>,
    pub(super) autosave: Autosave,
    pub(super) recovery: Option<RecoveryFolder>,
    /// A project whose head file does not open, and why.
    project_without_head: Option<(PendingProject, String)>,
    pub(super) recordings: Recordings,
    /// The last autosave failed, and the artist has been told.
    pub(super) is_warned: bool,
    pub(super) attention: Attention,
    /// The work that was open before another head was opened.
    replaced: Option<PendingProject>,
    /// When the recovery folder is looked at again, and how often still: a program that was killed may take some
    /// seconds to end, and its work counts as in use until then.
    look_again: Option<(Instant, u32)>,
    /// How many heads and projects have taken the place of the work before them.
    opened: u64,
    /// What was on screen, for the list of unsaved work, and the edits that it shows.
    pub(super) picture: Option<(WorkPicture, Snapshot)>,
}

impl Document {
    /// A document of a session that was just opened. Without a recovery folder, nothing is autosaved.
    pub fn new(session: Session, recovery: Option<RecoveryFolder>) -> Self {
        let unsaved = recovery.as_ref().map(|recovery| recovery.folder().with_file_name("takes"));
        let run = date_and_time(now_unix_secs()).replace(':', "-");
        let places = Places { unsaved, run };
        Self {
            file: None,
            saved: Some(Snapshot::take(&session)),
            last_seen: Snapshot::take(&session),
            last_view: ViewSnapshot::take(&session),
            carried_over: None,
            autosave: Autosave::default(),
            recovery,
            project_without_head: None,
            recordings: Recordings { places, ..Recordings::default() },
            is_warned: false,
            attention: Attention::Earlier,
            replaced: None,
            look_again: None,
            opened: 0,
            picture: None,
            session,
        }
    }

    /// A number that changes whenever a head of another file or a project is opened, so that an answer about the work
    /// before is not used for the work that has replaced it.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    pub fn file(&self) -> Option<&Path> {
        self.file.as_ref().map(ProjectFile::path)
    }

    /// Whether the session holds work that this window has not saved, or whose file is gone.
    pub fn is_unsaved(&self) -> bool {
        self.file_state() == FileState::Missing
            || !self.recordings.is_empty()
            || self.saved.as_ref().is_none_or(|saved| !saved.has_work_of(&self.session))
    }

    /// The name of the project, else of the head.
    pub fn name(&self) -> String {
        match self.file().and_then(Path::file_stem) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => self.session.head.name.clone(),
        }
    }

    pub fn title(&self) -> String {
        let mark = if self.is_unsaved() { "• " } else { "" };
        let state = match self.file_state() {
            FileState::Same => "",
            FileState::Changed => " (changed on disk)",
            FileState::Missing => " (deleted on disk)",
        };
        format!("{mark}{}{state} — Smirk", self.name())
    }

    /// Puts another head into the session, without the work on the one before, which can be gone back to. Unsaved work
    /// becomes a recovery offer first; if that fails, the session stays as it is.
    pub fn open_head_anew(&mut self, head: Arc<Head>, source: HeadSource) -> Result<(), SetAsideError> {
        let set_aside = if self.is_unsaved() { self.set_aside()? } else { None };
        self.replaced = self.before(set_aside);
        self.opened += 1;
        self.session.start_anew(head, source);
        (self.file, self.carried_over, self.project_without_head) = (None, None, None);
        self.mark_saved();
        Ok(())
    }

    /// The work that another head replaces, to go back to it: from the file of unsaved work, if it was set aside.
    fn before(&mut self, set_aside: Option<WorkId>) -> Option<PendingProject> {
        if let Some(id) = set_aside {
            return self.unsaved_project(id).ok();
        }
        let known = self.file.as_ref().and_then(ProjectFile::known);
        let project = Project::from_session(&self.session);
        Some(PendingProject {
            project,
            file: self.file().map(Path::to_owned),
            known,
            recovery_file: None,
            is_changed: false,
        })
    }

    /// Takes the work that was open before another head was. What was undone since is done again, so that it is kept as
    /// unsaved work when that is opened.
    pub fn take_replaced(&mut self) -> Option<PendingProject> {
        let replaced = self.replaced.take()?;
        while self.session.redo() {}
        Some(replaced)
    }

    /// Puts another head into the session. Sliders are not carried over to it, unless it is the same file read again
    /// and still has their channels; unsaved work that would be lost becomes a recovery offer first. If that fails, the
    /// session stays as it is. The head of another file does not belong to the project that was open: saving asks for a
    /// file of its own.
    pub fn open_head(&mut self, head: Arc<Head>, source: HeadSource) -> Result<(), SetAsideError> {
        let was_unsaved = self.is_unsaved();
        let is_other_file = self.session.source != source;
        let loses_work = is_other_file || self.session.has_more_than(&head);
        let set_aside = if was_unsaved && loses_work { self.set_aside()? } else { None };
        if is_other_file {
            let has_work = !self.session.work_in_words().is_empty();
            self.replaced = if has_work { self.before(set_aside) } else { None };
        }
        self.session.replace_head(head, source);
        if is_other_file {
            self.file = None;
            self.opened += 1;
        }
        if loses_work {
            self.carried_over = set_aside.map(|id| (Snapshot::take(&self.session), id));
        }
        if self.file.is_none() && !was_unsaved {
            self.mark_saved();
        }
        self.project_without_head = None;
        Ok(())
    }

    /// Puts the head into the session that was read from its changed files, with the same shapes. Nothing that the
    /// artist made is lost by it, and what was saved counts as saved.
    pub fn reload_head(&mut self, head: Arc<Head>) {
        self.renew_snapshots(&head);
        self.session.reload(head);
    }

    /// Adds shapes to the head: `head` is the same with them.
    pub fn add_shapes(&mut self, head: Arc<Head>, shapes: Vec<ShapeFile>) {
        self.renew_snapshots(&head);
        self.session.add_shapes(head, shapes);
    }

    /// What was remembered of the edits follows the head to another state of it.
    fn renew_snapshots(&mut self, head: &Arc<Head>) {
        let before = self.session.head.clone();
        let follow = Edits::following(&before, head);
        let carried_over = self.carried_over.iter_mut().map(|(snapshot, _)| snapshot);
        let picture = self.picture.iter_mut().map(|(_, snapshot)| snapshot);
        let snapshots = self.saved.iter_mut().chain([&mut self.last_seen]).chain(carried_over).chain(picture);
        for snapshot in snapshots.filter(|snapshot| snapshot.is_of(&self.session)) {
            snapshot.change(&follow);
        }
    }

    /// Puts the head into the session that has these shapes instead of those that were added to it before.
    pub fn show_with_shapes(&mut self, head: Arc<Head>, shapes: Vec<ShapeFile>) {
        self.renew_snapshots(&head);
        self.session.show_with_shapes(head, shapes);
    }

    /// Records the files whose shapes are on the head that was just opened.
    pub fn set_shapes(&mut self, shapes: Vec<ShapeFile>) {
        let was_saved = !self.is_unsaved();
        self.session.set_shapes(shapes);
        if was_saved {
            self.mark_saved();
        }
    }

    fn mark_saved(&mut self) {
        self.saved = Some(Snapshot::take(&self.session));
        self.last_seen = Snapshot::take(&self.session);
    }

    /// Notices edits, once a frame, and autosaves them when they are due. Returns what the artist is to be told: that
    /// autosaving begins to fail, and which work of other programs cannot be read.
    pub fn update(&mut self, now: Instant) -> WorkProblems {
        let unread = self.find_work_of_ended_programs(now);
        let not_kept = self.check_last_write(now);
        let is_edited = !self.last_seen.is_in(&self.session);
        if is_edited {
            self.last_seen = Snapshot::take(&self.session);
        }
        let view = ViewSnapshot::take(&self.session);
        let has_other_view = self.last_view != view;
        self.last_view = view;
        let saved = self.saved.as_ref().and_then(|saved| saved.edits_for(&self.session));
        self.session.saved_edits = saved;
        let is_unsaved = self.is_unsaved();
        if is_edited || (has_other_view && is_unsaved) {
            self.autosave.edited(now);
        }
        self.update_rescue(is_unsaved, is_edited || has_other_view);
        WorkProblems { not_kept: not_kept.or_else(|| self.autosave_if_due(now)), unread }
    }

    /// Looks again for work that other programs held when this one began, every second for half a minute. Returns a
    /// message on each file that cannot be read.
    fn find_work_of_ended_programs(&mut self, now: Instant) -> Vec<String> {
        const LOOKS: u32 = 30;
        let Some(recovery) = self.recovery.as_mut().filter(|recovery| recovery.in_use() > 0) else {
            return Vec::new();
        };
        let (at, left) = *self.look_again.get_or_insert((now + Duration::from_secs(1), LOOKS));
        if left == 0 || now < at {
            return Vec::new();
        }
        self.look_again = Some((now + Duration::from_secs(1), left - 1));
        recovery.find_work()
    }

    /// Keeps the copy up to date that is written if the program ends without closing the document.
    fn update_rescue(&mut self, is_unsaved: bool, is_changed: bool) {
        let Some(rescue) = self.recovery.as_ref().map(RecoveryFolder::rescue) else { return };
        if !is_unsaved {
            rescue.keep(None);
        } else if is_changed || !rescue.is_kept() {
            rescue.keep(Some(self.record()));
        }
    }

    /// Writes the unsaved work when the program ends without closing the document. `None` if nothing is autosaved.
    pub fn rescue(&self) -> Option<Rescue> {
        self.recovery.as_ref().map(|recovery| recovery.rescue().clone())
    }

    fn check_last_write(&mut self, now: Instant) -> Option<String> {
        match self.recovery.as_mut()?.finished_write()? {
            Ok(()) => {
                self.is_warned = false;
                None
            }
            Err(problem) => {
                self.autosave.failed(now);
                self.warn(problem)
            }
        }
    }

    fn autosave_if_due(&mut self, now: Instant) -> Option<String> {
        if !self.autosave.is_pending() {
            return None;
        }
        let is_unsaved = self.is_unsaved();
        if !is_unsaved {
            self.autosave.done();
            if let Some(recovery) = &mut self.recovery {
                recovery.clear();
            }
            return None;
        }
        let is_writing = self.recovery.as_ref().is_some_and(RecoveryFolder::is_writing);
        if !self.autosave.is_due(now) || is_writing {
            return None;
        }
        self.autosave.done();
        let record = self.record();
        match &mut self.recovery {
            Some(recovery) => {
                recovery.start_write(record);
                None
            }
            None => self.warn_once(&NotKept::NoFolder),
        }
    }

    /// How long until [`Self::update`] is due, if it is due without another event.
    pub fn next_update_in(&self, now: Instant) -> Option<Duration> {
        const WRITE_POLL_INTERVAL: Duration = Duration::from_millis(200);
        if self.recovery.as_ref().is_some_and(RecoveryFolder::is_writing) {
            return Some(WRITE_POLL_INTERVAL);
        }
        let is_in_use = self.recovery.as_ref().is_some_and(|recovery| recovery.in_use() > 0);
        let look = self.look_again.filter(|(_, left)| is_in_use && *left > 0);
        let look_in = look.map(|(at, _)| at.saturating_duration_since(now));
        self.autosave.due_in(now).into_iter().chain(look_in).min()
    }

    /// The files that are open: the head with the files beside it, shapes, captures and the project. No output replaces
    /// them.
    pub fn files(&self) -> Vec<PathBuf> {
        let beside_head = self.session.head.side_files.iter().cloned();
        Project::from_session(&self.session)
            .files()
            .into_iter()
            .chain(beside_head)
            .chain(self.recordings.files())
            .chain(self.file().map(Path::to_owned))
            .collect()
    }

    /// Replaces the session by `session`, which holds the head of `pending`, with the project applied to it. Unsaved
    /// work becomes a recovery offer first; if that fails, the session stays as it is. Returns notes on what the head
    /// or the disk lacks.
    pub fn open_project(
        &mut self,
        pending: &PendingProject,
        session: Session,
        takes: &TakeFiles,
    ) -> Result<Vec<Note>, SetAsideError> {
        if pending.recovery_file.is_some() {
            self.attention = Attention::None;
        }
        if self.is_unsaved() {
            self.set_aside()?;
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.clear();
            if let Some(path) = &pending.recovery_file {
                recovery.take_over(path);
            }
        }
        self.opened += 1;
        self.session = session;
        let notes = pending.project.apply(&mut self.session, takes);
        self.file = pending.file.clone().map(|path| ProjectFile::new(path, pending.known));
        self.mark_saved();
        self.autosave.done();
        if pending.is_changed {
            self.saved = None;
            self.autosave.edited(Instant::now());
        }
        (self.project_without_head, self.replaced) = (None, None);
        Ok(notes)
    }

    /// Turns the work in the session into listed unsaved work, unless listed work holds all of it already. Returns
    /// which.
    fn set_aside(&mut self) -> Result<Option<WorkId>, SetAsideError> {
        let record = self.record();
        let Some(recovery) = &mut self.recovery else { return Ok(None) };
        let is_offered =
            |id: WorkId| recovery.works().iter().any(|work| work.id == id && work.place == WorkPlace::Offered);
        if let Some((snapshot, id)) = &self.carried_over
            && snapshot.is_in(&self.session)
            && is_offered(*id)
        {
            return Ok(Some(*id));
        }
        let id = recovery.set_aside(&record);
        let id = id.map_err(|source| SetAsideError { name: record.name.clone(), source })?;
        self.attention = Attention::SetAside(record.name);
        self.picture = None;
        Ok(Some(id))
    }

    /// Keeps a project whose head file does not open, until the artist locates the head or dismisses the project.
    pub fn set_project_without_head(&mut self, pending: PendingProject, problem: String) {
        self.project_without_head = Some((pending, problem));
    }

    pub fn project_without_head(&self) -> Option<&PendingProject> {
        self.project_without_head.as_ref().map(|(pending, _)| pending)
    }

    /// Forgets the project whose head was to be located.
    pub fn dismiss_project_without_head(&mut self) {
        self.project_without_head = None;
    }

    pub fn status(&self) -> DocumentStatus {
        DocumentStatus {
            project: self.file.as_ref().map(|_| self.name()),
            file_state: self.file_state(),
            is_unsaved: self.is_unsaved(),
            works: self.recovery.as_ref().map(|recovery| recovery.works().clone()).unwrap_or_default(),
            works_in_use: self.recovery.as_ref().map_or(0, RecoveryFolder::in_use),
            work_hint: self.work_hint(),
            replaced: self.replaced.as_ref().map(PendingProject::name),
            missing_head: self.project_without_head.as_ref().map(|(pending, problem)| MissingHead {
                project: pending.name(),
                problem: match pending.project.head.source() {
                    HeadSource::Embedded => problem.clone(),
                    HeadSource::File(path) => format!("{problem}. It was at {}", path.display()),
                },
            }),
        }
    }

    /// The project as the file at `path` is to hold it, and why recordings of it cannot be copied beside that file.
    pub(super) fn project_at(&self, path: &Path) -> (Project, Vec<String>) {
        let mut project = Project::from_session(&self.session);
        let left_behind = self.recordings.move_to(path, &mut project.edits.takes);
        (project, left_behind)
    }

    pub(super) fn record(&self) -> RecoveryRecord {
        let mut project = Project::from_session(&self.session);
        let map = self.session.live_map().unwrap_or_default();
        project.edits.takes.extend(self.recordings.takes(&map));
        let file = self.file().map(Path::to_owned);
        let known = self.file.as_ref().and_then(ProjectFile::known);
        let picture = self.picture.as_ref().map(|(picture, _)| picture.clone());
        let head = self.session.head.name.clone();
        RecoveryRecord { known, head, picture, ..RecoveryRecord::new(self.name(), file, project) }
    }
}

impl Document {
    /// A path to suggest for a new file: beside the project, else beside the head, else in the user's documents folder.
    /// Its name is that of the document with `suffix`.
    pub fn suggested_path(&self, suffix: &str) -> PathBuf {
        let head = match &self.session.source {
            HeadSource::File(file) => Some(file.as_path()),
            HeadSource::Embedded => None,
        };
        let folder = self.file().or(head).and_then(Path::parent).map(Path::to_owned);
        let folder = folder.or_else(|| {
            let user = directories::UserDirs::new()?;
            Some(user.document_dir().unwrap_or(user.home_dir()).to_owned())
        });
        let folder = folder.unwrap_or_default();
        folder.join(safe_file_name(&self.name(), suffix))
    }

    pub fn suggested_project_path(&self) -> PathBuf {
        let extension = file_kind::PROJECT.extension();
        self.file().map(Path::to_owned).unwrap_or_else(|| self.suggested_path(&format!(".{extension}")))
    }
}

/// Messages to the artist about unsaved work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkProblems {
    /// Why the work in the window is not autosaved.
    pub not_kept: Option<String>,
    /// Why files of unsaved work cannot be read.
    pub unread: Vec<String>,
}

/// Unsaved work is not in the recovery folder, so that closing the window or a crash would lose it.
#[derive(Debug, Error)]
pub enum NotKept {
    #[error("Unsaved work cannot be written to {}: {source}", folder.display())]
    Unwritable { folder: PathBuf, source: io::Error },
    #[error("Unsaved work has no folder: this user has no home folder, and SMIRK_CONFIG_DIR names no other")]
    NoFolder,
}

/// Unsaved work could not be written to the recovery folder, so what was opened does not replace it.
#[derive(Debug, Error)]
#[error(
    "The unsaved work on {name} could not be set aside: {source}. It is still in the window. Save the project, or make room \
     on the disk, then try again"
)]
pub struct SetAsideError {
    pub name: String,
    pub source: io::Error,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentStatus {
    /// The name of the open project, if the document has been saved as one.
    pub project: Option<String>,
    /// How the project's file compares with what this window read from it or saved in it last.
    pub file_state: FileState,
    /// The session holds work that the project file does not.
    pub is_unsaved: bool,
    /// Unsaved work that can be restored, and what is in the trash.
    pub works: Arc<[UnsavedWork]>,
    pub works_in_use: usize,
    /// What the window says about unsaved work.
    pub work_hint: Option<WorkHint>,
    /// The name of what was open before another head was opened, if the artist can go back to it.
    pub replaced: Option<String>,
    /// A project that cannot open until its head file is located.
    pub missing_head: Option<MissingHead>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkHint {
    /// Earlier runs of the program left some.
    Earlier,
    /// So many works were moved to the trash together.
    Trashed(usize),
    /// What was opened last has replaced the work of this name.
    SetAside(String),
}

/// What the artist is told about unsaved work without asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attention {
    None,
    /// That earlier runs have left some.
    Earlier,
    /// That these were moved to the trash together, which can be undone.
    Trashed(Vec<WorkId>),
    /// That work of this name was replaced by what was opened last.
    SetAside(String),
}

/// A project whose head file does not open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingHead {
    pub project: String,
    pub problem: String,
}
