//! Blend modes, camera, commands, shortcuts and panel sizes.

use egui::accesskit::Role;
use egui::{Order, Rect};

use crate::harness::*;
use crate::names::drawn_texts;
use smirk_face::head::Frame;
use smirk_scene::{Camera, View};
use smirk_ui::{ErrorReading, OpenAs};

#[test]
fn modes_switch_by_key_and_combo_box_unless_unavailable() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num1);
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Cpu);
    assert!(drawn_texts(&harness).contains(&"Blending: CPU".to_owned()));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Num4);
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Cpu, "multi-pass is unavailable here");
    harness.get_by_label("Blend mode").click();
    harness.run();
    harness.get_by_label_contains("Vertex shader").click();
    harness.run();
    assert_eq!(harness.state().session.mode, BlendMode::Vertex);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.key_press(Key::Num3);
    harness.event(Event::Text("3".into()));
    harness.run_ok();
    assert_eq!(harness.state().session.mode, BlendMode::Vertex, "digits typed into the search field are not shortcuts");
    assert_eq!(harness.state().list().search, "3");
}

#[test]
fn dragging_and_scrolling_in_the_viewport_move_the_camera() {
    let mut harness = window(head());
    let middle = harness.get_by_label("Viewport").rect().center();
    let before = harness.state().session.camera;
    drag(&mut harness, middle, middle + Vec2::new(80.0, 0.0), Modifiers::NONE);
    let turned = harness.state().session.camera;
    assert!(turned.yaw != before.yaw && turned.target_in_world == before.target_in_world);
    drag(&mut harness, middle, middle + Vec2::new(80.0, 0.0), Modifiers::SHIFT);
    let moved = harness.state().session.camera;
    assert!(moved.yaw == turned.yaw && moved.target_in_world != turned.target_in_world);
    harness.hover_at(middle);
    harness.event(wheel(MouseWheelUnit::Line, 3.0, Modifiers::NONE));
    harness.run_ok();
    assert!(harness.state().session.camera.distance < moved.distance);
    harness.key_press(Key::Q);
    harness.key_press(Key::F);
    harness.run_ok();
    let [width, height] = harness.state().state.viewport_size_px;
    let head = &harness.state().session.head;
    let framed = Camera::framing(head.focus, head.bounds, View::Front, width as f32 / height as f32);
    assert_eq!(harness.state().session.camera, framed);
    assert!(width > 800 && height > 800, "{width}×{height}");
}

#[test]
fn the_frame_menu_shows_each_part_of_the_head() {
    let mut harness = window(head());
    for (&part, item) in Frame::EACH.iter().zip(["Face F", "Head", "Body", "All"]) {
        harness.get_by_label("Frame").click();
        harness.run_ok();
        harness.get_by_role_and_label(Role::Button, item).click();
        harness.run_ok();
        let [width, height] = harness.state().state.viewport_size_px;
        let session = &harness.state().session;
        let mut framed = session.camera;
        framed.frame_part(&session.head, part, width as f32 / height as f32);
        assert_eq!(session.camera, framed, "{part:?}");
    }
}

#[test]
fn actions_beyond_the_session_are_commands() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::O);
    harness.run();
    harness.get_by_label("Readout").click();
    harness.run();
    let place = |harness: &Harness<'static, App>| harness.get_by_label_contains("Measure modes").rect().top();
    let before = place(&harness);
    harness.get_by_label("Measure error").click();
    harness.state_mut().readout.error =
        Some(ErrorReading { mode: BlendMode::Cpu, max_distance: 1e-8, head_size: 0.2, max_normal_degrees: 0.01 });
    harness.run();
    assert_eq!(place(&harness), before, "nothing below moves");
    harness.get_by_label("0.010 µm");
    harness.state_mut().notice = Notice::Failure { title: "x.glb did not open".into(), message: "It is empty.".into() };
    harness.run();
    harness.get_by_label("Dismiss").click();
    harness.run();
    harness.state_mut().notice = Notice::Loading { name: "x.glb".into(), stage: "reading".into(), fraction: 0.5 };
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    let expected =
        [Command::Choose(OpenAs::File(None)), Command::MeasureError, Command::DismissNotice, Command::CancelLoad];
    assert_eq!(harness.state().commands, expected);
}

#[test]
fn the_list_of_shortcuts_opens_and_closes() {
    let mut harness = window(head());
    harness.key_press(Key::Questionmark);
    harness.run();
    assert!(harness.query_by_label("Drag in the viewport").is_some());
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("Drag in the viewport").is_none());
}

#[test]
fn the_list_of_shortcuts_explains_the_marks_of_rows() {
    let mut harness = window(head());
    harness.key_press(Key::F1);
    harness.run_ok();
    for name in ["What drives a row", "Take", "Keys", "Sequence", "Blink", "Gaze", "Pose", "Slider", "Taken over"] {
        assert!(harness.query_all_by_label(name).count() >= 1, "{name}");
    }
}

#[test]
fn the_list_of_shortcuts_fits_a_small_window() {
    let mut harness = window_of(Vec2::new(1000.0, 600.0), App::new(head()));
    harness.key_press(Key::F1);
    harness.run_steps(4);
    for label in ["Close", "Drag in the viewport"] {
        let rect = harness.get_by_label(label).rect();
        assert!(rect.left() > 0.0 && rect.right() < 1000.0 && rect.top() > 0.0, "{label}: {rect:?}");
    }
}

#[test]
fn the_licences_of_all_parts_are_shown_and_searched() {
    let mut harness = window(head());
    press(&mut harness, "Help");
    press(&mut harness, "Licences");
    harness.get_by_label("Search licences").focus();
    harness.run_ok();
    harness.event(Event::Text("symphonia mozilla".into()));
    harness.run_ok();
    harness.get_by_label("Mozilla Public License 2.0");
    assert!(harness.query_by_label("MIT License").is_none());
    harness.event(Event::Text(" no such licence".into()));
    harness.run_ok();
    harness.get_by_label("No licence matches.");
    press(&mut harness, "Close");
    assert!(harness.query_by_label("Search licences").is_none());
}

#[test]
fn a_held_key_toggles_once_and_steps_repeatedly() {
    let mut harness = window(head());
    let hold_key = |harness: &mut Harness<'static, App>, key| {
        for repeat in [false, true, true] {
            let modifiers = Modifiers::NONE;
            harness.event(Event::Key { key, physical_key: None, pressed: true, repeat, modifiers });
        }
        harness.run_ok();
    };
    hold_key(&mut harness, Key::L);
    assert!(!harness.state().session.clock.timeline.looping);
    hold_key(&mut harness, Key::ArrowRight);
    let time_secs = harness.state().session.clock.timeline.time_secs;
    assert!((time_secs - 2.1).abs() < 1e-3, "{time_secs}");
}

#[test]
fn a_small_window_does_not_change_the_chosen_panel_sizes() {
    let mut app = App::new(head());
    (app.state.panels.left_width, app.state.panels.curves_height) = (520.0, 500.0);
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let picture = |harness: &Harness<'static, App>| harness.get_by_label("Viewport").rect();
    let large = picture(&harness);
    assert!((large.left() - 520.0).abs() < 12.0, "{large}");
    harness.set_size(Vec2::new(1000.0, 620.0)).run_ok();
    let small = picture(&harness);
    assert!(small.left() < 360.0 && small.height() > 100.0, "{small}");
    let panels = harness.state().state.panels;
    assert_eq!((panels.left_width, panels.curves_height), (520.0, 500.0), "the chosen sizes stay");
    harness.set_size(Vec2::new(1616.0, 1016.0)).run_ok();
    assert_eq!(picture(&harness), large);
    for _ in 0..2 {
        harness.key_press(Key::C);
        harness.run_steps(30);
    }
    assert_eq!(harness.state().state.panels.curves_height, 500.0, "after closing and opening");
    let edge = egui::pos2(large.left() - 3.0, large.center().y);
    drag(&mut harness, edge, edge - Vec2::new(100.0, 0.0), Modifiers::NONE);
    let width = harness.state().state.panels.left_width;
    assert!((width - 420.0).abs() < 12.0, "after dragging the edge: {width}");
}

#[test]
fn the_font_has_the_glyphs_of_eguis_own_buttons() {
    let harness = window(head());
    harness.ctx.fonts_mut(|fonts| assert!(fonts.has_glyph(&theme::body_font(), '📋'), "copy, in the colour picker"));
}

#[test]
fn the_rows_of_the_list_of_keys_do_not_run_into_each_other() {
    let mut harness = window_of(Vec2::new(1280.0, 720.0), App::new(head()));
    harness.key_press(Key::F1);
    harness.run_ok();
    let right_column = harness.get_by_label("Drag in the viewport").rect().left();
    let edge = harness.get_by_label("Close").rect().right();
    for shortcut in smirk_ui::shortcuts::SHORTCUTS {
        let rows = harness.query_all_by_label(shortcut.text).map(|row| row.rect());
        for row in rows.filter(|row| row.left() > 100.0 && row.left() < right_column) {
            assert!(row.right() < right_column, "{}: {row} reaches {right_column}", shortcut.text);
        }
    }
    for (_, _, text) in smirk_ui::shortcuts::MOUSE {
        let rows = harness.query_all_by_label(text).map(|row| row.rect());
        for row in rows.filter(|row| row.left() > right_column) {
            assert!(row.right() <= edge + 1.0, "{text}: {row} reaches beyond {edge}");
        }
    }
}

/// The rectangles of the tooltips that are shown, where they are drawn.
fn tooltips(harness: &Harness<'static, App>) -> Vec<Rect> {
    let ctx = &harness.ctx;
    let layers = ctx.memory(|memory| memory.areas().visible_layer_ids());
    let tips = layers.into_iter().filter(|layer| layer.order == Order::Tooltip);
    tips.filter_map(|layer| {
        let rect = ctx.memory(|memory| memory.area_rect(layer.id))?;
        Some(ctx.layer_transform_to_global(layer).unwrap_or_default() * rect)
    })
    .collect()
}

#[test]
fn a_tooltip_covers_neither_what_it_explains_nor_the_controls_beside_it() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 690.0), Vec2::new(1000.0, 600.0)] {
        let mut app = App::new(head());
        (app.state.panels.curves_open, app.session.clock.timeline.playing) = (true, false);
        let mut harness = window_of(size, app);
        let rects = |harness: &Harness<'static, App>| -> Vec<Rect> {
            let roles = [Role::Button, Role::CheckBox, Role::Slider, Role::ComboBox];
            let all = roles.into_iter().flat_map(|role| harness.query_all_by_role(role).map(|node| node.rect()));
            // A ruler is as wide as the window, and of a card of a pose a part may be under the curves.
            all.filter(|rect| rect.width() < 400.0 && rect.height() < 60.0).collect()
        };
        for name in [
            "Reset all",
            "Link all",
            "Active",
            "Link mouthSmile",
            "Save pose",
            "Compared with",
            "Loop",
            "Speed",
            "Auto key",
            "Dope sheet",
            "Timeline settings",
            "Fit",
            "Blend mode",
            "Expand jawOpen",
            "Frame",
        ] {
            let found = harness.query_all_by_label_contains(name).map(|node| node.rect()).next();
            // A narrow window has a menu in the place of some.
            let Some(control) = found.filter(|rect| rect.is_positive()) else { continue };
            harness.hover_at(Pos2::new(5.0, size.y - 3.0));
            harness.run_ok();
            harness.hover_at(control.center());
            harness.run_steps(90);
            for tip in tooltips(&harness) {
                assert!(harness.ctx.content_rect().contains_rect(tip), "{name} at {size}: {tip}");
                // Rows of the lists that are scrolled away are under the curves.
                let curves = harness.get_by_label("Curves").rect();
                let is_in_row = |other: &Rect| (other.center().y - control.center().y).abs() < 12.0;
                let near = rects(&harness).into_iter().filter(|other| {
                    let is_seen = !curves.intersects(*other) || (curves.contains(control.center()) && is_in_row(other));
                    is_seen && other.distance_to_pos(control.center()) < 60.0
                });
                for other in near.chain([control]) {
                    assert!(!tip.shrink(1.0).intersects(other), "{name} at {size}: {tip} covers {other}");
                }
            }
        }
    }
}

#[test]
fn in_a_small_window_keys_and_mouse_are_beside_each_other_too() {
    let mut harness = window_of(Vec2::new(1000.0, 600.0), App::new(head()));
    harness.key_press(Key::F1);
    harness.run_ok();
    let right_column = harness.get_by_label("Drag in the viewport").rect().left();
    assert!(right_column > 450.0, "{right_column}");
    let edge = harness.get_by_label("Close").rect().right() + 1.0;
    let texts = smirk_ui::shortcuts::SHORTCUTS.iter().map(|shortcut| (shortcut.text, right_column));
    for (text, most) in texts.chain(smirk_ui::shortcuts::MOUSE.iter().map(|(_, _, text)| (*text, edge))) {
        for row in harness.query_all_by_label(text).map(|row| row.rect()).filter(|row| row.left() < most) {
            assert!(row.right() <= most, "{text}: {row} reaches {most}");
        }
    }
}

#[test]
fn a_contact_sheet_has_the_colours_of_the_window() {
    use smirk_export::sheet_style as sheet;
    let window = [theme::PANEL, theme::BACKDROP, theme::LINE, theme::TEXT, theme::TEXT_WEAK];
    let colors = [sheet::BACKGROUND, sheet::BACKDROP, sheet::LINE, sheet::TEXT, sheet::TEXT_WEAK];
    assert_eq!(colors, window);
}

#[test]
fn the_list_of_keys_is_in_groups_and_searched() {
    let mut harness = window(head());
    harness.key_press(Key::F1);
    harness.run_ok();
    for group in ["File", "Edit", "Time", "Curves", "Picture", "Sliders and controls"] {
        assert!(harness.query_all_by_label(group).count() > 0, "{group}");
    }
    let search = harness.get_by_label("Search keys and mouse");
    search.focus();
    harness.run_ok();
    harness.event(Event::Text("mirror".into()));
    harness.run_ok();
    harness.get_by_label("Over the curves: mirror the selected keys left and right");
    assert!(harness.query_by_label("Go to the start").is_none() && harness.query_by_label("Orbit").is_none());
    harness.event(Event::Text(" no such key".into()));
    harness.run_ok();
    harness.get_by_label("No key and no gesture matches.");
    press(&mut harness, "Close");
    harness.key_press(Key::F1);
    harness.run_ok();
    harness.get_by_label("Orbit");
}
