//! Tests of the recovery folder: what is offered, the trash, and what else may lie in the folder.

use std::fs;
use std::path::Path;

use super::folder::RecoveryFolder;
use super::record::RecoveryRecord;
use super::work::WorkPlace;
use crate::document::Project;
use smirk_session::WorkId;

fn record_of(name: &str) -> RecoveryRecord {
    RecoveryRecord::new(name.into(), Some("/projects/walk.smirk".into()), Project::default())
}

/// Leaves work as a program that has ended does.
fn leave(folder: &Path, name: &str) {
    RecoveryFolder::open(folder.to_owned()).0.write_now(&record_of(name)).unwrap();
}

fn count(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

fn opened(folder: &Path) -> RecoveryFolder {
    let (recovery, problems) = RecoveryFolder::open(folder.to_owned());
    assert_eq!(problems, Vec::<String>::new());
    recovery
}

fn listed(recovery: &RecoveryFolder) -> Vec<(&str, &WorkPlace)> {
    recovery.works().iter().map(|work| (work.summary.name.as_str(), &work.place)).collect()
}

fn names(recovery: &RecoveryFolder) -> Vec<&str> {
    recovery.works().iter().map(|work| work.summary.name.as_str()).collect()
}

fn id_of(recovery: &RecoveryFolder, name: &str) -> WorkId {
    recovery.works().iter().find(|work| work.summary.name == name).unwrap().id
}

#[test]
fn the_next_start_goes_on_with_the_work_of_the_last_window_once() {
    let folder = tempfile::tempdir().unwrap();
    leave(folder.path(), "crashed");
    let (mut closed, _) = RecoveryFolder::open(folder.path().to_owned());
    closed.write_now(&record_of("ada")).unwrap();
    closed.go_on_next().unwrap();
    drop(closed);
    let next = opened(folder.path());
    assert_eq!(next.take_next(), Some(id_of(&next, "ada")));
    assert_eq!(next.take_next(), None, "a program that it ends is not started with it again");
    assert_eq!(next.works().len(), 2, "it is offered until it is taken over");
    for name in ["", "work-0.json", "../settings.json"] {
        fs::write(folder.path().join("next"), name).unwrap();
        assert_eq!(next.take_next(), None, "{name}");
    }
}

#[test]
fn work_of_a_killed_program_is_offered_and_work_of_a_running_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (mut running, problems) = RecoveryFolder::open(folder.path().join("deep/recovery"));
    assert!(running.works().is_empty() && problems.is_empty());
    let last = record_of("ada");
    running.start_write(record_of("before"));
    running.start_write(last.clone());
    while running.finished_write().is_none() {
        std::thread::yield_now();
    }
    let other = opened(running.folder());
    assert_eq!((other.works().len(), other.in_use()), (0, 1), "its lock is held");
    let at = running.folder().to_owned();
    drop((running, other));
    let mut next = opened(&at);
    let project = next.project(id_of(&next, "ada")).unwrap();
    assert_eq!((project.project, project.is_changed), (last.project, true));
    assert!(opened(&at).works().is_empty(), "one program offers it, not two");
}

#[test]
fn no_file_is_left_once_all_work_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut recovery = opened(folder.path());
    recovery.start_write(record_of("ada"));
    recovery.clear();
    drop(recovery);
    assert_eq!(count(folder.path()), 0);
}

#[test]
fn work_is_restored_or_goes_to_the_trash_and_back_and_only_the_trash_is_deleted() {
    let folder = tempfile::tempdir().unwrap();
    ["old", "middle", "newest"].iter().for_each(|name| leave(folder.path(), name));
    let mut recovery = opened(folder.path());
    assert_eq!(names(&recovery), ["newest", "middle", "old"]);
    recovery.trash(id_of(&recovery, "newest")).unwrap();
    recovery.delete(id_of(&recovery, "middle")).unwrap();
    let (trash, list) = (&WorkPlace::Trash, &WorkPlace::Offered);
    assert_eq!(listed(&recovery), [("middle", list), ("old", list), ("newest", trash)], "not from the list");
    let pending = recovery.project(id_of(&recovery, "middle")).unwrap();
    assert_eq!((pending.file.clone(), pending.is_changed), (Some("/projects/walk.smirk".into()), true));
    recovery.take_over(&pending.recovery_file.unwrap());
    recovery.write_now(&record_of("middle, further on")).unwrap();
    recovery.set_aside(&record_of("set aside")).unwrap();
    assert_eq!(names(&recovery), ["set aside", "old", "newest"]);
    recovery.trash(id_of(&recovery, "old")).unwrap();
    drop(recovery);

    let mut next = opened(folder.path());
    assert_eq!(names(&next), ["set aside"], "the trash is read when it is asked for");
    next.refresh();
    assert_eq!(listed(&next), [("set aside", list), ("old", trash), ("newest", trash)]);
    next.put_back(id_of(&next, "old")).unwrap();
    assert!(next.project(id_of(&next, "newest")).unwrap().recovery_file.unwrap().exists());
    assert_eq!(listed(&next), [("set aside", list), ("newest", list), ("old", list)]);
    for name in ["set aside", "newest", "old"] {
        next.trash(id_of(&next, name)).unwrap();
    }
    next.delete(id_of(&next, "newest")).unwrap();
    assert_eq!(names(&next), ["old", "set aside"]);
    next.empty_trash().unwrap();
    drop(next);
    assert_eq!((count(folder.path()), count(&folder.path().join("trash"))), (1, 0), "no lock is left either");
}

#[test]
fn no_clock_deletes_work_and_no_count() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..30 {
        leave(folder.path(), &format!("work {number}"));
    }
    for (index, entry) in fs::read_dir(folder.path()).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Written in 1970, or in a future that a clock has made up.
        record["kept_unix_secs"] = if index % 2 == 0 { 0 } else { 9_999_999_999_u64 }.into();
        record.as_object_mut().unwrap().remove("sequence");
        fs::write(&path, record.to_string()).unwrap();
    }
    assert_eq!(opened(folder.path()).works().len(), 30);
    assert_eq!(opened(folder.path()).works().len(), 30, "nor at the next start");
}

#[test]
fn the_newest_work_is_listed_first_even_if_the_clock_was_set_back() {
    let folder = tempfile::tempdir().unwrap();
    for (name, written_unix_secs) in [("first", 1_900_000_000), ("second", 0)] {
        opened(folder.path()).write_now(&RecoveryRecord { written_unix_secs, ..record_of(name) }).unwrap();
        opened(folder.path());
    }
    assert_eq!(names(&opened(folder.path())), ["second", "first"]);
}

#[test]
fn work_is_rescued_into_the_file_of_this_program_and_only_while_it_is_unsaved() {
    let folder = tempfile::tempdir().unwrap();
    let mut recovery = opened(folder.path());
    let rescue = recovery.rescue().clone();
    assert!(rescue.write().is_none(), "no work yet");
    recovery.write_now(&record_of("ada")).unwrap();
    let last = record_of("ada, further on");
    rescue.keep(Some(last.clone()));
    let path = std::thread::spawn(move || rescue.write()).join().unwrap().unwrap().unwrap();
    assert_eq!(RecoveryRecord::read(&path).unwrap(), Some(last));
    assert_eq!(count(folder.path()), 2, "one file and its lock");
    recovery.rescue().keep(None);
    assert!(recovery.rescue().write().is_none(), "saved");
}

#[test]
fn a_broken_file_is_renamed_and_one_of_a_later_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let newer = r#"{"project":{"smirk":"project","version":2,"sliders":["another","type"]},"kept_unix_secs":1e300}"#;
    fs::write(folder.path().join("a.json"), newer).unwrap();
    fs::write(folder.path().join("b.json"), "{ half a fi").unwrap();
    let (recovery, problems) = RecoveryFolder::open(folder.path().to_owned());
    assert!(recovery.works().is_empty());
    assert!(problems.len() == 1 && problems[0].contains("b.json.broken"), "{problems:?}");
    assert!(folder.path().join("a.json").exists() && folder.path().join("b.json.broken").exists());
}

#[test]
fn what_cannot_be_read_in_the_trash_is_said_once() {
    let folder = tempfile::tempdir().unwrap();
    let trash = folder.path().join("trash");
    fs::create_dir(&trash).unwrap();
    fs::write(trash.join("0000000001-work.json"), "{ half a fi").unwrap();
    let mut recovery = opened(folder.path());
    let problems = recovery.refresh();
    assert!(problems.len() == 1 && problems[0].contains("0000000001-work.json"), "{problems:?}");
    assert_eq!(recovery.refresh(), Vec::<String>::new());
    fs::remove_dir_all(&trash).unwrap();
    fs::write(&trash, "").unwrap();
    let problems = recovery.refresh();
    assert!(problems.len() == 1 && problems[0].contains("trash"), "{problems:?}");
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_skipped_with_a_message() {
    let folder = tempfile::tempdir().unwrap();
    leave(folder.path(), "ada");
    let at = |name: &str| folder.path().join(name);
    for name in ["pipe.json", "pipe.lock"] {
        assert!(std::process::Command::new("mkfifo").arg(at(name)).status().unwrap().success());
    }
    fs::create_dir(at("folder.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("device.json")).unwrap();
    let (mut recovery, mut problems) = RecoveryFolder::open(folder.path().to_owned());
    assert_eq!(names(&recovery), ["ada"]);
    problems.sort();
    let kinds = [("device.json", "it is a device"), ("folder.json", "it is a folder"), ("pipe.json", "it is a pipe")];
    assert_eq!(problems.len(), kinds.len());
    for (problem, (name, kind)) in problems.iter().zip(kinds) {
        assert!(problem.contains(name) && problem.contains(kind), "{problem}");
    }
    assert_eq!(recovery.refresh(), Vec::<String>::new(), "said once");

    let pipe = at("recovery");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let (mut recovery, problems) = RecoveryFolder::open(pipe.clone());
    assert!(problems.len() == 1 && problems[0].contains(pipe.to_str().unwrap()), "{problems:?}");
    assert!(recovery.write_now(&record_of("ada")).is_err());
}
