//! The Report page: what opening the file took, and what was found in its shapes.

use egui::{Align, Label, Layout, RichText};

use crate::head::lint::{Finding, Rule};
use crate::head::{Head, Level};

use super::icon::Icon;
use super::setting::title_ui;
use super::{UiState, theme};

/// So many names of a finding are listed before somebody asks for all.
const NAMES: usize = 6;

/// Everything on the page.
pub fn report_ui(ui: &mut egui::Ui, head: &Head, state: &mut UiState, findings: Option<&[Finding]>) {
    title_ui(ui, "Opening the file", |ui| {
        let button = ui.add_enabled(findings.is_some(), egui::Button::new("Copy"));
        if button.on_hover_text("The whole report as text, for a mail to whoever made the head").clicked() {
            ui.ctx().copy_text(text(head, findings.unwrap_or_default()));
        }
    });
    if head.notes.is_empty() {
        ui.weak("As it is: nothing was converted, skipped or repaired.");
    }
    // What the picture may suffer from comes first.
    for level in [Level::Warning, Level::Info] {
        for note in head.notes.iter().filter(|note| note.level == level) {
            remark_ui(ui, level, |ui| {
                ui.add(Label::new(RichText::new(&note.object).color(theme::TEXT_WEAK)).selectable(true).wrap());
                ui.add(Label::new(&note.message).selectable(true).wrap());
            });
        }
    }
    let Some(findings) = findings else {
        ui.add_space(theme::GAP);
        ui.weak("Looking at the shapes …");
        return;
    };
    if !head.channels.is_empty() && findings.iter().all(|finding| finding.rule == Rule::Coverage) {
        ui.add_space(theme::GAP);
        ui.strong("Shapes");
        ui.weak("No fault was found in them.");
    }
    let mut above = None;
    for (place, finding) in findings.iter().enumerate() {
        if above != Some(finding.rule) {
            ui.add_space(theme::GAP);
            ui.strong(finding.rule.title());
            above = Some(finding.rule);
        }
        remark_ui(ui, finding.level, |ui| {
            names_ui(ui, head, state, place, finding);
            ui.add(Label::new(&finding.message).selectable(true).wrap());
        });
    }
}

fn remark_ui(ui: &mut egui::Ui, level: Level, contents: impl FnOnce(&mut egui::Ui)) {
    let (icon, color) = match level {
        Level::Info => (Icon::Info, theme::ACCENT_BRIGHT),
        Level::Warning => (Icon::Warning, theme::WARNING),
    };
    ui.horizontal_top(|ui| {
        let (_, rect) = ui.allocate_space(egui::vec2(16.0, 18.0));
        icon.paint(ui.painter(), rect, color);
        ui.vertical(contents);
    });
    ui.add_space(theme::GAP_SMALL);
}

/// The channels a finding is about; each leads to its row in the list.
fn names_ui(ui: &mut egui::Ui, head: &Head, state: &mut UiState, place: usize, finding: &Finding) {
    if finding.channels.is_empty() {
        return;
    }
    let is_unfolded = state.unfolded_findings.contains(&place);
    let shown = if is_unfolded { finding.channels.len() } else { NAMES };
    ui.with_layout(Layout::left_to_right(Align::Min).with_main_wrap(true), |ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP;
        for &channel in finding.channels.iter().take(shown) {
            if ui.link(short(&head.channels[channel].name)).on_hover_text("Show it in the list").clicked() {
                state.reveal(head, channel);
            }
        }
        let hidden = finding.channels.len().saturating_sub(NAMES);
        if hidden > 0 {
            let text = if is_unfolded { "fewer".to_owned() } else { format!("and {hidden} more") };
            if ui.link(RichText::new(text).color(theme::TEXT_WEAK)).clicked() && !state.unfolded_findings.remove(&place)
            {
                state.unfolded_findings.insert(place);
            }
        }
    });
}

/// A name as a line bears it.
fn short(name: &str) -> String {
    const LONGEST: usize = 32;
    let text: String = name.chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if name.chars().nth(LONGEST).is_some() { text + "…" } else { text }
}

/// The report as text, a remark a line.
fn text(head: &Head, findings: &[Finding]) -> String {
    let mark = |level| match level {
        Level::Info => "info",
        Level::Warning => "warning",
    };
    let notes = head.notes.iter().map(|note| format!("{}: {}: {}", mark(note.level), note.object, note.message));
    let found = findings.iter().map(|finding| {
        let (title, object) = (finding.rule.title(), finding.object(head));
        format!("{}: {title}: {object}: {}", mark(finding.level), finding.message)
    });
    let lines: Vec<String> = std::iter::once(head.name.clone()).chain(notes).chain(found).collect();
    lines.join("\n") + "\n"
}
