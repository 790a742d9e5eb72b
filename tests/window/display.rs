//! A display in memory (Xvfb) with the program in it, and the mouse and keyboard (xdotool) that drive it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Size of the display and of the window that most tests use, in pixels.
pub const SIZE: [usize; 2] = [1280, 720];

/// One window at a time: all of them draw on the processor, and input to one must not wait for the pictures of another.
static TURN: Mutex<()> = Mutex::new(());

/// A display in memory.
pub struct Display {
    server: Child,
    size: [usize; 2],
    _turn: Option<MutexGuard<'static, ()>>,
    name: String,
    folder: tempfile::TempDir,
}

impl Display {
    pub fn start(size: [usize; 2]) -> Self {
        Self::start_beside(size, Some(TURN.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// A display that waits for no other test, for one that opens several windows itself.
    pub fn start_beside(size: [usize; 2], turn: Option<MutexGuard<'static, ()>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-screen", "0"])
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
        Self { server, size, _turn: turn, name: format!(":{}", number.trim()), folder }
    }

    /// The screen as RGB rows, read from the X window dump that Xvfb keeps.
    pub fn picture(&self) -> Vec<[u8; 3]> {
        let dump = std::fs::read(self.folder.path().join("Xvfb_screen0")).unwrap();
        let word = |index: usize| u32::from_be_bytes(dump[index * 4..index * 4 + 4].try_into().unwrap()) as usize;
        let (header, width, height, row, colors) = (word(0), word(4), word(5), word(12), word(19));
        assert_eq!([width, height], self.size);
        let pixels = &dump[header + colors * 12..];
        (0..height)
            .flat_map(|y| pixels[y * row..][..width * 4].chunks_exact(4).map(|bgrx| [bgrx[2], bgrx[1], bgrx[0]]))
            .collect()
    }

    /// A part of a row of the screen, read without the rest of it.
    pub fn row(&self, y: usize, columns: Range<usize>) -> Vec<[u8; 3]> {
        let mut dump = std::fs::File::open(self.folder.path().join("Xvfb_screen0")).unwrap();
        let mut header = [0; 80];
        dump.read_exact(&mut header).unwrap();
        let word = |index: usize| u32::from_be_bytes(header[index * 4..index * 4 + 4].try_into().unwrap()) as usize;
        let start = word(0) + word(19) * 12 + y * word(12) + columns.start * 4;
        dump.seek(SeekFrom::Start(start as u64)).unwrap();
        let mut pixels = vec![0; columns.len() * 4];
        dump.read_exact(&mut pixels).unwrap();
        pixels.chunks_exact(4).map(|bgrx| [bgrx[2], bgrx[1], bgrx[0]]).collect()
    }

    /// Sends a signal to the server.
    pub fn signal(&self, name: &str) {
        send_signal(&self.server, name);
    }

    /// Stores the screen where it can be looked at after a failure.
    pub fn keep_picture(&self) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("window{}.png", self.name.replace(':', "-")));
        let rgb: Vec<u8> = self.picture().into_iter().flatten().collect();
        image::save_buffer(&path, &rgb, self.size[0] as u32, self.size[1] as u32, image::ColorType::Rgb8).unwrap();
        path.display().to_string()
    }

    /// Waits until something is true of the screen; fails after a minute, and keeps a picture of the screen then.
    pub fn wait_until(&self, what: &str, done: impl FnMut() -> bool) {
        self.wait_at_most(Duration::from_secs(60), what, done);
    }

    /// [`Self::wait_until`] that fails after another time.
    pub fn wait_at_most(&self, most: Duration, what: &str, done: impl FnMut() -> bool) {
        assert!(
            comes_true(most, done),
            "waited {} s for {what}; the screen is in {}",
            most.as_secs(),
            self.keep_picture()
        );
    }

    /// The middle of the window: the face.
    pub fn face(&self) -> Vec<[u8; 3]> {
        let picture = self.picture();
        (150..560).flat_map(|y| picture[y * self.size[0] + 480..y * self.size[0] + 820].to_vec()).collect()
    }

    /// Runs xdotool on this display; whether it succeeded.
    pub fn does(&self, arguments: &[&str]) -> bool {
        let status = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).status();
        status.expect("xdotool is missing: apt install xdotool, or run ./dev test").success()
    }

    /// Sends input, and gives the program a moment to read it.
    pub fn xdotool(&self, arguments: &[&str]) {
        assert!(self.does(arguments), "xdotool {arguments:?}");
        std::thread::sleep(Duration::from_millis(60));
    }

    /// Focuses the window once it can be: on a busy machine it may be found before the server takes it for visible.
    pub fn focus(&self) {
        let focus = ["search", "--sync", "--onlyvisible", "--name", "Smirk", "windowfocus", "--sync"];
        wait_until("a window to focus", || self.does(&focus));
    }

    /// The window of a program, once it has one.
    pub fn window_of(&self, program: &Child) -> String {
        let mut window = String::new();
        wait_until("the window of a program", || {
            window = self.read(&["search", "--all", "--pid", &program.id().to_string(), "--name", "Smirk"]);
            !window.is_empty()
        });
        window
    }

    /// The first line that xdotool writes; empty if it fails.
    pub fn read(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().unwrap();
        String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
    }

    /// Waits until the title of a window is this one.
    pub fn wait_for_title(&self, window: &str, title: &str) {
        wait_until(title, || self.read(&["getwindowname", window]) == title);
    }

    /// Puts a window in front of all others, and gives it the keyboard.
    pub fn bring_to_front(&self, window: &str) {
        wait_until("a window to focus", || self.does(&["windowraise", window, "windowfocus", "--sync", window]));
    }

    /// Drags with the left button.
    pub fn drag(&self, from: [usize; 2], to: [usize; 2]) {
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
pub struct Smirk {
    pub process: Child,
    pub config: Rc<tempfile::TempDir>,
}

impl Smirk {
    pub fn start<'a>(display: &Display, size: [usize; 2], arguments: impl IntoIterator<Item = &'a OsStr>) -> Self {
        let config = Rc::new(tempfile::tempdir().unwrap());
        let settings = format!(r#"{{"window_size":[{},{}]}}"#, size[0], size[1]);
        std::fs::write(config.path().join("settings.json"), settings).unwrap();
        Self::start_again(display, config, arguments)
    }

    /// Starts with what an earlier one left in its folders.
    pub fn start_again<'a>(
        display: &Display,
        config: Rc<tempfile::TempDir>,
        arguments: impl IntoIterator<Item = &'a OsStr>,
    ) -> Self {
        Self::start_in(display, config, arguments, &[])
    }

    /// The same with other variables of the environment.
    pub fn start_in<'a>(
        display: &Display,
        config: Rc<tempfile::TempDir>,
        arguments: impl IntoIterator<Item = &'a OsStr>,
        environment: &[(&str, &str)],
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
            .envs(environment.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { process, config }
    }

    /// Waits for the program to end well, and gives back what it wrote to the error stream.
    pub fn wait(&mut self) -> String {
        let (status, said) = self.wait_for_end();
        assert!(status.success(), "{said}");
        said
    }

    /// Waits for the program to end, and gives back how it ended and what it wrote to the error stream.
    pub fn wait_for_end(&mut self) -> (ExitStatus, String) {
        wait_until("Smirk to end", || self.process.try_wait().unwrap().is_some());
        let mut said = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.process.wait().unwrap(), said)
    }

    /// Sends a signal to the program.
    pub fn signal(&self, name: &str) {
        send_signal(&self.process, name);
    }

    /// Closes the window as a user does (Ctrl+Q); what it wrote to the error stream, and the settings it left.
    pub fn quit(mut self, display: &Display) -> (String, serde_json::Value) {
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

fn send_signal(process: &Child, name: &str) {
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {}", process.id())]).status();
    assert!(status.unwrap().success(), "kill -{name}");
}

/// Waits until something is true; fails after a minute.
pub fn wait_until(what: &str, done: impl FnMut() -> bool) {
    assert!(comes_true(Duration::from_secs(60), done), "waited a minute for {what}");
}

/// Whether something comes true within that time.
fn comes_true(most: Duration, mut done: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    loop {
        if done() {
            return true;
        }
        if began.elapsed() >= most {
            return false;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The mean difference of two pictures per colour channel, 0 to 255.
pub fn mean_difference(a: &[[u8; 3]], b: &[[u8; 3]]) -> f64 {
    let sum: f64 = a.iter().flatten().zip(b.iter().flatten()).map(|(a, b)| f64::from(a.abs_diff(*b))).sum();
    sum / (a.len() * 3) as f64
}

/// Waits until a picture no longer changes, and returns it.
fn settled(display: &Display, mut picture: impl FnMut() -> Vec<[u8; 3]>) -> Vec<[u8; 3]> {
    let mut last = picture();
    let mut alike = 0;
    for _ in 0..120 {
        std::thread::sleep(Duration::from_millis(500));
        let next = picture();
        alike = if next == last { alike + 1 } else { 0 };
        // Several times: a picture that rests is refined for seconds, and a sample can take longer than one interval.
        if alike == 5 {
            return next;
        }
        last = next;
    }
    panic!("the picture does not settle; the screen is in {}", display.keep_picture());
}

/// Waits until the face no longer changes, and returns it.
pub fn settled_face(display: &Display) -> Vec<[u8; 3]> {
    settled(display, || display.face())
}

/// Waits until the screen no longer changes, and returns it.
pub fn settled_screen(display: &Display) -> Vec<[u8; 3]> {
    settled(display, || display.picture())
}
