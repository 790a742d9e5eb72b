//! The section of the Report page about another version of the head: what is different in it, and how it is shown.

use egui::containers::menu::MenuButton;
use egui::{Button, Grid, Label, Link, RichText};

use crate::command::{Command, OpenAs};
use crate::comparison::shown_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{CancelButton, progress_ui, text, title_ui, wrapped_ui};
use smirk_export::SheetScale;
use smirk_face::head::{HeadChanges, MatchedVertices, Version};
use smirk_session::{ComparedWith, HeadSource, OpenVersion, Session, VersionProblem};

/// The largest number of targets that are listed until the user expands the list.
const FEW: usize = 12;
const MOST: usize = 300;
const NAME_WIDTH: f32 = 150.0;

/// Shows the version that is compared, or a button to choose one. `lists_all`: whether all channels are listed that it
/// moves differently.
pub(super) fn version_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, lists_all: &mut bool) {
    let Some(open) = cx.session.open_version.clone() else {
        title_ui(ui, "Versions", |_| {});
        let button = Button::new("Compare with…").min_size(egui::vec2(0.0, theme::BAR_HEIGHT));
        let tip = "Another version of this head: what has moved, is new, gone or renamed; side by side, over each other, as a heat map";
        if ui.add(button).on_hover_text(tip).clicked() {
            cx.commands.push(Command::Choose(OpenAs::Version));
        }
        return;
    };
    title_ui(ui, "Versions", |ui| {
        if ui.button("Close").on_hover_text("End the comparison").clicked() {
            cx.commands.push(Command::CloseVersion);
        }
        let has_moved = !open.version.changes.moved.is_empty() && cx.readings.version_sheet.is_none();
        let tip = "A picture of the ten expressions that differ most: A, B, and where they differ";
        ui.add_enabled_ui(has_moved, |ui| {
            let (response, _) = MenuButton::new("Save sheet…").ui(ui, |ui| {
                for &scale in SheetScale::ALL {
                    if ui.button(scale.label()).clicked() {
                        cx.commands.push(Command::VersionSheet(scale));
                    }
                }
            });
            response.on_hover_text(tip);
        });
    });
    names_ui(ui, cx, &open);
    if let Some((stage, fraction)) = cx.readings.version_sheet
        && progress_ui(ui, &format!("Sheet: {stage}"), fraction, CancelButton::Enabled)
    {
        cx.commands.push(Command::CancelVersionSheet);
    }
    if cx.session.version().is_none() {
        ui.weak("Comparing again…");
        return;
    }
    ui.add_space(theme::GAP_SMALL);
    if cx.session.compared_with == ComparedWith::Version {
        shown_ui(ui, cx);
    } else if ui.button("Show this version as B").clicked() {
        cx.session.compared_with = ComparedWith::Version;
    }
    ui.add_space(theme::GAP_SMALL);
    if let Some(last) = open.version.frame_times_secs().last() {
        let frames = text::counted(open.version.frame_times_secs().len(), "recorded frame");
        ui.label(format!("{frames}, {last:.2} s, which play with the timeline. The head turns as A does"));
        return;
    }
    let changes = &open.version.changes;
    ui.add(Label::new(text::shown_message(&changes.summary())).selectable(true).wrap());
    moved_ui(ui, cx, &open.version, lists_all);
    meshes_ui(ui, cx.session, &open.version);
    details_ui(ui, changes);
}

fn names_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, open: &OpenVersion) {
    for (letter, source) in [("A", &cx.session.source), ("B", &open.source)] {
        ui.horizontal(|ui| {
            ui.strong(letter);
            let response = ui.add(Label::new(text::shown(&source.name())).truncate());
            if let HeadSource::File(path) = source {
                response.on_hover_text(text::shown_message(&path.display().to_string()));
            }
        });
    }
    let Some(problem) = open.problem else { return };
    let what = match problem {
        VersionProblem::Changed => "B has changed since it was read",
        VersionProblem::Gone => "B is gone from its folder; it is compared as it was read",
    };
    wrapped_ui(ui, what, theme::WARNING);
    if let (VersionProblem::Changed, HeadSource::File(path)) = (problem, &open.source)
        && ui.button("Read it again").clicked()
    {
        cx.commands.push(Command::Open(OpenAs::Version, path.clone()));
    }
}

/// The channels that move vertices differently. A click shows one at weight 1, alone.
fn moved_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, version: &Version, lists_all: &mut bool) {
    if version.moved.is_empty() {
        return;
    }
    ui.add_space(theme::GAP_SMALL);
    let most = if *lists_all { MOST } else { FEW };
    let session = &mut *cx.session;
    let head = session.head.clone();
    let mut clicked = None;
    Grid::new("moved targets").num_columns(3).spacing([theme::GAP_LARGE, 2.0]).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 0.0;
        for heading in ["moved", "largest", "RMS"] {
            ui.weak(heading);
        }
        ui.end_row();
        for moved in version.moved.iter().take(most) {
            let name = &head.channels[moved.channel].name;
            let shown = text::elide_middle(ui.painter(), name, &theme::body_font(), NAME_WIDTH);
            let tip = format!("{} on {}: show it alone at 1", text::shown(name), text::shown(&moved.meshes.join(", ")));
            if ui.add(Link::new(shown)).on_hover_text(tip).clicked() {
                clicked = Some(moved.channel);
            }
            for mm in [moved.largest_mm, moved.rms_mm] {
                ui.label(format!("{mm:.2} mm"));
            }
            ui.end_row();
        }
    });
    if version.moved.len() > FEW {
        let all = text::counted(version.moved.len(), "channel");
        let label = if *lists_all { "show fewer".to_owned() } else { format!("show all {all}") };
        if ui.link(RichText::new(label).color(theme::TEXT_WEAK)).clicked() {
            *lists_all ^= true;
        }
    }
    if let Some(channel) = clicked {
        for other in 0..head.channels.len() {
            let value = if other == channel { 1.0 } else { session.channel_default(other) };
            session.channels_mut([other]).set(value);
        }
        cx.marks.mark(vec![channel], &mut cx.state.panels);
    }
}

fn meshes_ui(ui: &mut egui::Ui, session: &Session, version: &Version) {
    let meshes = version.meshes.iter();
    let others: Vec<_> = meshes.filter(|matched| matched.vertices != MatchedVertices::InOrder).collect();
    ui.add_space(theme::GAP_SMALL);
    if others.is_empty() {
        ui.weak(format!("{}: the same vertices", text::counted(version.meshes.len(), "mesh")));
    }
    for matched in others.into_iter().take(FEW) {
        let [a, b] = [&session.head.meshes[matched.old], &version.head.meshes[matched.new]];
        let counts = format!("{} → {} vertices", a.vertices.len(), b.vertices.len());
        let line = format!("{}: {counts}, {}", text::shown(&b.name), matched.text(&version.head));
        ui.add(Label::new(line).selectable(true).wrap());
    }
}

/// Everything else that differs, one line for each kind.
fn details_ui(ui: &mut egui::Ui, changes: &HeadChanges) {
    for line in changes.details().lines().filter(|line| !line.starts_with("Targets moved")) {
        let (what, names) = line.split_once(": ").unwrap_or((line, ""));
        ui.add_space(theme::GAP_SMALL);
        ui.colored_label(theme::TEXT_WEAK, what);
        if !names.is_empty() {
            ui.add(Label::new(text::shown_message(names)).selectable(true).wrap());
        }
    }
}
