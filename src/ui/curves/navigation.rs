//! Zooming and panning by wheel, pinch and drag, in the graph and in the dope sheet.

use egui::{PointerButton, Pos2, Rect, Response, Vec2};

use super::extent::Extent;
use super::state::CurvesState;

/// What was done in a frame to move what is visible.
#[derive(Clone, Copy, Debug)]
pub(super) struct Navigation {
    /// How far the middle or the right button has dragged, in points.
    pub drag: Vec2,
    /// How far the wheel has scrolled, in points.
    pub scroll: Vec2,
    /// The factor of a pinch, or of the wheel with Ctrl.
    pub pinch: f32,
    pointer: Option<Pos2>,
}

impl Navigation {
    /// Reads the input. The wheel counts while the pointer is over `area`.
    pub(super) fn read(ui: &egui::Ui, response: &Response, area: Rect) -> Self {
        let pans = response.dragged_by(PointerButton::Middle) || response.dragged_by(PointerButton::Secondary);
        let drag = if pans { response.drag_delta() } else { Vec2::ZERO };
        let (mut scroll, mut pinch) = (Vec2::ZERO, 1.0);
        // `response.hovered()` is not used because it is false over a key.
        let pointer = ui.input(|input| input.pointer.hover_pos()).filter(|_| ui.rect_contains_pointer(area));
        if pointer.is_some() {
            (scroll, pinch) =
                ui.input_mut(|input| (std::mem::take(&mut input.smooth_scroll_delta), input.zoom_delta()));
        }
        Self { drag, scroll, pinch, pointer }
    }

    /// The point that stays where it is while the rest is zoomed.
    pub(super) fn center(&self, plot: Rect) -> Pos2 {
        self.pointer.unwrap_or(plot.center())
    }

    /// Pans the visible seconds, and zooms them by a factor.
    pub(super) fn move_secs(
        &self,
        zoom: f32,
        plot: Rect,
        curves: &mut CurvesState,
        extent: &mut Extent,
        end_secs: f32,
    ) {
        let by = -(self.drag.x + self.scroll.x) * (extent.secs[1] - extent.secs[0]) / plot.width();
        if by != 0.0 || zoom != 1.0 {
            let around = extent.secs_at(plot, self.center(plot).x);
            curves.visible_secs = extent.moved_secs(zoom, around, by, end_secs);
            extent.secs = curves.visible_secs.unwrap_or_else(|| Extent::all_secs(end_secs));
        }
    }
}
