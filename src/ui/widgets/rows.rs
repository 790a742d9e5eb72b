//! The rows of pages: titles, settings, choices, numbers and lists of names.

use std::borrow::{Borrow, Cow};

use egui::containers::menu::MenuButton;
use egui::{
    Align, Button, CollapsingHeader, Color32, ComboBox, DragValue, IntoAtoms, Label, Layout, Rect, Response, RichText,
    Stroke, TextWrapMode, vec2,
};

use super::bar::Bar;
use super::number_field::NumberField;
use super::text;
use crate::theme;

/// A row of controls that belong together, closer to each other than others.
pub(crate) fn close_row_ui<R>(ui: &mut egui::Ui, contents: impl FnOnce(&mut egui::Ui) -> R) -> R {
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        contents(ui)
    });
    row.inner
}

/// Follows the drag of a row of a list whose rows have equal heights. The row keeps the pointer while what it shows
/// moves through the list. Returns from which place to which it moves now.
pub(crate) fn drag_row(
    ui: &egui::Ui,
    row: &Response,
    index: usize,
    list_top: f32,
    count: usize,
) -> Option<(usize, usize)> {
    let Some(point) = row.interact_pointer_pos().filter(|_| row.dragged()) else {
        ui.data_mut(|data| data.remove::<usize>(row.id));
        return None;
    };
    let last = count - 1;
    let over = ((point.y - list_top) / theme::ROW_HEIGHT).floor().clamp(0.0, last as f32) as usize;
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or(row.id, index), over));
    // Undo may have shortened the list during the drag.
    let before = before.min(last);
    (over != before).then_some((before, over))
}

pub(crate) fn wrapped_ui(ui: &mut egui::Ui, text: impl Into<String>, color: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).color(color)).wrap())
}

/// A button as wide as `width` with the chosen text in it, shortened in its middle, and a list of what can be chosen.
pub(crate) fn list_button_ui(ui: &mut egui::Ui, width: f32, shown: &str, list: impl FnOnce(&mut egui::Ui)) -> Response {
    let shown = text::elide_middle(ui.painter(), shown, &theme::body_font(), width - 2.0 * theme::GAP);
    let button = Button::new(shown).min_size(vec2(width, theme::BAR_HEIGHT));
    MenuButton::from_button(button).ui(ui, list).0
}

/// One choice of a list, which closes it. Returns whether it was clicked.
pub(crate) fn choice_ui(ui: &mut egui::Ui, is_chosen: bool, text: impl Into<String>) -> bool {
    let is_clicked = ui.selectable_label(is_chosen, text.into()).clicked();
    if is_clicked {
        ui.close();
    }
    is_clicked
}

pub(crate) fn title_ui(ui: &mut egui::Ui, name: &str, right: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// A name, and a control at the right end of its row. A text without letters is no tooltip.
pub(crate) fn row_ui<R>(ui: &mut egui::Ui, name: &str, tip: &str, control: impl FnOnce(&mut egui::Ui) -> R) -> R {
    let row = ui.horizontal(|ui| {
        explain(ui.label(name), tip);
        ui.with_layout(Layout::right_to_left(Align::Center), control).inner
    });
    row.inner
}

fn explain(response: Response, tip: &str) -> Response {
    if tip.is_empty() { response } else { response.on_hover_text(tip) }
}

/// A list from which one of several named values is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice<'a> {
    pub label: &'a str,
    pub name: &'a str,
    /// What it is for; if empty, the explanation of the chosen value is shown instead.
    pub tip: &'a str,
    pub width: f32,
}

impl<'a> Choice<'a> {
    /// A list of the usual width, whose label is its name.
    pub(crate) fn new(name: &'a str, tip: &'a str) -> Self {
        Self { label: name, name, tip, width: theme::COMBO_WIDTH }
    }

    /// The list at the right end of a row with its name. `words` has the name of a value, and an explanation or
    /// nothing.
    pub(crate) fn row_ui<'w, T: Copy + PartialEq>(
        self,
        ui: &mut egui::Ui,
        value: &mut T,
        choices: impl IntoIterator<Item = impl Borrow<T>>,
        words: impl Fn(T) -> (Cow<'w, str>, &'w str),
    ) {
        let tip = if self.tip.is_empty() { words(*value).1 } else { self.tip };
        row_ui(ui, self.label, tip, |ui| self.list_ui(ui, value, choices, words));
    }

    pub(crate) fn list_ui<'w, T: Copy + PartialEq>(
        self,
        ui: &mut egui::Ui,
        value: &mut T,
        choices: impl IntoIterator<Item = impl Borrow<T>>,
        words: impl Fn(T) -> (Cow<'w, str>, &'w str),
    ) {
        let (shown, explanation) = words(*value);
        let combo = ComboBox::from_id_salt(self.name).width(self.width).wrap_mode(TextWrapMode::Truncate);
        let combo = combo.selected_text(shown).show_ui(ui, |ui| {
            for choice in choices {
                let choice = *choice.borrow();
                let (name, about) = words(choice);
                explain(ui.selectable_value(value, choice, name), about);
            }
        });
        let tip = if explanation.is_empty() { self.tip } else { explanation };
        explain(combo.response.accessible_name(self.name), tip);
    }
}

pub(crate) fn options_ui<T: PartialEq + Copy>(ui: &mut egui::Ui, chosen: &mut T, all: &[(T, &str)]) {
    close_row_ui(ui, |ui| {
        for &(one, name) in all {
            if ui.add(Button::selectable(*chosen == one, name).frame_when_inactive(true)).clicked() {
                *chosen = one;
            }
        }
    });
}

/// A box to tick. Its outline is brighter than that of a button, so that it is seen also while it is empty.
pub(crate) fn checkbox_ui<'a>(ui: &mut egui::Ui, is_ticked: &'a mut bool, text: impl IntoAtoms<'a>) -> Response {
    let outline = Stroke::new(1.0, theme::ICON_WEAK);
    let before = std::mem::replace(&mut ui.visuals_mut().widgets.inactive.bg_stroke, outline);
    let response = ui.checkbox(is_ticked, text);
    ui.visuals_mut().widgets.inactive.bg_stroke = before;
    response
}

/// A round button for one of several values, with an outline also while it is off.
pub(crate) fn radio_ui(ui: &mut egui::Ui, is_chosen: bool, text: impl Into<String>) -> Response {
    ui.scope(|ui| {
        ui.visuals_mut().widgets.inactive.bg_stroke = Stroke::new(1.0, theme::ICON_WEAK);
        ui.radio(is_chosen, text.into())
    })
    .inner
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'a> {
    pub label: &'a str,
    pub name: &'a str,
    /// What it means; if empty, there is no tooltip.
    pub tip: &'a str,
    pub width: f32,
}

impl Number<'_> {
    pub(crate) fn row_ui(self, ui: &mut egui::Ui, value: DragValue<'_>) -> Response {
        row_ui(ui, self.label, self.tip, |ui| {
            let number = ui.add(NumberField(value.min_size(vec2(self.width, theme::BAR_HEIGHT))));
            explain(number.accessible_name(self.name), self.tip)
        })
    }
}

pub(crate) fn seed_ui(ui: &mut egui::Ui, name: &str, seed: &mut u32) {
    row_ui(ui, "Seed", "", |ui| {
        let number = DragValue::new(seed).speed(0.1).min_size(vec2(56.0, theme::BAR_HEIGHT));
        ui.add(NumberField(number)).accessible_name(name).on_hover_text("The same seed gives the same result");
    });
}

/// A slider at `rect` for `value`, which a double-click resets to `rest`. Returns whether the user changed it.
pub(crate) fn bar_ui(ui: &mut egui::Ui, rect: Rect, bar: Bar<'_>, value: &mut f32, rest: f32) -> bool {
    let id = ui.scope_id().with(bar.label);
    let output = Bar { value: *value, ..bar }.show_ui(ui, rect, id);
    if let Some(new) = output.value {
        *value = new;
    }
    if output.reset {
        *value = rest;
    }
    if output.allows_tooltip {
        output.response.on_hover_text("Double-click to reset, click the number to type");
    }
    output.value.is_some() || output.reset
}

pub(crate) fn setting_ui(ui: &mut egui::Ui, bar: Bar<'_>, value: &mut f32, rest: f32) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    bar_ui(ui, rect, bar, value, rest)
}

/// A collapsible list of names under their count; nothing if there are none.
pub(crate) fn names_ui(ui: &mut egui::Ui, noun: &str, names: &[impl AsRef<str>]) {
    if names.is_empty() {
        return;
    }
    CollapsingHeader::new(text::counted(names.len(), noun)).id_salt(noun).show(ui, |ui| {
        for name in names {
            let name = RichText::new(text::shown_message(name.as_ref()));
            ui.add(Label::new(name.small().color(theme::TEXT_WEAK)).wrap());
        }
    });
}
