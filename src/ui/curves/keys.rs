//! Keys set by hand, as diamonds in the plot. A drag moves one in time and value, and Esc puts it back where it was; a
//! right click or Delete takes it away.

use egui::{
    CursorIcon, Id, Modifiers, Painter, PointerButton, Pos2, Rect, Response, Sense, Shape, Stroke, Vec2, WidgetInfo,
};
use egui::{pos2, vec2};

use crate::motion::{Key, Keys};
use crate::session::Session;
use crate::ui::theme;

use super::extent::Extent;
use super::lines::{Item, Sources};
use super::state::{CurvesState, HeldKey};

/// How near the pointer must come to a key, in points.
const REACH: f32 = 7.0;

/// A key where it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Diamond {
    /// Whose.
    pub channel: usize,
    /// What it says.
    pub key: Key,
    at: Pos2,
    id: Id,
}

/// Lets go of a key that nobody drags any more, whatever became of it.
pub fn let_go(ui: &egui::Ui, curves: &mut CurvesState) {
    let is_held = ui.input(|input| input.pointer.any_down() || input.pointer.any_released());
    curves.held_key.take_if(|_| !is_held);
}

/// The keys in sight; where they crowd, one for all.
pub fn diamonds(
    plot: Rect,
    session: &Session,
    curves: &CurvesState,
    sources: &Sources,
    extent: &Extent,
) -> Vec<Diamond> {
    let mut diamonds = Vec::new();
    if curves.lists_columns {
        return diamonds;
    }
    let any_chosen = curves.chosen.iter().any(|item| !item.is_column());
    for channel in 0..session.head.channels.len() {
        if any_chosen && !curves.chosen.contains(&Item::Channel(channel)) {
            continue;
        }
        let mut last = pos2(f32::NEG_INFINITY, 0.0);
        for &key in sources.keys(session, channel) {
            let at = extent.pos(plot, key.time_secs, key.value);
            let held = curves.held_key.as_ref().filter(|held| held.channel == channel && held.key == key);
            // What is dragged stays, wherever it is dragged to.
            if held.is_none() && (!plot.expand(6.0).contains(at) || (at - last).length() < 4.0) {
                continue;
            }
            last = at;
            let id = held.map_or_else(|| Id::unique(("key", channel, key.time_secs.to_bits())), |held| held.id);
            diamonds.push(Diamond { channel, key, at, id });
        }
    }
    diamonds
}

/// Lets the hand at them. The one that is under it.
pub fn edit_ui<'a>(
    ui: &mut egui::Ui,
    plot: Rect,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &Sources,
    extent: &Extent,
    diamonds: &'a [Diamond],
) -> Option<&'a Diamond> {
    let mut at_hand = None;
    for diamond in diamonds {
        let Some(name) = sources.key_name(diamond.channel) else { continue };
        let response = ui.interact(
            Rect::from_center_size(diamond.at, Vec2::splat(2.0 * REACH)),
            diamond.id,
            Sense::click_and_drag(),
        );
        let label = format!("Key {} {:.2} s", session.head.channels[diamond.channel].name, diamond.key.time_secs);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &label));
        if response.drag_started_by(PointerButton::Primary)
            && let Some(grabbed) = ui.input(|input| input.pointer.press_origin())
        {
            curves.held_key = Some(HeldKey {
                id: diamond.id,
                channel: diamond.channel,
                name: name.to_owned(),
                grabbed,
                from: diamond.key,
                key: diamond.key,
                before: session.edits.keys.clone(),
                extent: *extent,
            });
        }
        drag(ui, &response, plot, session, curves);
        let mut is_deleted = false;
        response.context_menu(|ui| is_deleted = ui.button("Delete key").clicked());
        if response.hovered() {
            at_hand = Some(diamond);
            ui.set_cursor_icon(if response.dragged() { CursorIcon::Grabbing } else { CursorIcon::Grab });
            // What is being dragged is put back or let go first.
            if !response.dragged() && !ui.ctx().text_edit_focused() {
                let takes = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
                is_deleted |= takes(egui::Key::Delete) || takes(egui::Key::Backspace);
            }
        }
        if is_deleted {
            session.edit_keys(|keys| {
                keys.remove(name, diamond.key.time_secs);
            });
            ui.request_repaint();
        }
    }
    at_hand
}

/// Moves the key that is held with the pointer, until it is let go or given up.
fn drag(ui: &egui::Ui, response: &Response, plot: Rect, session: &mut Session, curves: &mut CurvesState) {
    let Some(held) = curves.held_key.as_mut().filter(|held| held.id == response.id) else { return };
    let is_given_up = ui.input(|input| input.key_pressed(egui::Key::Escape));
    if is_given_up {
        session.edit_keys(|keys| keys.clone_from(&held.before));
    } else if let Some(pointer) = response.interact_pointer_pos() {
        let HeldKey { extent, from, grabbed, .. } = held;
        let secs = from.time_secs + extent.secs_at(plot, pointer.x) - extent.secs_at(plot, grabbed.x);
        let value = from.value + extent.value_at(plot, pointer.y) - extent.value_at(plot, grabbed.y);
        let last_secs = extent.secs[1].clamp(0.0, Keys::LATEST_SECS);
        // An expression's value is kept between 0 and 1, whatever is asked for.
        let is_expression = session.head.expression_of(held.channel).is_some();
        let value = if is_expression { value.clamp(0.0, 1.0) } else { value };
        held.key = Key { time_secs: secs.clamp(0.0, last_secs), value };
        session.edit_keys(|keys| {
            keys.clone_from(&held.before);
            keys.remove(&held.name, held.from.time_secs);
            keys.set(&held.name, held.key);
        });
    }
    if is_given_up || !response.dragged() {
        curves.held_key = None;
    }
    ui.request_repaint();
}

impl Diamond {
    /// Paints it; the one under the hand larger.
    pub fn paint(&self, painter: &Painter, is_at_hand: bool) {
        let reach = if is_at_hand { REACH } else { 5.0 };
        let ways = [vec2(0.0, -reach), vec2(reach, 0.0), vec2(0.0, reach), vec2(-reach, 0.0)];
        let outline = Stroke::new(1.0, theme::BACKDROP);
        let corners = ways.map(|way| self.at + way).to_vec();
        painter.add(Shape::convex_polygon(corners, theme::curve_color(self.channel), outline));
    }
}
