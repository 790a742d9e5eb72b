//! The edits of the selected take: a list of operations over its recording, and the numbers of the selected one. What
//! is dragged shows on the face at once.

mod numbers;

use egui::containers::menu::MenuButton;
use egui::{Button, Id, vec2};

use smirk_face::motion::{EditKind, TakeEdit};
use smirk_session::{Session, TakeEntry, TakeId};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{ListedEdit, edit_list_ui, is_range_set, text, title_ui};

const NEW_RANGE_SECS: f32 = 0.5;

pub(super) fn edits_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, id: TakeId) {
    let Some(entry) = cx.session.edits.take_entry(id).cloned() else { return };
    cx.state.selected_edit.update(&entry);
    title_ui(ui, "Edits", |ui| add_ui(ui, cx, &entry));
    if entry.edits.is_empty() {
        ui.weak("Clean up the recording: smooth it, fill a gap, retime a phrase. It stays as it is underneath.");
        return;
    }
    let listed: Vec<ListedEdit> = entry.edits.iter().map(listed).collect();
    let list = Id::unique(("take edit", entry.id));
    if let Some(change) = edit_list_ui(ui, "Edit", list, &listed, &mut cx.state.selected_edit.edit) {
        cx.session.takes_mut().change_edits(entry.id, |edits| change.apply(edits, |edit| &mut edit.enabled));
        return;
    }
    if let Some(selected) = cx.state.selected_edit.edit.index
        && let Some(edit) = entry.edits.get(selected)
    {
        let mut new = edit.clone();
        let shown = ui.indent("edit", |ui| {
            numbers::numbers_ui(ui, cx.session, &mut new);
            if let Some(left) = entry.reduction(selected) {
                let text =
                    format!("{} keys of {} samples, at most {:.4} off", left.keys, left.samples, left.largest_error);
                ui.weak(text).on_hover_text("In the columns of this edit; the largest distance from a sample");
            }
            numbers::range_ui(ui, cx.session, &entry, &mut new);
            numbers::columns_ui(ui, cx, &entry, &mut new);
        });
        if std::mem::take(&mut cx.state.selected_edit.edit.is_new) {
            shown.response.scroll_to_me(None);
        }
        if new != *edit {
            cx.session.takes_mut().change_edits(entry.id, |edits| edits[selected] = new);
        }
        ui.add_space(theme::GAP_SMALL);
    }
    reset_ui(ui, cx.session, &entry);
}

fn add_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, entry: &TakeEntry) {
    let now_secs = cx.session.clock.timeline.time_secs;
    let has_room = entry.edits.len() < TakeEdit::MOST;
    ui.add_enabled_ui(has_room, |ui| {
        let (button, _) = MenuButton::new("Add edit").ui(ui, |ui| {
            ui.set_min_width(180.0);
            for kind in EditKind::all(now_secs) {
                if ui.button(kind.label()).on_hover_text(explained(kind)).clicked() {
                    let edit = new_edit(cx, entry, kind);
                    let selection = &mut cx.state.selected_edit.edit;
                    let after_selected = selection.index.map_or(entry.edits.len(), |selected| selected + 1);
                    // What is done to the recorded frames is done first.
                    let index = if kind.has_range() { after_selected } else { 0 };
                    (selection.index, selection.is_new) = (Some(index), true);
                    cx.session.takes_mut().change_edits(entry.id, |edits| edits.insert(index.min(edits.len()), edit));
                }
            }
        });
        button
            .on_hover_text(
                "For the selected curves or all, from in to out (I, O) if set. It applies after the selected edit",
            )
            .on_disabled_hover_text(format!("A take has at most {} edits", TakeEdit::MOST));
    });
}

/// An edit of the selected columns, from in to out if the user has set either. Else, what would flatten a whole take
/// begins with a range at the play head.
fn new_edit(cx: &PanelContext<'_>, entry: &TakeEntry, kind: EditKind) -> TakeEdit {
    let session = &*cx.session;
    if !kind.has_range() {
        return TakeEdit { kind, ..TakeEdit::default() };
    }
    let is_local = kind.is_of_time() || matches!(kind, EditKind::Hold(_) | EditKind::Line | EditKind::Bridge);
    let (now_secs, end_secs) = (session.clock.timeline.time_secs, entry.edited().duration_secs);
    let to = (now_secs + NEW_RANGE_SECS).min(end_secs);
    let span = [now_secs.min(to - NEW_RANGE_SECS).max(0.0), to];
    TakeEdit {
        kind,
        span: is_range_set(session).then(|| session.range_secs()).or(is_local.then_some(span)),
        columns: numbers::selected_names(cx, entry),
        ..TakeEdit::default()
    }
}

fn reset_ui(ui: &mut egui::Ui, session: &mut Session, entry: &TakeEntry) {
    let is_on = entry.edits.iter().any(|edit| edit.enabled);
    let (text, tip) = if is_on {
        ("Reset to the recording", "Switch all edits off. They stay in the list")
    } else {
        ("Use all edits", "Switch all edits on")
    };
    let button = ui.add_sized(vec2(ui.available_width(), theme::BAR_HEIGHT), Button::new(text));
    if button.on_hover_text(tip).clicked() {
        session.takes_mut().change_edits(entry.id, |edits| edits.iter_mut().for_each(|edit| edit.enabled = !is_on));
    }
}

fn listed(edit: &TakeEdit) -> ListedEdit {
    let about = [format!("{}{}", columns_text(edit), range_text(edit)), range_text(edit)];
    ListedEdit { label: edit.kind.label(), about, enabled: edit.enabled }
}

fn range_text(edit: &TakeEdit) -> String {
    edit.span.map_or_else(|| "whole take".to_owned(), |[a, b]| format!("{:.2}–{:.2} s", a.min(b), a.max(b)))
}

fn columns_text(edit: &TakeEdit) -> String {
    let columns = edit.columns.as_ref().filter(|_| !edit.kind.is_of_time());
    columns.map_or_else(String::new, |columns| format!("{} · ", text::counted(columns.len(), "column")))
}

fn explained(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Gain(_) => "Make movements stronger or weaker",
        EditKind::Offset(_) => "Add the same to all values",
        EditKind::Clamp(_) => "Limit the values",
        EditKind::Smooth { .. } => "Remove jitter; peaks such as blinks keep their height",
        EditKind::RemoveSpikes { .. } => "Remove single frames that are far off",
        EditKind::Neutral(_) => "Subtract the face of the actor at rest: at a moment, or the mean of the range",
        EditKind::Hold(_) => "Hold one value",
        EditKind::Line => "A straight line from the start to the end of the range",
        EditKind::Bridge => "Fill a dropout with a smooth curve that continues the movement",
        EditKind::Mirror => "Left becomes right, and right becomes left",
        EditKind::Reduce { .. } => "Fewer keys within a tolerance",
        EditKind::Bake(_) => "Samples at a rate",
        EditKind::FrameRate(_) => "Put the frames at even times, for a recording without a clock or with a wrong one",
        EditKind::Stretch(_) => "Make the range longer or shorter; what follows moves along",
        EditKind::InsertTime(_) => "Insert a pause; what follows comes later",
        EditKind::DeleteTime => "Remove the range; what follows comes earlier",
    }
}
