//! Review notes: their page, pins, marks, strokes and keys.

use std::sync::Arc;

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT;
use smirk_analysis::lint::{Measure, Rule};
use smirk_export::{NotesFormat, SheetContent, notes_text};
use smirk_face::head::Level;
use smirk_scene::View;
use smirk_session::{NoteState, NotedFinding, PinnedTo, ReviewNote, SurfacePoint};
use smirk_ui::{Page, PictureOf};

use crate::harness::*;

/// A face alone, all of which is seen from the front.
fn face() -> App {
    let meshes = vec![mesh("face", FACE)];
    let clips = head().clips.clone();
    let clips = vec![Clip::new(clips[0].name.clone(), clips[0].tracks[..1].to_vec())];
    let mut app = App::new(Arc::new(Head::new(Asset { meshes, clips, ..Asset::default() })));
    app.session.camera.turn_to(View::Front, &app.session.head, 1.0);
    (app.session.camera.target_in_world, app.session.camera.distance) = (Vec3::new(0.03, 0.06, 0.0), 0.8);
    app
}

fn shown(app: App) -> Harness<'static, App> {
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn notes<'a>(harness: &'a Harness<'_, App>) -> &'a [Arc<ReviewNote>] {
    &harness.state().session.edits.notes
}

fn on_screen(harness: &Harness<'_, App>, point: Vec3) -> Pos2 {
    let viewport = harness.get_by_label("Viewport").rect();
    let at = harness.state().session.camera.in_picture(point).unwrap();
    viewport.center() + Vec2::new(at.x, at.y) * viewport.height()
}

/// Three notes that are pinned to the time, one after the other, of which the second is done.
fn three() -> App {
    let mut app = face();
    for (text, secs) in [("first", 1.0), ("second", 2.0), ("third", 3.0)] {
        app.session.seek(secs);
        let time = app.session.noted_time();
        let id = app.session.notes_mut().add("Ada", text, PinnedTo { time, ..PinnedTo::default() }, 1.0);
        if text == "second" {
            app.session.notes_mut().set_state(id, NoteState::Done);
        }
    }
    app.session.commit();
    app.state.panels.page = Page::Notes;
    app
}

#[test]
fn a_note_is_typed_pinned_by_a_click_answered_done_and_undone() {
    let mut harness = shown(face());
    press(&mut harness, "Notes");
    press(&mut harness, "Add note");
    assert!(harness.get_by_label("Text of note 1").is_focused(), "it is typed at once");
    harness.event(Event::Text("The corner is too high".into()));
    harness.run_ok();
    assert_eq!(notes(&harness)[0].text, "The corner is too high");
    let camera = harness.state().session.camera;
    let at = on_screen(&harness, Vec3::new(0.02, 0.03, 0.0));
    click(&mut harness, at);
    let point = notes(&harness)[0].pinned_to.point.clone().unwrap();
    assert_eq!((point.mesh.as_str(), harness.state().session.camera), ("face", camera));
    harness.get_by_label("Pin of note 1");
    harness.get_by_label("Remove Point on face");
    harness.get_by_label("Reply").focus();
    harness.run_ok();
    harness.event(Event::Text("Lowered".into()));
    harness.run_ok();
    press(&mut harness, "Send reply");
    assert_eq!(notes(&harness)[0].replies[0].text, "Lowered");
    harness.get_by_label("Lowered");
    press(&mut harness, "Done: note 1");
    assert!(!notes(&harness)[0].is_open());
    press(&mut harness, "Reopen: note 1");
    assert!(notes(&harness)[0].is_open());
    press(&mut harness, "Delete note 1");
    assert!(notes(&harness).is_empty());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!(notes(&harness)[0].replies.len(), 1, "undo brings it back");
}

/// What follows the key in the same frame, and in the next ones until the field of the text has the keyboard.
#[test]
fn what_is_typed_at_once_after_the_key_of_a_note_is_its_text() {
    let mut harness = shown(face());
    let view = harness.state().session.edits.look.view;
    let key = |key, modifiers| Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
    let typed = |key_of: Key, text: &str| [key(key_of, Modifiers::NONE), Event::Text(text.into())];
    let add = [key(Key::N, Modifiers::SHIFT), Event::Text("N".into())];
    // Of one frame, of that before the field is shown, and of that in which it is.
    for events in
        [[add, typed(Key::M, "m"), typed(Key::N, "n")].as_flattened(), &typed(Key::K, "k"), &typed(Key::S, "s")]
    {
        harness.input_mut().events.extend_from_slice(events);
        harness.step();
    }
    harness.run_ok();
    assert_eq!((notes(&harness).len(), notes(&harness)[0].text.as_str()), (1, "mnks"));
    let session = &harness.state().session;
    assert!(session.edits.keys.is_empty() && session.edits.look.view == view, "they are no shortcuts");
    assert!(session.edits.sliders.is_empty());
    assert!(harness.get_by_label("Text of note 1").is_focused());
    // A page that is left does not keep the keys, and neither does one that was left before the field was shown.
    for leaves_at_once in [false, true] {
        if leaves_at_once {
            harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
            harness.step();
        }
        harness.state_mut().state.panels.page = Page::Poses;
        harness.run_ok();
        let shown = harness.state().session.edits.look.view;
        harness.key_press(Key::V);
        harness.run_ok();
        assert_ne!(harness.state().session.edits.look.view, shown, "{leaves_at_once}");
    }
}

#[test]
fn a_note_is_not_pinned_once_another_page_is_shown() {
    let mut harness = shown(face());
    harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
    harness.run_ok();
    let added = notes(&harness)[0].clone();
    harness.state_mut().state.panels.page = Page::Poses;
    harness.state_mut().session.seek(5.0);
    harness.run_ok();
    let at = on_screen(&harness, Vec3::new(0.02, 0.03, 0.0));
    click(&mut harness, at);
    press(&mut harness, "Notes");
    click(&mut harness, at);
    assert_eq!(notes(&harness)[0], added);
}

#[test]
fn a_reply_that_is_being_typed_waits_while_another_note_is_read() {
    let mut harness = shown(three());
    press(&mut harness, "Note 1, open: first");
    harness.get_by_label("Reply").focus();
    harness.run_ok();
    harness.event(Event::Text("Lowered".into()));
    harness.run_ok();
    press(&mut harness, "Note 3, open: third");
    assert!(harness.get_by_label("Send reply").accesskit_node().is_disabled(), "it is not for this note");
    press(&mut harness, "Note 1, open: first");
    press(&mut harness, "Send reply");
    assert_eq!(notes(&harness)[0].replies[0].text, "Lowered");
}

#[test]
fn a_click_that_pins_a_note_and_a_stroke_leave_its_text_the_keyboard() {
    let mut harness = shown(face());
    press(&mut harness, "Notes");
    press(&mut harness, "Add note");
    let at = on_screen(&harness, Vec3::new(0.02, 0.03, 0.0));
    click(&mut harness, at);
    harness.event(Event::Text("Lid ".into()));
    harness.run_ok();
    press(&mut harness, "Pin");
    click(&mut harness, at);
    let type_text = |harness: &mut Harness<'_, App>, text: &str| {
        harness.event(Event::Text(text.into()));
        harness.run_ok();
        notes(harness)[0].text.clone()
    };
    assert_eq!(type_text(&mut harness, "too"), "Lid ", "a click on a button ends the typing");
    harness.get_by_label("Text of note 1").focus();
    harness.run_ok();
    assert_eq!(type_text(&mut harness, "low"), "Lid low");
    press(&mut harness, "Draw");
    harness.get_by_label("Text of note 1").focus();
    harness.run_ok();
    drag(&mut harness, at, at + Vec2::new(60.0, 20.0), Modifiers::NONE);
    assert_eq!(notes(&harness)[0].strokes.len(), 1);
    assert_eq!(type_text(&mut harness, "!"), "Lid low!");
}

#[test]
fn the_pictures_of_a_note_are_large_while_the_pointer_is_on_them() {
    let mut app = three();
    let id = app.session.edits.notes[0].id;
    app.thumbnails_mut().insert(PictureOf::Note(id), image::RgbaImage::from_pixel(640, 640, image::Rgba([90; 4])));
    let mut harness = shown(app);
    press(&mut harness, "Note 1, open: first");
    assert!(harness.query_by_label("Click: show this view").is_none());
    for name in ["Now: note 1", "Before, not drawn yet: note 1"] {
        let at = harness.get_by_label(name).rect().center();
        harness.hover_at(at);
        (0..60).for_each(|_| harness.step());
        let panel = harness.get_by_label("Add note").rect().left();
        let text = harness.get_by_label("Click: show this view").rect();
        assert!(
            text.right() < panel && text.top() > 500.0,
            "{name}: beside the panel, below a large picture: {text:?}"
        );
    }
    press(&mut harness, "Now: note 1");
    assert!(notes(&harness)[0].moment.as_ref().unwrap().camera.is_that_of(&harness.state().session.camera));
}

#[test]
fn a_pin_follows_the_surface_and_is_hidden_behind_the_head() {
    let mut app = face();
    let point = SurfacePoint { mesh: "face".into(), vertices: [0, 1, 2], weights: [0.8, 0.1, 0.1] };
    app.session.notes_mut().add("Ada", "here", PinnedTo { point: Some(point), ..PinnedTo::default() }, 1.0);
    let mut harness = shown(app);
    let pin = |harness: &Harness<'_, App>| harness.get_by_label("Pin of note 1").rect().center();
    let before = pin(&harness);
    // The clip has moved the first corner by 5 mm.
    let expected = on_screen(&harness, Vec3::new(0.014, 0.02, 0.0));
    assert!(before.distance(expected) < 2.0, "{before:?} {expected:?}");
    let jaw = harness.state().channel("jawOpen");
    harness.state_mut().session.channel_mut(jaw).set(1.0);
    harness.run_ok();
    let expected = on_screen(&harness, Vec3::new(0.022, 0.02, 0.0));
    assert!(pin(&harness).distance(expected) < 2.0 && expected.distance(before) > 5.0, "{:?}", pin(&harness));
    harness.state_mut().session.camera.yaw += std::f32::consts::PI;
    harness.run_ok();
    assert!(harness.query_by_label("Pin of note 1").is_none(), "the surface looks away");
}

#[test]
fn strokes_and_arrows_are_drawn_in_the_view_and_do_not_turn_the_camera() {
    let mut harness = shown(face());
    harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
    harness.run_ok();
    let camera = harness.state().session.camera;
    let middle = harness.get_by_label("Viewport").rect().center();
    press(&mut harness, "Draw");
    drag(&mut harness, middle, middle + Vec2::new(100.0, 50.0), Modifiers::NONE);
    press(&mut harness, "Arrow");
    drag(&mut harness, middle, middle + Vec2::new(-100.0, 50.0), Modifiers::NONE);
    assert_eq!(harness.state().session.camera, camera);
    let strokes = &notes(&harness)[0].strokes;
    assert_eq!(strokes.iter().map(|stroke| stroke.is_arrow).collect::<Vec<_>>(), [false, true]);
    assert_eq!((strokes[0].points.len() > 2, strokes[1].points.len()), (true, 2), "an arrow is straight");
    let height = harness.get_by_label("Viewport").rect().height();
    let [x, y] = strokes[1].points[1];
    assert!((x + 100.0 / height).abs() < 0.01 && (y - 50.0 / height).abs() < 0.01, "{x} {y}");
    harness.key_press(Key::Escape);
    harness.run_ok();
    drag(&mut harness, middle, middle + Vec2::new(80.0, 0.0), Modifiers::NONE);
    assert_ne!(harness.state().session.camera, camera, "without a tool the camera turns");
    assert_eq!(notes(&harness)[0].strokes.len(), 2);
    press(&mut harness, "Remove 2 strokes");
    assert!(notes(&harness)[0].strokes.is_empty());
}

#[test]
fn a_key_adds_a_note_on_the_row_under_the_pointer_and_marks_lead_back_to_it() {
    let mut harness = shown(face());
    let at = at(&harness, "jawOpen", 0.5);
    harness.hover_at(at);
    harness.run_ok();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
    harness.run_ok();
    let note = notes(&harness)[0].clone();
    assert_eq!(note.pinned_to.channels, ["jawOpen"]);
    assert_eq!(note.pinned_to.time.as_ref().unwrap().start_secs, 2.0);
    let leave = |harness: &mut Harness<'static, App>| {
        harness.state_mut().session.seek(5.0);
        harness.state_mut().session.camera.yaw = 1.0;
        harness.state_mut().state.panels.page = Page::Poses;
        harness.run_ok();
    };
    for mark in ["Note 1 of this row", "Note 1 on the time bar"] {
        leave(&mut harness);
        press(&mut harness, mark);
        let app = harness.state();
        assert_eq!(app.state.panels.page, Page::Notes, "{mark}");
        assert_eq!(app.session.clock.timeline.time_secs, 2.0, "{mark}");
        assert!(note.moment.as_ref().unwrap().camera.is_that_of(&app.session.camera), "{mark}");
    }
    press(&mut harness, "Done: note 1");
    assert!(harness.query_by_label("Note 1 of this row").is_none(), "a row has a dot for what is open");
    // Notes that are done do not take the places of open ones.
    let session = &mut harness.state_mut().session;
    let done = (1..=300).map(|id| ReviewNote { id: smirk_session::NoteId(id), ..(*session.edits.notes[0]).clone() });
    let done: Vec<ReviewNote> = done.collect();
    session.notes_mut().merge(done).unwrap();
    let pinned_to = PinnedTo { channels: vec!["jawOpen".into()], ..PinnedTo::default() };
    session.notes_mut().add("Ada", "still", pinned_to, 1.0);
    harness.run_ok();
    harness.get_by_label("Note 302 of this row");
}

#[test]
fn marks_of_one_place_lead_to_each_of_their_notes_in_turn() {
    let mut app = face();
    app.session.seek(2.0);
    let time = app.session.noted_time();
    for text in ["first", "second", "third"] {
        app.session.notes_mut().add("Ada", text, PinnedTo { time: time.clone(), ..PinnedTo::default() }, 1.0);
    }
    let mut harness = shown(app);
    for expected in ["1", "2", "3", "1"] {
        press(&mut harness, "Note 3 on the time bar");
        assert!(harness.query_by_label(&format!("Text of note {expected}")).is_some(), "{expected}");
    }
}

#[test]
fn keys_go_from_note_to_note_and_enter_edits() {
    let mut harness = shown(three());
    let selected = |harness: &Harness<'_, App>| harness.state().session.clock.timeline.time_secs;
    for (key, modifiers, secs) in [
        (Key::J, Modifiers::NONE, 1.0),
        (Key::J, Modifiers::NONE, 3.0),
        (Key::J, Modifiers::NONE, 3.0),
        (Key::J, Modifiers::SHIFT, 1.0),
    ] {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
        assert_eq!(selected(&harness), secs, "only the open ones are listed");
    }
    assert!(!harness.get_by_label("Text of note 1").is_focused());
    press(&mut harness, "Done notes");
    harness.key_press(Key::J);
    harness.run_ok();
    assert_eq!(selected(&harness), 2.0);
    harness.get_by_label("Note 2, done: second").focus();
    harness.run_ok();
    harness.key_press(Key::Enter);
    harness.run_ok();
    assert!(harness.get_by_label("Text of note 2").is_focused());
    assert_eq!(notes(&harness)[1].text, "second", "the key is no part of it");
}

#[test]
fn a_point_that_the_head_lost_is_said_and_pinned_again() {
    let mut app = face();
    let point = SurfacePoint { mesh: "gone".into(), vertices: [0, 1, 2], weights: [0.8, 0.1, 0.1] };
    app.session.notes_mut().add("Ada", "here", PinnedTo { point: Some(point), ..PinnedTo::default() }, 1.0);
    app.state.panels.page = Page::Notes;
    let mut harness = shown(app);
    press(&mut harness, "Note 1, open: here");
    assert!(harness.query_by_label("Pin of note 1").is_none());
    let gone = "This head does not have the point: choose Pin, and click where it is now";
    harness.get_by_label(gone);
    press(&mut harness, "Pin");
    let at = on_screen(&harness, Vec3::new(0.02, 0.03, 0.0));
    click(&mut harness, at);
    harness.get_by_label("Pin of note 1");
    assert!(harness.query_by_label(gone).is_none());
}

#[test]
fn a_finding_is_noted_once_and_a_note_says_when_it_is_gone() {
    let mut app = App::new(head());
    let channels = vec![app.channel("jawOpen"), app.channel("tongueOut")];
    app.find(vec![Finding {
        rule: Rule::Duplicate,
        level: Level::Warning,
        channels,
        measure: Measure::Duplicate { error: 0.0 },
        message: "move every vertex alike".into(),
    }]);
    app.state.panels.page = Page::Report;
    let mut harness = shown(app);
    harness.get_by_label_contains("Add note on ").click();
    harness.run_ok();
    assert_eq!(harness.state().state.panels.page, Page::Notes);
    let pinned_to = notes(&harness)[0].pinned_to.clone();
    assert_eq!(pinned_to.finding.as_ref().unwrap().rule, Rule::Duplicate.keyword());
    assert_eq!(pinned_to.channels, ["jawOpen", "tongueOut"]);
    harness.state_mut().state.panels.page = Page::Report;
    harness.run_ok();
    harness.get_by_label_contains("Note 1 on ").click();
    harness.run_ok();
    assert_eq!(notes(&harness).len(), 1, "the link leads to the note that is there");
    let gone = "The check does not find this any more";
    assert!(harness.query_by_label(gone).is_none());
    harness.state_mut().find(Vec::new());
    harness.run_ok();
    harness.get_by_label(gone);
}

#[test]
fn pages_of_notes_and_a_text_without_end_are_shown_in_part() {
    let mut app = face();
    let first = app.session.notes_mut().add("Ada", "a", PinnedTo::default(), 1.0);
    let note = (**app.session.edits.note(first).unwrap()).clone();
    let others = (1..=5000).map(|id| ReviewNote {
        id: smirk_session::NoteId(id),
        text: "\u{202e}word ".repeat(if id == 1 { 100_000 } else { 1 }),
        created: "2001-01-01T00:00:00Z".parse().unwrap(),
        ..note.clone()
    });
    app.session.notes_mut().merge(others).unwrap();
    app.state.panels.page = Page::Notes;
    let mut harness = shown(app);
    assert_eq!(harness.get_all_by_role(Role::Button).filter(|node| is_note(node)).count(), 200);
    harness.get_by_label_contains("4801 more notes");
    harness.get_all_by_label_contains("Note 2, open").next().unwrap().click();
    harness.run_ok();
    assert!(harness.query_by_label("Text of note 2").is_none(), "what no one typed is not edited");
    // A new note is the last, and is shown although it is beyond the page.
    harness.key_press_modifiers(Modifiers::SHIFT, Key::N);
    harness.run_ok();
    assert!(harness.get_by_label("Text of note 5002").is_focused());
}

/// Twenty notes are more than a page of a small window.
#[test]
fn what_acts_on_all_notes_stays_above_the_list_and_no_page_makes_the_panel_wider() {
    let mut app = face();
    for text in 0..20 {
        app.session.notes_mut().add("Ada", &format!("note {text}"), PinnedTo::default(), 1.0);
    }
    app.session.commit();
    let mut harness = window_of(Vec2::new(1000.0, 600.0), app);
    let edge = |harness: &mut Harness<'static, App>, page: &str| {
        press(harness, page);
        harness.run_ok();
        harness.get_by_label("Viewport").rect().right()
    };
    let right = edge(&mut harness, "Look");
    for page in ["Notes", "Report", "Motion", "Notes"] {
        assert_eq!(edge(&mut harness, page), right, "{page}");
    }
    let at = |harness: &Harness<'_, App>, name: &str| harness.get_by_label(name).rect();
    let row = harness.get_by_label_contains("Note 1, open").rect().center();
    let heads = ["Add note", "Import notes", "Export notes", "Sheet of notes", "Open notes"];
    let before = heads.map(|name| at(&harness, name));
    harness.hover_at(row);
    harness.event(wheel(MouseWheelUnit::Line, -30.0, Modifiers::NONE));
    harness.run_ok();
    let last = harness.get_all_by_label("Your name").last().unwrap().rect();
    assert!(last.bottom() <= 600.0, "the list is scrolled to its end");
    assert_eq!(heads.map(|name| at(&harness, name)), before);
    assert!(before.iter().all(|rect| rect.right() <= 1000.0 - 8.0), "{before:?}");
}

/// The pointer stays on the button while keys go on.
#[test]
fn keys_bring_each_note_to_the_same_place() {
    let mut app = face();
    for text in 0..12 {
        let text = format!("note {text}, with a text of {} lines{}", text % 3 + 1, "\nmore".repeat(text % 3));
        app.session.notes_mut().add("Ada", &text, PinnedTo::default(), 1.0);
    }
    app.session.commit();
    app.state.panels.page = Page::Notes;
    let mut harness = window_of(Vec2::new(1000.0, 600.0), app);
    let mut places = Vec::new();
    for number in 1..=8 {
        harness.key_press(Key::J);
        harness.run_ok();
        let done = harness.get_by_label(&format!("Done: note {number}")).rect();
        places.push(done);
        click(&mut harness, done.center());
        assert!(!notes(&harness)[number - 1].is_open(), "note {number}");
    }
    assert!(places[1..].iter().all(|place| (place.center() - places[1].center()).length() < 2.0), "{places:?}");
}

#[test]
fn a_reply_does_not_move_the_button_that_says_done() {
    let mut harness = shown(three());
    press(&mut harness, "Note 1, open: first");
    let before = harness.get_by_label("Done: note 1").rect();
    assert!(before.top() < harness.get_by_label("Text of note 1").rect().top());
    for _ in 0..3 {
        harness.get_by_label("Reply").focus();
        harness.run_ok();
        harness.event(Event::Text("Lowered".into()));
        harness.run_ok();
        harness.key_press(Key::Enter);
        harness.run_ok();
    }
    assert_eq!(notes(&harness)[0].replies.len(), 3);
    assert_eq!(harness.get_by_label("Done: note 1").rect(), before);
    click(&mut harness, before.center());
    assert!(!notes(&harness)[0].is_open());
    click(&mut harness, before.center());
    assert!(notes(&harness)[0].is_open(), "it opens the note again in the same place");
}

#[test]
fn the_time_of_a_note_is_read_whole_and_names_another_clip_alone() {
    let mut app = three();
    let [first, third] = [0, 2].map(|index| app.session.edits.notes[index].id);
    app.session.notes_mut().pin_to(first, |pins| {
        let time = pins.time.as_mut().unwrap();
        (time.start_secs, time.end_secs) = (17.47, 19.42);
    });
    app.session.notes_mut().pin_to(third, |pins| pins.time.as_mut().unwrap().plays = "walk".into());
    app.session.commit();
    let mut harness = shown(app);
    press(&mut harness, "Note 1, open: first");
    harness.get_by_label("Remove 17.47 s to 19.42 s");
    press(&mut harness, "Note 3, open: third");
    harness.get_by_label("Remove at 3.00 s of walk");
}

/// A deleted note leaves a gap, wherever its number is read.
#[test]
fn the_number_of_a_note_stays_when_one_before_it_is_deleted() {
    let mut app = three();
    let point = SurfacePoint { mesh: "face".into(), vertices: [0, 1, 2], weights: [0.8, 0.1, 0.1] };
    let finding = NotedFinding { rule: Rule::Duplicate.keyword().into(), of: "jawOpen".into() };
    let id = app.session.edits.notes[2].id;
    app.session.notes_mut().pin_to(id, |pins| {
        (pins.point, pins.channels, pins.finding) = (Some(point), vec!["jawOpen".into()], Some(finding));
    });
    app.session.commit();
    app.find(vec![Finding {
        rule: Rule::Duplicate,
        level: Level::Warning,
        channels: vec![app.channel("jawOpen")],
        measure: Measure::Duplicate { error: 0.0 },
        message: "moves every vertex alike".into(),
    }]);
    let mut harness = shown(app);
    press(&mut harness, "Note 1, open: first");
    press(&mut harness, "Delete note 1");
    let everywhere = [
        "Note 3, open: third",
        "Pin of note 3",
        "Note 3 on the time bar",
        "Note 3 of this row",
        "Now, not drawn yet: note 3",
    ];
    press(&mut harness, "Note 3, open: third");
    for name in everywhere {
        assert!(harness.query_by_label(name).is_some(), "{name}");
    }
    harness.state_mut().state.panels.page = Page::Report;
    harness.run_ok();
    harness.get_by_label("Note 3 on jawOpen");
    let session = &harness.state().session;
    for format in [NotesFormat::Html, NotesFormat::Md, NotesFormat::Csv, NotesFormat::Json] {
        let text = notes_text(&session.edits, "face", format).unwrap();
        let (is, was) = match format {
            NotesFormat::Html => ("<a href=\"#n3\">third", "#n1\""),
            NotesFormat::Md => ("## 3. [ ] third", "## 1."),
            NotesFormat::Csv => ("\n3,", "\n1,"),
            NotesFormat::Json => ("\"number\": 3", "\"number\": 1"),
        };
        assert!(text.contains(is) && !text.contains(was), "{format:?}: {text}");
    }
    let sheet = SheetContent::notes(session);
    assert_eq!(
        sheet.cells.iter().map(|cell| cell.label.as_str()).collect::<Vec<_>>(),
        ["2 (done) · second", "3 · third"]
    );
    assert!(sheet.cells.iter().zip([2, 3]).all(|(cell, number)| cell.note.as_ref().unwrap().number == number));
    harness.state_mut().state.panels.page = Page::Notes;
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    harness.get_by_label("Note 1, open: first");
    press(&mut harness, "Delete note 3");
    press(&mut harness, "Add note");
    harness.get_by_label("Text of note 4");
}

fn is_note(node: &egui_kittest::Node<'_>) -> bool {
    node.accesskit_node().label().is_some_and(|label| label.starts_with("Note ") && label.contains(", open"))
}
