//! Editing an animation by hand: a capture is repaired, keyed and retimed, saved, and found again by a fresh process.

use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::json;
use smirk_editor::document::Project;
use smirk_face::head::Head;
use smirk_face::motion::{EditKind, KeyMode, Take};
use smirk_scene::{BlendMode, Look};
use smirk_session::Session;
use smirk_support::small_head;
use smirk_support::test_files::real_heads;

use crate::display::{Display, mean_difference};
use crate::home::{Home, own_poses};
use crate::smirk::Smirk;
use crate::state::State;

/// Large enough for the numbers of an edit beside the curves.
const SIZE: [usize; 2] = [1280, 960];
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
    let takes = project.read_takes(&session.head);
    let notes = project.apply(&mut session, &takes);
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

/// Stops what plays, and goes to the start, which is the part of a take that is shown first.
fn rewind(smirk: &Smirk) {
    smirk.point_at("Viewport");
    // A step stops.
    smirk.press(&["Right"]);
    smirk.wait_for("the take to stop", |state| !state.is_playing);
    smirk.press(&["Home"]);
    smirk.wait_for("the start", |state| state.play_head_secs == 0.0);
}

/// The times of the keys of the only channel that has any.
fn key_times(state: &State) -> Vec<f32> {
    state.keys.values().flatten().map(|[secs, _]| *secs).collect()
}

#[test]
fn a_capture_is_repaired_keyed_retimed_saved_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    edit(Some(&small_head::write(folder.path())), &performance());
}

/// With a real head and a real capture if the folder of real heads is there, else with the bundled head.
#[test]
#[ignore = "long: ./dev soak"]
fn a_real_capture_of_a_real_head_is_repaired_keyed_retimed_saved_and_found_again() {
    let real =
        real_heads().map(|heads| (heads.join("ict/ict_facekit.glb"), heads.join("mocap/MySlate_161_iPhone_cal.csv")));
    match real.filter(|(head, capture)| head.exists() && capture.exists()) {
        Some((head, capture)) => edit(Some(&head), &std::fs::read_to_string(capture).unwrap()),
        None => edit(None, &performance()),
    }
}

/// Edits a capture on a head, or on the bundled one.
fn edit(head_file: Option<&Path>, performance: &str) {
    let panels = json!({"left_width": 320.0, "right_width": 480.0, "page": "motion", "curves_height": 300.0});
    let home = Rc::new(Home::of_size(SIZE, &json!({"panels": panels})));
    // The project is saved beside the head.
    let head_file = head_file.map(|file| {
        let copy = home.at(&file.file_name().unwrap().to_string_lossy());
        std::fs::copy(file, &copy).unwrap();
        copy
    });
    let capture = home.at("take.csv");
    std::fs::write(&capture, performance).unwrap();
    let whole = take_of(&capture);
    std::fs::write(&capture, with_dropout(performance)).unwrap();
    let lost = take_of(&capture);
    let head = Arc::new(match &head_file {
        Some(file) => smirk_files::import::open(file).unwrap(),
        None => smirk_files::import::embedded().unwrap(),
    });

    let display = Rc::new(Display::start(SIZE));
    let smirk = Smirk::open(&display, &home, head_file.iter().chain([&capture]));
    let name = head_file.as_ref().map_or("Bundled head".into(), |file| file.file_stem().unwrap().to_string_lossy());
    // The mark of unsaved work: the take is there, and plays.
    smirk.wait_for_title(&format!("• {name} — Smirk"));
    rewind(&smirk);
    smirk.step_to(2.0);
    let another_face = smirk.face_at_rest();

    smirk.click("Add edit");
    smirk.click(EditKind::Bridge.label());
    smirk.wait_for("the edit", |state| state.shows(&format!("Edit 1 {}", EditKind::Bridge.label())));

    // A smile over the performance: a key as it is, a smile, and less of it.
    smirk.search("mouthSmile");
    smirk.press(&["Return"]);
    smirk.wait_for("the search field to lose the keyboard", |state| !state.widgets.iter().any(|it| it.is_focused));
    let slider = smirk.first_slider("mouthSmile");
    for (secs, value) in [(3.0, None), (4.0, Some(0.85)), (5.0, Some(0.3))] {
        smirk.step_to(secs);
        match value {
            None => smirk.point_at(&slider),
            Some(value) => smirk.drag_slider(&slider, 0.5, value),
        }
        let count = key_times(&smirk.current()).len();
        smirk.press(&["k"]);
        smirk.wait_for("the key", |state| key_times(state).len() == count + 1);
    }

    // The dope sheet: the middle of the phrase comes later, then all of it.
    smirk.point_at("Viewport");
    smirk.step_to(0.0);
    smirk.press(&["c"]);
    smirk.point_at("Curves");
    smirk.press(&["d"]);
    smirk.point_at("Keys by channel");
    smirk.press(&["ctrl+a"]);
    smirk.wait_for("the keys of the smile to be selected", |state| state.selected_keys == 3);
    let [first, second] = [3.0, 4.0].map(|secs| smirk.widget(&format!("All keys {secs:.2} s")).middle());
    smirk.drag(second, [second[0] + 2 * (second[0] - first[0]), second[1]]);
    smirk.wait_for("the phrase to come later", |state| key_times(state).iter().all(|&secs| secs > 4.0));

    smirk.press(&["ctrl+s"]);
    smirk.wait_until("the project to be saved", || home.files("", ".smirk").len() == 1);
    let project = home.files("", ".smirk").remove(0);
    smirk.point_at("Viewport");
    smirk.step_to(6.0);
    let face = smirk.face_at_rest();
    let (said, _) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");

    // What the hand did is what was saved.
    let mut first = reopened(&project, head.clone());
    let entry = first.take().unwrap();
    assert_eq!((entry.edits.len(), entry.edits[0].kind, entry.edits[0].span), (1, EditKind::Bridge, Some(REPAIRED)));
    let [left, repaired] = [difference_in_dropout(&lost, &whole), difference_in_dropout(&entry.edited(), &whole)];
    assert!(repaired < 0.4 * left, "{repaired} of {left} is left of the dropout");
    let smile = first.keys().channels().next().unwrap().to_owned();
    assert!(smile.starts_with("mouthSmile"), "{smile}");
    let curve = first.keys().curve(&smile).unwrap().clone();
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
    let copy = home.at("first.txt");
    std::fs::copy(&project, &copy).unwrap();
    let smirk = Smirk::open(&display, &home, [&project]);
    smirk.wait_for_title(&format!("{} — Smirk", project.file_stem().unwrap().to_string_lossy()));
    rewind(&smirk);
    smirk.step_to(6.0);
    let again = smirk.face_at_rest();
    let apart = mean_difference(&face, &again);
    let moved = mean_difference(&face, &another_face);
    assert!(apart < 0.1 * moved, "{apart} from the face that was left, which is {moved} from that of another moment");
    // A pose, so that there is something to save.
    smirk.save_pose();
    smirk.press(&["ctrl+s"]);
    smirk.wait_until("the project to be saved again", || own_poses(&project) == 1);
    let (said, _) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");
    let mut second = reopened(&project, head);
    let edits = |session: &Session| (session.keys().clone(), session.take().unwrap().edits.clone(), session.timeline());
    assert_eq!(edits(&second), edits(&first));
    assert!(sampled(&mut second) == weights, "other weights");
}
