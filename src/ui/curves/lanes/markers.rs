//! The marker lane: texts at times. A click goes to a marker, a drag moves it, a double click renames it.

use egui::{Align2, Id, Rect, Response, Role, Sense, Stroke, WidgetInfo, pos2, vec2};

use crate::theme;
use crate::widgets::{EntryOutcome, EntryStyle, TextEntry, is_snap_turned_round, text};
use smirk_editor::session::Session;
use smirk_face::motion::Marker;

use super::super::extent::Extent;

/// Height of the lane.
pub(super) const HEIGHT: f32 = 20.0;
/// The width of a flag without its text.
const FLAG: f32 = 7.0;
/// The width of a flag with the gaps around its text.
const AROUND_TEXT: f32 = FLAG + 4.0;
/// Where markers are closer than this, only some of them are drawn.
const LEAST_DISTANCE: f32 = 3.0;
/// The width of the field for a name.
const FIELD_WIDTH: f32 = 120.0;

/// What is done with a marker.
#[derive(Debug, Default)]
pub(in crate::curves) struct MarkerLane {
    dragged: Option<usize>,
    renamed: Option<(usize, TextEntry)>,
}

/// Shows the lane.
pub(super) fn markers_ui(
    ui: &mut egui::Ui,
    lane: Rect,
    extent: &Extent,
    session: &mut Session,
    state: &mut MarkerLane,
) {
    let painter = ui.painter_at(lane);
    painter.rect_filled(lane, 0.0, theme::BACKDROP);
    painter.hline(lane.x_range(), lane.bottom() - 0.5, Stroke::new(1.0, theme::WELL));
    if !ui.input(|input| input.pointer.primary_down()) {
        state.dragged = None;
    }
    let shown = shown_markers(session.edits.markers.all(), lane, extent);
    for (place, &(index, x)) in shown.iter().enumerate() {
        let next_x = shown.get(place + 1).map_or(lane.right(), |&(_, x)| x);
        let Some(marker) = session.edits.markers.all().get(index).cloned() else { continue };
        let width = (next_x - x).min(AROUND_TEXT + text_width(&painter, &marker.text));
        let rect = Rect::from_min_size(pos2(x, lane.top()), vec2(width.max(LEAST_DISTANCE), lane.height()));
        let response = ui.interact(rect, Id::unique(("marker", index)), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Marker {}", marker.text)));
        paint(&painter, rect, &marker, &response, state.dragged == Some(index));
        act_ui(&response, index, &marker, session, state);
    }
    drag_ui(ui, lane, extent, session, state);
    rename_ui(ui, lane, extent, session, state);
}

/// The markers that are visible and far enough apart, with their positions.
fn shown_markers(markers: &[Marker], lane: Rect, extent: &Extent) -> Vec<(usize, f32)> {
    let [start, end] = extent.secs;
    let first = markers.partition_point(|marker| marker.time_secs < start);
    let mut shown: Vec<(usize, f32)> = Vec::new();
    for (index, marker) in markers.iter().enumerate().skip(first).take_while(|(_, marker)| marker.time_secs <= end) {
        let x = extent.x(lane, marker.time_secs);
        if shown.last().is_none_or(|&(_, last)| x - last >= LEAST_DISTANCE) {
            shown.push((index, x));
        }
    }
    shown
}

fn text_width(painter: &egui::Painter, text: &str) -> f32 {
    painter.layout_no_wrap(text::shown(text).into_owned(), theme::small_font(), theme::TEXT).size().x
}

fn paint(painter: &egui::Painter, rect: Rect, marker: &Marker, response: &Response, is_dragged: bool) {
    let is_near = response.hovered() || is_dragged;
    let color = if is_near { theme::TEXT } else { theme::MARKER };
    painter.vline(rect.left() + 0.5, rect.y_range(), Stroke::new(1.0, color));
    let flag = [vec2(1.0, 4.0), vec2(FLAG, 7.5), vec2(1.0, 11.0)].map(|by| rect.min + by).to_vec();
    painter.add(egui::Shape::convex_polygon(flag, color, Stroke::NONE));
    if let Some(text) = text_within(painter, &marker.text, rect.width() - AROUND_TEXT) {
        let at = pos2(rect.left() + FLAG + 2.0, rect.center().y);
        let color = if is_near { theme::TEXT } else { theme::TEXT_WEAK };
        painter.text(at, Align2::LEFT_CENTER, text, theme::small_font(), color);
    }
}

/// As much of the text as there is room for before the next marker; none if not even a letter fits.
fn text_within(painter: &egui::Painter, text: &str, width: f32) -> Option<String> {
    // A width that was computed from that of the text may be less by an error of rounding.
    let shown = (width > 0.0).then(|| text::elide_middle(painter, text, &theme::small_font(), width + 0.5))?;
    (shown != "…").then_some(shown)
}

/// What a click does.
fn act_ui(response: &Response, index: usize, marker: &Marker, session: &mut Session, state: &mut MarkerLane) {
    if response.double_clicked() {
        state.renamed = Some((index, TextEntry::new(&marker.text)));
    } else if response.clicked() {
        session.clock.timeline.playing = false;
        session.seek(marker.time_secs);
    } else if response.drag_started_by(egui::PointerButton::Primary) {
        state.dragged = Some(index);
    }
    let response = response.clone().on_hover_ui(|ui| {
        ui.label(text::shown(&marker.text));
        ui.weak(format!("{}. Drag to move, double-click to rename", session.edits.timeline.text(marker.time_secs)));
    });
    response.context_menu(|ui| {
        if ui.button("Rename marker").clicked() {
            state.renamed = Some((index, TextEntry::new(&marker.text)));
            ui.close();
        }
        if ui.button("Delete marker").clicked() {
            session.edits.markers.remove(index);
            ui.close();
        }
    });
}

/// Moves the marker that is held. It may pass others, which changes its index.
fn drag_ui(ui: &egui::Ui, lane: Rect, extent: &Extent, session: &mut Session, state: &mut MarkerLane) {
    let (Some(index), Some(pointer)) = (state.dragged, ui.input(|input| input.pointer.latest_pos())) else { return };
    let secs = extent.secs_at(lane, pointer.x).clamp(0.0, session.timeline_secs());
    let time_secs = session.edits.timeline.dragged_to(secs, is_snap_turned_round(ui));
    state.dragged = session.edits.markers.move_to(index, time_secs).or(state.dragged);
}

/// Shows the field for the name of a marker.
fn rename_ui(ui: &mut egui::Ui, lane: Rect, extent: &Extent, session: &mut Session, state: &mut MarkerLane) {
    let Some((index, entry)) = &mut state.renamed else { return };
    let Some(marker) = session.edits.markers.all().get(*index) else {
        state.renamed = None;
        return;
    };
    let x = extent.x(lane, marker.time_secs).min(lane.right() - FIELD_WIDTH).max(lane.left());
    let rect = Rect::from_min_size(pos2(x, lane.top()), vec2(FIELD_WIDTH, lane.height()));
    let style = EntryStyle { name: "Name of the marker", font: theme::small_font(), align: Align2::LEFT_CENTER };
    match entry.field_ui(ui, Id::unique("name of a marker"), rect, style) {
        EntryOutcome::Open => return,
        EntryOutcome::Accepted(name) => session.edits.markers.rename(*index, &name),
        EntryOutcome::Kept => {}
    }
    state.renamed = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_that_are_too_close_are_left_out_and_those_outside_too() {
        let lane = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 20.0));
        let extent = Extent { secs: [1.0, 2.0], values: [0.0, 1.0] };
        let markers = [0.5, 1.0, 1.01, 1.5, 2.5].map(|time_secs| Marker { time_secs, text: String::new() });
        let shown = shown_markers(&markers, lane, &extent);
        assert_eq!(shown.iter().map(|&(index, _)| index).collect::<Vec<_>>(), [1, 3]);
        let dense: Vec<Marker> =
            (0..20_000).map(|index| Marker { time_secs: 1.0 + index as f32 / 20_000.0, text: String::new() }).collect();
        assert!(shown_markers(&dense, lane, &extent).len() < 50);
    }
}
