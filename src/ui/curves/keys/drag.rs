//! The pointer in the graph: clicks select keys, a double-click inserts one, and drags start a gesture.

use egui::{
    CursorIcon, Key as KeyboardKey, Modifiers, PointerButton, Pos2, Rect, Response, Role, Sense, Vec2, WidgetInfo,
};

use crate::curves::drawing::{CurveItem, CurveSources};
use crate::curves::extent::Extent;
use crate::curves::hover;
use crate::curves::list::modifiers_of_click;
use crate::curves::state::CurvesState;
use smirk_editor::session::Session;
use smirk_face::motion::KeySelection;

use super::gesture::{Gesture, GestureKind};
use super::pick::{self, ShownCurve, key_at, keys_in, shown_curves};
use super::state::KeyEditing;
use super::{Markers, handles};

/// Handles the pointer in the plot.
pub(crate) fn pointer_ui(
    ui: &egui::Ui,
    response: &Response,
    plot: Rect,
    extent: &Extent,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
) {
    if curves.lists_columns {
        curves.keys.gesture = None;
        return;
    }
    let point = response.interact_pointer_pos();
    let pressed = ui.input(|input| input.pointer.press_origin());
    if response.drag_started_by(PointerButton::Primary)
        && let Some(origin) = pressed.filter(|origin| plot.expand(pick::REACH).contains(*origin))
    {
        begin(session, curves, sources, plot, extent, origin, modifiers_of_click(ui));
    }
    if curves.keys.gesture.is_some() {
        go_on(ui, session, curves, plot, |session, curves, rect| {
            let shown = shown_curves(session, &curves.image, sources, |item| curves.is_shown(item));
            keys_in(&shown, plot, extent, rect)
        });
    } else if response.double_clicked() {
        double_click(ui, session, curves, sources, plot, extent, point);
    } else if response.clicked() || response.secondary_clicked() {
        let Some(point) = point.filter(|point| plot.contains(*point)) else { return };
        let modifiers = if response.clicked() { Some(modifiers_of_click(ui)) } else { None };
        click(session, curves, sources, plot, extent, point, modifiers);
    }
}

/// Selects the key at a point. `modifiers` are `None` for a click that opens the menu, which keeps selected keys
/// selected.
fn click(
    session: &Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    plot: Rect,
    extent: &Extent,
    point: Pos2,
    modifiers: Option<Modifiers>,
) {
    let shown = shown_curves(session, &curves.image, sources, |item| curves.is_shown(item));
    let hit = key_at(&shown, plot, extent, point).map(|(index, key)| (shown[index].name, key.time_secs));
    let selection = &mut curves.keys.selection;
    let Some((name, time_secs)) = hit else {
        if modifiers.is_some_and(|modifiers| modifiers.is_none()) {
            *selection = KeySelection::default();
        }
        return;
    };
    let is_selected = selection.contains(name, time_secs);
    match modifiers {
        None if is_selected => {}
        Some(modifiers) if modifiers.command && is_selected => selection.subtract(name, [time_secs]),
        Some(modifiers) if modifiers.command || modifiers.shift => selection.add(name, [time_secs]),
        _ => {
            *selection = KeySelection::default();
            selection.add(name, [time_secs]);
        }
    }
}

/// Inserts a key on the curve at a point, unless there is one; where there is no curve, shows everything.
fn double_click(
    ui: &egui::Ui,
    session: &mut Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    plot: Rect,
    extent: &Extent,
    point: Option<Pos2>,
) {
    let Some(point) = point.filter(|point| plot.contains(*point)) else { return };
    let shown = shown_curves(session, &curves.image, sources, |item| curves.is_shown(item));
    if key_at(&shown, plot, extent, point).is_some() {
        return;
    }
    match hover::find(ui, plot, curves, extent, point).map(|found| found.item) {
        Some(CurveItem::Channel(channel)) => {
            let time_secs = session.edits.timeline.snapped(extent.secs_at(plot, point.x)).max(0.0);
            session.insert_key(channel, time_secs);
            let name = &session.head.channels[channel].full_name;
            curves.keys.selection = KeySelection::default();
            curves.keys.selection.add(name, session.edits.keys.key_at(name, time_secs).map(|key| key.time_secs));
        }
        Some(CurveItem::Column(_)) => {}
        None => (curves.visible_secs, curves.visible_values) = (None, None),
    }
}

/// Starts the drag of what is at `origin`.
fn begin(
    session: &Session,
    curves: &mut CurvesState,
    sources: &CurveSources,
    plot: Rect,
    extent: &Extent,
    origin: Pos2,
    modifiers: Modifiers,
) {
    let shown = shown_curves(session, &curves.image, sources, |item| curves.is_shown(item));
    let hit = key_at(&shown, plot, extent, origin);
    let selection = &curves.keys.selection;
    let of_tangents = handles::tangents(session, &shown, selection, plot, extent);
    let of_box = handles::of_box(curves.keys.markers.bounds(), plot, extent, curves.is_normalised);
    let handle = handles::at(&of_tangents, origin).or_else(|| handles::at(&of_box, origin));
    let mut selection = selection.clone();
    let kind = match (handle, hit) {
        (Some(handle), _) => handle.kind.clone(),
        (None, Some((index, key))) => {
            let ShownCurve { name, .. } = shown[index];
            if !selection.contains(name, key.time_secs) {
                if !modifiers.shift {
                    selection = KeySelection::default();
                }
                selection.add(name, [key.time_secs]);
            }
            let height_of_one = shown[index].height_of_one();
            GestureKind::Move { grabbed_secs: key.time_secs, height_of_one, only_time: false }
        }
        (None, None) => GestureKind::Box,
    };
    curves.keys.selection = selection;
    curves.keys.gesture = Some(Gesture::new(kind, origin, *extent, &session.edits.keys, &curves.keys.selection));
}

/// Applies the drag, and ends it when the button is released. `keys_in` finds the keys in a rectangle.
pub(crate) fn go_on(
    ui: &egui::Ui,
    session: &mut Session,
    curves: &mut CurvesState,
    plot: Rect,
    keys_in: impl FnOnce(&Session, &CurvesState, Rect) -> KeySelection,
) {
    let Some(mut gesture) = curves.keys.gesture.take() else { return };
    ui.request_repaint();
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, KeyboardKey::Escape)) {
        gesture.cancel(session, &mut curves.keys.selection);
        return;
    }
    let (pointer, modifiers, is_down) =
        ui.input(|input| (input.pointer.latest_pos(), input.modifiers, input.pointer.any_down()));
    if let Some(pointer) = pointer {
        if let Some(rect) = gesture.selecting_rect(pointer) {
            let found = keys_in(session, curves, rect);
            curves.keys.selection = combined(&gesture.selected, &found, modifiers);
        } else {
            gesture.update(session, &mut curves.keys.selection, plot, pointer, modifiers);
            ui.set_cursor_icon(CursorIcon::Grabbing);
        }
    }
    if is_down {
        curves.keys.gesture = Some(gesture);
    }
}

/// The selection after keys were found in a rectangle: with Shift they are added, with Ctrl removed.
pub(crate) fn combined(before: &KeySelection, found: &KeySelection, modifiers: Modifiers) -> KeySelection {
    let mut result = if modifiers.shift || modifiers.command { before.clone() } else { KeySelection::default() };
    for (name, times) in found.channels() {
        if modifiers.command {
            result.subtract(name, times.iter().copied());
        } else {
            result.add(name, times.iter().copied());
        }
    }
    result
}

/// Paints keys, handles and what a drag does.
pub(crate) fn paint_ui(
    ui: &egui::Ui,
    painter: &egui::Painter,
    plot: Rect,
    extent: &Extent,
    session: &Session,
    (curves, markers): (&CurvesState, &Markers),
    shown: &[ShownCurve<'_>],
) {
    let KeyEditing { selection, gesture, .. } = &curves.keys;
    let named = |label: &str, at: Pos2| {
        let rect = Rect::from_center_size(at, Vec2::splat(2.0 * pick::REACH));
        let response = ui.interact(rect, ui.scope_id().with(("named", label)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, label));
    };
    let of_tangents = handles::tangents(session, shown, selection, plot, extent);
    let of_box = handles::of_box(markers.bounds(), plot, extent, curves.is_normalised);
    if let Some(rect) = handles::box_rect(markers.bounds(), plot, extent) {
        handles::paint_box(painter, rect, &of_box);
    }
    handles::paint_tangents(painter, &of_tangents);
    markers.paint(painter);
    for (channel, time_secs, at) in markers.named().filter(|(_, _, at)| plot.contains(*at)) {
        named(&format!("Key {} {time_secs:.2} s", session.head.channels[channel].name), at);
    }
    for handle in of_tangents.iter().chain(&of_box).filter(|handle| plot.contains(handle.at)) {
        named(&handle.label, handle.at);
    }
    let pointer = ui.input(|input| input.pointer.latest_pos());
    if let (Some(gesture), Some(pointer)) = (gesture, pointer) {
        handles::paint_gesture(painter, plot, gesture, pointer);
    }
}
