//! The waveform of the sound, and what the voice reads of it.

use egui::{Mesh, Rect, Role, Sense, Stroke, WidgetInfo, pos2};

use smirk_analysis::voice::FRAMES_PER_SEC;
use smirk_face::motion::Layer;
use smirk_files::audio::Sound;
use smirk_session::Session;

use crate::curves::extent::Plot;
use crate::theme;

/// Paints the part of the waveform that is visible, as one shape.
pub(super) fn waveform_ui(ui: &egui::Ui, lane: &Plot, session: &Session, sound: Option<&Sound>) {
    let rect = lane.rect;
    let response = ui.interact(rect, ui.scope_id().with("waveform"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Waveform"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, theme::BACKDROP);
    painter.hline(rect.x_range(), rect.center().y, Stroke::new(1.0, theme::WELL));
    if let (Some(sound), Some(track)) = (sound, session.sound()) {
        let offset_secs = f64::from(track.offset_secs);
        painter.add(waveform(lane, ui.pixels_per_point(), |from, to| {
            sound.extremes(from - offset_secs, to - offset_secs)
        }));
        paint_voice(&painter, lane, session, track.offset_secs);
    }
}

/// What the voice reads: how loud the sound is, as a curve, and when the lips are closed, as marks under it.
fn paint_voice(painter: &egui::Painter, lane: &Plot, session: &Session, offset_secs: f32) {
    const MARK_HEIGHT: f32 = 3.0;
    let Some(spoken) = session.spoken() else { return };
    let (rect, color) = (lane.rect, theme::layer_tint(Layer::Voice).bright);
    if let Some(heard) = session.heard() {
        let [start, end] = lane.extent.secs.map(|secs| ((secs - offset_secs) * FRAMES_PER_SEC).max(0.0) as usize);
        let shown = start.min(heard.loudness.len())..(end + 2).min(heard.loudness.len());
        // As many points as there are columns of pixels.
        let step = (shown.len() / rect.width().max(1.0) as usize).max(1);
        let points = shown.step_by(step).map(|frame| {
            let x = lane.x(frame as f32 / FRAMES_PER_SEC + offset_secs);
            pos2(x, rect.bottom() - MARK_HEIGHT - heard.loudness[frame] * (rect.height() - MARK_HEIGHT - 1.0))
        });
        painter.add(egui::Shape::line(points.collect(), Stroke::new(1.0, theme::TEXT_WEAK)));
    }
    let [start, end] = lane.extent.secs;
    let closed = &spoken.said.speech.closed;
    let first = closed.partition_point(|span| span[1] < start);
    let mut last = f32::NEG_INFINITY;
    for [from, to] in closed[first..].iter().take_while(|span| span[0] <= end) {
        let (left, right) = (lane.x(*from).max(last), lane.x(*to));
        if right - left >= 1.0 || last == f32::NEG_INFINITY {
            let mark = Rect::from_min_max(pos2(left, rect.bottom() - MARK_HEIGHT), pos2(right, rect.bottom()));
            painter.rect_filled(mark, 0.0, color);
            last = right;
        }
    }
}

/// A bar for every pixel column in which there is sound, from its lowest to its highest sample.
fn waveform(lane: &Plot, scale: f32, extremes: impl Fn(f64, f64) -> Option<[f32; 2]>) -> Mesh {
    let (rect, [start, end]) = (lane.rect, lane.extent.secs.map(f64::from));
    let mut mesh = Mesh::default();
    let columns = (rect.width() * scale).round().max(1.0) as usize;
    let half = rect.height() * 0.5 - 1.0;
    for column in 0..columns {
        let [from, to] = [column, column + 1].map(|edge| start + (end - start) * edge as f64 / columns as f64);
        let Some([low, high]) = extremes(from, to) else { continue };
        let x = rect.left() + column as f32 / scale;
        let [top, bottom] = [high, low].map(|sample| rect.center().y - sample * half);
        // Silence is drawn as a line.
        let bottom = bottom.max(top + 1.0 / scale);
        mesh.add_colored_rect(Rect::from_min_max(pos2(x, top), pos2(x + 1.0 / scale, bottom)), theme::WAVEFORM);
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::extent::Extent;

    #[test]
    fn every_column_with_sound_has_a_bar_at_its_time() {
        let rect = Rect::from_min_max(pos2(100.0, 0.0), pos2(200.0, 30.0));
        let lane = Plot { rect, extent: Extent { secs: [0.0, 10.0], values: [0.0, 1.0] } };
        let sound = |from: f64, to: f64| (to > 2.0 && from < 3.0).then_some([-0.5, 1.0]);
        for scale in [1.0, 2.0] {
            let mesh = waveform(&lane, scale, sound);
            let bounds = mesh.calc_bounds();
            assert_eq!(mesh.vertices.len(), 4 * (10.0 * scale) as usize);
            assert_eq!((bounds.left(), bounds.right(), bounds.top(), bounds.bottom()), (120.0, 130.0, 1.0, 22.0));
        }
    }
}
