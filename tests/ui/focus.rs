//! The window without a mouse: the Tab key reaches every control, the focus is seen, and keys open the menus.

use std::collections::BTreeSet;

use egui::accesskit::Action;
use egui_kittest::kittest::{By, NodeT};

use crate::harness::*;
use crate::takes::take_of;

fn press(harness: &mut Harness<'static, App>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run_steps(2);
}

/// The label: the role of a number changes while it has the focus and can be typed.
fn name_of(node: &egui_kittest::Node<'_>) -> String {
    node.accesskit_node().label().unwrap_or_default()
}

/// What can be clicked or moved.
fn controls(harness: &Harness<'static, App>) -> BTreeSet<String> {
    let is_control = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
        let can = |action| node.data().supports_action(action);
        !node.is_disabled() && can(Action::Click) && node.label().is_some()
    };
    harness.query_all(By::new().predicate(is_control)).map(|node| name_of(&node)).collect()
}

fn focused(harness: &Harness<'static, App>) -> Option<String> {
    let is_focused = |node: &egui_kittest::kittest::AccessKitNode<'_>| node.is_focused();
    harness.query_all(By::new().predicate(is_focused)).next().map(|node| name_of(&node))
}

/// A window with something on every page.
fn full_window(page: smirk_ui::Page, size: Vec2) -> Harness<'static, App> {
    let mut app = App::new(head());
    let take = take_of("take", &["jawOpen", "mouthPucker"], 60);
    app.session.add_takes(vec![take]);
    app.session.clock.timeline.playing = false;
    app.state.panels.page = page;
    window_of(size, app)
}

#[test]
fn the_tab_key_reaches_every_control_of_every_page() {
    for page in [
        smirk_ui::Page::Poses,
        smirk_ui::Page::Motion,
        smirk_ui::Page::Look,
        smirk_ui::Page::Readout,
        smirk_ui::Page::Report,
        smirk_ui::Page::Export,
    ] {
        let mut harness = full_window(page, Vec2::new(1600.0, 2400.0));
        let expected = controls(&harness);
        assert!(expected.len() > 60, "{page:?}: only {} controls", expected.len());
        let mut reached = BTreeSet::new();
        for _ in 0..expected.len() * 2 {
            press(&mut harness, Modifiers::NONE, Key::Tab);
            reached.extend(focused(&harness));
            if expected.is_subset(&reached) {
                break;
            }
        }
        let missed: Vec<_> = expected.difference(&reached).collect();
        assert!(missed.is_empty(), "{page:?}: the Tab key does not reach {missed:?}");
    }
}

#[test]
fn the_tab_key_goes_on_below_what_the_list_shows_and_the_list_follows() {
    let mut harness = full_window(smirk_ui::Page::Poses, Vec2::new(1000.0, 600.0));
    assert!(harness.query_by_label("tongueOut").is_none(), "below the visible part of the list");
    for _ in 0..400 {
        press(&mut harness, Modifiers::NONE, Key::Tab);
        if focused(&harness).is_some_and(|name| name == "tongueOut") {
            let list = harness.get_by_label("Viewport").rect();
            let row = harness.get_by_label("tongueOut").rect();
            assert!(row.bottom() <= list.bottom() && row.top() >= list.top(), "{row:?} is not on the screen");
            return;
        }
    }
    panic!("the Tab key never came to the last row; it is at {:?}", focused(&harness));
}

#[test]
fn the_menu_key_opens_the_menu_of_a_slider_where_the_slider_is() {
    let mut harness = full_window(smirk_ui::Page::Poses, Vec2::new(1280.0, 720.0));
    for (modifiers, key) in [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)] {
        harness.get_by_label("eyeBlinkLeft").focus();
        harness.run_ok();
        press(&mut harness, modifiers, key);
        let item = harness.get_by_label_contains("Solo").rect();
        let slider = harness.get_by_label("eyeBlinkLeft").rect();
        assert!((item.left() - slider.left()).abs() < 40.0, "{item:?} beside {slider:?}");
        press(&mut harness, Modifiers::NONE, Key::Escape);
        assert!(harness.query_by_label_contains("Mute").is_none());
    }
}

#[test]
fn a_ring_shows_the_focus_on_every_kind_of_control() {
    for label in ["eyeWideLeft", "Take over eyeBlinkLeft", "Reset all", "Poses", "Mouth", "Pose Smile", "Loop", "File"]
    {
        let mut harness = full_window(smirk_ui::Page::Poses, Vec2::new(1280.0, 1200.0));
        let rings = |harness: &Harness<'static, App>| {
            let rect = harness.get_by_label(label).rect().expand(1.0);
            let is_ring = |shape: &egui::Shape| match shape {
                egui::Shape::Rect(ring) => {
                    ring.rect.min.distance(rect.min) + ring.rect.max.distance(rect.max) < 1.0
                        && ring.stroke.color == theme::ACCENT_BRIGHT
                }
                _ => false,
            };
            harness.output().shapes.iter().filter(|clipped| is_ring(&clipped.shape)).count()
        };
        assert_eq!(rings(&harness), 0, "{label}");
        harness.get_by_label(label).focus();
        harness.run_ok();
        assert_eq!(rings(&harness), 1, "{label}");
    }
}

#[test]
fn high_contrast_is_switched_in_the_menu_and_replaces_the_colours_at_once() {
    let mut harness = full_window(smirk_ui::Page::Poses, Vec2::new(1280.0, 720.0));
    let panel_text = |harness: &mut Harness<'static, App>| {
        harness.run_ok();
        let shapes = &harness.output().shapes;
        shapes
            .iter()
            .filter(|clipped| matches!(&clipped.shape, egui::Shape::Text(text) if text.fallback_color == theme::TEXT))
            .count()
    };
    assert!(panel_text(&mut harness) > 10);
    harness.get_by_label("View").click();
    harness.run_ok();
    harness.get_by_label("High contrast").click();
    assert_eq!(panel_text(&mut harness), 0);
    assert!(harness.state().state.panels.high_contrast);
}
