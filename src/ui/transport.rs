//! The bottom strip: play, choose a clip, scrub, loop, speed.

use egui::{ComboBox, DragValue, Rect, Sense, Stroke, WidgetInfo, pos2, vec2};

use crate::session::Session;

use super::icon::{Icon, icon_button_inline_ui};
use super::theme;

/// Everything in the strip.
pub fn transport_ui(ui: &mut egui::Ui, session: &mut Session) {
    let has_clips = !session.head.clips.is_empty();
    ui.horizontal_centered(|ui| {
        ui.add_enabled_ui(session.clip().is_some(), |ui| {
            let (icon, label) = if session.playback.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
            if icon_button_inline_ui(ui, (icon, theme::TEXT), label, "Space").clicked() {
                session.toggle_playing();
            }
        });
        if !has_clips {
            ui.colored_label(theme::TEXT_WEAK, "This head has no clips: every slider is free.");
            return;
        }
        clip_combo_ui(ui, session);
        ui.add_enabled_ui(session.clip().is_some(), |ui| {
            let right_width = 214.0;
            let width = (ui.available_width() - right_width).max(60.0);
            let (_, rect) = ui.allocate_space(vec2(width, theme::BAR_HEIGHT));
            scrub_ui(ui, rect, session);
            let (time, duration) = (session.playback.time_secs, session.timeline_secs());
            let digits = format!("{duration:.2}").len();
            let (_, rect) = ui.allocate_space(vec2(102.0, theme::BAR_HEIGHT));
            let text = format!("{time:>digits$.2} / {duration:.2} s");
            let color = if ui.is_enabled() { theme::TEXT } else { theme::TEXT_WEAK };
            ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, text, theme::number_font(), color);
            let (color, tip) = if session.playback.looping {
                (theme::ACCENT_BRIGHT, "Starts over at the end (L)")
            } else {
                (theme::MARK, "Stops at the end (L)")
            };
            if icon_button_inline_ui(ui, (Icon::Loop, color), "Loop", tip).clicked() {
                session.playback.looping = !session.playback.looping;
            }
            let speed = DragValue::new(&mut session.playback.speed)
                .range(0.1..=2.0)
                .speed(0.01)
                .fixed_decimals(2)
                .suffix("×")
                .min_size(vec2(56.0, theme::BAR_HEIGHT));
            let response = ui.add(speed).accessible_name("Speed");
            if response.double_clicked() {
                session.playback.speed = 1.0;
            }
            response.on_hover_text("Speed. Drag, or click to type; double click for 1×");
        });
    });
}

fn clip_combo_ui(ui: &mut egui::Ui, session: &mut Session) {
    let chosen = session.playback.clip;
    let name = session.clip().map_or("No clip", |clip| clip.name.as_str()).to_owned();
    let mut choice = chosen;
    let combo = ComboBox::from_id_salt("clip").width(140.0).selected_text(name).truncate().show_ui(ui, |ui| {
        ui.selectable_value(&mut choice, None, "No clip");
        for (index, clip) in session.head.clips.iter().enumerate() {
            ui.selectable_value(&mut choice, Some(index), format!("{}  {:.1} s", clip.name, clip.duration_secs));
        }
    });
    combo.response.accessible_name("Clip");
    if choice != chosen {
        session.select_clip(choice);
    }
}

fn scrub_ui(ui: &mut egui::Ui, rect: Rect, session: &mut Session) {
    let id = ui.scope_id().with("scrub");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let (time, duration) = (session.playback.time_secs, session.timeline_secs());
    response.widget_info(|| WidgetInfo::slider(ui.is_enabled(), f64::from(time), "Time"));
    let track = rect.shrink2(vec2(6.0, 0.0));
    // The hand holds the play head still; letting go lets it run on if it was running.
    if response.is_pointer_button_down_on() {
        let was_playing = session.playback.playing;
        ui.data_mut(|data| *data.get_temp_mut_or(id, false) |= was_playing);
        session.playback.playing = false;
        if let Some(point) = response.interact_pointer_pos() {
            session.seek(egui::remap_clamp(point.x, track.x_range(), 0.0..=duration));
        }
    } else if ui.data_mut(|data| data.remove_temp::<bool>(id)).unwrap_or(false) {
        session.playback.playing = true;
    }
    let fraction = if duration > 0.0 { session.playback.time_secs / duration } else { 0.0 };
    let x = egui::lerp(track.x_range(), fraction);
    let painter = ui.painter();
    let rail = Rect::from_center_size(track.center(), vec2(track.width(), 4.0));
    painter.rect_filled(rail, 2.0, theme::WELL_HOVERED);
    let color = if ui.is_enabled() { theme::DRIVEN_BRIGHT } else { theme::MARK };
    painter.rect_filled(rail.with_max_x(x), 2.0, color.gamma_multiply(0.7));
    let size = if response.hovered() || response.dragged() { 7.0 } else { 5.5 };
    painter.circle(pos2(x, rect.center().y), size, color, Stroke::new(1.0, theme::BACKDROP));
}
