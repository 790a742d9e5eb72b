//! The user's keys as diamonds in the plot. Dragging one changes its time and value, and Esc cancels the drag; the
//! Delete key or the context menu deletes it.

use egui::{
    CursorIcon, Id, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Vec2, WidgetInfo,
};
use egui::{pos2, vec2};

use crate::motion::Key;
use crate::session::Session;
use crate::ui::theme;

use super::drawing::{CurveItem, CurveSources};
use super::extent::Extent;
use super::state::{CurvesState, DraggedKey};

/// The largest distance, in points, at which the pointer touches a key.
const REACH: f32 = 7.0;

/// A key and its position in the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyMarker {
    /// The channel of the key.
    pub channel: usize,
    /// Time and value.
    pub key: Key,
    at: Pos2,
    id: Id,
}

/// Ends the drag of a key when no mouse button is held any more, even if the key was removed meanwhile.
pub(super) fn end_drag(ui: &egui::Ui, curves: &mut CurvesState) {
    let is_dragging = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    curves.dragged_key.take_if(|_| !is_dragging);
}

/// The visible keys. Of keys that would overlap, only the first is shown.
pub(super) fn markers(
    plot: Rect,
    session: &Session,
    curves: &CurvesState,
    sources: &CurveSources,
    extent: &Extent,
) -> Vec<KeyMarker> {
    let mut markers = Vec::new();
    if curves.lists_columns {
        return markers;
    }
    let any_selected = curves.selected.iter().any(|item| !item.is_column());
    for channel in 0..session.head.channels.len() {
        if any_selected && !curves.selected.contains(&CurveItem::Channel(channel)) {
            continue;
        }
        let mut last = pos2(f32::NEG_INFINITY, 0.0);
        for &key in sources.keys(session, channel) {
            let at = extent.pos(plot, key.time_secs, key.value);
            let dragged =
                curves.dragged_key.as_ref().filter(|dragged| dragged.channel == channel && dragged.key == key);
            // The dragged key is always shown.
            if dragged.is_none() && (!plot.expand(6.0).contains(at) || (at - last).length() < 4.0) {
                continue;
            }
            last = at;
            let id =
                dragged.map_or_else(|| Id::unique(("key", channel, key.time_secs.to_bits())), |dragged| dragged.id);
            markers.push(KeyMarker { channel, key, at, id });
        }
    }
    markers
}

/// Handles dragging and deleting of keys. Returns the key under the pointer.
pub(super) fn edit_ui<'a>(
    ui: &mut egui::Ui,
    plot: Rect,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    extent: &Extent,
    markers: &'a [KeyMarker],
) -> Option<&'a KeyMarker> {
    let mut hovered_marker = None;
    for marker in markers {
        let Some(name) = sources.key_name(marker.channel) else { continue };
        let response = ui.interact(
            Rect::from_center_size(marker.at, Vec2::splat(2.0 * REACH)),
            marker.id,
            Sense::click_and_drag(),
        );
        let label = format!("Key {} {:.2} s", session.head.channels[marker.channel].name, marker.key.time_secs);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &label));
        if response.drag_started_by(PointerButton::Primary)
            && let Some(grabbed) = ui.input(|input| input.pointer.press_origin())
        {
            curves.dragged_key = Some(DraggedKey {
                id: marker.id,
                channel: marker.channel,
                name: name.to_owned(),
                grabbed,
                from: marker.key,
                key: marker.key,
                before: session.edits.keys.clone(),
                extent: *extent,
            });
        }
        drag(ui, &response, plot, session, curves);
        let mut is_deleted = false;
        response.context_menu(|ui| is_deleted = ui.button("Delete key").clicked());
        if response.hovered() {
            hovered_marker = Some(marker);
            ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
            // A key cannot be deleted while it is dragged.
            if !response.dragged() && !ui.ctx().text_edit_focused() {
                let takes = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
                is_deleted |= takes(egui::Key::Delete) || takes(egui::Key::Backspace);
            }
        }
        if is_deleted {
            session.edit_keys(|keys| {
                keys.remove(name, marker.key.time_secs);
            });
            ui.request_repaint();
        }
    }
    hovered_marker
}

/// Moves the dragged key with the pointer. Esc restores all keys.
fn drag(ui: &egui::Ui, response: &Response, plot: Rect, session: &mut Session, curves: &mut CurvesState) {
    let Some(dragged) = curves.dragged_key.as_mut().filter(|dragged| dragged.id == response.id) else { return };
    let is_cancelled = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if is_cancelled {
        session.edit_keys(|keys| keys.clone_from(&dragged.before));
    } else if let Some(pointer) = response.interact_pointer_pos() {
        let DraggedKey { extent, from, grabbed, .. } = dragged;
        let secs = from.time_secs + extent.secs_at(plot, pointer.x) - extent.secs_at(plot, grabbed.x);
        let value = from.value + extent.value_at(plot, pointer.y) - extent.value_at(plot, grabbed.y);
        let last_secs = extent.secs[1].clamp(0.0, Key::LATEST_SECS);
        // The value of an expression is always limited to 0 to 1.
        let is_expression = session.head.expression_of(dragged.channel).is_some();
        let value = if is_expression { value.clamp(0.0, 1.0) } else { value };
        dragged.key = Key { time_secs: secs.clamp(0.0, last_secs), value, ..*from };
        session.edit_keys(|keys| {
            keys.clone_from(&dragged.before);
            keys.remove(&dragged.name, dragged.from.time_secs);
            keys.set(&dragged.name, dragged.key);
        });
    }
    if is_cancelled || !response.dragged() {
        curves.dragged_key = None;
    }
    ui.request_repaint();
}

impl KeyMarker {
    /// Paints the key, larger if it is under the pointer.
    pub(super) fn paint(&self, painter: &Painter, is_hovered: bool) {
        let reach = if is_hovered { REACH } else { 5.0 };
        let corners = [vec2(0.0, -reach), vec2(reach, 0.0), vec2(0.0, reach), vec2(-reach, 0.0)];
        let outline = Stroke::new(1.0, theme::BACKDROP);
        let corners = corners.map(|corner| self.at + corner).to_vec();
        painter.add(Shape::convex_polygon(corners, theme::curve_color(self.channel), outline));
    }
}
