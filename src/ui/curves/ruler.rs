//! The scales of the plot: seconds and frames along the top, with the play head and the range that plays, and values
//! along the left.

use egui::{Align2, Painter, Rect, Sense, Shape, Stroke, pos2, vec2};

use smirk_face::motion::{TimeDisplay, TimelineSettings};
use smirk_session::Session;

use super::extent::{Extent, Plot};
use crate::theme;
use crate::widgets::{RangeStrip, drag_play_head, inverts_snap, is_range_set};

pub(super) const HEIGHT: f32 = 26.0;
/// Height of the strip along its top with the handles of in and out.
const STRIP: f32 = 8.0;

/// The smallest of 1, 2, 5 and 10 times a power of ten for which ticks are at least `least_px` apart.
fn step(length: f32, width: f32, least_px: f32) -> f32 {
    let least = (length / width.max(1.0) * least_px).max(1e-6);
    let decade = 10.0_f32.powf(least.log10().floor());
    [1.0, 2.0, 5.0].map(|part| part * decade).into_iter().find(|&step| step >= least).unwrap_or(10.0 * decade)
}

fn ticks([start, end]: [f32; 2], step: f32) -> impl Iterator<Item = f32> {
    // Far from zero and at high zoom, the precision of f32 is not sufficient. The limit prevents an endless number of
    // ticks.
    let (first, last) = ((start / step).ceil() as i64, (end / step).floor() as i64);
    (first..=last).take(1000).map(move |index| index as f32 * step)
}

fn digits(step: f32) -> usize {
    (-step.log10().floor()).clamp(0.0, 4.0) as usize
}

/// The seconds between ticks that are at least `least_px` apart: round seconds, or round numbers of frames.
fn time_step(length: f32, width: f32, least_px: f32, timeline: &TimelineSettings) -> f32 {
    let per_sec = timeline.rate.frames_per_sec() as f32;
    match timeline.display {
        TimeDisplay::Seconds => step(length, width, least_px),
        TimeDisplay::Frames => step(length * per_sec, width, least_px).max(1.0) / per_sec,
        TimeDisplay::Timecode => {
            let least_secs = length / width.max(1.0) * least_px;
            let of_frames = [1.0, 2.0, 5.0, 10.0].map(|frames| frames / per_sec);
            // Seconds, minutes and hours of timecode are whole numbers of frames at every rate.
            let of_secs = [1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 3600.0];
            let of_secs = of_secs.map(|secs| secs * per_sec.round() / per_sec);
            of_frames.into_iter().chain(of_secs).find(|&step| step >= least_secs).unwrap_or(36_000.0)
        }
    }
}

pub(super) fn paint_time(painter: &Painter, ruler: Rect, plot: &Plot, timeline: &TimelineSettings) {
    let extent = plot.extent;
    let rate = timeline.rate.frames_per_sec() as f32;
    let shows_frames = timeline.display == TimeDisplay::Seconds;
    let length = extent.secs[1] - extent.secs[0];
    let step = time_step(length, plot.rect.width(), 110.0, timeline);
    if plot.rect.width() / (length * rate) >= 5.0 {
        for frame in ticks(extent.secs.map(|secs| secs * rate), 1.0) {
            let x = plot.x(frame / rate);
            painter.vline(x, ruler.bottom() - 4.0..=ruler.bottom(), Stroke::new(1.0, theme::LINE));
        }
    }
    for secs in ticks(extent.secs, step).filter(|&secs| secs >= 0.0) {
        let x = plot.x(secs);
        painter.vline(x, ruler.bottom() - 8.0..=ruler.bottom(), Stroke::new(1.0, theme::ICON_WEAK));
        painter.vline(x, plot.rect.y_range(), Stroke::new(1.0, theme::WELL));
        let at = pos2(x + 4.0, ruler.center().y + 2.0);
        let text = match timeline.display {
            TimeDisplay::Seconds => format!("{secs:.*} s", digits(step)),
            TimeDisplay::Frames | TimeDisplay::Timecode => timeline.text(secs),
        };
        let text = painter.layout_no_wrap(text, theme::small_font(), theme::TEXT);
        let drawn = Align2::LEFT_CENTER.anchor_size(at, text.size());
        // A number that would be cut off is left out.
        if drawn.right() > ruler.right() {
            continue;
        }
        painter.galley(drawn.min, text, theme::TEXT);
        let is_frame = (secs * rate - (secs * rate).round()).abs() < 0.01;
        if shows_frames && is_frame && x < ruler.right() - 80.0 {
            let at = pos2(drawn.right() + 6.0, at.y);
            let text = TimeDisplay::Frames.text(timeline.rate, secs);
            painter.text(at, Align2::LEFT_CENTER, text, theme::small_font(), theme::TEXT_WEAK);
        }
    }
}

/// Paints the horizontal grid lines; those at 0 and 1 are brighter.
pub(super) fn paint_values(painter: &Painter, plot: &Plot) {
    let extent = plot.extent;
    let step = step(extent.values[1] - extent.values[0], plot.rect.height(), 28.0);
    for value in ticks(extent.values, step) {
        let is_emphasised = value == 0.0 || (value - 1.0).abs() < 1e-4;
        let color = if is_emphasised { theme::LINE } else { theme::WELL };
        painter.hline(plot.rect.x_range(), plot.y(value), Stroke::new(1.0, color));
    }
}

/// Paints the numbers of the horizontal grid lines. Call it after the curves, the keys and the play head are painted,
/// which the numbers cover.
pub(super) fn paint_value_numbers(painter: &Painter, plot: &Plot) {
    let extent = plot.extent;
    let step = step(extent.values[1] - extent.values[0], plot.rect.height(), 28.0);
    for value in ticks(extent.values, step) {
        let at = pos2(plot.rect.left() + 4.0, plot.y(value) - 1.0);
        if at.y > plot.rect.top() + 12.0 {
            let text = format!("{value:.*}", digits(step));
            let text = painter.layout_no_wrap(text, theme::small_font(), theme::TEXT_WEAK);
            let drawn = Align2::LEFT_BOTTOM.anchor_size(at, text.size());
            painter.rect_filled(drawn.expand2(vec2(2.0, 0.0)), theme::ROUNDING, theme::OVERLAY);
            painter.galley(drawn.min, text, theme::TEXT_WEAK);
        }
    }
}

/// Scrubs, or drags an end of the range that plays.
pub(super) fn scrub_ui(ui: &egui::Ui, ruler: &Plot, session: &mut Session) {
    let response = ui.interact(ruler.rect, ui.scope_id().with("ruler"), Sense::click_and_drag());
    let drags_range = strip(ruler.rect, &ruler.extent).drag_ui(ui, session);
    let is_held =
        response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down()) && !drags_range;
    // In a slow frame, the press and the release of a click may arrive at once, so that `is_held` is never true.
    let point = response.interact_pointer_pos().filter(|_| is_held || (response.clicked() && !drags_range));
    let target_secs = point.map(|point| session.edits.timeline.dragged_to(ruler.secs_at(point.x), inverts_snap(ui)));
    drag_play_head(&response, "Ruler", session, is_held, target_secs);
}

pub(super) fn paint_play_head(painter: &Painter, ruler: Rect, plot: &Plot, session: &Session) {
    let x = plot.x(session.clock.timeline.time_secs);
    painter.vline(x, ruler.bottom() - 6.0..=plot.rect.bottom(), Stroke::new(1.5, theme::TEXT));
    let knob = [pos2(x - 5.0, ruler.bottom() - 9.0), pos2(x + 5.0, ruler.bottom() - 9.0), pos2(x, ruler.bottom())];
    painter.add(Shape::convex_polygon(knob.to_vec(), theme::TEXT, Stroke::NONE));
}

fn strip(ruler: Rect, extent: &Extent) -> RangeStrip {
    RangeStrip { rect: ruler.with_max_y(ruler.top() + STRIP), secs: extent.secs, place: "" }
}

pub(super) fn paint_range(painter: &Painter, ruler: Rect, plot: &Plot, session: &Session) {
    if session.timeline_secs() == 0.0 {
        return;
    }
    if is_range_set(session) {
        let [start, end] = session.range_secs().map(|secs| plot.x(secs));
        let shade = theme::PANEL.gamma_multiply(0.55);
        // The end of a range may be outside of what is visible, and names are beside it.
        let painter = painter.with_clip_rect(plot.rect);
        for rect in [plot.rect.with_max_x(start), plot.rect.with_min_x(end)] {
            painter.rect_filled(rect.intersect(plot.rect), 0.0, shade);
        }
        for x in [start, end] {
            painter.vline(x, plot.rect.y_range(), Stroke::new(1.0, theme::ACCENT_BRIGHT.gamma_multiply(0.5)));
        }
    }
    strip(ruler, &plot.extent).paint(&painter.with_clip_rect(ruler), session, ruler.top() + 3.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers_and_never_too_close() {
        for (length, width, expected) in
            [(10.0, 1000.0, 1.0), (10.0, 600.0, 2.0), (0.1, 1000.0, 0.01), (300.0, 800.0, 50.0)]
        {
            let step = step(length, width, 80.0);
            assert!((step - expected).abs() < 1e-4 * expected, "{length} s on {width}: {step}");
        }
        assert_eq!((digits(0.5), digits(20.0), digits(0.01)), (1, 0, 2));
        assert_eq!(ticks([-0.3, 1.0], 0.5).collect::<Vec<_>>(), [0.0, 0.5, 1.0]);
        assert!(ticks([1e9, 1e9 + 1.0], 1e-6).count() <= 1000);
    }
}
