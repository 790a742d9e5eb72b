//! A real window, a real mouse, a real keyboard: Smirk under Xvfb, driven by xdotool, looked at through the
//! display's own frame buffer. `./dev test` installs what it needs.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test")]

use smirk_support::test_files::real_heads;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Of the display the window test drives.
const SIZE: [usize; 2] = [1280, 720];
/// Of the README's picture.
const README_SIZE: [usize; 2] = [1600, 1000];
/// A smile grows on the bundled head.
const README_SECS: &str = "8.5";
/// Where the first slider stands while the list is filtered to one row, and a spot in the middle of the picture's part.
const SLIDER_Y: usize = 150;

/// One window at a time: they draw on the processor, and what the hand does must not wait for other windows' pictures.
static TURN: Mutex<()> = Mutex::new(());

/// A display in memory.
struct Display {
    server: Child,
    _turn: MutexGuard<'static, ()>,
    name: String,
    folder: tempfile::TempDir,
}

impl Display {
    fn start(size: [usize; 2]) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir().unwrap();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"])
            .arg(format!("{}x{}x24", size[0], size[1]))
            .arg("-fbdir")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is missing: apt install xvfb, or run ./dev test");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        Self { server, _turn: turn, name: format!(":{}", number.trim()), folder }
    }

    /// The screen as RGB rows, read from the X window dump that Xvfb keeps.
    fn picture(&self) -> Vec<[u8; 3]> {
        let dump = std::fs::read(self.folder.path().join("Xvfb_screen0")).unwrap();
        let word = |index: usize| u32::from_be_bytes(dump[index * 4..index * 4 + 4].try_into().unwrap()) as usize;
        let (header, width, height, row, colors) = (word(0), word(4), word(5), word(12), word(19));
        assert_eq!([width, height], SIZE);
        let pixels = &dump[header + colors * 12..];
        (0..height)
            .flat_map(|y| pixels[y * row..][..width * 4].chunks_exact(4).map(|bgrx| [bgrx[2], bgrx[1], bgrx[0]]))
            .collect()
    }

    /// Stores the screen where it can be looked at after a failure.
    fn keep_picture(&self) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window.png");
        let rgb: Vec<u8> = self.picture().into_iter().flatten().collect();
        image::save_buffer(&path, &rgb, SIZE[0] as u32, SIZE[1] as u32, image::ColorType::Rgb8).unwrap();
        path.display().to_string()
    }

    /// The middle of the window: the face.
    fn face(&self) -> Vec<[u8; 3]> {
        let picture = self.picture();
        (150..560).flat_map(|y| picture[y * SIZE[0] + 480..y * SIZE[0] + 820].to_vec()).collect()
    }

    fn does(&self, arguments: &[&str]) -> bool {
        let status = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).status();
        status.expect("xdotool is missing: apt install xdotool, or run ./dev test").success()
    }

    fn xdotool(&self, arguments: &[&str]) {
        assert!(self.does(arguments), "xdotool {arguments:?}");
        std::thread::sleep(Duration::from_millis(60));
    }

    /// Focuses the window once it can be: on a busy machine it may be found before the server takes it for visible.
    fn focus(&self) {
        let focus = ["search", "--sync", "--onlyvisible", "--name", "Smirk", "windowfocus", "--sync"];
        wait_until("a window to focus", || self.does(&focus));
    }

    fn drag(&self, from: [usize; 2], to: [usize; 2]) {
        let at = |spot: [usize; 2]| [spot[0].to_string(), spot[1].to_string()];
        let [x, y] = at(from);
        self.xdotool(&["mousemove", &x, &y]);
        self.xdotool(&["mousedown", "1"]);
        for step in 1..=8 {
            let part = |axis: usize| (from[axis] * (8 - step) + to[axis] * step) / 8;
            let [x, y] = at([part(0), part(1)]);
            self.xdotool(&["mousemove", &x, &y]);
        }
        self.xdotool(&["mouseup", "1"]);
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Smirk with a window.
struct Smirk {
    process: Child,
    config: Rc<tempfile::TempDir>,
}

impl Smirk {
    fn start<'a>(display: &Display, size: [usize; 2], arguments: impl IntoIterator<Item = &'a OsStr>) -> Self {
        let config = Rc::new(tempfile::tempdir().unwrap());
        let settings = format!(r#"{{"window_size":[{},{}]}}"#, size[0], size[1]);
        std::fs::write(config.path().join("settings.json"), settings).unwrap();
        Self::start_again(display, config, arguments)
    }

    /// Starts with what an earlier one left in its folders.
    fn start_again<'a>(
        display: &Display,
        config: Rc<tempfile::TempDir>,
        arguments: impl IntoIterator<Item = &'a OsStr>,
    ) -> Self {
        // A folder for programs that the test puts in the place of the system's.
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(config.path().join("bin")).chain(std::env::split_paths(&folders));
        let process = Command::new(env!("CARGO_BIN_EXE_smirk"))
            .args(arguments)
            .env("PATH", std::env::join_paths(folders).unwrap())
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("SMIRK_CONFIG_DIR", config.path())
            // Without one, Wayland's client library complains on the error stream.
            .env("XDG_RUNTIME_DIR", config.path())
            // No dialog of the desktop the test happens to run on: what is saved goes to the home folder.
            .env_remove("DBUS_SESSION_BUS_ADDRESS")
            .env("HOME", config.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { process, config }
    }

    /// Waits for the program to end well, and gives back what it wrote to the error stream.
    fn wait(&mut self) -> String {
        wait_until("Smirk to end", || self.process.try_wait().unwrap().is_some());
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.process.wait().unwrap().success(), "{said}");
        said
    }

    /// Closes the window as a user does (Ctrl+Q); what it wrote to the error stream, and the settings it left.
    fn quit(mut self, display: &Display) -> (String, serde_json::Value) {
        display.xdotool(&["key", "ctrl+q"]);
        let said = self.wait();
        let settings = std::fs::read_to_string(self.config.path().join("settings.json")).unwrap();
        (said, serde_json::from_str(&settings).unwrap())
    }
}

impl Drop for Smirk {
    fn drop(&mut self) {
        // A failed test must not leave a window behind.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() {
        assert!(began.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn mean_difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    let sum: f64 = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    sum / (a.len() * 3) as f64
}

/// Waits until the face no longer changes, and returns it.
fn settled_face(display: &Display) -> Vec<[u8; 3]> {
    let mut last = display.face();
    let mut alike = 0;
    for _ in 0..60 {
        std::thread::sleep(Duration::from_millis(500));
        let face = display.face();
        alike = if face == last { alike + 1 } else { 0 };
        // Twice: on a busy machine one frame can take longer than one look.
        if alike == 2 {
            return face;
        }
        last = face;
    }
    panic!("the picture does not settle; the screen is in {}", display.keep_picture());
}

#[test]
fn an_artist_opens_a_head_drags_a_slider_and_switches_modes() {
    let display = Display::start(SIZE);
    let head = real_heads().map(|heads| heads.join("ict/ict_facekit.glb"));
    let smirk = Smirk::start(&display, SIZE, head.as_deref().map(Path::as_os_str));
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    if head.is_some() {
        // The title changes once the head has taken the bundled one's place.
        display.xdotool(&["search", "--sync", "--onlyvisible", "--name", "ict_facekit"]);
    }

    display.xdotool(&["mousemove", "640", "360"]);
    display.xdotool(&["key", "space"]);
    display.xdotool(&["key", "ctrl+f"]);
    display.xdotool(&["type", "--delay", "40", "mouthFrown"]);
    let neutral = settled_face(&display);
    let mut last = neutral.clone();

    display.drag([60, SLIDER_Y], [150, SLIDER_Y]);
    // Off the slider, whose tooltip would lie over the face.
    display.xdotool(&["mousemove", "640", "360"]);
    let dragged = settled_face(&display);
    let moved = mean_difference(&last, &dragged);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; the screen is in {}", display.keep_picture());
    last = dragged;

    display.xdotool(&["key", "Escape"]);
    for mode in ["1", "2", "3", "4"] {
        display.xdotool(&["key", mode]);
        let face = settled_face(&display);
        let apart = mean_difference(&last, &face);
        assert!(apart < 0.05, "mode {mode} draws another face: {apart}");
    }

    display.xdotool(&["key", "ctrl+z"]);
    let undone = settled_face(&display);
    assert!(mean_difference(&neutral, &undone) < 0.05, "undo did not bring the neutral face back");

    let config = smirk.config.clone();
    let (said, settings) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    assert_eq!(settings["mode"], "multipass");
    let log = std::fs::read_to_string(config.path().join("smirk.log")).unwrap();
    assert!(log.starts_with("Smirk ") && log.contains(", driver "), "{log}");
}

/// Where the card about unsaved work has its button to restore it.
const RESTORE: [&str; 2] = ["495", "98"];

#[test]
fn work_survives_a_kill_is_offered_and_comes_back() {
    let display = Display::start(SIZE);
    let mut first = Smirk::start(&display, SIZE, []);
    let config = first.config.clone();
    let files = |folder: &str, extension: &str| {
        let entries = std::fs::read_dir(config.path().join(folder)).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|is| is == extension)).count()
    };
    let wait_for_window = || {
        display.focus();
        wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    };
    wait_for_window();
    display.xdotool(&["mousemove", "640", "360"]);
    for key in ["space", "Home", "ctrl+f"] {
        display.xdotool(&["key", key]);
    }
    display.xdotool(&["type", "--delay", "40", "mouthFrown"]);
    let neutral = settled_face(&display);
    display.drag([60, SLIDER_Y], [150, SLIDER_Y]);
    display.xdotool(&["mousemove", "640", "360"]);
    wait_until("the work to be kept", || files("recovery", "json") == 1);
    let frowning = settled_face(&display);
    let moved = mean_difference(&neutral, &frowning);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; the screen is in {}", display.keep_picture());
    // On Unix, this is kill -9.
    first.process.kill().unwrap();
    first.process.wait().unwrap();

    let second = Smirk::start_again(&display, config.clone(), []);
    wait_for_window();
    // The screen shows the killed window's last picture until the new one's clip runs.
    let mut last = frowning.clone();
    let mut changes = 0;
    wait_until("the clip to play", || {
        let face = display.face();
        changes += usize::from(face != last);
        last = face;
        changes > 3
    });
    display.xdotool(&["mousemove", RESTORE[0], RESTORE[1], "click", "1"]);
    display.xdotool(&["mousemove", "640", "360"]);
    wait_until("the work to come back", || mean_difference(&display.face(), &frowning) < moved * 0.1);
    assert_eq!(files("recovery", "json"), 1, "it is still on no disk but there");

    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the project to be saved", || files("", "smirk") == 1);
    let (said, settings) = second.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    assert_eq!((files("recovery", "json"), files("recovery", "lock")), (0, 0), "all is saved");
    assert!(settings["recent"][0].as_str().unwrap().ends_with(".smirk"), "{settings}");
}

#[test]
fn a_dialog_that_is_cancelled_at_once_saves_nothing() {
    let display = Display::start(SIZE);
    let config = Rc::new(tempfile::tempdir().unwrap());
    let zenity = config.path().join("bin/zenity");
    std::fs::create_dir(config.path().join("bin")).unwrap();
    std::fs::write(&zenity, "#!/bin/sh\necho \"$@\" >>\"$HOME/asked\"\nexit 1\n").unwrap();
    std::fs::set_permissions(&zenity, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let smirk = Smirk::start_again(&display, config.clone(), []);
    display.focus();
    wait_until("the window", || mean_difference(&display.face(), &vec![[0; 3]; 410 * 340]) > 8.0);
    let times_asked = || std::fs::read_to_string(config.path().join("asked")).map_or(0, |asked| asked.lines().count());
    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the dialog", || times_asked() == 1);
    // The second dialog opens only after the answer of the first is in.
    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the second dialog", || times_asked() == 2);
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "");
    let saved = std::fs::read_dir(config.path())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "smirk"));
    assert_eq!(saved.count(), 0);
}

/// The README shows the window as it is: the stored picture is what the program makes today, but for the milliseconds in it.
/// `SMIRK_ACCEPT=1` stores today's.
#[test]
fn the_readme_picture_is_current() {
    let display = Display::start(README_SIZE);
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("window.png");
    let arguments = [OsStr::new("--screenshot"), picture.as_os_str(), OsStr::new("--after"), OsStr::new(README_SECS)];
    let said = Smirk::start(&display, README_SIZE, arguments).wait();
    assert!(said.contains("1600×1000"), "{said}");
    let stored_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures/window.png");
    if std::env::var_os("SMIRK_ACCEPT").is_some() {
        std::fs::copy(&picture, &stored_path).unwrap();
    }
    let today = pixels(&picture);
    let stored = pixels(&stored_path);
    let apart = mean_difference(&today, &stored);
    assert!(
        apart < 0.25,
        "the window differs from docs/pictures/window.png by {apart}: look, then SMIRK_ACCEPT=1 ./dev test"
    );
    let later = [OsStr::new("--screenshot"), picture.as_os_str(), OsStr::new("--after"), OsStr::new("4.8")];
    Smirk::start(&display, README_SIZE, later).wait();
    assert!(mean_difference(&pixels(&picture), &stored) > 0.25, "the comparison does not see another expression");
}

fn pixels(png: &Path) -> Vec<[u8; 3]> {
    let picture = image::open(png).unwrap_or_else(|error| panic!("{}: {error}", png.display())).into_rgb8();
    assert_eq!([picture.width() as usize, picture.height() as usize], README_SIZE);
    picture.pixels().map(|pixel| pixel.0).collect()
}
