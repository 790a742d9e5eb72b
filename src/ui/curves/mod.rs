//! The curves panel, which shows the animation of channels as curves. On the left is a list of channels or columns, in
//! the middle the plot, and on the right the mapping of the take's columns that the selected curves come from.

mod column_map;
mod drawing;
mod extent;
mod hover;
mod key_markers;
mod list;
mod plot;
mod ruler;
mod state;

pub(crate) use state::CurvesState;

use egui::{UiBuilder, vec2};

use crate::motion::Mix;
use crate::session::Session;

use super::{UiState, theme};

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

/// Shows the panel.
pub(super) fn curves_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, mix: &Mix) {
    let area = ui.available_rect_before_wrap();
    ui.allocate_rect(area, egui::Sense::hover());
    state.curves.update_take(session);
    let sources = drawing::sources(session);
    let part = |ui: &mut egui::Ui, min_x: f32, max_x: f32, name: &str| {
        let rect = area.with_min_x(min_x).with_max_x(max_x);
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(name));
        child.set_clip_rect(rect.intersect(ui.clip_rect()));
        child
    };
    let has_map = !state.curves.selected_columns(&sources).is_empty();
    let least_list_width = if has_map { LEAST_LIST_WIDTH_BESIDE_MAP } else { LEAST_LIST_WIDTH };
    let list_right = area.left() + (area.width() * LIST_PART).clamp(least_list_width, MOST_LIST_WIDTH);
    list::list_ui(&mut part(ui, area.left(), list_right, "list"), session, state, &sources, mix);
    let columns = state.curves.selected_columns(&sources);
    let map_width = (area.width() * MAP_PART).clamp(LEAST_MAP_WIDTH, MOST_MAP_WIDTH);
    let plot_right = if columns.is_empty() { area.right() } else { area.right() - map_width - theme::GAP };
    let mut plot_ui = part(ui, list_right + theme::GAP, plot_right, "plot");
    plot::plot_ui(&mut plot_ui, session, &mut state.curves, &sources);
    if !columns.is_empty() {
        let mut map_ui = part(ui, plot_right + theme::GAP, area.right(), "map");
        map_ui.spacing_mut().item_spacing = vec2(theme::GAP, theme::GAP_SMALL);
        column_map::column_map_ui(&mut map_ui, session, state, &columns);
    }
}
