//! Editing an animation by hand: a capture is repaired, keyed and retimed, saved, and found again by a fresh process.

use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use smirk_editor::document::Project;
use smirk_editor::session::Session;
use smirk_face::head::Head;
use smirk_face::motion::{EditKind, KeyMode, Take};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::Look;
use smirk_support::test_files::real_heads;

use crate::display::{Display, Smirk, mean_difference, settled_face, settled_screen, wait_until};

/// Large enough for the numbers of an edit beside the curves.
const SIZE: [usize; 2] = [1600, 1000];
/// Positions in the window: the tab Motion, its button Add edit, and the entry Bridge of the menu.
const MOTION: [usize; 2] = [1394, 53];
const ADD_EDIT: [usize; 2] = [1547, 261];
const BRIDGE: [usize; 2] = [1416, 516];
/// The first slider while the search shows one row only.
const SLIDER: [usize; 2] = [200, 142];
/// The summary row of the dope sheet: its height, and the columns of its diamonds.
const SUMMARY_Y: usize = 797;
const SHEET: Range<usize> = 830..1300;
/// A place on the face, and one in the dope sheet without keys.
const FACE: [usize; 2] = [900, 300];
const BELOW_KEYS: [usize; 2] = [1100, 930];
/// The seconds in which the tracker has lost the face, within the range of the edit that repairs it.
const DROPOUT: Range<f32> = 2.05..2.45;
const REPAIRED: [f32; 2] = [2.0, 2.5];

/// A capture of eight seconds as Live Link Face writes it.
fn performance() -> String {
    let mut text = String::from("Timecode,BlendshapeCount,JawOpen,MouthSmileLeft,MouthSmileRight,BrowInnerUp\n");
    for frame in 0..480 {
        let secs = frame as f32 / 60.0;
        let values = [
            0.4 - 0.2 * (3.0 * secs).cos(),
            0.2 + 0.1 * secs.sin(),
            0.18 + 0.1 * secs.sin(),
            0.5 + 0.3 * (0.7 * secs).cos(),
        ];
        let values = values.map(|value| format!("{value:.4}")).join(",");
        writeln!(text, "00:00:{:02}:{:02}.000,61,{values}", frame / 60, frame % 60).unwrap();
    }
    text
}

/// The same capture with zeros where the face was lost, as a tracker writes them.
fn with_dropout(performance: &str) -> String {
    let mut lines = performance.lines();
    let mut text = format!("{}\n", lines.next().unwrap());
    for (frame, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let is_lost = DROPOUT.contains(&(frame as f32 / 60.0));
        let values = cells[2..].iter().map(|&cell| if is_lost { "0.0" } else { cell });
        writeln!(text, "{}", cells[..2].iter().copied().chain(values).collect::<Vec<_>>().join(",")).unwrap();
    }
    text
}

fn take_of(path: &Path) -> Take {
    smirk_files::import::open_takes(path).unwrap().remove(0)
}

/// The mean difference of the columns of two takes while the face is lost.
fn difference_in_dropout(a: &Take, b: &Take) -> f32 {
    let times: Vec<f32> = (0..20).map(|step| DROPOUT.start + 0.02 * (step as f32 + 0.5)).collect();
    let columns = a.columns.len() as f32 * times.len() as f32;
    let of_column =
        |column: usize| times.iter().map(|&time| (a.sample(column, time) - b.sample(column, time)).abs()).sum::<f32>();
    (0..a.columns.len()).map(of_column).sum::<f32>() / columns
}

/// The saved project, opened as the program opens it.
fn reopened(project: &Path, head: Arc<Head>) -> Session {
    let project = Project::read(project).unwrap();
    let mut session = Session::new(head, project.head.source(), Look::default(), BlendMode::Cpu);
    let (_, notes) = project.apply(&mut session, &project.read_takes());
    assert!(notes.is_empty(), "{notes:?}");
    session.clock.timeline.playing = false;
    session
}

/// The weights of all targets at every frame.
fn sampled(session: &mut Session) -> Vec<Vec<f32>> {
    let frames = (session.timeline_secs() * 60.0) as usize;
    let mut at = |frame: usize| {
        session.seek(frame as f32 / 60.0);
        session.weights().to_vec()
    };
    (0..=frames).map(&mut at).collect()
}

fn click(display: &Display, at: [usize; 2]) {
    let [x, y] = at.map(|position| position.to_string());
    display.xdotool(&["mousemove", &x, &y, "click", "1"]);
}

fn point_at(display: &Display, at: [usize; 2]) {
    let [x, y] = at.map(|position| position.to_string());
    display.xdotool(&["mousemove", &x, &y]);
}

/// Stops at the start: a step stops, and Home goes to the start.
fn rewind(display: &Display) {
    display.xdotool(&["key", "Right"]);
    display.xdotool(&["key", "Home"]);
    settled_face(display);
}

/// Moves the play head by half seconds.
fn step(display: &Display, half_seconds: i32) {
    let key = if half_seconds < 0 { "shift+Left" } else { "shift+Right" };
    for _ in 0..half_seconds.abs() {
        display.xdotool(&["key", key]);
    }
}

/// The middles of the diamonds in the summary row: runs of bright pixels that are wider than the line of the play head.
fn diamonds(display: &Display) -> Vec<usize> {
    let row = display.row(SUMMARY_Y, SHEET);
    let mut found = Vec::new();
    let mut length = 0;
    for (x, pixel) in row.iter().chain([&[0; 3]]).enumerate() {
        let is_bright = pixel.iter().all(|&part| part > 180);
        if !is_bright && length >= 6 {
            found.push(SHEET.start + x - length / 2);
        }
        length = if is_bright { length + 1 } else { 0 };
    }
    found
}

fn project_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
    files.into_iter().find(|path| path.extension().is_some_and(|is| is == "smirk"))
}

/// How many poses of the artist a project has.
fn own_poses(file: &Path) -> usize {
    let Ok(project) = Project::read(file) else { return 0 };
    project.poses.iter().flatten().filter(|pose| pose.name.starts_with("Pose ")).count()
}

/// The head and the capture of the test: real ones if the folder of real heads is there.
fn head_and_capture() -> (Option<PathBuf>, String) {
    let real =
        real_heads().map(|heads| (heads.join("ict/ict_facekit.glb"), heads.join("mocap/MySlate_161_iPhone_cal.csv")));
    match real.filter(|(head, capture)| head.exists() && capture.exists()) {
        Some((head, capture)) => (Some(head), std::fs::read_to_string(capture).unwrap()),
        None => (None, performance()),
    }
}

#[test]
fn a_capture_is_repaired_keyed_retimed_saved_and_found_again() {
    let config = Rc::new(tempfile::tempdir().unwrap());
    std::fs::write(config.path().join("settings.json"), r#"{"window_size":[1600,1000]}"#).unwrap();
    let (head_file, performance) = head_and_capture();
    // The project is saved beside the head.
    let head_file = head_file.map(|file| {
        let copy = config.path().join(file.file_name().unwrap());
        std::fs::copy(file, &copy).unwrap();
        copy
    });
    let capture = config.path().join("take.csv");
    std::fs::write(&capture, &performance).unwrap();
    let whole = take_of(&capture);
    std::fs::write(&capture, with_dropout(&performance)).unwrap();
    let lost = take_of(&capture);
    let head = Arc::new(match &head_file {
        Some(file) => smirk_files::import::open(file).unwrap(),
        None => smirk_files::import::embedded().unwrap(),
    });

    let display = Display::start(SIZE);
    let arguments = head_file.iter().map(|file| file.as_os_str()).chain([capture.as_os_str()]);
    let smirk = Smirk::start_again(&display, config.clone(), arguments);
    display.focus();
    let window = display.window_of(&smirk.process);
    let name = head_file.as_ref().map_or("Bundled head", |_| "ict_facekit");
    if head_file.is_some() {
        // A large head may take more than a minute on a busy machine.
        display.xdotool(&["search", "--sync", "--onlyvisible", "--name", name]);
    }
    // The mark of unsaved work: the take is there, and plays.
    display.wait_for_title(&window, &format!("• {name} — Smirk"));
    rewind(&display);
    step(&display, 4);
    let another_face = settled_face(&display);

    click(&display, MOTION);
    settled_screen(&display);
    click(&display, ADD_EDIT);
    settled_screen(&display);
    click(&display, BRIDGE);
    settled_screen(&display);

    // A smile over the performance: a key as it is, a smile, and less of it.
    display.xdotool(&["key", "ctrl+f"]);
    display.xdotool(&["type", "--delay", "40", "mouthSmile"]);
    display.xdotool(&["key", "Return"]);
    settled_screen(&display);
    step(&display, 2);
    point_at(&display, SLIDER);
    settled_screen(&display);
    display.xdotool(&["key", "k"]);
    for to in [255, 182] {
        step(&display, 2);
        settled_screen(&display);
        display.drag([215, SLIDER[1]], [to, SLIDER[1]]);
        settled_screen(&display);
        display.xdotool(&["key", "k"]);
    }

    // The dope sheet: the middle of the phrase comes later, then all of it.
    point_at(&display, FACE);
    step(&display, -10);
    display.xdotool(&["key", "c"]);
    settled_screen(&display);
    point_at(&display, BELOW_KEYS);
    display.xdotool(&["key", "d"]);
    settled_screen(&display);
    display.xdotool(&["key", "ctrl+a"]);
    let mut keys = Vec::new();
    display.wait_until("the three keys of the smile", || {
        keys = diamonds(&display);
        keys.len() == 3
    });
    let dragged = keys[1] + 2 * (keys[1] - keys[0]);
    display.drag([keys[1], SUMMARY_Y], [dragged, SUMMARY_Y]);
    display
        .wait_until("the phrase to come later", || diamonds(&display).get(1).is_some_and(|x| x.abs_diff(dragged) <= 4));

    display.xdotool(&["key", "ctrl+s"]);
    wait_until("the project to be saved", || project_in(config.path()).is_some());
    let project = project_in(config.path()).unwrap();
    point_at(&display, FACE);
    step(&display, 12);
    let face = settled_face(&display);
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");

    // What the hand did is what was saved.
    let mut first = reopened(&project, head.clone());
    let entry = first.take().unwrap();
    assert_eq!((entry.edits.len(), entry.edits[0].kind, entry.edits[0].span), (1, EditKind::Bridge, Some(REPAIRED)));
    let [left, repaired] = [difference_in_dropout(&lost, &whole), difference_in_dropout(&entry.edited(), &whole)];
    assert!(repaired < 0.4 * left, "{repaired} of {left} is left of the dropout");
    let smile = first.edits.keys.channels().next().unwrap().to_owned();
    assert!(smile.starts_with("mouthSmile"), "{smile}");
    let curve = first.edits.keys.curve(&smile).unwrap().clone();
    let times: Vec<f32> = curve.keys().iter().map(|key| key.time_secs).collect();
    let moved = times[0] - 3.0;
    assert_eq!((curve.mode, times.len()), (KeyMode::Add, 3));
    assert!((1.5..2.5).contains(&moved), "{times:?}");
    for (key, before) in times.iter().zip([3.0, 4.0, 5.0]) {
        assert!((key - before - moved).abs() < 1e-3 && (key * 60.0 - (key * 60.0).round()).abs() < 1e-2, "{times:?}");
    }
    let values: Vec<f32> = curve.keys().iter().map(|key| key.value).collect();
    assert!(values[0].abs() < 1e-3 && values[1] > values[2] + 0.2, "the performance goes on below: {values:?}");
    let weights = sampled(&mut first);

    // A fresh process shows the same face, and what it saves is the same.
    let copy = config.path().join("first.txt");
    std::fs::copy(&project, &copy).unwrap();
    let smirk = Smirk::start_again(&display, config.clone(), [project.as_os_str()]);
    display.focus();
    let window = display.window_of(&smirk.process);
    let name = project.file_stem().unwrap().to_string_lossy();
    display.wait_for_title(&window, &format!("{name} — Smirk"));
    point_at(&display, FACE);
    rewind(&display);
    step(&display, 12);
    let again = settled_face(&display);
    let apart = mean_difference(&face, &again);
    let moved = mean_difference(&face, &another_face);
    assert!(apart < 0.1 * moved, "{apart} from the face that was left, which is {moved} from that of another moment");
    // A pose, so that there is something to save.
    for key in ["ctrl+k", "Return", "ctrl+s"] {
        display.xdotool(&["key", key]);
        std::thread::sleep(Duration::from_millis(1500));
    }
    wait_until("the project to be saved again", || own_poses(&project) == 1);
    let (said, _) = smirk.quit(&display);
    assert_eq!(said, "", "Smirk complained");
    let mut second = reopened(&project, head);
    let edits =
        |session: &Session| (session.edits.keys.clone(), session.take().unwrap().edits.clone(), session.edits.timeline);
    assert_eq!(edits(&second), edits(&first));
    assert!(sampled(&mut second) == weights, "other weights");
}
