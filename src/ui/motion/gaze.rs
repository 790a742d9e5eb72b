//! Automatic eye movement.

use crate::UiState;
use crate::widgets::{Bar, seed_ui, setting_ui, title_ui};
use smirk_editor::session::Session;
use smirk_face::motion::Gaze;

/// Shows the controls: on or off, timing and size of the movements.
pub(super) fn gaze_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState) {
    title_ui(ui, "Gaze", |ui| {
        let mut enabled = session.edits.gaze.enabled;
        let switch = ui.checkbox(&mut enabled, "On").accessible_name("Gaze on");
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
    let pause = Bar { name: "Pause", range: 0.2..=4.0, unit: " s", ..Bar::new("Gaze pause", gaze.pause_secs) };
    setting_ui(ui, pause, &mut gaze.pause_secs, rest.pause_secs, state);
    let reach = Bar { name: "Reach", ..Bar::new("Gaze reach", gaze.reach) };
    setting_ui(ui, reach, &mut gaze.reach, rest.reach, state);
    seed_ui(ui, "Gaze seed", &mut gaze.seed);
}
