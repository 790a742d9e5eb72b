//! Notices at the top of the viewport: progress, messages, questions, a project whose head does not open, and the hint
//! while a file is dragged over the window.

use std::borrow::Cow;
use std::path::PathBuf;

use egui::{Align, Label, Layout, Rect, RichText, Stroke, StrokeKind, UiBuilder, pos2};

use smirk_editor::document::{LoadRequest, MissingHead, WorkHint};
use smirk_face::head::{HeadSource, Matching, SculptedOn, ShapeFile};
use smirk_session::{Session, WorkCommand};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::export::running_ui;
use crate::readings::{Notice, SheetStatus};
use crate::report::face;
use crate::state::Page;
use crate::theme;
use crate::unsaved_work::WorkOffer;
use crate::widgets::{CancelButton, Choice, checkbox_ui, progress_ui, text};

#[derive(Debug, Default)]
pub(crate) struct Notices {
    matching: Matching,
    /// Whether the files are sculpts of the face that is shown.
    are_sculpts: bool,
    offer: WorkOffer,
}

const PROGRESS_WIDTH: f32 = 440.0;
pub(crate) const TEXT_WIDTH: f32 = 560.0;

impl Notices {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, viewport: Rect, cx: &mut PanelContext<'_>) {
        let mut free = viewport;
        let free = &mut free;
        match cx.readings.notice {
            Notice::Idle if cx.state.placing.is_some() => {}
            Notice::Idle => match (&cx.readings.document.missing_head, &cx.readings.document.work_hint) {
                (Some(missing), _) => missing_head_ui(ui, free, missing, cx),
                (None, Some(WorkHint::Earlier)) => {
                    card_ui(ui, free, TEXT_WIDTH, |ui| self.offer.show_ui(ui, cx));
                }
                (None, Some(WorkHint::Trashed(count))) => trashed_ui(ui, free, *count, cx),
                (None, Some(WorkHint::SetAside(_)) | None) => {}
            },
            Notice::Loading { name, stage, fraction } => {
                // Before the first report of the job there is no stage.
                let name = text::shown(name);
                let text =
                    if stage.is_empty() { format!("Opening {name}") } else { format!("Opening {name}: {stage}") };
                cx.commands.extend(busy_ui(ui, free, &text, *fraction, Some(Command::CancelLoad)));
            }
            Notice::Drawing { name, fraction } => {
                busy_ui(ui, free, &format!("Drawing {}", text::shown(name)), *fraction, None);
            }
            Notice::MatchShapes { files } => self.shape_import_ui(ui, free, files, cx),
            Notice::Info { title, message } => message_ui(ui, free, title, theme::TEXT, message, cx),
            Notice::Failure { title, message } => message_ui(ui, free, title, theme::ERROR, message, cx),
        }
        if let Some(sheet) = cx.readings.sheet {
            cx.commands.extend(sheet_ui(ui, free, sheet));
        }
        // The page shows it too, if it is on screen.
        if let Some(export) = cx.readings.export.running.as_ref().filter(|_| !cx.state.shows_page(Page::Export)) {
            card_ui(ui, free, PROGRESS_WIDTH, |ui| running_ui(ui, export, cx));
        }
        if cx.readings.is_file_hovering {
            drop_hint_ui(ui, viewport);
        }
    }

    /// The question before shapes are imported: the files, and how their vertices are matched.
    fn shape_import_ui(&mut self, ui: &mut egui::Ui, free: &mut Rect, files: &[PathBuf], cx: &mut PanelContext<'_>) {
        let (matching, are_sculpts) = (&mut self.matching, &mut self.are_sculpts);
        let face = face_in_words(cx.session);
        card_ui(ui, free, TEXT_WIDTH, |ui| {
            let title = match files.len() {
                1 => "Import 1 shape".to_owned(),
                count => format!("Import {count} shapes"),
            };
            ui.add(Label::new(RichText::new(title).strong()));
            let names = files.iter().map(|file| file.file_stem().unwrap_or_default().to_string_lossy());
            let names: Vec<_> = names.map(|name| text::shown(&name).into_owned()).collect();
            ui.add(Label::new(RichText::new(names.join(", ")).color(theme::TEXT_WEAK)).truncate());
            ui.add_space(theme::GAP_SMALL);
            if let Some(face) = &face {
                let tip = format!(
                    "What the file adds to {face} becomes a corrective: it shows when these shapes are on together"
                );
                checkbox_ui(ui, are_sculpts, "Sculpted on the face that is shown").on_hover_text(text::shown(&tip));
                ui.add_space(theme::GAP_SMALL);
            }
            ui.horizontal(|ui| {
                ui.label("Match vertices");
                let choice = Choice { width: 180.0, ..Choice::new("Matching", "") };
                choice.list_ui(ui, matching, Matching::ALL, |choice| {
                    (Cow::Borrowed(choice.label()), explanation(choice))
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Import").clicked() {
                        let is_sculpt = *are_sculpts && face.is_some();
                        let sculpted_on = SculptedOn(if is_sculpt { of_face(cx.session) } else { Vec::new() });
                        *are_sculpts = false;
                        let request = match files {
                            [path] if *matching == Matching::Face => {
                                LoadRequest::Features(HeadSource::File(path.clone()))
                            }
                            _ => {
                                let shapes = files.iter().map(|path| ShapeFile {
                                    sculpted_on: sculpted_on.clone(),
                                    ..ShapeFile::new(path.clone(), *matching)
                                });
                                LoadRequest::Shapes(shapes.collect())
                            }
                        };
                        cx.commands.push(Command::Load(Box::new(request)));
                    }
                    if ui.button("Cancel").clicked() {
                        cx.commands.push(Command::DismissNotice);
                    }
                });
            });
        });
    }
}

/// The shapes that are on in the face that is shown, with their weights.
fn of_face(session: &Session) -> Vec<(String, f32)> {
    face(session).into_iter().collect()
}

/// The same in words: `jawOpen × mouthClose at 0.8`; none for a face at rest.
fn face_in_words(session: &Session) -> Option<String> {
    let face = of_face(session).into_iter().map(|(name, weight)| match weight {
        1.0 => name,
        weight => format!("{name} at {weight:.2}"),
    });
    let face: Vec<String> = face.collect();
    (!face.is_empty()).then(|| face.join(" × "))
}

fn explanation(matching: Matching) -> &'static str {
    match matching {
        Matching::Auto => "By order if the topology is the same, else by texture coordinates, the rest by position",
        Matching::Order => "By vertex number",
        Matching::Uv => "By texture coordinates, in any vertex order",
        Matching::Position => "By position, and along triangles from vertices that do not move",
        Matching::Face => "Each file is another head: all its shapes are carried over, as a start to sculpt from",
    }
}

/// Shows `content` in a card at the top of the part of the viewport that is free, which then begins below it.
pub(crate) fn card_ui(ui: &mut egui::Ui, free: &mut Rect, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let viewport = *free;
    let width = width.min(viewport.width() - 2.0 * theme::GAP_LARGE).max(160.0);
    let min = pos2((viewport.center().x - width / 2.0).round(), viewport.top() + theme::GAP_LARGE);
    let area = Rect::from_min_max(min, pos2(min.x + width, viewport.bottom() - 64.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("loading"));
    theme::card().show(&mut child, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
    free.min.y = child.min_rect().bottom();
}

fn trashed_ui(ui: &mut egui::Ui, free: &mut Rect, count: usize, cx: &mut PanelContext<'_>) {
    card_ui(ui, free, PROGRESS_WIDTH, |ui| {
        ui.horizontal(|ui| {
            ui.label(format!("{} moved to the trash", text::counted(count, "work")));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                for (text, command) in [("Close", WorkCommand::Later), ("Undo", WorkCommand::PutBackAll)] {
                    if ui.button(text).clicked() {
                        cx.commands.push(Command::Work(command));
                    }
                }
            });
        });
    });
}

fn missing_head_ui(ui: &mut egui::Ui, free: &mut Rect, missing: &MissingHead, cx: &mut PanelContext<'_>) {
    card_ui(ui, free, TEXT_WIDTH, |ui| {
        let title = format!("Cannot open the head of {}", text::shown(&missing.project));
        ui.add(Label::new(RichText::new(title).color(theme::ERROR).strong()).wrap());
        ui.add(Label::new(text::shown_message(&missing.problem)).selectable(true).wrap());
        ui.add(Label::new("Locate the head's file to open the project.").wrap());
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            for (text, command) in
                [("Locate…", Command::Choose(OpenAs::HeadOfProject)), ("Dismiss", Command::DismissNotice)]
            {
                if ui.button(text).clicked() {
                    cx.commands.push(command);
                }
            }
        });
    });
}

/// Shows the progress of a contact sheet. Returns the command of its Cancel button when that is clicked.
fn sheet_ui(ui: &mut egui::Ui, free: &mut Rect, sheet: SheetStatus) -> Option<Command> {
    let waiting = match sheet.waiting {
        0 => String::new(),
        waiting => format!(" · {waiting} more to draw"),
    };
    match sheet.drawing {
        Some((done, total)) => {
            let text = format!("Contact sheet: picture {done} of {total}{waiting}");
            busy_ui(ui, free, &text, done as f32 / total as f32, Some(Command::CancelSheet))
        }
        None => busy_ui(ui, free, &format!("Writing the contact sheet{waiting}"), 1.0, None),
    }
}

/// Shows the progress of something. Returns `cancel` when its Cancel button is clicked; without a command, there is
/// none.
fn busy_ui(ui: &mut egui::Ui, free: &mut Rect, text: &str, fraction: f32, cancel: Option<Command>) -> Option<Command> {
    let button = if cancel.is_some() { CancelButton::Enabled } else { CancelButton::Hidden };
    let mut is_cancelled = false;
    card_ui(ui, free, TEXT_WIDTH, |ui| is_cancelled = progress_ui(ui, text, fraction, button));
    cancel.filter(|_| is_cancelled)
}

fn message_ui(
    ui: &mut egui::Ui,
    free: &mut Rect,
    title: &str,
    color: egui::Color32,
    message: &str,
    cx: &mut PanelContext<'_>,
) {
    card_ui(ui, free, TEXT_WIDTH, |ui| {
        let title = text::shown_message(title);
        ui.add(Label::new(RichText::new(&title).color(color).strong()).wrap());
        egui::ScrollArea::vertical().max_height(180.0).show(ui, |ui| {
            ui.add(Label::new(text::shown_message(message)).selectable(true).wrap());
        });
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal(|ui| {
            if ui.button("Dismiss").clicked() {
                cx.commands.push(Command::DismissNotice);
            }
            if ui.button("Copy").clicked() {
                ui.copy_text(format!("{title}: {message}"));
            }
        });
    });
}

fn drop_hint_ui(ui: &egui::Ui, viewport: Rect) {
    let painter = ui.painter();
    painter.rect_filled(viewport, 0.0, theme::DROP_OVERLAY);
    let frame = viewport.shrink(theme::GAP_LARGE);
    painter.rect_stroke(frame, theme::ROUNDING_LARGE, Stroke::new(2.0, theme::ACCENT_BRIGHT), StrokeKind::Inside);
    let text = "Drop a head, project, take, pose or reference image to open it";
    painter.text(viewport.center(), egui::Align2::CENTER_CENTER, text, egui::FontId::proportional(18.0), theme::TEXT);
}
