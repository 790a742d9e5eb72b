//! The curves panel: drawing, selecting, scrubbing and mapping.

use crate::harness::*;
use crate::names::drawn_texts;
use crate::takes::{capture, open_page, take_of};
use egui_kittest::kittest::NodeT;
use smirk_face::motion::{DrivenChannel, Key as MotionKey, Marker};
use smirk_session::TakeId;

/// The window with one take, paused, and the curves panel open.
fn window_with_curves(head: Arc<Head>) -> Harness<'static, App> {
    let mut harness = window(head);
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    harness.key_press(Key::C);
    harness.run_ok();
    harness
}

#[test]
fn the_panel_opens_by_key_and_button() {
    let mut harness = window(head());
    assert!(harness.query_by_label("Curves").is_none());
    press(&mut harness, "Show curves");
    assert!(harness.query_by_label("Curves").is_some() && harness.state().state.panels.curves_open);
    harness.key_press(Key::C);
    harness.run_ok();
    assert!(harness.query_by_label("Curves").is_none() && !harness.state().state.panels.curves_open);
}

#[test]
fn the_panel_is_as_wide_as_the_window_and_its_edge_resizes_it() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0), Vec2::new(1000.0, 600.0)] {
        let mut app = App::new(head());
        app.session.takes_mut().add(vec![capture()]);
        app.session.clock.timeline.playing = false;
        app.state.panels.curves_open = true;
        let mut harness = window_of(size, app);
        let (viewport, curves) = (harness.get_by_label("Viewport").rect(), harness.get_by_label("Curves").rect());
        let search = harness.get_by_label("Reset all").rect();
        assert!(curves.right() > size.x - 20.0 && search.bottom() < curves.top(), "below both side panels: {curves}");
        assert!(curves.top() > viewport.bottom() && curves.width() > 500.0, "{curves} {viewport}");
        assert!(viewport.height() > 0.45 * size.y, "the face stays large enough: {viewport}");
        let grip = egui::pos2(viewport.center().x, viewport.bottom() + 3.0);
        let before = harness.state().state.panels.curves_height;
        drag(&mut harness, grip, grip - Vec2::new(0.0, 60.0), Modifiers::NONE);
        let height = harness.state().state.panels.curves_height;
        assert!((height - before - 60.0).abs() < 6.0, "{before} {height}");
        assert!((harness.get_by_label("Viewport").rect().bottom() - viewport.bottom() + 60.0).abs() < 6.0);
    }
}

#[test]
fn escape_clears_the_search_of_the_curves() {
    let mut harness = window_with_curves(head());
    harness.get_by_label("Search curves").focus();
    harness.event(Event::Text("jaw".into()));
    harness.run_ok();
    assert!(harness.query_by_label("Curve eyeBlinkLeft").is_none());
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("Curve eyeBlinkLeft").is_some());
}

#[test]
fn the_panel_is_closed_while_there_is_nothing_to_show() {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    assert!(harness.query_by_label("Curves").is_none());
    harness.key_press(Key::C);
    harness.run_ok();
    assert!(harness.state().state.panels.curves_open, "the key does nothing that cannot be seen");
    let jaw = harness.state().channel("jawOpen");
    harness.state_mut().session.keys_mut().key(jaw);
    harness.run_steps(30);
    assert!(harness.query_by_label("Curves").is_some(), "the first key gives it something to show");
}

#[test]
fn a_drag_on_the_ruler_scrubs_the_timeline() {
    let mut harness = window_with_curves(head());
    let (from, to) = (at(&harness, "Ruler", 0.2), at(&harness, "Ruler", 0.5));
    drag(&mut harness, from, to, Modifiers::NONE);
    let session = &harness.state().session;
    assert!((session.clock.timeline.time_secs - 5.0).abs() < 0.1, "{}", session.clock.timeline.time_secs);
    assert!(near(harness.state().weight("jawOpen"), 0.5));
}

#[test]
fn channels_are_selected_by_click_ctrl_and_shift() {
    let mut harness = window_with_curves(head());
    let selected = |harness: &Harness<'static, App>, name: &str| {
        let node = harness.get_by_label(name);
        node.accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
    };
    let click_with = |harness: &mut Harness<'static, App>, name: &str, modifiers| {
        let pos = harness.get_by_label(name).rect().center();
        drag(harness, pos, pos, modifiers);
    };
    click_with(&mut harness, "Curve eyeBlinkLeft", Modifiers::NONE);
    click_with(&mut harness, "Curve jawOpen", Modifiers::COMMAND);
    assert!(selected(&harness, "Curve eyeBlinkLeft") && selected(&harness, "Curve jawOpen"));
    assert!(!selected(&harness, "Curve eyeBlinkRight"));
    click_with(&mut harness, "Curve eyeBlinkLeft", Modifiers::SHIFT);
    assert!(selected(&harness, "Curve eyeBlinkRight"), "all between the two");
    click_with(&mut harness, "Curve jawOpen", Modifiers::NONE);
    assert!(selected(&harness, "Curve jawOpen") && !selected(&harness, "Curve eyeBlinkLeft"));
}

#[test]
fn a_column_is_mapped_to_another_channel_and_the_alias_is_stored() {
    let mut harness = window_with_curves(head());
    press(&mut harness, "List columns");
    press(&mut harness, "Column Kiss");
    press(&mut harness, "Channels of the column");
    harness.event(Event::Text("pucker".into()));
    harness.run_ok();
    press(&mut harness, "Choose mouthPucker");
    let session = &harness.state().session;
    assert_eq!(session.take().unwrap().map.columns[2].channels, [DrivenChannel::new("mouthPucker")]);
    assert_eq!(session.edits.matching.aliases.find("kiss").unwrap(), [DrivenChannel::new("mouthPucker")]);
    assert!(near(harness.state().weight("mouthPucker"), 0.5));
    harness.key_press(Key::Escape);
    harness.run_ok();
    drag_slider(&mut harness, "Column gain", 0.5, 1.0);
    assert!(near(harness.state().weight("mouthPucker"), 1.0));
    harness.get_by_label("Column clamp").click();
    press(&mut harness, "Column enabled");
    let map = harness.state().session.take().unwrap().map.columns[2].clone();
    assert_eq!((map.enabled, map.clamp), (false, Some([0.0, 1.0])));
    assert_eq!(harness.state().weight("mouthPucker"), 0.0);
    // With a second column, the numbers stay where they are.
    let place = |harness: &Harness<'static, App>| harness.get_by_label("Column gain").rect().top();
    let (before, second) = (place(&harness), harness.get_by_label("Column JawOpen").rect().center());
    drag(&mut harness, second, second, Modifiers::COMMAND);
    assert!(harness.query_by_label("Channels of the column").is_none(), "two columns are selected");
    assert_eq!(place(&harness), before);
}

#[test]
fn the_panel_survives_the_removal_of_takes_and_a_new_head() {
    let mut harness = window_with_curves(head());
    let session = &mut harness.state_mut().session;
    session.takes_mut().add(vec![take_of("second", &["JawOpen"], 600)]);
    session.edits.compared_take = Some(TakeId(0));
    session.timeline_mut().time_all_alike(true);
    session.keys_mut().edit(|keys| keys.set("jawOpen", MotionKey::new(1.0, 0.5)));
    harness.run_steps(3);
    harness.get_by_label("List columns").click();
    harness.run_steps(3);
    harness.get_by_label("Column JawOpen").click();
    harness.run_steps(3);
    for id in [1, 0] {
        harness.state_mut().session.takes_mut().remove(TakeId(id));
        harness.run_steps(3);
    }
    assert!(harness.query_by_label("Curve jawOpen").is_some(), "its key remains, and channels are listed again");
    let bare = Head::new(Asset { name: "bare".into(), meshes: vec![mesh("face", &["smile"])], ..Asset::default() });
    harness.state_mut().session.replace_head(Arc::new(bare), HeadSource::File("bare.glb".into()));
    harness.run_steps(3);
    assert!(harness.query_by_label_contains("No curves:").is_none());
    assert!(harness.query_by_label("Curves").is_some());
}

#[test]
fn the_wheel_zooms_and_a_double_click_shows_all() {
    let mut harness = window_with_curves(head());
    let middle = at(&harness, "Curves", 0.5);
    harness.hover_at(middle);
    for _ in 0..20 {
        harness.event(wheel(MouseWheelUnit::Line, 3.0, Modifiers::NONE));
        harness.run_steps(2);
    }
    harness.run_ok();
    harness.state_mut().session.edits.timeline.snaps = false;
    let (from, to) = (at(&harness, "Ruler", 0.5), at(&harness, "Ruler", 0.9));
    drag(&mut harness, from, to, Modifiers::NONE);
    let time_secs = harness.state().session.clock.timeline.time_secs;
    assert!((5.005..6.0).contains(&time_secs), "a long distance on screen is a short time: {time_secs}");
    let between = harness.get_by_label("Curves").rect().left_bottom() + Vec2::new(60.0, -4.0);
    for _ in 0..2 {
        harness.drag_at(between);
        harness.drop_at(between);
    }
    harness.run_ok();
    drag(&mut harness, from, to, Modifiers::NONE);
    let time_secs = harness.state().session.clock.timeline.time_secs;
    assert!((time_secs - 9.1).abs() < 0.2, "{time_secs}");
}

/// A take has sixty channels and ten thousand frames. A frame in which only the play head moves must not draw the
/// curves again.
#[test]
fn a_long_take_is_not_drawn_again_in_every_frame() {
    let names: Vec<String> = (0..60).map(|index| format!("shape{index:02}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new(Asset { name: "big".into(), meshes: vec![mesh("face", &names)], ..Asset::default() });
    let mut harness = window(Arc::new(head));
    harness.state_mut().session.takes_mut().add(vec![take_of("long", &names, 10_000)]);
    harness.run_steps(10);
    harness.key_press(Key::C);
    harness.run_steps(20);
    let drawn = harness.state().curves().drawn_images();
    assert!(drawn > 0);
    for _ in 0..20 {
        harness.state_mut().session.advance(0.016);
        harness.step();
    }
    assert_eq!(harness.state().curves().drawn_images(), drawn, "only the play head moved");
    let points = harness.state().session.take().unwrap().take.tracks[0].times().len();
    assert_eq!(points, 10_000);
}

#[test]
fn the_motion_page_opens_the_mapping() {
    let mut harness = window(head());
    harness.state_mut().session.takes_mut().add(vec![capture()]);
    harness.state_mut().session.clock.timeline.playing = false;
    open_page(&mut harness);
    press(&mut harness, "Show curves");
    harness.get_by_label("Search curves").focus();
    harness.event(Event::Text("jaw".into()));
    harness.run_ok();
    press(&mut harness, "Columns as curves");
    assert!(harness.query_by_label("Column Kiss").is_some() && harness.query_by_label("Column HeadYaw").is_some());
}

#[test]
fn an_empty_panel_says_why_what_is_chosen_has_no_curves() {
    let said = |app: App| {
        let mut app = app;
        app.state.panels.curves_open = true;
        let harness = window_of(Vec2::new(1280.0, 800.0), app);
        drawn_texts(&harness).join(" ¦ ")
    };
    let with_take = |columns: &[&str]| {
        let mut app = App::new(head());
        app.session.clips_mut().select_together([]);
        app.session.takes_mut().add(vec![take_of("alien", columns, 60)]);
        app.session.clock.timeline.playing = false;
        app
    };
    let text = said(with_take(&["Tentacle", "Antenna"]));
    assert!(text.contains("No column of the take alien drives a channel of this head"), "{text}");

    let mut app = App::new(head());
    app.session.clips_mut().select_together([]);
    app.session.edits.markers.add(Marker { time_secs: 4.0, text: "end".into(), lasts_secs: 0.0 });
    let text = said(app);
    assert!(text.contains("Nothing that has curves is chosen"), "{text}");
}
