//! A display in memory (Xvfb), its screen, and the mouse and keyboard (xdotool) that drive what is on it.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Condvar, Mutex, PoisonError};

use image::RgbImage;
use smirk_support::programs::isolated;

/// The smallest size that the window takes, in pixels. A small picture is drawn quickly.
pub const SMALL: [usize; 2] = [960, 600];

/// Displays that tests may have at once: windows draw on the processor, and with more of them each would only be slower.
const MOST: usize = 2;
static TURNS: (Mutex<usize>, Condvar) = (Mutex::new(MOST), Condvar::new());

/// The right of a test to have a display.
struct Turn;

impl Turn {
    fn take() -> Self {
        let (free, changed) = &TURNS;
        let free = free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = changed.wait_while(free, |free| *free == 0).unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Self
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let (free, changed) = &TURNS;
        *free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        changed.notify_one();
    }
}

/// A display in memory.
pub struct Display {
    server: Child,
    size: [usize; 2],
    pub name: String,
    /// Where the tests have moved the pointer.
    pub pointer: Cell<[i32; 2]>,
    folder: tempfile::TempDir,
    _turn: Option<Turn>,
}

impl Display {
    pub fn start(size: [usize; 2]) -> Self {
        Self::start_in_turn(size, Some(Turn::take()))
    }

    /// A display that waits for no other test, for one that opens several windows itself.
    pub fn start_beside(size: [usize; 2]) -> Self {
        Self::start_in_turn(size, None)
    }

    fn start_in_turn(size: [usize; 2], turn: Option<Turn>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Without repeated keys: on a busy machine, a key may seem to be held for long.
        let mut server = isolated("Xvfb", folder.path())
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset", "-r", "-screen", "0"])
            .arg(format!("{}x{}x24", size[0], size[1]))
            .arg("-fbdir")
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        assert!(!number.trim().is_empty(), "Xvfb did not start");
        let name = format!(":{}", number.trim());
        Self { server, size, name, pointer: Cell::new([0, 0]), folder, _turn: turn }
    }

    /// The screen, read from the X window dump that Xvfb keeps.
    pub fn picture(&self) -> RgbImage {
        let dump = std::fs::read(self.folder.path().join("Xvfb_screen0")).unwrap();
        let word = |index: usize| u32::from_be_bytes(dump[index * 4..index * 4 + 4].try_into().unwrap()) as usize;
        let (header, width, height, row, colors) = (word(0), word(4), word(5), word(12), word(19));
        assert_eq!([width, height], self.size);
        let pixels = &dump[header + colors * 12..];
        let rows = (0..height).flat_map(|y| pixels[y * row..][..width * 4].chunks_exact(4));
        let bytes = rows.flat_map(|bgrx| [bgrx[2], bgrx[1], bgrx[0]]).collect();
        RgbImage::from_raw(width as u32, height as u32, bytes).unwrap()
    }

    /// The bytes of a part of the screen, read without the rest of it.
    pub fn rows(&self, [left, right]: [i32; 2], [top, bottom]: [i32; 2]) -> Vec<u8> {
        let dump = std::fs::File::open(self.folder.path().join("Xvfb_screen0")).unwrap();
        let mut header = [0; 80];
        dump.read_exact_at(&mut header, 0).unwrap();
        let word = |index: usize| u64::from(u32::from_be_bytes(header[index * 4..index * 4 + 4].try_into().unwrap()));
        let start = word(0) + word(19) * 12;
        let row = |y: i32| {
            let mut bytes = vec![0; (right - left) as usize * 4];
            dump.read_exact_at(&mut bytes, start + y as u64 * word(12) + left as u64 * 4).unwrap();
            bytes
        };
        (top..bottom).flat_map(row).collect()
    }

    pub fn process_id(&self) -> u32 {
        self.server.id()
    }

    /// Sends a signal to the server.
    pub fn signal(&self, name: &str) {
        send_signal(&self.server, name);
    }

    /// Stores the screen where it can be looked at after a failure.
    pub fn keep_picture(&self) -> String {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("window{}.png", self.name.replace(':', "-")));
        self.picture().save(&path).unwrap();
        path.display().to_string()
    }

    /// Runs xdotool on this display; whether it succeeded.
    pub fn does(&self, arguments: &[&str]) -> bool {
        let command = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).stderr(Stdio::null()).status();
        command.expect("xdotool is missing: apt install xdotool, or run ./dev test").success()
    }

    /// Sends input, and does not wait for the program to handle it.
    pub fn xdotool(&self, arguments: &[&str]) {
        assert!(self.does(arguments), "xdotool {arguments:?}");
    }

    /// The first line that xdotool writes; empty if it fails.
    pub fn read(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).output().unwrap();
        String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Sends a signal to a program.
pub fn send_signal(process: &Child, name: &str) {
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {}", process.id())]).status();
    assert!(status.unwrap().success(), "kill -{name}");
}

/// The mean difference of two pictures per colour channel, 0 to 255.
pub fn mean_difference(a: &RgbImage, b: &RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.as_raw().len() as f64
}
