//! A shaded ball that shows the direction of a light and changes it when dragged.

use egui::epaint::Vertex;
use egui::{Color32, CursorIcon, Mesh, Pos2, Rect, Rgba, Role, Sense, Stroke, WidgetInfo, pos2, vec2};
use glam::{Vec3, vec3};

use crate::theme;
use smirk_scene::Light;

/// Shows the ball at `rect`. Dragging rotates the light; a drag past the edge of the ball moves the light behind the
/// head.
pub(crate) fn light_ball_ui(ui: &mut egui::Ui, rect: Rect, light: &mut Light, label: &str) {
    let response = ui.interact(rect, ui.scope_id().with(("ball", label)), Sense::drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, ui.is_enabled(), label));
    let radius = rect.width().min(rect.height()) / 2.0 - 1.0;
    if response.dragged() {
        let rotation_degrees = response.drag_delta() / radius * 90.0_f32;
        if rotation_degrees.x != 0.0 {
            light.yaw_degrees = (light.yaw_degrees + rotation_degrees.x + 180.0).rem_euclid(360.0) - 180.0;
        }
        light.pitch_degrees = (light.pitch_degrees - rotation_degrees.y).clamp(-90.0, 90.0);
    }
    let painter = ui.painter();
    let middle = rect.center();
    let towards = light.direction_to_light_in_world();
    let [r, g, b] = light.color;
    painter.add(shaded_ball(middle, radius, towards, vec3(r, g, b)));
    let is_highlighted = response.hovered() || response.dragged();
    let rim = if is_highlighted { theme::ACCENT_BRIGHT } else { theme::ICON_FAINT };
    painter.circle_stroke(middle, radius, Stroke::new(1.0, rim));
    let dot = middle + vec2(towards.x, -towards.y) * (radius - 5.0);
    let bright = Color32::from(Rgba::from_rgb(r, g, b));
    if towards.z >= 0.0 {
        painter.circle(dot, 4.5, bright, Stroke::new(1.5, theme::BACKDROP));
    } else {
        painter.circle(dot, 4.5, theme::BACKDROP, Stroke::new(1.5, bright));
    }
    let tip = "Drag to rotate the light. A hollow dot means behind the head";
    response.on_hover_cursor(CursorIcon::Grab).on_hover_text(tip);
}

/// The visible half of a diffuse ball, as rings of triangles.
fn shaded_ball(middle: Pos2, radius: f32, towards: Vec3, color: Vec3) -> Mesh {
    const RINGS: u32 = 14;
    const SPOKES: u32 = 64;
    let mut mesh = Mesh::default();
    for ring in 0..=RINGS {
        // Rings are closer together towards the edge, where the shading changes fastest.
        let slope = ring as f32 / RINGS as f32 * std::f32::consts::FRAC_PI_2;
        for spoke in 0..SPOKES {
            let (sin, cos) = (spoke as f32 / SPOKES as f32 * std::f32::consts::TAU).sin_cos();
            let normal = vec3(cos * slope.sin(), sin * slope.sin(), slope.cos());
            let lit = color * (0.012 + 0.5 * normal.dot(towards).max(0.0));
            let pos = pos2(middle.x + normal.x * radius, middle.y - normal.y * radius);
            let color = Color32::from(Rgba::from_rgb(lit.x, lit.y, lit.z));
            mesh.vertices.push(Vertex { pos, uv: egui::epaint::WHITE_UV, color });
        }
    }
    for ring in 0..RINGS {
        for spoke in 0..SPOKES {
            let next = (spoke + 1) % SPOKES;
            let (inner, outer) = (ring * SPOKES, (ring + 1) * SPOKES);
            mesh.add_triangle(inner + spoke, outer + spoke, outer + next);
            mesh.add_triangle(inner + spoke, outer + next, inner + next);
        }
    }
    mesh
}
