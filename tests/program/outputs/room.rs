//! A disk without room: the old file stays whole, and no temporary file stays.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use smirk_editor::document::{Document, RecoveryFolder};
use smirk_export::{OutputPath, save_png};
use smirk_files::import;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::random::Random;
use smirk_support::{bundled_head, small_disk, small_head};

use crate::process::{command, names, stderr};

/// The content of the files before, shorter than anything that is written over them.
const OLD: &[u8] = b"old";

#[test]
fn a_full_disk_leaves_the_old_file_and_no_temporary_one() {
    let Some(disk) = small_disk::enter("outputs::room::a_full_disk_leaves_the_old_file_and_no_temporary_one") else {
        return;
    };
    check_commands(&disk);
    check_writing_back(&disk);
    check_projects(&disk);
    check_recovery(&disk);
}

fn check_commands(disk: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let head = small_head::write(folder.path());
    let (head, bundled) = (head.to_str().unwrap(), bundled_head());
    for (arguments, name) in [
        (&["render", head, "--size", "1200x1200", "--samples", "0"][..], "picture.png"),
        (&["sheet", head, "--cell", "600", "--samples", "0"], "sheet.png"),
        (&["convert", bundled.to_str().unwrap()], "head.glb"),
    ] {
        // New, replaced, and with a second name, in which case it is overwritten in place.
        for links in 0..3 {
            let output = disk.join(name);
            if links > 0 {
                fs::write(&output, OLD).unwrap();
            }
            if links > 1 {
                fs::hard_link(&output, disk.join("other name")).unwrap();
            }
            let before = names(disk);
            let run = command(&[]).args(arguments).arg("-o").arg(&output).output().unwrap();
            let message = stderr(&run);
            assert_eq!(run.status.code(), Some(1), "{arguments:?} was written: {message}");
            check_message(&message, &output);
            assert!(links == 0 || fs::read(&output).unwrap() == OLD, "{arguments:?} damaged the old file");
            assert_eq!(names(disk), before, "{arguments:?} left a file");
            before.iter().for_each(|name| fs::remove_file(disk.join(name)).unwrap());
        }
    }
}

/// A file with two names is overwritten in place, which fails when its new content is already complete in another file.
fn check_writing_back(disk: &Path) {
    if small_disk::limits_only_files() {
        println!("NOT CHECKED: writing the old content back, which needs a disk that is full");
        return;
    }
    let output = disk.join("noise.png");
    fs::write(&output, OLD).unwrap();
    fs::hard_link(&output, disk.join("other name")).unwrap();
    let mut random = Random::new(7);
    let noise =
        image::RgbaImage::from_fn(100, 100, |_, _| image::Rgba(std::array::from_fn(|_| random.below(256) as u8)));
    let error = save_png(&OutputPath::new(&output), &noise).unwrap_err().to_string();
    check_message(&error, &output);
    assert_eq!(fs::read(disk.join("other name")).unwrap(), OLD);
    assert_eq!(names(disk), ["noise.png", "other name"]);
    names(disk).iter().for_each(|name| fs::remove_file(disk.join(name)).unwrap());
}

fn check_message(message: &str, output: &Path) {
    let is_clear = message.contains("the disk is full") || message.contains("larger than files may be");
    assert!(is_clear && message.contains(output.to_str().unwrap()), "{message}");
    assert!(message.trim_end().lines().count() == 1 && !message.contains(".smirk-"), "{message}");
}

/// A session whose project is larger than the disk.
fn large_session() -> Session {
    let head = Arc::new(import::open(&bundled_head()).unwrap());
    let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let weights =
        |pose: usize| (0..500).map(|at| (format!("a channel of this head, number {at}"), pose as f32)).collect();
    session.poses_mut().add((0..20).map(|pose| (format!("Pose {pose}"), weights(pose))));
    session
}

fn check_projects(disk: &Path) {
    let file = disk.join("walk.smirk");
    let small = Session::new(
        Arc::new(import::open(&bundled_head()).unwrap()),
        HeadSource::Embedded,
        Look::default(),
        BlendMode::Cpu,
    );
    let mut document = Document::new(small, None);
    document.save(&file).unwrap();
    let saved = fs::read(&file).unwrap();
    document.session = large_session();
    for _ in 0..2 {
        let error = document.save(&file).unwrap_err().to_string();
        check_message(&error, &file);
        assert!(document.is_unsaved(), "work that is not on the disk counts as saved");
        assert_eq!(fs::read(&file).unwrap(), saved);
        assert!(names(disk).iter().all(|name| name.starts_with("walk.smirk")), "{:?}", names(disk));
    }
    names(disk).iter().for_each(|name| fs::remove_file(disk.join(name)).unwrap());
}

fn check_recovery(disk: &Path) {
    let folder = disk.join("recovery");
    let (recovery, _) = RecoveryFolder::open(folder.clone());
    let mut document = Document::new(large_session(), Some(recovery));
    document.session.poses_mut().store("One more");
    assert!(document.is_unsaved());
    let error = document.close().unwrap_err().to_string();
    assert!(error.contains("the disk is full") || error.contains("larger than files may be"), "{error}");
    let is_left = |name: &String| name.starts_with(".smirk-") || name.ends_with(".json");
    assert!(!names(&folder).iter().any(is_left), "{:?}", names(&folder));
}
