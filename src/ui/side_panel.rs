//! The right panel with its pages Poses, Motion, Look, Readout, Report, Notes and Export.

use egui::{Button, RichText, ScrollArea};

use smirk_analysis::lint::Rule;
use smirk_face::head::Level;

use crate::context::PanelContext;
use crate::export::ExportPage;
use crate::guard::guarded_ui;
use crate::look::look_ui;
use crate::motion::MotionPage;
use crate::notes::NotesPage;
use crate::poses::PosesPage;
use crate::readout::readout_ui;
use crate::report::ReportPage;
use crate::state::{Page, Part};
use crate::theme;
use crate::widgets::{scroll_to_focus, text};

#[derive(Debug, Default)]
pub struct SidePanel {
    poses: PosesPage,
    motion: MotionPage,
    pub report: ReportPage,
    notes: NotesPage,
    export: ExportPage,
}

impl SidePanel {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        tabs_ui(ui, cx);
        ui.add_space(theme::GAP);
        let page = cx.state.panels.page;
        guarded_ui(ui, cx, Part::Page(page), |ui, cx| self.page_ui(ui, cx, page));
    }

    fn page_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, page: Page) {
        // The Poses page has a scroll area of its own, which lays out only the visible cards.
        if page == Page::Poses {
            return self.poses.show_ui(ui, cx);
        }
        if page == Page::Notes {
            NotesPage::head_ui(ui, cx);
        }
        // As wide with a scroll bar as without: pictures that become smaller beside one would need it no longer, and so
        // on in every frame.
        let width = ui.available_width() - ui.spacing().scroll.floating_allocated_width;
        ScrollArea::vertical().id_salt(page as u8).auto_shrink(false).show(ui, |ui| {
            if matches!(page, Page::Look | Page::Notes) {
                ui.set_max_width(width);
            }
            match page {
                Page::Poses => {}
                Page::Motion => self.motion.show_ui(ui, cx),
                Page::Look => look_ui(ui, cx),
                Page::Readout => readout_ui(ui, cx),
                Page::Report => self.report.show_ui(ui, cx),
                Page::Notes => self.notes.show_ui(ui, cx),
                Page::Export => self.export.show_ui(ui, cx),
            }
            scroll_to_focus(ui);
        });
    }

    /// Clears what refers to channels, when the same head was read again.
    pub(crate) fn follow_reload(&mut self) {
        self.report.follow_reload();
    }
}

fn tabs_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        // All tabs must fit the narrowest panel.
        ui.spacing_mut().button_padding.x = 0.0;
        // The room that is left is the same around every name.
        let widths = Page::ALL.iter().map(|page| {
            ui.painter().layout_no_wrap(page.label().to_owned(), theme::small_font(), theme::TEXT).size().x
        });
        let widths: Vec<f32> = widths.collect();
        let room = ((ui.available_width() - widths.iter().sum::<f32>()) / Page::ALL.len() as f32).max(0.0);
        for (&page, width) in Page::ALL.iter().zip(widths) {
            let name = RichText::new(page.label()).font(theme::small_font());
            let tab = Button::selectable(cx.state.panels.page == page, name);
            let response = ui.add_sized(egui::vec2((width + room).floor(), theme::BAR_HEIGHT), tab);
            if response.clicked() {
                cx.state.panels.page = page;
            }
            if page == Page::Report {
                report_badge_ui(ui, &response, cx);
            }
        }
    });
}

/// Draws a dot on the tab of the Report page if it has notes of the import or problems found in the shapes. A finding
/// about coverage (which ARKit shapes the head has) alone is no problem.
fn report_badge_ui(ui: &egui::Ui, tab: &egui::Response, cx: &PanelContext<'_>) {
    let findings = cx.readings.findings_of(&cx.session.head).unwrap_or_default();
    let problems = findings.iter().filter(|finding| finding.rule != Rule::Coverage).map(|finding| finding.level);
    let levels: Vec<Level> = cx.session.head.notes.iter().map(|note| note.level).chain(problems).collect();
    let warnings = levels.iter().filter(|level| **level == Level::Warning).count();
    if !levels.is_empty() {
        let color = if warnings > 0 { theme::WARNING } else { theme::ACCENT_BRIGHT };
        ui.painter().circle_filled(tab.rect.right_top() + egui::vec2(-4.0, 4.0), 2.5, color);
    }
    tab.clone().on_hover_text(match (warnings, levels.len() - warnings) {
        (0, 0) => "Notes on the import and the shapes".to_owned(),
        (0, notes) => text::counted(notes, "note"),
        (warnings, 0) => text::counted(warnings, "warning"),
        (warnings, notes) => format!("{}, {}", text::counted(warnings, "warning"), text::counted(notes, "note")),
    });
}
