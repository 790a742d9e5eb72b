//! The curves panel, which shows the animation of channels as curves. On the left is a list of channels or columns, in
//! the middle the plot, and on the right the mapping of the take's columns that the selected curves come from.

mod captions;
mod dope_sheet;
mod drawing;
mod extent;
mod hover;
mod key_commands;
mod key_pointer;
mod keys;
mod lanes;
mod list;
mod plot;
mod ruler;
mod toolbar;

use egui::{Rect, ScrollArea, UiBuilder, vec2};

use dope_sheet::DopeSheet;
use drawing::{CurveImage, CurveSources};
use keys::KeyEditing;
use lanes::MarkerLane;

use crate::context::PanelContext;
use crate::curve_selection::CurveItem;
use crate::state::{HeadMarks, Page, PointedAt};
use crate::theme;
use crate::widgets::{ColumnEdit, TipSide, column_map_ui, keep_tips_off, text};
use smirk_face::head::Clip;
use smirk_face::motion::Layer;
use smirk_session::Session;

/// The part of the panel's width that the list has, and its limits. A narrow panel leaves more to the plot while it
/// also shows the mapping.
const LIST_PART: f32 = 0.26;
const LEAST_LIST_WIDTH: f32 = 212.0;
const LEAST_LIST_WIDTH_BESIDE_MAP: f32 = 150.0;
const MOST_LIST_WIDTH: f32 = 320.0;
const MAP_PART: f32 = 0.38;
const LEAST_MAP_WIDTH: f32 = 212.0;
const MOST_MAP_WIDTH: f32 = 248.0;

#[derive(Debug, Default)]
pub struct CurvesPanel {
    search: String,
    /// The item under the pointer, in the list or the plot. Its curve is drawn bold.
    hovered: Option<CurveItem>,
    /// The animation of all channels, collected in each frame.
    sources: CurveSources,
    /// The visible seconds; `None` for the whole timeline.
    visible_secs: Option<[f32; 2]>,
    /// The visible values; `None` for the range of all curves.
    visible_values: Option<[f32; 2]>,
    image: CurveImage,
    is_normalised: bool,
    shows_difference: bool,
    shows_dope_sheet: bool,
    dope_sheet: DopeSheet,
    keys: KeyEditing,
    markers: MarkerLane,
    /// Whether the pointer was over the plot in the last frame, so that keys act on it.
    pub(crate) is_hovered: bool,
}

fn why_empty(session: &Session) -> String {
    const HINT: &str = "choose a clip or a take, or right-click a slider to set a key.";
    if let Some(entry) = session.take() {
        let name = text::shown(&entry.take.name);
        return match entry.take.columns.len() {
            0 => format!("The take {name} has no columns."),
            _ => format!("No column of the take {name} drives a channel of this head. Map them under Columns."),
        };
    }
    let mut clips = session.clips().peekable();
    if clips.peek().is_none() {
        return format!("Nothing that has curves is chosen: {HINT}");
    }
    let moved = if clips.any(Clip::moves_nodes) { "nodes, not channels" } else { "no channel of this head" };
    format!("{} moves {moved}: {HINT}", text::shown(&session.layer_name(Layer::Clip)))
}

impl CurvesPanel {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let area = ui.available_rect_before_wrap();
        ui.allocate_rect(area, egui::Sense::hover());
        if cx.marks.curve_selection.follow_take(cx.session) {
            self.visible_secs = None;
        }
        self.sources = drawing::sources(cx.session);
        if self.shows_difference && !self.shows_dope_sheet {
            self.sources.compare(cx.session);
        }
        let has_map = !self.selected_columns(cx).is_empty();
        let least_list_width = if has_map { LEAST_LIST_WIDTH_BESIDE_MAP } else { LEAST_LIST_WIDTH };
        let list_right = area.left() + (area.width() * LIST_PART).clamp(least_list_width, MOST_LIST_WIDTH);
        self.list_ui(&mut part(ui, area.with_max_x(list_right), "list"), cx);
        let columns = self.selected_columns(cx);
        let map_width = (area.width() * MAP_PART).clamp(LEAST_MAP_WIDTH, MOST_MAP_WIDTH);
        let plot_right = if columns.is_empty() { area.right() } else { area.right() - map_width - theme::GAP };
        let shows_edits = cx.state.panels.page == Page::Motion;
        self.image.set_band(cx.state.selected_edit.span(cx.session).filter(|_| shows_edits));
        // A narrow plot beside the mapping has not enough room for the buttons, which then reach over the mapping.
        let is_narrow = plot_right - list_right < toolbar::LEAST_WIDTH;
        let toolbar_right = if is_narrow { area.right() } else { plot_right };
        let right = area.with_min_x(list_right + theme::GAP);
        self.toolbar_ui(&mut part(ui, right.with_max_x(toolbar_right), "toolbar"), cx);
        let graph = right.with_max_x(plot_right).with_min_y(area.top() + toolbar::HEIGHT);
        let mut graph_ui = part(ui, graph, "graph");
        if self.shows_dope_sheet {
            self.dope_sheet_ui(&mut graph_ui, cx);
        } else {
            self.plot_ui(&mut graph_ui, cx);
        }
        if let Some(CurveItem::Channel(channel)) = self.hovered {
            cx.marks.pointed_at = Some(PointedAt::Channel(channel));
        }
        if let Some(text) = self.keys.clipboard_text.take() {
            ui.ctx().copy_text(text);
        }
        if !columns.is_empty() {
            let top = if is_narrow { area.top() + toolbar::HEIGHT } else { area.top() };
            let mut map_ui = part(ui, area.with_min_x(plot_right + theme::GAP).with_min_y(top), "map");
            map_ui.spacing_mut().item_spacing = vec2(theme::GAP, theme::GAP_SMALL);
            selected_columns_ui(&mut map_ui, cx.session, cx.marks, &columns);
        }
    }

    fn selected_columns(&self, cx: &PanelContext<'_>) -> Vec<usize> {
        cx.marks.curve_selection.columns(|channel| self.sources.take_columns(channel))
    }

    /// The number of times that the curve image was drawn. Playback must not increase it.
    pub fn drawn_images(&self) -> usize {
        self.image.times_drawn()
    }

    /// Whether shortcuts act on keys: the pointer is over the graph or the dope sheet.
    pub(crate) fn takes_keys(&self) -> bool {
        self.is_hovered
    }

    pub fn selected_keys(&self) -> usize {
        self.keys.selection.len()
    }

    /// Keeps what is searched, shown and selected when the same head was read again. Everything else is found again
    /// from the new head.
    pub(crate) fn follow_reload(&mut self) {
        let before = std::mem::take(self);
        *self = Self {
            search: before.search,
            visible_secs: before.visible_secs,
            visible_values: before.visible_values,
            is_normalised: before.is_normalised,
            shows_difference: before.shows_difference,
            shows_dope_sheet: before.shows_dope_sheet,
            dope_sheet: before.dope_sheet.after_reload(),
            keys: before.keys.after_reload(),
            is_hovered: before.is_hovered,
            ..Self::default()
        };
    }
}

fn part(ui: &mut egui::Ui, rect: Rect, name: &str) -> egui::Ui {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    match name {
        "list" => keep_tips_off(ui.ctx(), rect, TipSide::Right),
        "map" => keep_tips_off(ui.ctx(), rect, TipSide::Left),
        "toolbar" => keep_tips_off(ui.ctx(), rect.with_max_y(rect.top() + toolbar::HEIGHT), TipSide::Below),
        _ => {}
    }
    child
}

/// Shows how the selected columns of the take are mapped. A change applies to all of them.
fn selected_columns_ui(ui: &mut egui::Ui, session: &mut Session, marks: &mut HeadMarks, columns: &[usize]) {
    let Some(entry) = session.take().cloned() else { return };
    let shown: Vec<_> = columns.iter().filter_map(|&column| entry.map.columns.get(column)).collect();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let title = match shown[..] {
            [column] => text::shown(&column.column).into_owned(),
            _ => format!("{} columns", columns.len()),
        };
        ui.add(egui::Label::new(egui::RichText::new(title).strong()).truncate());
        let on_face = marks.shown_target.as_ref().map(|shown| shown.name.as_str());
        match (column_map_ui(ui, &session.head, &shown, on_face, true), columns) {
            (Some(ColumnEdit::Show(name)), _) => marks.toggle_target(session, &name),
            (Some(ColumnEdit::Channels(channels)), &[column]) => {
                session.takes_mut().map_column(entry.id, column, channels)
            }
            (Some(ColumnEdit::Numbers(change)), _) => session.takes_mut().edit_map(entry.id, |map, _| {
                columns.iter().for_each(|&column| map.columns.get_mut(column).into_iter().for_each(&change));
            }),
            _ => {}
        }
    });
}
