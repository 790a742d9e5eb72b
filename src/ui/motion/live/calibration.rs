//! The calibration of the live columns.

use egui::{Button, RichText};

use smirk_files::live::CalibrationKind;
use smirk_session::{Command, LiveCommand, Session};

use super::wrapped_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{CancelButton, progress_ui};

/// Shows the buttons, or the calibration that runs.
pub(super) fn calibration_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    if let Some((kind, part)) = cx.readings.live.calibrating {
        let (stage, text) = match kind {
            CalibrationKind::Neutral => ("Neutral", "Keep the face at rest."),
            CalibrationKind::Reach => ("Reach", "Make every expression as large as it gets."),
        };
        wrapped_ui(ui, RichText::new(text));
        if progress_ui(ui, stage, part, CancelButton::Enabled) {
            cx.commands.push(Command::Live(LiveCommand::Calibrate(None)));
        }
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let mut begin_ui = |name: &str, tip: &str, kind: CalibrationKind| {
            if ui
                .button(name)
                .accessible_name(format!("Calibrate {}", name.to_lowercase()))
                .on_hover_text(tip)
                .clicked()
            {
                cx.commands.push(Command::Live(LiveCommand::Calibrate(Some(kind))));
            }
        };
        let tip = "Three seconds of the face at rest become neutral: their values are subtracted";
        begin_ui("Neutral", tip, CalibrationKind::Neutral);
        let tip = "Ten seconds of large expressions: the largest becomes the whole shape";
        begin_ui("Reach", tip, CalibrationKind::Reach);
        let session = &mut *cx.session;
        let is_changed = !session.edits.live.columns.is_empty();
        let clear = ui.add_enabled(is_changed, Button::new("Clear")).accessible_name("Clear the live calibration");
        let clear = clear.on_hover_text("Remove gain, offset, clamp and neutral of all live columns");
        if clear.on_disabled_hover_text("No column is changed").clicked() {
            session.glide(session.edits.transition.duration_secs, Session::clear_live_columns);
        }
    });
}
