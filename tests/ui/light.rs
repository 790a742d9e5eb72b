//! Light set-ups and tone mapping, chosen on the Look page.

use smirk_scene::{LightSetup, Tone};

use crate::harness::*;

#[test]
fn the_look_page_offers_light_set_ups_and_tones_and_both_can_be_undone() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    for setup in LightSetup::ALL.iter().copied().rev() {
        harness.get_by_label(&format!("Look {}", setup.label())).click();
        harness.run();
        assert_eq!(harness.state().session.edits.look, setup.applied_to(Look::default()));
    }
    choose_in_list(&mut harness, "Tone", Tone::Neutral.label());
    assert_eq!(harness.state().session.edits.look, Look { tone: Tone::Neutral, ..Look::default() });
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    let beauty = LightSetup::Beauty.applied_to(Look::default());
    assert_eq!(harness.state().session.edits.look, beauty);
}

#[test]
fn colours_of_an_avatar_are_as_painted_so_that_a_tone_is_offered_for_clay_alone() {
    use smirk_face::head::{Asset, Head, Material};
    let materials = vec![Material { toon: Some(Box::default()), ..Material::default() }];
    let meshes = vec![mesh("face", &["jawOpen"])];
    let mut harness = window(Arc::new(Head::new(Asset { meshes, materials, ..Asset::default() })));
    harness.get_by_label("Look").click();
    harness.run();
    let tones = |harness: &Harness<'_, App>| {
        harness.query_all_by_role_and_label(egui::accesskit::Role::ComboBox, "Tone").count()
    };
    assert_eq!(tones(&harness), 0);
    harness.get_by_label("As painted");
    harness.state_mut().session.edits.look.view = smirk_scene::ViewMode::Clay;
    harness.run();
    assert_eq!(tones(&harness), 1);
}

#[test]
fn a_look_is_saved_under_a_name_for_every_head_applied_renamed_and_deleted() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    drag_slider(&mut harness, "Gloss", 0.4, 0.9);
    let own = harness.state().session.edits.look;
    harness.get_by_label("Save look").click();
    harness.run_steps(4);
    // Its name is typed at once.
    harness.event(Event::Text("Evening".into()));
    harness.run_steps(2);
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    let names = |harness: &Harness<'static, App>| -> Vec<String> {
        harness.state().state.looks.iter().map(|named| named.name.clone()).collect()
    };
    assert_eq!(names(&harness), ["Evening"]);
    harness.get_by_label("Look Rembrandt").click();
    harness.run();
    harness.state_mut().session.edits.look.view = smirk_scene::ViewMode::Heat;
    harness.run();
    assert_ne!(harness.state().session.edits.look, own);
    harness.get_by_label("Look Evening").click();
    harness.run();
    let applied = harness.state().session.edits.look;
    assert_eq!((applied.gloss, applied.key), (own.gloss, own.key));
    assert_eq!(applied.view, smirk_scene::ViewMode::Heat, "what is looked at stays");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_ne!(harness.state().session.edits.look, applied, "one undo step");
    // The pictures of all looks are asked for while the page is shown.
    assert_eq!(harness.state().visible_pictures().looks.len(), LightSetup::ALL.len() + 1);
    harness.get_by_label("Look Evening").click_secondary();
    harness.run();
    harness.get_by_label_contains("Rename").click();
    harness.run_steps(4);
    harness.event(Event::Text("Dusk".into()));
    harness.key_press(Key::Enter);
    harness.run_steps(4);
    assert_eq!(names(&harness), ["Dusk"]);
    harness.get_by_label("Look Dusk").click_secondary();
    harness.run();
    harness.get_by_label_contains("Delete").click();
    harness.run_steps(4);
    assert_eq!(names(&harness), ["Dusk"], "a look has no undo, therefore it is asked for twice");
    harness.get_by_label("Delete for good").click();
    harness.run_steps(4);
    assert_eq!(names(&harness), [] as [String; 0]);
}

#[test]
fn the_look_page_begins_with_the_light_and_ends_with_the_axes_of_the_file() {
    let mut harness = window_of(Vec2::new(1280.0, 2400.0), App::new(head()));
    press(&mut harness, "Look");
    let top = |name: &str| harness.get_all_by_label(name).next().unwrap().rect().top();
    let names = ["Look Beauty", "Key intensity", "Exposure", "Background colour", "Reset look", "Up", "Front"];
    assert!(names.map(top).is_sorted(), "{:?}", names.map(top));
    assert!(top("Look Beauty") < 250.0);
}

/// The pictures of looks are as wide as the page: a scroll bar beside them must not make the page so short that it needs
/// none.
#[test]
fn the_look_page_comes_to_rest_at_every_height() {
    let mut harness = window_of(Vec2::new(1280.0, 2400.0), App::new(head()));
    press(&mut harness, "Look");
    let end = harness.get_all_by_label("Front").next().unwrap().rect().bottom();
    for height in (end as u32 + 30..end as u32 + 70).step_by(3) {
        let mut harness = window_of(Vec2::new(1280.0, height as f32), App::new(head()));
        press(&mut harness, "Look");
        harness.run();
    }
}
