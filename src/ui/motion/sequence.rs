//! The sequence: poses played one after the other.

use egui::containers::menu::MenuButton;
use egui::{DragValue, Id, Rect, ScrollArea, Sense, WidgetInfo, pos2, vec2};

use smirk_face::motion::{Layer, SequenceStep, SequenceWrap};
use smirk_session::Session;

use crate::theme;
use crate::widgets::{
    Bar, Icon, NumberField, checkbox_ui, close_row_ui, drag_row, icon_button_inline_ui, icon_button_ui, options_ui,
    setting_ui, text, title_ui,
};

pub(super) fn sequence_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Sequence", |ui| {
        let mut enabled = session.edits.sequence.enabled;
        checkbox_ui(ui, &mut enabled, "On").accessible_name("Sequence on");
        if enabled != session.edits.sequence.enabled {
            session.sequence_mut().enable(enabled);
        }
        add_ui(ui, session);
    });
    poses_ui(ui, session);
    if let Some(problem) = session.edits.sequence.problem() {
        ui.weak(problem);
        return;
    }
    position_ui(ui, session);
    let mut length_secs = session.edits.sequence.length_secs() as f32;
    let usual_secs = session.edits.sequence.steps.len() as f32;
    let bar = Bar { name: "Duration", range: 0.5..=20.0, unit: " s", ..Bar::named("Sequence length") };
    if setting_ui(ui, bar, &mut length_secs, usual_secs) {
        session.sequence_mut().edit(0.0, |sequence| sequence.set_length(length_secs));
    }
    let mut wrap = session.edits.sequence.wrap;
    options_ui(ui, &mut wrap, &SequenceWrap::ALL.iter().map(|wrap| (*wrap, wrap.label())).collect::<Vec<_>>());
    if wrap != session.edits.sequence.wrap {
        session.sequence_mut().edit(0.0, |sequence| sequence.wrap = wrap);
    }
    let mut has_own_clock = session.edits.sequence.has_own_clock;
    let clock = checkbox_ui(ui, &mut has_own_clock, "Clock of its own").accessible_name("Sequence has its own clock");
    let tip = "The sequence plays and stops on its own; otherwise it is part of the timeline and is scrubbed with it";
    clock.on_hover_text(tip);
    if has_own_clock != session.edits.sequence.has_own_clock {
        session.sequence_mut().give_clock(has_own_clock);
    }
}

fn add_ui(ui: &mut egui::Ui, session: &mut Session) {
    let poses = session.edits.poses.clone();
    ui.add_enabled_ui(!poses.is_empty(), |ui| {
        let (button, _) = MenuButton::new("Add pose").ui(ui, |ui| {
            ui.set_min_width(160.0);
            ScrollArea::vertical().max_height(320.0).show(ui, |ui| {
                for pose in &poses {
                    if ui.button(text::shown(&pose.name)).clicked() {
                        session.sequence_mut().add(pose.id);
                    }
                }
            });
        });
        button.on_disabled_hover_text("No poses yet. Save one on the Poses page");
    });
}

fn edit_steps(session: &mut Session, edit: impl FnOnce(&mut Vec<SequenceStep>)) {
    let duration_secs = session.edits.transition.duration_secs;
    session.sequence_mut().edit(duration_secs, |sequence| edit(&mut sequence.steps));
}

const TIME_WIDTH: f32 = 46.0;

/// The list of poses. Each row shows its pose's current amount, can be dragged to another place, and has the times of
/// the pose and a Remove button.
fn poses_ui(ui: &mut egui::Ui, session: &mut Session) {
    let sequence = &session.edits.sequence;
    let count = sequence.steps.len();
    if count > 0 {
        headings_ui(ui);
    }
    let mut shares = vec![0.0; count];
    if sequence.is_on() {
        let position = session.sequence_position().min(count as f32);
        let (index, part) = (position.floor() as usize, position.fract());
        shares[index % count] += 1.0 - part;
        shares[(index + 1) % count] += part;
    }
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), theme::ROW_HEIGHT * count as f32));
    let (mut removed, mut moved) = (None, None);
    for (index, share) in shares.into_iter().enumerate() {
        let top = area.top() + index as f32 * theme::ROW_HEIGHT;
        let row = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), theme::BAR_HEIGHT));
        let step = session.edits.sequence.steps[index];
        let name = session.edits.pose(step.pose).map_or("?".to_owned(), |pose| pose.name.clone());
        let times_left = row.right() - theme::BAR_HEIGHT - 2.0 * TIME_WIDTH - 2.0 * theme::GAP_SMALL;
        let id = Id::unique(("sequence pose", index));
        let response = ui.interact(row.with_max_x(times_left), id, Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::ListItem, true, format!("{} {name}", index + 1)));
        moved = drag_row(ui, &response, index, area.top(), count).or(moved);
        let painter = ui.painter();
        painter.rect_filled(row, theme::ROUNDING, if response.hovered() { theme::WELL_HOVERED } else { theme::WELL });
        let filled = row.with_max_x(row.left() + row.width() * share);
        painter.with_clip_rect(filled.intersect(ui.clip_rect())).rect_filled(
            row,
            theme::ROUNDING,
            theme::layer_tint(Layer::Sequence).fill,
        );
        let label = text::elide_middle(painter, &name, &theme::body_font(), times_left - row.left() - 34.0);
        let (at, left) = (row.left_center(), egui::Align2::LEFT_CENTER);
        let number = format!("{}", index + 1);
        painter.text(at + vec2(8.0, 0.0), left, number, theme::number_font(), theme::TEXT_WEAK);
        painter.text(at + vec2(30.0, 0.0), left, label, theme::body_font(), theme::TEXT);
        let cross = Rect::from_min_max(pos2(row.right() - theme::BAR_HEIGHT, row.top()), row.max);
        let label = format!("Remove {name} from the sequence");
        let icon = (Icon::Close, theme::TEXT_WEAK);
        if icon_button_ui(ui, (cross, id.with("remove")), icon, &label, "Remove from the sequence").clicked() {
            removed = Some(index);
        }
        let times = row.with_min_x(times_left).with_max_x(cross.left() - theme::GAP_SMALL);
        if let Some(new) = times_ui(ui, times, step, &format!("{} {name}", index + 1)) {
            session.sequence_mut().edit(0.0, |sequence| sequence.steps[index] = new);
        }
        response.on_hover_cursor(egui::CursorIcon::Grab).on_hover_text("Drag to reorder");
    }
    if let Some((from, to)) = moved {
        edit_steps(session, |steps| {
            let step = steps.remove(from);
            steps.insert(to, step);
        });
    }
    if let Some(index) = removed {
        edit_steps(session, |steps| {
            steps.remove(index);
        });
    }
}

fn headings_ui(ui: &mut egui::Ui) {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 14.0));
    let right = row.right() - theme::BAR_HEIGHT - theme::GAP_SMALL;
    for (place, title) in [(1.5, "Hold"), (0.5, "Blend")] {
        let at = pos2(right - place * TIME_WIDTH - (place - 0.5) * theme::GAP_SMALL, row.center().y);
        ui.painter().text(at, egui::Align2::CENTER_CENTER, title, theme::small_font(), theme::TEXT_WEAK);
    }
}

/// The two times of a pose. Returns the step with the time that the user has changed.
fn times_ui(ui: &mut egui::Ui, rect: Rect, step: SequenceStep, name: &str) -> Option<SequenceStep> {
    let mut new = step;
    let fields = [
        (&mut new.hold_secs, "Hold of", "How long the pose is held"),
        (&mut new.transition_secs, "Blend after", "How long it blends into the next pose"),
    ];
    for (place, (secs, what, tip)) in fields.into_iter().enumerate() {
        let left = rect.left() + place as f32 * (TIME_WIDTH + theme::GAP_SMALL);
        let field = Rect::from_min_size(pos2(left, rect.top()), vec2(TIME_WIDTH, rect.height()));
        let number = DragValue::new(secs).range(0.0..=60.0).speed(0.01).fixed_decimals(2).suffix(" s");
        ui.put(field, NumberField(number)).accessible_name(format!("{what} {name}")).on_hover_text(tip);
    }
    (new != step).then_some(new)
}

fn position_ui(ui: &mut egui::Ui, session: &mut Session) {
    close_row_ui(ui, |ui| {
        let playing = session.sequence_plays();
        let (icon, label) = if playing { (Icon::Pause, "Pause sequence") } else { (Icon::Play, "Play sequence") };
        if icon_button_inline_ui(ui, (icon, theme::TEXT), label, label).clicked() {
            // The switch starts the sequence, too.
            if session.edits.sequence.enabled {
                session.sequence_mut().toggle();
            } else {
                session.sequence_mut().enable(true);
            }
        }
        let last = (session.edits.sequence.steps.len() - 1) as f32;
        let current = session.sequence_position();
        // While the sequence blends from the last pose to the first, the slider moves back to its start.
        let mut position = if current > last { (last + 1.0 - current) * last } else { current };
        let bar = Bar { name: "Position", range: 0.0..=last, ..Bar::named("Sequence position") };
        if setting_ui(ui, bar, &mut position, 0.0) {
            if !session.edits.sequence.enabled {
                session.sequence_mut().enable(true);
            }
            session.sequence_mut().seek(position);
        }
    });
}
