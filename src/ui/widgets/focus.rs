//! The keyboard focus: a ring around the widget that has it, wherever it is, lists that scroll to it, and its menu; and
//! the keys that are held while the pointer clicks.

use egui::style::ScrollAnimation;
use egui::{Context, Event, Id, Key, Modifiers, Order, Popup, Response, Stroke, StrokeKind, WidgetRect};

use crate::theme;

/// Draws a ring around the widget that has the keyboard focus. Text fields show it by their cursor.
pub(crate) fn focus_ring(ctx: &Context) {
    let Some(focused) = focused(ctx).filter(|_| !ctx.text_edit_focused()) else { return };
    // Some room, so that the ring lies on the widget's edge and not on its letters.
    let painter = ctx.layer_painter(focused.layer_id).with_clip_rect(focused.interact_rect.expand(2.0));
    let stroke = Stroke::new(2.0, theme::ACCENT_BRIGHT);
    painter.rect_stroke(focused.rect.expand(1.0), theme::ROUNDING, stroke, StrokeKind::Middle);
}

/// Scrolls the list in `ui` to the widget that has received the keyboard focus. Call it after the contents of a scroll
/// area, which should hold what is just outside of its visible part.
pub(crate) fn scroll_to_focus(ui: &egui::Ui) {
    let Some(focused) = focused(ui.ctx()).filter(|focused| focused.layer_id == ui.layer_id()) else { return };
    let (x, y) = (ui.max_rect().x_range(), ui.min_rect().y_range());
    if !x.contains(focused.rect.center().x) || !y.contains(focused.rect.center().y) {
        return;
    }
    let last_id = ui.scope_id().with("focused");
    let last = ui.data_mut(|data| data.get_temp::<Id>(last_id));
    ui.data_mut(|data| data.insert_temp(last_id, focused.id));
    if last != Some(focused.id) && !ui.clip_rect().contains_rect(focused.rect) {
        ui.scroll_to_rect_animation(focused.rect.expand(theme::GAP), None, ScrollAnimation::none());
    }
}

/// The widget that has the keyboard focus, if it was shown in this frame. [`Context::read_response`] would take the
/// focus from a field that a click elsewhere has just opened.
fn focused(ctx: &Context) -> Option<WidgetRect> {
    let id = ctx.memory(|memory| memory.focused())?;
    ctx.viewport(|viewport| viewport.this_pass.widgets.get(id).copied())
}

/// Ends the typing in a text field when a drag begins outside of it: egui does that for clicks only. Call it after all
/// panels, so that the field gets what was typed before.
pub(crate) fn end_typing_by_drag(ctx: &Context) {
    let focused = ctx.memory(|memory| memory.focused());
    if ctx.text_edit_focused() && ctx.drag_started_id().is_some_and(|dragged| Some(dragged) != focused) {
        ctx.memory_mut(|memory| memory.stop_text_input());
        ctx.request_repaint();
    }
}

/// Whether keys belong to a text field that has the keyboard focus, or to a menu, a list or another popup that is open.
pub(crate) fn keys_are_taken(ctx: &Context) -> bool {
    ctx.text_edit_focused() || Popup::is_any_open(ctx)
}

/// Whether a widget has the keyboard focus and the keys: one behind an open menu has only the focus.
pub(crate) fn has_keys(response: &Response) -> bool {
    response.has_focus() && (response.layer_id.order == Order::Foreground || !Popup::is_any_open(&response.ctx))
}

/// The menu that a right click on a widget opens, and the Menu key or Shift+F10 while it has the keyboard focus.
pub(crate) fn context_menu_ui(response: &Response, contents: impl FnOnce(&mut egui::Ui)) {
    let ctx = &response.ctx;
    let keys = [(Modifiers::NONE, Key::Menu), (Modifiers::SHIFT, Key::F10)];
    let opens = has_keys(response)
        && ctx.input_mut(|input| keys.into_iter().any(|(modifiers, key)| input.consume_key(modifiers, key)));
    let id = Popup::default_response_id(response);
    let by_key = id.with("by key");
    if opens {
        Popup::open_id(ctx, id);
        ctx.data_mut(|data| data.insert_temp(by_key, true));
    } else if response.secondary_clicked() {
        ctx.data_mut(|data| data.remove::<bool>(by_key));
    }
    let menu = Popup::context_menu(response);
    // The pointer may be anywhere when a key opens the menu.
    let is_by_key = ctx.data(|data| data.get_temp(by_key)).unwrap_or(false);
    let menu = if is_by_key { menu.at_position(response.rect.left_bottom()) } else { menu };
    menu.show(contents);
}

/// The modifiers that were held at the time of a click: in a slow frame, they may have been released already.
pub(crate) fn modifiers_of_click(ui: &egui::Ui) -> Modifiers {
    ui.input(|input| {
        let clicks = input.events.iter().rev();
        let mut held = clicks.filter_map(|event| match event {
            Event::PointerButton { modifiers, .. } => Some(*modifiers),
            _ => None,
        });
        held.next().unwrap_or(input.modifiers)
    })
}
