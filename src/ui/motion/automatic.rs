//! Automatic blinking and eye movement.

use egui::{Button, vec2};

use smirk_face::head::listed;
use smirk_face::motion::{Blink, Gaze};
use smirk_session::{BakedBlinks, Session};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Bar, channel_picker_ui, checkbox_ui, chosen_text, seed_ui, setting_ui, text, title_ui};

/// The largest number of channels that a message names.
const MOST_NAMES: usize = 4;

/// Shows the controls of automatic blinking: on or off, timing, and the channels that close the eyes.
pub(super) fn blink_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let session = &mut *cx.session;
    title_ui(ui, "Blink", |ui| {
        let mut enabled = session.edits.blink.enabled;
        checkbox_ui(ui, &mut enabled, "On").accessible_name("Blink on");
        if enabled != session.edits.blink.enabled {
            session.glide(session.edits.transition.duration_secs, |session| session.edits.blink.enabled = enabled);
        }
        let now = ui.add_enabled(enabled, Button::new("Blink now"));
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
        let bar = Bar { name, range: 0.0..=longest_secs, decimals, unit: " s", ..Bar::named(label) };
        setting_ui(ui, bar, value, rest);
    }
    let double = Bar { name: "Double", ..Bar::named("Double blinks") };
    setting_ui(ui, double, &mut blink.double_part, rest.double_part);
    seed_ui(ui, "Blink seed", &mut blink.seed);
    eyelids_ui(ui, session);
    bake_ui(ui, cx);
}

fn bake_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let button = ui.add_sized(vec2(ui.available_width(), theme::BAR_HEIGHT), Button::new("Bake blinks to keys"));
    let tip = "Write the blinks from in to out, or of the whole timeline, as keys, and switch automatic blinking off";
    if button.on_hover_text(tip).clicked() {
        let baked =
            cx.session.glide(cx.session.edits.transition.duration_secs, |session| session.keys_mut().bake_blinks());
        cx.show_status(match baked {
            Ok(baked) => baked_text(cx.session, &baked),
            Err(problem) => format!("No blinks were baked. {problem}"),
        });
    }
}

fn baked_text(session: &Session, baked: &BakedBlinks) -> String {
    let channels = baked.channels.iter().map(|&channel| &session.head.channels[channel]);
    let names: Vec<_> = channels.map(|channel| text::shown(&channel.name)).collect();
    let (keys, blinks) = (text::counted(baked.keys, "key"), text::counted(baked.blinks, "blink"));
    let [start, end] = baked.range_secs.map(|secs| session.edits.timeline.text(secs));
    format!("{keys} on {} for {blinks} from {start} to {end}. Automatic blinking is off", listed(&names, MOST_NAMES))
}

/// The channels that close the eyes: those found by name unless the user has chosen others.
fn eyelids_ui(ui: &mut egui::Ui, session: &mut Session) {
    let head = session.head.clone();
    let found = Blink { channels: Vec::new(), ..session.edits.blink.clone() }.channels_of(&head);
    let found: Vec<_> = found.into_iter().map(|channel| head.channels[channel].full_name.clone()).collect();
    let chosen = &session.edits.blink.channels;
    let none = match found.as_slice() {
        [] => "Eyelids: none found".to_owned(),
        found => format!("Eyelids: {}", chosen_text(&head, found, "")),
    };
    if let Some(new) = channel_picker_ui(ui, &head, chosen, "Blink channels", &none) {
        session.edits.blink.channels = new;
    }
}

/// Shows the controls of automatic eye movement: on or off, timing and size of the movements.
pub(super) fn gaze_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Gaze", |ui| {
        let mut enabled = session.edits.gaze.enabled;
        let switch = checkbox_ui(ui, &mut enabled, "On").accessible_name("Gaze on");
        switch.on_hover_text("Small random eye movements on the eyeLook channels");
        if enabled != session.edits.gaze.enabled {
            session.glide(session.edits.transition.duration_secs, |session| session.edits.gaze.enabled = enabled);
        }
    });
    if Gaze::channels_of(&session.head).is_empty() {
        ui.weak("This head has no eyeLook channels.");
        return;
    }
    if !session.edits.gaze.enabled {
        return;
    }
    let rest = Gaze::default();
    let gaze = &mut session.edits.gaze;
    let pause = Bar { name: "Pause", range: 0.2..=4.0, unit: " s", ..Bar::named("Gaze pause") };
    setting_ui(ui, pause, &mut gaze.pause_secs, rest.pause_secs);
    setting_ui(ui, Bar { name: "Amount", ..Bar::named("Gaze amount") }, &mut gaze.reach, rest.reach);
    seed_ui(ui, "Gaze seed", &mut gaze.seed);
}
