//! The section of the Report page with the combinations of expressions that break the face.

use egui::{Button, Label, Link, RichText, Sense, Vec2, vec2};

use crate::judge::{Judged, Status};
use crate::scene::ViewMode;
use crate::session::{Command, Session};
use crate::ui::poses::paint_picture;
use crate::ui::widgets::{CancelButton, Icon, progress_ui, text, title_ui};
use crate::ui::{Thumbnails, UiState, WindowView, theme};

/// The most combinations that are listed.
const MOST: usize = 12;
/// Width and height of their pictures.
const PICTURE: f32 = 76.0;
const SHOW: &str = "Show on the face";

/// Shows the button, the progress or the worst combinations.
pub(super) fn combinations_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    title_ui(ui, "Combinations", |_| {});
    match view.combinations {
        Status::Busy { stage, fraction, is_stopping } => {
            let (text, stop) = if *is_stopping {
                ("Stopping", CancelButton::Pressed)
            } else {
                (stage.as_str(), CancelButton::Enabled)
            };
            if progress_ui(ui, text, *fraction, stop) {
                commands.push(Command::CancelCombinations);
            }
        }
        Status::Idle => {
            button_ui(ui, "Try combinations…", commands);
            ui.add_space(theme::GAP_SMALL);
            ui.weak("Not tried yet.");
        }
        Status::Failed(message) => {
            button_ui(ui, "Try combinations…", commands);
            ui.add_space(theme::GAP_SMALL);
            ui.add(Label::new(RichText::new(message).color(theme::ERROR)).wrap());
        }
        Status::Done(judged) => {
            list_ui(ui, session, state, view.thumbnails, judged);
            ui.add_space(theme::GAP);
            button_ui(ui, "Try again", commands);
        }
    }
}

fn button_ui(ui: &mut egui::Ui, text: &str, commands: &mut Vec<Command>) {
    let about = "Put expressions together that often break a face, and look for lids, lips, teeth and eyes that go through each other. Takes some \
                 seconds";
    if ui.add(Button::new(text).min_size(vec2(0.0, theme::BAR_HEIGHT))).on_hover_text(about).clicked() {
        commands.push(Command::TryCombinations);
    }
}

fn list_ui(ui: &mut egui::Ui, session: &mut Session, state: &mut UiState, thumbnails: &Thumbnails, judged: &[Judged]) {
    state.picture_textures.remove_outdated(thumbnails);
    let worst: Vec<&Judged> = judged.iter().filter(|judged| judged.severity() > 0.0).take(MOST).collect();
    if worst.is_empty() {
        ui.weak(format!("{} were tried; nothing goes through anything.", text::counted(judged.len(), "combination")));
        return;
    }
    ui.weak(format!("The worst of {} that were tried", judged.len()));
    ui.add_space(theme::GAP_SMALL);
    for judged in worst {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::GAP, 2.0);
            let is_picture_clicked = picture_ui(ui, state, thumbnails, judged);
            ui.vertical(|ui| {
                let link = ui.add(Link::new(text::shown(&judged.combination.name(&session.head))));
                if link.on_hover_text(SHOW).clicked() || is_picture_clicked {
                    show(session, judged);
                }
                let facts = judged.facts();
                if !facts.is_empty() {
                    ui.add(Label::new(RichText::new(facts).color(theme::TEXT_WEAK)).wrap());
                }
            });
        });
        ui.add_space(theme::GAP_SMALL);
    }
}

/// Shows the picture of a combination. Returns whether it was clicked.
fn picture_ui(ui: &mut egui::Ui, state: &mut UiState, thumbnails: &Thumbnails, judged: &Judged) -> bool {
    // The link beside it takes the keyboard focus.
    let (rect, response) = ui.allocate_exact_size(Vec2::splat(PICTURE), Sense::CLICK);
    if !ui.is_rect_visible(rect) {
        return false;
    }
    state.visible_combinations.push(judged.clone());
    ui.painter().rect_filled(rect, theme::ROUNDING, if response.hovered() { theme::WELL_HOVERED } else { theme::WELL });
    match state.picture_textures.texture(ui.ctx(), judged.combination.clone(), thumbnails) {
        Some(texture) => paint_picture(ui.painter(), rect, texture, 1.0),
        None => Icon::Face.paint(ui.painter(), rect, theme::ICON_FAINT),
    }
    response.on_hover_text(SHOW).clicked()
}

/// Holds the channels of a combination at full weight, and all others at rest, whatever drives them, and colours what crosses.
fn show(session: &mut Session, judged: &Judged) {
    for channel in 0..session.head.channels.len() {
        let is_in = judged.combination.channels.contains(&channel);
        let value = if is_in { 1.0 } else { session.channel_default(channel) };
        session.set_weight(channel, value, 0.0);
    }
    session.edits.look.view = ViewMode::Crossings;
}
