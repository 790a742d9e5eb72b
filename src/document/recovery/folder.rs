//! Work that is on no disk yet, kept where a program that was killed leaves it to the next one.
//!
//! Every running program has one file in the recovery folder, and holds a lock on another beside it. A file whose lock is free
//! was left behind: it is offered, unless it is more than 30 days old or 20 newer ones are there. Those are thrown away.

use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file;
use crate::document::PendingProject;
use crate::job::{Job, OnDrop};

use super::locked_file::LockedFile;
use super::record::RecoveryRecord;

/// Work that an earlier run, or an earlier project of this one, did not save.
#[derive(Debug)]
pub struct RecoveryOffer {
    slot: LockedFile,
    /// The work.
    pub work: RecoveryRecord,
}

impl RecoveryOffer {
    /// The file it is in.
    pub fn path(&self) -> &Path {
        &self.slot.path
    }

    /// The work as a project to open.
    pub fn draft(&self) -> PendingProject {
        PendingProject {
            project: self.work.project.clone(),
            file: self.work.project_file.clone(),
            recovery_file: Some(self.slot.path.clone()),
            is_changed: true,
        }
    }
}

/// The recovery folder, as one running program uses it.
#[derive(Debug)]
pub struct RecoveryFolder {
    folder: PathBuf,
    /// Dropped, and so waited for, before the lock on the file that is written.
    writing: Option<Job<io::Result<()>>>,
    own: Option<LockedFile>,
    /// Newest first.
    offers: Vec<RecoveryOffer>,
}

impl RecoveryFolder {
    /// Where work is kept: `recovery` in `SMIRK_CONFIG_DIR`, else in the user's data folder.
    pub fn default_folder() -> Option<PathBuf> {
        let folder = match std::env::var_os("SMIRK_CONFIG_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => directories::ProjectDirs::from("", "", "smirk")?.data_local_dir().to_owned(),
        };
        Some(folder.join("recovery"))
    }

    /// Work older than this is not offered any more.
    const OLDEST_SECS: u64 = 30 * 24 * 60 * 60;
    /// Nor is work when so many newer offers wait.
    const MOST_OFFERS: usize = 20;

    /// Looks for work that was left behind. With a word for the artist about what could not be read, which is set aside.
    pub fn open(folder: PathBuf) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut offers = Vec::new();
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|is| is == "json"));
        for path in files {
            let Ok(Some(slot)) = LockedFile::claim(path) else { continue };
            match RecoveryRecord::read(&slot.path) {
                Ok(Some(work)) => offers.push(RecoveryOffer { slot, work }),
                Ok(None) => {}
                Err(problem) => {
                    let aside = slot.path.with_extension("json.broken");
                    let fate = match std::fs::rename(&slot.path, &aside) {
                        Ok(()) => format!("kept as {}", aside.display()),
                        Err(error) => format!("and could not be set aside: {error}"),
                    };
                    problems
                        .push(format!("unsaved work in {} cannot be read ({problem}); {fate}", slot.path.display()));
                }
            }
        }
        offers.sort_by(|a: &RecoveryOffer, b| {
            (b.work.kept_unix_secs, &b.slot.path).cmp(&(a.work.kept_unix_secs, &a.slot.path))
        });
        let is_stale = |(place, offer): (usize, &RecoveryOffer)| {
            place >= Self::MOST_OFFERS || offer.work.age_secs() > Self::OLDEST_SECS
        };
        let kept = offers.iter().enumerate().position(is_stale).unwrap_or(offers.len());
        offers.drain(kept..).for_each(|offer| offer.slot.clear());
        (Self { folder, own: None, writing: None, offers }, problems)
    }

    /// Work that waits for a word, newest first.
    pub fn offers(&self) -> &[RecoveryOffer] {
        &self.offers
    }

    /// Whether a write is under way, or [`Self::written`] has not told yet how it went.
    pub fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// How the last write went, once, when it is over.
    pub fn written(&mut self) -> Option<io::Result<()>> {
        let outcome = self.writing.as_mut()?.poll()?;
        self.writing = None;
        Some(outcome.unwrap_or_else(|error| Err(io::Error::other(error))))
    }

    /// Begins to write work into this program's file; [`Self::written`] tells how it went. An error: it could not begin.
    pub fn keep(&mut self, work: &RecoveryRecord) -> io::Result<()> {
        // This write does what an earlier one may have failed to do.
        let _ = self.settle();
        let text = serde_json::to_string(work)?;
        let path = self.own_slot()?.path.clone();
        let write = move || atomic_file::write(&path, text.as_bytes());
        self.writing = Some(Job::spawn("recovery", OnDrop::Join, || {}, move |_| write()));
        Ok(())
    }

    /// Keeps work before the program goes on.
    pub fn keep_now(&mut self, work: &RecoveryRecord) -> io::Result<()> {
        let _ = self.settle();
        let text = serde_json::to_string(work)?;
        atomic_file::write(&self.own_slot()?.path, text.as_bytes())
    }

    /// Everything is saved: nothing needs keeping.
    pub fn forget(&mut self) {
        let _ = self.settle();
        if let Some(own) = &self.own {
            own.clear();
        }
    }

    /// Keeps work that something else takes the place of, and offers it at once.
    pub fn set_aside(&mut self, work: RecoveryRecord) -> io::Result<&RecoveryOffer> {
        self.keep_now(&work)?;
        let slot = match self.own.take() {
            Some(slot) => slot,
            None => LockedFile::create(&self.folder)?,
        };
        self.offers.insert(0, RecoveryOffer { slot, work });
        Ok(&self.offers[0])
    }

    /// The work that was offered in this file is in the window now: the file is this program's own.
    pub fn adopt(&mut self, path: &Path) {
        if let Some(place) = self.offers.iter().position(|offer| offer.slot.path == path) {
            self.forget();
            self.own = Some(self.offers.remove(place).slot);
        }
    }

    /// Throws the newest offer away.
    pub fn discard(&mut self) {
        if !self.offers.is_empty() {
            self.offers.remove(0).slot.clear();
        }
    }

    fn own_slot(&mut self) -> io::Result<&LockedFile> {
        let slot = match self.own.take() {
            Some(slot) => slot,
            None => LockedFile::create(&self.folder)?,
        };
        Ok(self.own.insert(slot))
    }

    /// Waits for the write under way, and says how it went.
    fn settle(&mut self) -> io::Result<()> {
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

    /// Kept so many seconds after these tests began.
    fn work(name: &str, secs: u64) -> RecoveryRecord {
        static BEGINNING_UNIX_SECS: LazyLock<u64> = LazyLock::new(record::now_unix_secs);
        RecoveryRecord {
            kept_unix_secs: *BEGINNING_UNIX_SECS + secs,
            ..RecoveryRecord::new(name.into(), Some("/projects/walk.smirk".into()), Project::default())
        }
    }

    fn count(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    fn names(recovery: &RecoveryFolder) -> Vec<&str> {
        recovery.offers().iter().map(|offer| offer.work.name.as_str()).collect()
    }

    #[test]
    fn what_a_killed_program_left_is_offered_and_what_a_running_one_keeps_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (mut running, problems) = RecoveryFolder::open(folder.path().join("deep/recovery"));
        assert!(running.offers().is_empty() && problems.is_empty());
        running.keep(&work("ada", 7)).unwrap();
        running.keep(&work("ada", 8)).unwrap();
        while running.written().is_none() {
            std::thread::yield_now();
        }
        assert!(RecoveryFolder::open(running.folder.clone()).0.offers().is_empty(), "its lock is held");
        let at = running.folder.clone();
        drop(running);
        let (next, problems) = RecoveryFolder::open(at.clone());
        assert_eq!((next.offers()[0].work.clone(), problems), (work("ada", 8), Vec::new()));
        assert!(RecoveryFolder::open(at).0.offers().is_empty(), "one program offers it, not two");
    }

    #[test]
    fn nothing_is_left_when_everything_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let (mut recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        recovery.keep(&work("ada", 7)).unwrap();
        recovery.forget();
        drop(recovery);
        assert_eq!(count(folder.path()), 0);
    }

    #[test]
    fn offers_come_newest_first_and_are_taken_up_or_thrown_away() {
        let folder = tempfile::tempdir().unwrap();
        for (name, secs) in [("old", 1), ("newest", 3), ("middle", 2)] {
            RecoveryFolder::open(folder.path().to_owned()).0.keep_now(&work(name, secs)).unwrap();
        }
        let (mut recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!(names(&recovery), ["newest", "middle", "old"]);
        recovery.discard();
        let draft = recovery.offers()[0].draft();
        assert_eq!((draft.file.clone(), draft.is_changed), (Some("/projects/walk.smirk".into()), true));
        recovery.adopt(&draft.recovery_file.unwrap());
        recovery.keep_now(&work("middle, further on", 4)).unwrap();
        assert_eq!(names(&recovery), ["old"]);
        recovery.set_aside(work("laid by", 5)).unwrap();
        assert_eq!(names(&recovery), ["laid by", "old"]);
        drop(recovery);
        let (left, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!(names(&left), ["laid by", "old"], "on another run too");
        drop(left);
        assert_eq!(count(folder.path()), 4, "two files and their locks");
    }

    #[test]
    fn broken_work_is_set_aside_and_later_versions_are_left_alone() {
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
    fn offers_that_nobody_takes_up_do_not_pile_up() {
        let folder = tempfile::tempdir().unwrap();
        let keep = |work: RecoveryRecord| RecoveryFolder::open(folder.path().to_owned()).0.keep_now(&work).unwrap();
        let long_ago = |days: u64| record::now_unix_secs() - days * 24 * 60 * 60;
        keep(RecoveryRecord { kept_unix_secs: long_ago(31), ..work("stale", 0) });
        keep(RecoveryRecord { kept_unix_secs: long_ago(29), ..work("old", 0) });
        (0..19).for_each(|secs| keep(work("recent", secs)));
        let (recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!((recovery.offers().len(), names(&recovery)[19]), (20, "old"));
        drop(recovery);
        assert_eq!(count(folder.path()), 40, "and their locks");
        keep(work("newest", 20));
        let (recovery, _) = RecoveryFolder::open(folder.path().to_owned());
        assert_eq!((names(&recovery)[0], names(&recovery)[19]), ("newest", "recent"), "the twenty newest");
    }
}
