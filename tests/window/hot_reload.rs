//! The file of the head is written again while it is open.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use smirk_editor::document::Project;
use smirk_editor::export::{OutputPath, save_glb};
use smirk_face::head::{Head, Target};

use crate::SLIDER_Y;
use crate::display::{Display, SIZE, Smirk, mean_difference, settled_face, wait_until};
use crate::slider::column;

/// Shorter than the rest that ends the writing.
const SHORT_PAUSE: Duration = Duration::from_millis(120);

/// The head whose left corner of the mouth frowns three times as far, with one more target.
fn sculpted(head: &Head) -> Head {
    let mesh = head.meshes.iter().position(|mesh| mesh.name == face_of(head)).unwrap();
    let frown = head.meshes[mesh].targets.iter().find(|target| target.name == "mouthFrownLeft").unwrap();
    let positions = frown.positions.iter().map(|delta| *delta * 3.0).collect();
    let farther = Target { positions, ..frown.clone() };
    let puff = Target { name: "cheekPuffed".into(), ..farther.clone() };
    head.with_targets(vec![(mesh, farther), (mesh, puff)], Vec::new())
}

/// The name of the mesh with the most vertices that frowns.
fn face_of(head: &Head) -> &str {
    let frowns = head.meshes.iter().filter(|mesh| mesh.targets.iter().any(|target| target.name == "mouthFrownLeft"));
    &frowns.max_by_key(|mesh| mesh.vertices.len()).unwrap().name
}

fn bytes_of(folder: &Path, head: &Head) -> Vec<u8> {
    let file = folder.join("exported.glb");
    save_glb(&OutputPath::new(&file), head).unwrap();
    std::fs::read(file).unwrap()
}

/// Writes a file as slow exporters do.
fn write_in_pieces(path: &Path, bytes: &[u8]) {
    let mut file = std::fs::File::create(path).unwrap();
    for piece in bytes.chunks(bytes.len() / 5 + 1) {
        file.write_all(piece).unwrap();
        std::thread::sleep(SHORT_PAUSE);
    }
}

fn log(config: &Path) -> String {
    std::fs::read_to_string(config.join("smirk.log")).unwrap_or_default()
}

fn has_keys(project: &Project) -> bool {
    project.keys.channels().next().is_some()
}

/// The project once it is saved with another number of poses: a new pose is work, whatever else was saved already.
fn saved(project: &Path, display: &Display) -> Project {
    let poses = || {
        let project = Project::read(project).ok()?;
        Some(project.poses.iter().flatten().filter(|pose| pose.name.starts_with("Pose ")).count())
    };
    let before = poses();
    wait_until("the project to be saved", || {
        for key in ["ctrl+k", "Return", "ctrl+s"] {
            display.xdotool(&["key", key]);
            std::thread::sleep(Duration::from_millis(1500));
        }
        poses().is_some_and(|count| before != Some(count))
    });
    Project::read(project).unwrap()
}

#[test]
fn a_head_that_is_written_in_pieces_takes_the_place_of_the_old_one_and_a_broken_one_does_not() {
    let display = Display::start(SIZE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.glb");
    let head = smirk_files::import::embedded().unwrap();
    let (first, second) = (bytes_of(folder.path(), &head), bytes_of(folder.path(), &sculpted(&head)));
    std::fs::write(&path, &first).unwrap();
    let smirk = Smirk::start(&display, SIZE, [path.as_os_str()]);
    let config = smirk.config.clone();
    display.focus();
    let window = display.window_of(&smirk.process);
    display.wait_for_title(&window, "head — Smirk");

    // A slider, a key and another view.
    display.xdotool(&["mousemove", "640", "360"]);
    for key in ["space", "Home", "ctrl+f"] {
        display.xdotool(&["key", key]);
    }
    display.xdotool(&["type", "--delay", "40", "mouthFrown"]);
    settled_face(&display);
    display.drag([column(0.1), SLIDER_Y], [column(0.7), SLIDER_Y]);
    display.xdotool(&["key", "k"]);
    display.drag([640, 300], [600, 310]);
    let project = folder.path().join("head.smirk");
    let before = saved(&project, &display);
    assert!(!before.sliders.is_empty() && has_keys(&before) && before.camera.is_some(), "{before:?}");
    display.wait_for_title(&window, "head — Smirk");
    let old_face = settled_face(&display);

    write_in_pieces(&path, &second);
    let changed = "head.glb reloaded: 1 target moved, 1 new: cheekPuffed\n";
    wait_until("the head to be reloaded", || log(config.path()).contains(changed));
    assert!(!log(config.path()).contains("broken"), "it was read before it was complete");
    let new_face = settled_face(&display);
    let moved = mean_difference(&old_face, &new_face);
    assert!(moved > 0.2, "the new head differs by {moved} only; the screen is in {}", display.keep_picture());
    display.wait_for_title(&window, "head — Smirk");

    let after = saved(&project, &display);
    assert_eq!((&after.sliders, &after.linked, &after.keys), (&before.sliders, &before.linked, &before.keys));
    assert_eq!(after.camera, before.camera);

    // Half of a file is no head, however long it stays like that.
    std::fs::write(&path, &first[..first.len() / 2]).unwrap();
    let broken = "head.glb is being written or broken: ";
    wait_until("the broken file to be noticed", || log(config.path()).contains(broken));
    assert!(log(config.path()).contains("; the head on screen is the one from "));
    assert!(mean_difference(&settled_face(&display), &new_face) < 0.05 * moved, "the head went away with its file");
    write_in_pieces(&path, &first);
    wait_until("the whole file to be read", || log(config.path()).contains("1 target moved, 1 gone: cheekPuffed\n"));
    let again = settled_face(&display);
    assert!(mean_difference(&again, &old_face) < 0.05 * moved, "{}", mean_difference(&again, &old_face));

    // The steps before all of this are still there: the poses, the key, the slider.
    for _ in 0..12 {
        display.xdotool(&["key", "ctrl+z"]);
    }
    let undone = saved(&project, &display);
    assert!(undone.sliders.is_empty() && !has_keys(&undone), "{:?} {:?}", undone.sliders, undone.keys);
    let (said, settings) = smirk.quit(&display);
    assert_eq!((said.as_str(), settings["reloads_head"].as_bool()), ("", Some(true)));
}

#[test]
fn a_head_is_left_alone_where_that_is_switched_off() {
    let display = Display::start(SIZE);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.glb");
    let head = smirk_files::import::embedded().unwrap();
    std::fs::write(&path, bytes_of(folder.path(), &head)).unwrap();
    let config = std::rc::Rc::new(tempfile::tempdir().unwrap());
    let settings = r#"{"window_size":[1280,720],"reloads_head":false}"#;
    std::fs::write(config.path().join("settings.json"), settings).unwrap();
    let smirk = Smirk::start_again(&display, config.clone(), [path.as_os_str()]);
    display.focus();
    let window = display.window_of(&smirk.process);
    display.wait_for_title(&window, "head — Smirk");
    std::fs::write(&path, bytes_of(folder.path(), &sculpted(&head))).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(!log(config.path()).contains("reloaded"));
    let (_, settings) = smirk.quit(&display);
    assert_eq!(settings["reloads_head"].as_bool(), Some(false));
}
