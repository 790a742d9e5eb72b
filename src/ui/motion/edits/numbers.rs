//! The numbers of an edit, by its kind.

use egui::Button;

use crate::widgets::{Bar, setting_ui};
use crate::{UiState, theme};
use smirk_editor::session::Session;
use smirk_face::motion::{EditKind, Fit, NeutralOf, TakeEdit};

/// Shows the sliders of the kind.
pub(super) fn numbers_ui(ui: &mut egui::Ui, session: &Session, state: &mut UiState, edit: &mut TakeEdit) {
    let now_secs = session.clock.timeline.time_secs;
    match &mut edit.kind {
        EditKind::Gain(factor) => {
            let bar = Bar { name: "Gain", range: 0.0..=2.0, open_ended: true, ..Bar::new("Edit gain", *factor) };
            setting_ui(ui, bar, factor, 1.0, state);
        }
        EditKind::Offset(offset) => {
            let bar = Bar { name: "Offset", range: -1.0..=1.0, open_ended: true, ..Bar::new("Edit offset", *offset) };
            setting_ui(ui, bar, offset, 0.0, state);
        }
        EditKind::Clamp([low, high]) => {
            for (value, name, label, rest) in
                [(low, "Lowest", "Edit lowest", 0.0), (high, "Highest", "Edit highest", 1.0)]
            {
                let bar = Bar { name, range: -1.0..=2.0, open_ended: true, ..Bar::new(label, *value) };
                setting_ui(ui, bar, value, rest, state);
            }
        }
        EditKind::Smooth { cutoff_hz, keep_peaks } => {
            let bar = Bar {
                name: "Frequency",
                range: 0.5..=25.0,
                decimals: 1,
                unit: " Hz",
                ..Bar::new("Edit frequency", *cutoff_hz)
            };
            setting_ui(ui, bar, cutoff_hz, 6.0, state);
            let bar = Bar { name: "Keep peaks", ..Bar::new("Edit keep peaks", *keep_peaks) };
            setting_ui(ui, bar, keep_peaks, 1.0, state);
        }
        EditKind::RemoveSpikes { threshold, longest_secs } => {
            let bar = Bar { name: "Threshold", range: 0.01..=1.0, ..Bar::new("Edit threshold", *threshold) };
            setting_ui(ui, bar, threshold, 0.1, state);
            let bar = Bar {
                name: "Longest",
                range: 0.01..=0.2,
                decimals: 3,
                unit: " s",
                ..Bar::new("Edit longest", *longest_secs)
            };
            setting_ui(ui, bar, longest_secs, 0.035, state);
        }
        EditKind::Neutral(of) => {
            let moment_secs = if let NeutralOf::Moment(secs) = of { *secs } else { now_secs };
            choice_ui(ui, of, &[(NeutralOf::Moment(moment_secs), "Face at a moment"), (NeutralOf::Mean, "Mean")]);
            if let NeutralOf::Moment(secs) = of {
                let end_secs = session.timeline_secs().max(0.1);
                let bar = seconds("Rest face at", "Edit rest face", *secs, end_secs);
                setting_ui(ui, bar, secs, 0.0, state);
                if ui.button("Use play head").clicked() {
                    *secs = now_secs;
                }
            }
        }
        EditKind::Hold(value) => {
            let mut is_own = value.is_none();
            ui.checkbox(&mut is_own, "Value at the start").accessible_name("Edit holds the value at the start");
            if is_own != value.is_none() {
                *value = (!is_own).then_some(0.0);
            }
            if let Some(value) = value {
                let bar = Bar { name: "Value", open_ended: true, ..Bar::new("Edit held value", *value) };
                setting_ui(ui, bar, value, 0.0, state);
            }
        }
        EditKind::Reduce { fit, tolerance } => {
            choice_ui(ui, fit, &[(Fit::Smooth, "Splines"), (Fit::Linear, "Lines")]);
            let bar = Bar {
                name: "Tolerance",
                range: 0.001..=0.1,
                decimals: 3,
                open_ended: true,
                ..Bar::new("Edit tolerance", *tolerance)
            };
            setting_ui(ui, bar, tolerance, 0.01, state);
            *tolerance = tolerance.max(0.0);
        }
        EditKind::Bake(rate) => {
            let bar = Bar { name: "Samples", range: 5.0..=120.0, unit: " /s", ..Bar::new("Edit rate", *rate) };
            setting_ui(ui, bar, rate, 30.0, state);
        }
        EditKind::Stretch(factor) => {
            let bar = Bar { name: "Length", range: 0.25..=4.0, unit: "×", ..Bar::new("Edit length", *factor) };
            setting_ui(ui, bar, factor, 1.0, state);
        }
        EditKind::InsertTime(secs) => {
            let bar = seconds("Duration", "Edit inserted", *secs, 5.0);
            setting_ui(ui, Bar { open_ended: true, ..bar }, secs, 0.5, state);
        }
        EditKind::Line | EditKind::Bridge | EditKind::Mirror | EditKind::DeleteTime => {}
    }
}

/// A slider from 0 to a number of seconds.
pub(super) fn seconds<'a>(name: &'a str, label: &'a str, value: f32, end_secs: f32) -> Bar<'a> {
    Bar { name, range: 0.0..=end_secs, unit: " s", ..Bar::new(label, value) }
}

/// Buttons, of which one is chosen.
fn choice_ui<T: PartialEq + Copy>(ui: &mut egui::Ui, chosen: &mut T, all: &[(T, &str)]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        for &(one, name) in all {
            if ui.add(Button::selectable(*chosen == one, name).frame_when_inactive(true)).clicked() {
                *chosen = one;
            }
        }
    });
}
