//! The left panel: search, filter and the list of channels. Left and right share a row where possible.

mod cell;
mod group;
mod menu;
mod rows;
mod status;
mod tooltip;

pub use group::Group;
pub(crate) use menu::keys_ui;
pub(crate) use status::legend_ui;

use std::collections::HashSet;

use egui::{
    Align, Align2, Button, Color32, Id, Key, Layout, Rect, Role, ScrollArea, Sense, TextEdit, WidgetInfo, pos2, vec2,
};

use smirk_editor::document::LoadRequest;
use smirk_face::head::{Head, HeadSource, PairKind};
use smirk_face::motion::Mix;
use smirk_session::Session;

use crate::command::Command;
use crate::context::PanelContext;
use crate::notes;
use crate::shortcuts::Action;
use crate::state::PointedAt;
use crate::theme;
use crate::widgets::{Icon, context_menu_ui, icon_button_ui, scroll_to_focus, text};

use group::PairGroups;
use menu::pair_menu_ui;
use rows::{Columns, ListRow, TRIANGLE_WIDTH, name_width};

#[derive(Debug, Default)]
pub struct ChannelList {
    /// Search text: only channels whose names contain all of its words are listed.
    pub search: String,
    pub only_active: bool,
    /// Groups whose rows are hidden while the list is not filtered.
    pub collapsed_groups: HashSet<Group>,
    /// Groups whose rows are hidden while the list is searched or filtered. Each search begins with all of its
    /// results.
    folded_results: HashSet<Group>,
    /// The groups of this head's pairs, once they were found.
    groups: Option<PairGroups>,
    /// Channels that list one slider per mesh.
    pub expanded_channels: HashSet<usize>,
    /// Output: number of rows that were laid out in this frame.
    pub laid_out_rows: usize,
    /// The channel that is being edited. Its row stays listed even if the filter excludes it.
    edited_channel: Option<usize>,
    /// The read-only channel that was last dragged, and when. Its row explains for a while why it does not move.
    refused_row: Option<(usize, f64)>,
    /// Width of the longest name of this head, once it was measured.
    name_width: Option<f32>,
}

impl ChannelList {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let revealed = cx.marks.revealed_channel.take();
        if revealed.is_some() {
            self.clear_search();
            self.only_active = false;
            self.collapsed_groups.clear();
        }
        self.header_ui(ui, cx);
        ui.add_space(theme::GAP_SMALL);
        let rows = self.visible_rows(cx.session, &cx.mix, cx.state.panels.lists_action_units);
        self.edited_channel = None;
        self.laid_out_rows = 0;
        if rows.is_empty() {
            self.empty_ui(ui, cx);
            return;
        }
        let mut area = ScrollArea::vertical().auto_shrink(false);
        if let Some(channel) = revealed
            && let Some(row) = rows.iter().position(|row| row.has_slider_of(channel))
        {
            let above = (ui.available_height() - theme::ROW_HEIGHT) * 0.5;
            area = area.vertical_scroll_offset((row as f32 * theme::ROW_HEIGHT - above).max(0.0));
            let slider = id_of("channel", &cx.session.head, channel);
            ui.memory_mut(|memory| memory.request_focus(slider));
        }
        area.show_viewport(ui, |ui, viewport| {
            ui.set_height(rows.len() as f32 * theme::ROW_HEIGHT - theme::GAP_SMALL);
            // One row more above and below is where the Tab key goes from the first and the last row on the screen.
            let first = ((viewport.min.y / theme::ROW_HEIGHT) as usize).saturating_sub(1);
            let last = ((viewport.max.y / theme::ROW_HEIGHT) as usize + 2).min(rows.len());
            let first = first.min(last);
            self.laid_out_rows = last - first;
            let area = ui.max_rect();
            for (index, row) in rows.iter().enumerate().take(last).skip(first) {
                let top = area.top() + index as f32 * theme::ROW_HEIGHT;
                let rect = Rect::from_x_y_ranges(area.x_range(), top..=top + theme::BAR_HEIGHT);
                if let Some(text) = self.row_ui(ui, rect, *row, cx) {
                    cx.show_status(text);
                }
            }
            scroll_to_focus(ui);
        });
    }

    fn header_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        ui.horizontal(|ui| {
            ui.heading("Channels");
            ui.weak(cx.session.head.channels.len().to_string());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let reset = ui.button("Reset all");
                let tip = "Reset every slider; driven channels follow their animation again";
                if reset.on_hover_text(tip).clicked() {
                    cx.actions.push(Action::ResetAll);
                }
                let is_linked = cx.session.edits.links_sides;
                if cx.session.head.pairs.iter().any(|pair| pair.kind == PairKind::Sides) {
                    let button = Button::selectable(is_linked, "Link all").frame_when_inactive(true);
                    let tip = "Left and right move together, also on the next head; Alt-drag moves one side alone";
                    if ui.add(button).on_hover_text(tip).clicked() {
                        cx.session.edits.link_all(!is_linked);
                        cx.state.panels.links_sides = !is_linked;
                    }
                }
                chips_ui(ui, cx.session, &cx.mix);
            });
        });
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = theme::GAP;
            let (active_width, units_width) = (60.0, 34.0);
            let width = (ui.available_width() - active_width - units_width - 2.0 * theme::GAP).max(80.0);
            let id = Id::unique("search");
            if std::mem::take(&mut cx.state.search_requested) {
                // This comes before the field is shown, so that the field receives the text typed in this frame.
                ui.memory_mut(|memory| memory.request_focus(id));
            }
            let field = TextEdit::singleline(&mut self.search)
                .id(id)
                .hint_text("Search (Ctrl+F)")
                .margin(egui::Margin { left: 26, right: 24, top: 4, bottom: 4 })
                .min_size(vec2(width, theme::BAR_HEIGHT))
                .desired_width(width);
            let response = ui.add(field).accessible_name("Search channels");
            if response.changed() {
                self.folded_results.clear();
            }
            if ends_search(ui, &response, cx.state.escape_is_taken) {
                self.clear_search();
            }
            let rect = response.rect;
            Icon::Search.paint(
                ui.painter(),
                Rect::from_min_size(rect.min, vec2(26.0, rect.height())),
                theme::TEXT_WEAK,
            );
            if !self.search.is_empty() {
                let clear = Rect::from_center_size(pos2(rect.right() - 13.0, rect.center().y), vec2(20.0, 20.0));
                let (place, icon) = ((clear, response.id.with("clear")), (Icon::Close, theme::TEXT_WEAK));
                if icon_button_ui(ui, place, icon, "Clear search", "Clear search").clicked() {
                    self.clear_search();
                }
            }
            let toggle = Button::selectable(self.only_active, "Active").frame_when_inactive(true);
            let toggle = ui.add_sized(vec2(active_width, theme::BAR_HEIGHT), toggle);
            if toggle.on_hover_text("Show only active channels").clicked() {
                self.only_active = !self.only_active;
                self.folded_results.clear();
            }
            let lists_units = &mut cx.state.panels.lists_action_units;
            let toggle = Button::selectable(*lists_units, "AU").frame_when_inactive(true);
            let toggle =
                ui.add_sized(vec2(units_width, theme::BAR_HEIGHT), toggle).accessible_name("List action units");
            if toggle.on_hover_text("List the channels by action units (FACS) instead of regions").clicked() {
                *lists_units = !*lists_units;
            }
        });
    }

    fn empty_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        ui.add_space(theme::GAP_LARGE);
        ui.vertical_centered(|ui| {
            if cx.session.head.channels.is_empty() {
                ui.weak("This head has no morph targets.");
                ui.weak("File › Import › Shapes… adds them, one file each. Or begin with:");
                ui.add_space(theme::GAP_SMALL);
                if ui.button("Use the shapes of the bundled head").clicked() {
                    let bundled = LoadRequest::Features(HeadSource::Embedded);
                    cx.commands.push(Command::Load(Box::new(bundled)));
                }
                return;
            }
            ui.weak(if self.search.trim().is_empty() {
                "No active channels.".to_owned()
            } else if self.only_active {
                format!("No active channel matches “{}”.", text::shown(self.search.trim()))
            } else {
                format!("No channel matches “{}”.", text::shown(self.search.trim()))
            });
            ui.add_space(theme::GAP_SMALL);
            if ui.button("Show all").clicked() {
                self.clear_search();
                self.only_active = false;
            }
        });
    }

    fn row_ui(&mut self, ui: &mut egui::Ui, rect: Rect, row: ListRow, cx: &mut PanelContext<'_>) -> Option<String> {
        let longest = *self.name_width.get_or_insert_with(|| name_width(ui, &cx.session.head));
        let Columns { name, sides: [left, right], link, wide } = Columns::new(rect, longest);
        match row {
            ListRow::Group { group, count, active } => self.group_ui(ui, rect, cx, group, [active, count]),
            ListRow::Sides { pair, channels } => {
                self.name_ui(ui, name, cx, pair, &channels);
                self.channel_ui(ui, left, cx, pair, channels[0], "L");
                link_ui(ui, link, cx.session, pair);
                self.channel_ui(ui, right, cx, pair, channels[1], "R");
            }
            ListRow::Single { pair, channel } => {
                self.name_ui(ui, name, cx, pair, &[channel]);
                // Channels that are linked although they are not left and right say so beside the first of them.
                let is_linked = cx.session.bound().linked[pair] && cx.session.head.pairs[pair].first == channel;
                let link = wide.with_min_x(wide.right() - link.width());
                let slider = if is_linked { wide.with_max_x(link.left()) } else { wide };
                self.channel_ui(ui, slider, cx, pair, channel, "");
                if is_linked {
                    link_ui(ui, link, cx.session, pair);
                }
            }
            ListRow::Mesh { first, second, is_sided } => {
                let sliders = if is_sided { [left, right] } else { [wide, wide] };
                let said = [first, second].into_iter().zip(sliders);
                let said = said.map(|(of, slider)| self.target_ui(ui, name, slider, cx, of?));
                return said.fold(None, |before, said| said.or(before));
            }
        }
        None
    }

    fn group_ui(
        &mut self,
        ui: &mut egui::Ui,
        rect: Rect,
        cx: &mut PanelContext<'_>,
        group: Group,
        [active, count]: [usize; 2],
    ) {
        let response = ui.interact(rect, Id::unique(("group", group)), Sense::click());
        let name = group.to_string();
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let painter = ui.painter();
        if response.hovered() || response.has_focus() {
            painter.rect_filled(rect, theme::ROUNDING, theme::RAISED);
        }
        let is_collapsed = self.folded_groups().contains(&group);
        let icon = if is_collapsed { Icon::Collapsed } else { Icon::Expanded };
        icon.paint(painter, Rect::from_min_size(rect.min, vec2(17.0, rect.height())), theme::TEXT_WEAK);
        let at = pos2(rect.left() + 19.0, rect.center().y);
        let name = painter.text(at, Align2::LEFT_CENTER, name, theme::body_font(), theme::TEXT);
        let counts = if active > 0 { format!("{active} of {count} active") } else { count.to_string() };
        let at = pos2(rect.right() - 2.0, rect.center().y);
        let counts = painter.text(at, Align2::RIGHT_CENTER, counts, theme::small_font(), theme::TEXT_WEAK);
        let line = (name.right() + theme::GAP)..=(counts.left() - theme::GAP);
        painter.hline(line, rect.center().y, egui::Stroke::new(1.0, theme::LINE));
        if let Group::Region(region) = group
            && response.hovered()
        {
            cx.marks.pointed_at = Some(PointedAt::Region(region));
        }
        if response.clicked() && !self.folded_groups().remove(&group) {
            self.folded_groups().insert(group);
        }
    }

    /// Shows the name of a channel, or the common one of a left and a right channel, with the triangle that expands it
    /// to one slider per mesh, and its menu.
    fn name_ui(&mut self, ui: &mut egui::Ui, rect: Rect, cx: &mut PanelContext<'_>, pair: usize, channels: &[usize]) {
        let head = cx.session.head.clone();
        let name = match channels {
            [channel] => &*head.shown_name(*channel),
            _ => &head.pairs[pair].label,
        };
        let has_several = channels.iter().any(|&channel| head.moving_targets(channel).len() > 1);
        let is_open = channels.iter().any(|channel| self.expanded_channels.contains(channel));
        // The Tab key stops only at names that can be expanded.
        let sense = if has_several { Sense::click() } else { Sense::CLICK };
        let kind = if channels.len() > 1 { "names" } else { "name" };
        let response = ui.interact(rect, id_of(kind, &head, channels[0]), sense);
        if has_several {
            let label = format!("{} {name}", if is_open { "Collapse" } else { "Expand" });
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
        }
        let dot_width = notes::dot_ui(ui, rect, channels, cx);
        if ui.is_rect_visible(rect) {
            let moves = channels.iter().any(|&channel| cx.session.head.is_active(channel, &cx.mix.weights));
            let is_near = response.hovered() || response.has_focus();
            let color = if moves || is_near { theme::TEXT } else { theme::TEXT_WEAK };
            if has_several {
                let icon = if is_open { Icon::Expanded } else { Icon::Collapsed };
                let color = if is_near { theme::TEXT } else { theme::ICON_WEAK };
                icon.paint(ui.painter(), rect.with_max_x(rect.left() + TRIANGLE_WIDTH), color);
            }
            let room = rect.width() - TRIANGLE_WIDTH - dot_width;
            let shown = text::elide_middle(ui.painter(), name, &theme::body_font(), room);
            let at = pos2(rect.left() + TRIANGLE_WIDTH, rect.center().y);
            ui.painter().text(at, Align2::LEFT_CENTER, shown, theme::body_font(), color);
        }
        if ui.rect_contains_pointer(rect) {
            cx.marks.pointed_at = Some(match channels {
                [channel] => PointedAt::Channel(*channel),
                _ => PointedAt::Pair(pair),
            });
        }
        if has_several && response.clicked() {
            for channel in channels {
                if is_open {
                    self.expanded_channels.remove(channel);
                } else {
                    self.expanded_channels.insert(*channel);
                }
            }
        }
        context_menu_ui(&response, |ui| match channels {
            [channel] => self.menu_ui(ui, cx, pair, *channel),
            _ => pair_menu_ui(ui, cx, pair),
        });
        if has_several {
            let tip = format!("{}. Click: one slider per mesh", text::shown(name));
            response.on_hover_text(tip);
        } else {
            response.on_hover_text(text::shown(name));
        }
    }

    fn folded_groups(&mut self) -> &mut HashSet<Group> {
        let is_filtered = self.only_active || !self.search.trim().is_empty();
        if is_filtered { &mut self.folded_results } else { &mut self.collapsed_groups }
    }

    fn clear_search(&mut self) {
        self.search.clear();
        self.folded_results.clear();
    }

    /// Keeps the search and the expanded rows when the same head was read again; `new_of` has the new index of a
    /// channel.
    pub(crate) fn follow_reload(&mut self, new_of: impl Fn(usize) -> Option<usize>) {
        let before = std::mem::take(self);
        *self = Self {
            search: before.search,
            only_active: before.only_active,
            collapsed_groups: before.collapsed_groups,
            folded_results: before.folded_results,
            expanded_channels: before.expanded_channels.into_iter().filter_map(new_of).collect(),
            ..Self::default()
        };
    }
}

/// The identity of a control of a channel. It is that of the channel's name, so that focus, a drag and an open menu stay
/// with the channel when the head is read again and its index is another one.
fn id_of(control: &str, head: &Head, channel: usize) -> Id {
    Id::unique((control, head.channels[channel].full_name.as_str()))
}

/// Whether Esc clears the search: it was pressed in the field, or nothing else uses it.
fn ends_search(ui: &egui::Ui, field: &egui::Response, escape_is_taken: bool) -> bool {
    let was_in_field = field.lost_focus();
    ui.input(|input| {
        let is_free = !escape_is_taken && !input.pointer.any_down();
        input.key_pressed(Key::Escape) && (was_in_field || is_free)
    })
}

/// The button that links the two channels of a pair, or unlinks them.
fn link_ui(ui: &mut egui::Ui, between: Rect, session: &mut Session, index: usize) {
    let pair = &session.head.pairs[index];
    let linked = session.bound().linked[index];
    let label = format!("{} {}", if linked { "Unlink" } else { "Link" }, pair.label);
    let rect = Rect::from_center_size(between.center(), egui::Vec2::splat(theme::ICON_BUTTON_SIZE));
    let near = ui.rect_contains_pointer(between.expand2(vec2(theme::GAP_LARGE, 0.0)));
    if linked {
        // The sliders look like one.
        ui.painter().rect_filled(between.shrink2(vec2(0.0, 3.0)), 0.0, theme::ACCENT.gamma_multiply(0.45));
    }
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
    let id = id_of("link", &session.head, pair.first);
    if icon_button_ui(ui, (rect, id), (icon, color), &label, tip).clicked() {
        session.edits.link_pair(&session.head, index, !linked);
    }
}

const CHIP_HEIGHT: f32 = 20.0;

/// A count of channels in one state, in the header of the list. A click on it ends that state on all channels.
#[derive(Clone, Copy, Debug)]
enum Chip {
    Soloed,
    Muted,
    TakenOver,
}

impl Chip {
    fn count(self, session: &Session, mix: &Mix) -> usize {
        let bound = session.bound();
        match self {
            Self::Soloed => bound.sliders.soloed.iter().filter(|is_soloed| **is_soloed).count(),
            Self::Muted => bound.sliders.muted.iter().filter(|is_muted| **is_muted).count(),
            Self::TakenOver => {
                (0..session.head.channels.len()).filter(|&channel| session.is_taken(channel, mix)).count()
            }
        }
    }

    fn clear(self, session: &mut Session) {
        match self {
            Self::Soloed => session.edits.unsolo_all(),
            Self::Muted => session.edits.unmute_all(),
            Self::TakenOver => session.give_back_all(),
        }
    }

    fn appearance(self) -> (Icon, Color32, &'static str, &'static str) {
        match self {
            Self::Soloed => (Icon::Solo, theme::ACCENT_BRIGHT, "soloed", "Click to unsolo all."),
            Self::Muted => (Icon::Mute, theme::WARNING, "muted", "Click to unmute all."),
            Self::TakenOver => {
                (Icon::GiveBack, theme::TEXT_WEAK, "taken over", "Click to give all back to their animation or pose.")
            }
        }
    }
}

/// Shows one chip for each state that any channel has, from right to left. If there is not enough room, only icons and
/// counts are shown.
fn chips_ui(ui: &mut egui::Ui, session: &mut Session, mix: &Mix) {
    let counts = [Chip::TakenOver, Chip::Muted, Chip::Soloed].map(|chip| (chip, chip.count(session, mix)));
    let shown = counts.into_iter().filter(|(_, count)| *count > 0);
    let widest: f32 = shown.clone().map(|(chip, count)| width(ui, &words(chip, count))).sum();
    let has_room = widest + theme::GAP * 2.0 < ui.available_width();
    ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
    for (chip, count) in shown {
        let text = if has_room { words(chip, count) } else { count.to_string() };
        if chip_ui(ui, chip, count, &text) {
            chip.clear(session);
        }
    }
}

fn words(chip: Chip, count: usize) -> String {
    format!("{count} {}", chip.appearance().2)
}

fn width(ui: &egui::Ui, text: &str) -> f32 {
    let text = ui.painter().layout_no_wrap(text.to_owned(), theme::small_font(), theme::TEXT);
    text.size().x + theme::ICON_BUTTON_SIZE * 2.0
}

fn chip_ui(ui: &mut egui::Ui, chip: Chip, count: usize, text: &str) -> bool {
    let (icon, color, state, tip) = chip.appearance();
    let (_, rect) = ui.allocate_space(vec2(width(ui, text), CHIP_HEIGHT));
    let response = ui.interact(rect, Id::unique(("chip", state)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Clear {count} {state}")));
    let is_highlighted = response.hovered() || response.has_focus();
    let painter = ui.painter();
    painter.rect_filled(rect, theme::ROUNDING, if is_highlighted { theme::WELL_HOVERED } else { theme::WELL });
    let at = pos2(rect.left() + theme::ICON_BUTTON_SIZE + 2.0, rect.center().y);
    painter.text(at, Align2::LEFT_CENTER, text, theme::small_font(), theme::TEXT);
    let cross = if is_highlighted { theme::TEXT } else { theme::ICON_WEAK };
    for (x, icon, color) in [(rect.left() + 11.0, icon, color), (rect.right() - 9.0, Icon::Close, cross)] {
        let mark = Rect::from_center_size(pos2(x, rect.center().y), vec2(CHIP_HEIGHT, CHIP_HEIGHT));
        icon.paint(painter, mark, color);
    }
    response.on_hover_text(tip).clicked()
}
