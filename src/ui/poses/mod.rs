//! The Poses page: save poses, apply them with a transition, mix them.

mod card;
mod grid;
mod layout;
mod name;
mod pictures;
mod thumbnails;

pub(super) use name::Renaming;
pub(super) use pictures::{PictureTextures, paint_picture};
pub use thumbnails::{PictureOf, Thumbnails};

use egui::{Align, Button, ComboBox, Id, Layout, Rect, vec2};

use smirk_editor::session::{Command, Session, Transition};
use smirk_face::motion::Ease;

use super::shortcuts::{self, Action};
use super::widgets::{Bar, text};
use super::{UiState, WindowView, theme};

use grid::grid_ui;

/// Shows the page.
pub(super) fn poses_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    face_ui(ui, session, state, view, commands);
    transition_ui(ui, &mut session.edits.transition, state);
    files_ui(ui, session, commands);
    ui.add_space(theme::GAP_SMALL);
    if session.edits.poses.is_empty() {
        empty_ui(ui);
    } else {
        grid_ui(ui, session, state, view.thumbnails);
    }
}

fn face_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    let keys = |action| shortcuts::find(action).map_or("", |shortcut| shortcut.keys);
    let row = vec2(ui.available_width(), theme::BAR_HEIGHT);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let clear = ui.add_enabled(session.can_clear_poses(), Button::new("Clear"));
        if clear.on_hover_text("Remove all poses and reset all sliders, over the transition time").clicked() {
            session.clear_poses();
        }
        let tip = format!("Swap left and right of the face ({})", keys(Action::MirrorFace));
        if ui.button("Mirror").on_hover_text(tip).clicked() {
            shortcuts::act(Action::MirrorFace, session, state, view, commands);
        }
        let tip = format!("Save the current face as a new pose ({})", keys(Action::SavePose));
        let save = Button::new("Save pose").min_size(vec2(ui.available_width(), theme::BAR_HEIGHT));
        if ui.add(save.fill(theme::ACCENT)).on_hover_text(tip).clicked() {
            shortcuts::act(Action::SavePose, session, state, view, commands);
        }
    });
}

fn transition_ui(ui: &mut egui::Ui, transition: &mut Transition, state: &mut UiState) {
    const EASE_WIDTH: f32 = 122.0;
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), theme::BAR_HEIGHT));
    let bar_rect = row.with_max_x(row.right() - EASE_WIDTH - theme::GAP_SMALL);
    let bar =
        Bar { open_ended: true, range: 0.0..=2.0, unit: " s", ..Bar::new("Transition", transition.duration_secs) };
    let output = bar.show_ui(ui, bar_rect, Id::unique("transition"));
    if let Some(value) = output.value {
        transition.duration_secs = value.clamp(0.0, Transition::LONGEST_SECS);
    }
    if output.reset {
        transition.duration_secs = Transition::default().duration_secs;
    }
    if output.nudged {
        state.nudged_at_secs = Some(ui.input(|input| input.time));
    }
    output.response.on_hover_text("Time to blend from one pose to the next. Type or Shift-drag for more than 2 s");

    let combo_rect = Rect::from_min_max(row.right_top() - vec2(EASE_WIDTH, 0.0), row.max);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(combo_rect).id_salt("ease"));
    let combo = ComboBox::from_id_salt("ease")
        .width(EASE_WIDTH)
        .truncate()
        .selected_text(transition.ease.label())
        .show_ui(&mut child, |ui| {
            for ease in Ease::ALL {
                ui.selectable_value(&mut transition.ease, ease, ease.label());
            }
        });
    combo.response.accessible_name("Ease");
}

fn files_ui(ui: &mut egui::Ui, session: &Session, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        let count = session.edits.poses.len();
        ui.weak(text::counted(count, "pose"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let export = ui.add_enabled(count > 0, Button::new("Export…").frame_when_inactive(false));
            if export.on_hover_text("Export all poses to a JSON file").clicked() {
                commands.push(Command::ExportPoses);
            }
            let import = ui.add(Button::new("Import…").frame_when_inactive(false));
            if import.on_hover_text("Add the poses of a JSON file to the list").clicked() {
                commands.push(Command::ImportPosesDialog);
            }
        });
    });
}

fn empty_ui(ui: &mut egui::Ui) {
    ui.add_space(theme::GAP_LARGE);
    ui.label("No poses yet.");
    ui.weak("Move some sliders and click Save pose. Click a pose to apply it.");
    ui.add_space(theme::GAP);
    ui.weak("Heads with ARKit channel names start with a set of poses. The names of this head differ.");
}
