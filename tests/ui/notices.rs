//! Notices that are on screen at the same time.

use crate::harness::*;

#[test]
fn a_notice_does_not_hide_the_progress_of_contact_sheets() {
    let mut harness = window(head());
    for notice in [
        Notice::Failure { title: "x.glb did not open".into(), message: "It is empty. ".repeat(40) },
        Notice::Loading { name: "x.glb".into(), stage: "reading".into(), fraction: 0.5 },
    ] {
        harness.state_mut().notice = notice;
        harness.state_mut().sheet = Some(SheetStatus { drawing: Some((3, 54)), waiting: 1 });
        harness.run();
        let above = harness.get_by_label_contains("x.glb").rect();
        let sheet = harness.get_by_label_contains("Contact sheet: picture 3 of 54 · 1 more to draw").rect();
        let button = harness.query_by_label("Dismiss").map_or(above, |button| button.rect());
        assert!(sheet.top() > above.bottom() && sheet.top() > button.bottom(), "{sheet} {above} {button}");
    }
    harness.state_mut().notice = Notice::Idle;
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::CancelSheet]);
    harness.state_mut().sheet = Some(SheetStatus { drawing: None, waiting: 0 });
    harness.run();
    assert!(harness.query_by_label("Writing the contact sheet").is_some());
    assert!(harness.query_by_label("Cancel").is_none(), "what is being written cannot be cancelled");
}

#[test]
fn what_was_done_is_said_in_the_top_row_and_never_over_the_face() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0)] {
        let mut app = App::new(head());
        app.status = Some(format!("Contact sheet saved to /home/artist/{}sheet.png", "shots/".repeat(40)));
        let harness = window_of(size, app);
        let text = harness.get_by_label_contains("Contact sheet saved").rect();
        let viewport = harness.get_by_label("Viewport").rect();
        assert!(text.bottom() < viewport.top() && text.right() < size.x, "{text} {viewport}");
        assert!(harness.get_by_label("Blend mode").rect().left() > text.right(), "a long path is shortened");
    }
}

#[test]
fn the_details_of_a_reload_are_shown_while_the_pointer_is_over_its_line() {
    let line = "head.glb reloaded: 3 targets moved, 1 new: cheekPuff, 120 vertices more";
    let mut app = App::new(head());
    app.status = Some(format!("{line}\nTargets new: cheekPuff"));
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    let bar = harness.get_by_label(line).rect();
    assert!(bar.height() < 30.0 && harness.query_by_label_contains("Targets new").is_none(), "{bar}");
    harness.hover_at(bar.center());
    harness.run_steps(80);
    assert!(harness.query_by_label_contains("Targets new: cheekPuff").is_some());
}

#[test]
fn what_is_wrong_is_said_when_nothing_was_done_just_now() {
    let mut app = App::new(head());
    app.problem = Some("head.glb is being written or broken: it is empty".into());
    app.status = Some("Poses exported to poses.json".into());
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    assert!(harness.query_by_label_contains("head.glb is being written").is_none());
    harness.state_mut().status = None;
    harness.run();
    assert!(harness.query_by_label_contains("head.glb is being written").is_some());
}

#[test]
fn reloading_is_switched_in_the_file_menu_and_is_no_step_of_undo() {
    let mut app = App::new(head());
    app.state.reloads_head = true;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    harness.get_by_label("File").click();
    harness.run();
    harness.get_by_label("Reload the head when its file changes").click();
    harness.run();
    assert!(!harness.state().state.reloads_head && !harness.state().session.can_undo());
}
