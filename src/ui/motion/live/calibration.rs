//! The calibration of the live columns.

use egui::Button;

use smirk_files::live::CalibrationKind;

use super::small_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{CancelButton, close_row_ui, progress_ui};

pub(super) fn calibration_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let live = &mut cx.state.live;
    if let Some(kind) = live.calibrates {
        let (stage, text) = match kind {
            CalibrationKind::Neutral => ("Rest face", "Keep the face at rest."),
            CalibrationKind::Reach => ("Range of motion", "Make every expression as large as it gets."),
        };
        small_ui(ui, text, theme::TEXT);
        if progress_ui(ui, stage, live.view.calibrated, CancelButton::Enabled) {
            live.calibrates = None;
        }
        return;
    }
    close_row_ui(ui, |ui| {
        let rest = "Three seconds of the face at rest: their values are subtracted";
        let range = "Ten seconds of large expressions: the largest becomes the whole shape";
        for (name, kind, tip) in
            [("Rest face", CalibrationKind::Neutral, rest), ("Range of motion", CalibrationKind::Reach, range)]
        {
            let button = ui.button(name).accessible_name(format!("Calibrate {}", name.to_lowercase()));
            if button.on_hover_text(tip).clicked() {
                live.calibrates = Some(kind);
            }
        }
        let session = &mut *cx.session;
        let is_changed = !session.edits.live.columns.is_empty();
        let clear = ui.add_enabled(is_changed, Button::new("Clear")).accessible_name("Clear the live calibration");
        let clear = clear.on_hover_text("Remove gain, offset, clamp and rest value of all live columns");
        if clear.on_disabled_hover_text("No column is changed").clicked() {
            session.glide(session.edits.transition.duration_secs, |session| session.edits.live.columns.clear());
        }
    });
}
