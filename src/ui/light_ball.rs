//! A ball that shows where a light stands, and moves it when dragged.

use egui::{Color32, Rect, Rgba, Role, Sense, Stroke, WidgetInfo, vec2};

use crate::scene::Light;

use super::theme;

/// Lays the ball out at `rect`. Dragging turns the light as if the ball were rolled: past its edge it goes round the back.
pub fn light_ball_ui(ui: &mut egui::Ui, rect: Rect, light: &mut Light, label: &str) {
    let response = ui.interact(rect, ui.scope_id().with(("ball", label)), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), label));
    let radius = rect.width().min(rect.height()) / 2.0 - 1.0;
    if response.dragged() {
        let turned = response.drag_delta() / radius * 90.0_f32;
        let yaw_degrees = light.yaw_degrees + turned.x;
        light.yaw_degrees = (yaw_degrees + 180.0).rem_euclid(360.0) - 180.0;
        light.pitch_degrees = (light.pitch_degrees - turned.y).clamp(-90.0, 90.0);
    }
    let painter = ui.painter();
    let middle = rect.center();
    let towards = light.direction_to_light_in_world();
    let on_ball = |scale: f32| middle + vec2(towards.x, -towards.y) * radius * scale;
    let [r, g, b] = light.color;
    let bright = Color32::from(Rgba::from_rgb(r, g, b));
    painter.circle_filled(middle, radius, theme::BACKDROP);
    if towards.z > -0.35 {
        // A few discs that shrink towards the light stand in for shading.
        const DISCS: usize = 12;
        for disc in 1..=DISCS {
            let near = disc as f32 / DISCS as f32;
            let strength = 0.09 * (0.35 + towards.z).min(1.0);
            painter.circle_filled(
                middle + (on_ball(0.9) - middle) * near,
                radius * (1.0 - near * 0.92),
                bright.gamma_multiply(strength),
            );
        }
    }
    let rim = if response.hovered() || response.dragged() { theme::ACCENT_BRIGHT } else { theme::MARK };
    painter.circle_stroke(middle, radius, Stroke::new(1.0, rim));
    let (dot, size) = (on_ball(0.94), 4.5);
    if towards.z >= 0.0 {
        painter.circle(dot, size, bright, Stroke::new(1.0, theme::BACKDROP));
    } else {
        painter.circle(dot, size, theme::BACKDROP, Stroke::new(1.5, bright));
    }
    response.on_hover_cursor(egui::CursorIcon::Grab).on_hover_text("Drag to move the light; a hollow dot is behind the head");
}
