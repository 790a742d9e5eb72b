//! The folders of files, of which the system reports what happens in them. Folders and not files, because many programs
//! write a temporary file and rename it: then the file that was watched is gone.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use thiserror::Error;

/// Why the system does not report what happens to a file.
#[derive(Debug, Error)]
pub enum NotWatched {
    /// Its folder is on another computer, whose writes this system does not see.
    #[error("its folder is on a network ({0})")]
    Network(String),
    /// All watches that the system has are in use.
    #[error("the system has no more watches for files (on Linux, fs.inotify limits them)")]
    NoMoreWatches,
    /// Any other reason, in the words of the system.
    #[error("{0}")]
    Refused(String),
}

pub(super) struct Folders {
    has_event: Arc<AtomicBool>,
    /// The kind of the file system, if one of the folders is on a network.
    network: Option<String>,
    /// Ends when it is dropped.
    _watcher: RecommendedWatcher,
}

impl Folders {
    /// Watches the folders of files. `notify` is called on another thread when something happens to one of the files.
    pub(super) fn watch(files: &[PathBuf], notify: Arc<Mutex<dyn Fn() + Send>>) -> Result<Self, NotWatched> {
        // A link and what it leads to may both be replaced.
        let paths = || files.iter().cloned().chain(files.iter().filter_map(|file| file.canonicalize().ok()));
        // By name: the system may give the path of a folder otherwise than it was asked for.
        let names: BTreeSet<OsString> = paths().filter_map(|path| path.file_name().map(OsString::from)).collect();
        let folders: BTreeSet<PathBuf> = paths().filter_map(|path| path.parent().map(Path::to_owned)).collect();
        let has_event = Arc::new(AtomicBool::new(false));
        let is_set = has_event.clone();
        let watched = folders.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
            if event.as_ref().map_or(true, |event| may_change(event, &names, &watched)) {
                is_set.store(true, Ordering::Release);
                notify.lock().unwrap_or_else(PoisonError::into_inner)();
            }
        });
        let mut watcher = watcher.map_err(refusal)?;
        for folder in &folders {
            watcher.watch(folder, RecursiveMode::NonRecursive).map_err(refusal)?;
        }
        let network = folders.iter().find_map(|folder| network_of(folder));
        Ok(Self { has_event, network, _watcher: watcher })
    }

    /// Whether something may have happened since the last call.
    pub(super) fn take_event(&self) -> bool {
        self.has_event.swap(false, Ordering::AcqRel)
    }

    /// An error if a folder is on a network.
    pub(super) fn report_network(&self) -> Result<(), NotWatched> {
        self.network.clone().map_or(Ok(()), |kind| Err(NotWatched::Network(kind)))
    }
}

/// Whether an event is about a file of these names, or about the folders themselves. Files that are only read are no
/// matter.
fn may_change(event: &Event, names: &BTreeSet<OsString>, folders: &BTreeSet<PathBuf>) -> bool {
    let is_read = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    };
    let is_about_files = event.paths.is_empty()
        || event
            .paths
            .iter()
            .any(|path| path.file_name().is_some_and(|name| names.contains(name)) || folders.contains(path));
    !is_read && (event.need_rescan() || is_about_files)
}

fn refusal(error: notify::Error) -> NotWatched {
    /// Too many open files: each window has an inotify instance, and a user at most 128.
    const EMFILE: i32 = 24;
    match error.kind {
        ErrorKind::MaxFilesWatch => NotWatched::NoMoreWatches,
        ErrorKind::Io(error) if error.raw_os_error() == Some(EMFILE) => NotWatched::NoMoreWatches,
        ErrorKind::Io(error) => NotWatched::Refused(error.to_string()),
        ErrorKind::PathNotFound => NotWatched::Refused("its folder is not there".into()),
        kind => NotWatched::Refused(notify::Error::new(kind).to_string()),
    }
}

/// Kinds of file systems whose files other computers write.
const NETWORK: &[&str] = &[
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.sshfs",
    "fuse.s3fs",
    "gfs2",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
];

/// The kind of the file system of a folder, if it is one of a network. None where the system does not say.
pub(super) fn network_of(folder: &Path) -> Option<String> {
    let folder = folder.canonicalize().ok()?;
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    kind_in(&mounts, &folder).filter(|kind| NETWORK.contains(kind)).map(str::to_owned)
}

/// The kind of the file system of a folder, by the text of `/proc/self/mountinfo`: that of the longest path above it,
/// and of several mounted there the last.
fn kind_in<'a>(mounts: &'a str, folder: &Path) -> Option<&'a str> {
    let mounts = mounts.lines().filter_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        // Spaces in paths are written as octal numbers.
        let place = before.split(' ').nth(4)?.replace("\\040", " ");
        folder.starts_with(&place).then_some((place.len(), after.split(' ').next()?))
    });
    mounts.max_by_key(|(length, _)| *length).map(|(_, kind)| kind)
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, ModifyKind};

    use super::*;

    #[test]
    fn files_that_are_only_read_and_files_of_other_names_are_no_matter() {
        let names = BTreeSet::from([OsString::from("head.glb")]);
        let folders = BTreeSet::from([PathBuf::from("/heads")]);
        let matters =
            |kind: EventKind, path: &str| may_change(&Event::new(kind).add_path(path.into()), &names, &folders);
        let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
        let opened = EventKind::Access(AccessKind::Open(AccessMode::Any));
        let (changed, created) = (EventKind::Modify(ModifyKind::Any), EventKind::Create(CreateKind::File));
        assert!([written, changed, created].iter().all(|&kind| matters(kind, "/heads/head.glb")));
        assert!(!matters(opened, "/heads/head.glb") && !matters(changed, "/heads/sheet.png"));
        assert!(matters(changed, "/heads"), "the folder itself");
        assert!(
            may_change(&Event::new(EventKind::Other), &names, &folders),
            "an event that does not say what it is about"
        );
    }

    #[test]
    fn an_exhausted_system_is_told_from_other_failures() {
        let io = |number: i32| notify::Error::io(std::io::Error::from_raw_os_error(number));
        assert!(matches!(refusal(notify::Error::new(ErrorKind::MaxFilesWatch)), NotWatched::NoMoreWatches));
        assert!(matches!(refusal(io(24)), NotWatched::NoMoreWatches));
        assert!(matches!(refusal(io(13)), NotWatched::Refused(_)));
    }

    #[test]
    fn the_innermost_mount_counts() {
        let mounts = "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n\
                      40 22 0:35 / /show rw shared:2 - nfs4 farm:/show rw\n\
                      41 40 0:36 / /show/my\\040cache rw - tmpfs tmpfs rw\n";
        let kind = |folder: &str| kind_in(mounts, Path::new(folder));
        assert_eq!(
            [kind("/home/ada"), kind("/show/heads"), kind("/show/my cache/x")],
            [Some("ext4"), Some("nfs4"), Some("tmpfs")]
        );
        assert_eq!((kind("/shows"), kind_in("", Path::new("/"))), (Some("ext4"), None));
        assert!(NETWORK.contains(&"nfs4") && !NETWORK.contains(&"ext4"));
    }
}
