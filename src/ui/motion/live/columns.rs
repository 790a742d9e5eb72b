//! The mapping of the live columns: calibration, and the channels and numbers of one column.

use egui::containers::menu::MenuButton;
use egui::{Button, DragValue, RichText, vec2};

use smirk_editor::session::{CalibrationKind, Command, LiveCommand, Session};
use smirk_face::motion::{ColumnMap, TakeMap};

use super::wrapped_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Bar, CancelButton, channel_picker_ui, chosen_text, progress_ui, setting_ui, text};

/// Shows the calibration, and the column that is chosen.
pub(super) fn columns_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, chosen: &mut Option<String>) {
    let Some(map) = cx.session.live_map() else { return };
    calibration_ui(ui, cx);
    let session = &mut *cx.session;
    let names: Vec<&str> = map.columns.iter().map(|column| column.column.as_str()).collect();
    let shown = chosen.as_deref().map_or("Choose a column…".into(), text::shown).into_owned();
    let button = Button::new(shown).min_size(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_width(320.0);
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for column in &map.columns {
                let to = chosen_text(&session.head, &column.channels, "–");
                let line = format!("{} → {}", text::shown(&column.column), text::shown(&to));
                if ui.selectable_label(chosen.as_ref() == Some(&column.column), line).clicked() {
                    *chosen = Some(column.column.clone());
                    ui.close();
                }
            }
        });
    });
    response.on_hover_text("The channels and numbers of one column").accessible_name("Live column");
    let Some(name) = chosen.clone().filter(|name| names.contains(&name.as_str())) else { return };
    column_ui(ui, session, &map, &name);
}

fn calibration_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
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

fn column_ui(ui: &mut egui::Ui, session: &mut Session, map: &TakeMap, name: &str) {
    let Some(shown) = map.columns.iter().find(|column| column.column == name) else { return };
    let none = "Not mapped: choose channels";
    if let Some(new) = channel_picker_ui(ui, &session.head, &shown.channels, "Channels of the live column", none) {
        session.map_live_column(name, new);
    }
    type Field = fn(&mut ColumnMap) -> &mut f32;
    let numbers: [(&str, Field, std::ops::RangeInclusive<f32>); 3] = [
        ("Gain", |map| &mut map.gain, 0.0..=2.0),
        ("Offset", |map| &mut map.offset, -1.0..=1.0),
        ("Neutral", |map| &mut map.neutral, -1.0..=1.0),
    ];
    for (label, field, range) in numbers {
        let mut value = *field(&mut shown.clone());
        let long = format!("Live {}", label.to_lowercase());
        let bar = Bar { name: label, range, open_ended: true, ..Bar::new(&long, value) };
        if setting_ui(ui, bar, &mut value, *field(&mut ColumnMap::default())) {
            session.edit_live_columns([name], |map| *field(map) = value);
        }
    }
    ui.horizontal(|ui| {
        let (mut enabled, mut clamps) = (shown.enabled, shown.clamp.is_some());
        ui.checkbox(&mut enabled, "Used").accessible_name("Live column used").on_hover_text("Drive the channels");
        ui.checkbox(&mut clamps, "Clamp").accessible_name("Live clamp");
        let mut ends = shown.clamp.unwrap_or([0.0, 1.0]);
        ui.add_enabled_ui(clamps, |ui| {
            for (end, label) in ends.iter_mut().zip(["Live clamp from", "Live clamp to"]) {
                let number = DragValue::new(end).speed(0.01).fixed_decimals(2).min_size(vec2(48.0, theme::BAR_HEIGHT));
                ui.add(number).accessible_name(label);
            }
        });
        let clamp = clamps.then_some(ends);
        if (enabled, clamp) != (shown.enabled, shown.clamp) {
            session.edit_live_columns([name], |map| (map.enabled, map.clamp) = (enabled, clamp));
        }
    });
}
