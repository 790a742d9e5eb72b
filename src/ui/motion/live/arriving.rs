//! What arrives, in plain words.

use std::time::{Instant, SystemTime};

use egui::RichText;

use super::listening::wrapped_ui;
use super::{LiveView, SILENT_AFTER};
use crate::motion::takes::names_ui;
use crate::theme;
use crate::widgets::text;
use smirk_base::date::clock_time;
use smirk_editor::session::Session;
use smirk_files::live::{LiveStatus, SenderStatus};

/// Shows the sender that is heard, and how many others send.
pub(super) fn arriving_ui(ui: &mut egui::Ui, session: &Session, view: &LiveView) {
    let Some(status) = &view.status else { return };
    match status.senders.iter().find(|sender| sender.is_heard) {
        Some(sender) => {
            sender_ui(ui, sender);
            if let (Some(map), Some(columns)) = (session.live_map(), session.live_columns()) {
                names_ui(ui, "unmapped name", &map.unmapped_names(columns.iter().map(String::as_str)));
            }
        }
        None => {
            ui.weak("Nothing arrives yet. Let the app send to the address above.");
        }
    }
    others_ui(ui, status);
}

fn sender_ui(ui: &mut egui::Ui, sender: &SenderStatus) {
    let now = Instant::now();
    let age = sender.age(now);
    let is_silent = age.is_none_or(|age| age > SILENT_AFTER);
    let subject = if sender.id.subject.is_empty() { "A sender" } else { &sender.id.subject };
    let name = format!("{} · {}", text::shown(subject), sender.id.protocol.name());
    let (mark, color) = match () {
        () if is_silent => ("silent", theme::ERROR),
        () if !sender.is_tracked => ("no face", theme::WARNING),
        () => ("live", theme::GOOD),
    };
    ui.horizontal(|ui| {
        ui.colored_label(color, RichText::new(mark).strong());
        ui.add(egui::Label::new(name).truncate()).on_hover_text(sender.id.address.to_string());
    });
    let numbers = match age {
        None => "no frame yet".to_owned(),
        Some(age) if is_silent => {
            let last = SystemTime::now().checked_sub(age).map_or_else(String::new, clock_time);
            format!("silent since {last}, after {}", text::counted(sender.frames as usize, "frame"))
        }
        Some(age) => format!(
            "{:.0} frames per second, {:.1} % lost, last {} ms ago",
            sender.frames_per_sec,
            100.0 * sender.loss(),
            age.as_millis()
        ),
    };
    wrapped_ui(ui, RichText::new(numbers).color(theme::TEXT_WEAK));
    if !is_silent && !sender.is_tracked {
        wrapped_ui(ui, RichText::new("The app sees no face: it is held, then fades to neutral.").color(theme::WARNING));
    }
}

/// Those who are not heard, and packets that were refused.
fn others_ui(ui: &mut egui::Ui, status: &LiveStatus) {
    let others = status.senders.iter().filter(|sender| !sender.is_heard && sender.frames > 0).count();
    if others > 0 {
        let verb = if others == 1 { "sends" } else { "send" };
        let line = format!(
            "{} {verb} too and {} not heard",
            text::counted(others, "other"),
            if others == 1 { "is" } else { "are" }
        );
        wrapped_ui(ui, RichText::new(line).color(theme::TEXT_WEAK));
    }
    let refused: u64 = status.senders.iter().map(|sender| sender.refused_packets).sum();
    let last = status.senders.iter().filter_map(|sender| sender.last_refusal.as_ref()).next_back();
    if let Some(last) = last.filter(|_| refused > 0) {
        let line = format!("{} refused: {}", text::counted(refused as usize, "packet"), last);
        wrapped_ui(ui, RichText::new(text::shown_message(&line)).color(theme::WARNING));
    }
}
