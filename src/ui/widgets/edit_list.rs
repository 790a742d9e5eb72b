//! A list of edits that apply one after the other: a switch, the name, what it is done to and a button to remove each.
//! A click shows the numbers of an edit; a drag, its menu and Alt with an arrow key move it.

use egui::{
    Align2, Button, CursorIcon, Id, Key, Modifiers, Rect, Sense, Stroke, StrokeKind, UiBuilder, WidgetInfo, pos2, vec2,
};

use super::{Icon, context_menu_ui, drag_row, has_keys, icon_button_ui, text};
use crate::theme;

/// An edit as a row of a list.
pub(crate) struct ListedEdit {
    pub label: &'static str,
    /// What it is done to, and the same in short, for a list without room.
    pub about: [String; 2],
    pub enabled: bool,
}

/// Which edit of a list is selected.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EditSelection {
    pub index: Option<usize>,
    /// Whether its numbers are to be scrolled into view.
    pub is_new: bool,
}

/// What the artist does to a list of edits.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ListChange {
    Move { from: usize, to: usize },
    Remove(usize),
    Switch(usize),
}

impl ListChange {
    /// Makes the change. `enabled` is the switch of an edit.
    pub(crate) fn apply<T>(self, edits: &mut Vec<T>, enabled: impl Fn(&mut T) -> &mut bool) {
        match self {
            Self::Move { from, to } => {
                let edit = edits.remove(from);
                edits.insert(to, edit);
            }
            Self::Remove(index) => drop(edits.remove(index)),
            Self::Switch(index) => {
                let is_on = enabled(&mut edits[index]);
                *is_on = !*is_on;
            }
        }
    }

    /// The place of an edit afterwards; none for one that is gone.
    fn followed(self, index: usize) -> Option<usize> {
        match self {
            Self::Move { from, to } if index == from => Some(to),
            Self::Move { from, to } if from < index && index <= to => Some(index - 1),
            Self::Move { from, to } if to <= index && index < from => Some(index + 1),
            Self::Remove(gone) if gone == index => None,
            Self::Remove(gone) => Some(index - usize::from(index > gone)),
            Self::Move { .. } | Self::Switch(_) => Some(index),
        }
    }
}

/// Shows a list of edits, called `noun` in the names of its controls. Returns what is to be done to it; the selection
/// follows that already.
pub(crate) fn edit_list_ui(
    ui: &mut egui::Ui,
    noun: &str,
    list: Id,
    edits: &[ListedEdit],
    selection: &mut EditSelection,
) -> Option<ListChange> {
    let count = edits.len();
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), theme::ROW_HEIGHT * count as f32 - theme::GAP_SMALL));
    let mut change = None;
    for (index, edit) in edits.iter().enumerate() {
        let top = area.top() + index as f32 * theme::ROW_HEIGHT;
        let row = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), theme::BAR_HEIGHT));
        let widget = list.with(index);
        let name = format!("{noun} {} {}", index + 1, edit.label);
        let middle = row.with_min_x(row.left() + theme::BAR_HEIGHT).with_max_x(row.right() - theme::BAR_HEIGHT);
        let response = ui.interact(middle, widget, Sense::click_and_drag());
        let is_selected = selection.index == Some(index);
        response.widget_info(|| WidgetInfo::selected(egui::Role::RadioButton, true, is_selected, name.clone()));
        if response.clicked() {
            *selection = EditSelection { index: (!is_selected).then_some(index), is_new: !is_selected };
            response.request_focus();
        }
        if let Some((from, to)) = drag_row(ui, &response, index, area.top(), count) {
            change = Some(ListChange::Move { from, to });
        }
        let place = Place { index, count };
        context_menu_ui(&response, |ui| change = menu_ui(ui, place, edit).or(change));
        if has_keys(&response)
            && let Some(to) = place.after_keys(ui)
        {
            change = Some(ListChange::Move { from: index, to });
            ui.memory_mut(|memory| memory.request_focus(list.with(to)));
        }
        paint_row(ui, row, edit, is_selected, response.hovered());
        if response.has_focus() {
            let stroke = Stroke::new(1.5, theme::ACCENT_BRIGHT);
            ui.painter().rect_stroke(row, theme::ROUNDING, stroke, StrokeKind::Inside);
        }
        let switch = Rect::from_min_max(row.min, pos2(middle.left(), row.bottom())).translate(vec2(4.0, 0.0));
        // A child of the whole list, because each widget in a row of its own would add a gap below the list.
        let mut child = ui.new_child(UiBuilder::new().max_rect(switch).id_salt(("switch", index)));
        let mut enabled = edit.enabled;
        child
            .put(switch, egui::Checkbox::without_text(&mut enabled))
            .accessible_name(format!("{name} on"))
            .on_hover_text("Switch it on or off");
        if enabled != edit.enabled {
            change = Some(ListChange::Switch(index));
        }
        let cross = row.with_min_x(middle.right());
        let icon = (Icon::Close, if is_selected { theme::TEXT } else { theme::TEXT_WEAK });
        let label = format!("Remove {}", uncapitalised(&name));
        if icon_button_ui(ui, (cross, widget.with("remove")), icon, &label, "Remove").clicked() {
            change = Some(ListChange::Remove(index));
        }
        response.on_hover_cursor(CursorIcon::Grab).on_hover_text("Click to adjust, drag to reorder (Alt+Up, Alt+Down)");
    }
    if let Some(change) = change {
        selection.index = selection.index.and_then(|index| change.followed(index));
    }
    change
}

fn uncapitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
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

fn menu_ui(ui: &mut egui::Ui, place: Place, edit: &ListedEdit) -> Option<ListChange> {
    let mut change = None;
    for (text, keys, to) in [("Move up", "Alt+Up", place.above()), ("Move down", "Alt+Down", place.below())] {
        if ui.add_enabled(to.is_some(), Button::new(text).shortcut_text(keys)).clicked() {
            change = to.map(|to| ListChange::Move { from: place.index, to });
        }
    }
    ui.separator();
    if ui.button(if edit.enabled { "Switch off" } else { "Switch on" }).clicked() {
        change = Some(ListChange::Switch(place.index));
    }
    if ui.button("Remove").clicked() {
        change = Some(ListChange::Remove(place.index));
    }
    change
}

fn paint_row(ui: &egui::Ui, row: Rect, edit: &ListedEdit, is_selected: bool, is_hovered: bool) {
    let painter = ui.painter();
    painter.rect_filled(row, theme::ROUNDING, theme::row_fill(is_selected, is_hovered));
    let weak = if is_selected { theme::TEXT } else { theme::TEXT_WEAK };
    let (left, right) =
        (row.left() + theme::BAR_HEIGHT + theme::GAP, row.right() - theme::BAR_HEIGHT - theme::GAP_SMALL);
    let name = painter.layout_no_wrap(edit.label.to_owned(), theme::body_font(), weak);
    let room = right - left - theme::GAP - name.size().x;
    let [full, short] = edit.about.clone().map(|text| painter.layout_no_wrap(text, theme::small_font(), weak));
    let about = if full.size().x <= room { full } else { short };
    let about_pos = pos2(right - about.size().x, row.center().y - about.size().y / 2.0);
    let name = text::elide_middle(painter, edit.label, &theme::body_font(), about_pos.x - theme::GAP - left);
    let color = if edit.enabled { theme::TEXT } else { weak };
    painter.text(pos2(left, row.center().y), Align2::LEFT_CENTER, name, theme::body_font(), color);
    painter.galley(about_pos, about, weak);
}
