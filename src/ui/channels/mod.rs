//! The left panel: search, filter and the list of channels. Left and right share a row where possible.

mod cell;
mod chips;
mod columns;
mod expression_tooltip;
mod menu;
mod name;
mod picker;
mod rows;
mod status;

pub(super) use picker::{channel_picker_ui, chosen_text};
pub(super) use status::legend_ui;

use egui::{Align, Button, Id, Key, Layout, Rect, ScrollArea, Sense, TextEdit, WidgetInfo, pos2, vec2};

use smirk_editor::session::{Command, Session};
use smirk_face::head::{PairKind, Region};
use smirk_face::motion::Mix;

use super::shortcuts::{self, Action};
use super::widgets::{Icon, icon_button_ui, scroll_to_focus, text};
use super::{PointedAt, UiState, WindowView, theme};

use cell::{channel_ui, target_ui};
use chips::chips_ui;
use columns::{Columns, name_width};
use name::name_ui;
use rows::ListRow;

/// Shows the panel.
pub(super) fn channels_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    mix: &Mix,
    commands: &mut Vec<Command>,
) {
    let resets_all = header_ui(ui, session, state, mix);
    if resets_all {
        shortcuts::act(Action::ResetAll, session, state, view, commands);
    }
    ui.add_space(theme::GAP_SMALL);
    let rows = rows::visible_rows(session, state, mix);
    state.edited_pair = None;
    state.laid_out_rows = 0;
    if rows.is_empty() {
        empty_ui(ui, session, state);
        return;
    }
    let mut area = ScrollArea::vertical().auto_shrink(false);
    if let Some(channel) = state.scroll_to_channel.take()
        && let Some(row) = rows.iter().position(|row| row.has_slider_of(channel))
    {
        let above = (ui.available_height() - theme::ROW_HEIGHT) * 0.5;
        area = area.vertical_scroll_offset((row as f32 * theme::ROW_HEIGHT - above).max(0.0));
        ui.memory_mut(|memory| memory.request_focus(Id::unique(("channel", channel))));
    }
    area.show_viewport(ui, |ui, viewport| {
        ui.set_height(rows.len() as f32 * theme::ROW_HEIGHT - theme::GAP_SMALL);
        // One row more above and below is where the Tab key goes from the first and the last row on the screen.
        let first = ((viewport.min.y / theme::ROW_HEIGHT) as usize).saturating_sub(1);
        let last = ((viewport.max.y / theme::ROW_HEIGHT) as usize + 2).min(rows.len());
        let first = first.min(last);
        state.laid_out_rows = last - first;
        let area = ui.max_rect();
        for (index, row) in rows.iter().enumerate().take(last).skip(first) {
            let top = area.top() + index as f32 * theme::ROW_HEIGHT;
            let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + theme::BAR_HEIGHT);
            commands.extend(row_ui(ui, rect, session, state, *row, mix).map(Command::ShowStatus));
        }
        scroll_to_focus(ui);
    });
}

/// Shows the title and the search field. Returns whether the user resets all channels.
fn header_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, mix: &Mix) -> bool {
    let mut resets_all = false;
    ui.horizontal(|ui| {
        ui.heading("Channels");
        ui.weak(session.head.channels.len().to_string());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let reset = ui.button("Reset all");
            resets_all =
                reset.on_hover_text("Reset every slider; driven channels follow their animation again").clicked();
            chips_ui(ui, session, mix);
        });
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP;
        let active_width = 60.0;
        let width = (ui.available_width() - active_width - theme::GAP).max(80.0);
        let id = Id::unique("search");
        if std::mem::take(&mut state.search_focus_requested) {
            // This comes before the field is shown, so that the field receives the text typed in this frame.
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let field = TextEdit::singleline(&mut state.search)
            .id(id)
            .hint_text("Search (Ctrl+F)")
            .margin(egui::Margin { left: 26, right: 24, top: 4, bottom: 4 })
            .min_size(vec2(width, theme::BAR_HEIGHT))
            .desired_width(width);
        let response = ui.add(field);
        if response.changed() {
            state.folded_results.clear();
        }
        if ends_search(ui, &response, state.escape_is_taken) {
            state.clear_search();
        }
        let rect = response.rect;
        Icon::Search.paint(ui.painter(), Rect::from_min_size(rect.min, vec2(26.0, rect.height())), theme::TEXT_WEAK);
        if !state.search.is_empty() {
            let clear = Rect::from_center_size(pos2(rect.right() - 13.0, rect.center().y), vec2(20.0, 20.0));
            if icon_button_ui(
                ui,
                clear,
                response.id.with("clear"),
                (Icon::Close, theme::TEXT_WEAK),
                "Clear search",
                "Clear search",
            )
            .clicked()
            {
                state.clear_search();
            }
        }
        let toggle = Button::selectable(state.only_active, "Active").frame_when_inactive(true);
        let toggle = ui.add_sized(vec2(active_width, theme::BAR_HEIGHT), toggle);
        if toggle.on_hover_text("Show only active channels").clicked() {
            state.only_active = !state.only_active;
            state.folded_results.clear();
        }
    });
    resets_all
}

/// Whether Esc clears the search: it was pressed in the field, or nothing else has a use for it.
fn ends_search(ui: &egui::Ui, field: &egui::Response, escape_is_taken: bool) -> bool {
    let is_free = || !escape_is_taken && !ui.input(|input| input.pointer.any_down());
    ui.input(|input| input.key_pressed(Key::Escape)) && (field.lost_focus() || is_free())
}

fn empty_ui(ui: &mut egui::Ui, session: &Session, state: &mut UiState) {
    ui.add_space(theme::GAP_LARGE);
    ui.vertical_centered(|ui| {
        if session.head.channels.is_empty() {
            ui.weak("This head has no morph targets.");
            ui.weak("Add some with File › Import shapes…, one file per shape.");
            return;
        }
        ui.weak(if state.search.trim().is_empty() {
            "No active channels.".to_owned()
        } else if state.only_active {
            format!("No active channel matches “{}”.", text::shown(state.search.trim()))
        } else {
            format!("No channel matches “{}”.", text::shown(state.search.trim()))
        });
        ui.add_space(theme::GAP_SMALL);
        if ui.button("Show all").clicked() {
            state.clear_search();
            state.only_active = false;
        }
    });
}

/// Shows a row. Returns what is to be said about what was done to it.
fn row_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    session: &mut Session,
    state: &mut UiState,
    row: ListRow,
    mix: &Mix,
) -> Option<String> {
    let longest = *state.name_width.get_or_insert_with(|| name_width(ui, &session.head));
    let Columns { name, sides: [left, right], link, wide } = Columns::new(rect, longest);
    match row {
        ListRow::Region { region, count, active } => region_ui(ui, rect, state, region, [active, count]),
        ListRow::Sides { pair, channels } => {
            name_ui(ui, name, session, state, pair, &channels, mix);
            channel_ui(ui, left, session, state, (pair, channels[0], "L"), mix);
            link_ui(ui, link, session, pair);
            channel_ui(ui, right, session, state, (pair, channels[1], "R"), mix);
        }
        ListRow::Single { pair, channel } => {
            name_ui(ui, name, session, state, pair, &[channel], mix);
            // Channels that are linked although they are not left and right say so beside the first of them.
            let is_linked = session.edits.linked[pair] && session.head.pairs[pair].first == channel;
            let link = wide.with_min_x(wide.right() - link.width());
            let slider = if is_linked { wide.with_max_x(link.left()) } else { wide };
            channel_ui(ui, slider, session, state, (pair, channel, ""), mix);
            if is_linked {
                link_ui(ui, link, session, pair);
            }
        }
        ListRow::Mesh { pair, first, second, is_sided } => {
            let sliders = if is_sided { [left, right] } else { [wide, wide] };
            let said = [first, second].into_iter().zip(sliders).map(|(of, slider)| {
                let [channel, target] = of?;
                target_ui(ui, (name, slider), session, state, pair, [channel, target], mix)
            });
            return said.fold(None, |before, said| said.or(before));
        }
    }
    None
}

/// The header of a region, with the numbers of its active and its listed channels.
fn region_ui(ui: &mut egui::Ui, rect: Rect, state: &mut UiState, region: Region, [active, count]: [usize; 2]) {
    let response = ui.interact(rect, Id::unique(("region", region)), Sense::click());
    let name = region.to_string();
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
    let painter = ui.painter();
    if response.hovered() || response.has_focus() {
        painter.rect_filled(rect, theme::ROUNDING, theme::RAISED);
    }
    let is_collapsed = state.folded_regions().contains(&region);
    let icon = if is_collapsed { Icon::Collapsed } else { Icon::Expanded };
    icon.paint(painter, Rect::from_min_size(rect.min, vec2(17.0, rect.height())), theme::TEXT_WEAK);
    let at = pos2(rect.left() + 19.0, rect.center().y);
    let name = painter.text(at, egui::Align2::LEFT_CENTER, name, theme::body_font(), theme::TEXT);
    let counts = if active > 0 { format!("{active} of {count} active") } else { count.to_string() };
    let at = pos2(rect.right() - 2.0, rect.center().y);
    let counts = painter.text(at, egui::Align2::RIGHT_CENTER, counts, theme::small_font(), theme::TEXT_WEAK);
    let line = (name.right() + theme::GAP)..=(counts.left() - theme::GAP);
    painter.hline(line, rect.center().y, egui::Stroke::new(1.0, theme::LINE));
    if response.hovered() {
        state.pointed_at = Some(PointedAt::Region(region));
    }
    if response.clicked() && !state.folded_regions().remove(&region) {
        state.folded_regions().insert(region);
    }
}

/// The button that links the two channels of a pair, or unlinks them.
fn link_ui(ui: &mut egui::Ui, between: Rect, session: &mut Session, index: usize) {
    let pair = &session.head.pairs[index];
    let linked = session.edits.linked[index];
    let label = format!("{} {}", if linked { "Unlink" } else { "Link" }, pair.label);
    let rect = Rect::from_center_size(between.center(), egui::Vec2::splat(theme::ICON_BUTTON_SIZE));
    let near = ui.rect_contains_pointer(between.expand2(vec2(theme::GAP_LARGE, 0.0)));
    let (icon, color, tip) = match (linked, pair.kind) {
        (true, _) => (Icon::Link, theme::ACCENT_BRIGHT, "Linked: both move together. Click to unlink."),
        (false, PairKind::Opposites) => (
            Icon::Opposites,
            if near { theme::TEXT_WEAK } else { theme::ICON_FAINT },
            "Two directions of one movement. Click to link.",
        ),
        (false, PairKind::Sides | PairKind::Neighbours) => {
            let color = if near { theme::TEXT_WEAK } else { theme::ICON_FAINT };
            (Icon::Link, color, "Left and right. Click to link.")
        }
    };
    if icon_button_ui(ui, rect, Id::unique(("link", index)), (icon, color), &label, tip).clicked() {
        session.edits.linked[index] = !linked;
    }
}
