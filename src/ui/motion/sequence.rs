//! The sequence: poses played one after the other.

use egui::containers::menu::MenuButton;
use egui::{Button, Id, Rect, ScrollArea, Sense, WidgetInfo, pos2, vec2};

use crate::motion::{PoseId, Sequence, SequenceWrap};
use crate::session::Session;
use crate::ui::widgets::{Bar, Icon, icon_button_inline_ui, icon_button_ui, setting_ui, text, title_ui};
use crate::ui::{UiState, theme};

/// Shows the controls and the list of poses.
pub(super) fn sequence_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState) {
    title_ui(ui, "Sequence", |ui| {
        let mut enabled = session.edits.sequence.enabled;
        ui.checkbox(&mut enabled, "On").accessible_name("Sequence on");
        if enabled != session.edits.sequence.enabled {
            enable(session, enabled);
        }
        add_ui(ui, session);
    });
    poses_ui(ui, session);
    if let Some(problem) = session.edits.sequence.problem() {
        ui.weak(problem);
        return;
    }
    position_ui(ui, session, state);
    let rest = Sequence::default();
    let mut loop_secs = session.edits.sequence.loop_secs;
    let bar = Bar { name: "Duration", range: 0.5..=20.0, unit: " s", ..Bar::new("Sequence length", loop_secs) };
    if setting_ui(ui, bar, &mut loop_secs, rest.loop_secs, state) {
        session.edit_sequence(0.0, |sequence| sequence.loop_secs = loop_secs);
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let chosen = session.edits.sequence.wrap;
        for wrap in SequenceWrap::ALL {
            if ui.add(Button::selectable(chosen == wrap, wrap.label()).frame_when_inactive(true)).clicked() {
                session.edit_sequence(0.0, |sequence| sequence.wrap = wrap);
            }
        }
    });
}

fn enable(session: &mut Session, enabled: bool) {
    session.edit_sequence(session.edits.transition.duration_secs, |sequence| sequence.enabled = enabled);
    if enabled && session.edits.sequence.is_on() {
        // Active poses override the sequence and would hide it.
        session.clear_poses();
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
                        edit_poses(session, |poses| poses.push(pose.id));
                    }
                }
            });
        });
        button.on_disabled_hover_text("No poses yet. Save one on the Poses page");
    });
}

fn edit_poses(session: &mut Session, edit: impl FnOnce(&mut Vec<PoseId>)) {
    session.edit_sequence(session.edits.transition.duration_secs, |sequence| edit(&mut sequence.poses));
}

/// The list of poses. Each row shows its pose's current amount, can be dragged to another place and has a Remove
/// button.
fn poses_ui(ui: &mut egui::Ui, session: &mut Session) {
    let sequence = &session.edits.sequence;
    let count = sequence.poses.len();
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
        let name = session.edits.pose(session.edits.sequence.poses[index]).map_or("?", |pose| pose.name.as_str());
        let id = Id::unique(("sequence pose", index));
        let response = ui.interact(row.with_max_x(row.right() - theme::BAR_HEIGHT), id, Sense::drag());
        response.widget_info(|| WidgetInfo::labeled(egui::Role::ListItem, true, format!("{} {name}", index + 1)));
        // The dragged row keeps the pointer while its pose moves through the list; `dragged_index` is the pose's
        // current index.
        let dragged_index = response.dragged().then(|| ui.data(|data| data.get_temp::<usize>(id)).unwrap_or(index));
        if let (Some(dragged_index), Some(point)) = (dragged_index, response.interact_pointer_pos()) {
            let over = ((point.y - area.top()) / theme::ROW_HEIGHT).floor().clamp(0.0, count as f32 - 1.0) as usize;
            ui.data_mut(|data| data.insert_temp(id, over));
            moved = (over != dragged_index).then_some((dragged_index, over)).or(moved);
        } else {
            ui.data_mut(|data| data.remove::<usize>(id));
        }
        let painter = ui.painter();
        painter.rect_filled(row, theme::ROUNDING, if response.hovered() { theme::WELL_HOVERED } else { theme::WELL });
        let filled = row.with_max_x(row.left() + row.width() * share);
        painter.with_clip_rect(filled.intersect(ui.clip_rect())).rect_filled(row, theme::ROUNDING, theme::POSED);
        let label = text::elide_middle(painter, name, &theme::body_font(), row.width() - 60.0);
        let at = |x: f32| pos2(row.left() + x, row.center().y);
        let left = egui::Align2::LEFT_CENTER;
        painter.text(at(8.0), left, format!("{}", index + 1), theme::number_font(), theme::TEXT_WEAK);
        painter.text(at(30.0), left, label, theme::body_font(), theme::TEXT);
        let cross = Rect::from_min_max(pos2(row.right() - theme::BAR_HEIGHT, row.top()), row.max);
        let label = format!("Remove {name} from the sequence");
        let icon = (Icon::Close, theme::TEXT_WEAK);
        if icon_button_ui(ui, cross, id.with("remove"), icon, &label, "Remove from the sequence").clicked() {
            removed = Some(index);
        }
        response.on_hover_cursor(egui::CursorIcon::Grab).on_hover_text("Drag to reorder");
    }
    if let Some((from, to)) = moved {
        edit_poses(session, |poses| {
            // Undo may have shortened the list during the drag.
            if from < poses.len() {
                let pose = poses.remove(from);
                poses.insert(to.min(poses.len()), pose);
            }
        });
    }
    if let Some(index) = removed {
        edit_poses(session, |poses| {
            poses.remove(index);
        });
    }
}

fn position_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let playing = session.clock.sequence.playing && session.edits.sequence.is_on();
        let (icon, label) = if playing { (Icon::Pause, "Pause sequence") } else { (Icon::Play, "Play sequence") };
        if icon_button_inline_ui(ui, (icon, theme::TEXT), label, label).clicked() {
            if !session.edits.sequence.enabled {
                enable(session, true);
            }
            session.toggle_sequence();
        }
        let last = (session.edits.sequence.poses.len() - 1) as f32;
        let current = session.sequence_position();
        // While the sequence blends from the last pose to the first, the slider moves back to its start.
        let shown = if current > last { (last + 1.0 - current) * last } else { current };
        let mut position = shown;
        let bar = Bar { name: "Position", range: 0.0..=last, ..Bar::new("Sequence position", shown) };
        if setting_ui(ui, bar, &mut position, 0.0, state) {
            if !session.edits.sequence.enabled {
                enable(session, true);
            }
            session.seek_sequence(position);
        }
    });
}
