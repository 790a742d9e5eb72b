//! The plot with curves, keys and play head. Dragging on the ruler scrubs; dragging in the plot selects keys or moves
//! them; dragging with the middle or right button pans; the wheel zooms.

use egui::{Align2, Rect, Role, Sense, Shape, Stroke, WidgetInfo, pos2};

use crate::theme;
use crate::widgets::{drag_play_head, is_snap_turned_round};
use smirk_editor::session::Session;
use smirk_face::head::Clip;
use smirk_files::audio::Sound;

use super::drawing::{CurveItem, CurveSources};
use super::extent::Extent;
use super::keys::{self, MarkerStyle};
use super::lanes::Lanes;
use super::navigation::Navigation;
use super::state::CurvesState;
use super::{captions, hover, range, ruler};

/// Shows the plot and its scales.
pub(super) fn plot_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    sound: Option<&Sound>,
) {
    let area = to_pixels(ui, ui.max_rect());
    let ruler = area.with_max_y(area.top() + ruler::HEIGHT);
    let (lanes, below) = Lanes::at_top_of(area.with_min_y(ruler.bottom()), session);
    let plot = to_pixels(ui, below);
    if plot.width() < 40.0 || plot.height() < 20.0 {
        return;
    }
    let response = ui.interact(plot, ui.scope_id().with("plot"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Curves"));
    curves.is_hovered = ui.rect_contains_pointer(area);
    curves.keys.update_selection(session);
    curves.image.set_normalised(curves.is_normalised);
    curves.image.set_curves(sources.curves(session, curves.lists_columns, &curves.selected));
    follow_play_head(session, curves, sources.end_secs);
    let frozen = curves.keys.gesture.as_ref().map(|gesture| gesture.extent);
    let mut extent = frozen.unwrap_or_else(|| extent_of(curves, sources));
    if frozen.is_none() {
        navigate(Navigation::read(ui, &response, area), plot, curves, &mut extent, sources.end_secs);
    }
    scrub_ui(ui, ruler, &extent, session);
    let before = session.edits.revision();
    keys::pointer_ui(ui, &response, plot, &extent, session, curves, sources);
    response.context_menu(|ui| keys::context_menu_ui(ui, session, curves));
    // The drag of a key has changed its curve.
    if session.edits.revision() != before {
        curves.image.set_curves(sources.curves(session, curves.lists_columns, &curves.selected));
    }

    let painter = ui.painter_at(area);
    painter.rect_filled(plot, 0.0, theme::BACKDROP);
    ruler::paint_values(&painter, plot, &extent);
    ruler::paint_time(&painter, ruler, plot, &extent, &session.edits.timeline);
    let size_px = [plot.width(), plot.height()].map(|side| (side * ui.pixels_per_point()).round().max(1.0) as usize);
    let texture = curves.image.texture(ui.ctx(), extent, size_px).id();
    let in_plot = ui.painter_at(plot);
    in_plot.image(texture, plot, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), egui::Color32::WHITE);
    range::paint(&painter, ruler, plot, &extent, session);
    if curves.shows_difference && curves.image.largest_difference().is_some() {
        in_plot.hline(plot.x_range(), extent.y(plot, 0.0), Stroke::new(1.0, theme::TEXT_WEAK));
    }
    lanes.show_ui(ui, &extent, session, curves, sound);
    captions::captions_ui(ui, plot, session, curves);
    if curves.image.is_empty() {
        let text = if session.clips().any(Clip::moves_nodes) {
            "No curves: the clip animates nodes only. Choose a take, or right-click a slider to set a key."
        } else {
            "No curves: choose a clip or a take, or right-click a slider to set a key."
        };
        in_plot.text(plot.center(), Align2::CENTER_CENTER, text, theme::body_font(), theme::TEXT_WEAK);
        ruler::paint_value_numbers(&in_plot, plot, &extent);
        if session.timeline_secs() > 0.0 {
            paint_play_head(&painter, ruler, plot, &extent, session);
        }
        return;
    }
    let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(plot));
    let is_idle = curves.keys.gesture.is_none() && !response.dragged();
    let hovered = pointer.filter(|_| is_idle).and_then(|point| hover::find(ui, plot, curves, &extent, point));
    if let Some(point) = &hovered {
        curves.hovered = Some(point.item);
    }
    paint_hovered(&in_plot, plot, curves, sources, &extent);
    keys_ui(ui, &in_plot, plot, &extent, session, curves, sources);
    ruler::paint_value_numbers(&in_plot, plot, &extent);
    if let Some(point) = &hovered {
        hover::paint(&in_plot, plot, session, &extent, point, curves, sources);
    }
    paint_play_head(&painter, ruler, plot, &extent, session);
}

/// Scrubs, or drags an end of the range that plays.
pub(super) fn scrub_ui(ui: &egui::Ui, ruler: Rect, extent: &Extent, session: &mut Session) {
    let response = ui.interact(ruler, ui.scope_id().with("ruler"), Sense::click_and_drag());
    let time_secs = f64::from(session.clock.timeline.time_secs);
    response.widget_info(|| WidgetInfo::slider(true, time_secs, "Ruler"));
    let drags_range = range::strip(ruler, extent).drag_ui(ui, session);
    let is_held =
        response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down()) && !drags_range;
    // In a slow frame, the press and the release of a click may arrive at once, so that `is_held` is never true.
    let point = response.interact_pointer_pos().filter(|_| is_held || (response.clicked() && !drags_range));
    let to = |secs: f32| session.edits.timeline.dragged_to(secs, is_snap_turned_round(ui));
    let target_secs = point.map(|point| to(extent.secs_at(ruler, point.x)));
    drag_play_head(ui, response.id, session, is_held, target_secs);
}

/// Paints the play head with a knob on the ruler.
pub(super) fn paint_play_head(painter: &egui::Painter, ruler: Rect, plot: Rect, extent: &Extent, session: &Session) {
    let x = extent.x(plot, session.clock.timeline.time_secs);
    painter.vline(x, ruler.bottom() - 6.0..=plot.bottom(), Stroke::new(1.5, theme::TEXT));
    let knob = [pos2(x - 5.0, ruler.bottom() - 9.0), pos2(x + 5.0, ruler.bottom() - 9.0), pos2(x, ruler.bottom())];
    painter.add(Shape::convex_polygon(knob.to_vec(), theme::TEXT, Stroke::NONE));
}

/// Paints the keys with their handles.
fn keys_ui(
    ui: &egui::Ui,
    painter: &egui::Painter,
    plot: Rect,
    extent: &Extent,
    session: &Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
) {
    if curves.lists_columns {
        return;
    }
    let style = MarkerStyle {
        edits: session.edits.revision(),
        curves: (session.playing_clips.clone(), curves.image.times_drawn(), curves.is_normalised),
        extent: *extent,
        plot,
    };
    let mut markers = std::mem::take(&mut curves.keys.markers);
    let is_shown = |item: CurveItem| curves.is_shown(item);
    let shown = keys::shown_curves(session, &curves.image, sources, is_shown);
    markers.update(painter.ctx(), style, &curves.keys.selection, &shown);
    keys::paint_ui(ui, painter, plot, extent, session, (curves, &markers), &shown);
    drop(shown);
    curves.keys.markers = markers;
}

/// The visible range: everything, unless the user has zoomed or panned.
fn extent_of(curves: &CurvesState, sources: &CurveSources) -> Extent {
    Extent {
        secs: curves.visible_secs.unwrap_or_else(|| Extent::all_secs(sources.end_secs)),
        values: curves.visible_values.unwrap_or_else(|| Extent::all_values(curves.image.range())),
    }
}

/// Rounds to whole pixels, so that each texel of the curve image covers one pixel.
fn to_pixels(ui: &egui::Ui, rect: Rect) -> Rect {
    let scale = ui.pixels_per_point();
    let snap = |at: egui::Pos2| pos2((at.x * scale).round() / scale, (at.y * scale).round() / scale);
    Rect::from_min_max(snap(rect.min), snap(rect.max))
}

/// Pans when the play head leaves the visible range during playback.
fn follow_play_head(session: &Session, curves: &mut CurvesState, end_secs: f32) {
    let Some([start, end]) = curves.visible_secs.filter(|_| session.clock.timeline.playing) else { return };
    let head = session.clock.timeline.time_secs;
    if !(start..=end).contains(&head) {
        let extent = Extent { secs: [start, end], values: [0.0, 1.0] };
        curves.visible_secs = extent.moved_secs(1.0, start, head - start - 0.05 * (end - start), end_secs);
    }
}

/// Zooms the time by the wheel and the values by a pinch, and pans both by a drag.
fn navigate(hand: Navigation, plot: Rect, curves: &mut CurvesState, extent: &mut Extent, end_secs: f32) {
    hand.move_secs((hand.scroll.y * 0.004).exp(), plot, curves, extent, end_secs);
    let by = hand.drag.y * (extent.values[1] - extent.values[0]) / plot.height();
    if by != 0.0 || hand.pinch != 1.0 {
        extent.values = extent.moved_values(hand.pinch, extent.value_at(plot, hand.center(plot).y), by);
        curves.visible_values = Some(extent.values);
    }
}

/// Paints the hovered curve again in bold.
fn paint_hovered(painter: &egui::Painter, plot: Rect, curves: &CurvesState, sources: &CurveSources, extent: &Extent) {
    let Some(item) = curves.hovered else { return };
    let stroke = Stroke::new(2.5, sources.color(item));
    for outline in curves.image.outlines_of(item) {
        let step = plot.width() / outline.len().max(1) as f32;
        let spans = outline.iter().enumerate().filter(|(_, span)| span[0] <= span[1]);
        // The points alternate between the low and the high end of the spans, so that the line visits both.
        let points = spans.flat_map(|(column, &[low, high])| {
            let x = plot.left() + (column as f32 + 0.5) * step;
            let ends = if column % 2 == 0 { [low, high] } else { [high, low] };
            let count = if low == high { 1 } else { 2 };
            ends.into_iter().take(count).map(move |value| pos2(x, extent.y(plot, value)))
        });
        painter.add(Shape::line(points.collect(), stroke));
    }
}
