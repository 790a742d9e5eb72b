//! The Export page: what is written, with the settings that matter for it, what becomes of them, and the progress.

mod kinds;
mod pictures;
mod rows;
mod status;
mod words;

use std::sync::{Arc, Weak};

use egui::{Button, Label, RichText, vec2};

use smirk_editor::export::{ExportForecast, ExportKind, ExportRequest};
use smirk_editor::session::{Command, ComparedWith, Revision, Session};
use smirk_face::head::Head;

use super::theme;
use super::widgets::text;

use rows::choice_ui;
pub(super) use status::running_ui;
pub use status::{ExportStatus, ExportView};

/// What the Export page describes.
#[derive(Debug, Default)]
pub struct ExportPage {
    /// The request.
    pub request: ExportRequest,
    /// What will be written, and what that was told of, so that it is computed only when something changes.
    forecast: Option<(ForecastInputs, Result<ExportForecast, String>)>,
}

/// What a forecast depends on.
#[derive(Clone, Debug)]
struct ForecastInputs {
    request: ExportRequest,
    edits: Revision,
    compared_with: ComparedWith,
    /// The ends of what plays and of the timeline: the clips that play are no edits.
    ends_secs: [f32; 3],
    head: Weak<Head>,
}

impl ForecastInputs {
    fn of(session: &Session, request: &ExportRequest) -> Self {
        let (edits, compared_with) = (session.edits.revision(), session.compared_with);
        let [start, end] = session.range_secs();
        let ends_secs = [start, end, session.timeline_secs()];
        Self { request: *request, edits, compared_with, ends_secs, head: Arc::downgrade(&session.head) }
    }

    fn is_same(&self, other: &Self) -> bool {
        self.request == other.request
            && self.edits == other.edits
            && self.compared_with == other.compared_with
            && self.ends_secs == other.ends_secs
            && self.head.ptr_eq(&other.head)
    }
}

impl ExportPage {
    /// A page with a request.
    pub(super) fn new(request: ExportRequest) -> Self {
        Self { request, forecast: None }
    }

    fn forecast(&mut self, session: &Session) -> Result<ExportForecast, String> {
        let inputs = ForecastInputs::of(session, &self.request);
        match &self.forecast {
            Some((before, forecast)) if before.is_same(&inputs) => forecast.clone(),
            _ => {
                let forecast = ExportForecast::of(session, &self.request).map_err(|error| error.to_string());
                self.forecast = Some((inputs, forecast.clone()));
                forecast
            }
        }
    }
}

/// Shows the page.
pub(super) fn export_ui(
    ui: &mut egui::Ui,
    session: &Session,
    page: &mut ExportPage,
    view: &ExportView,
    commands: &mut Vec<Command>,
) {
    let request = &mut page.request;
    choice_ui(ui, "Export", &mut request.kind, &ExportKind::ALL, |kind| (kind.label().to_owned(), purpose(kind)));
    ui.add_space(theme::GAP);
    match request.kind {
        ExportKind::Animation => kinds::animation_ui(ui, session, request),
        ExportKind::Head => {
            ui.add(Label::new(RichText::new(purpose(ExportKind::Head)).color(theme::TEXT_WEAK)).wrap());
        }
        ExportKind::Mesh => kinds::mesh_ui(ui, session, request),
        ExportKind::Pictures => pictures::pictures_ui(ui, session, request),
        ExportKind::Film => pictures::film_ui(ui, session, request, view.ffmpeg.as_ref()),
        ExportKind::Sheet => kinds::sheet_ui(ui, request),
    }
    ui.add_space(theme::GAP);
    ui.separator();
    let forecast = page.forecast(session);
    forecast_ui(ui, session, &page.request, &forecast, view);
    let is_film_possible = page.request.kind != ExportKind::Film
        || !page.request.film.needs_ffmpeg()
        || matches!(view.ffmpeg, Some(Ok(_)));
    ui.add_space(theme::GAP_SMALL);
    let extent = vec2(ui.available_width(), theme::BAR_HEIGHT + theme::GAP_SMALL);
    let button = Button::new(RichText::new("Export…").strong()).fill(theme::ACCENT);
    let button = ui.add_enabled_ui(forecast.is_ok() && is_film_possible, |ui| ui.add_sized(extent, button)).inner;
    if button.on_hover_text("Choose where, and begin").clicked() {
        commands.push(Command::Export);
    }
    if let Some(running) = &view.running {
        ui.add_space(theme::GAP);
        running_ui(ui, running, commands);
    }
}

/// What will be written, or why nothing can be.
fn forecast_ui(
    ui: &mut egui::Ui,
    session: &Session,
    request: &ExportRequest,
    forecast: &Result<ExportForecast, String>,
    view: &ExportView,
) {
    let line = |ui: &mut egui::Ui, text: String, color| {
        if !text.is_empty() {
            ui.add(Label::new(RichText::new(text::shown_message(&text)).color(color)).wrap());
        }
    };
    match forecast {
        Ok(forecast) => {
            line(ui, words::forecast(request, forecast), theme::TEXT);
            line(ui, words::frames(request, forecast, session), theme::TEXT_WEAK);
            let time = match words::secs(forecast, view.megasamples_per_sec) {
                Some(secs) => format!("Takes {}", words::duration(secs)),
                None => "The time is told once the first pictures are drawn".to_owned(),
            };
            line(ui, time, theme::TEXT_WEAK);
        }
        Err(problem) => line(ui, problem.clone(), theme::WARNING),
    }
}

fn purpose(kind: ExportKind) -> &'static str {
    match kind {
        ExportKind::Animation => "What plays, as weights over time, for other programs",
        ExportKind::Head => "The head as one .glb, with imported shapes, skins, clips, materials, cameras and lights",
        ExportKind::Mesh => "The face as it is, as meshes without shapes; or its points over time",
        ExportKind::Pictures => "One picture, or one for each frame with its number in the name",
        ExportKind::Film => "What plays, as one file that moves",
        ExportKind::Sheet => "Many small pictures with their names on one sheet",
    }
}
