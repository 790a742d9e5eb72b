//! The recovery folder: unsaved work on disk, where the next run of the program finds it after a crash.
//!
//! Every running program writes its unsaved work to one file in this folder, and holds a lock file beside it. Work of a
//! program that has ended is offered to the artist, for as long as it takes: Smirk deletes none unasked. What the
//! artist does not want goes to the trash inside the folder, which alone is bounded.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::PendingProject;
use smirk_base::job::{Job, OnDrop};
use smirk_base::{atomic_file, folders, regular_file};
use smirk_session::WorkId;

use super::locked_file::{Claim, LockedFile};
use super::own_file::{OwnFile, Rescue};
use super::record::{RecoveryRecord, WorkSummary};
use super::trash::Trash;
use super::work::{UnsavedWork, Work, WorkFile};

/// The recovery folder, as one running program uses it.
#[derive(Debug)]
pub struct RecoveryFolder {
    folder: PathBuf,
    /// The write under way. Declared before the locks, so that it is joined before its file is unlocked.
    writing: Option<Job<io::Result<()>>>,
    own: OwnFile,
    rescue: Rescue,
    /// Work that can be restored, then the trash; the newest first.
    works: Vec<Work>,
    /// The same as the panels show it.
    shown: Arc<[UnsavedWork]>,
    /// How much work in the folder belongs to other windows.
    in_use: usize,
    last_id: u64,
    /// The messages that the artist was given.
    reported: HashSet<String>,
}

/// The file with the name of the work that the next start goes on with.
const NEXT: &str = "next";
/// A longer name was not written by Smirk.
const MAX_NEXT_BYTES: u64 = 1 << 10;

impl RecoveryFolder {
    /// How many works the trash keeps. Smirk deletes the oldest beyond that.
    pub const TRASH_WORKS: usize = Trash::MAX_WORKS;
    pub const TRASH_BYTES: u64 = Trash::MAX_BYTES;

    /// The folder of the windows of this user. `None` if the user has no home folder.
    pub fn default_folder() -> Option<PathBuf> {
        Some(folders::data()?.join("recovery"))
    }

    /// Finds the work that earlier runs left in the folder. Returns a message for the artist on each file that could
    /// not be read; such a file is renamed, not deleted.
    pub fn open(folder: PathBuf) -> (Self, Vec<String>) {
        let own = OwnFile::in_folder(&folder);
        let mut recovery = Self {
            rescue: Rescue::new(own.clone()),
            own,
            writing: None,
            works: Vec::new(),
            shown: Arc::default(),
            in_use: 0,
            last_id: 0,
            reported: HashSet::new(),
            folder,
        };
        let problems = recovery.find_work();
        (recovery, problems)
    }

    /// Finds the work that other runs have left since, and what is in the trash. Returns messages as [`Self::open`]
    /// does.
    pub fn refresh(&mut self) -> Vec<String> {
        self.works.retain(|work| work.path().exists() && matches!(work.file, WorkFile::Held(_)));
        let problems = self.find_trash();
        let mut problems = self.unreported(problems);
        problems.extend(self.find_work());
        problems
    }

    /// Lists what is in the trash. Returns messages on what cannot be read.
    fn find_trash(&mut self) -> Vec<String> {
        let trash = Trash::in_folder(&self.folder);
        let files = match trash.files() {
            Ok(files) => files,
            Err(error) => return vec![format!("the trash {} cannot be read: {error}", trash.folder().display())],
        };
        let mut problems = Vec::new();
        for (number, path) in files {
            match WorkSummary::read(&path) {
                Ok(Some(summary)) => {
                    self.add(WorkFile::Trashed(path, number), summary);
                }
                Ok(None) => {}
                // Another window has put it back or deleted it meanwhile.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => problems.push(format!("{} in the trash cannot be read: {error}", path.display())),
            }
        }
        problems
    }

    /// Finds the work of programs that have ended since. Returns messages as [`Self::open`] does.
    pub fn find_work(&mut self) -> Vec<String> {
        let mut problems = Vec::new();
        self.in_use = 0;
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    problems.push(format!("the folder {} cannot be read: {error}", self.folder.display()));
                }
                return self.unreported(problems);
            }
        };
        let own = self.own.path();
        for path in entries.flatten().map(|entry| entry.path()) {
            let extension = path.extension().unwrap_or_default();
            if extension == "lock" {
                LockedFile::remove_stale_lock(&path);
            } else if extension == "json"
                && own.as_ref() != Some(&path)
                && self.works.iter().all(|work| work.path() != path)
            {
                problems.extend(self.find(&path).err());
            }
        }
        self.list();
        self.unreported(problems)
    }

    /// Lists a file of the folder if no other program uses it. An error is a message for the artist.
    fn find(&mut self, path: &Path) -> Result<(), String> {
        let summary = match regular_file::check(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(format!("{} is skipped: {error}", path.display())),
            Ok(_) => WorkSummary::read(path),
        };
        if matches!(summary, Ok(None)) {
            return Ok(());
        }
        let claim = LockedFile::claim(path);
        let claim = claim.map_err(|error| format!("unsaved work in {} is left as it is: {error}", path.display()))?;
        match (claim, summary) {
            (Claim::Gone, _) | (_, Ok(None)) => {}
            (Claim::InUse, _) => self.in_use += 1,
            (Claim::Claimed(file), Ok(Some(summary))) => {
                self.add(WorkFile::Held(file), summary);
            }
            (Claim::Claimed(file), Err(problem)) => {
                let renamed = path.with_extension("json.broken");
                let fate = match fs::rename(&file.path, &renamed) {
                    Ok(()) => format!("kept as {}", renamed.display()),
                    Err(error) => format!("and could not be set aside: {error}"),
                };
                return Err(format!("unsaved work in {} cannot be read ({problem}); {fate}", path.display()));
            }
        }
        Ok(())
    }

    /// The messages that were not given before.
    fn unreported(&mut self, problems: Vec<String>) -> Vec<String> {
        problems.into_iter().filter(|problem| self.reported.insert(problem.clone())).collect()
    }

    fn add(&mut self, file: WorkFile, summary: WorkSummary) -> WorkId {
        self.last_id += 1;
        let id = WorkId(self.last_id);
        self.works.push(Work { id, file, summary });
        id
    }

    fn list(&mut self) {
        self.works.sort_by_key(Work::rank);
        self.shown = self.works.iter().map(Work::shown).collect();
    }

    /// Writes unsaved work when the program ends without its window being closed.
    pub fn rescue(&self) -> &Rescue {
        &self.rescue
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn own_path(&self) -> Option<PathBuf> {
        self.own.path()
    }

    /// All work that can be restored, then what is in the trash; the newest first.
    pub fn works(&self) -> &Arc<[UnsavedWork]> {
        &self.shown
    }

    /// How much work in the folder belongs to other windows that are open.
    pub fn in_use(&self) -> usize {
        self.in_use
    }

    /// Whether a write is under way, or its result was not fetched yet with [`Self::finished_write`].
    pub fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// The result of the last write, once, when it has ended.
    pub fn finished_write(&mut self) -> Option<io::Result<()>> {
        let outcome = self.writing.as_mut()?.poll()?;
        self.writing = None;
        Some(outcome.unwrap_or_else(|error| Err(io::Error::other(error))))
    }

    /// Starts to write work into this program's file; [`Self::finished_write`] returns the result.
    pub fn start_write(&mut self, record: RecoveryRecord) {
        // A failure of the write before is of no interest: this one replaces it.
        let _ = self.wait();
        let own = self.own.clone();
        self.writing = Some(Job::spawn("recovery", OnDrop::Join, || {}, move |_| own.write(&record).map(drop)));
    }

    /// Writes work into this program's file, and returns when that is done.
    pub fn write_now(&mut self, record: &RecoveryRecord) -> io::Result<()> {
        let _ = self.wait();
        self.own.write(record).map(drop)
    }

    pub fn clear(&mut self) {
        let _ = self.wait();
        self.own.delete();
    }

    /// Writes work that is about to be replaced, and lists it.
    pub fn set_aside(&mut self, record: &RecoveryRecord) -> io::Result<WorkId> {
        self.write_now(record)?;
        let file = self.own.take().ok_or_else(gone)?;
        let summary = WorkSummary::new(record, &file.path);
        let id = self.add(WorkFile::Held(file), summary);
        self.list();
        Ok(id)
    }

    /// Lets the next start of the program go on with this program's work.
    pub fn go_on_next(&self) -> io::Result<()> {
        let Some(name) = self.own.path().and_then(|path| path.file_name()?.to_str().map(str::to_owned)) else {
            return Ok(());
        };
        atomic_file::write(&self.folder.join(NEXT), name.as_bytes())
    }

    /// The work that the next start was to go on with. It is told once: should the program end over it, another start
    /// only offers it.
    pub fn take_next(&self) -> Option<WorkId> {
        let next = self.folder.join(NEXT);
        let name = regular_file::read(&next, MAX_NEXT_BYTES).ok()?;
        fs::remove_file(&next).ok()?;
        let is_next = |work: &&Work| {
            matches!(work.file, WorkFile::Held(_))
                && work.path().file_name().is_some_and(|it| it.as_encoded_bytes() == name)
        };
        self.works.iter().find(is_next).map(|work| work.id)
    }

    /// Makes the file of listed work this program's own, since the work is being restored.
    pub fn take_over(&mut self, path: &Path) {
        let Some(index) = self.works.iter().position(|work| work.path() == path) else { return };
        if let Work { file: WorkFile::Held(file), .. } = self.works.remove(index) {
            self.clear();
            self.own.replace(file);
        }
        self.list();
    }

    /// Reads listed work as a project that can be opened. Work in the trash is put back first.
    pub fn project(&mut self, id: WorkId) -> io::Result<PendingProject> {
        if self.is_in_trash(id) {
            self.put_back(id)?;
        }
        let path = match &self.work(id)?.file {
            WorkFile::Held(file) => file.path.clone(),
            WorkFile::Trashed(..) => return Err(gone()),
        };
        let record = RecoveryRecord::read(&path).map_err(|error| at(&path, error))?;
        let record = record.ok_or_else(gone)?;
        Ok(PendingProject {
            project: record.project,
            file: record.project_file,
            known: record.known,
            recovery_file: Some(path),
            is_changed: true,
        })
    }

    /// Moves work to the trash. If that is full, its oldest work is deleted.
    pub fn trash(&mut self, id: WorkId) -> io::Result<()> {
        let trash = Trash::in_folder(&self.folder);
        let work = self.work(id)?;
        match &work.file {
            WorkFile::Held(file) => {
                let (number, place) = trash.put(&file.path).map_err(|error| at(&file.path, error))?;
                work.file = WorkFile::Trashed(place, number);
            }
            WorkFile::Trashed(..) => {}
        }
        let deleted = trash.delete_surplus();
        self.works.retain(|work| !deleted.iter().any(|path| path == work.path()));
        self.list();
        Ok(())
    }

    pub fn put_back(&mut self, id: WorkId) -> io::Result<()> {
        let folder = self.folder.clone();
        let work = self.work(id)?;
        if let WorkFile::Trashed(path, _) = &work.file {
            match LockedFile::move_here(path, &folder).map_err(|error| at(path, error))? {
                Some(file) => work.file = WorkFile::Held(file),
                None => {
                    self.works.retain(|work| work.id != id);
                    self.list();
                    return Err(gone());
                }
            }
        }
        self.list();
        Ok(())
    }

    pub fn delete(&mut self, id: WorkId) -> io::Result<()> {
        if self.is_in_trash(id) {
            let path = self.work(id)?.path().to_owned();
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(at(&path, error)),
                _ => self.works.retain(|work| work.id != id),
            }
            self.list();
        }
        Ok(())
    }

    pub fn empty_trash(&mut self) -> io::Result<()> {
        let trashed: Vec<WorkId> = self.works.iter().map(|work| work.id).filter(|&id| self.is_in_trash(id)).collect();
        trashed.into_iter().try_for_each(|id| self.delete(id))
    }

    fn is_in_trash(&self, id: WorkId) -> bool {
        self.works.iter().any(|work| work.id == id && matches!(work.file, WorkFile::Trashed(..)))
    }

    fn work(&mut self, id: WorkId) -> io::Result<&mut Work> {
        self.works.iter_mut().find(|work| work.id == id).ok_or_else(gone)
    }

    fn wait(&mut self) -> io::Result<()> {
        let outcome = self.writing.take().map_or(Ok(Ok(())), Job::wait);
        outcome.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

fn gone() -> io::Error {
    io::Error::new(ErrorKind::NotFound, "it is no longer there: another window has restored or deleted it")
}

fn at(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
