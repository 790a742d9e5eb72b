//! The mask of a mend over the picture: circles where the mend works, and the clicks that paint it.

use egui::{CursorIcon, Key, Modifiers, Rect, Response, Stroke};
use glam::Vec3;

use smirk_analysis::mend::MaskPoint;
use smirk_face::head::BoundPoint;

use super::Pointing;
use super::pins::{in_heights, on_screen, to_glam};
use crate::context::PanelContext;
use crate::state::Page;
use crate::theme;

/// How near a click is to the middle of a circle that it takes away, in points on the screen.
const NEAR: f32 = 8.0;

/// Shows the mask that is painted over the picture of A, and lets clicks on the face add to it and take away from it.
/// Returns whether a click was for the mask.
pub(super) fn mask_ui(
    ui: &egui::Ui,
    response: &Response,
    picture: Rect,
    pointing: &mut Pointing,
    cx: &mut PanelContext<'_>,
) -> bool {
    let Some(index) = cx.marks.masked_mend else { return false };
    let is_left = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    let is_open = !is_left && cx.state.panels.page == Page::Report;
    let Some(mend) = cx.session.edits.mends.get(index).filter(|mend| is_open && mend.kind.uses_mask()) else {
        cx.marks.masked_mend = None;
        return false;
    };
    let mut mask = mend.mask.clone().unwrap_or_default();
    let head = cx.session.head.clone();
    let (camera, mm_per_unit) = (&cx.session.camera, head.mm_per_unit());
    let painter = ui.painter().with_clip_rect(picture);
    let mut middles = Vec::with_capacity(mask.0.len());
    for point in &mask.0 {
        let place = Vec3::from(point.at);
        let Some((in_picture, height)) = camera.in_picture(place).zip(camera.height_at(place)) else {
            middles.push(None);
            continue;
        };
        let middle = on_screen(picture, in_picture);
        middles.push(Some(middle));
        let radius = point.radius_mm / mm_per_unit / height * picture.height();
        painter.circle_stroke(middle, radius, Stroke::new(1.5, theme::ACCENT_BRIGHT));
        painter.circle_stroke(middle, radius * 0.5, Stroke::new(1.0, theme::ACCENT_BRIGHT.gamma_multiply(0.5)));
        painter.circle_filled(middle, 2.5, theme::ACCENT_BRIGHT);
    }
    if response.hovered() {
        ui.set_cursor_icon(CursorIcon::Crosshair);
    }
    let is_plain = ui.input(|input| input.modifiers.is_none());
    let Some(at) = response.interact_pointer_pos().filter(|_| is_plain && response.clicked()) else { return false };
    let clicked = middles.iter().position(|middle| middle.is_some_and(|middle| middle.distance(at) <= NEAR));
    if let Some(clicked) = clicked {
        mask.0.remove(clicked);
    } else {
        let ray = camera.ray(to_glam(in_heights(picture, at)));
        let Some(hit) = pointing.placed(cx.session).pick(&head, &ray) else {
            cx.show_status("There is no surface here for the mask");
            return true;
        };
        let point = BoundPoint { mesh: hit.mesh, vertices: hit.vertices, weights: hit.weights };
        let radius_mm = mask.0.last().map_or(MaskPoint::USUAL_RADIUS_MM, |last| last.radius_mm);
        mask.0.push(MaskPoint { at: point.at_rest(&head).to_array(), radius_mm });
    }
    cx.session.edits.mends[index].mask = Some(mask).filter(|mask| !mask.0.is_empty());
    true
}
