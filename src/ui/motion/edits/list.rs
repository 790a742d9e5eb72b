//! The list of a take's edits: a switch, the name, the range and a button to remove each. A click shows the numbers of
//! an edit; a drag, its menu and Alt with an arrow key move it.

use egui::{
    Align2, Button, CursorIcon, Id, Key, Modifiers, Rect, Sense, Stroke, StrokeKind, UiBuilder, WidgetInfo, pos2, vec2,
};

use smirk_face::motion::TakeEdit;
use smirk_session::TakeEntry;

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Icon, context_menu_ui, drag_row, has_keys, icon_button_ui, text};

pub(super) fn list_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, entry: &TakeEntry) {
    let (session, selection) = (&mut *cx.session, &mut cx.state.selected_edit);
    let count = entry.edits.len();
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), theme::ROW_HEIGHT * count as f32 - theme::GAP_SMALL));
    let (mut removed, mut moved) = (None, None);
    for (index, edit) in entry.edits.iter().enumerate() {
        let top = area.top() + index as f32 * theme::ROW_HEIGHT;
        let row = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), theme::BAR_HEIGHT));
        let widget = widget_of(entry, index);
        let name = format!("{} {}", index + 1, edit.kind.label());
        let middle = row.with_min_x(row.left() + theme::BAR_HEIGHT).with_max_x(row.right() - theme::BAR_HEIGHT);
        let response = ui.interact(middle, widget, Sense::click_and_drag());
        let is_selected = selection.index == Some(index);
        response
            .widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, is_selected, format!("Edit {name}")));
        if response.clicked() {
            (selection.index, selection.is_new) = ((!is_selected).then_some(index), !is_selected);
            response.request_focus();
        }
        moved = drag_row(ui, &response, index, area.top(), count).or(moved);
        let mut enabled = edit.enabled;
        let place = Place { index, count };
        context_menu_ui(&response, |ui| match menu_ui(ui, place, edit) {
            Some(MenuChoice::MoveTo(to)) => moved = Some((index, to)),
            Some(MenuChoice::Switch) => enabled = !enabled,
            Some(MenuChoice::Remove) => removed = Some(index),
            None => {}
        });
        if has_keys(&response)
            && let Some(to) = place.after_keys(ui)
        {
            moved = Some((index, to));
            ui.memory_mut(|memory| memory.request_focus(widget_of(entry, to)));
        }
        paint_row(ui, row, edit, is_selected, response.hovered());
        if response.has_focus() {
            let stroke = Stroke::new(1.5, theme::ACCENT_BRIGHT);
            ui.painter().rect_stroke(row, theme::ROUNDING, stroke, StrokeKind::Inside);
        }
        let switch = Rect::from_min_max(row.min, pos2(middle.left(), row.bottom())).translate(vec2(4.0, 0.0));
        // A child of the whole list, because each widget in a row of its own would add a gap below the list.
        let mut child = ui.new_child(UiBuilder::new().max_rect(switch).id_salt(("switch", index)));
        child
            .put(switch, egui::Checkbox::without_text(&mut enabled))
            .accessible_name(format!("Edit {name} on"))
            .on_hover_text("Switch this edit on or off");
        if enabled != edit.enabled {
            session.takes_mut().change_edits(entry.id, |edits| edits[index].enabled = enabled);
        }
        let cross = row.with_min_x(middle.right());
        let icon = (Icon::Close, if is_selected { theme::TEXT } else { theme::TEXT_WEAK });
        if icon_button_ui(ui, (cross, widget.with("remove")), icon, &format!("Remove edit {name}"), "Remove").clicked()
        {
            removed = Some(index);
        }
        response.on_hover_cursor(CursorIcon::Grab).on_hover_text("Click to adjust, drag to reorder (Alt+Up, Alt+Down)");
    }
    if let Some((from, to)) = moved {
        session.takes_mut().change_edits(entry.id, |edits| {
            let edit = edits.remove(from);
            edits.insert(to, edit);
        });
        selection.index = selection.index.map(|selected| match selected {
            _ if selected == from => to,
            _ if from < selected && selected <= to => selected - 1,
            _ if to <= selected && selected < from => selected + 1,
            _ => selected,
        });
    }
    if let Some(index) = removed {
        session.takes_mut().change_edits(entry.id, |edits| drop(edits.remove(index)));
        let selected = selection.index.filter(|&selected| selected != index);
        selection.index = selected.map(|selected| selected - usize::from(selected > index));
    }
}

fn widget_of(entry: &TakeEntry, index: usize) -> Id {
    Id::unique(("take edit", entry.id, index))
}

#[derive(Clone, Copy)]
struct Place {
    index: usize,
    count: usize,
}

impl Place {
    fn above(self) -> Option<usize> {
        self.index.checked_sub(1)
    }

    fn below(self) -> Option<usize> {
        (self.index + 1 < self.count).then_some(self.index + 1)
    }

    fn after_keys(self, ui: &egui::Ui) -> Option<usize> {
        let [up, down] =
            [Key::ArrowUp, Key::ArrowDown].map(|key| ui.input_mut(|input| input.consume_key(Modifiers::ALT, key)));
        let above = self.above().filter(|_| up);
        above.or(self.below().filter(|_| down))
    }
}

enum MenuChoice {
    MoveTo(usize),
    Switch,
    Remove,
}

fn menu_ui(ui: &mut egui::Ui, place: Place, edit: &TakeEdit) -> Option<MenuChoice> {
    let mut choice = None;
    for (text, keys, to) in [("Move up", "Alt+Up", place.above()), ("Move down", "Alt+Down", place.below())] {
        if ui.add_enabled(to.is_some(), Button::new(text).shortcut_text(keys)).clicked() {
            choice = to.map(MenuChoice::MoveTo);
        }
    }
    ui.separator();
    if ui.button(if edit.enabled { "Switch off" } else { "Switch on" }).clicked() {
        choice = Some(MenuChoice::Switch);
    }
    if ui.button("Remove").clicked() {
        choice = Some(MenuChoice::Remove);
    }
    choice
}

fn paint_row(ui: &egui::Ui, row: Rect, edit: &TakeEdit, is_selected: bool, is_hovered: bool) {
    let painter = ui.painter();
    painter.rect_filled(row, theme::ROUNDING, theme::row_fill(is_selected, is_hovered));
    let weak = if is_selected { theme::TEXT } else { theme::TEXT_WEAK };
    let (left, right) =
        (row.left() + theme::BAR_HEIGHT + theme::GAP, row.right() - theme::BAR_HEIGHT - theme::GAP_SMALL);
    let name = painter.layout_no_wrap(edit.kind.label().to_owned(), theme::body_font(), weak);
    let room = right - left - theme::GAP - name.size().x;
    let texts = [format!("{}{}", columns_text(edit), range_text(edit)), range_text(edit)];
    let [full, short] = texts.map(|text| painter.layout_no_wrap(text, theme::small_font(), weak));
    // The columns are left out where there is no room for them.
    let range = if full.size().x <= room { full } else { short };
    let range_pos = pos2(right - range.size().x, row.center().y - range.size().y / 2.0);
    let name = text::elide_middle(painter, edit.kind.label(), &theme::body_font(), range_pos.x - theme::GAP - left);
    let color = if edit.enabled { theme::TEXT } else { weak };
    painter.text(pos2(left, row.center().y), Align2::LEFT_CENTER, name, theme::body_font(), color);
    painter.galley(range_pos, range, weak);
}

fn range_text(edit: &TakeEdit) -> String {
    edit.span.map_or_else(|| "whole take".to_owned(), |[a, b]| format!("{:.2}–{:.2} s", a.min(b), a.max(b)))
}

fn columns_text(edit: &TakeEdit) -> String {
    let columns = edit.columns.as_ref().filter(|_| !edit.kind.is_of_time());
    columns.map_or_else(String::new, |columns| format!("{} · ", text::counted(columns.len(), "column")))
}
