//! The file of the head is written again while it is open.

use std::path::Path;
use std::rc::Rc;

use serde_json::json;
use smirk_editor::document::Project;
use smirk_export::glb;
use smirk_face::head::{Head, Target};
use smirk_session::Timing;
use smirk_support::slow_writing::write_in_pieces;
use smirk_support::small_head;

use crate::display::{Display, SMALL, mean_difference};
use crate::home::Home;
use crate::smirk::Smirk;

const CHANNEL: &str = "mouthSmileLeft";

/// The head that smiles three times as far, with one more target.
fn sculpted(head: &Head) -> Head {
    let smile = head.meshes[0].targets.iter().find(|target| target.name == CHANNEL).unwrap();
    let positions = smile.positions.iter().map(|delta| *delta * 3.0).collect();
    let farther = Target { positions, ..smile.clone() };
    let puff = Target { name: "cheekPuffed".into(), ..farther.clone() };
    head.with_targets(vec![(0, farther), (0, puff)], Vec::new())
}

fn bytes_of(folder: &Path, head: &Head) -> Vec<u8> {
    let file = folder.join("exported.glb");
    std::fs::write(&file, glb(head).unwrap()).unwrap();
    std::fs::read(file).unwrap()
}

/// All keys, by what they belong to.
fn keys(project: &Project) -> Vec<Timing> {
    project.edits.timed().iter().map(|of| project.edits.timing(of)).collect()
}

fn has_keys(project: &Project) -> bool {
    !project.edits.timed().is_empty()
}

/// The project once it is saved with a new pose, which is work, whatever else was saved already.
fn saved(project: &Path, smirk: &Smirk) -> Project {
    smirk.save_pose();
    let count = smirk.current().own_poses();
    smirk.press(&["ctrl+s"]);
    let has_pose =
        |project: Project| project.edits.poses.iter().filter(|pose| pose.name.starts_with("Pose ")).count() == count;
    smirk.wait_until("the project to be saved", || Project::read(project).is_ok_and(has_pose));
    Project::read(project).unwrap()
}

#[test]
fn a_head_that_is_written_in_pieces_takes_the_place_of_the_old_one_and_a_broken_one_does_not() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.glb");
    let head = smirk_files::import::open(&small_head::write(folder.path())).unwrap();
    let (first, second) = (bytes_of(folder.path(), &head), bytes_of(folder.path(), &sculpted(&head)));
    std::fs::write(&path, &first).unwrap();
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, [&path]);
    smirk.wait_for_title("head — Smirk");

    // A slider, a key and another view.
    smirk.stop_at_start();
    smirk.drag_slider(CHANNEL, 0.1, 0.7);
    smirk.press(&["k"]);
    smirk.wait_for("the key", |state| !state.keys.is_empty());
    let face = smirk.widget("Viewport");
    smirk.drag(face.at([0.5, 0.4]), face.at([0.3, 0.45]));
    let project = folder.path().join("head.smirk");
    let before = saved(&project, &smirk);
    assert!(!before.edits.sliders.is_empty() && has_keys(&before) && before.camera.is_some(), "{before:?}");
    smirk.wait_for_title("head — Smirk");
    smirk.point_at("Viewport");
    let old_face = smirk.face_at_rest();

    let never_rested = write_in_pieces(&path, &second).unwrap();
    let changed = "head.glb reloaded: 1 target moved, 1 new: cheekPuffed\n";
    smirk.wait_until("the head to be reloaded", || home.log().contains(changed));
    assert!(!(never_rested && home.log().contains("broken")), "it was read before it was complete");
    smirk.wait_for("the new channel", |state| state.channels.contains_key("cheekPuffed"));
    let new_face = smirk.face_at_rest();
    let moved = mean_difference(&old_face, &new_face);
    assert!(moved > 0.2, "the new head differs by {moved} only; {}", smirk.evidence());
    smirk.wait_for_title("head — Smirk");

    let after = saved(&project, &smirk);
    assert_eq!((&after.edits.sliders, &after.edits.linked), (&before.edits.sliders, &before.edits.linked));
    assert_eq!((after.camera, keys(&after)), (before.camera, keys(&before)));

    // Half of a file is no head, however long it stays like that.
    std::fs::write(&path, &first[..first.len() / 2]).unwrap();
    let broken = "head.glb is being written or broken: ";
    smirk.wait_until("the broken file to be noticed", || home.log().contains(broken));
    assert!(home.log().contains("; the head on screen is the one from "));
    smirk.point_at("Viewport");
    let apart = mean_difference(&smirk.face_at_rest(), &new_face);
    assert!(apart < 0.05 * moved, "the head went away with its file: {apart} of {moved}");
    write_in_pieces(&path, &first).unwrap();
    let gone = "1 target moved, 1 gone: cheekPuffed\n";
    smirk.wait_until("the whole file to be read", || home.log().contains(gone));
    smirk.wait_for("the channel to go", |state| !state.channels.contains_key("cheekPuffed"));
    let again = mean_difference(&smirk.face_at_rest(), &old_face);
    assert!(again < 0.05 * moved, "{again} from the first face, of {moved}");

    // The steps before all of this are still there: the poses, the key, the slider.
    smirk.press(&["ctrl+z"; 12]);
    let undone = |state: &crate::state::State| state.keys.is_empty() && state.value(CHANNEL) == 0.0;
    smirk.wait_for("all steps to be undone", undone);
    let undone = saved(&project, &smirk);
    assert!(undone.edits.sliders.is_empty() && !has_keys(&undone), "{:?} {:?}", undone.edits.sliders, keys(&undone));
    let (said, settings) = smirk.quit();
    assert_eq!((said.as_str(), settings["reloads_head"].as_bool()), ("", Some(true)));
}

/// A note is typed at once after its key; its picture stays as it was, and the same face of the new head is beside it, in
/// the same light.
#[test]
fn a_note_shows_its_face_before_and_now_after_its_head_was_written_again() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.glb");
    let head = smirk_files::import::open(&small_head::write(folder.path())).unwrap();
    std::fs::write(&path, bytes_of(folder.path(), &head)).unwrap();
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, [&path]);
    smirk.wait_for_title("head — Smirk");
    smirk.stop_at_start();
    smirk.drag_slider(CHANNEL, 0.1, 0.9);
    smirk.point_at("Viewport");
    smirk.act(&["key", "shift+n", "type", "--args", "1", "--delay", "0", "mouth corner low, key it"]);
    let text = |state: &crate::state::State| state.widget("Text of note 1").and_then(|field| field.text.clone());
    smirk.wait_for("the text", |state| text(state).as_deref() == Some("mouth corner low, key it"));
    assert!(smirk.current().keys.is_empty(), "its letters are no shortcuts");
    smirk.press(&["Escape"]);
    let pictures = |what: &str| {
        smirk.wait_for(what, |state| ["Before: note 1", "Now: note 1"].iter().all(|name| state.shows(name)));
        ["Before: note 1", "Now: note 1"].map(|name| smirk.part_at_rest(name))
    };
    let [before, now] = pictures("both pictures");
    smirk.click("Look");
    smirk.click("Look Flat check");
    smirk.click("Notes");
    let [_, in_its_light] = pictures("both pictures in another light");
    assert!(mean_difference(&now, &in_its_light) < 0.1, "another light is not that of the note; {}", smirk.evidence());
    write_in_pieces(&path, &bytes_of(folder.path(), &sculpted(&head))).unwrap();
    smirk.wait_for("the new channel", |state| state.channels.contains_key("cheekPuffed"));
    let [still_before, new] = pictures("both pictures of the new head");
    assert_eq!(before, still_before, "the picture of the moment stays; {}", smirk.evidence());
    let moved = mean_difference(&now, &new);
    assert!(moved > 0.2, "the picture of now differs by {moved} only; {}", smirk.evidence());
    let (said, _) = smirk.quit();
    assert_eq!(said, "");
}

/// Findings name channels, and those of one head must not be looked up in another one, however it comes.
#[test]
fn the_report_page_goes_on_when_a_head_with_fewer_channels_comes() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["head.glb", "other.glb"].map(|name| folder.path().join(name));
    let head = smirk_files::import::open(&small_head::write(folder.path())).unwrap();
    let smile = head.meshes[0].targets.iter().find(|target| target.name == CHANNEL).unwrap();
    let copy = |index: usize| (0, Target { name: format!("copy{index}"), ..smile.clone() });
    let many = bytes_of(folder.path(), &head.with_targets((0..8).map(copy).collect(), Vec::new()));
    let few = bytes_of(folder.path(), &head);
    std::fs::write(&path, &many).unwrap();
    std::fs::write(&other, &few).unwrap();
    let home = Rc::new(Home::new(&json!({ "panels": { "page": "report" } })));
    home.answer_dialogs(&other);
    let smirk = Smirk::open(&display, &home, [&path]);
    let finds_copies = |state: &crate::state::State| state.shows("Duplicate shapes");
    smirk.wait_for("the findings", finds_copies);
    for _ in 0..2 {
        std::fs::write(&path, &few).unwrap();
        smirk.wait_for("the copies to go", |state| !state.channels.contains_key("copy7") && !finds_copies(state));
        std::fs::write(&path, &many).unwrap();
        smirk.wait_for("the copies to come back", |state| state.channels.contains_key("copy7") && finds_copies(state));
    }
    smirk.press(&["ctrl+o"]);
    smirk.wait_for_title("other — Smirk");
    smirk.wait_for("the findings of the other head", |state| !finds_copies(state));
    let (said, _) = smirk.quit();
    assert_eq!(said, "");
    assert!(!home.log().contains("stopped unexpectedly") && !home.log().contains("panicked"), "{}", home.log());
}
