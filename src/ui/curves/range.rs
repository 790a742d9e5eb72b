//! The in and out points on the ruler: the seconds that play. Their handles are in a strip along the top of the ruler.

use egui::{CursorIcon, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Vec2, WidgetInfo, pos2};

use crate::session::Session;
use crate::ui::theme;

use super::extent::Extent;
use super::range_end::RangeEnd;
use super::state::CurvesState;

/// Height of the strip.
const STRIP: f32 = 8.0;
/// The largest horizontal distance, in points, at which the pointer touches a handle.
const REACH: f32 = 8.0;

/// Moves the end of the range that is dragged. Returns whether there is one, so that the play head stays.
pub(super) fn drag_ui(
    ui: &egui::Ui,
    ruler: Rect,
    extent: &Extent,
    session: &mut Session,
    curves: &mut CurvesState,
) -> bool {
    let (pressed, pointer, is_down) = ui.input(|input| {
        let pressed = input.pointer.primary_pressed().then(|| input.pointer.press_origin()).flatten();
        (pressed, input.pointer.latest_pos(), input.pointer.primary_down())
    });
    for end in RangeEnd::BOTH {
        let at = handle_pos(ruler, extent, end.secs(session));
        let touched = Rect::from_center_size(at, Vec2::new(2.0 * REACH, STRIP));
        let response = ui.interact(touched, ui.scope_id().with(end.label()), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, end.label()));
        if response.contains_pointer() {
            ui.set_cursor_icon(CursorIcon::ResizeHorizontal);
        }
        if pressed.is_some_and(|origin| touched.contains(origin)) && session.timeline_secs() > 0.0 {
            curves.dragged_end = Some(end);
        }
        response.on_hover_text(format!(
            "{}: drag it, or press {}",
            end.label(),
            if end == RangeEnd::In { "I" } else { "O" }
        ));
    }
    let Some(end) = curves.dragged_end else { return false };
    if let Some(pointer) = pointer {
        end.set(session, extent.secs_at(ruler, pointer.x));
    }
    if !is_down {
        curves.dragged_end = None;
    }
    true
}

fn handle_pos(ruler: Rect, extent: &Extent, secs: f32) -> Pos2 {
    pos2(extent.x(ruler, secs), ruler.top() + STRIP / 2.0)
}

/// Paints the range on the ruler, and shades what does not play.
pub(super) fn paint(painter: &Painter, ruler: Rect, plot: Rect, extent: &Extent, session: &Session) {
    if session.timeline_secs() == 0.0 {
        return;
    }
    let timeline = session.edits.timeline;
    let is_set = timeline.in_secs.is_some() || timeline.out_secs.is_some();
    let [start, end] = session.range_secs().map(|secs| extent.x(plot, secs));
    let color = if is_set { theme::ACCENT_BRIGHT } else { theme::ICON_FAINT };
    let bar = Rect::from_x_y_ranges(start..=end, ruler.top() + 2.0..=ruler.top() + 4.0);
    painter.rect_filled(bar.intersect(ruler), 0.0, color.gamma_multiply(0.6));
    if is_set {
        let shade = theme::PANEL.gamma_multiply(0.55);
        for rect in [plot.with_max_x(start), plot.with_min_x(end)] {
            painter.rect_filled(rect.intersect(plot), 0.0, shade);
        }
        for x in [start, end] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::ACCENT_BRIGHT.gamma_multiply(0.5)));
        }
    }
    for (x, inwards) in [(start, 5.0), (end, -5.0)] {
        let top = ruler.top();
        let corners = vec![pos2(x, top), pos2(x + inwards, top), pos2(x, top + STRIP)];
        painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
    }
}
