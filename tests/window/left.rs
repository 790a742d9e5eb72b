//! What is left of a test run that is killed.

use std::path::Path;
use std::process::Stdio;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use smirk_support::HANGS_AFTER;
use smirk_support::programs::supervised;

use crate::display::{Display, SMALL};
use crate::home::Home;
use crate::smirk::Smirk;

/// Where it names a file, the test is the run that is killed, and writes there which processes it has started.
const STARTED: &str = "SMIRK_TEST_STARTED";

/// Whether a process runs. One that has ended may still be listed, if nobody has asked for its end.
fn is_running(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < HANGS_AFTER, "{what} does not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Opens a window, and leaves it open.
fn stay_open(started: &Path) -> ! {
    let display = Rc::new(Display::start(SMALL));
    let smirk = Smirk::open(&display, &Rc::new(Home::new(&json!({}))), None::<&str>);
    std::fs::write(started, format!("{} {}\n", display.process_id(), smirk.process_id())).unwrap();
    loop {
        std::thread::park();
    }
}

#[test]
fn the_display_and_the_window_of_a_run_that_is_killed_end() {
    if let Some(started) = std::env::var_os(STARTED) {
        stay_open(started.as_ref());
    }
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let name = "left::the_display_and_the_window_of_a_run_that_is_killed_end";
    let mut run = supervised(std::env::current_exe().unwrap())
        .args(["--exact", name])
        .env(STARTED, &started)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut text = String::new();
    wait_until("the window", || {
        text = std::fs::read_to_string(&started).unwrap_or_default();
        text.ends_with('\n')
    });
    let started: Vec<&str> = text.split_whitespace().collect();
    assert!(started.len() == 2 && started.iter().all(|id| is_running(id)), "{text}");
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until("the end of both", || !started.iter().any(|id| is_running(id)));
}
