//! A and B: while B is held, the picture shows what the face is compared with.

use egui::containers::menu::MenuButton;
use egui::{Align2, Button, Key, Rect, Role, Sense, WidgetInfo, vec2};

use crate::session::{ComparedWith, Session};

use super::widgets::text;
use super::{UiState, WindowView, theme};

/// Notices whether B is held down. Keys that are typed into a field do not count.
pub(super) fn follow_key(ctx: &egui::Context, session: &Session, state: &mut UiState, view: &WindowView<'_>) {
    let is_covered = state.shortcuts_open || state.work_list.is_open || view.prompt.is_some();
    let is_held = ctx.input(|input| input.key_down(Key::B) && input.modifiers.is_none());
    state.holds_b = is_held && !is_covered && !ctx.text_edit_focused();
    state.shows_b = state.holds_b && session.has_b();
}

/// A button of the transport bar that chooses what B is.
pub(super) fn comparison_menu_ui(ui: &mut egui::Ui, session: &mut Session) {
    let button = Button::new("A/B").min_size(vec2(44.0, theme::BAR_HEIGHT));
    let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
        ui.set_width(220.0);
        ui.weak("Hold B to see");
        for with in ComparedWith::ALL {
            if ui.radio(session.compared_with == with, with.label()).clicked() {
                session.compared_with = with;
                ui.close();
            }
        }
    });
    let tip = if session.has_b() {
        format!("Hold B to see {} in the picture. Click to choose another", text::shown(&session.b_name()))
    } else {
        session.compared_with.why_none().to_owned()
    };
    response.accessible_name("Compared with").on_hover_text(tip);
}

/// Says over the picture that it shows B, or why it does not.
pub(super) fn badge_ui(ui: &mut egui::Ui, viewport: Rect, session: &Session, state: &UiState) {
    if !state.holds_b {
        return;
    }
    let text = if state.shows_b {
        format!("B: {}", text::shown(&session.b_name()))
    } else {
        session.compared_with.why_none().to_owned()
    };
    let font = theme::body_font();
    let shown = text::elide_middle(ui.painter(), &text, &font, viewport.width() - 48.0);
    let galley = ui.painter().layout_no_wrap(shown, font, theme::TEXT);
    let size = galley.size() + vec2(2.0 * theme::GAP, theme::GAP);
    let rect = Align2::CENTER_TOP.anchor_size(viewport.center_top() + vec2(0.0, 12.0), size);
    ui.painter().rect_filled(rect, theme::ROUNDING_LARGE, theme::OVERLAY);
    ui.painter().galley(rect.center() - galley.size() * 0.5, galley, theme::TEXT);
    let id = ui.scope_id().with("shows B");
    ui.interact(rect, id, Sense::hover()).widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}
