//! Lanes between the ruler and the plot: the waveform of the sound, and the markers. A click goes to a marker, a drag
//! moves it, a double click renames it.

mod waveform;

use egui::{Align2, Id, Rect, Response, Role, Sense, Stroke, WidgetInfo, pos2, vec2};

use smirk_face::motion::Marker;
use smirk_session::Session;

use super::extent::Plot;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{EntryOutcome, EntryStyle, TextEntry, inverts_snap, text};
use waveform::waveform_ui;

/// The least height of the plot below the lanes; if there is less, the lanes are not shown.
const LEAST_BELOW: f32 = 60.0;
const WAVEFORM_HEIGHT: f32 = 30.0;
const MARKERS_HEIGHT: f32 = 20.0;
const FLAG: f32 = 7.0;
const AROUND_TEXT: f32 = FLAG + 4.0;
/// Where markers are closer than this, only some of them are drawn.
const LEAST_DISTANCE: f32 = 3.0;
const FIELD_WIDTH: f32 = 120.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    waveform: Option<Rect>,
    markers: Option<Rect>,
}

impl Lanes {
    /// The lanes at the top of `area`, and what is left of it. Each lane is there while it has something to show.
    pub(super) fn at_top_of(area: Rect, session: &Session) -> (Self, Rect) {
        let mut left = area;
        let lanes = [(WAVEFORM_HEIGHT, session.sound().is_some()), (MARKERS_HEIGHT, !session.edits.markers.is_empty())];
        let [waveform, markers] = lanes.map(|(height, has_content)| {
            let lane = left.with_max_y(left.top() + height);
            let is_shown = has_content && left.height() - height >= LEAST_BELOW;
            is_shown.then(|| left.set_top(lane.bottom())).map(|()| lane)
        });
        (Self { waveform, markers }, left)
    }

    /// Shows the lanes, and lets markers be edited. `plot` is below them.
    pub(super) fn show_ui(&self, ui: &mut egui::Ui, plot: &Plot, cx: &mut PanelContext<'_>, markers: &mut MarkerLane) {
        if let Some(lane) = self.waveform {
            waveform_ui(ui, &plot.with_rect(lane), cx.session, cx.state.sound.view.sound());
        }
        if let Some(lane) = self.markers {
            markers.show_ui(ui, &plot.with_rect(lane), cx.session);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct MarkerLane {
    dragged: Option<usize>,
    renamed: Option<(usize, TextEntry)>,
}

impl MarkerLane {
    fn show_ui(&mut self, ui: &mut egui::Ui, lane: &Plot, session: &mut Session) {
        let rect = lane.rect;
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, theme::BACKDROP);
        painter.hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(1.0, theme::WELL));
        if !ui.input(|input| input.pointer.primary_down()) {
            self.dragged = None;
        }
        let shown = shown_markers(session.edits.markers.all(), lane);
        for (place, &(index, x)) in shown.iter().enumerate() {
            let next_x = shown.get(place + 1).map_or(lane.rect.right(), |&(_, x)| x);
            let Some(marker) = session.edits.markers.all().get(index).cloned() else { continue };
            let width = (next_x - x).min(AROUND_TEXT + text_width(&painter, &marker.text));
            let rect =
                Rect::from_min_size(pos2(x, lane.rect.top()), vec2(width.max(LEAST_DISTANCE), lane.rect.height()));
            let response = ui.interact(rect, Id::unique(("marker", index)), Sense::click_and_drag());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Marker {}", marker.text)));
            paint_marker(&painter, rect, &marker, &response, self.dragged == Some(index));
            self.act_ui(&response, index, &marker, session);
        }
        self.rename_ui(ui, lane, session);
        // While a name is typed, its marker keeps its index.
        if self.renamed.is_none() {
            self.drag_ui(ui, lane, session);
        }
    }

    fn act_ui(&mut self, response: &Response, index: usize, marker: &Marker, session: &mut Session) {
        if response.double_clicked() {
            self.renamed = Some((index, TextEntry::new(&marker.text)));
        } else if response.clicked() {
            session.clock.timeline.playing = false;
            session.seek(marker.time_secs);
        } else if response.drag_started_by(egui::PointerButton::Primary) {
            self.dragged = Some(index);
        }
        let response = response.clone().on_hover_ui(|ui| {
            ui.label(text::shown(&marker.text));
            ui.weak(format!("{}. Drag to move, double-click to rename", session.edits.timeline.text(marker.time_secs)));
        });
        response.context_menu(|ui| {
            if ui.button("Rename marker").clicked() {
                self.renamed = Some((index, TextEntry::new(&marker.text)));
                ui.close();
            }
            if ui.button("Delete marker").clicked() {
                session.edits.markers.remove(index);
                ui.close();
            }
        });
    }

    /// Moves the marker that is held. It may pass others, which changes its index and theirs.
    fn drag_ui(&mut self, ui: &egui::Ui, lane: &Plot, session: &mut Session) {
        let (Some(index), Some(pointer)) = (self.dragged, ui.input(|input| input.pointer.latest_pos())) else { return };
        let secs = lane.secs_at(pointer.x).clamp(0.0, session.timeline_secs());
        let time_secs = session.edits.timeline.dragged_to(secs, inverts_snap(ui));
        self.dragged = session.edits.markers.move_to(index, time_secs).or(self.dragged);
    }

    fn rename_ui(&mut self, ui: &mut egui::Ui, lane: &Plot, session: &mut Session) {
        let Some((index, entry)) = &mut self.renamed else { return };
        let Some(marker) = session.edits.markers.all().get(*index) else {
            self.renamed = None;
            return;
        };
        let x = lane.x(marker.time_secs).min(lane.rect.right() - FIELD_WIDTH).max(lane.rect.left());
        let rect = Rect::from_min_size(pos2(x, lane.rect.top()), vec2(FIELD_WIDTH, lane.rect.height()));
        let style = EntryStyle {
            name: "Name of the marker",
            font: theme::small_font(),
            align: Align2::LEFT_CENTER,
            is_number: false,
        };
        match entry.field_ui(ui, Id::unique("name of a marker"), rect, style) {
            EntryOutcome::Open => return,
            EntryOutcome::Accepted(name) => session.edits.markers.rename(*index, &name),
            EntryOutcome::Kept => {}
        }
        self.renamed = None;
    }
}

/// The markers that are visible and far enough apart, with their positions.
fn shown_markers(markers: &[Marker], lane: &Plot) -> Vec<(usize, f32)> {
    let [start, end] = lane.extent.secs;
    let first = markers.partition_point(|marker| marker.time_secs < start);
    let mut shown: Vec<(usize, f32)> = Vec::new();
    for (index, marker) in markers.iter().enumerate().skip(first).take_while(|(_, marker)| marker.time_secs <= end) {
        let x = lane.x(marker.time_secs);
        if shown.last().is_none_or(|&(_, last)| x - last >= LEAST_DISTANCE) {
            shown.push((index, x));
        }
    }
    shown
}

fn text_width(painter: &egui::Painter, text: &str) -> f32 {
    painter.layout_no_wrap(text::shown(text).into_owned(), theme::small_font(), theme::TEXT).size().x
}

fn paint_marker(painter: &egui::Painter, rect: Rect, marker: &Marker, response: &Response, is_dragged: bool) {
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
    // The available width may have been computed from the text's, with a rounding error.
    let shown = (width > 0.0).then(|| text::elide_middle(painter, text, &theme::small_font(), width + 0.5))?;
    (shown != "…").then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::extent::Extent;

    #[test]
    fn markers_that_are_too_close_are_left_out_and_those_outside_too() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 20.0));
        let lane = Plot { rect, extent: Extent { secs: [1.0, 2.0], values: [0.0, 1.0] } };
        let markers =
            [0.5, 1.0, 1.01, 1.5, 2.5].map(|time_secs| Marker { time_secs, text: String::new(), ..Marker::default() });
        let shown = shown_markers(&markers, &lane);
        assert_eq!(shown.iter().map(|&(index, _)| index).collect::<Vec<_>>(), [1, 3]);
        let dense: Vec<Marker> = (0..20_000)
            .map(|index| Marker { time_secs: 1.0 + index as f32 / 20_000.0, text: String::new(), ..Marker::default() })
            .collect();
        assert!(shown_markers(&dense, &lane).len() < 50);
    }
}
