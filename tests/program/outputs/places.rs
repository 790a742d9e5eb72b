//! What is at the place of an output: folders, links, devices, pipes, and files with a mode or several names.

use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::outputs::case::{Case, commands, screenshot};
use crate::process::{command, names, stderr};

/// One case of each command.
fn each_command(folder: &Path) -> Vec<Case> {
    let cases = commands(folder).into_iter();
    cases.filter(|case| ["render", "sheet", "convert"].contains(&case.name)).collect()
}

#[test]
fn what_cannot_be_written_is_refused_in_one_line_that_says_what_to_do() {
    let inputs = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("folder.glb")).unwrap();
    fs::write(at("file"), "a file").unwrap();
    fs::write(at("protected.glb"), "old").unwrap();
    fs::set_permissions(at("protected.glb"), Permissions::from_mode(0o444)).unwrap();
    symlink(at("loop.glb"), at("loop.glb")).unwrap();
    symlink(at("nowhere/out.glb"), at("dangling.glb")).unwrap();
    let before = names(folder.path());
    let missing = at("missing").display().to_string();
    let cases = each_command(inputs.path()).into_iter().chain([screenshot(inputs.path())]);
    for case in cases {
        for (output, words) in [
            ("folder.glb", "it is a folder. Add the name of a file".to_owned()),
            ("missing/out.glb", format!("there is no folder {missing}. Make it, or choose another")),
            ("file/out.glb", format!("{} is a file, not a folder", at("file").display())),
            ("protected.glb", "the file is write-protected".to_owned()),
            ("loop.glb", "leads back to itself".to_owned()),
            ("dangling.glb", format!("there is no folder {}", at("nowhere").display())),
        ] {
            let output = at(output);
            let run = case.run(&output);
            let message = stderr(&run);
            let start = format!("smirk: cannot write {}: ", output.display());
            assert!(message.starts_with(&start) && message.contains(&words), "{}: {message}", case.name);
            assert_eq!((run.status.code(), message.lines().count()), (Some(1), 1), "{message}");
            assert!(!message.contains(".smirk-") && !message.contains("os error"), "{message}");
            assert_eq!(message.matches(words.as_str()).count(), 1, "{message}");
            assert_eq!(names(folder.path()), before, "{} left a file", case.name);
        }
    }
    assert_eq!(fs::read(at("protected.glb")).unwrap(), b"old");
}

/// A folder that may not be written to. Root may write to any, so that the program runs as another user then.
#[test]
fn a_read_only_folder_is_named() {
    let inputs = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let as_user = |command: &mut Command| {
        if is_root {
            command.uid(65534).gid(65534);
        }
        command.output()
    };
    for open in [inputs.path(), folder.path()] {
        fs::set_permissions(open, Permissions::from_mode(0o755)).unwrap();
    }
    if !as_user(command(&[]).arg("--version")).is_ok_and(|run| run.status.success()) {
        println!("NOT CHECKED: the program is in a folder that only root may read, and root may write to every folder");
        return;
    }
    fs::write(folder.path().join("old.glb"), "old").unwrap();
    fs::set_permissions(folder.path().join("old.glb"), Permissions::from_mode(0o666)).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
    for case in each_command(inputs.path()).into_iter().chain([screenshot(inputs.path())]) {
        for name in ["new.glb", "old.glb"] {
            let run = as_user(&mut case.command(&folder.path().join(name))).unwrap();
            let message = stderr(&run);
            let words = format!("no files may be made in {}", folder.path().display());
            assert!(run.status.code() == Some(1) && message.contains(&words), "{}: {message}", case.name);
        }
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(folder.path()), ["old.glb"]);
    assert_eq!(fs::read(folder.path().join("old.glb")).unwrap(), b"old");
}

#[test]
fn links_modes_and_hard_links_are_kept() {
    let inputs = tempfile::tempdir().unwrap();
    for case in each_command(inputs.path()) {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(format!("{name}.{}", case.extension));
        let write = |output: &Path| {
            let run = case.run(output);
            assert!(run.status.success(), "{} -o {}: {}", case.name, output.display(), stderr(&run));
        };
        let is_new = |path: &Path| fs::read(path).unwrap().starts_with(case.magic);

        // A link to a file that exists, which has a mode of its own.
        fs::write(at("file"), vec![7; 100_000]).unwrap();
        fs::set_permissions(at("file"), Permissions::from_mode(0o640)).unwrap();
        symlink(at("file").file_name().unwrap(), at("link")).unwrap();
        write(&at("link"));
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink() && is_new(&at("file")), "{}", case.name);
        assert_eq!(fs::metadata(at("file")).unwrap().mode() & 0o7777, 0o640);

        // A link to a file that does not exist.
        symlink(at("made"), at("dangling")).unwrap();
        write(&at("dangling"));
        assert!(fs::symlink_metadata(at("dangling")).unwrap().is_symlink() && is_new(&at("made")), "{}", case.name);

        // A file with two names.
        fs::write(at("one"), vec![7; 100_000]).unwrap();
        fs::hard_link(at("one"), at("two")).unwrap();
        write(&at("two"));
        assert!(is_new(&at("one")), "{}: the other name has the old content", case.name);
        let [one, two] = ["one", "two"].map(|name| fs::metadata(at(name)).unwrap());
        assert_eq!((one.ino(), one.nlink(), one.len()), (two.ino(), 2, fs::metadata(at("made")).unwrap().len()));
        assert_eq!(names(folder.path()).len(), 6, "{:?}", names(folder.path()));
    }
}

#[test]
fn devices_and_pipes_are_written_to() {
    let inputs = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (pipe, device) = (folder.path().join("pipe"), null_device(folder.path()));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let before = names(folder.path());
    for case in each_command(inputs.path()) {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut bytes = Vec::new();
                File::open(pipe).unwrap().read_to_end(&mut bytes).unwrap();
                bytes
            }
        });
        let run = case.run(&pipe);
        assert!(run.status.success(), "{}: {}", case.name, stderr(&run));
        assert!(reader.join().unwrap().starts_with(case.magic), "{}", case.name);
        assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());

        let run = case.run(&device);
        assert!(run.status.success(), "{}: {}", case.name, stderr(&run));
        assert!(fs::metadata(&device).unwrap().file_type().is_char_device(), "{} replaced a device", case.name);

        let run = case.run(Path::new("/dev/stdout"));
        assert!(run.status.success() && run.stdout.starts_with(case.magic), "{}: {}", case.name, stderr(&run));

        // A full device, as a full disk.
        let run = case.run(Path::new("/dev/full"));
        assert!(run.status.code() == Some(1) && stderr(&run).contains("the disk is full"), "{}", stderr(&run));
        assert_eq!(names(folder.path()), before);
    }
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    assert!(fs::symlink_metadata("/dev/stdout").is_ok_and(|metadata| !metadata.is_file()));
}

#[test]
fn standard_output_that_is_a_file_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    fs::write(&log, "before").unwrap();
    let to = File::options().append(true).open(&log).unwrap();
    let mut render = command(&[]);
    render.args(["render", "--size", "16x16", "-o", "/dev/stdout"]);
    assert!(render.stdout(Stdio::from(to)).status().unwrap().success());
    let bytes = fs::read(&log).unwrap();
    assert!(bytes.starts_with(b"before\x89PNG"), "{:?}", &bytes[..bytes.len().min(20)]);
    assert_eq!(names(folder.path()), ["log"]);
}

/// A device that can be lost without harm if a test fails as root. A user who is not root can harm no device.
fn null_device(folder: &Path) -> PathBuf {
    let device = folder.join("null");
    let is_made = Command::new("mknod").arg(&device).args(["c", "1", "3"]).stderr(Stdio::null()).status();
    if is_made.is_ok_and(|status| status.success()) && File::options().write(true).open(&device).is_ok() {
        return device;
    }
    println!("mknod is not allowed: the system's own /dev/null is written to");
    "/dev/null".into()
}
