//! Disks without room, and processes that are interrupted or killed: what is there under its name is whole.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

use smirk_support::{HANGS_AFTER, small_disk};

use crate::drawn_exports::{moving, take};
use crate::process::{command, names, stderr};

/// The files that are not pictures, and the number of those that are, all of which must be whole.
fn whole_pictures(folder: &Path) -> (Vec<String>, usize) {
    let (pictures, others): (Vec<String>, _) = names(folder).into_iter().partition(|name| name.ends_with(".png"));
    for name in &pictures {
        image::open(folder.join(name)).unwrap_or_else(|error| panic!("{name} is not whole: {error}"));
    }
    (others, pictures.len())
}

#[test]
fn pictures_that_were_written_before_the_disk_was_full_stay() {
    let Some(disk) =
        small_disk::enter("drawn_exports::faults::pictures_that_were_written_before_the_disk_was_full_stay")
    else {
        return;
    };
    if small_disk::limits_only_files() {
        println!("NOT CHECKED: only files are limited here");
        return;
    }
    let inputs = tempfile::tempdir_in("/tmp").unwrap();
    let take = take(inputs.path());
    let output = disk.join("a.##.png");
    let run = command(&moving("pictures", &take, &output, &["--frames", "0-20"])).output().unwrap();
    assert_eq!((run.status.code(), stderr(&run).lines().count()), (Some(1), 1), "{}", stderr(&run));
    assert!(stderr(&run).contains("the disk is full"), "{}", stderr(&run));
    let (others, count) = whole_pictures(&disk);
    assert!(others.is_empty() && (1..20).contains(&count), "{others:?}, {count} pictures");
}

#[test]
fn a_film_is_not_there_when_the_disk_was_full() {
    let Some(disk) = small_disk::enter("drawn_exports::faults::a_film_is_not_there_when_the_disk_was_full") else {
        return;
    };
    let inputs = tempfile::tempdir_in("/tmp").unwrap();
    let take = take(inputs.path());
    let formats: &[&str] =
        if std::env::var_os("SMIRK_WITHOUT_FFMPEG").is_some() { &["apng"] } else { &["apng", "gif", "mov"] };
    for extension in formats {
        let output = disk.join(format!("a.{extension}"));
        let options = ["--frames", "0-40", "--size", "256x256", "--turntable", "2", "--dither", "diffusion"];
        let options = if *extension == "gif" { &options[..] } else { &options[..6] };
        let run = command(&moving("film", &take, &output, options)).output().unwrap();
        assert_eq!((run.status.code(), stderr(&run).lines().count()), (Some(1), 1), "{extension}: {}", stderr(&run));
        assert_eq!(names(&disk), Vec::<String>::new(), "{extension}");
    }
}

/// Starts an export that takes long, and waits until `is_ready`.
fn started(arguments: &[&str], is_ready: impl Fn() -> bool) -> Child {
    let mut process = command(arguments).spawn().unwrap();
    let began = Instant::now();
    while !is_ready() {
        assert!(began.elapsed() < HANGS_AFTER, "nothing was written");
        assert!(process.try_wait().unwrap().is_none(), "it ended before it was ended");
        sleep(Duration::from_millis(5));
    }
    process
}

fn end(mut process: Child, signal: &str) {
    let id = process.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
    assert!(!process.wait().unwrap().success());
}

#[test]
fn an_ended_sequence_leaves_whole_pictures_and_goes_on_with_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = tempfile::tempdir().unwrap();
    let take = take(inputs.path());
    let output = folder.path().join("a.###.png");
    // Large enough to be far from complete when the signal arrives.
    let large = ["--size", "240x240", "--samples", "4"];
    let all = moving("pictures", &take, &output, &[&large[..], &["--frames", "0-30", "--missing"]].concat());
    for signal in ["-TERM", "-KILL"] {
        let before = whole_pictures(folder.path()).1;
        let is_ready = || names(folder.path()).iter().filter(|name| name.ends_with(".png")).count() > before + 2;
        end(started(&all, is_ready), signal);
        let (others, count) = whole_pictures(folder.path());
        assert!(count > before && count < 31, "{signal}: {count}");
        // A process that is killed leaves its temporary files; the next one that writes there removes them.
        assert!(others.is_empty() || signal == "-KILL", "{signal}: {others:?}");
    }
    assert!(command(&all).status().unwrap().success());
    assert_eq!(whole_pictures(folder.path()), (Vec::new(), 31));
}

#[test]
fn an_ended_film_leaves_what_was_there_before() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = tempfile::tempdir().unwrap();
    let take = take(inputs.path());
    let formats: &[&str] =
        if std::env::var_os("SMIRK_WITHOUT_FFMPEG").is_some() { &["apng"] } else { &["apng", "mp4"] };
    for extension in formats {
        let output = folder.path().join(format!("a.{extension}"));
        std::fs::write(&output, "the film before").unwrap();
        let long = moving("film", &take, &output, &["--size", "256x256", "--samples", "8", "--frames", "0-400"]);
        for signal in ["-TERM", "-KILL"] {
            // A temporary file that has grown.
            let is_ready = || {
                let mut entries = std::fs::read_dir(folder.path()).unwrap().flatten();
                let is_growing = entries.any(|entry| {
                    entry.file_name().to_string_lossy().starts_with(".smirk-")
                        && entry.metadata().is_ok_and(|data| data.len() > 40)
                });
                is_growing
                    || (*extension == "mp4" && names(folder.path()).iter().any(|name| name.starts_with(".smirk-")))
            };
            let process = started(&long, is_ready);
            sleep(Duration::from_millis(300));
            end(process, signal);
            // ffmpeg ends by itself, when nobody passes pictures to it any more.
            sleep(Duration::from_millis(300));
            assert_eq!(std::fs::read(&output).unwrap(), b"the film before", "{extension} {signal}");
            let temporary = names(folder.path()).iter().filter(|name| name.starts_with(".smirk-")).count();
            assert!(temporary == 0 || signal == "-KILL", "{extension} {signal} leaves a temporary file");
        }
        let short = moving("film", &take, &output, &["--frames", "0-1"]);
        assert!(command(&short).status().unwrap().success());
        assert_eq!(names(folder.path()), [format!("a.{extension}")], "what the killed process left is removed");
        std::fs::remove_file(&output).unwrap();
    }
}
