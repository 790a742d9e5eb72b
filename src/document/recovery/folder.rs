//! The recovery folder: unsaved work on disk, where the next run of the program finds it after a crash.
//!
//! Every running program writes its unsaved work to one file in this folder, and holds a lock on a second file beside it. A file
//! whose lock is free was left by a program that has ended: it is offered to the artist, unless it is more than 30 days old or
//! 20 newer ones exist, in which case it is deleted.

use std::io;
use std::path::{Path, PathBuf};

use crate::document::PendingProject;
use crate::folders;
use crate::job::{Job, OnDrop};

use super::locked_file::LockedFile;
use super::own_file::OwnFile;
use super::record::RecoveryRecord;
use super::rescue::Rescue;

/// Unsaved work of an earlier run, or of a project that this run had open before. The artist can restore or discard it.
#[derive(Debug)]
pub struct RecoveryOffer {
    file: LockedFile,
    /// The work.
    pub record: RecoveryRecord,
}

impl RecoveryOffer {
    /// The file that holds it.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The work as a project that can be opened.
    pub fn pending_project(&self) -> PendingProject {
        PendingProject {
            project: self.record.project.clone(),
            file: self.record.project_file.clone(),
            known: self.record.known,
            recovery_file: Some(self.file.path.clone()),
            is_changed: true,
        }
    }
}

/// The recovery folder, as one running program uses it.
#[derive(Debug)]
pub struct RecoveryFolder {
    folder: PathBuf,
    /// The write under way. Declared before the locks, so that it is joined before its file is unlocked.
    writing: Option<Job<io::Result<()>>>,
    own: OwnFile,
    rescue: Rescue,
    /// The newest first.
    offers: Vec<RecoveryOffer>,
}

impl RecoveryFolder {
    /// The folder of the windows of this user. `None` if the user has no home folder.
    pub fn default_folder() -> Option<PathBuf> {
        Some(folders::data()?.join("recovery"))
    }

    /// Work older than this is deleted.
    const MAX_AGE_SECS: u64 = 30 * 24 * 60 * 60;
    /// If there are more offers, the oldest are deleted.
    const MAX_OFFERS: usize = 20;

    /// Finds the work that earlier runs left in the folder. Returns a message for the artist on each file that could not be read;
    /// such a file is renamed, not deleted.
    pub fn open(folder: PathBuf) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut offers = Vec::new();
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|is| is == "json"));
        for path in files {
            let Ok(Some(file)) = LockedFile::claim(path) else { continue };
            match RecoveryRecord::read(&file.path) {
                Ok(Some(record)) => offers.push(RecoveryOffer { file, record }),
                Ok(None) => {}
                Err(problem) => {
                    let renamed = file.path.with_extension("json.broken");
                    let fate = match std::fs::rename(&file.path, &renamed) {
                        Ok(()) => format!("kept as {}", renamed.display()),
                        Err(error) => format!("and could not be set aside: {error}"),
                    };
                    problems
                        .push(format!("unsaved work in {} cannot be read ({problem}); {fate}", file.path.display()));
                }
            }
        }
        offers.sort_by(|a: &RecoveryOffer, b| {
            (b.record.written_unix_secs, &b.file.path).cmp(&(a.record.written_unix_secs, &a.file.path))
        });
        let is_stale = |(index, offer): (usize, &RecoveryOffer)| {
            index >= Self::MAX_OFFERS || offer.record.age_secs() > Self::MAX_AGE_SECS
        };
        let kept_count = offers.iter().enumerate().position(is_stale).unwrap_or(offers.len());
        offers.drain(kept_count..).for_each(|offer| offer.file.delete());
        let own = OwnFile::in_folder(&folder);
        (Self { rescue: Rescue::new(own.clone()), folder, own, writing: None, offers }, problems)
    }

    /// Writes unsaved work when the program ends without its window being closed.
    pub(crate) fn rescue(&self) -> &Rescue {
        &self.rescue
    }

    /// Where the work is written.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// This program's file, if there is one.
    pub(crate) fn own_path(&self) -> Option<PathBuf> {
        self.own.path()
    }

    /// Work that can be restored, the newest first.
    pub fn offers(&self) -> &[RecoveryOffer] {
        &self.offers
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
        let write = move || own.write(&record).map(drop);
        self.writing = Some(Job::spawn("recovery", OnDrop::Join, || {}, move |_| write()));
    }

    /// Writes work into this program's file, and returns when that is done.
    pub fn write_now(&mut self, record: &RecoveryRecord) -> io::Result<()> {
        let _ = self.wait();
        self.own.write(record).map(drop)
    }

    /// Deletes this program's file, since all work is saved.
    pub fn clear(&mut self) {
        let _ = self.wait();
        self.own.delete();
    }

    /// Writes work that is about to be replaced, and makes it an offer.
    pub fn set_aside(&mut self, record: RecoveryRecord) -> io::Result<&RecoveryOffer> {
        self.write_now(&record)?;
        let file = match self.own.take() {
            Some(file) => file,
            None => LockedFile::create(&self.folder)?,
        };
        self.offers.insert(0, RecoveryOffer { file, record });
        Ok(&self.offers[0])
    }

    /// Makes the file of an offer this program's own, since the work is being restored.
    pub fn take_over(&mut self, path: &Path) {
        if let Some(index) = self.offers.iter().position(|offer| offer.file.path == path) {
            self.clear();
            self.own.replace(self.offers.remove(index).file);
        }
    }

    /// Deletes the newest offer.
    pub fn discard_newest(&mut self) {
        if !self.offers.is_empty() {
            self.offers.remove(0).file.delete();
        }
    }

    /// Waits for the write under way, and returns its result.
    fn wait(&mut self) -> io::Result<()> {
        let outcome = self.writing.take().map_or(Ok(Ok(())), Job::wait);
        outcome.unwrap_or_else(|error| Err(io::Error::other(error)))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::super::record;
    use super::*;
    use crate::document::Project;

    /// A record that was written so many seconds after these tests began.
    fn record_of(name: &str, secs: u64) -> RecoveryRecord {
        static START_UNIX_SECS: LazyLock<u64> = LazyLock::new(record::now_unix_secs);
        RecoveryRecord {
            written_unix_secs: *START_UNIX_SECS + secs,
            ..RecoveryRecord::new(name.into(), Some("/projects/walk.smirk".into()), Project::default())
        }
    }

    fn count(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    fn names(recovery: &RecoveryFolder) -> Vec<&str> {
        recovery.offers().iter().map(|offer| offer.record.name.as_str()).collect()
    }

    #[test]
    fn work_of_a_killed_program_is_offered_and_work_of_a_running_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (mut running, problems) = RecoveryFolder::open(folder.path().join("deep/recovery"));
        assert!(running.offers().is_empty() && problems.is_empty());
        running.start_write(record_of("ada", 7));
        running.start_write(record_of("ada", 8));
        while running.finished_write().is_none() {
            std::thread::yield_now();
        }
        assert!(RecoveryFolder::open(running.folder.clone()).0.offers().is_empty(), "its lock is held");
        let at = running.folder.clone();
        drop(running);
        let (next, problems) = RecoveryFolder::open(at.clone());
        assert_eq!((next.offers()[0].record.clone(), problems), (record_of("ada", 8), Vec::new()));
        assert!(RecoveryFolder::open(at).0.offers().is_empty(), "one program offers it, not two");
    }

    #[test]
    fn no_file_is_left_once_all_work_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let (mut recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        recovery.start_write(record_of("ada", 7));
        recovery.clear();
        drop(recovery);
        assert_eq!(count(folder.path()), 0);
    }

    #[test]
    fn offers_are_sorted_by_age_and_can_be_restored_or_discarded() {
        let folder = tempfile::tempdir().unwrap();
        for (name, secs) in [("old", 1), ("newest", 3), ("middle", 2)] {
            RecoveryFolder::open(folder.path().to_owned()).0.write_now(&record_of(name, secs)).unwrap();
        }
        let (mut recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!(names(&recovery), ["newest", "middle", "old"]);
        recovery.discard_newest();
        let pending = recovery.offers()[0].pending_project();
        assert_eq!((pending.file.clone(), pending.is_changed), (Some("/projects/walk.smirk".into()), true));
        recovery.take_over(&pending.recovery_file.unwrap());
        recovery.write_now(&record_of("middle, further on", 4)).unwrap();
        assert_eq!(names(&recovery), ["old"]);
        recovery.set_aside(record_of("set aside", 5)).unwrap();
        assert_eq!(names(&recovery), ["set aside", "old"]);
        drop(recovery);
        let (left, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!(names(&left), ["set aside", "old"], "in another run too");
        drop(left);
        assert_eq!(count(folder.path()), 4, "two files and their locks");
    }

    #[test]
    fn work_is_rescued_into_the_file_of_this_program_and_only_while_it_is_unsaved() {
        let folder = tempfile::tempdir().unwrap();
        let (mut recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        let rescue = recovery.rescue().clone();
        assert!(rescue.write().is_none(), "no work yet");
        recovery.write_now(&record_of("ada", 7)).unwrap();
        rescue.keep(Some(record_of("ada", 8)));
        let path = std::thread::spawn(move || rescue.write()).join().unwrap().unwrap().unwrap();
        assert_eq!(RecoveryRecord::read(&path), Ok(Some(record_of("ada", 8))));
        assert_eq!(count(folder.path()), 2, "one file and its lock");
        recovery.rescue().keep(None);
        assert!(recovery.rescue().write().is_none(), "saved");
    }

    #[test]
    fn a_broken_file_is_renamed_and_one_of_a_later_version_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let newer =
            r#"{"project":{"smirk":"project","version":2,"sliders":["another","type"]},"kept_unix_secs":1e300}"#;
        std::fs::write(folder.path().join("a.json"), newer).unwrap();
        std::fs::write(folder.path().join("b.json"), "{ half a fi").unwrap();
        let (recovery, problems) = RecoveryFolder::open(folder.path().to_owned());
        assert!(recovery.offers().is_empty());
        assert!(problems.len() == 1 && problems[0].contains("b.json.broken"), "{problems:?}");
        assert!(folder.path().join("a.json").exists() && folder.path().join("b.json.broken").exists());
    }

    #[test]
    fn old_and_surplus_offers_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |record: RecoveryRecord| RecoveryFolder::open(folder.path().to_owned()).0.write_now(&record).unwrap();
        let long_ago = |days: u64| record::now_unix_secs() - days * 24 * 60 * 60;
        write(RecoveryRecord { written_unix_secs: long_ago(31), ..record_of("stale", 0) });
        write(RecoveryRecord { written_unix_secs: long_ago(29), ..record_of("old", 0) });
        (0..19).for_each(|secs| write(record_of("recent", secs)));
        let (recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!((recovery.offers().len(), names(&recovery)[19]), (20, "old"));
        drop(recovery);
        assert_eq!(count(folder.path()), 40, "and their locks");
        write(record_of("newest", 20));
        let (recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!((names(&recovery)[0], names(&recovery)[19]), ("newest", "recent"), "the twenty newest");
    }
}
