//! Files that are open here while other programs write them: whether they have changed, and whether the writing has
//! ended.
//!
//! ```text
//! folders (notify) ── something happened ──► debounce: stamps do not change any more ──► the files are read again
//!                                                  ▲                                           │
//!                                                  └── reading: stamps from before they were read
//! ```
//!
//! An event only says when to look: stamps decide. So nothing depends on which events a program causes that writes in
//! pieces, or into a temporary file that it renames; and where a system reports no events, a look at any other time
//! finds the same. A file has changed if its stamp is not the one from before it was read, so that a change during a
//! reading leads to another.

mod debounce;
mod folders;
mod reading;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use debounce::Debounce;
use folders::Folders;
pub use folders::NotWatched;
use reading::Stamp;
pub use reading::{FilesRead, Reading, before_reading};

/// Called on another thread when something may have happened.
type Notify = Arc<Mutex<dyn Fn() + Send>>;

/// The files that were read, and what happens to them.
pub struct FileWatch {
    notify: Notify,
    files: Vec<PathBuf>,
    folders: Option<Folders>,
    debounce: Debounce,
}

impl FileWatch {
    /// Watches nothing yet. `notify` is called on another thread when something may have happened to a file.
    pub fn new(notify: impl Fn() + Send + 'static) -> Self {
        Self { notify: Arc::new(Mutex::new(notify)), files: Vec::new(), folders: None, debounce: Debounce::default() }
    }

    /// Watches these files instead of those before. `read` has their stamps from before they were read. A file that it
    /// does not have counts as read when the last change was taken, if it was watched then; else as one that was not
    /// there.
    ///
    /// An error if the system does not report changes; [`Self::look_soon`] finds them nevertheless.
    pub fn follow(&mut self, files: Vec<PathBuf>, read: &FilesRead, now: Instant) -> Result<(), NotWatched> {
        let stamps = files.iter().map(|file| self.stamp_as_read(file, read)).collect();
        (self.files, self.debounce) = (files, Debounce::new(stamps));
        let watched = self.watch();
        // What was written before the folders were watched caused no event.
        self.look_soon(now);
        watched
    }

    /// Watches other files in addition, which were just read. A change of the others that was not taken yet is still
    /// one.
    pub fn follow_also(&mut self, files: Vec<PathBuf>, read: &FilesRead, now: Instant) -> Result<(), NotWatched> {
        for file in files {
            if !self.files.contains(&file) {
                self.debounce.add(self.stamp_as_read(&file, read));
                self.files.push(file);
            }
        }
        let watched = self.watch();
        self.look_soon(now);
        watched
    }

    pub fn stop(&mut self) {
        (self.files, self.folders, self.debounce) = (Vec::new(), None, Debounce::default());
    }

    /// Looks at the files soon, as after an event. Without any, there is nothing to look at.
    pub fn look_soon(&mut self, now: Instant) {
        if !self.files.is_empty() {
            self.debounce.expect_change(self.stamps(), now);
        }
    }

    /// Whether the files have changed since they were read and are at rest now; once for every change.
    pub fn take_change(&mut self, now: Instant) -> bool {
        if self.folders.as_ref().is_some_and(Folders::take_event) {
            self.look_soon(now);
        }
        let is_changed = self.debounce.is_due(now) && self.debounce.take_change(self.stamps(), now);
        if is_changed {
            // A folder that was deleted and made again is another one to the system.
            let _ = self.watch();
            // What was written between the look and that caused no event.
            self.look_soon(now);
        }
        is_changed
    }

    /// How long until [`Self::take_change`] is to be asked again without an event.
    pub fn due_in(&self, now: Instant) -> Option<Duration> {
        self.debounce.due_in(now)
    }

    fn stamps(&self) -> Vec<Stamp> {
        self.files.iter().map(|file| Stamp::read(file)).collect()
    }

    /// The stamp of a file from before it was read.
    fn stamp_as_read(&self, file: &Path, read: &FilesRead) -> Stamp {
        let mut before = self.files.iter().zip(self.debounce.read());
        let stamp = read.stamp_of(file).or_else(|| before.find(|(path, _)| *path == file).map(|(_, stamp)| *stamp));
        stamp.unwrap_or_default()
    }

    fn watch(&mut self) -> Result<(), NotWatched> {
        self.folders = None;
        if !self.files.is_empty() {
            self.folders = Some(Folders::watch(&self.files, self.notify.clone())?);
        }
        self.folders.as_ref().map_or(Ok(()), Folders::report_network)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// No test waits for so long unless it fails.
    const LONG: Duration = Duration::from_secs(60);

    /// What follows files, its events, and the time, which passes only where a test says so.
    struct Follower {
        watch: FileWatch,
        events: Receiver<()>,
        now: Instant,
    }

    impl Follower {
        fn new() -> Self {
            let (send, events) = channel();
            let watch = FileWatch::new(move || {
                let _ = send.send(());
            });
            Self { watch, events, now: Instant::now() }
        }

        fn follow(&mut self, files: &[&Path], read: &FilesRead) -> Result<(), NotWatched> {
            self.watch.follow(files.iter().map(|&file| file.to_owned()).collect(), read, self.now)
        }

        /// Whether there is a change, without another event.
        fn has_change(&mut self) -> bool {
            loop {
                if self.watch.take_change(self.now) {
                    return true;
                }
                match self.watch.due_in(self.now) {
                    Some(due) => self.now += due,
                    None => return false,
                }
            }
        }

        /// Waits until there is a change: each event is a reason to look again.
        fn wait_for_change(&mut self) {
            while !self.has_change() {
                self.events.recv_timeout(LONG).expect("an event");
            }
        }
    }

    /// Reads one file. `meanwhile` runs once it is read.
    fn reading(file: &Path, meanwhile: impl FnOnce()) -> (String, FilesRead) {
        let reading = Reading::begin();
        before_reading(file);
        let text = std::fs::read_to_string(file).unwrap();
        meanwhile();
        (text, reading.end())
    }

    /// Replaces a file by one that is renamed.
    fn replace(file: &Path, text: &str) {
        let temporary = file.with_extension("tmp");
        std::fs::write(&temporary, text).unwrap();
        std::fs::rename(&temporary, file).unwrap();
    }

    #[test]
    fn a_watch_of_no_files_is_never_due() {
        let mut follower = Follower::new();
        follower.watch.look_soon(follower.now);
        assert_eq!(follower.watch.due_in(follower.now), None);
        follower.follow(&[Path::new("head.glb")], &FilesRead::from_files([])).ok();
        assert!(follower.watch.due_in(follower.now).is_some());
        follower.watch.stop();
        follower.watch.look_soon(follower.now);
        assert_eq!(follower.watch.due_in(follower.now), None);
    }

    #[test]
    fn a_file_that_is_replaced_by_a_renamed_one_has_changed_once_and_others_are_no_matter() {
        let folder = tempfile::tempdir().unwrap();
        let (head, other) = (folder.path().join("head.glb"), folder.path().join("render.png"));
        std::fs::write(&head, "one").unwrap();
        let mut follower = Follower::new();
        follower.follow(&[&head], &reading(&head, || {}).1).unwrap();
        assert!(!follower.has_change(), "nothing has happened");
        std::fs::write(&other, "a picture").unwrap();
        replace(&head, "two");
        follower.wait_for_change();
        assert!(!follower.has_change(), "once for every change");
        // The folder is made again, as some exporters do it.
        std::fs::remove_dir_all(folder.path()).unwrap();
        follower.wait_for_change();
        std::fs::create_dir(folder.path()).unwrap();
        std::fs::write(&head, "three").unwrap();
        follower.watch.look_soon(follower.now);
        assert!(follower.has_change(), "the file is there again");
    }

    #[test]
    fn a_file_that_is_replaced_at_any_time_after_its_reading_began_is_read_again() {
        const TIMES: usize = 500;
        let folder = tempfile::tempdir().unwrap();
        let head = folder.path().join("head.glb");
        std::fs::write(&head, "whole 0").unwrap();
        let mut follower = Follower::new();
        for number in 1..=TIMES {
            // All texts have one length.
            let next = format!("whole {}", number % 10);
            let is_replaced_early = number % 2 == 0;
            let (_, read) = reading(&head, || {
                if is_replaced_early {
                    replace(&head, &next);
                }
            });
            if !is_replaced_early {
                replace(&head, &next);
            }
            // The change is found without events: the system may have no watches left after so many in a row.
            let _ = follower.follow(&[&head], &read);
            assert!(follower.has_change(), "change {number} is lost");
            let (text, read) = reading(&head, || {});
            assert_eq!(text, next);
            if number % 10 == 0 {
                let _ = follower.follow(&[&head], &read);
                assert!(!follower.has_change(), "{number}: it is read again without a change");
            }
        }
    }

    #[test]
    fn a_file_that_is_replaced_while_it_is_followed_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let head = folder.path().join("head.glb");
        std::fs::write(&head, "0").unwrap();
        let mut follower = Follower::new();
        follower.follow(&[&head], &reading(&head, || {}).1).unwrap();
        for number in 1..100 {
            replace(&head, &number.to_string());
            follower.wait_for_change();
        }
    }

    #[test]
    fn a_file_that_no_reading_has_read_is_read_once_if_it_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let [head, beside, gone] = ["head.glb", "beside.json", "gone.json"].map(|name| folder.path().join(name));
        std::fs::write(&head, "one").unwrap();
        std::fs::write(&beside, "two").unwrap();
        let mut follower = Follower::new();
        follower.follow(&[&head, &gone], &reading(&head, || {}).1).unwrap();
        assert!(!follower.has_change(), "a file that is not there");
        follower.follow(&[&head, &beside, &gone], &reading(&head, || {}).1).unwrap();
        assert!(follower.has_change(), "it may have come since");
        follower.follow(&[&head, &beside, &gone], &reading(&head, || {}).1).unwrap();
        assert!(!follower.has_change(), "it is as it was before that reading");
        let (_, read) = reading(&head, || replace(&beside, "three"));
        follower.follow(&[&head, &beside, &gone], &read).unwrap();
        assert!(follower.has_change(), "but not any more");
    }

    #[test]
    fn a_file_that_is_watched_in_addition_was_read_as_it_was_before() {
        let folder = tempfile::tempdir().unwrap();
        let [head, shape] = ["head.glb", "shape.obj"].map(|name| folder.path().join(name));
        std::fs::write(&head, "one").unwrap();
        std::fs::write(&shape, "two").unwrap();
        let mut follower = Follower::new();
        follower.follow(&[&head], &reading(&head, || {}).1).unwrap();
        let (_, read) = reading(&shape, || {});
        follower.watch.follow_also(vec![shape.clone()], &read, follower.now).unwrap();
        assert!(!follower.has_change());
        let other = folder.path().join("other.obj");
        std::fs::write(&other, "three").unwrap();
        let (_, read) = reading(&other, || replace(&other, "four!"));
        follower.watch.follow_also(vec![other.clone()], &read, follower.now).unwrap();
        assert!(follower.has_change(), "it was replaced while it was read");
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("gone/head.glb");
        let followed = Follower::new().follow(&[&nowhere], &Reading::begin().end());
        assert!(matches!(followed, Err(NotWatched::Refused(_))));
    }
}
