//! The list of unsaved work: what earlier runs of the program left, and the trash.

use std::collections::{HashMap, HashSet};
use std::fmt;

use egui::{
    Align, Color32, ColorImage, CornerRadius, Frame, Id, Label, Layout, Margin, Modal, Rect, RichText, ScrollArea,
    Sense, TextureHandle, TextureId, TextureOptions, Vec2, pos2, vec2,
};

use smirk_base::date::{age_text, date_and_time, now_unix_secs};
use smirk_editor::document::{RecoveryFolder, UnsavedWork, WorkPlace, WorkSummary};
use smirk_session::{WorkCommand, WorkId};

use crate::command::Command;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{text, wrapped_ui};

const PICTURE_SIZE: Vec2 = vec2(96.0, 72.0);
const OFFER_BUTTON_WIDTH: f32 = 84.0;
/// The room for the buttons, so that the texts of all rows end at the same place.
const BUTTONS_WIDTH: f32 = 220.0;

/// The list of unsaved work. While it is open, rows stay where they are: a second click never hits another work.
#[derive(Debug, Default)]
pub struct WorkList {
    pub is_open: bool,
    pub problem: Option<String>,
    in_trash: HashSet<WorkId>,
    /// What has to be confirmed by a second click, on another button.
    question: Option<Question>,
    pictures: WorkPictures,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Delete(WorkId),
    EmptyTrash,
}

impl WorkList {
    pub fn open(&mut self, works: &[UnsavedWork]) {
        let trashed = works.iter().filter(|work| work.place == WorkPlace::Trash);
        *self = Self { is_open: true, in_trash: trashed.map(|work| work.id).collect(), ..Self::default() };
    }

    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// Whether a work is listed below, in the trash. What was moved there since the list was opened stays in its place.
    fn is_in_trash_section(&self, work: &UnsavedWork) -> bool {
        work.place == WorkPlace::Trash && self.in_trash.contains(&work.id)
    }

    pub(crate) fn show_ui(&mut self, ui: &egui::Ui, cx: &mut PanelContext<'_>) {
        if !self.is_open {
            return;
        }
        let size = ui.ctx().content_rect().size();
        let modal = Modal::new(Id::unique("unsaved work")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
            ui.set_width(840.0_f32.min(size.x - 80.0));
            let is_closed = ui.horizontal(|ui| {
                ui.heading("Recover work");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let is_closed = ui.button("Close").clicked();
                    let offered = cx.readings.document.works.iter().filter(|work| work.place == WorkPlace::Offered);
                    if offered.count() > 1 && ui.button("Move all to trash").clicked() {
                        cx.commands.push(Command::Work(WorkCommand::TrashAll));
                    }
                    is_closed
                })
                .inner
            });
            ui.add_space(theme::GAP);
            if let Some(problem) = &self.problem {
                ui.add(Label::new(RichText::new(problem).color(theme::ERROR)).selectable(true).wrap());
                ui.add_space(theme::GAP);
            }
            ScrollArea::vertical().max_height(size.y - 180.0).show(ui, |ui| {
                ui.set_width(ui.available_width());
                self.list_ui(ui, cx);
            });
            is_closed.inner
        });
        if modal.inner || modal.should_close() {
            self.close();
        }
    }

    fn list_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let document = cx.readings.document;
        let (trash, works): (Vec<&UnsavedWork>, Vec<&UnsavedWork>) =
            document.works.iter().partition(|work| self.is_in_trash_section(work));
        if works.is_empty() {
            ui.add(Label::new("There is no unsaved work.").wrap());
            note_ui(ui, "If Smirk ends before you have saved, you find your work here at the next start.");
        } else {
            note_ui(
                ui,
                "What was not saved when a window ended. It stays here until you restore it or move it to the trash.",
            );
        }
        for work in works {
            self.row_ui(ui, work, cx);
        }
        if document.works_in_use > 0 {
            let text = format!("{} more in use by other windows of Smirk.", document.works_in_use);
            note_ui(ui, &text);
        }
        if !trash.is_empty() {
            ui.add_space(theme::GAP_LARGE);
            self.trash_ui(ui, &trash, cx);
        }
    }

    fn trash_ui(&mut self, ui: &mut egui::Ui, trash: &[&UnsavedWork], cx: &mut PanelContext<'_>) {
        ui.horizontal(|ui| {
            ui.strong("Trash");
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if self.question == Some(Question::EmptyTrash) {
                    if ui.button("Keep").clicked() {
                        self.question = None;
                    }
                    let text = format!("Delete {} for good", text::counted(trash.len(), "work"));
                    if ui.button(RichText::new(text).color(theme::ERROR)).clicked() {
                        self.question = None;
                        cx.commands.push(Command::Work(WorkCommand::EmptyTrash));
                    }
                } else if ui.button("Empty trash…").clicked() {
                    self.question = Some(Question::EmptyTrash);
                }
            });
        });
        let (works, mega_bytes) = (RecoveryFolder::TRASH_WORKS, RecoveryFolder::TRASH_BYTES >> 20);
        note_ui(
            ui,
            &format!("Keeps the last {works} works, at most {mega_bytes} MB. Beyond that, the oldest are deleted."),
        );
        for work in trash {
            self.row_ui(ui, work, cx);
        }
    }

    fn row_ui(&mut self, ui: &mut egui::Ui, work: &UnsavedWork, cx: &mut PanelContext<'_>) {
        let is_trashed = work.place == WorkPlace::Trash && !self.is_in_trash_section(work);
        let frame = Frame::new().fill(theme::PANEL).corner_radius(theme::ROUNDING).inner_margin(Margin::same(8));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let tint = if is_trashed { theme::PICTURE_IN_TRASH } else { Color32::WHITE };
                self.pictures.picture_ui(ui, work, tint);
                let width = (ui.available_width() - BUTTONS_WIDTH).max(120.0);
                ui.allocate_ui_with_layout(vec2(width, PICTURE_SIZE.y), Layout::top_down(Align::Min), |ui| {
                    ui.set_width(width);
                    texts_ui(ui, work, is_trashed);
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| self.buttons_ui(ui, work, cx));
            });
        });
    }

    /// The buttons from right to left. The one that confirms is never at the place of the one that asks.
    fn buttons_ui(&mut self, ui: &mut egui::Ui, work: &UnsavedWork, cx: &mut PanelContext<'_>) {
        let (id, in_trash) = (work.id, self.is_in_trash_section(work));
        if self.question == Some(Question::Delete(id)) {
            if ui.button("Keep").clicked() {
                self.question = None;
            }
            if ui.button(RichText::new("Delete for good").color(theme::ERROR)).clicked() {
                self.question = None;
                cx.commands.push(Command::Work(WorkCommand::Delete(id)));
            }
            return;
        }
        let buttons: &[(&str, Option<WorkCommand>)] = match work.place {
            WorkPlace::Offered => {
                &[("Move to trash", Some(WorkCommand::Trash(id))), ("Restore", Some(WorkCommand::Restore(id)))]
            }
            WorkPlace::Trash if in_trash => &[("Delete…", None), ("Restore", Some(WorkCommand::Restore(id)))],
            WorkPlace::Trash => &[("Put back", Some(WorkCommand::PutBack(id)))],
        };
        for (text, command) in buttons {
            let button = ui.button(*text);
            match command {
                Some(command) if button.clicked() => cx.commands.push(Command::Work(*command)),
                None if button.clicked() => self.question = Some(Question::Delete(id)),
                _ => {}
            }
        }
    }
}

/// What earlier runs of the program have left, offered over the picture: the newest works, with their pictures.
#[derive(Debug, Default)]
pub(crate) struct WorkOffer {
    pictures: WorkPictures,
}

impl WorkOffer {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        let works = cx.readings.document.works.iter().filter(|work| work.place == WorkPlace::Offered);
        let count = works.clone().count();
        // In a low window, more would cover the face.
        let most = (0.25 * ui.available_height() / PICTURE_SIZE.y) as usize;
        let most = most.clamp(1, 3);
        let mut chosen = None;
        ui.add(Label::new(RichText::new("Unsaved work of earlier runs").strong()));
        ui.add_space(theme::GAP_SMALL);
        for work in works.take(most) {
            ui.horizontal(|ui| {
                self.pictures.picture_ui(ui, work, Color32::WHITE);
                let width = (ui.available_width() - OFFER_BUTTON_WIDTH).max(80.0);
                ui.allocate_ui_with_layout(vec2(width, PICTURE_SIZE.y), Layout::top_down(Align::Min), |ui| {
                    ui.set_width(width);
                    texts_ui(ui, work, false);
                });
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let name = format!("Restore {}", text::shown(&work.summary.name));
                    if ui.button("Restore").accessible_name(name).clicked() {
                        chosen = Some(WorkCommand::Restore(work.id));
                    }
                });
            });
        }
        ui.add_space(theme::GAP_SMALL);
        ui.horizontal_wrapped(|ui| {
            let more = if count > most { format!("Show all {count}…") } else { "Show the list…".to_owned() };
            for (text, command) in [
                ("Not now", WorkCommand::Later),
                (more.as_str(), WorkCommand::List),
                ("Move all to trash", WorkCommand::TrashAll),
            ] {
                if ui.button(text).clicked() {
                    chosen = Some(command);
                }
            }
        });
        cx.commands.extend(chosen.map(Command::Work));
    }
}

/// A texture for each picture that was shown; none for one that is damaged. A picture is decoded when its row is first
/// shown.
#[derive(Default)]
struct WorkPictures(HashMap<WorkId, Option<TextureHandle>>);

impl WorkPictures {
    fn picture_ui(&mut self, ui: &mut egui::Ui, work: &UnsavedWork, tint: Color32) {
        let (rect, response) = ui.allocate_exact_size(PICTURE_SIZE, Sense::hover());
        ui.painter().rect_filled(rect, CornerRadius::same(3), theme::BACKDROP);
        match self.texture(ui.ctx(), work) {
            Some(texture) => {
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                ui.painter().image(texture, rect, whole, tint);
            }
            None => {
                let (font, color) = (theme::small_font(), theme::TEXT_WEAK);
                ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "No picture", font, color);
            }
        }
        let label = format!("Picture of {}", work.summary.name);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
    }

    fn texture(&mut self, ctx: &egui::Context, work: &UnsavedWork) -> Option<TextureId> {
        let texture = self.0.entry(work.id).or_insert_with(|| {
            let picture = work.summary.picture.as_ref()?.decode()?;
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
            Some(ctx.load_texture(format!("unsaved work {}", work.id.0), pixels, TextureOptions::LINEAR))
        });
        texture.as_ref().map(TextureHandle::id)
    }
}

impl fmt::Debug for WorkPictures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

fn texts_ui(ui: &mut egui::Ui, work: &UnsavedWork, is_trashed: bool) {
    let color = if is_trashed { theme::TEXT_WEAK } else { theme::TEXT };
    ui.add(Label::new(RichText::new(text::shown(&work.summary.name)).strong().color(color)).truncate());
    let project = match &work.summary.project_file {
        Some(project) => text::shown(&project.display().to_string()).into_owned(),
        None => "not saved as a project".into(),
    };
    line_ui(ui, format!("Head {}, {project}", text::shown(&work.summary.head)));
    line_ui(ui, time_text(&work.summary, now_unix_secs()))
        .on_hover_text("When it was written, and the size of its file");
    if is_trashed {
        line_ui(ui, "In the trash".into());
    }
}

fn line_ui(ui: &mut egui::Ui, text: String) -> egui::Response {
    ui.add(Label::new(RichText::new(text).color(theme::TEXT_WEAK)).truncate())
}

fn time_text(work: &WorkSummary, now_unix_secs: u64) -> String {
    let exact = format!("{} UTC", date_and_time(work.written_unix_secs));
    let size = match work.bytes {
        bytes @ 0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        bytes => format!("{:.1} MB", bytes as f64 / 1e6),
    };
    match age_text(work.written_unix_secs, now_unix_secs) {
        Some(age) => format!("{age}, {exact}, {size}"),
        None => format!("{exact} by a clock that was wrong, {size}"),
    }
}

fn note_ui(ui: &mut egui::Ui, text: &str) {
    wrapped_ui(ui, text, theme::TEXT_WEAK);
    ui.add_space(theme::GAP_SMALL);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_in_words_and_exact_and_a_wrong_clock_is_named() {
        let work = |written_unix_secs, bytes| WorkSummary { written_unix_secs, bytes, ..WorkSummary::default() };
        let now = 1_795_333_568;
        assert_eq!(time_text(&work(now - 180, 14_200), now), "3 minutes ago, 2026-11-22 07:43:08 UTC, 15 kB");
        let wrong = time_text(&work(0, 2_500_000), now);
        assert_eq!(wrong, "1970-01-01 00:00:00 UTC by a clock that was wrong, 2.5 MB");
    }
}
