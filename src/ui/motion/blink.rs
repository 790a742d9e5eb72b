//! Automatic blinking.

use crate::motion::Blink;
use crate::session::Session;
use crate::ui::UiState;
use crate::ui::channels::{channel_picker_ui, chosen_text};
use crate::ui::widgets::{Bar, seed_ui, setting_ui, title_ui};

/// Shows the controls: on or off, timing, and the channels that close the eyes.
pub(super) fn blink_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState) {
    title_ui(ui, "Blink", |ui| {
        let mut enabled = session.edits.blink.enabled;
        ui.checkbox(&mut enabled, "On").accessible_name("Blink on");
        if enabled != session.edits.blink.enabled {
            session.glide(session.edits.transition.duration_secs, |session| session.edits.blink.enabled = enabled);
        }
        let now = ui.add_enabled(enabled, egui::Button::new("Blink now"));
        if now.on_disabled_hover_text("Blinking is off").clicked() {
            session.blink_now();
        }
    });
    // The settings are hidden while blinking is off, to keep the page short.
    if !session.edits.blink.enabled {
        return;
    }
    let rest = Blink::default();
    let blink = &mut session.edits.blink;
    for (label, name, value, rest, longest_secs, decimals) in [
        ("Blink interval", "Interval", &mut blink.wait_secs, rest.wait_secs, 12.0, 2),
        ("Blink variation", "Variation ±", &mut blink.variation_secs, rest.variation_secs, 4.0, 2),
        ("Blink close", "Close", &mut blink.close_secs, rest.close_secs, 0.4, 3),
        ("Blink hold", "Hold", &mut blink.hold_secs, rest.hold_secs, 0.4, 3),
        ("Blink open", "Open", &mut blink.open_secs, rest.open_secs, 0.4, 3),
    ] {
        let bar = Bar { name, range: 0.0..=longest_secs, decimals, unit: " s", ..Bar::new(label, *value) };
        setting_ui(ui, bar, value, rest, state);
    }
    let double = Bar { name: "Double", ..Bar::new("Double blinks", blink.double_part) };
    setting_ui(ui, double, &mut blink.double_part, rest.double_part, state);
    seed_ui(ui, "Blink seed", &mut blink.seed);
    eyelids_ui(ui, session);
}

/// The channels that close the eyes: those found by name unless the user has chosen others.
fn eyelids_ui(ui: &mut egui::Ui, session: &mut Session) {
    let head = session.head.clone();
    let names = |channels: Vec<usize>| -> Vec<String> {
        channels.into_iter().map(|channel| head.channels[channel].full_name.clone()).collect()
    };
    let found = names(Blink { channels: Vec::new(), ..session.edits.blink.clone() }.channels_of(&head));
    let chosen = &session.edits.blink.channels;
    let none = match found.as_slice() {
        [] => "Eyelids: none found".to_owned(),
        found => format!("Eyelids: {}", chosen_text(&head, found, "")),
    };
    if let Some(new) = channel_picker_ui(ui, &head, chosen, "Blink channels", &none) {
        session.edits.blink.channels = new;
    }
}
