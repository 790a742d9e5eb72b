//! The right panel with its pages Poses, Motion, Look, Readout, Report and Export.

use egui::{Button, ScrollArea};

use smirk_editor::session::{Command, Session};
use smirk_face::head::{Head, Level};
use smirk_face::lint::{Finding, Rule};

use super::widgets::{scroll_to_focus, text};
use super::{Page, UiState, WindowView, export, look, motion, poses, readout, report, theme};

/// Shows the tabs and the chosen page.
pub(super) fn side_panel_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    tabs_ui(ui, &session.head, view.findings.unwrap_or_default(), &mut state.panels.page);
    ui.add_space(theme::GAP);
    // The Poses page has a scroll area of its own, which lays out only the visible cards.
    if state.panels.page == Page::Poses {
        return poses::poses_ui(ui, session, state, view, commands);
    }
    ScrollArea::vertical().id_salt(state.panels.page as u8).auto_shrink(false).show(ui, |ui| {
        match state.panels.page {
            Page::Poses => {}
            Page::Motion => motion::motion_ui(ui, session, state, view.document, view.sound, view.live, commands),
            Page::Look => look::look_ui(ui, session, state, commands),
            Page::Readout => readout::readout_ui(ui, session, view.readout, &session.weights(), commands),
            Page::Report => report::report_ui(ui, session, state, view, commands),
            Page::Export => export::export_ui(ui, session, &mut state.export, view.export, commands),
        }
        scroll_to_focus(ui);
    });
}

fn tabs_ui(ui: &mut egui::Ui, head: &Head, findings: &[Finding], chosen: &mut Page) {
    let tabs = [
        (Page::Poses, "Poses"),
        (Page::Motion, "Motion"),
        (Page::Look, "Look"),
        (Page::Readout, "Readout"),
        (Page::Report, "Report"),
        (Page::Export, "Export"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 1.0;
        // All tabs must fit the narrowest panel.
        ui.spacing_mut().button_padding.x = 2.0;
        for (page, name) in tabs {
            let tab = Button::selectable(*chosen == page, name);
            let response = ui.add(tab.min_size(egui::vec2(0.0, theme::BAR_HEIGHT)));
            if response.clicked() {
                *chosen = page;
            }
            if page == Page::Report {
                report_badge_ui(ui, &response, head, findings);
            }
        }
    });
}

/// Draws a dot on the tab of the Report page if it has notes of the import or problems found in the shapes. A finding
/// about coverage (which ARKit shapes the head has) alone is no problem.
fn report_badge_ui(ui: &egui::Ui, tab: &egui::Response, head: &Head, findings: &[Finding]) {
    let problems = findings.iter().filter(|finding| finding.rule != Rule::Coverage).map(|finding| finding.level);
    let levels: Vec<Level> = head.notes.iter().map(|note| note.level).chain(problems).collect();
    let warnings = levels.iter().filter(|level| **level == Level::Warning).count();
    if !levels.is_empty() {
        let color = if warnings > 0 { theme::WARNING } else { theme::ACCENT_BRIGHT };
        ui.painter().circle_filled(tab.rect.right_top() + egui::vec2(-2.0, 5.0), 2.5, color);
    }
    tab.clone().on_hover_text(match (warnings, levels.len() - warnings) {
        (0, 0) => "Notes on the import and the shapes".to_owned(),
        (0, notes) => text::counted(notes, "note"),
        (warnings, 0) => text::counted(warnings, "warning"),
        (warnings, notes) => format!("{}, {}", text::counted(warnings, "warning"), text::counted(notes, "note")),
    });
}
