//! A plot of time against active channels with a line per mode. Both scales are logarithmic: cost in proportion to the
//! active channels is a straight line, and modes whose times differ tenfold can be compared.

use egui::{Align2, Painter, Pos2, Rangef, Rect, Role, Sense, Shape, Stroke, StrokeKind, WidgetInfo, pos2, vec2};

use crate::theme;
use smirk_editor::bench::{Row, row_text};
use smirk_scene::BlendMode;

const HEIGHT: f32 = 184.0;
const MARGIN_LEFT: f32 = 32.0;
const MARGIN_BELOW: f32 = 20.0;
/// The smallest distance between numbers along the horizontal scale.
const MIN_LABEL_DISTANCE: f32 = 20.0;

#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f64,
    high: f64,
    side: Rangef,
}

impl Scale {
    fn at(&self, value: f64) -> f32 {
        let length = (self.high / self.low).ln();
        // A single value is in the middle.
        let part = if length > 0.0 { (value / self.low).ln() / length } else { 0.5 };
        egui::lerp(self.side.min..=self.side.max, part as f32)
    }
}

pub(super) fn short_label(mode: BlendMode) -> &'static str {
    match mode {
        BlendMode::Vertex => "Vertex",
        BlendMode::Cpu | BlendMode::Compute | BlendMode::Multipass => mode.label(),
    }
}

/// Shows the plot, and a card with all times for the number of active channels nearest to the pointer.
pub(super) fn bench_plot_ui(ui: &mut egui::Ui, series: &[(BlendMode, Vec<&Row>)]) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Milliseconds by active channels"));
    let rows = series.iter().flat_map(|(_, rows)| rows.iter()).filter(|row| row.is_known());
    let mut bounds = rows.map(|row| [[row.active as f64, row.ms_min]; 2]);
    let Some(first) = bounds.next().filter(|_| ui.is_rect_visible(rect)) else { return };
    let [[least, low], [most, high]] = bounds.fold(first, |[low, high], [row, _]| {
        [[low[0].min(row[0]), low[1].min(row[1])], [high[0].max(row[0]), high[1].max(row[1])]]
    });
    let plot = Rect::from_min_max(pos2(rect.left() + MARGIN_LEFT, rect.top()), rect.max - vec2(0.0, MARGIN_BELOW));
    let inside = plot.shrink2(vec2(10.0, 8.0));
    let x = Scale { low: least, high: most, side: inside.x_range() };
    let y = Scale { low, high, side: Rangef::new(inside.bottom(), inside.top()) };
    let painter = ui.painter_at(rect);
    painter.rect_filled(plot, theme::ROUNDING, theme::BACKDROP);
    paint_times(&painter, plot, &y);
    let counts = active_counts(series);
    paint_active_counts(&painter, plot, &x, &counts);
    for (mode, rows) in series {
        paint_line(&painter, *mode, rows, &x, &y);
    }
    let Some(pointer) = response.hover_pos().filter(|pointer| plot.contains(*pointer)) else { return };
    let places = counts.into_iter().map(|active| (active, x.at(active as f64)));
    let nearest = places.min_by(|(_, a), (_, b)| (a - pointer.x).abs().total_cmp(&(b - pointer.x).abs()));
    if let Some((active, x)) = nearest {
        paint_card(&painter, plot, &Card { at: pos2(x, pointer.y), active, y }, series);
    }
}

fn active_counts(series: &[(BlendMode, Vec<&Row>)]) -> Vec<usize> {
    let mut counts: Vec<usize> = series.iter().flat_map(|(_, rows)| rows.iter().map(|row| row.active)).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Values of the horizontal grid lines: powers of ten, and 2 and 5 times those if there are few.
fn time_ticks(low: f64, high: f64) -> Vec<f64> {
    let parts: &[f64] = if high / low < 30.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let ticks = decades.flat_map(|decade| parts.iter().map(move |part| part * 10.0_f64.powi(decade)));
    ticks.filter(|tick| (low * 0.999..=high * 1.001).contains(tick)).collect()
}

fn paint_times(painter: &Painter, plot: Rect, y: &Scale) {
    for tick in time_ticks(y.low, y.high) {
        let at = y.at(tick);
        painter.hline(plot.x_range(), at, Stroke::new(1.0, theme::WELL));
        let place = pos2(plot.left() - 6.0, at);
        painter.text(place, Align2::RIGHT_CENTER, format!("{tick}"), theme::small_font(), theme::TEXT_WEAK);
    }
    let corner = plot.left_top() + vec2(6.0, 4.0);
    painter.text(corner, Align2::LEFT_TOP, "ms", theme::small_font(), theme::TEXT_WEAK);
}

/// Numbers of active channels along the horizontal axis. The largest is always shown; others are left out where they
/// would overlap.
fn paint_active_counts(painter: &Painter, plot: Rect, x: &Scale, counts: &[usize]) {
    let mut nearest = f32::INFINITY;
    for &active in counts.iter().rev() {
        let at = x.at(active as f64);
        painter.vline(at, plot.y_range(), Stroke::new(1.0, theme::WELL));
        if nearest - at < MIN_LABEL_DISTANCE {
            continue;
        }
        nearest = at;
        let place = pos2(at, plot.bottom() + 4.0);
        painter.text(place, Align2::CENTER_TOP, active.to_string(), theme::small_font(), theme::TEXT_WEAK);
    }
}

fn paint_line(painter: &Painter, mode: BlendMode, rows: &[&Row], x: &Scale, y: &Scale) {
    let color = theme::mode_color(mode);
    let measured = rows.iter().filter(|row| row.is_known());
    let points: Vec<Pos2> = measured.map(|row| pos2(x.at(row.active as f64), y.at(row.ms_min))).collect();
    painter.extend(points.iter().map(|&point| Shape::circle_filled(point, 2.5, color)));
    painter.add(Shape::line(points, Stroke::new(1.5, color)));
}

/// The times of all modes for a number of active channels.
struct Card {
    /// Where the number is on the horizontal scale, at the height of the pointer.
    at: Pos2,
    active: usize,
    y: Scale,
}

fn paint_card(painter: &Painter, plot: Rect, card: &Card, series: &[(BlendMode, Vec<&Row>)]) {
    const ROW_HEIGHT: f32 = 16.0;
    const WIDTH: f32 = 116.0;
    let &Card { at: Pos2 { x, y: pointer_y }, active, y } = card;
    painter.vline(x, plot.y_range(), Stroke::new(1.0, theme::ICON_WEAK));
    let found: Vec<(BlendMode, &Row)> = series
        .iter()
        .filter_map(|(mode, rows)| Some((*mode, *rows.iter().find(|row| row.active == active)?)))
        .collect();
    for (mode, row) in found.iter().filter(|(_, row)| row.is_known()) {
        painter.circle(pos2(x, y.at(row.ms_min)), 4.0, theme::mode_color(*mode), Stroke::new(1.0, theme::BACKDROP));
    }
    let size = vec2(WIDTH, ROW_HEIGHT * (found.len() + 1) as f32 + 10.0);
    let left = if x < plot.center().x { x + 12.0 } else { x - 12.0 - WIDTH };
    let top = (pointer_y - size.y / 2.0).clamp(plot.top() + 2.0, (plot.bottom() - size.y - 2.0).max(plot.top() + 2.0));
    let card = Rect::from_min_size(pos2(left, top), size);
    painter.rect(card, theme::ROUNDING, theme::RAISED, Stroke::new(1.0, theme::LINE), StrokeKind::Inside);
    let title = (format!("{active} active"), theme::TEXT_WEAK, String::new());
    let rows = found.into_iter().map(|(mode, row)| (short_label(mode).into(), theme::mode_color(mode), row_text(row)));
    for (index, (name, color, time)) in std::iter::once(title).chain(rows).enumerate() {
        let y = card.top() + 5.0 + ROW_HEIGHT * (index as f32 + 0.5);
        painter.text(pos2(card.left() + 8.0, y), Align2::LEFT_CENTER, name, theme::small_font(), color);
        painter.text(pos2(card.right() - 8.0, y), Align2::RIGHT_CENTER, time, theme::small_font(), theme::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_have_equal_distances() {
        let scale = Scale { low: 1.0, high: 100.0, side: Rangef::new(0.0, 200.0) };
        assert_eq!([1.0, 10.0, 100.0].map(|value| scale.at(value).round()), [0.0, 100.0, 200.0]);
        let alone = Scale { low: 5.0, high: 5.0, side: Rangef::new(0.0, 200.0) };
        assert_eq!(alone.at(5.0), 100.0);
    }

    #[test]
    fn ticks_are_powers_of_ten_or_finer_if_those_are_few() {
        assert_eq!(time_ticks(0.02, 40.0), [0.1, 1.0, 10.0]);
        assert_eq!(time_ticks(0.9, 6.0), [1.0, 2.0, 5.0]);
    }
}
