//! What is shown of the surface: the menu, its keys, and the list of meshes on the Look page.

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT;
use smirk_analysis::judge::{FaceIntersections, Through};
use smirk_scene::{Matcap, ViewMode};

use crate::harness::*;

fn look(harness: &Harness<'_, App>) -> Look {
    harness.state().session.edits.look
}

fn press(harness: &mut Harness<'_, App>, modifiers: Modifiers, key: Key) {
    harness.key_press_modifiers(modifiers, key);
    harness.run();
}

#[test]
fn the_menu_in_the_viewport_chooses_every_view() {
    let mut harness = window(head());
    for view in ViewMode::ALL.iter().copied().filter(|&view| view != ViewMode::Matcap) {
        harness.get_by_label("View of the surface").click();
        harness.run();
        harness.get_by_role_and_label(Role::Button, view.label()).click();
        harness.run();
        assert_eq!(look(&harness).view, view);
    }
    harness.get_by_label("View of the surface").click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Matcap").click();
    harness.run();
    harness.get_by_label("Zebra stripes").click();
    harness.run();
    assert_eq!((look(&harness).view, look(&harness).matcap), (ViewMode::Matcap, Matcap::Zebra));
    press(&mut harness, Modifiers::COMMAND, Key::Z);
    assert_eq!(look(&harness).view, ViewMode::Heat, "the choice can be undone");
}

#[test]
fn the_legend_of_intersections_says_what_crosses() {
    let mut harness = window(head());
    let explained = "Goes through another part";
    assert!(harness.query_by_label(explained).is_none());
    harness.state_mut().session.edits.look.view = ViewMode::Intersections;
    harness.run();
    harness.get_by_label(explained);
    harness.get_by_label("Searching…");
    harness.state_mut().marked = Some(FaceIntersections::new(Vec::new(), Vec::new()).marked);
    harness.run();
    harness.get_by_label("Nothing crosses");
    let kinds = vec![(Through::LipsAndTeeth, 31, 24.44), (Through::Lids, 2, 3.1)];
    harness.state_mut().marked = Some(FaceIntersections::new(vec![vec![0, 1, 2]], kinds).marked);
    harness.run();
    for line in ["27.5 mm of crossings", "24.4 mm lips through teeth", "3.1 mm lids through lids"] {
        harness.get_by_label(line);
    }
}

#[test]
fn keys_choose_views_and_hide_hair() {
    let mut harness = window(head());
    for (key, view) in [
        (Key::Num6, ViewMode::Clay),
        (Key::Num7, ViewMode::Matcap),
        (Key::Num8, ViewMode::Wireframe),
        (Key::Num9, ViewMode::Normals),
        (Key::Num5, ViewMode::Shaded),
    ] {
        press(&mut harness, Modifiers::COMMAND, key);
        assert_eq!(look(&harness).view, view);
    }
    press(&mut harness, Modifiers::NONE, Key::V);
    assert_eq!(look(&harness).view, ViewMode::Shaded.step(1));
    press(&mut harness, Modifiers::SHIFT, Key::V);
    press(&mut harness, Modifiers::SHIFT, Key::V);
    assert_eq!(look(&harness).view, ViewMode::Shaded.step(-1));
    press(&mut harness, Modifiers::NONE, Key::H);
    assert!(look(&harness).isolates_face);
    press(&mut harness, Modifiers::NONE, Key::H);
    assert!(!look(&harness).isolates_face);
}

#[test]
fn eyes_beside_the_names_hide_meshes() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    let hidden = |harness: &Harness<'_, App>| -> Vec<String> {
        harness.state().session.edits.hidden_meshes.iter().cloned().collect()
    };
    harness.get_by_label("Hide lashes").scroll_to_me();
    harness.run();
    harness.get_by_label("Hide lashes").click();
    harness.run();
    assert_eq!(hidden(&harness), ["lashes"]);
    assert!(harness.state().session.look().hidden.contains(2));
    harness.get_by_label("Show lashes").click();
    harness.run();
    assert!(hidden(&harness).is_empty());
    for expected in [vec!["lashes", "teeth_lower", "tongue"], vec![]] {
        harness.get_by_label("Hide face").click_modifiers(Modifiers::ALT);
        harness.run();
        assert_eq!(hidden(&harness), expected);
    }
    harness.get_by_label("Hide face").click();
    harness.run();
    harness.get_by_label("Show all").click();
    harness.run();
    assert!(hidden(&harness).is_empty());
}

#[test]
fn the_default_look_is_that_of_the_materials() {
    let mut harness = window(head());
    press(&mut harness, Modifiers::COMMAND, Key::Num6);
    harness.get_by_label("Look").click();
    harness.run();
    harness.get_by_label("Make default").scroll_to_me();
    harness.run();
    let is_disabled = |name| harness.get_by_label(name).accesskit_node().is_disabled();
    assert!(is_disabled("Make default") && is_disabled("Reset look"), "clay is no change of the look");
}

#[test]
fn the_scale_of_the_heat_map_ends_at_the_strongest_shape_at_this_face_or_at_a_typed_number() {
    let mut app = App::new(head());
    app.session.clips_mut().select_together([]);
    app.session.edits.look.view = ViewMode::Heat;
    let funnel = app.channel("mouthFunnel");
    app.session.channel_mut(funnel).set(0.03);
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let end = |harness: &Harness<'_, App>| {
        let session = &harness.state().session;
        look(harness).heat.most(&session.head, None)
    };
    let strongest = end(&harness);
    let choose = |harness: &mut Harness<'_, App>, item: &str| {
        harness.get_by_label("Scale").click();
        harness.run();
        harness.get_by_role_and_label(Role::Button, item).click();
        harness.run();
    };
    choose(&mut harness, "Fit to this face");
    let fitted = end(&harness);
    assert!(fitted < strongest * 0.06 && fitted >= strongest * 0.02, "{fitted} of {strongest}");
    choose(&mut harness, "Strongest of all shapes");
    assert_eq!((end(&harness), look(&harness).heat.most), (strongest, None));
    harness.get_by_label("End of the scale").click();
    harness.run_steps(4);
    harness.event(Event::Text("2.5".into()));
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    assert_eq!(look(&harness).heat.most, Some(2.5));
    assert!(harness.query_by_label_contains("Scale from 0").is_some());
}
