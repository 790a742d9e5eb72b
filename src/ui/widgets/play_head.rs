//! Dragging the play head, in the transport and in the curves.

use egui::Id;

use smirk_editor::session::Session;

/// Pauses playback while the play head is held, moves the play head to `target_secs`, and resumes playback when it is
/// released.
pub(crate) fn drag_play_head(ui: &egui::Ui, id: Id, session: &mut Session, is_held: bool, target_secs: Option<f32>) {
    let id = id.with("was playing");
    if is_held {
        let was_playing = session.clock.timeline.playing;
        ui.data_mut(|data| *data.get_temp_mut_or(id, false) |= was_playing);
        session.clock.timeline.playing = false;
    } else if ui.data_mut(|data| data.remove_temp::<bool>(id)).unwrap_or(false) {
        session.clock.timeline.playing = true;
    }
    if let Some(time_secs) = target_secs {
        session.seek(time_secs);
    }
}

/// Whether a drag in time snaps where it would not, and the other way round: while Ctrl is held.
pub(crate) fn is_snap_turned_round(ui: &egui::Ui) -> bool {
    ui.input(|input| input.modifiers.command)
}
