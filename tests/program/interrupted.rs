//! Commands that are interrupted while they write a file, and commands whose output nobody reads.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::process::{SMIRK, isolated};

fn temporaries(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name());
    names.filter(|name| name.to_string_lossy().starts_with(".smirk-")).count()
}

/// Interrupts a command that draws a picture as soon as it has a temporary file. Whether it ended before the picture was in place.
fn interrupt(folder: &Path, signal: &str, number: i32) -> bool {
    let picture = folder.join("face.png");
    let _ = std::fs::remove_file(&picture);
    // A shell that is already running sends the signal in less time than the file takes to be written.
    let mut shell = Command::new("sh").stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut render = isolated(SMIRK);
    render.args(["render", "--size", "2000x2000", "--samples", "0", "-o"]);
    let mut render = render.arg(&picture).spawn().unwrap();
    // The first file only shows that the folder can be written, before the picture is drawn.
    let mut is_drawn = false;
    let status = loop {
        is_drawn |= render.try_wait().unwrap().is_some();
        if temporaries(folder) > 0 {
            writeln!(shell.stdin.as_ref().unwrap(), "kill -{signal} {}", render.id()).unwrap();
            break render.wait().unwrap();
        }
        if is_drawn {
            break render.wait().unwrap();
        }
    };
    drop(shell.stdin.take());
    shell.wait().unwrap();
    assert!(status.success() || status.signal() == Some(number), "{signal}: {status}");
    assert_eq!(temporaries(folder), 0, "{signal} leaves a temporary file");
    if picture.exists() {
        image::open(&picture).expect("the picture is whole");
    }
    !picture.exists()
}

#[test]
fn an_interrupted_command_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1)] {
        let is_interrupted = (0..50).any(|_| interrupt(folder.path(), signal, number));
        assert!(is_interrupted, "no command was caught by {signal} while it wrote its file");
    }
}

#[test]
fn a_command_that_takes_too_much_time_says_so_and_leaves_no_temporary_file() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"ulimit -S -t 1; exec "$0" sheet --samples 64 -o "$1""#;
    let output = isolated("sh").args(["-c", script, SMIRK]).arg(folder.path().join("x.png")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.signal(), Some(24), "SIGXCPU: {said}");
    assert!(said.contains("ulimit -t"), "{said}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("face.png");
    // As `nohup` does it.
    let script =
        r#"trap '' HUP; "$0" render --samples 0 -o "$1" & kill -HUP $!; sleep 0.3; kill -HUP $! 2>/dev/null; wait $!"#;
    let status = isolated("sh").args(["-c", script, SMIRK]).arg(&picture).status().unwrap();
    assert!(status.success(), "{status}");
    image::open(&picture).unwrap();
}

#[test]
fn a_reader_that_closes_its_end_is_no_error() {
    let script = r#""$0" inspect 2>&1 >&3 3>&- | cat >&2; "$0" inspect | head -1"#;
    let output = isolated("sh").args(["-c", &format!("exec 3>/dev/null; {script}"), SMIRK]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

#[test]
fn a_full_standard_error_is_no_panic() {
    if !cfg!(target_os = "linux") {
        return;
    }
    for arguments in
        [&["render", "no such file.glb", "-o", "x.png"][..], &["--no-such-option"], &["inspect", "nothing"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let status = isolated(SMIRK).args(arguments).stderr(full).stdout(Stdio::null()).status().unwrap();
        assert!(matches!(status.code(), Some(1 | 2)), "{arguments:?}: {status}");
    }
}
