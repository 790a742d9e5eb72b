//! The right panel: Poses, Motion, Look, Readout and Report, one at a time.

use egui::{Button, ScrollArea};

use crate::head::{Head, Level};
use crate::lint::{Finding, Rule};
use crate::session::{Command, Session};

use super::{Page, UiState, WindowView, look, motion, poses, readout, report, theme};

/// Everything in the panel.
pub fn side_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    tabs_ui(ui, &session.head, view.findings.unwrap_or_default(), &mut state.panels.page);
    ui.add_space(theme::GAP);
    // Lays out only the cards in sight, so it scrolls by itself.
    if state.panels.page == Page::Poses {
        return poses::poses_ui(ui, session, state, view, commands);
    }
    ScrollArea::vertical().id_salt(state.panels.page as u8).auto_shrink(false).show(ui, |ui| match state.panels.page {
        Page::Poses => {}
        Page::Motion => motion::motion_ui(ui, session, state, view.files, commands),
        Page::Look => look::look_ui(ui, &session.head, &mut session.edits.look, state),
        Page::Readout => readout::readout_ui(ui, session, view.readout, &session.weights(), commands),
        Page::Report => report::report_ui(ui, &session.head, state, view.findings),
    });
}

fn tabs_ui(ui: &mut egui::Ui, head: &Head, findings: &[Finding], chosen: &mut Page) {
    let tabs = [
        (Page::Poses, "Poses"),
        (Page::Motion, "Motion"),
        (Page::Look, "Look"),
        (Page::Readout, "Readout"),
        (Page::Report, "Report"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        // All of them must fit the narrowest panel.
        ui.spacing_mut().button_padding.x = 5.0;
        for (page, name) in tabs {
            let tab = Button::selectable(*chosen == page, name);
            let response = ui.add(tab.min_size(egui::vec2(0.0, theme::BAR_HEIGHT)));
            if response.clicked() {
                *chosen = page;
            }
            if page == Page::Report {
                mark_ui(ui, &response, head, findings);
            }
        }
    });
}

/// A dot at the tab's corner where something was done to the file or a fault was found. That a head has all of ARKit's shapes
/// is no reason to call for anybody.
fn mark_ui(ui: &egui::Ui, tab: &egui::Response, head: &Head, findings: &[Finding]) {
    let faults = findings.iter().filter(|finding| finding.rule != Rule::Coverage).map(|finding| finding.level);
    let levels: Vec<Level> = head.notes.iter().map(|note| note.level).chain(faults).collect();
    let warnings = levels.iter().filter(|level| **level == Level::Warning).count();
    if !levels.is_empty() {
        let color = if warnings > 0 { theme::WARNING } else { theme::ACCENT_BRIGHT };
        ui.painter().circle_filled(tab.rect.right_top() + egui::vec2(-2.0, 5.0), 2.5, color);
    }
    tab.clone().on_hover_text(match (warnings, levels.len()) {
        (0, 0) => "What opening the file took, and what was found in its shapes".to_owned(),
        (0, all) => format!("{all} remarks about the file"),
        (warnings, all) => format!("{all} remarks about the file, {warnings} of them warnings"),
    });
}
