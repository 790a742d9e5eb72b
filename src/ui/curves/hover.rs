//! A card with the name, the value and the time of the curve point under the pointer. It appears without a tooltip's
//! delay.

use egui::{Align2, Painter, Pos2, Stroke, StrokeKind, pos2, vec2};

use smirk_face::motion::{TimeDisplay, TimelineSettings};
use smirk_session::Session;

use super::CurvesPanel;
use super::drawing::LineStyle;
use super::extent::Plot;
use super::keys::{REACH, file_curves, key_at};
use crate::context::PanelContext;
use crate::curve_selection::CurveItem;
use crate::theme;
use crate::widgets::text::{short_take_name, shown};

/// The largest distance, in points, at which the pointer touches a curve.
const REACH_OF_CURVES: f32 = 14.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct HoveredPoint {
    pub item: CurveItem,
    style: LineStyle,
    secs: f32,
    value: f32,
}

impl CurvesPanel {
    pub(super) fn hovered_point(&self, ui: &egui::Ui, plot: &Plot, pointer: Pos2) -> Option<HoveredPoint> {
        let Plot { rect, extent } = plot;
        let column = ((pointer.x - rect.left()) * ui.pixels_per_point()) as usize;
        let reach = REACH_OF_CURVES * (extent.values[1] - extent.values[0]) / rect.height();
        let (item, style) = self.image.nearest(column, plot.value_at(pointer.y), reach)?;
        let secs = plot.secs_at(pointer.x);
        Some(HoveredPoint { item, style, secs, value: self.image.value(item, style, secs)? })
    }

    /// The key that a click at `pointer` would take, as the point of its curve; else the key that the file has there of
    /// the curve under the pointer.
    pub(super) fn hovered_key(
        &self,
        plot: &Plot,
        pointer: Pos2,
        on_curve: Option<HoveredPoint>,
        cx: &PanelContext<'_>,
    ) -> Option<HoveredPoint> {
        let selection = &cx.marks.curve_selection;
        if selection.lists_columns {
            return None;
        }
        let shown = self.shown_curves(cx);
        if let Some((index, key)) = key_at(&shown, plot, pointer) {
            let (item, value) = (CurveItem::Channel(shown[index].channel), shown[index].weight(key));
            return Some(HoveredPoint { item, style: LineStyle::Solid, secs: key.time_secs, value });
        }
        let (item, style) = on_curve.map(|point| (point.item, point.style))?;
        let of_file = file_curves(cx.session, &self.image, &self.sources, selection);
        let curve = of_file.iter().find(|curve| CurveItem::Channel(curve.channel) == item)?;
        let near = [pointer.x - REACH, pointer.x + REACH].map(|x| plot.secs_at(x));
        let keys = curve.keys_between(near).map(|[secs, height]| (secs, plot.pos(secs, height).distance(pointer)));
        let nearest = keys.filter(|(_, distance)| *distance <= REACH).min_by(|a, b| a.1.total_cmp(&b.1));
        let (secs, _) = nearest?;
        Some(HoveredPoint { item, style, secs, value: self.image.value(item, style, secs)? })
    }

    /// Paints a dot on the curve, and the card on the side with more space.
    pub(super) fn paint_hovered_point(&self, painter: &Painter, plot: &Plot, session: &Session, point: &HoveredPoint) {
        let scale = self.image.scale_of_curve(point.item, point.style);
        let at = plot.pos(point.secs, scale.height(point.value));
        let color = self.sources.color(point.item);
        let TimelineSettings { rate, display, .. } = session.edits.timeline;
        painter.circle(at, 3.5, color, Stroke::new(1.0, theme::BACKDROP));
        let name = shown(point.item.name(session));
        let compared = session.edits.compared_take.and_then(|id| session.edits.take_entry(id));
        let what = match (point.style, compared) {
            (LineStyle::Dashed, Some(entry)) => {
                format!("{name} in {}  {:.3}", shown(&short_take_name(session, entry)), point.value)
            }
            (LineStyle::Ghost, _) => format!("{name} as recorded  {:.3}", point.value),
            (LineStyle::Difference, _) => format!("{name}, A − B  {:+.3}", point.value),
            (LineStyle::Solid | LineStyle::Faint | LineStyle::Dashed, _) => format!("{name}  {:.3}", point.value),
        };
        let frame = match display {
            TimeDisplay::Seconds | TimeDisplay::Frames => TimeDisplay::Frames.text(rate, point.secs),
            TimeDisplay::Timecode => rate.timecode(point.secs),
        };
        let when = format!("{:.3} s  {frame}", point.secs);
        let what = painter.layout_no_wrap(what, theme::body_font(), theme::TEXT);
        let when = painter.layout_no_wrap(when, theme::small_font(), theme::TEXT_WEAK);
        let size = vec2(what.size().x.max(when.size().x), what.size().y + when.size().y) + vec2(16.0, 10.0);
        let side = if at.x < plot.rect.center().x { Align2::LEFT_CENTER } else { Align2::RIGHT_CENTER };
        let offset_x = if side == Align2::LEFT_CENTER { 14.0 } else { -14.0 };
        let room = plot.rect.shrink2(vec2(2.0, size.y / 2.0 + 2.0));
        let card_pos = pos2(at.x + offset_x, at.y.max(room.top()).min(room.bottom()));
        let card = side.anchor_size(card_pos, size);
        painter.rect(card, theme::ROUNDING, theme::RAISED, Stroke::new(1.0, theme::LINE), StrokeKind::Inside);
        let below = card.min + vec2(8.0, 5.0 + what.size().y);
        painter.galley(card.min + vec2(8.0, 5.0), what, theme::TEXT);
        painter.galley(below, when, theme::TEXT_WEAK);
    }
}
