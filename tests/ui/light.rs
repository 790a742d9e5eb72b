//! Light set-ups and tone mapping, chosen on the Look page.

use egui::accesskit::Role;
use smirk_picture::scene::{LightSetup, Tone};

use crate::harness::*;

fn choose(harness: &mut Harness<'_, App>, list: &str, choice: &str) {
    harness.get_by_role_and_label(Role::ComboBox, list).click();
    harness.run();
    harness.get_by_role_and_label(Role::Button, choice).click();
    harness.run();
}

#[test]
fn the_look_page_offers_light_set_ups_and_tones_and_both_can_be_undone() {
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    for setup in LightSetup::ALL.into_iter().rev() {
        choose(&mut harness, "Light set-up", setup.label());
        assert_eq!(harness.state().session.edits.look, setup.applied_to(Look::default()));
    }
    choose(&mut harness, "Tone", Tone::Neutral.label());
    assert_eq!(harness.state().session.edits.look, Look { tone: Tone::Neutral, ..Look::default() });
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    let beauty = LightSetup::Beauty.applied_to(Look::default());
    assert_eq!(harness.state().session.edits.look, beauty);
}
