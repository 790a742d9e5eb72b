//! The list beside the plot: the animated channels or the take's columns, with a search field and selection by click,
//! Ctrl and Shift.

use egui::{Align2, Button, Id, Key, Rect, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, WidgetInfo, pos2, vec2};

use smirk_base::names::Search;
use smirk_face::motion::{KeySelection, Layer};

use super::{CurvesPanel, why_empty};
use crate::channels::keys_ui as channel_keys_ui;
use crate::context::PanelContext;
use crate::curve_selection::{CurveItem, CurveSelection};
use crate::theme;
use crate::widgets::{Icon, context_menu_ui, modifiers_of_click, text};

impl CurvesPanel {
    pub(super) fn list_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        ui.spacing_mut().item_spacing = vec2(theme::GAP_SMALL, 2.0);
        self.header_ui(ui, cx);
        let session = &*cx.session;
        let search = Search::new(&self.search);
        let mut items = self.sources.items(session, cx.marks.curve_selection.lists_columns);
        items.retain(|&item| search.finds(item.name(session)));
        self.hovered = None;
        if items.is_empty() {
            ui.weak(if search.is_empty() { why_empty(session) } else { "No match.".to_owned() });
            return;
        }
        ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::BAR_HEIGHT_THIN, items.len(), |ui, range| {
            for &item in &items[range] {
                self.row_ui(ui, cx, &items, item);
            }
        });
    }

    fn header_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let lists_columns = &mut cx.marks.curve_selection.lists_columns;
        ui.horizontal(|ui| {
            ui.spacing_mut().button_padding.x = 5.0;
            let has_columns = cx.session.take().is_some();
            for (columns, name) in [(false, "Channels"), (true, "Columns")] {
                let tab = Button::selectable(*lists_columns == columns, name);
                let tab = ui.add_enabled(!columns || has_columns, tab.min_size(vec2(0.0, theme::BAR_HEIGHT)));
                let tab = tab.accessible_name(format!("List {}", name.to_lowercase()));
                if tab.on_disabled_hover_text("No take is chosen").clicked() {
                    *lists_columns = columns;
                }
            }
            let field = TextEdit::singleline(&mut self.search)
                .hint_text("Search")
                .min_size(vec2(0.0, theme::BAR_HEIGHT))
                .desired_width(ui.available_width() - theme::GAP);
            let field = ui.add(field).accessible_name("Search curves");
            if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                self.search.clear();
            }
        });
    }

    fn row_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, items: &[CurveItem], item: CurveItem) {
        let (session, selection) = (&*cx.session, &mut cx.marks.curve_selection);
        let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT_THIN));
        let row = row.with_max_x(row.right() - theme::GAP_SMALL);
        let name = item.name(session);
        let is_selected = selection.items.contains(&item);
        let response = ui.interact(row, Id::unique(("curve", item)), Sense::click());
        response.widget_info(|| {
            let kind = if item.is_column() { "Column" } else { "Curve" };
            WidgetInfo::selected(egui::Role::CheckBox, true, is_selected, format!("{kind} {name}"))
        });
        if response.clicked() {
            select(ui, selection, items, item);
        }
        // A menu of several rows acts on all of them, that of another row on it alone.
        if response.secondary_clicked() && !selection.items.contains(&item) {
            selection.items = [item].into();
        }
        if response.hovered() {
            self.hovered = Some(item);
        }
        let painter = ui.painter();
        if is_selected {
            painter.rect_filled(row, theme::ROUNDING, theme::ACCENT);
        } else if response.hovered() {
            painter.rect_filled(row, theme::ROUNDING, theme::WELL_HOVERED);
        }
        let swatch = Rect::from_center_size(pos2(row.left() + 10.0, row.center().y), egui::Vec2::splat(8.0));
        let color = self.sources.color(item);
        let any_selected = selection.items.iter().any(|other| other.is_column() == item.is_column());
        if is_selected || !any_selected {
            painter.rect_filled(swatch, 2.0, color);
        } else {
            painter.rect_stroke(swatch, 2.0, Stroke::new(1.0, color), StrokeKind::Inside);
        }
        let weak = if is_selected { theme::TEXT } else { theme::TEXT_WEAK };
        let (right, name_color, tip) = match item {
            CurveItem::Channel(channel) => {
                if !self.sources.keys(session, channel).is_empty() {
                    let mark =
                        Rect::from_center_size(pos2(row.right() - 44.0, row.center().y), egui::Vec2::splat(10.0));
                    Icon::Diamond.paint(painter, mark, theme::layer_tint(Layer::Keys).bright);
                }
                let value = session.head.channel_value(channel, &cx.mix.weights);
                (
                    text::two_decimals(value),
                    theme::TEXT,
                    text::shown(&session.head.channels[channel].full_name).into_owned(),
                )
            }
            CurveItem::Column(column) => {
                let Some(map) = session.take().and_then(|entry| entry.map.columns.get(column)) else { return };
                let to = match map.channels_in_words(&session.head) {
                    to if to.is_empty() => "unmapped".to_owned(),
                    to => to,
                };
                let drives = map.enabled && !map.channels.is_empty();
                let color = if drives || is_selected { theme::TEXT } else { theme::TEXT_WEAK };
                let (from, off) = (text::shown(name), if map.enabled { "" } else { " (off)" });
                let tip = format!("{from} → {}{off}", text::shown(&to));
                (to, color, tip)
            }
        };
        // The text on the right gets the width that the name leaves.
        let (middle, font) = (row.center().y, theme::small_font());
        let width = row.width() - 38.0 - if item.is_column() { 0.0 } else { 24.0 };
        let shown = match item {
            CurveItem::Channel(channel) => session.head.shown_name(channel),
            CurveItem::Column(_) => name.into(),
        };
        let name =
            text::elide_middle(painter, &shown, &font, if item.is_column() { width * 0.62 } else { width - 24.0 });
        let name = painter.text(pos2(row.left() + 22.0, middle), Align2::LEFT_CENTER, name, font.clone(), name_color);
        let right = text::elide_middle(painter, &right, &font, row.right() - 4.0 - name.right() - theme::GAP);
        painter.text(pos2(row.right() - 4.0, middle), Align2::RIGHT_CENTER, right, font, weak);
        context_menu_ui(&response, |ui| self.row_menu_ui(ui, cx, item));
        response.on_hover_text(tip);
    }

    /// The menu of a row: for a channel what the menu of its slider has of keys, for a column whether it drives.
    fn row_menu_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, item: CurveItem) {
        match item {
            CurveItem::Channel(channel) => {
                if !cx.session.follows_others(channel) {
                    channel_keys_ui(ui, cx.session, channel);
                }
                let name = cx.session.head.channels[channel].full_name.clone();
                let times: Vec<f32> = cx.session.keys().keys_of(&name).iter().map(|key| key.time_secs).collect();
                if ui.add_enabled(!times.is_empty(), Button::new("Select its keys")).clicked() {
                    self.keys.selection = KeySelection::default();
                    self.keys.selection.add(&name, times);
                }
                self.convert_item_ui(ui, cx);
                ui.separator();
                if ui.button("Show its slider").clicked() {
                    cx.marks.reveal(channel, &mut cx.state.panels);
                }
                if ui.button("Heat map of this").clicked() {
                    cx.session.edits.show_heat_of(&cx.session.head, channel);
                }
            }
            CurveItem::Column(column) => {
                let Some(entry) = cx.session.take() else { return };
                let Some((id, enabled)) = entry.map.columns.get(column).map(|map| (entry.id, map.enabled)) else {
                    return;
                };
                let text = if enabled { "Switch the column off" } else { "Switch the column on" };
                if ui.button(text).clicked() {
                    cx.session.takes_mut().edit_map(id, |map, _| {
                        map.columns.get_mut(column).into_iter().for_each(|map| map.enabled = !enabled);
                    });
                }
            }
        }
        ui.separator();
        let selected = &mut cx.marks.curve_selection.items;
        let is_alone = selected.len() == 1 && selected.contains(&item);
        if !is_alone && ui.button("Show it alone").clicked() {
            *selected = [item].into();
        }
        if !selected.is_empty() && ui.button("Show all curves").clicked() {
            selected.clear();
        }
    }
}

/// Selects an item: a click selects it alone, or nothing if it was selected alone; Ctrl adds or removes it; Shift
/// selects all from the last click on.
fn select(ui: &egui::Ui, selection: &mut CurveSelection, items: &[CurveItem], item: CurveItem) {
    let modifiers = modifiers_of_click(ui);
    let was_selected_alone = selection.items.len() == 1 && selection.items.contains(&item);
    if modifiers.command {
        if !selection.items.remove(&item) {
            selection.items.insert(item);
        }
    } else {
        selection.items.retain(|other| other.is_column() != item.is_column());
        let ends = [selection.anchor.filter(|_| modifiers.shift), Some(item)];
        match ends.map(|end| items.iter().position(|other| Some(*other) == end)) {
            [Some(from), Some(to)] => selection.items.extend(&items[from.min(to)..=from.max(to)]),
            _ if was_selected_alone => {}
            _ => {
                selection.items.insert(item);
            }
        }
    }
    if !modifiers.shift {
        selection.anchor = Some(item);
    }
}
