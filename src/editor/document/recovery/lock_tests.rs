//! Tests of locks: between processes, and when two programs want the same file.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::folder::RecoveryFolder;
use super::locked_file::{Claim, LockedFile};
use super::record::RecoveryRecord;
use super::work::WorkPlace;
use crate::document::{Document, Project, WorkProblems};
use smirk_face::head::{Head, Mesh};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

fn open(folder: &Path) -> RecoveryFolder {
    RecoveryFolder::open(folder.to_owned()).0
}

fn record(name: &str) -> RecoveryRecord {
    RecoveryRecord::new(name.into(), None, Project::default())
}

fn places(recovery: &RecoveryFolder) -> Vec<WorkPlace> {
    recovery.works().iter().map(|work| work.place).collect()
}

const FOLDER: &str = "SMIRK_TEST_RECOVERY_FOLDER";

/// This test is the other process of the tests below: it writes work, says so, and waits to be killed.
#[test]
fn another_process() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut recovery = open(Path::new(&folder));
    recovery.write_now(&record("other")).unwrap();
    println!("written");
    io::stdout().flush().unwrap();
    let mut line = String::new();
    // Ends with the process that started this one, if that fails.
    io::stdin().read_line(&mut line).unwrap();
}

fn start_another_process(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let test = concat!(module_path!(), "::another_process");
    let test = test.split_once("::").unwrap().1;
    command.args(["--exact", test, "--nocapture"]).env(FOLDER, folder);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.ends_with("written")), "it wrote nothing");
    child
}

#[test]
fn work_of_a_running_process_is_not_offered_and_that_of_a_killed_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start_another_process(folder.path());
    let mut recovery = open(folder.path());
    assert_eq!((places(&recovery), recovery.in_use()), (Vec::new(), 1), "it runs");
    child.kill().unwrap();
    child.wait().unwrap();
    recovery.refresh();
    assert_eq!((places(&recovery), recovery.in_use()), (vec![WorkPlace::Offered], 0), "it was killed");
    drop(recovery);
    assert_eq!(places(&open(folder.path())), [WorkPlace::Offered], "nor is it lost");
}

fn document(folder: &Path) -> Document {
    let head = Arc::new(Head::from_meshes(vec![Mesh::with_targets(["jawOpen"])]));
    let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    Document::new(session, Some(open(folder)))
}

#[test]
fn all_work_of_ended_programs_that_cannot_be_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut held = vec![LockedFile::create(folder.path()).unwrap(), LockedFile::create(folder.path()).unwrap()];
    held.iter().for_each(|file| fs::write(&file.path, "{ half a fi").unwrap());
    let names: Vec<String> =
        held.iter().map(|file| file.path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    let mut document = document(folder.path());
    let start = Instant::now();
    assert_eq!(document.update(start), WorkProblems::default());
    held.clear();
    let unread = document.update(start + Duration::from_secs(2)).unread;
    assert_eq!(unread.len(), 2);
    assert!(names.iter().all(|name| unread.join(" ").contains(name)), "{unread:?}");
}

#[test]
fn work_of_a_program_that_takes_long_to_end_is_offered_once_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = start_another_process(folder.path());
    let mut document = document(folder.path());
    let start = Instant::now();
    let mut offered_at = |secs: f32| {
        document.update(start + Duration::from_secs_f32(secs));
        (document.works().len(), document.next_update_in(start + Duration::from_secs_f32(secs)).is_some())
    };
    assert_eq!((offered_at(0.0), offered_at(1.5)), ((0, true), (0, true)), "it runs, and is looked for again");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((offered_at(2.0), offered_at(2.6), offered_at(2.7)), ((0, true), (1, false), (1, false)));
}

#[test]
fn work_beside_a_lock_that_nobody_holds_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    // Earlier versions wrote the process into the lock file.
    for owner in ["", r#"{"boot":"another","process":1,"started":5}"#] {
        fs::write(folder.path().join("work-1.json"), serde_json::to_string(&record("earlier")).unwrap()).unwrap();
        fs::write(folder.path().join("work-1.lock"), owner).unwrap();
        let mut recovery = open(folder.path());
        assert_eq!(places(&recovery), [WorkPlace::Offered]);
        let id = recovery.works()[0].id;
        assert!(recovery.project(id).is_ok());
        recovery.trash(id).unwrap();
        recovery.empty_trash().unwrap();
    }
}

#[test]
fn of_two_programs_one_gets_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..20 {
        let path = folder.path().join(format!("work-{number}.json"));
        fs::write(&path, "work").unwrap();
        let claims: Vec<Claim> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| LockedFile::claim(&path).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winners = claims.iter().filter(|claim| matches!(claim, Claim::Claimed(_))).count();
        assert_eq!(winners, 1, "{claims:?}");
    }
}

#[test]
fn a_program_whose_lock_was_deleted_writes_to_a_new_file_with_a_lock() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = open(folder.path());
    running.write_now(&record("ada")).unwrap();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|is| is == "lock") {
            fs::remove_file(path).unwrap();
        }
    }
    running.write_now(&record("ada, further on")).unwrap();
    let other = open(folder.path());
    assert_eq!(other.in_use(), 1, "the new file is locked");
    assert!(other.works().iter().all(|work| work.summary.name == "ada"), "{:?}", other.works());
}

#[test]
fn locks_of_programs_that_left_no_work_are_removed_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let held = LockedFile::create(folder.path()).unwrap();
    fs::write(folder.path().join("work-1.lock"), "").unwrap();
    open(folder.path());
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(left, [held.path.with_extension("lock")]);
}
