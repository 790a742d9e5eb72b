//! The viewport: the rendered head, camera control, view buttons, what is under the pointer, and the legends of views.

mod features;
mod legend;
mod masking;
mod pins;
mod pointed;

use egui::containers::menu::{MenuButton, SubMenuButton};
use egui::{Button, PointerButton, Rect, Role, Sense, UiBuilder, Vec2, WidgetInfo, vec2};

use smirk_face::head::Frame;
use smirk_scene::{Camera, View};

use crate::context::PanelContext;
use crate::notices::Notices;
use crate::readings::Notice;
use crate::shortcuts::{self, Action};
use crate::state::ShownB;
use crate::surface_menu::surface_menu_ui;
use crate::widgets::{TipSide, keep_tips_off, text};
use crate::{comparison, theme};

use legend::legend_ui;
pub(crate) use pins::NotePins;
pub(crate) use pointed::Pointing;

#[derive(Debug, Default)]
pub(crate) struct Viewport {
    notices: Notices,
}

impl Viewport {
    /// Handles input in the picture of the head, which the window draws below all panels.
    pub(crate) fn show_ui(
        &self,
        ui: &mut egui::Ui,
        pointing: &mut Pointing,
        pins: &mut NotePins,
        cx: &mut PanelContext<'_>,
    ) {
        let rect = ui.available_rect_before_wrap();
        // Each edge is rounded to whole pixels, so that the image under egui's contents meets the panels exactly.
        let [left, top, right, bottom] = [rect.left(), rect.top(), rect.right(), rect.bottom()]
            .map(|points| (points * ui.pixels_per_point()).round().max(0.0) as u32);
        let state = &mut *cx.state;
        let (had_shape, aspect_before) = (state.viewport_size_px[1] > 0, state.aspect());
        state.viewport_min_px = [left, top];
        state.viewport_size_px = [right.saturating_sub(left).max(1), bottom.saturating_sub(top).max(1)];
        let was_beside = state.beside_min_px.is_some();
        state.beside_min_px = (state.comparison.shown == ShownB::Beside && cx.session.b().exists()).then(|| {
            // Both halves have the same number of pixels; of an odd number, the middle one is left out.
            let [left, top] = state.viewport_min_px;
            let whole = state.viewport_size_px[0];
            state.viewport_size_px[0] = (whole / 2).max(1);
            [left + whole - state.viewport_size_px[0], top]
        });
        let aspect = cx.state.aspect();
        if cx.state.beside_min_px.is_some() != was_beside {
            // The pictures have another shape than before.
            cx.session.camera.frame_part(&cx.session.head, Frame::Face, aspect);
        } else if had_shape && aspect != aspect_before {
            // A reference beside the face, a panel or the window has taken some of its room, or given it back.
            cx.session.camera.keep_framed(&cx.session.head, aspect_before, aspect);
        }
        let response = ui.allocate_rect(rect, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Viewport"));
        let halves = comparison::halves(rect, cx.state);
        let is_in_right = response.hover_pos().is_some_and(|pointer| halves[1].contains(pointer));
        if cx.state.placing.is_some() && !cx.state.shows_b {
            features::dots_ui(ui, halves[0], pointing, cx);
        }
        let is_for_mask = !cx.state.shows_b && masking::mask_ui(ui, &response, halves[0], pointing, cx);
        let is_for_surface = is_for_mask
            || pins.show_ui(ui, &response, halves[0], pointing, cx)
            || pointing.pointed_ui(ui, &response, halves[usize::from(is_in_right)], cx);
        move_camera(ui, &response, halves, !is_for_surface, &mut cx.session.camera);
        if response.double_clicked() && !is_for_surface {
            cx.session.camera.frame_part(&cx.session.head, Frame::Face, cx.state.aspect());
        }
        if (response.clicked_by(PointerButton::Primary) || response.drag_started()) && !is_for_surface {
            // A click in the viewport removes the keyboard focus from the last used slider, so that keys control the
            // window again.
            ui.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
        }
    }

    /// Shows the controls over the picture, which also cover a reference over the picture.
    pub(crate) fn overlays_ui(&mut self, ui: &mut egui::Ui, rect: Rect, cx: &mut PanelContext<'_>) {
        comparison::badges_ui(ui, rect, cx);
        legend_ui(ui, rect, cx);
        views_ui(ui, rect, cx);
        self.notices.show_ui(ui, rect, cx);
        if matches!(cx.readings.notice, Notice::Idle) {
            features::placing_ui(ui, &mut rect.clone(), cx);
        }
    }
}

/// Moves the camera by the wheel and, if it `is_dragged`, by drags. Both halves of the viewport show pictures through
/// it.
fn move_camera(ui: &egui::Ui, response: &egui::Response, halves: [Rect; 2], is_dragged: bool, camera: &mut Camera) {
    let shift = ui.input(|input| input.modifiers.shift);
    let in_heights = response.drag_delta() / halves[0].height();
    let delta = glam::vec2(in_heights.x, in_heights.y);
    let pans = response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Secondary)
        || (response.dragged_by(PointerButton::Primary) && shift);
    if pans && is_dragged {
        camera.pan(delta);
    } else if is_dragged && response.dragged_by(PointerButton::Primary) {
        camera.orbit(delta * std::f32::consts::PI);
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (scroll, pinch) = ui.input_mut(|input| {
        let scroll = input.smooth_scroll_delta.y + input.smooth_scroll_delta.x;
        input.smooth_scroll_delta = Vec2::ZERO;
        (scroll, input.zoom_delta())
    });
    let factor = (scroll * 0.004).exp() * pinch;
    if factor != 1.0 {
        let half = if halves[1].contains(pointer) { halves[1] } else { halves[0] };
        let from_middle = (pointer - half.center()) / half.height();
        camera.zoom(factor, glam::vec2(from_middle.x, from_middle.y));
    }
}

fn views_ui(ui: &mut egui::Ui, rect: Rect, cx: &mut PanelContext<'_>) {
    const BUTTON_WIDTH: f32 = 49.6;
    const CAMERAS_WIDTH: f32 = 68.0;
    const SURFACE_WIDTH: f32 = 82.0;
    let has_cameras = !cx.session.head.cameras.is_empty();
    let cameras_width = if has_cameras { CAMERAS_WIDTH + theme::GAP_SMALL } else { 0.0 };
    let total_width = SURFACE_WIDTH + 5.0 * BUTTON_WIDTH + 5.0 * theme::GAP_SMALL + 8.0 + cameras_width;
    let is_menu = rect.width() < total_width + 24.0;
    let total_width = if is_menu { BUTTON_WIDTH + 8.0 } else { total_width };
    let corner = rect.max - vec2(12.0, 12.0);
    let row = Rect::from_min_max(corner - vec2(total_width, theme::BAR_HEIGHT + 8.0), corner);
    ui.painter().rect_filled(row, theme::ROUNDING_LARGE, theme::OVERLAY);
    keep_tips_off(ui.ctx(), row, TipSide::Above);
    let mut child = ui.new_child(UiBuilder::new().max_rect(row.shrink(4.0)).id_salt("views"));
    child.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        if is_menu {
            let button = Button::new("View").min_size(vec2(BUTTON_WIDTH, theme::BAR_HEIGHT));
            let menu = MenuButton::from_button(button.frame_when_inactive(false));
            let (response, _) = menu.ui(ui, |ui| views_menu_ui(ui, cx));
            response.accessible_name("Views").on_hover_text("From where, and what of the surface");
            return;
        }
        ui.allocate_ui(vec2(SURFACE_WIDTH, theme::BAR_HEIGHT), |ui| {
            let shown = cx.session.edits.look.view.label();
            let button = Button::new(shown).min_size(vec2(SURFACE_WIDTH, theme::BAR_HEIGHT));
            let menu = MenuButton::from_button(button.frame_when_inactive(false));
            let (response, _) = menu.ui(ui, |ui| surface_menu_ui(ui, cx));
            response
                .accessible_name("View of the surface")
                .on_hover_text("What is shown of the surface (Ctrl+5 to Ctrl+9, Ctrl+H, V)");
        });
        if has_cameras {
            ui.allocate_ui(vec2(CAMERAS_WIDTH, theme::BAR_HEIGHT), |ui| {
                let button = Button::new("Cameras").min_size(vec2(CAMERAS_WIDTH, theme::BAR_HEIGHT));
                MenuButton::from_button(button.frame_when_inactive(false)).ui(ui, |ui| cameras_ui(ui, cx));
            });
        }
        for (name, action) in VIEWS {
            let button = Button::new(name).frame_when_inactive(false);
            let response = ui.add_sized(vec2(BUTTON_WIDTH, theme::BAR_HEIGHT), button);
            let tip = shortcuts::find(action).map_or(String::new(), |key| format!("{} ({})", key.text, key.keys));
            if response.on_hover_text(tip).clicked() {
                cx.actions.push(action);
            }
        }
        let button = Button::new("Frame").min_size(vec2(BUTTON_WIDTH, theme::BAR_HEIGHT));
        let menu = MenuButton::from_button(button.frame_when_inactive(false));
        let (response, _) = menu.ui(ui, |ui| frame_menu_ui(ui, cx));
        response.on_hover_text("What of the head fills the picture");
    });
}

const VIEWS: [(&str, Action); 4] = [
    ("Front", Action::SetView(View::Front)),
    ("¾", Action::SetView(View::ThreeQuarter)),
    ("Left", Action::SetView(View::Left)),
    ("Right", Action::SetView(View::Right)),
];

fn views_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    for (name, action) in VIEWS {
        if ui.add(Button::new(name).shortcut_text(shortcuts::keys_of(action))).clicked() {
            cx.actions.push(action);
        }
    }
    SubMenuButton::new("Frame").ui(ui, |ui| frame_menu_ui(ui, cx));
    if !cx.session.head.cameras.is_empty() {
        SubMenuButton::new("Cameras").ui(ui, |ui| cameras_ui(ui, cx));
    }
    SubMenuButton::new("Surface").ui(ui, |ui| surface_menu_ui(ui, cx));
}

pub(crate) fn frame_menu_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    for &part in Frame::EACH {
        let action = Action::Frame(part);
        let (button, keys) = (Button::new(part.label()), shortcuts::keys_of(action));
        if ui.add(if keys.is_empty() { button } else { button.shortcut_text(keys) }).clicked() {
            cx.actions.push(action);
        }
    }
}

pub(crate) fn cameras_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let head = cx.session.head.clone();
    for (index, camera) in head.cameras.iter().enumerate() {
        if ui.button(text::shown(&camera.name)).clicked() {
            cx.session.look_through(index);
        }
    }
}
