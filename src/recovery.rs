//! Work that is on no disk yet, kept where a program that was killed leaves it to the next one.
//!
//! Every running program has one file in the recovery folder, and holds a lock on another beside it. A file whose lock is free
//! was left behind.

use std::fs::{File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::json;
use crate::project::{Draft, Project};

/// Unsaved work, and what to say of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Work {
    /// What the artist knew it as: the project's name, or the head's.
    pub name: String,
    /// The project it is to be saved in.
    pub project_file: Option<PathBuf>,
    /// When it was kept, in seconds since 1970.
    pub kept_unix_secs: u64,
    /// The work.
    pub project: Project,
}

impl Work {
    /// Work as it is now.
    pub fn new(name: String, project_file: Option<PathBuf>, project: Project) -> Self {
        Self { name, project_file, kept_unix_secs: now_unix_secs(), project }
    }

    /// How long ago it was kept, in words.
    pub fn age_text(&self) -> String {
        let minutes = now_unix_secs().saturating_sub(self.kept_unix_secs) / 60;
        let (count, unit) = match minutes {
            0 => return "a moment ago".into(),
            1..60 => (minutes, "minute"),
            60..1440 => (minutes / 60, "hour"),
            _ => (minutes / 1440, "day"),
        };
        format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
    }
}

fn now_unix_secs() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// A file for work, and the lock that says whose it is.
#[derive(Debug)]
struct Slot {
    path: PathBuf,
    /// Held for as long as this is. Never read.
    _lock: File,
}

impl Slot {
    /// A new one, held.
    fn create(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let nanos = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let path = folder.join(format!("work-{}-{nanos}.json", std::process::id()));
        Self::claim(path)?.ok_or_else(|| io::Error::new(ErrorKind::AlreadyExists, "another program works there"))
    }

    /// Takes hold of one, unless somebody else does. Where the system has no locks, nobody does.
    fn claim(path: PathBuf) -> io::Result<Option<Self>> {
        let lock = File::options().write(true).create(true).truncate(false).open(lock_path(&path))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Some(Self { path, _lock: lock })),
        }
    }

    fn clear(&self) {
        // It may never have been written.
        let _ = std::fs::remove_file(&self.path);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        if !self.path.exists() {
            let _ = std::fs::remove_file(lock_path(&self.path));
        }
    }
}

fn lock_path(path: &Path) -> PathBuf {
    path.with_extension("lock")
}

/// Work that an earlier run, or an earlier project of this one, did not save.
#[derive(Debug)]
pub struct Offer {
    slot: Slot,
    /// The work.
    pub work: Work,
}

impl Offer {
    /// The work as a project to open.
    pub fn draft(&self) -> Draft {
        Draft {
            project: self.work.project.clone(),
            file: self.work.project_file.clone(),
            recovered: Some(self.slot.path.clone()),
            is_changed: true,
        }
    }
}

/// The recovery folder, as one running program uses it.
#[derive(Debug)]
pub struct Recovery {
    folder: PathBuf,
    own: Option<Slot>,
    writing: Option<JoinHandle<io::Result<()>>>,
    /// Newest first.
    offers: Vec<Offer>,
}

impl Recovery {
    /// Where work is kept: `recovery` in `SMIRK_CONFIG_DIR`, else in the user's data folder.
    pub fn default_folder() -> Option<PathBuf> {
        let folder = match std::env::var_os("SMIRK_CONFIG_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => directories::ProjectDirs::from("", "", "smirk")?.data_local_dir().to_owned(),
        };
        Some(folder.join("recovery"))
    }

    /// Looks for work that was left behind. With a word for the artist about what could not be read, which is set aside.
    pub fn open(folder: PathBuf) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let mut offers = Vec::new();
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let files = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|is| is == "json"));
        for path in files {
            let Ok(Some(slot)) = Slot::claim(path) else { continue };
            match read(&slot.path) {
                Ok(Some(work)) => offers.push(Offer { slot, work }),
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
        offers
            .sort_by(|a: &Offer, b| (b.work.kept_unix_secs, &b.slot.path).cmp(&(a.work.kept_unix_secs, &a.slot.path)));
        (Self { folder, own: None, writing: None, offers }, problems)
    }

    /// Work that waits for a word, newest first.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// Whether the disk is still busy with what was kept last.
    pub fn is_writing(&self) -> bool {
        self.writing.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Keeps work in this program's file, beside the window's own work. An error is the last write's, or that there can be none.
    pub fn keep(&mut self, work: &Work) -> io::Result<()> {
        self.settle()?;
        let text = serde_json::to_string(work)?;
        let path = self.own_slot()?.path.clone();
        let write = move || atomic::write(&path, text.as_bytes());
        self.writing = Some(std::thread::Builder::new().name("recovery".into()).spawn(write)?);
        Ok(())
    }

    /// Keeps work before the program goes on.
    pub fn keep_now(&mut self, work: &Work) -> io::Result<()> {
        // This write does what an earlier one may have failed to do.
        let _ = self.settle();
        let text = serde_json::to_string(work)?;
        atomic::write(&self.own_slot()?.path, text.as_bytes())
    }

    /// Everything is saved: nothing needs keeping.
    pub fn forget(&mut self) {
        let _ = self.settle();
        if let Some(own) = &self.own {
            own.clear();
        }
    }

    /// Keeps work that something else takes the place of, and offers it at once.
    pub fn set_aside(&mut self, work: Work) -> io::Result<()> {
        self.keep_now(&work)?;
        if let Some(slot) = self.own.take() {
            self.offers.insert(0, Offer { slot, work });
        }
        Ok(())
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

    fn own_slot(&mut self) -> io::Result<&Slot> {
        let slot = match self.own.take() {
            Some(slot) => slot,
            None => Slot::create(&self.folder)?,
        };
        Ok(self.own.insert(slot))
    }

    /// Waits for the write under way, and says how it went.
    fn settle(&mut self) -> io::Result<()> {
        match self.writing.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            Some(Err(_)) => Err(io::Error::other("the thread that writes it stopped")),
            None => Ok(()),
        }
    }
}

impl Drop for Recovery {
    fn drop(&mut self) {
        // A program that ends waits until the file is whole.
        let _ = self.settle();
    }
}

/// None: gone meanwhile, or written by a later program, which will know what to do with it.
fn read(path: &Path) -> Result<Option<Work>, String> {
    let text = match std::fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| error.to_string())?,
    };
    let work: Work = json::from_text(&text)?;
    Ok(Some(work).filter(|work| !work.project.is_newer()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(name: &str, kept_unix_secs: u64) -> Work {
        Work { kept_unix_secs, ..Work::new(name.into(), Some("/work/walk.smirk".into()), Project::default()) }
    }

    fn count(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    fn names(recovery: &Recovery) -> Vec<&str> {
        recovery.offers().iter().map(|offer| offer.work.name.as_str()).collect()
    }

    #[test]
    fn what_a_killed_program_left_is_offered_and_what_a_running_one_keeps_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (mut running, problems) = Recovery::open(folder.path().join("deep/recovery"));
        assert!(running.offers().is_empty() && problems.is_empty());
        running.keep(&work("ada", 7)).unwrap();
        running.keep(&work("ada", 8)).unwrap();
        while running.is_writing() {
            std::thread::yield_now();
        }
        assert!(Recovery::open(running.folder.clone()).0.offers().is_empty(), "its lock is held");
        let at = running.folder.clone();
        drop(running);
        let (next, problems) = Recovery::open(at.clone());
        assert_eq!((next.offers()[0].work.clone(), problems), (work("ada", 8), Vec::new()));
        assert!(Recovery::open(at).0.offers().is_empty(), "one program offers it, not two");
    }

    #[test]
    fn nothing_is_left_when_everything_is_saved() {
        let folder = tempfile::tempdir().unwrap();
        let (mut recovery, _) = Recovery::open(folder.path().to_owned());
        recovery.keep(&work("ada", 7)).unwrap();
        recovery.forget();
        drop(recovery);
        assert_eq!(count(folder.path()), 0);
    }

    #[test]
    fn offers_come_newest_first_and_are_taken_up_or_thrown_away() {
        let folder = tempfile::tempdir().unwrap();
        for (name, secs) in [("old", 1), ("newest", 3), ("middle", 2)] {
            Recovery::open(folder.path().to_owned()).0.keep_now(&work(name, secs)).unwrap();
        }
        let (mut recovery, _) = Recovery::open(folder.path().to_owned());
        assert_eq!(names(&recovery), ["newest", "middle", "old"]);
        recovery.discard();
        let draft = recovery.offers()[0].draft();
        assert_eq!((draft.file.clone(), draft.is_changed), (Some("/work/walk.smirk".into()), true));
        recovery.adopt(&draft.recovered.unwrap());
        recovery.keep_now(&work("middle, further on", 4)).unwrap();
        assert_eq!(names(&recovery), ["old"]);
        recovery.set_aside(work("laid by", 5)).unwrap();
        assert_eq!(names(&recovery), ["laid by", "old"]);
        drop(recovery);
        let (left, _) = Recovery::open(folder.path().to_owned());
        assert_eq!(names(&left), ["laid by", "old"], "on another run too");
        drop(left);
        assert_eq!(count(folder.path()), 4, "two files and their locks");
    }

    #[test]
    fn broken_work_is_set_aside_and_later_versions_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let newer = serde_json::to_string(&work("later", 1)).unwrap().replace(r#""version":1"#, r#""version":2"#);
        std::fs::write(folder.path().join("a.json"), newer).unwrap();
        std::fs::write(folder.path().join("b.json"), "{ half a fi").unwrap();
        let (recovery, problems) = Recovery::open(folder.path().to_owned());
        assert!(recovery.offers().is_empty());
        assert!(problems.len() == 1 && problems[0].contains("b.json.broken"), "{problems:?}");
        assert!(folder.path().join("a.json").exists() && folder.path().join("b.json.broken").exists());
    }

    #[test]
    fn age_is_told_in_the_largest_unit() {
        let now = now_unix_secs();
        let texts = [0, 61, 3 * 3600 + 5, 49 * 3600].map(|ago| work("ada", now - ago).age_text());
        assert_eq!(texts, ["a moment ago", "1 minute ago", "3 hours ago", "2 days ago"]);
    }
}
