//! The rows below the picture of the reference: its name, what sets its frame, and whether it is over the face.

use egui::{Align, Button, DragValue, Label, Layout, RichText, vec2};

use super::ReferenceView;
use crate::shortcuts::{self, Action};
use crate::widgets::{Bar, Icon, bar_ui, icon_button_inline_ui, text};
use crate::{UiState, theme};
use smirk_editor::session::{Command, Placement, Reference, ReferencePlace};

/// Shows the rows from the lowest one up.
pub(super) fn controls_ui(
    ui: &mut egui::Ui,
    edited: &mut Option<Reference>,
    state: &mut UiState,
    shown: &ReferenceView<'_>,
    commands: &mut Vec<Command>,
) {
    let Some(reference) = edited else { return };
    row_ui(ui, |ui| place_ui(ui, reference, state));
    if shown.count > 1 {
        row_ui(ui, |ui| sequence_ui(ui, reference));
    }
    let is_closed = row_ui(ui, |ui| name_ui(ui, reference, state, shown, commands));
    if is_closed {
        *edited = None;
    }
}

fn row_ui<T>(ui: &mut egui::Ui, contents: impl FnOnce(&mut egui::Ui) -> T) -> T {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let layout = Layout::left_to_right(Align::Center);
    contents(&mut ui.new_child(egui::UiBuilder::new().max_rect(row).layout(layout)))
}

/// Whether it is over the face, and how opaque.
fn place_ui(ui: &mut egui::Ui, reference: &mut Reference, state: &mut UiState) {
    let is_over = reference.place == ReferencePlace::Over;
    let keys = shortcuts::find(Action::ReferencePlace).map_or("", |shortcut| shortcut.keys);
    let over = Button::selectable(is_over, "Over the face").frame_when_inactive(true);
    let tip = format!("Show it over the picture of the head instead of beside it ({keys})");
    if ui.add(over).on_hover_text(tip).clicked() {
        reference.toggle_place();
    }
    if is_over {
        let rect = ui.available_rect_before_wrap();
        bar_ui(ui, rect, Bar::new("Opacity", reference.opacity), &mut reference.opacity, Reference::OPACITY, state);
    }
}

/// Whether it follows the play head, and how.
fn sequence_ui(ui: &mut egui::Ui, reference: &mut Reference) {
    let sequence = Button::selectable(reference.is_sequence, "Sequence").frame_when_inactive(true);
    let tip = "The images that are numbered like it follow the play head. Without, it alone is shown";
    if ui.add(sequence).on_hover_text(tip).clicked() {
        reference.is_sequence ^= true;
    }
    if reference.is_sequence {
        let rate = DragValue::new(&mut reference.frames_per_sec).range(Reference::RATES).speed(0.1).suffix(" fps");
        ui.add(rate).accessible_name("Reference rate").on_hover_text("Frames per second of the reference");
        let most = Reference::MOST_OFFSET;
        let offset = DragValue::new(&mut reference.offset_frames).range(-most..=most).prefix("offset ").suffix(" f");
        let tip =
            "How many frames of the reference come before the start of the timeline; below 0, how many later it begins";
        ui.add(offset).accessible_name("Reference offset").on_hover_text(tip);
    }
}

/// Its name or frame, and what is done with it. Returns whether it is closed.
fn name_ui(
    ui: &mut egui::Ui,
    reference: &mut Reference,
    state: &mut UiState,
    shown: &ReferenceView<'_>,
    commands: &mut Vec<Command>,
) -> bool {
    let name = reference.path.file_name().unwrap_or(reference.path.as_os_str()).to_string_lossy();
    let frame = if shown.count > 1 && reference.is_sequence {
        format!("{} of {}", shown.frame + 1, shown.count)
    } else {
        text::shown(&name).into_owned()
    };
    let path = text::shown_message(&reference.path.display().to_string());
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let close = (Icon::Close, theme::TEXT_WEAK);
        let is_closed = icon_button_inline_ui(ui, close, "Close reference", "Close the reference").clicked();
        let fit = (Icon::Fit, theme::TEXT_WEAK);
        if icon_button_inline_ui(ui, fit, "Fit reference", "Show all of it").clicked() {
            match reference.place {
                ReferencePlace::Beside => state.reference.placement = Placement::default(),
                ReferencePlace::Over => reference.placement = Placement::default(),
            }
        }
        if ui.button("Open…").accessible_name("Open another reference").clicked() {
            commands.push(Command::OpenReferenceDialog);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.add(Label::new(RichText::new(frame).color(theme::TEXT_WEAK)).truncate()).on_hover_text(path);
        });
        is_closed
    })
    .inner
}
