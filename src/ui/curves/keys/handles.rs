//! The handles of tangents, and those of the box around the selected keys.

use egui::{Painter, Pos2, Rect, Stroke, StrokeKind, Vec2, pos2, vec2};

use smirk_face::motion::{Key, KeySelection};
use smirk_session::Session;

use super::gesture::{Gesture, GestureKind};
use super::pick::ShownCurve;
use crate::curves::extent::{Extent, Plot};
use crate::theme;

/// The largest number of selected keys whose tangents can be dragged; the handles of more would hide the curves.
const MOST_KEYS: usize = 64;
const LENGTH: f32 = 46.0;
const MARGIN: f32 = 14.0;
/// The largest distance, in points, at which the pointer touches a handle.
const REACH: f32 = 7.0;

#[derive(Clone, Debug)]
pub(crate) struct Handle {
    pub at: Pos2,
    pub kind: GestureKind,
    pub label: String,
}

pub(crate) fn tangent_handles(
    session: &Session,
    curves: &[ShownCurve<'_>],
    selection: &KeySelection,
    plot: &Plot,
) -> Vec<Handle> {
    let Plot { rect, extent } = plot;
    let mut handles = Vec::new();
    if selection.len() > MOST_KEYS {
        return handles;
    }
    let points_per_sec = rect.width() / (extent.secs[1] - extent.secs[0]);
    let points_per_height = rect.height() / (extent.values[1] - extent.values[0]);
    for shown in curves {
        let Some(curve) = session.keys().curve(shown.name) else { continue };
        for &time_secs in selection.times_of(shown.name) {
            let index = shown.keys.partition_point(|key| key.time_secs < time_secs);
            let Some(&key) = shown.keys.get(index).filter(|key| key.time_secs == time_secs) else { continue };
            let at = shown.pos(plot, key);
            for (is_incoming, slope) in [true, false].into_iter().zip(curve.slopes_at(index)) {
                let has_segment = if is_incoming { index > 0 } else { index + 1 < shown.keys.len() };
                if !has_segment {
                    continue;
                }
                let along = vec2(points_per_sec, -slope * shown.height_of_one() * points_per_height);
                let along = along.normalized() * if is_incoming { -LENGTH } else { LENGTH };
                handles.push(Handle {
                    at: at + along,
                    kind: GestureKind::Tangent {
                        name: shown.name.to_owned(),
                        key,
                        at,
                        is_incoming,
                        height_of_one: shown.height_of_one(),
                    },
                    label: label(session, shown.channel, key, is_incoming),
                });
            }
        }
    }
    handles
}

fn label(session: &Session, channel: usize, key: Key, is_incoming: bool) -> String {
    let side = if is_incoming { "before" } else { "after" };
    format!("Tangent {side} {} {:.2} s", session.head.channels[channel].name, key.time_secs)
}

pub(crate) fn box_rect(bounds: Option<Extent>, plot: &Plot) -> Option<Rect> {
    let bounds = bounds.filter(|bounds| bounds.secs[0] < bounds.secs[1])?;
    let rect =
        Rect::from_two_pos(plot.pos(bounds.secs[0], bounds.values[1]), plot.pos(bounds.secs[1], bounds.values[0]));
    // The handles can be reached also where the keys are at the edge of the plot.
    let rect = rect.expand(MARGIN).intersect(plot.rect.shrink(5.0));
    rect.is_positive().then_some(rect)
}

/// The handles of the box: left and right scale in time, top and bottom in value.
pub(crate) fn box_handles(bounds: Option<Extent>, plot: &Plot, is_normalised: bool) -> Vec<Handle> {
    let (Some(bounds), Some(rect)) = (bounds, box_rect(bounds, plot)) else { return Vec::new() };
    let [first, last] = bounds.secs;
    let [low, high] = bounds.values;
    let mut handles = time_handles(rect, [first, last]);
    // Values of several curves have no common scale while each is drawn with its own range.
    if low < high && !is_normalised {
        for (at, edge, pivot, end) in
            [(rect.center_top(), high, low, "top"), (rect.center_bottom(), low, high, "bottom")]
        {
            let label = format!("Scale keys in value, {end}");
            handles.push(Handle { at, kind: GestureKind::ScaleValue { edge, pivot }, label });
        }
    }
    handles
}

/// The handles left and right of a box, which scale its keys in time.
pub(crate) fn time_handles(rect: Rect, [first, last]: [f32; 2]) -> Vec<Handle> {
    let ends = [(rect.left_center(), first, last, "start"), (rect.right_center(), last, first, "end")];
    let handles = ends.map(|(at, edge_secs, pivot_secs, end)| Handle {
        at,
        kind: GestureKind::ScaleTime { edge_secs, pivot_secs },
        label: format!("Scale keys in time, {end}"),
    });
    handles.into()
}

pub(crate) fn handle_at(handles: &[Handle], point: Pos2) -> Option<&Handle> {
    handles.iter().find(|handle| handle.at.distance(point) <= REACH)
}

pub(crate) fn paint_box(painter: &Painter, rect: Rect, handles: &[Handle]) {
    painter.rect_stroke(rect, 0.0, Stroke::new(1.0, theme::ICON_WEAK), StrokeKind::Middle);
    for handle in handles {
        let square = Rect::from_center_size(handle.at, Vec2::splat(7.0));
        painter.rect(square, 1.0, theme::TEXT, Stroke::new(1.0, theme::BACKDROP), StrokeKind::Outside);
    }
}

pub(crate) fn paint_tangents(painter: &Painter, handles: &[Handle]) {
    for handle in handles {
        let GestureKind::Tangent { at, .. } = handle.kind else { continue };
        painter.line_segment([at, handle.at], Stroke::new(1.0, theme::TEXT_WEAK));
        painter.circle(handle.at, 3.5, theme::TEXT, Stroke::new(1.0, theme::BACKDROP));
    }
}

pub(crate) fn paint_gesture(painter: &Painter, plot: Rect, gesture: &Gesture, pointer: Pos2) {
    if let Some(rect) = gesture.selecting_rect(pointer) {
        let fill = theme::ACCENT.gamma_multiply(0.25);
        painter.rect(rect, 0.0, fill, Stroke::new(1.0, theme::ACCENT_BRIGHT), StrokeKind::Inside);
    }
    if gesture.label.is_empty() {
        return;
    }
    let text = painter.layout_no_wrap(gesture.label.clone(), theme::small_font(), theme::TEXT);
    let size = text.size() + vec2(12.0, 6.0);
    let room = plot.shrink2(size / 2.0 + Vec2::splat(2.0));
    let above = pos2(pointer.x, pointer.y - 24.0);
    let middle = pos2(above.x.min(room.right()).max(room.left()), above.y.min(room.bottom()).max(room.top()));
    let card = Rect::from_center_size(middle, size);
    painter.rect(card, theme::ROUNDING, theme::RAISED, Stroke::new(1.0, theme::LINE), StrokeKind::Inside);
    painter.galley(card.min + vec2(6.0, 3.0), text, theme::TEXT);
}
