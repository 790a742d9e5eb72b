//! The list of the head's animated channels or of the take's columns, with a search field and selection by click, Ctrl
//! and Shift.

use egui::{
    Align2, Button, Event, Id, Key, Modifiers, Rect, ScrollArea, Sense, Stroke, StrokeKind, TextEdit, WidgetInfo, pos2,
    vec2,
};

use crate::channels::chosen_text;
use crate::widgets::{Icon, text};
use crate::{UiState, theme};
use smirk_base::names::Search;
use smirk_editor::session::Session;
use smirk_face::head::Clip;
use smirk_face::motion::{Layer, Mix};

use super::drawing::{CurveItem, CurveSources};

pub(super) fn name_of(session: &Session, item: CurveItem) -> &str {
    match item {
        CurveItem::Channel(channel) => session.head.channels.get(channel).map_or("", |channel| &channel.name),
        CurveItem::Column(column) => {
            let columns = session.take().map_or(&[][..], |entry| &entry.take.columns);
            columns.get(column).map_or("", |column| &column.name)
        }
    }
}

/// Shows the list.
pub(super) fn list_ui(ui: &mut egui::Ui, session: &Session, state: &mut UiState, sources: &CurveSources, mix: &Mix) {
    ui.spacing_mut().item_spacing = vec2(theme::GAP_SMALL, 2.0);
    header_ui(ui, session, state);
    let search = Search::new(&state.curves.search);
    let mut items = sources.items(session, state.curves.lists_columns);
    items.retain(|&item| search.finds(name_of(session, item)));
    state.curves.hovered = None;
    if items.is_empty() {
        let moves_nodes = session.clips().any(Clip::moves_nodes);
        ui.weak(match (search.is_empty(), moves_nodes) {
            (false, _) => "No match.",
            (true, true) => "The clip animates nodes, not channels.",
            (true, false) => "No animation.",
        });
        return;
    }
    ScrollArea::vertical().auto_shrink(false).show_rows(ui, theme::BAR_HEIGHT_THIN, items.len(), |ui, range| {
        for &item in &items[range] {
            row_ui(ui, session, state, &items, item, sources, mix);
        }
    });
}

fn header_ui(ui: &mut egui::Ui, session: &Session, state: &mut UiState) {
    let curves = &mut state.curves;
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        let has_columns = session.take().is_some();
        for (columns, name) in [(false, "Channels"), (true, "Columns")] {
            let tab = Button::selectable(curves.lists_columns == columns, name);
            let tab = ui.add_enabled(!columns || has_columns, tab.min_size(vec2(0.0, theme::BAR_HEIGHT)));
            let tab = tab.accessible_name(format!("List {}", name.to_lowercase()));
            if tab.on_disabled_hover_text("No take is chosen").clicked() {
                curves.lists_columns = columns;
            }
        }
        let field = TextEdit::singleline(&mut curves.search)
            .hint_text("Search")
            .min_size(vec2(0.0, theme::BAR_HEIGHT))
            .desired_width(ui.available_width() - theme::GAP);
        let field = ui.add(field).accessible_name("Search curves");
        if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            curves.search.clear();
        }
    });
}

fn row_ui(
    ui: &mut egui::Ui,
    session: &Session,
    state: &mut UiState,
    items: &[CurveItem],
    item: CurveItem,
    sources: &CurveSources,
    mix: &Mix,
) {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT_THIN));
    let row = row.with_max_x(row.right() - theme::GAP_SMALL);
    let name = name_of(session, item);
    let is_selected = state.curves.selected.contains(&item);
    let response = ui.interact(row, Id::unique(("curve", item)), Sense::click());
    response.widget_info(|| {
        let kind = if item.is_column() { "Column" } else { "Curve" };
        WidgetInfo::selected(egui::Role::CheckBox, true, is_selected, format!("{kind} {name}"))
    });
    if response.clicked() {
        select(ui, state, items, item);
    }
    if response.hovered() {
        state.curves.hovered = Some(item);
    }
    let painter = ui.painter();
    if is_selected {
        painter.rect_filled(row, theme::ROUNDING, theme::ACCENT);
    } else if response.hovered() {
        painter.rect_filled(row, theme::ROUNDING, theme::WELL_HOVERED);
    }
    let swatch = Rect::from_center_size(pos2(row.left() + 10.0, row.center().y), egui::Vec2::splat(8.0));
    let color = sources.color(item);
    let any_selected = state.curves.selected.iter().any(|other| other.is_column() == item.is_column());
    if is_selected || !any_selected {
        painter.rect_filled(swatch, 2.0, color);
    } else {
        painter.rect_stroke(swatch, 2.0, Stroke::new(1.0, color), StrokeKind::Inside);
    }
    let weak = if is_selected { theme::TEXT } else { theme::TEXT_WEAK };
    let (right, name_color, tip) = match item {
        CurveItem::Channel(channel) => {
            if !sources.keys(session, channel).is_empty() {
                let mark = Rect::from_center_size(pos2(row.right() - 44.0, row.center().y), egui::Vec2::splat(10.0));
                Icon::Diamond.paint(painter, mark, theme::layer_tint(Layer::Keys).bright);
            }
            let value = session.channel_value(channel, &mix.weights);
            (
                text::two_decimals(value),
                theme::TEXT,
                text::shown(&session.head.channels[channel].full_name).into_owned(),
            )
        }
        CurveItem::Column(column) => {
            let Some(map) = session.take().and_then(|entry| entry.map.columns.get(column)) else { return };
            let to = chosen_text(&session.head, &map.channels, "unmapped");
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
    let name = text::elide_middle(painter, name, &font, if item.is_column() { width * 0.62 } else { width - 24.0 });
    let name = painter.text(pos2(row.left() + 22.0, middle), Align2::LEFT_CENTER, name, font.clone(), name_color);
    let right = text::elide_middle(painter, &right, &font, row.right() - 4.0 - name.right() - theme::GAP);
    painter.text(pos2(row.right() - 4.0, middle), Align2::RIGHT_CENTER, right, font, weak);
    response.on_hover_text(tip);
}

/// The modifiers that were held at the time of a click: in a slow frame, they may have been released already.
pub(super) fn modifiers_of_click(ui: &egui::Ui) -> Modifiers {
    ui.input(|input| {
        let clicks = input.events.iter().rev();
        let mut held = clicks.filter_map(|event| match event {
            Event::PointerButton { modifiers, .. } => Some(*modifiers),
            _ => None,
        });
        held.next().unwrap_or(input.modifiers)
    })
}

/// Selects an item: a click selects it alone, or nothing if it was selected alone; Ctrl adds or removes it; Shift
/// selects all from the last click on.
fn select(ui: &egui::Ui, state: &mut UiState, items: &[CurveItem], item: CurveItem) {
    let modifiers = modifiers_of_click(ui);
    let curves = &mut state.curves;
    let index_of = |item: CurveItem| items.iter().position(|other| *other == item);
    let was_selected_alone = curves.selected.len() == 1 && curves.selected.contains(&item);
    if modifiers.command {
        if !curves.selected.remove(&item) {
            curves.selected.insert(item);
        }
    } else {
        curves.selected.retain(|other| other.is_column() != item.is_column());
        let from = curves.anchor.filter(|_| modifiers.shift).and_then(index_of);
        match (from, index_of(item)) {
            (Some(from), Some(to)) => curves.selected.extend(&items[from.min(to)..=from.max(to)]),
            _ if was_selected_alone => {}
            _ => {
                curves.selected.insert(item);
            }
        }
    }
    if !modifiers.shift {
        curves.anchor = Some(item);
    }
}
