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
