//! The mapping of the selected columns of the take: their channels, gain, offset, neutral value, smoothing and clamp.

use egui::{DragValue, ScrollArea, vec2};

use smirk_editor::session::{Session, TakeEntry};
use smirk_face::motion::ColumnMap;

use crate::theme;
use crate::widgets::{Bar, channel_picker_ui, setting_ui};

/// Shows the controls. A change applies to all of `columns`.
pub(super) fn column_map_ui(ui: &mut egui::Ui, session: &mut Session, columns: &[usize]) {
    let Some(entry) = session.take().cloned() else { return };
    let Some(shown) = columns.first().and_then(|&column| entry.map.columns.get(column)) else { return };
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let title = match columns {
            [column] => entry.take.columns.get(*column).map_or("", |column| &column.name).to_owned(),
            several => format!("{} columns", several.len()),
        };
        ui.horizontal(|ui| {
            let mut enabled = shown.enabled;
            ui.checkbox(&mut enabled, "").accessible_name("Column enabled").on_hover_text("Drive the channels");
            ui.add(egui::Label::new(egui::RichText::new(title).strong()).truncate());
            if enabled != shown.enabled {
                edit(session, &entry, columns, |map| map.enabled = enabled);
            }
        });
        if let [column] = columns {
            let none = "Not mapped: choose channels";
            if let Some(new) = channel_picker_ui(ui, &session.head, &shown.channels, "Channels of the column", none) {
                session.map_column(entry.id, *column, new);
            }
        }
        numbers_ui(ui, session, &entry, columns);
        clamp_ui(ui, session, &entry, columns, shown.clamp);
    });
}

fn edit(session: &mut Session, entry: &TakeEntry, columns: &[usize], change: impl Fn(&mut ColumnMap)) {
    session.edit_take_map(entry.id, |map, _| {
        columns.iter().for_each(|&column| map.columns.get_mut(column).into_iter().for_each(&change));
    });
}

fn numbers_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry, columns: &[usize]) {
    type Field = fn(&mut ColumnMap) -> &mut f32;
    let numbers: [(&str, Field, std::ops::RangeInclusive<f32>, &str); 4] = [
        ("Gain", |map| &mut map.gain, 0.0..=2.0, ""),
        ("Offset", |map| &mut map.offset, -1.0..=1.0, ""),
        ("Neutral", |map| &mut map.neutral, -1.0..=1.0, ""),
        ("Smoothing", |map| &mut map.smoothing_secs, 0.0..=0.5, " s"),
    ];
    for (name, field, range, unit) in numbers {
        let mut values = columns.iter().filter_map(|&column| entry.map.columns.get(column).cloned());
        let Some(mut value) = values.next().map(|mut map| *field(&mut map)) else { continue };
        let label = format!("Column {}", name.to_lowercase());
        let bar = Bar {
            name,
            range,
            unit,
            decimals: if unit.is_empty() { 2 } else { 3 },
            open_ended: unit.is_empty(),
            mixed: values.any(|mut map| *field(&mut map) != value),
            ..Bar::new(&label, value)
        };
        if setting_ui(ui, bar, &mut value, *field(&mut ColumnMap::default())) {
            edit(session, entry, columns, |map| *field(map) = value);
        }
    }
}

fn clamp_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry, columns: &[usize], clamp: Option<[f32; 2]>) {
    ui.horizontal(|ui| {
        let mut clamps = clamp.is_some();
        ui.checkbox(&mut clamps, "Clamp").accessible_name("Column clamp");
        let mut ends = clamp.unwrap_or([0.0, 1.0]);
        ui.add_enabled_ui(clamps, |ui| {
            for (end, label) in ends.iter_mut().zip(["Clamp from", "Clamp to"]) {
                let number = DragValue::new(end).speed(0.01).fixed_decimals(2).min_size(vec2(52.0, theme::BAR_HEIGHT));
                ui.add(number).accessible_name(label);
            }
        });
        let new = clamps.then_some(ends);
        if new != clamp {
            edit(session, entry, columns, |map| map.clamp = new);
        }
    });
}
