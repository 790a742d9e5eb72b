//! Files that are open here while other programs write them: whether they have changed, and whether the writing has ended.
//!
//! ```text
//! folders (notify) ── something happened ──► settling: sizes and times have come to rest ──► the files are read again
//! ```
//!
//! An event only says when to look: sizes and times decide. So nothing depends on which events a program causes that writes in
//! pieces, or into a temporary file that it renames; and where a system reports no events, a look at any other time finds the
//! same.

mod folders;
mod mounts;
mod settling;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use folders::Folders;
pub use folders::NotWatched;
use settling::{Settling, Stamp, stamp};

/// Called on another thread when something may have happened.
type Notify = Arc<Mutex<dyn Fn() + Send>>;

/// The files that were read, and what happens to them.
pub struct FileWatch {
    notify: Notify,
    files: Vec<PathBuf>,
    folders: Option<Folders>,
    settling: Settling,
}

impl FileWatch {
    /// Watches nothing yet. `notify` is called on another thread when something may have happened to a file.
    pub fn new(notify: impl Fn() + Send + 'static) -> Self {
        Self { notify: Arc::new(Mutex::new(notify)), files: Vec::new(), folders: None, settling: Settling::default() }
    }

    /// Watches these files instead of those before. `read_at` is when they began to be read: what was written later is a change.
    /// An error if the system does not report changes; [`Self::look_soon`] finds them nevertheless.
    pub fn follow(&mut self, files: Vec<PathBuf>, read_at: SystemTime, now: Instant) -> Result<(), NotWatched> {
        self.files = files;
        self.settling = Settling::new(self.stamps(), read_at);
        let watched = self.watch();
        // What was written before the folders were watched caused no event.
        self.look_soon(now);
        watched
    }

    /// Watches other files in addition. A change of the others that was not taken yet is still one.
    pub fn follow_also(&mut self, files: Vec<PathBuf>, now: Instant) -> Result<(), NotWatched> {
        for file in files {
            if !self.files.contains(&file) {
                self.settling.add(stamp(&file));
                self.files.push(file);
            }
        }
        let watched = self.watch();
        self.look_soon(now);
        watched
    }

    /// Watches nothing.
    pub fn stop(&mut self) {
        (self.files, self.folders, self.settling) = (Vec::new(), None, Settling::default());
    }

    /// Looks at the files soon, as after an event.
    pub fn look_soon(&mut self, now: Instant) {
        self.settling.expect_change(self.stamps(), now);
    }

    /// Whether the files have changed since they were read and are at rest now; once for every change.
    pub fn take_change(&mut self, now: Instant) -> bool {
        if self.folders.as_ref().is_some_and(Folders::take_event) {
            self.look_soon(now);
        }
        let is_changed = self.settling.is_due(now) && self.settling.take_change(self.stamps(), now);
        if is_changed {
            // A folder that was deleted and made again is another one to the system.
            let _ = self.watch();
        }
        is_changed
    }

    /// How long until [`Self::take_change`] is to be asked again without an event.
    pub fn due_in(&self, now: Instant) -> Option<Duration> {
        self.settling.due_in(now)
    }

    fn stamps(&self) -> Vec<Option<Stamp>> {
        self.files.iter().map(|file| stamp(file)).collect()
    }

    fn watch(&mut self) -> Result<(), NotWatched> {
        self.folders = None;
        if !self.files.is_empty() {
            self.folders = Some(Folders::of(&self.files, self.notify.clone())?);
        }
        self.folders.as_ref().map_or(Ok(()), Folders::report_network)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const LONG: Duration = Duration::from_secs(20);

    /// Asks as the window does: after every event, and when it is due. Whether there was a change before `most` had passed.
    fn changes(watch: &mut FileWatch, events: &std::sync::mpsc::Receiver<()>, most: Duration) -> bool {
        let end = Instant::now() + most;
        loop {
            let now = Instant::now();
            if watch.take_change(now) {
                return true;
            }
            if now >= end {
                return false;
            }
            let _ = events.recv_timeout(watch.due_in(now).unwrap_or(most).min(end - now));
        }
    }

    #[test]
    fn a_file_that_is_replaced_by_a_renamed_one_has_changed_once_and_others_are_no_matter() {
        let folder = tempfile::tempdir().unwrap();
        let (head, other) = (folder.path().join("head.glb"), folder.path().join("render.png"));
        std::fs::write(&head, "one").unwrap();
        let (send, events) = channel();
        let mut watch = FileWatch::new(move || {
            let _ = send.send(());
        });
        watch.follow(vec![head.clone()], SystemTime::now() + LONG, Instant::now()).unwrap();
        assert!(!changes(&mut watch, &events, Duration::from_millis(700)), "nothing has happened");
        std::fs::write(&other, "a picture").unwrap();
        assert!(events.recv_timeout(Duration::from_millis(300)).is_err(), "an event of a file that is not watched");
        let temporary = folder.path().join(".head.glb.tmp");
        std::fs::write(&temporary, "two!").unwrap();
        std::fs::rename(&temporary, &head).unwrap();
        assert!(changes(&mut watch, &events, LONG));
        assert!(!changes(&mut watch, &events, Duration::from_millis(700)), "once for every change");
        // The folder is made again, as some exporters do it.
        std::fs::remove_dir_all(folder.path()).unwrap();
        assert!(changes(&mut watch, &events, LONG), "the file is gone");
        std::fs::create_dir(folder.path()).unwrap();
        std::fs::write(&head, "three").unwrap();
        watch.look_soon(Instant::now());
        assert!(changes(&mut watch, &events, LONG), "the file is there again");
    }

    #[test]
    fn what_was_written_while_the_file_was_read_is_a_change_and_a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let head = folder.path().join("head.glb");
        let before = SystemTime::now() - LONG;
        std::fs::write(&head, "one").unwrap();
        let (send, events) = channel();
        let mut watch = FileWatch::new(move || {
            let _ = send.send(());
        });
        watch.follow(vec![head], before, Instant::now()).unwrap();
        assert!(changes(&mut watch, &events, LONG));
        let nowhere = folder.path().join("gone/head.glb");
        assert!(matches!(watch.follow(vec![nowhere], before, Instant::now()), Err(NotWatched::Refused(_))));
    }
}
