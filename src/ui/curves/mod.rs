//! The curves panel, which shows the animation of channels as curves. On the left is a list of channels or columns, in
//! the middle the plot, and on the right the mapping of the take's columns that the selected curves come from.

mod captions;
mod column_map;
mod dope_sheet;
mod drawing;
mod extent;
mod hover;
mod keys;
mod lanes;
mod list;
mod navigation;
mod plot;
mod range;
mod ruler;
mod state;
mod toolbar;

pub(crate) use keys::CurvesAction;
pub(crate) use keys::{act, mode_menu_ui};
pub(crate) use state::CurvesState;

use egui::{Rect, UiBuilder, vec2};

use smirk_editor::session::Session;
use smirk_face::motion::Mix;
use smirk_files::audio::Sound;

use super::{Page, PointedAt, UiState, theme};

/// The part of the panel's width that the list has, and its limits. A narrow panel leaves more to the plot while it also
/// shows the mapping.
const LIST_PART: f32 = 0.26;
const LEAST_LIST_WIDTH: f32 = 212.0;
const LEAST_LIST_WIDTH_BESIDE_MAP: f32 = 150.0;
const MOST_LIST_WIDTH: f32 = 320.0;
/// The same for the mapping.
const MAP_PART: f32 = 0.38;
const LEAST_MAP_WIDTH: f32 = 212.0;
const MOST_MAP_WIDTH: f32 = 248.0;

/// The columns of the take that the selected curves come from; empty if none is selected.
pub(super) fn selected_columns(session: &Session, curves: &CurvesState) -> Vec<usize> {
    if curves.has_selection() { curves.selected_columns(&drawing::sources(session)) } else { Vec::new() }
}

/// Shows the panel.
pub(super) fn curves_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    mix: &Mix,
    sound: Option<&Sound>,
) {
    let area = ui.available_rect_before_wrap();
    ui.allocate_rect(area, egui::Sense::hover());
    state.curves.update_take(session);
    let mut sources = drawing::sources(session);
    if state.curves.shows_difference && !state.curves.shows_dope_sheet {
        sources.compare(session);
    }
    let columns_of = |min_x: f32, max_x: f32| area.with_min_x(min_x).with_max_x(max_x);
    let part = |ui: &mut egui::Ui, rect: Rect, name: &str| {
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name));
        child.set_clip_rect(rect.intersect(ui.clip_rect()));
        child
    };
    let has_map = !state.curves.selected_columns(&sources).is_empty();
    let least_list_width = if has_map { LEAST_LIST_WIDTH_BESIDE_MAP } else { LEAST_LIST_WIDTH };
    let list_right = area.left() + (area.width() * LIST_PART).clamp(least_list_width, MOST_LIST_WIDTH);
    list::list_ui(&mut part(ui, columns_of(area.left(), list_right), "list"), session, state, &sources, mix);
    let columns = state.curves.selected_columns(&sources);
    let map_width = (area.width() * MAP_PART).clamp(LEAST_MAP_WIDTH, MOST_MAP_WIDTH);
    let plot_right = if columns.is_empty() { area.right() } else { area.right() - map_width - theme::GAP };
    let band_secs = state.take_edits.span(session).filter(|_| state.panels.page == Page::Motion);
    state.curves.image.set_band(band_secs);
    // A narrow plot beside the mapping has not enough room for the buttons, which then reach over the mapping.
    let is_narrow = plot_right - list_right < toolbar::LEAST_WIDTH;
    let toolbar_right = if is_narrow { area.right() } else { plot_right };
    let mut toolbar_ui = part(ui, columns_of(list_right + theme::GAP, toolbar_right), "toolbar");
    toolbar::toolbar_ui(&mut toolbar_ui, session, &mut state.curves);
    let graph = columns_of(list_right + theme::GAP, plot_right).with_min_y(area.top() + toolbar::HEIGHT);
    let mut graph_ui = part(ui, graph, "graph");
    if state.curves.shows_dope_sheet {
        dope_sheet::dope_sheet_ui(&mut graph_ui, session, &mut state.curves, &sources, sound);
    } else {
        plot::plot_ui(&mut graph_ui, session, &mut state.curves, &sources, sound);
    }
    if let Some(drawing::CurveItem::Channel(channel)) = state.curves.hovered {
        state.pointed_at = Some(PointedAt::Channel(channel));
    }
    if let Some(text) = state.curves.keys.clipboard_text.take() {
        ui.ctx().copy_text(text);
    }
    if !columns.is_empty() {
        let top = if is_narrow { area.top() + toolbar::HEIGHT } else { area.top() };
        let mut map_ui = part(ui, columns_of(plot_right + theme::GAP, area.right()).with_min_y(top), "map");
        map_ui.spacing_mut().item_spacing = vec2(theme::GAP, theme::GAP_SMALL);
        column_map::column_map_ui(&mut map_ui, session, state, &columns);
    }
}
