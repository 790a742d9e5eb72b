//! The mapping of columns of a take or of live faces: their channels with weights, gain, offset, rest value,
//! smoothing and clamp.

use egui::{Button, DragValue, vec2};

use super::number_field::NumberField;
use super::{
    Bar, Icon, arrow_button, channel_picker_ui, checkbox_ui, close_row_ui, icon_button_inline_ui, setting_ui, text,
};
use crate::theme;
use smirk_face::head::Head;
use smirk_face::motion::{ColumnMap, DrivenChannel};

pub(crate) enum ColumnEdit {
    Channels(Vec<DrivenChannel>),
    Numbers(Box<dyn Fn(&mut ColumnMap)>),
    /// Show on the face what the channel of this full name moves, or no longer.
    Show(String),
}

/// Shows the numbers of columns, which are smoothed if `smooths`, and the channels of a column, if it is one, of which
/// the one that is `shown` on the face is marked. The rows of single channels are the last, since each column has
/// another number of them: what is above them stays in its place when another column is selected.
pub(crate) fn column_map_ui(
    ui: &mut egui::Ui,
    head: &Head,
    columns: &[&ColumnMap],
    shown: Option<&str>,
    smooths: bool,
) -> Option<ColumnEdit> {
    let (&first, only) = (columns.first()?, columns.len() == 1);
    let mut edit = None;
    if only {
        edit = channels_ui(ui, head, &first.channels).map(ColumnEdit::Channels);
    } else {
        let button = arrow_button(ui, "Several columns: select one");
        ui.add_enabled(false, button);
    }
    type Field = fn(&mut ColumnMap) -> &mut f32;
    let numbers: [(&str, Field, std::ops::RangeInclusive<f32>, &str); 4] = [
        ("Gain", |map| &mut map.gain, 0.0..=2.0, ""),
        ("Offset", |map| &mut map.offset, -1.0..=1.0, ""),
        ("Rest value", |map| &mut map.neutral, -1.0..=1.0, ""),
        ("Smoothing", |map| &mut map.smoothing_secs, 0.0..=0.5, " s"),
    ];
    for (name, field, range, unit) in numbers.into_iter().take(if smooths { 4 } else { 3 }) {
        let mut value = *field(&mut first.clone());
        let label = format!("Column {}", name.to_lowercase());
        let bar = Bar {
            name,
            range,
            unit,
            decimals: if unit.is_empty() { 2 } else { 3 },
            open_ended: unit.is_empty(),
            mixed: columns.iter().any(|&map| *field(&mut map.clone()) != value),
            ..Bar::named(&label)
        };
        if setting_ui(ui, bar, &mut value, *field(&mut ColumnMap::default())) {
            edit = Some(ColumnEdit::Numbers(Box::new(move |map| *field(map) = value)));
        }
    }
    ui.horizontal(|ui| {
        let (mut enabled, mut clamps) = (first.enabled, first.clamp.is_some());
        checkbox_ui(ui, &mut enabled, "Used").accessible_name("Column enabled").on_hover_text("Drive the channels");
        checkbox_ui(ui, &mut clamps, "Clamp").accessible_name("Column clamp");
        let mut ends = first.clamp.unwrap_or([0.0, 1.0]);
        ui.add_enabled_ui(clamps, |ui| {
            for (end, label) in ends.iter_mut().zip(["Clamp from", "Clamp to"]) {
                let number = DragValue::new(end).speed(0.01).fixed_decimals(2).min_size(vec2(48.0, theme::BAR_HEIGHT));
                ui.add(NumberField(number)).accessible_name(label);
            }
        });
        let clamp = clamps.then_some(ends);
        if enabled != first.enabled {
            edit = Some(ColumnEdit::Numbers(Box::new(move |map| map.enabled = enabled)));
        }
        if clamp != first.clamp {
            edit = Some(ColumnEdit::Numbers(Box::new(move |map| map.clamp = clamp)));
        }
    });
    let of_channel = if only { drives_ui(ui, head, &first.channels, shown) } else { None };
    of_channel.or(edit)
}

fn channels_ui(ui: &mut egui::Ui, head: &Head, drives: &[DrivenChannel]) -> Option<Vec<DrivenChannel>> {
    let names: Vec<String> = drives.iter().map(|drive| drive.channel.clone()).collect();
    let none = "Not mapped: choose channels";
    channel_picker_ui(ui, head, &names, "Channels of the column", none).map(|names| {
        let channels = names.iter().map(|name| match drives.iter().find(|drive| drive.channel == *name) {
            Some(known) => known.clone(),
            None => DrivenChannel::new(name),
        });
        channels.collect()
    })
}

/// The weight of each channel, and its name, which shows what it moves.
fn drives_ui(ui: &mut egui::Ui, head: &Head, drives: &[DrivenChannel], shown: Option<&str>) -> Option<ColumnEdit> {
    let mut new = None;
    for (at, drive) in drives.iter().enumerate() {
        let mut weight = drive.weight;
        let channel = head.channel_named(&drive.channel);
        let name = channel.map_or(&drive.channel, |channel| &head.channels[channel].name);
        close_row_ui(ui, |ui| {
            match &mut weight {
                Some(number) => {
                    let field = DragValue::new(number).speed(0.01).fixed_decimals(2).range(-4.0..=4.0).prefix("× ");
                    let field = ui.add(NumberField(field.min_size(vec2(64.0, theme::BAR_HEIGHT))));
                    field.accessible_name(format!("Weight of {name}")).on_hover_text(
                        "The column times this number is added to the other columns of the channel, within 0 and 1",
                    );
                    let label = format!("Remove the weight of {name}");
                    let tip = "Without weights, a channel is the mean of its columns";
                    if icon_button_inline_ui(ui, (Icon::Close, theme::TEXT_WEAK), &label, tip).clicked() {
                        weight = None;
                    }
                }
                none => {
                    let button = ui.add(Button::new("× …").min_size(vec2(64.0, theme::BAR_HEIGHT)));
                    let button = button.accessible_name(format!("Give {name} a weight"));
                    let tip =
                        "Add the column to the other columns of the channel, times a number, instead of their mean";
                    if button.on_hover_text(tip).clicked() {
                        *none = Some(1.0);
                    }
                }
            }
            let full_name = channel.map(|channel| &head.channels[channel].full_name);
            let is_shown = full_name.is_some_and(|name| shown == Some(name));
            let target = Button::selectable(is_shown, text::shown(name).into_owned()).truncate();
            let target = ui.add_enabled(channel.is_some(), target).accessible_name(format!("Show what {name} moves"));
            let tip = "Show on the face what it moves, until another click or Esc";
            if target.on_hover_text(tip).on_disabled_hover_text("This head lacks it").clicked() {
                new = full_name.cloned().map(ColumnEdit::Show);
            }
        });
        if weight != drive.weight {
            let mut changed = drives.to_vec();
            changed[at].weight = weight;
            new = Some(ColumnEdit::Channels(changed));
        }
    }
    new
}
