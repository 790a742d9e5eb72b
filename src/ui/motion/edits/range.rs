//! The range of time and the columns of an edit.

use egui::{Button, vec2};

use super::numbers;
use crate::curves::selected_columns;
use crate::widgets::{Bar, setting_ui, text};
use crate::{UiState, theme};
use smirk_editor::session::{Session, TakeEntry};
use smirk_face::motion::{EditKind, TakeEdit};

/// The longest eased end of the sliders.
const LONGEST_EASE_SECS: f32 = 1.0;

/// Shows the start and the end of the range, with buttons that take them from the play head, and the eased ends.
pub(super) fn range_ui(
    ui: &mut egui::Ui,
    session: &Session,
    state: &mut UiState,
    entry: &TakeEntry,
    edit: &mut TakeEdit,
) {
    let end_secs = entry.edited().duration_secs.max(entry.take.duration_secs).max(0.1);
    let now_secs = session.clock.timeline.time_secs;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let whole = Button::selectable(edit.span.is_none(), "Whole take").frame_when_inactive(true);
        if ui.add(whole).accessible_name("Edit the whole take").clicked() {
            edit.span = None;
        }
        if ui.button("Start here").on_hover_text("The range starts at the play head").clicked() {
            let end = edit.span.map_or(end_secs, |[_, end]| end);
            edit.span = Some([now_secs, if end > now_secs { end } else { end_secs }]);
        }
        if ui.button("End here").on_hover_text("The range ends at the play head").clicked() {
            let start = edit.span.map_or(0.0, |[start, _]| start);
            edit.span = Some([if start < now_secs { start } else { 0.0 }, now_secs]);
        }
    });
    if let Some([start, end]) = &mut edit.span {
        setting_ui(ui, numbers::seconds("Start", "Edit start", *start, end_secs), start, 0.0, state);
        let has_end = !matches!(edit.kind, EditKind::InsertTime(_));
        if has_end {
            setting_ui(ui, numbers::seconds("End", "Edit end", *end, end_secs), end, end_secs, state);
        }
        let eases = [
            (&mut edit.ease_in_secs, "Ease in", "Edit ease in"),
            (&mut edit.ease_out_secs, "Ease out", "Edit ease out"),
        ];
        for (secs, name, label) in
            eases.into_iter().zip(edit.kind.eases()).filter_map(|(of, eases)| eases.then_some(of))
        {
            let bar = Bar { open_ended: true, ..numbers::seconds(name, label, *secs, LONGEST_EASE_SECS) };
            setting_ui(ui, bar, secs, TakeEdit::EASE_SECS, state);
            *secs = secs.max(0.0);
        }
    }
}

/// Shows which columns the edit changes, with buttons that choose others.
pub(super) fn columns_ui(
    ui: &mut egui::Ui,
    session: &Session,
    state: &UiState,
    entry: &TakeEntry,
    edit: &mut TakeEdit,
) {
    if edit.kind.is_of_time() {
        ui.weak("All columns: time is changed for the whole face");
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let all = Button::selectable(edit.columns.is_none(), "All columns").frame_when_inactive(true);
        if ui.add(all).accessible_name("Edit all columns").clicked() {
            edit.columns = None;
        }
        let selected = selected_names(session, state, entry);
        let text = selected.as_ref().map_or_else(|| "Selected".to_owned(), |names| format!("{} selected", names.len()));
        let is_chosen = selected.is_some() && edit.columns == selected;
        let button = Button::selectable(is_chosen, text).frame_when_inactive(true);
        let button = ui.add_enabled(selected.is_some(), button).accessible_name("Edit the selected curves");
        let button = button
            .on_hover_text("The columns of the selected curves")
            .on_disabled_hover_text("Select curves in the panel below the face");
        if button.clicked() {
            edit.columns = selected;
        }
    });
    if let Some(columns) = &edit.columns {
        let names = columns.iter().map(|name| text::shown(name).into_owned()).collect::<Vec<_>>().join(", ");
        let label = egui::RichText::new(&names).small().color(theme::TEXT_WEAK);
        ui.allocate_ui(vec2(ui.available_width(), 0.0), |ui| {
            ui.add(egui::Label::new(label).truncate()).on_hover_text(names);
        });
    }
}

/// The names of the columns of the selected curves; `None` if no curve is selected.
pub(super) fn selected_names(session: &Session, state: &UiState, entry: &TakeEntry) -> Option<Vec<String>> {
    let columns = selected_columns(session, &state.curves);
    let names = columns.into_iter().filter_map(|column| Some(entry.take.columns.get(column)?.name.clone()));
    Some(names.collect::<Vec<_>>()).filter(|names| !names.is_empty())
}
