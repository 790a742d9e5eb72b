//! What the Export page shows besides its request, and the progress of an export.

use crate::widgets::{CancelButton, progress_ui, text};
use smirk_editor::export::ExportKind;
use smirk_editor::session::Command;

use super::words;

/// What the Export page shows besides its request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportView {
    /// The export that is running; the first, if there are several.
    pub running: Option<ExportStatus>,
    /// The version of the ffmpeg for the format that the page shows, or why there is none; `None` while it is not known.
    pub ffmpeg: Option<Result<String, String>>,
    /// How many millions of samples of pixels were drawn in a second by the last export, if there was any.
    pub megasamples_per_sec: Option<f64>,
}

/// The progress of an export.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportStatus {
    /// What is exported.
    pub kind: ExportKind,
    /// The step it is at, in a few words; empty before the first.
    pub stage: String,
    /// From 0 to 1.
    pub fraction: f32,
    /// About how long it still takes, if that is known.
    pub secs_left: Option<f64>,
    /// The number of exports besides this one.
    pub waiting: usize,
    /// Whether it was cancelled and is finishing its current step.
    pub is_cancelled: bool,
}

/// Shows the progress of an export, with a button that cancels it.
pub(crate) fn running_ui(ui: &mut egui::Ui, status: &ExportStatus, commands: &mut Vec<Command>) {
    let mut step = status.kind.label().to_owned();
    if !status.stage.is_empty() {
        step += &format!(": {}", status.stage);
    }
    let cancel = if status.is_cancelled { CancelButton::Pressed } else { CancelButton::Enabled };
    if progress_ui(ui, &step, status.fraction, cancel) {
        commands.push(Command::CancelExport);
    }
    let left = status.secs_left.map(|secs| format!("{} left", words::duration(secs)));
    let waiting = (status.waiting > 0).then(|| text::counted(status.waiting, "more export"));
    let facts: Vec<String> = left.into_iter().chain(waiting).collect();
    if !facts.is_empty() {
        ui.weak(facts.join(" · "));
    }
}
