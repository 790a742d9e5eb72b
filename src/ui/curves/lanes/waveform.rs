//! The waveform of the sound, under the ruler.

use egui::{Mesh, Rect, Role, Sense, WidgetInfo, pos2};

use crate::theme;
use smirk_editor::session::Session;
use smirk_files::audio::Sound;

use super::super::extent::Extent;

/// Height of the lane.
pub(super) const HEIGHT: f32 = 30.0;

/// Paints the part of the waveform that is visible, as one shape.
pub(super) fn paint_ui(ui: &egui::Ui, lane: Rect, extent: &Extent, session: &Session, sound: Option<&Sound>) {
    let response = ui.interact(lane, ui.scope_id().with("waveform"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Waveform"));
    let painter = ui.painter_at(lane);
    painter.rect_filled(lane, 0.0, theme::BACKDROP);
    painter.hline(lane.x_range(), lane.center().y, egui::Stroke::new(1.0, theme::WELL));
    if let (Some(sound), Some(track)) = (sound, session.sound()) {
        let offset_secs = f64::from(track.offset_secs);
        painter.add(mesh(lane, extent, ui.pixels_per_point(), |from, to| {
            sound.extremes(from - offset_secs, to - offset_secs)
        }));
    }
}

/// A bar for every pixel column in which there is sound, from its lowest to its highest sample.
fn mesh(lane: Rect, extent: &Extent, scale: f32, extremes: impl Fn(f64, f64) -> Option<[f32; 2]>) -> Mesh {
    let mut mesh = Mesh::default();
    let columns = (lane.width() * scale).round().max(1.0) as usize;
    let [start, end] = extent.secs.map(f64::from);
    let secs_at = |column: usize| start + (end - start) * column as f64 / columns as f64;
    let half = lane.height() * 0.5 - 1.0;
    for column in 0..columns {
        let Some([low, high]) = extremes(secs_at(column), secs_at(column + 1)) else { continue };
        let x = lane.left() + column as f32 / scale;
        let [top, bottom] = [high, low].map(|sample| lane.center().y - sample * half);
        // Silence is a line too.
        let bottom = bottom.max(top + 1.0 / scale);
        mesh.add_colored_rect(Rect::from_min_max(pos2(x, top), pos2(x + 1.0 / scale, bottom)), theme::WAVEFORM);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_column_with_sound_has_a_bar_at_its_time() {
        let lane = Rect::from_min_max(pos2(100.0, 0.0), pos2(200.0, 30.0));
        let extent = Extent { secs: [0.0, 10.0], values: [0.0, 1.0] };
        let sound = |from: f64, to: f64| (to > 2.0 && from < 3.0).then_some([-0.5, 1.0]);
        for scale in [1.0, 2.0] {
            let mesh = mesh(lane, &extent, scale, sound);
            let bounds = mesh.calc_bounds();
            assert_eq!(mesh.vertices.len(), 4 * (10.0 * scale) as usize);
            assert_eq!((bounds.left(), bounds.right(), bounds.top(), bounds.bottom()), (120.0, 130.0, 1.0, 22.0));
        }
    }
}
