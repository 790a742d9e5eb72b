//! A row of the list of unsaved work: picture, name, head, project, time and size, and what can be done with it.

use egui::{Align, Color32, CornerRadius, Frame, Label, Layout, Margin, Rect, RichText, Sense, Vec2, pos2, vec2};

use crate::theme;
use crate::widgets::text;
use smirk_base::date::{age_text, date_and_time, now_unix_secs};
use smirk_editor::document::{UnsavedWork, WorkPlace};
use smirk_editor::session::{Command, WorkCommand};

use super::state::{Question, WorkList};

const PICTURE_SIZE: Vec2 = vec2(96.0, 72.0);
/// The room for the buttons, so that the texts of all rows end at the same place.
const BUTTONS_WIDTH: f32 = 220.0;

/// Shows a row.
pub(super) fn row_ui(ui: &mut egui::Ui, list: &mut WorkList, work: &UnsavedWork, commands: &mut Vec<Command>) {
    let is_trashed = work.place == WorkPlace::Trash && !list.is_in_trash_section(work);
    let frame = Frame::new().fill(theme::PANEL).corner_radius(theme::ROUNDING).inner_margin(Margin::same(8));
    frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            let tint = if is_trashed { theme::PICTURE_IN_TRASH } else { Color32::WHITE };
            picture_ui(ui, list, work, tint);
            let width = (ui.available_width() - BUTTONS_WIDTH).max(120.0);
            ui.allocate_ui_with_layout(vec2(width, PICTURE_SIZE.y), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                texts_ui(ui, work, is_trashed);
            });
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| buttons_ui(ui, list, work, commands));
        });
    });
}

fn picture_ui(ui: &mut egui::Ui, list: &mut WorkList, work: &UnsavedWork, tint: Color32) {
    let (rect, response) = ui.allocate_exact_size(PICTURE_SIZE, Sense::hover());
    ui.painter().rect_filled(rect, CornerRadius::same(3), theme::BACKDROP);
    match list.pictures.texture(ui.ctx(), work) {
        Some(texture) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture, rect, whole, tint);
        }
        None => {
            let (font, color) = (theme::small_font(), theme::TEXT_WEAK);
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, "No picture", font, color);
        }
    }
    let label = format!("Picture of {}", work.name);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &label));
}

fn texts_ui(ui: &mut egui::Ui, work: &UnsavedWork, is_trashed: bool) {
    let color = if is_trashed { theme::TEXT_WEAK } else { theme::TEXT };
    ui.add(Label::new(RichText::new(text::shown(&work.name)).strong().color(color)).truncate());
    let weak = |text: String| Label::new(RichText::new(text).color(theme::TEXT_WEAK)).truncate();
    let project = match &work.project {
        Some(project) => text::shown(&project.display().to_string()).into_owned(),
        None => "not saved as a project".into(),
    };
    ui.add(weak(format!("Head {}, {project}", text::shown(&work.head))));
    ui.add(weak(time_text(work, now_unix_secs()))).on_hover_text("When it was written, and the size of its file");
    match &work.place {
        WorkPlace::Uncertain(owner) => {
            let text = format!("May be open in another window: {}", text::shown(owner));
            ui.add(Label::new(RichText::new(text).color(theme::WARNING)).truncate());
        }
        WorkPlace::Trash if is_trashed => {
            ui.add(weak("In the trash".into()));
        }
        WorkPlace::Offered | WorkPlace::Trash => {}
    }
}

/// The time in words and exactly, and the size.
fn time_text(work: &UnsavedWork, now_unix_secs: u64) -> String {
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

/// The buttons from right to left. The one that confirms is never where the one before it was.
fn buttons_ui(ui: &mut egui::Ui, list: &mut WorkList, work: &UnsavedWork, commands: &mut Vec<Command>) {
    let (id, in_trash) = (work.id, list.is_in_trash_section(work));
    let question = match &work.place {
        WorkPlace::Uncertain(_) => Question::TakeOver(id),
        WorkPlace::Offered | WorkPlace::Trash => Question::Delete(id),
    };
    if list.question == Some(question) {
        let (text, command) = match question {
            Question::TakeOver(_) => (RichText::new("It is closed, take over"), WorkCommand::TakeOver(id)),
            Question::Delete(_) | Question::EmptyTrash => {
                (RichText::new("Delete for good").color(theme::ERROR), WorkCommand::Delete(id))
            }
        };
        if ui.button("Keep").clicked() {
            list.question = None;
        }
        if ui.button(text).clicked() {
            list.question = None;
            commands.push(Command::Work(command));
        }
        return;
    }
    let buttons: &[(&str, Option<WorkCommand>)] = match &work.place {
        WorkPlace::Uncertain(_) => &[("Take over…", None)],
        WorkPlace::Offered => {
            &[("Move to trash", Some(WorkCommand::Trash(id))), ("Restore", Some(WorkCommand::Restore(id)))]
        }
        WorkPlace::Trash if in_trash => &[("Delete…", None), ("Restore", Some(WorkCommand::Restore(id)))],
        WorkPlace::Trash => &[("Put back", Some(WorkCommand::PutBack(id)))],
    };
    for (text, command) in buttons {
        let button = ui.button(*text);
        match command {
            Some(command) if button.clicked() => commands.push(Command::Work(*command)),
            None if button.clicked() => list.question = Some(question),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_editor::session::WorkId;

    #[test]
    fn the_time_is_in_words_and_exact_and_a_wrong_clock_is_named() {
        let work = |written_unix_secs, bytes| UnsavedWork {
            id: WorkId(1),
            name: "ada".into(),
            head: "ada".into(),
            project: None,
            written_unix_secs,
            bytes,
            picture: None,
            place: WorkPlace::Offered,
        };
        let now = 1_795_333_568;
        assert_eq!(time_text(&work(now - 180, 14_200), now), "3 minutes ago, 2026-11-22 07:43:08 UTC, 15 kB");
        let wrong = time_text(&work(0, 2_500_000), now);
        assert_eq!(wrong, "1970-01-01 00:00:00 UTC by a clock that was wrong, 2.5 MB");
    }
}
