//! The Report page: what is different in another version of the head, notes of the import, problems found in the
//! shapes, and combinations of shapes that break the face.

mod combinations;
mod expression;
mod mends;
mod version;

pub(crate) use expression::{expression_of_face, expression_of_pose, face};
pub(crate) use mends::{explained, mends_of_shape};

use std::collections::{HashMap, HashSet};

use egui::{Label, RichText};

use smirk_analysis::lint::{Finding, Rule};
use smirk_face::head::{Head, HeadId, Level, Note, listed};

use crate::context::PanelContext;
use crate::notes;
use crate::theme;
use crate::widgets::{Icon, text, title_ui};

const NAMES: usize = 6;
/// Number of channels that an expanded finding lists, and of notes and findings on the page. A hostile file has a
/// hundred thousand; the copied text has all of them.
const MOST: usize = 300;

#[derive(Debug, Default)]
pub struct ReportPage {
    expanded_findings: HashSet<usize>,
    /// Whether all channels are listed that another version moves differently.
    lists_all_moved: bool,
    mends: mends::MendList,
    pub tried: combinations::Tried,
    pushed: Option<HeadId>,
}

impl ReportPage {
    /// The head was read again or mended. Which mend is selected stays, and that combinations are to be tried.
    pub(crate) fn follow_reload(&mut self) {
        *self = Self { mends: std::mem::take(&mut self.mends), pushed: self.pushed.take(), ..Self::default() };
    }

    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        version::version_ui(ui, cx, &mut self.lists_all_moved);
        ui.add_space(theme::GAP);
        self.mends.show_ui(ui, cx);
        ui.add_space(theme::GAP);
        self.findings_ui(ui, cx);
        ui.add_space(theme::GAP);
        combinations::combinations_ui(ui, cx, &mut self.tried, &mut self.pushed);
    }

    fn findings_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let head = cx.session.head.clone();
        let findings = cx.readings.findings_of(&head);
        title_ui(ui, "Import", |ui| {
            let button = ui.add_enabled(findings.is_some(), egui::Button::new("Copy"));
            if button.on_hover_text("Copy the report as text").clicked() {
                ui.ctx().copy_text(text(&head, findings.unwrap_or_default()));
            }
        });
        if head.notes.is_empty() {
            ui.weak("Nothing was converted, skipped or repaired.");
        }
        let notes = grouped(&head.notes);
        let hidden_notes = notes.len().saturating_sub(MOST);
        for (level, objects, message) in notes.into_iter().take(MOST) {
            note_ui(ui, level, |ui| {
                ui.add(
                    Label::new(RichText::new(text::shown_message(&objects)).color(theme::TEXT_WEAK))
                        .selectable(true)
                        .wrap(),
                );
                ui.add(Label::new(text::shown_message(message)).selectable(true).wrap());
            });
        }
        more_ui(ui, hidden_notes);
        let Some(findings) = findings else {
            ui.add_space(theme::GAP);
            ui.weak("Checking the shapes…");
            return;
        };
        if !head.channels.is_empty() && findings.iter().all(|finding| finding.rule == Rule::Coverage) {
            ui.add_space(theme::GAP);
            ui.strong("Shapes");
            ui.weak("No problems found.");
        }
        let mut last_rule = None;
        for (index, finding) in findings.iter().enumerate().take(MOST) {
            if last_rule != Some(finding.rule) {
                ui.add_space(theme::GAP);
                ui.strong(finding.rule.title());
                last_rule = Some(finding.rule);
            }
            note_ui(ui, finding.level, |ui| {
                self.channels_ui(ui, cx, index, finding);
                ui.add(Label::new(text::shown_message(&finding.message)).selectable(true).wrap());
                notes::finding_link_ui(ui, cx, finding.rule.keyword(), &finding.object(&head), &finding.channels);
                if finding.rule == Rule::RestWeight {
                    rest_ui(ui, &mut cx.session.edits.rests_at_zero);
                }
                self.mends.remedy_ui(ui, cx, finding);
            });
        }
        more_ui(ui, findings.len().saturating_sub(MOST));
    }

    fn channels_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>, index: usize, finding: &Finding) {
        if finding.channels.is_empty() {
            return;
        }
        let is_expanded = self.expanded_findings.contains(&index);
        let shown = if is_expanded { MOST } else { NAMES };
        ui.horizontal_wrapped(|ui| {
            // The links are as dense as text; by default each link would be as tall as a button.
            ui.spacing_mut().interact_size.y = 0.0;
            ui.spacing_mut().item_spacing = egui::vec2(theme::GAP, 2.0);
            for &channel in finding.channels.iter().take(shown) {
                let font = theme::body_font();
                let name = text::elide_middle(ui.painter(), &cx.session.head.channels[channel].name, &font, LINK_WIDTH);
                if ui.link(name).on_hover_text("Show in the channel list").clicked() {
                    cx.marks.reveal(channel, &mut cx.state.panels);
                }
            }
            let hidden = finding.channels.len().saturating_sub(NAMES);
            if hidden > 0 {
                let text = if is_expanded { "show fewer".to_owned() } else { format!("and {hidden} more") };
                if ui.link(RichText::new(text).color(theme::TEXT_WEAK)).clicked()
                    && !self.expanded_findings.remove(&index)
                {
                    self.expanded_findings.insert(index);
                }
            }
        });
    }
}

/// Lets the head rest with all weights at 0, or as its file says.
fn rest_ui(ui: &mut egui::Ui, rests_at_zero: &mut bool) {
    let (label, tip) = match *rests_at_zero {
        false => {
            ("Zero all", "Let the head rest with all weights at 0. Captures, clips and sliders move it from there")
        }
        true => ("Rest as in the file", "All weights rest at 0. Go back to those of the file"),
    };
    if ui.button(label).on_hover_text(tip).clicked() {
        *rests_at_zero = !*rests_at_zero;
    }
}

fn more_ui(ui: &mut egui::Ui, hidden: usize) {
    if hidden > 0 {
        ui.weak(format!("… and {hidden} more. Copy has all of them."));
    }
}

/// Combines notes with the same text into one, with the names of their objects. Warnings come first.
fn grouped(notes: &[Note]) -> Vec<(Level, String, &str)> {
    const NAMED: usize = 12;
    let mut groups: Vec<(&Note, Vec<&Note>)> = Vec::new();
    let mut known: HashMap<(Level, &str), usize> = HashMap::new();
    for note in notes {
        let group = *known.entry((note.level, &note.message)).or_insert_with(|| {
            groups.push((note, Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(note);
    }
    groups.sort_by_key(|(note, _)| note.level != Level::Warning);
    let groups = groups.into_iter().map(|(note, objects)| {
        let objects: Vec<String> = objects.iter().map(|note| note.subject.to_string()).collect();
        (note.level, listed(&objects, NAMED), note.message.as_str())
    });
    groups.collect()
}

fn note_ui(ui: &mut egui::Ui, level: Level, contents: impl FnOnce(&mut egui::Ui)) {
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

/// The largest width of a channel's name in the list of a finding.
const LINK_WIDTH: f32 = 240.0;

fn text(head: &Head, findings: &[Finding]) -> String {
    let notes = grouped(&head.notes).into_iter();
    let notes = notes.map(|(level, objects, message)| (level, format!("{objects}: {message}")));
    let found = findings.iter().map(|finding| {
        let (title, object) = (finding.rule.title(), finding.object(head));
        (finding.level, format!("{title}: {object}: {}", finding.message))
    });
    let mut text = head.name.clone() + "\n";
    for (level, line) in notes.chain(found) {
        let level = match level {
            Level::Info => "info",
            Level::Warning => "warning",
        };
        text += &format!("{level}: {line}\n");
    }
    text
}
