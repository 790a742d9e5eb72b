//! The visible range of time and values, its mapping to the screen, and how it is zoomed and panned.

use egui::{PointerButton, Pos2, Rect, Response, Vec2, pos2};

use smirk_session::Session;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub secs: [f32; 2],
    pub values: [f32; 2],
}

impl Extent {
    const LEAST_SECS: f32 = 0.05;
    const LEAST_VALUES: f32 = 0.01;

    /// The whole timeline with a margin at both ends. If the timeline is empty, the one that the first key will create.
    pub(super) fn all_secs(end_secs: f32) -> [f32; 2] {
        let end_secs = if end_secs > 0.0 { end_secs.max(Self::LEAST_SECS) } else { Session::LEAST_KEYS_SECS };
        [-0.015 * end_secs, 1.015 * end_secs]
    }

    pub(super) fn all_values([low, high]: [f32; 2]) -> [f32; 2] {
        let (low, high) = (low.min(0.0), high.max(1.0));
        let margin = 0.08 * (high - low);
        [low - margin, high + margin]
    }

    /// The visible seconds after zooming by `factor` around `around` and moving by `by`, limited to the timeline.
    /// `None` if that is the whole timeline.
    pub(super) fn moved_secs(&self, factor: f32, around: f32, by: f32, end_secs: f32) -> Option<[f32; 2]> {
        let all = Self::all_secs(end_secs);
        let length = ((self.secs[1] - self.secs[0]) / factor).max(Self::LEAST_SECS);
        if length >= all[1] - all[0] {
            return None;
        }
        let share = (around - self.secs[0]) / (self.secs[1] - self.secs[0]);
        let start = (around - share * length + by).clamp(all[0], all[1] - length);
        Some([start, start + length])
    }

    /// The visible values after zooming by `factor` around `around` and moving by `by`.
    pub(super) fn moved_values(&self, factor: f32, around: f32, by: f32) -> [f32; 2] {
        let length = self.values[1] - self.values[0];
        let factor = factor.min(length / Self::LEAST_VALUES).max(length / 1e4);
        self.values.map(|value| around + (value - around) / factor + by)
    }
}

/// A rectangle of the screen, and the time and the values that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plot {
    pub rect: Rect,
    pub extent: Extent,
}

impl Plot {
    /// Another rectangle of the same width, which shows the same time.
    pub(super) fn with_rect(&self, rect: Rect) -> Self {
        Self { rect, ..*self }
    }

    pub(super) fn x(&self, secs: f32) -> f32 {
        egui::remap(secs, self.extent.secs[0]..=self.extent.secs[1], self.rect.left()..=self.rect.right())
    }

    pub(super) fn y(&self, value: f32) -> f32 {
        egui::remap(value, self.extent.values[0]..=self.extent.values[1], self.rect.bottom()..=self.rect.top())
    }

    pub(super) fn secs_at(&self, x: f32) -> f32 {
        egui::remap(x, self.rect.left()..=self.rect.right(), self.extent.secs[0]..=self.extent.secs[1])
    }

    pub(super) fn value_at(&self, y: f32) -> f32 {
        egui::remap(y, self.rect.bottom()..=self.rect.top(), self.extent.values[0]..=self.extent.values[1])
    }

    pub(super) fn pos(&self, secs: f32, value: f32) -> Pos2 {
        pos2(self.x(secs), self.y(value))
    }
}

/// The input of a frame that zooms and pans: wheel, pinch and drag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Navigation {
    /// How far the middle or the right button has dragged, in points.
    pub drag: Vec2,
    /// How far the wheel has scrolled, in points.
    pub scroll: Vec2,
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

    pub(super) fn center(&self, plot: Rect) -> Pos2 {
        self.pointer.unwrap_or(plot.center())
    }

    /// Pans the visible seconds, and zooms them by a factor. `visible` becomes `None` if that is the whole timeline.
    pub(super) fn move_secs(&self, zoom: f32, plot: &mut Plot, visible: &mut Option<[f32; 2]>, end_secs: f32) {
        let extent = plot.extent;
        let by = -(self.drag.x + self.scroll.x) * (extent.secs[1] - extent.secs[0]) / plot.rect.width();
        if by != 0.0 || zoom != 1.0 {
            let around = plot.secs_at(self.center(plot.rect).x);
            *visible = extent.moved_secs(zoom, around, by, end_secs);
            plot.extent.secs = visible.unwrap_or_else(|| Extent::all_secs(end_secs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_time_under_the_pointer_and_stops_at_the_whole_timeline() {
        let extent = Extent { secs: Extent::all_secs(10.0), values: [0.0, 1.0] };
        let secs = extent.moved_secs(2.0, 4.0, 0.0, 10.0).unwrap();
        let near = Extent { secs, ..extent };
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 10.0));
        let x = |extent: Extent| Plot { rect, extent }.x(4.0);
        assert!((x(near) - x(extent)).abs() < 1e-3);
        assert_eq!(near.moved_secs(0.1, 4.0, 0.0, 10.0), None);
        let last = near.moved_secs(1.0, 4.0, 99.0, 10.0).unwrap();
        assert!((last[1] - 10.15).abs() < 1e-5, "{last:?}");
        assert!((secs[1] - secs[0] - (last[1] - last[0])).abs() < 1e-5);
    }

    #[test]
    fn an_empty_timeline_is_as_long_as_with_the_first_key() {
        assert_eq!(Extent::all_secs(0.0), Extent::all_secs(Session::LEAST_KEYS_SECS));
        assert_eq!(Extent::all_secs(0.001)[1], 1.015 * Extent::LEAST_SECS);
    }

    #[test]
    fn the_zoom_of_values_is_limited() {
        let mut extent = Extent { secs: [0.0, 1.0], values: [0.0, 1.0] };
        for factor in [1.5, 0.5] {
            (0..500).for_each(|_| extent.values = extent.moved_values(factor, 0.3, 0.0));
            let length = extent.values[1] - extent.values[0];
            assert!((0.009..2e4).contains(&length), "{length}");
        }
    }
}
