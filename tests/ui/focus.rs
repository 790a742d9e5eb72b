//! The window without a mouse: the Tab key reaches every control, the focus is seen, keys open the menus, and screen readers read and
//! operate all of it.

use std::collections::BTreeSet;

use egui::accesskit::{Action, Role};
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
    app.session.takes_mut().add(vec![take]);
    app.session.clock.timeline.playing = false;
    app.state.panels.page = page;
    window_of(size, app)
}

#[test]
fn the_tab_key_reaches_every_control_of_every_page() {
    for &page in smirk_ui::Page::ALL {
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

#[test]
fn screen_readers_learn_the_name_of_every_control_and_the_range_of_every_slider() {
    for &page in smirk_ui::Page::ALL {
        let harness = full_window(page, Vec2::new(1600.0, 2400.0));
        let is_control = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
            [Action::Click, Action::SetValue].iter().any(|action| node.data().supports_action(*action))
        };
        let mut faults = Vec::new();
        let mut sliders = 0;
        for node in harness.query_all(By::new().predicate(is_control)) {
            let node = node.accesskit_node();
            let name = node.label().or_else(|| node.value()).unwrap_or_default();
            if name.is_empty() && !matches!(node.role(), Role::GenericContainer | Role::ScrollBar) {
                faults.push(format!("{:?} without a name at {:?}", node.role(), node.bounding_box()));
            }
            if node.role() == Role::Slider {
                sliders += 1;
                let range = (node.data().min_numeric_value(), node.data().max_numeric_value());
                if !matches!(range, (Some(min), Some(max)) if min < max && min > -1e9 && max < 1e9) {
                    faults.push(format!("the slider {name} is from {range:?}"));
                }
            }
        }
        assert_eq!(faults, [] as [String; 0], "{page:?}");
        assert!(sliders > 10, "{page:?}: only {sliders} sliders");
    }
}

#[test]
fn screen_readers_learn_what_drives_a_slider_and_set_its_value() {
    let mut harness = full_window(smirk_ui::Page::Poses, Vec2::new(1600.0, 2400.0));
    let description = |harness: &Harness<'static, App>| {
        harness.get_by_label("jawOpen").accesskit_node().data().description().map(str::to_owned)
    };
    assert_eq!(description(&harness).as_deref(), Some("Driven by Take"));
    harness.get_by_label("jawOpen").set_value_accesskit(0.25);
    harness.run_ok();
    assert_eq!(harness.state().weight("jawOpen"), 0.25);
    assert_eq!(description(&harness), None);
    harness.get_by_label("jawOpen").increment_accesskit();
    harness.run_ok();
    assert!(near(harness.state().weight("jawOpen"), 0.26));
    // As with a typed number, a weight may be beyond its range.
    harness.get_by_label("jawOpen").set_value_accesskit(1.5);
    harness.run_ok();
    assert_eq!(harness.state().weight("jawOpen"), 1.5);
    harness.get_by_label("Time").set_value_accesskit(0.5);
    harness.run_ok();
    assert_eq!(harness.state().session.clock.timeline.time_secs, 0.5);
    harness.get_by_label("Time").decrement_accesskit();
    harness.run_ok();
    assert!(harness.state().session.clock.timeline.time_secs < 0.5);
}

/// On the panel and in a menu, which is brighter.
#[test]
fn a_box_that_is_not_ticked_has_an_outline_that_is_seen() {
    let mut harness = full_window(smirk_ui::Page::Motion, Vec2::new(1600.0, 1400.0));
    let contrast = |color: egui::Color32, behind: egui::Color32| {
        let [a, b] = [color, behind].map(|color| {
            let [r, g, b, _] = egui::Rgba::from(color).to_array();
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        });
        a.max(b) / a.min(b)
    };
    let outline = |harness: &Harness<'static, App>, name: &str| {
        let around = harness.get_by_label(name).rect();
        let boxes = harness.output().shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Rect(shape) if around.contains_rect(shape.rect) && shape.rect.width() < 20.0 => Some(shape),
            _ => None,
        });
        boxes.map(|shape| shape.stroke).find(|stroke| stroke.width >= 1.0).map(|stroke| stroke.color)
    };
    for name in ["Blink on", "Gaze on", "Listen for live faces"] {
        let color = outline(&harness, name).unwrap_or_else(|| panic!("{name} has no outline"));
        assert!(contrast(color, theme::PANEL) >= 3.0, "{name}: {color:?}");
    }
    harness.get_by_label("View").click();
    harness.run_ok();
    let color = outline(&harness, "High contrast").expect("the box of a menu has an outline");
    assert!(contrast(color, theme::RAISED) >= 3.0, "{color:?}");
}
