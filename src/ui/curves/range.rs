//! The seconds that play, on the ruler: the handles of in and out are in a strip along its top.

use egui::{Painter, Rect, Stroke};

use crate::theme;
use crate::widgets::{RangeStrip, is_range_set};
use smirk_editor::session::Session;

use super::extent::Extent;

/// Height of the strip.
const STRIP: f32 = 8.0;

/// The strip with the handles.
pub(super) fn strip(ruler: Rect, extent: &Extent) -> RangeStrip {
    RangeStrip { rect: ruler.with_max_y(ruler.top() + STRIP), secs: extent.secs, place: "" }
}

/// Paints the range on the ruler, and shades what does not play.
pub(super) fn paint(painter: &Painter, ruler: Rect, plot: Rect, extent: &Extent, session: &Session) {
    if session.timeline_secs() == 0.0 {
        return;
    }
    if is_range_set(session) {
        let [start, end] = session.range_secs().map(|secs| extent.x(plot, secs));
        let shade = theme::PANEL.gamma_multiply(0.55);
        for rect in [plot.with_max_x(start), plot.with_min_x(end)] {
            painter.rect_filled(rect.intersect(plot), 0.0, shade);
        }
        for x in [start, end] {
            painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::ACCENT_BRIGHT.gamma_multiply(0.5)));
        }
    }
    strip(ruler, extent).paint(&painter.with_clip_rect(ruler), session, ruler.top() + 3.0);
}
