//! The section of the Report page with the combinations of expressions that break the face.

use egui::{Button, Label, RichText, vec2};

use crate::judge::{Judged, Status};
use crate::scene::ViewMode;
use crate::session::{Command, Session};
use crate::ui::theme;
use crate::ui::widgets::{CancelButton, progress_ui, text, title_ui};

/// The most combinations that are listed.
const MOST: usize = 12;

/// Shows the button, the progress or the worst combinations.
pub(super) fn combinations_ui(ui: &mut egui::Ui, session: &mut Session, status: &Status, commands: &mut Vec<Command>) {
    title_ui(ui, "Combinations", |_| {});
    match status {
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
            list_ui(ui, session, judged);
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

fn list_ui(ui: &mut egui::Ui, session: &mut Session, judged: &[Judged]) {
    let worst: Vec<&Judged> = judged.iter().filter(|judged| judged.severity() > 0.0).take(MOST).collect();
    if worst.is_empty() {
        ui.weak(format!("{} were tried; nothing goes through anything.", text::counted(judged.len(), "combination")));
        return;
    }
    ui.weak(format!("The worst of {} that were tried", judged.len()));
    ui.add_space(theme::GAP_SMALL);
    for judged in worst {
        let name = judged.combination.name(&session.head);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(theme::GAP, 2.0);
            let link = ui.link(text::shown(&name));
            if link.on_hover_text("Show on the face").clicked() {
                show(session, judged);
            }
        });
        let facts = judged.facts();
        if !facts.is_empty() {
            ui.add(Label::new(RichText::new(facts).color(theme::TEXT_WEAK)).wrap());
        }
        ui.add_space(theme::GAP_SMALL);
    }
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
