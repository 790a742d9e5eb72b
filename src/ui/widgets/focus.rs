//! The keyboard focus: a ring around the widget that has it, wherever it is, and lists that scroll to it.

use egui::style::ScrollAnimation;
use egui::{Context, Stroke, StrokeKind};

use crate::ui::theme;

/// Draws a ring around the widget that has the keyboard focus. Text fields show it by their cursor.
pub(crate) fn focus_ring(ctx: &Context) {
    let focused = ctx.memory(|memory| memory.focused());
    let Some(response) = focused.and_then(|id| ctx.read_response(id)) else { return };
    if ctx.text_edit_focused() {
        return;
    }
    // A point of room, so that the ring lies on the widget's edge and not on its letters.
    let painter = ctx.layer_painter(response.layer_id).with_clip_rect(response.interact_rect.expand(2.0));
    let stroke = Stroke::new(2.0, theme::ACCENT_BRIGHT);
    painter.rect_stroke(response.rect.expand(1.0), theme::ROUNDING, stroke, StrokeKind::Middle);
}

/// Scrolls the list in `ui` to the widget that the Tab key has just moved the focus to. Call it after the contents of a scroll
/// area, which should hold what is just outside of its visible part.
pub(crate) fn scroll_to_focus(ui: &egui::Ui) {
    let focused = ui.memory(|memory| memory.focused());
    let Some(response) = focused.and_then(|id| ui.ctx().read_response(id)) else { return };
    let is_within = response.layer_id == ui.layer_id() && ui.min_rect().contains_rect(response.rect.shrink(1.0));
    if is_within && response.gained_focus() && !ui.clip_rect().contains_rect(response.rect) {
        ui.scroll_to_rect_animation(response.rect.expand(theme::GAP), None, ScrollAnimation::none());
    }
}
