//! The plot with curves, keys and play head. Dragging on the ruler scrubs; dragging in the plot selects keys or moves
//! them; dragging with the middle or right button pans; the wheel zooms.

use egui::{Rect, Role, Sense, Shape, Stroke, WidgetInfo, pos2};

use smirk_session::Session;

use super::extent::{Extent, Navigation, Plot};
use super::lanes::Lanes;
use super::{CurvesPanel, ruler, why_empty};
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::pose_over_ui;

impl CurvesPanel {
    pub(super) fn plot_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let area = to_pixels(ui, ui.max_rect());
        let ruler = area.with_max_y(area.top() + ruler::HEIGHT);
        let (lanes, below) = Lanes::at_top_of(area.with_min_y(ruler.bottom()), cx.session);
        let rect = to_pixels(ui, below);
        if rect.width() < 40.0 || rect.height() < 20.0 {
            return;
        }
        let response = ui.interact(rect, ui.scope_id().with("plot"), Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Curves"));
        self.is_hovered = ui.rect_contains_pointer(area);
        self.keys.update_selection(cx.session);
        self.image.set_normalised(self.is_normalised);
        self.image.set_curves(self.sources.curves(cx.session, &cx.marks.curve_selection));
        self.follow_play_head(cx.session);
        let frozen = self.keys.gesture.as_ref().map(|gesture| gesture.extent);
        let mut plot = Plot { rect, extent: frozen.unwrap_or_else(|| self.extent()) };
        if frozen.is_none() {
            self.navigate(Navigation::read(ui, &response, area), &mut plot);
        }
        ruler::scrub_ui(ui, &plot.with_rect(ruler), cx.session);
        if let Some(dragged) = &mut cx.marks.dragged_pose {
            let scale = area.with_min_x(rect.left());
            let secs = pose_over_ui(ui, scale, |secs| plot.x(secs), |x| plot.secs_at(x), cx.session);
            dragged.time_secs = secs.or(dragged.time_secs);
        }
        let before = cx.session.edits.revision();
        self.pointer_ui(ui, &response, &plot, cx);
        response.context_menu(|ui| self.context_menu_ui(ui, cx));
        // The drag of a key has changed its curve.
        if cx.session.edits.revision() != before {
            self.image.set_curves(self.sources.curves(cx.session, &cx.marks.curve_selection));
        }

        let painter = ui.painter_at(area);
        painter.rect_filled(rect, 0.0, theme::BACKDROP);
        ruler::paint_values(&painter, &plot);
        ruler::paint_time(&painter, ruler, &plot, &cx.session.edits.timeline);
        let size_px =
            [rect.width(), rect.height()].map(|side| (side * ui.pixels_per_point()).round().max(1.0) as usize);
        let texture = self.image.texture(ui.ctx(), plot.extent, size_px).id();
        let in_plot = ui.painter_at(rect);
        in_plot.image(texture, rect, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), egui::Color32::WHITE);
        ruler::paint_range(&painter, ruler, &plot, cx.session);
        if self.shows_difference && self.image.largest_difference().is_some() {
            in_plot.hline(rect.x_range(), plot.y(0.0), Stroke::new(1.0, theme::TEXT_WEAK));
        }
        lanes.show_ui(ui, &plot, cx, &mut self.markers);
        self.captions_ui(ui, rect, cx.session);
        if self.image.is_empty() {
            let (why, width) = (why_empty(cx.session), rect.width() - 2.0 * theme::GAP_LARGE);
            let why = in_plot.layout(why, theme::body_font(), theme::TEXT_WEAK, width);
            in_plot.galley(rect.center() - why.size() * 0.5, why, theme::TEXT_WEAK);
            if cx.session.timeline_secs() > 0.0 {
                ruler::paint_play_head(&painter, ruler, &plot, cx.session);
            }
            ruler::paint_value_numbers(&in_plot, &plot);
            return;
        }
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(rect));
        let is_idle = self.keys.gesture.is_none() && !response.dragged();
        let hovered = pointer.filter(|_| is_idle).and_then(|at| {
            let on_curve = self.hovered_point(ui, &plot, at);
            self.hovered_key(&plot, at, on_curve, cx).or(on_curve)
        });
        if let Some(point) = &hovered {
            self.hovered = Some(point.item);
        }
        self.paint_hovered(&in_plot, &plot);
        self.keys_ui(ui, &in_plot, &plot, cx);
        ruler::paint_play_head(&painter, ruler, &plot, cx.session);
        ruler::paint_value_numbers(&in_plot, &plot);
        if let Some(point) = &hovered {
            self.paint_hovered_point(&in_plot, &plot, cx.session, point);
        }
        self.file_keys_ui(ui, rect, cx);
    }

    /// The visible range: everything, unless the user has zoomed or panned.
    fn extent(&self) -> Extent {
        Extent {
            secs: self.visible_secs.unwrap_or_else(|| Extent::all_secs(self.sources.end_secs)),
            values: self.visible_values.unwrap_or_else(|| Extent::all_values(self.image.range())),
        }
    }

    /// Pans when the play head leaves the visible range during playback.
    fn follow_play_head(&mut self, session: &Session) {
        let Some([start, end]) = self.visible_secs.filter(|_| session.clock.timeline.playing) else { return };
        let head = session.clock.timeline.time_secs;
        if !(start..=end).contains(&head) {
            let extent = Extent { secs: [start, end], values: [0.0, 1.0] };
            self.visible_secs =
                extent.moved_secs(1.0, start, head - start - 0.05 * (end - start), self.sources.end_secs);
        }
    }

    /// Zooms the time by the wheel and the values by a pinch, and pans both by a drag.
    fn navigate(&mut self, hand: Navigation, plot: &mut Plot) {
        hand.move_secs((hand.scroll.y * 0.004).exp(), plot, &mut self.visible_secs, self.sources.end_secs);
        let by = hand.drag.y * (plot.extent.values[1] - plot.extent.values[0]) / plot.rect.height();
        if by != 0.0 || hand.pinch != 1.0 {
            let around = plot.value_at(hand.center(plot.rect).y);
            plot.extent.values = plot.extent.moved_values(hand.pinch, around, by);
            self.visible_values = Some(plot.extent.values);
        }
    }

    fn paint_hovered(&self, painter: &egui::Painter, plot: &Plot) {
        let Some(item) = self.hovered else { return };
        let stroke = Stroke::new(2.5, self.sources.color(item));
        for outline in self.image.outlines_of(item) {
            let step = plot.rect.width() / outline.len().max(1) as f32;
            let spans = outline.iter().enumerate().filter(|(_, span)| span[0] <= span[1]);
            // The points alternate between the low and the high end of the spans, so that the line visits both.
            let points = spans.flat_map(|(column, &[low, high])| {
                let x = plot.rect.left() + (column as f32 + 0.5) * step;
                let ends = if column % 2 == 0 { [low, high] } else { [high, low] };
                let count = if low == high { 1 } else { 2 };
                ends.into_iter().take(count).map(move |value| pos2(x, plot.y(value)))
            });
            painter.add(Shape::line(points.collect(), stroke));
        }
    }
}

/// Rounds to whole pixels, so that each texel of the curve image covers one pixel.
fn to_pixels(ui: &egui::Ui, rect: Rect) -> Rect {
    let scale = ui.pixels_per_point();
    let [min, max] = [rect.min, rect.max].map(|at| (at.to_vec2() * scale).round() / scale);
    Rect::from_min_max(min.to_pos2(), max.to_pos2())
}
