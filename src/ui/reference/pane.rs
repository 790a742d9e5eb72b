//! The pane of the reference: its picture with a zoom and pan of its own, above its controls.

use egui::{Align, Label, Layout, Margin, Panel, Rangef, Rect, RichText, Role, Sense, Vec2, WidgetInfo};

use super::ReferenceView;
use super::controls::controls_ui;
use super::picture::{paint, placed, size_of};
use crate::widgets::text;
use crate::{UiState, WindowView, theme};
use smirk_editor::session::{Command, Placement, Reference, ReferencePlace, Session};

/// The width that the controls need.
const NARROWEST: f32 = 232.0;
/// How visible the picture is in the pane while it is over the face.
const FAINT: f32 = 0.35;

/// Shows the pane beside the viewport, if a reference is open. One that is over the picture has its controls here too.
pub(crate) fn pane_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    let (Some(before), Some(shown)) = (session.edits.reference.clone(), view.reference) else {
        return state.reference.free();
    };
    let mut edited = Some(before.clone());
    let width = state.panels.reference_width;
    // At least half of the width stays for the face, if the controls leave so much.
    let range = Rangef::new(NARROWEST, (ui.available_width() * 0.5).max(NARROWEST));
    state.reference.size.apply(ui, "reference", width, range);
    let panel = Panel::left("reference").frame(theme::panel(Margin::same(8))).default_size(width).size_range(range);
    let panel = panel.show(ui, |ui| {
        ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
            controls_ui(ui, &mut edited, state, shown, commands);
            let rect = ui.available_rect_before_wrap();
            picture_ui(ui, rect, &mut edited, state, shown);
        });
    });
    state.panels.reference_width = state.reference.size.preferred(width, panel.response.rect.width());
    if edited.as_ref() != Some(&before) {
        session.edits.reference = edited.map(Reference::within_reason);
    }
}

/// The picture, or one line in its place. Over the face, drags and the wheel move it there.
fn picture_ui(
    ui: &mut egui::Ui,
    rect: Rect,
    edited: &mut Option<Reference>,
    state: &mut UiState,
    shown: &ReferenceView<'_>,
) {
    let Some(reference) = edited else { return };
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Reference"));
    let painter = ui.painter().with_clip_rect(rect);
    painter.rect_filled(rect, theme::ROUNDING, theme::BACKDROP);
    if let Some(problem) = shown.problem {
        let label = Label::new(RichText::new(text::shown_message(problem)).color(theme::ERROR)).wrap();
        ui.put(rect.shrink(theme::GAP_LARGE), label);
        return;
    }
    let is_over = reference.place == ReferencePlace::Over;
    let in_pane = if is_over {
        let viewport_height = state.viewport_size_px[1] as f32 / ui.pixels_per_point();
        if move_ui(ui, &response, &mut reference.placement, None, viewport_height) {
            state.nudged_at_secs = Some(ui.input(|input| input.time));
        }
        Placement::default()
    } else {
        let from_middle = response.hover_pos().map(|pointer| pointer - rect.center());
        move_ui(ui, &response, &mut state.reference.placement, from_middle, rect.height());
        state.reference.placement
    };
    let opacity = if is_over { FAINT } else { 1.0 };
    if let Some(texture) = state.reference.texture(ui.ctx(), shown) {
        paint(&painter, texture, placed(in_pane, rect, size_of(texture)), opacity);
    }
    if is_over {
        let hint = Label::new("Drag and scroll here to move it over the face").selectable(false).wrap();
        ui.put(rect.shrink(theme::GAP_LARGE), hint);
    }
}

/// Moves and magnifies a picture by drags and the wheel, about a point that is given from the middle of what the picture is shown in,
/// whose height is `height`. A double-click shows all of the picture. Returns whether the wheel changed something.
fn move_ui(
    ui: &egui::Ui,
    response: &egui::Response,
    placement: &mut Placement,
    about: Option<Vec2>,
    height: f32,
) -> bool {
    if height <= 0.0 {
        return false;
    }
    if response.dragged() {
        placement.move_by((response.drag_delta() / height).into());
    }
    if response.double_clicked() {
        *placement = Placement::default();
    }
    if !response.hovered() {
        return false;
    }
    let (scroll, pinch) = ui.input_mut(|input| {
        let scroll = input.smooth_scroll_delta.y + input.smooth_scroll_delta.x;
        input.smooth_scroll_delta = Vec2::ZERO;
        (scroll, input.zoom_delta())
    });
    let is_zoomed = scroll != 0.0 || pinch != 1.0;
    if is_zoomed {
        placement.zoom_about(scroll * 0.006 + pinch.log2(), (about.unwrap_or_default() / height).into());
    }
    is_zoomed
}
