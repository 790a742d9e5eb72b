//! The program with a window, driven by the names of its widgets.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use image::RgbImage;
use image::imageops::crop_imm;
use smirk_support::HANGS_AFTER;
use smirk_support::programs::isolated;

use crate::display::{Display, send_signal};
use crate::home::Home;
use crate::state::{State, Widget};

/// The time between two looks at what is waited for.
const LOOK_INTERVAL: Duration = Duration::from_millis(10);
/// After so many looks, a movement of the pointer that does not arrive is followed by another.
const LOOKS_PER_NUDGE: u32 = 200;

/// The program with its window.
pub struct Smirk {
    process: RefCell<Child>,
    pub display: Rc<Display>,
    pub home: Rc<Home>,
    state_file: PathBuf,
}

impl Smirk {
    /// Starts the program on a display, waits for its window, and gives it the keyboard. A picture that rests has one sample, because the
    /// processor draws it.
    pub fn open<'a>(
        display: &Rc<Display>,
        home: &Rc<Home>,
        arguments: impl IntoIterator<Item = &'a (impl AsRef<OsStr> + ?Sized + 'a)>,
    ) -> Self {
        Self::open_in(display, home, arguments, &[])
    }

    /// The same with other variables of the environment.
    pub fn open_in<'a>(
        display: &Rc<Display>,
        home: &Rc<Home>,
        arguments: impl IntoIterator<Item = &'a (impl AsRef<OsStr> + ?Sized + 'a)>,
        environment: &[(&str, &str)],
    ) -> Self {
        let arguments = arguments.into_iter().map(AsRef::as_ref);
        let arguments: Vec<&OsStr> = ["--samples", "1"].map(OsStr::new).into_iter().chain(arguments).collect();
        Self::start(display, home, arguments, environment).opened()
    }

    /// Waits for the window of a program that was started, and gives it the keyboard.
    pub fn opened(self) -> Self {
        self.wait_for("the window", |_| true);
        self.focus();
        self
    }

    /// Starts the program, and waits for nothing.
    pub fn start<'a>(
        display: &Rc<Display>,
        home: &Rc<Home>,
        arguments: impl IntoIterator<Item = &'a (impl AsRef<OsStr> + ?Sized + 'a)>,
        environment: &[(&str, &str)],
    ) -> Self {
        // A file of its own for each window of a folder.
        let number = home.files("", ".state.json").len();
        let state_file = home.at(&format!("{number}.state.json"));
        std::fs::write(&state_file, "").unwrap();
        let process = isolated(env!("CARGO_BIN_EXE_smirk"), home.path())
            .args(arguments)
            // The only programs it can start, such as that of file dialogs, are the test's.
            .env("PATH", home.at("bin"))
            .env("DISPLAY", &display.name)
            .env("SMIRK_STATE_FILE", &state_file)
            .envs(environment.iter().copied())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (display, home) = (display.clone(), home.clone());
        Self { process: RefCell::new(process), display, home, state_file }
    }

    pub fn process_id(&self) -> u32 {
        self.process.borrow().id()
    }

    /// The main memory that the program takes, in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process_id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }

    /// The window, as the display names it.
    pub fn window(&self) -> String {
        let id = self.process_id().to_string();
        let mut window = String::new();
        self.wait_until("the window of the program", || {
            window = self.display.read(&["search", "--all", "--pid", &id, "--name", "Smirk"]);
            !window.is_empty()
        });
        window
    }

    /// Puts the window in front of all others, and gives it the keyboard.
    pub fn focus(&self) {
        let window = self.window();
        // The server does not give the keyboard to a window that it does not show yet.
        self.wait_until("the keyboard", || {
            self.display.does(&["windowraise", &window, "windowfocus", &window])
                && self.state().is_some_and(|state| state.is_focused)
        });
    }

    /// What the window said of itself last; `None` before its first frame.
    pub fn state(&self) -> Option<State> {
        let bytes = std::fs::read(&self.state_file).unwrap();
        (!bytes.is_empty()).then(|| serde_json::from_slice(&bytes).expect("the state of the window"))
    }

    /// What the window says of itself now.
    pub fn current(&self) -> State {
        self.state().expect("the window is open")
    }

    /// Waits until something is true of the window, and returns its state.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&State) -> bool) -> State {
        let mut found = None;
        self.wait_until(what, || {
            found = self.state().filter(&is_so);
            found.is_some()
        });
        found.unwrap()
    }

    /// Waits until something is true; fails if it does not happen while the program runs.
    #[track_caller]
    pub fn wait_until(&self, what: &str, mut is_so: impl FnMut() -> bool) {
        let began = Instant::now();
        while !is_so() {
            if let Some(status) = self.process.borrow_mut().try_wait().unwrap() {
                // It may have happened just before the end.
                assert!(is_so(), "the program ended ({status}) before {what}: {}", self.said());
                return;
            }
            assert!(began.elapsed() < HANGS_AFTER, "{what} does not happen; {}", self.evidence());
            std::thread::sleep(LOOK_INTERVAL);
        }
    }

    #[track_caller]
    pub fn wait_until_at_rest(&self) -> State {
        self.wait_for("the window to be at rest", |state| state.is_at_rest)
    }

    #[track_caller]
    pub fn wait_for_title(&self, title: &str) {
        self.wait_for(title, |state| state.title == title);
    }

    /// Where the screen and the state of the window were stored, for the message of a failure.
    pub fn evidence(&self) -> String {
        let name = format!("window{}.json", self.display.name.replace(':', "-"));
        let state = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::copy(&self.state_file, &state).unwrap();
        format!("the screen is in {}, its state in {}", self.display.keep_picture(), state.display())
    }

    /// Sends input, and waits until the window has handled it: the pointer then moves by a pixel, which is handled last.
    #[track_caller]
    pub fn act(&self, commands: &[&str]) {
        if let Some(at) = commands.iter().rposition(|command| *command == "mousemove") {
            self.display.pointer.set([1, 2].map(|part| commands[at + part].parse().expect("a position")));
        }
        let mut looks = 0;
        let mut to = self.nudge(commands);
        self.wait_until(&format!("{commands:?} to be handled"), || {
            // What has moved to the place that another window remembers of it is not told to that window.
            if looks > 0 && looks % LOOKS_PER_NUDGE == 0 {
                to = self.nudge(&[]);
            }
            looks += 1;
            let pointer = self.state().and_then(|state| state.pointer);
            pointer.is_some_and(|at| at.map(|position| position as i32) == to)
        });
    }

    /// Sends input and a movement of the pointer by a pixel after it. Returns the place of the pointer.
    fn nudge(&self, commands: &[&str]) -> [i32; 2] {
        // Around a square: a place that was left comes back only after three others.
        let [x, y] = self.display.pointer.get();
        let to = if x & 1 == y & 1 { [x ^ 1, y] } else { [x, y ^ 1] };
        let [to_x, to_y] = to.map(|position| position.to_string());
        self.display.xdotool(&[commands, &["mousemove", &to_x, &to_y]].concat());
        self.display.pointer.set(to);
        to
    }

    #[track_caller]
    pub fn press(&self, keys: &[&str]) {
        self.act(&[&["key"], keys].concat());
    }

    #[track_caller]
    pub fn point_at(&self, name: &str) {
        let [x, y] = self.widget(name).middle().map(|position| position.to_string());
        self.act(&["mousemove", &x, &y]);
    }

    #[track_caller]
    pub fn click(&self, name: &str) {
        let [x, y] = self.widget(name).middle().map(|position| position.to_string());
        self.act(&["mousemove", &x, &y, "click", "1"]);
    }

    /// The same for a widget of this role, where others have the same name.
    #[track_caller]
    pub fn click_role(&self, role: &str, name: &str) {
        let find = |state: &State| state.widgets.iter().find(|it| it.role == role && it.name == name).cloned();
        let [x, y] = self.settled(name, find).middle().map(|position| position.to_string());
        self.act(&["mousemove", &x, &y, "click", "1"]);
    }

    /// The widget of this name, once it can be used and stays in its place.
    #[track_caller]
    pub fn widget(&self, name: &str) -> Widget {
        self.settled(name, |state| state.widget(name).cloned())
    }

    #[track_caller]
    fn settled(&self, name: &str, find: impl Fn(&State) -> Option<Widget>) -> Widget {
        // The frame in which it was first seen where it is.
        let mut since: Option<(u64, [f32; 4])> = None;
        let mut settled = None;
        self.wait_until(&format!("the widget {name}"), || {
            let Some(state) = self.state() else { return false };
            let Some(widget) = find(&state).filter(|widget| !widget.is_disabled) else { return false };
            let (frame, _) =
                *since.insert(since.filter(|(_, rect)| *rect == widget.rect).unwrap_or((state.frame, widget.rect)));
            settled = (state.is_at_rest || frame < state.frame).then_some(widget);
            settled.is_some()
        });
        settled.unwrap()
    }

    /// Drags with the left button, with so many steps in between.
    #[track_caller]
    pub fn drag(&self, from: [i32; 2], to: [i32; 2]) {
        const STEPS: i32 = 8;
        let mut commands = vec!["mousemove".to_owned(), from[0].to_string(), from[1].to_string()];
        commands.extend(["mousedown", "1"].map(str::to_owned));
        for step in 1..=STEPS {
            let part = |axis: usize| (from[axis] * (STEPS - step) + to[axis] * step) / STEPS;
            commands.extend(["mousemove".to_owned(), part(0).to_string(), part(1).to_string()]);
        }
        commands.extend(["mouseup", "1"].map(str::to_owned));
        self.act(&commands.iter().map(String::as_str).collect::<Vec<_>>());
    }

    /// Drags a slider from one fraction of its width to another.
    #[track_caller]
    pub fn drag_slider(&self, name: &str, from: f32, to: f32) {
        let slider = self.widget(name);
        self.drag(slider.at([from, 0.5]), slider.at([to, 0.5]));
    }

    /// The name of the first slider in the list whose name begins like this: some heads write the side as `Left`, others as `_L`.
    #[track_caller]
    pub fn first_slider(&self, start: &str) -> String {
        let is_it = |widget: &&Widget| widget.role == "Slider" && widget.name.starts_with(start);
        let state = self.wait_for(start, |state| state.widgets.iter().any(|widget| is_it(&widget)));
        let sliders = state.widgets.iter().filter(is_it);
        let first = sliders.min_by(|a, b| (a.rect[1], a.rect[0]).partial_cmp(&(b.rect[1], b.rect[0])).unwrap());
        first.unwrap().name.clone()
    }

    /// Lists only the channels whose names contain a word.
    #[track_caller]
    pub fn search(&self, word: &str) {
        const FIELD: &str = "Search channels";
        self.press(&["ctrl+f"]);
        let is_in_field = |state: &State| state.widget(FIELD).is_some_and(|field| field.is_focused);
        self.wait_for("the search field to have the keyboard", is_in_field);
        self.act(&["key", "ctrl+a", "type", "--args", "1", "--delay", "0", word]);
        let is_typed = |state: &State| state.widget(FIELD).and_then(|field| field.text.as_deref()) == Some(word);
        self.wait_for("the word in the search field", is_typed);
    }

    /// Saves the face as a pose with the name that it is given.
    #[track_caller]
    pub fn save_pose(&self) {
        let count = self.current().own_poses() + 1;
        self.press(&["ctrl+k"]);
        let is_named = |state: &State| state.widgets.iter().any(|widget| widget.is_focused && widget.text.is_some());
        self.wait_for("a new pose with its name", |state| state.own_poses() == count && is_named(state));
        self.press(&["Return"]);
        self.wait_for("the name to be taken", |state| !is_named(state));
    }

    /// Stops what plays, and goes to the start.
    #[track_caller]
    pub fn stop_at_start(&self) {
        let [x, y] = self.widget("Viewport").middle().map(|position| position.to_string());
        self.act(&["mousemove", &x, &y]);
        if self.current().is_playing {
            self.press(&["space"]);
            self.wait_for("the clip to stop", |state| !state.is_playing);
        }
        self.press(&["Home"]);
        self.wait_for("the start", |state| state.play_head_secs == 0.0);
    }

    /// Gives the window another size.
    pub fn resize(&self, size: [usize; 2]) {
        let [width, height] = size.map(|extent| extent.to_string());
        let before = face(&self.current());
        self.act(&["windowsize", &self.window(), &width, &height]);
        self.wait_for("the panels to have the new size", |state| face(state) != before);
    }

    /// Undoes one step after the other, until all channels have the values again that they had in an earlier state.
    #[track_caller]
    pub fn undo_to(&self, before: &State) {
        const MOST: usize = 10;
        for _ in 0..MOST {
            if self.current().channels == before.channels {
                return;
            }
            self.press(&["ctrl+z"]);
        }
        panic!("{MOST} steps back, the face is another; {}", self.evidence());
    }

    /// Moves the play head by half seconds to this time.
    #[track_caller]
    pub fn step_to(&self, secs: f32) {
        let steps = ((secs - self.current().play_head_secs) * 2.0).round() as i32;
        let key = if steps < 0 { "shift+Left" } else { "shift+Right" };
        self.press(&vec![key; steps.unsigned_abs() as usize]);
        self.wait_for("the play head to be there", |state| (state.play_head_secs - secs).abs() < 1e-3);
    }

    /// The picture of the face on the screen once the window is at rest.
    #[track_caller]
    pub fn face_at_rest(&self) -> RgbImage {
        let [left, top, right, bottom] = face(&self.wait_until_at_rest()).map(|position| position as u32);
        crop_imm(&self.display.picture(), left, top, right - left, bottom - top).to_image()
    }

    /// The picture of a widget on the screen once the window is at rest.
    #[track_caller]
    pub fn part_at_rest(&self, name: &str) -> RgbImage {
        let state = self.wait_until_at_rest();
        let widget = state.widget(name).unwrap_or_else(|| panic!("no {name}"));
        let [left, top, right, bottom] = widget.rect.map(|position| position.round() as u32);
        crop_imm(&self.display.picture(), left, top, right - left, bottom - top).to_image()
    }

    /// Sends a signal to the program.
    pub fn signal(&self, name: &str) {
        send_signal(&self.process.borrow(), name);
    }

    /// Ends the program at once, as `kill -9` does.
    pub fn kill(&self) {
        self.process.borrow_mut().kill().unwrap();
    }

    pub fn is_running(&self) -> bool {
        self.process.borrow_mut().try_wait().unwrap().is_none()
    }

    /// What the program wrote to the error stream until its end.
    fn said(&self) -> String {
        let mut said = String::new();
        if let Some(mut stream) = self.process.borrow_mut().stderr.take() {
            stream.read_to_string(&mut said).unwrap();
        }
        said
    }

    /// Waits for the program to end, and gives back how it ended and what it wrote to the error stream.
    #[track_caller]
    pub fn wait_for_end(&self) -> (ExitStatus, String) {
        let began = Instant::now();
        while self.is_running() {
            assert!(began.elapsed() < HANGS_AFTER, "the program does not end; {}", self.evidence());
            std::thread::sleep(LOOK_INTERVAL);
        }
        let status = self.process.borrow_mut().wait().unwrap();
        (status, self.said())
    }

    /// Waits for the program to end well, and gives back what it wrote to the error stream.
    #[track_caller]
    pub fn wait_for_success(&self) -> String {
        let (status, said) = self.wait_for_end();
        assert!(status.success(), "{said}");
        said
    }

    /// Closes the window as a user does (Ctrl+Q); what it wrote to the error stream, and the settings it left.
    #[track_caller]
    pub fn quit(self) -> (String, serde_json::Value) {
        // With unsaved work, the first says what is kept.
        self.display.xdotool(&["key", "ctrl+q", "ctrl+q"]);
        let said = self.wait_for_success();
        (said, self.home.settings())
    }
}

impl Drop for Smirk {
    fn drop(&mut self) {
        // A failed test must not leave a window behind.
        let process = self.process.get_mut();
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// The part of the window that the face fills, as its left, top, right and bottom: the middle of the viewport, a little higher than wide.
pub fn face(state: &State) -> [i32; 4] {
    const PART: f32 = 0.65;
    const HEIGHT: f32 = 1.2;
    let [left, top, right, bottom] = state.widget("Viewport").expect("a viewport").rect;
    let width = PART * (right - left).min((bottom - top) / HEIGHT);
    let middle = [(left + right) / 2.0, (top + bottom) / 2.0];
    let [x, y] = [width / 2.0, width * HEIGHT / 2.0];
    [middle[0] - x, middle[1] - y, middle[0] + x, middle[1] + y].map(|position| position.round() as i32)
}
