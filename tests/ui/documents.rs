//! Projects, unsaved work and imported shapes: menu, shortcuts, notices.

use crate::harness::*;
use smirk::document::{DocumentStatus, MissingHead, UnsavedWork};
use smirk::head::{Matching, ShapeFile};

fn unsaved_work(more: usize) -> Option<UnsavedWork> {
    Some(UnsavedWork { name: "ict_facekit".into(), age: "3 minutes ago".into(), more })
}

#[test]
fn menus_and_their_shortcuts_return_commands_about_files() {
    let mut harness = window(head());
    for (menu, label, command) in [
        ("File", "Open project…", Command::OpenProjectDialog),
        ("File", "Save project Ctrl+S", Command::SaveProject),
        ("File", "Save project as… Ctrl+Shift+S", Command::SaveProjectAs),
        ("File", "Import takes…", Command::ImportTakesDialog),
        ("File", "Import poses…", Command::ImportPosesDialog),
        ("File", "Import shapes…", Command::ImportShapesDialog),
        ("File", "Export poses…", Command::ExportPoses),
        ("Help", "Show log file", Command::ShowLogFile),
    ] {
        harness.get_by_label(menu).click();
        harness.run();
        harness.get_by_label(label).click();
        harness.run();
        assert_eq!(harness.state().commands.last(), Some(&command), "{label}");
    }
    harness.state_mut().commands.clear();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    harness.run();
    assert_eq!(harness.state().commands, [Command::SaveProject, Command::SaveProjectAs]);
}

#[test]
fn unsaved_work_can_be_restored_or_discarded() {
    let mut harness = window(head());
    assert!(harness.query_by_label("Restore").is_none());
    harness.state_mut().document.unsaved_work = unsaved_work(2);
    harness.run();
    harness.get_by_label("Unsaved work on ict_facekit from 3 minutes ago.");
    harness.get_by_label("2 more");
    harness.get_by_label("Restore").click();
    harness.run();
    harness.get_by_label("Discard").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::RestoreWork, Command::DiscardWork]);
}

#[test]
fn the_notice_of_unsaved_work_wraps_in_a_small_window() {
    let mut app = App::new(head());
    app.document.unsaved_work = unsaved_work(0);
    let harness = window_of(Vec2::new(960.0, 600.0), app);
    let text = harness.get_by_label("Unsaved work on ict_facekit from 3 minutes ago.");
    assert!(text.rect().height() > 24.0, "one line only: {}", text.rect());
}

#[test]
fn the_missing_head_of_a_project_can_be_located() {
    let mut harness = window(head());
    let problem = "ict_facekit.glb: cannot be read: No such file or directory".to_owned();
    let missing_head = Some(MissingHead { project: "walk.smirk".into(), problem });
    harness.state_mut().document =
        DocumentStatus { missing_head, unsaved_work: unsaved_work(0), ..DocumentStatus::default() };
    harness.run();
    harness.get_by_label("Cannot open the head of walk.smirk");
    assert!(harness.query_by_label("Restore").is_none(), "one notice at a time");
    harness.get_by_label("Locate…").click();
    harness.run();
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::LocateHead, Command::DismissNotice]);
}

#[test]
fn the_top_row_shows_the_project_and_unsaved_changes() {
    let mut harness = window(head());
    harness.get_by_label("ada_head");
    assert!(harness.query_by_label("Unsaved changes").is_none());
    harness.state_mut().document =
        DocumentStatus { project: Some("walk".into()), is_unsaved: true, ..DocumentStatus::default() };
    harness.run();
    harness.get_by_label("walk · ada_head");
    harness.get_by_label("Unsaved changes");
}

#[test]
fn a_message_can_be_dismissed() {
    let mut harness = window(head());
    harness.state_mut().notice = Notice::Info {
        title: "3 poses imported from a.json".into(),
        message: "Missing in this head: noseWrinkle.".into(),
    };
    harness.run();
    harness.get_by_label("Missing in this head: noseWrinkle.");
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::DismissNotice]);
}

#[test]
fn imported_shapes_are_matched_as_chosen() {
    let mut harness = window(head());
    harness.state_mut().notice = Notice::MatchShapes { files: vec!["a/jawOpen.obj".into(), "a/smile.obj".into()] };
    harness.run();
    harness.get_by_label("Import 2 shapes");
    harness.get_by_label("jawOpen, smile");
    harness.get_by_label("Matching").click();
    harness.run();
    harness.get_by_label("By texture coordinates").click();
    harness.run();
    harness.get_by_label("Import").click();
    harness.run();
    let shape = |path: &str| ShapeFile { path: path.into(), matching: Matching::Uv };
    let wanted = Command::ImportShapes(vec![shape("a/jawOpen.obj"), shape("a/smile.obj")]);
    assert_eq!(harness.state().commands, [wanted]);
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands.last(), Some(&Command::DismissNotice));
}
