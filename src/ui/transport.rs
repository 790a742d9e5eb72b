//! The transport bar at the bottom: play, clip and take, timeline, loop, speed, curves.

use egui::{ComboBox, DragValue, PopupCloseBehavior, Rect, Role, Sense, Stroke, WidgetInfo, pos2, vec2};

use smirk_face::head::Clip;
use smirk_face::motion::{Key, Layer, TimeDisplay};
use smirk_session::Session;

use crate::comparison::comparison_menu_ui;
use crate::context::PanelContext;
use crate::motion::{sound_button_ui, sound_button_width};
use crate::notes;
use crate::theme;
use crate::widgets::text::short_take_name;
use crate::widgets::{
    Icon, NumberField, RangeStrip, checkbox_ui, drag_play_head, icon_button_inline_ui, inverts_snap, pose_over_ui, text,
};

/// What makes a timeline on a head that has no clip.
const STARTS: &str = "open a take, or press K for the first key";
const COMBO_WIDTH: f32 = 140.0;
const RANGE_STRIP: f32 = 6.0;
/// Width of the button of the comparison, with the space before it.
const COMPARISON_WIDTH: f32 = 52.0;

pub(crate) fn transport_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    follow_timing(cx);
    let has_timeline = cx.session.timeline_secs() > 0.0;
    ui.horizontal_centered(|ui| {
        let session = &mut *cx.session;
        ui.add_enabled_ui(has_timeline, |ui| {
            let (icon, label) =
                if session.clock.timeline.playing { (Icon::Pause, "Pause") } else { (Icon::Play, "Play") };
            if icon_button_inline_ui(ui, (icon, theme::TEXT), label, "Space").clicked() {
                session.toggle_playing();
            }
        });
        let has_takes = session.edits.playable_takes().next().is_some();
        if session.head.clips.is_empty() && !has_takes && !has_timeline {
            ui.colored_label(theme::TEXT_WEAK, format!("No animation: {STARTS}"));
            return;
        }
        if !session.head.clips.is_empty() {
            clip_combo_ui(ui, session);
        }
        if has_takes {
            take_combo_ui(ui, session);
        }
        let mut bar = Rect::NOTHING;
        ui.add_enabled_ui(has_timeline, |ui| {
            let session = &mut *cx.session;
            let time_width = if session.edits.timeline.display == TimeDisplay::Timecode { 184.0 } else { 168.0 };
            let sound_width = sound_button_width(session);
            let right_width = time_width + 146.0 + COMPARISON_WIDTH + sound_width;
            let width = (ui.available_width() - right_width).max(60.0);
            let (_, rect) = ui.allocate_space(vec2(width, theme::BAR_HEIGHT));
            scrub_ui(ui, rect, session);
            bar = rect;
            notes::marks_ui(ui, track_of(rect), cx);
            let session = &mut *cx.session;
            let (_, rect) = ui.allocate_space(vec2(time_width, theme::BAR_HEIGHT));
            time_ui(ui, rect, session);
            loop_and_speed_ui(ui, session);
        });
        if !has_timeline {
            starts_ui(ui, bar, cx.session);
        }
        let (track, end_secs) = (track_of(bar).x_range(), cx.session.timeline_secs());
        let x = |secs: f32| egui::lerp(track, if end_secs > 0.0 { secs / end_secs } else { 0.0 });
        if let Some(dragged) = &mut cx.marks.dragged_pose {
            let secs = pose_over_ui(ui, bar, x, |x| egui::remap(x, track, 0.0..=end_secs), cx.session);
            dragged.time_secs = secs.or(dragged.time_secs);
        }
        sound_button_ui(ui, cx);
        comparison_menu_ui(ui, cx);
        ui.add_enabled_ui(has_timeline, |ui| {
            let (color, label) = if cx.state.panels.curves_open && has_timeline {
                (theme::ACCENT_BRIGHT, "Hide curves")
            } else {
                (theme::TEXT_WEAK, "Show curves")
            };
            let button = icon_button_inline_ui(ui, (Icon::Curves, color), label, "Curves of clip, take and keys (C)");
            let why = "No curves: choose a clip or a take, or set a key (K) on a channel";
            if button.on_disabled_hover_text(why).clicked() {
                cx.state.panels.curves_open = !cx.state.panels.curves_open;
            }
        });
    });
}

/// Says what stays with the clip or take that played before, when another one is chosen.
fn follow_timing(cx: &mut PanelContext<'_>) {
    let of = cx.session.timing_of();
    let before = cx.state.timing_of.replace(of.clone());
    let Some(before) = before.filter(|before| *before != of && cx.session.edits.timing_for_all.is_none()) else {
        return;
    };
    let timing = cx.session.edits.timing(&before);
    if !timing.is_empty() {
        let name = text::shown(&cx.session.timing_name(&before)).into_owned();
        let words = timing.words();
        cx.show_status(format!("{words} stay with {name}; Edit › Keys and play range copies or shares them"));
    }
}

/// Says over a timeline on which nothing plays what starts it.
fn starts_ui(ui: &egui::Ui, rect: Rect, session: &Session) {
    let text = match (session.head.clips.is_empty(), session.edits.playable_takes().next()) {
        (false, None) => "Choose a clip, or press K for the first key",
        (true, _) => "Choose a take, or press K for the first key",
        (false, Some(_)) => "Choose a clip or a take, or press K for the first key",
    };
    let font = theme::small_font();
    let shown = text::elide_middle(ui.painter(), text, &font, rect.width());
    let galley = ui.painter().layout_no_wrap(shown, font, theme::TEXT_WEAK);
    let at = egui::Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    ui.painter().rect_filled(at.expand2(vec2(theme::GAP, 0.0)), 0.0, theme::PANEL);
    ui.painter().galley(at.min, galley, theme::TEXT_WEAK);
    let response = ui.interact(at, ui.scope_id().with("starts"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    response.on_hover_text(text);
}

/// The time and the length of the timeline; if in and out leave out some of it, the range that plays, and a click plays
/// all of it again.
fn time_ui(ui: &egui::Ui, rect: Rect, session: &mut Session) {
    let (time, duration) = (session.clock.timeline.time_secs, session.timeline_secs());
    let timeline = session.timeline();
    let digits = format!("{duration:.2}").len();
    let [start, end] = session.range_secs();
    let is_cut = end - start < duration - Key::SAME_SECS;
    let text = match timeline.display {
        TimeDisplay::Seconds if is_cut => format!("{time:>digits$.2} / {start:.2}–{end:.2} s"),
        TimeDisplay::Seconds => format!("{time:>digits$.2} / {duration:.2} s"),
        TimeDisplay::Timecode if is_cut => format!("{} / {start:.1}–{end:.1} s", timeline.text(time)),
        TimeDisplay::Frames if is_cut => {
            let [first, last] = [start, end].map(|secs| timeline.rate.frame_at(secs).round());
            format!("{} / {first}–{last}", timeline.text(time))
        }
        TimeDisplay::Frames | TimeDisplay::Timecode => format!("{} / {}", timeline.text(time), timeline.text(duration)),
    };
    let color = match (ui.is_enabled(), is_cut) {
        (false, _) => theme::TEXT_WEAK,
        (true, false) => theme::TEXT,
        (true, true) => theme::ACCENT_BRIGHT,
    };
    ui.painter().text(rect.right_center(), egui::Align2::RIGHT_CENTER, text, theme::number_font(), color);
    if is_cut {
        let button = ui.interact(rect, ui.scope_id().with("cut"), Sense::click());
        let name = format!("Plays {start:.2} to {end:.2} of {duration:.2} s");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), &name));
        if button.on_hover_text(format!("{name}, from the in to the out point. Click to play all of it")).clicked() {
            session.timeline_mut().set_in(false);
            session.timeline_mut().set_out(false);
        }
    } else if timeline.display == TimeDisplay::Seconds {
        // The two numbers are aligned to opposite edges, so that neither moves while they change.
        let frame = TimeDisplay::Frames.text(timeline.rate, time);
        let at = rect.left_center();
        ui.painter().text(at, egui::Align2::LEFT_CENTER, frame, theme::number_font(), theme::TEXT_WEAK);
    }
}

fn loop_and_speed_ui(ui: &mut egui::Ui, session: &mut Session) {
    let (color, tip) = if session.clock.timeline.looping {
        (theme::ACCENT_BRIGHT, "Loop is on (L)")
    } else {
        (theme::ICON_WEAK, "Loop is off (L)")
    };
    if icon_button_inline_ui(ui, (Icon::Loop, color), "Loop", tip).clicked() {
        session.clock.timeline.looping = !session.clock.timeline.looping;
    }
    let speed = DragValue::new(&mut session.clock.timeline.speed)
        .range(0.1..=2.0)
        .speed(0.01)
        .fixed_decimals(2)
        .suffix("×")
        .min_size(vec2(56.0, theme::BAR_HEIGHT));
    let response = ui.add(NumberField(speed)).accessible_name("Speed");
    if response.double_clicked() {
        session.clock.timeline.speed = 1.0;
    }
    response.on_hover_text("Speed. Drag, or click to type; double-click for 1×");
}

/// A name shortened to the width of the combo box, which would otherwise grow with its text.
fn combo_text(ui: &egui::Ui, name: &str) -> String {
    text::elide_middle(ui.painter(), name, &theme::body_font(), COMBO_WIDTH - 40.0)
}

/// The clips of the head. A click on a name plays this clip alone; its tick box adds it to the others.
fn clip_combo_ui(ui: &mut egui::Ui, session: &mut Session) {
    let names: Vec<&str> = session.clips().map(|clip| clip.name.as_str()).collect();
    let plays_none = names.is_empty();
    let playing = match names[..] {
        [] => "No clip".to_owned(),
        [name] => name.to_owned(),
        _ => text::counted(names.len(), "clip"),
    };
    let shown = combo_text(ui, &playing);
    let combo = ComboBox::from_id_salt("clip")
        .width(COMBO_WIDTH)
        .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            if ui.selectable_label(plays_none, "No clip").clicked() {
                session.clips_mut().select(None);
                ui.close();
            }
            let head = session.head.clone();
            for (index, clip) in head.clips.iter().enumerate() {
                ui.horizontal(|ui| clip_row_ui(ui, session, index, clip));
            }
        });
    combo.response.accessible_name("Clip");
}

fn clip_row_ui(ui: &mut egui::Ui, session: &mut Session, index: usize, clip: &Clip) {
    let plays = session.plays_clip(index);
    // The only clip of a head has no others to play with.
    if session.head.clips.len() > 1 {
        let mut ticked = plays;
        let tick = checkbox_ui(ui, &mut ticked, "").accessible_name(format!("Also play {}", clip.name));
        if tick
            .on_hover_text("Play it together with the other ticked clips; the later one in the list counts")
            .changed()
        {
            session.clips_mut().toggle(index);
        }
    }
    let text = format!("{}  {:.1} s", text::shown(&clip.name), clip.duration_secs);
    if ui.selectable_label(plays, text).on_hover_text("Play this clip alone").clicked() {
        session.clips_mut().select(Some(index));
        ui.close();
    }
}

fn take_combo_ui(ui: &mut egui::Ui, session: &mut Session) {
    let chosen = session.edits.take;
    let name = session.take().map_or("No take".to_owned(), |entry| short_take_name(session, entry));
    let name = combo_text(ui, &name);
    let mut choice = chosen;
    let combo = ComboBox::from_id_salt("take").width(COMBO_WIDTH).selected_text(name).show_ui(ui, |ui| {
        ui.selectable_value(&mut choice, None, "No take");
        for entry in session.edits.playable_takes() {
            let short = short_take_name(session, entry);
            let text = format!("{}  {:.1} s", text::shown(&short), entry.edited().duration_secs);
            let row = ui.selectable_value(&mut choice, Some(entry.id), text);
            row.accessible_name(format!("Play take {}", entry.take.name)).on_hover_text(text::shown(&entry.take.name));
        }
    });
    let full_name = session.take().map(|entry| text::shown(&entry.take.name).into_owned());
    combo
        .response
        .accessible_name("Take")
        .on_hover_text(full_name.unwrap_or_else(|| "The take that drives the head".into()));
    if choice != chosen {
        session.takes_mut().select(choice);
    }
}

fn scrub_ui(ui: &mut egui::Ui, rect: Rect, session: &mut Session) {
    let id = ui.scope_id().with("scrub");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let duration = session.timeline_secs();
    let track = track_of(rect);
    let strip = RangeStrip {
        rect: Rect::from_x_y_ranges(track.x_range(), rect.bottom() - RANGE_STRIP..=rect.bottom()),
        secs: [0.0, duration.max(f32::MIN_POSITIVE)],
        place: " on the time bar",
    };
    let drags_range = strip.drag_ui(ui, session);
    let is_held = response.is_pointer_button_down_on() && !drags_range;
    // In a slow frame, the press and the release of a click may arrive at once, so that `is_held` is never true.
    let point = response.interact_pointer_pos().filter(|_| is_held || (response.clicked() && !drags_range));
    let target_secs = point.map(|point| {
        let secs = egui::remap_clamp(point.x, track.x_range(), 0.0..=duration);
        session.edits.timeline.dragged_to(secs, inverts_snap(ui))
    });
    drag_play_head(&response, "Time", session, is_held, target_secs);
    let x = |secs: f32| egui::lerp(track.x_range(), if duration > 0.0 { secs / duration } else { 0.0 });
    let head = x(session.clock.timeline.time_secs);
    let painter = ui.painter();
    let rail = Rect::from_center_size(track.center(), vec2(track.width(), 4.0));
    painter.rect_filled(rail, 2.0, theme::WELL_HOVERED);
    let color = if ui.is_enabled() { theme::PLAY_HEAD } else { theme::ICON_WEAK };
    painter.rect_filled(rail.with_max_x(head), 2.0, color.gamma_multiply(0.7));
    strip.paint(painter, session, rect.bottom() - 1.0);
    let ticks_y = rect.center().y - 8.0..=rect.center().y - 4.0;
    for run in key_ticks(session, &x).chunk_by(|tick, next| next - tick == 1.0) {
        let ends = run.first().zip(run.last()).map(|(first, last)| first - 0.75..=last + 0.75);
        let rect = Rect::from_x_y_ranges(ends.unwrap_or(0.0..=0.0), ticks_y.clone());
        painter.rect_filled(rect, 0.0, theme::layer_tint(Layer::Keys).bright);
    }
    for x in marker_ticks(session, &x) {
        painter.vline(x, rect.center().y + 4.0..=rect.center().y + 8.0, Stroke::new(1.0, theme::MARKER));
    }
    let size = if response.hovered() || response.dragged() { 7.0 } else { 5.5 };
    painter.circle(pos2(head, rect.center().y), size, color, Stroke::new(1.0, theme::BACKDROP));
}

/// The part of the time bar whose ends are those of the timeline.
fn track_of(bar: Rect) -> Rect {
    bar.shrink2(vec2(6.0, 0.0))
}

fn marker_ticks(session: &Session, x: &impl Fn(f32) -> f32) -> Vec<f32> {
    let end_secs = session.timeline_secs();
    let markers = session.edits.markers.all().iter().filter(|marker| marker.time_secs <= end_secs);
    let mut ticks: Vec<f32> = markers.map(|marker| x(marker.time_secs).round() + 0.5).collect();
    ticks.dedup();
    ticks
}

/// Positions of the user's keys, at most one tick per point of width.
fn key_ticks(session: &Session, x: &impl Fn(f32) -> f32) -> Vec<f32> {
    let keys = session.keys();
    let position = |secs: f32| x(secs).round();
    let first = position(0.0);
    let mut has_tick = vec![false; (position(keys.end_secs()) - first) as usize + 1];
    for name in keys.channels() {
        let mut rest = keys.keys_of(name);
        while let Some(key) = rest.first() {
            let index = (position(key.time_secs) - first) as usize;
            has_tick[index] = true;
            // All keys up to the next position without a tick are passed at once.
            let Some(passed) = has_tick[index..].iter().position(|has_tick| !has_tick) else { break };
            let next = first + (index + passed) as f32;
            rest = &rest[rest.partition_point(|key| position(key.time_secs) < next)..];
        }
    }
    let ticks = has_tick.iter().enumerate().filter(|(_, has_tick)| **has_tick);
    ticks.map(|(index, _)| first + index as f32).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_base::random::{bits, unit};
    use smirk_face::head::{Asset, Head};
    use smirk_face::motion::Key;
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    #[test]
    fn ticks_are_where_the_keys_of_any_channel_are() {
        for seed in 0..100 {
            let head = Arc::new(Head::new(Asset::default()));
            let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
            for index in 0..bits(seed, 0) % 400 {
                let time_secs = unit(seed, 2 * index + 1) * 30.0 * unit(seed, 1);
                session.keys_mut().edit(|keys| keys.set(["a", "b", "c"][index as usize % 3], Key::new(time_secs, 0.5)));
            }
            let x = |secs: f32| 20.4 + secs * 11.3;
            let keys = session.keys();
            let all = keys.channels().flat_map(|name| keys.keys_of(name)).map(|key| x(key.time_secs).round());
            let mut expected: Vec<f32> = all.collect();
            expected.sort_by(f32::total_cmp);
            expected.dedup();
            assert_eq!(key_ticks(&session, &x), expected, "{seed}");
        }
    }
}
