//! The Export page: the kind of export, its settings, a forecast of what will be written, and the progress.

mod film;
mod kinds;
mod pictures;
mod words;

use std::sync::Arc;

use egui::{Button, RichText, vec2};

use smirk_export::{ExportError, ExportForecast, ExportKind, ExportRequest};
use smirk_face::head::HeadId;
use smirk_session::{ComparedWith, Revision, Session};

use crate::command::Command;
use crate::context::PanelContext;
use crate::readings::ExportStatus;
use crate::theme;
use crate::widgets::{CancelButton, Choice, progress_ui, text, wrapped_ui};

const WIDE: f32 = 160.0;

#[derive(Debug, Default)]
pub(crate) struct ExportPage {
    /// The forecast of what will be written, and its input: it is computed only when that changes.
    forecast: Option<(ForecastInputs, Forecast)>,
}

type Forecast = Result<ExportForecast, Arc<ExportError>>;

#[derive(Clone, Debug, PartialEq)]
struct ForecastInputs {
    request: ExportRequest,
    edits: Revision,
    compared_with: ComparedWith,
    /// Whether there is something to compare with: a version that is compared is no edit.
    has_b: bool,
    /// The ends of what plays and of the timeline: the clips that play are no edits.
    ends_secs: [f32; 3],
    head: HeadId,
}

impl ForecastInputs {
    fn new(session: &Session, request: &ExportRequest) -> Self {
        let (edits, compared_with) = (session.edits.revision(), session.compared_with);
        let [start, end] = session.range_secs();
        let ends_secs = [start, end, session.timeline_secs()];
        let (has_b, head) = (session.b().exists(), HeadId::new(&session.head));
        Self { request: *request, edits, compared_with, has_b, ends_secs, head }
    }
}

impl ExportPage {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        choice("Export")
            .row_ui(ui, &mut cx.state.export.kind, ExportKind::ALL, |kind| (kind.label().into(), kind.purpose()));
        ui.add_space(theme::GAP);
        match cx.state.export.kind {
            ExportKind::Animation => kinds::animation_ui(ui, cx),
            ExportKind::Head => {
                wrapped_ui(ui, ExportKind::Head.purpose(), theme::TEXT_WEAK);
                kinds::head_ui(ui, cx);
            }
            ExportKind::Mesh => kinds::mesh_ui(ui, cx),
            ExportKind::Pictures => pictures::pictures_ui(ui, cx),
            ExportKind::Film => film::film_ui(ui, cx),
            ExportKind::Sheet => kinds::sheet_ui(ui, cx),
        }
        ui.add_space(theme::GAP);
        ui.separator();
        let request = cx.state.export;
        let forecast = self.forecast(cx.session, &request);
        forecast_ui(ui, cx, &forecast);
        let is_possible = request.film_of_ffmpeg().is_none() || matches!(cx.readings.export.ffmpeg, Some(Ok(_)));
        ui.add_space(theme::GAP_SMALL);
        let extent = vec2(ui.available_width(), theme::BAR_HEIGHT + theme::GAP_SMALL);
        let button = Button::new(RichText::new("Export…").strong()).fill(theme::ACCENT);
        let button = ui.add_enabled_ui(forecast.is_ok() && is_possible, |ui| ui.add_sized(extent, button)).inner;
        if button.on_hover_text("Choose where, and begin").clicked() {
            cx.commands.push(Command::Export(request));
        }
        if let Some(running) = &cx.readings.export.running {
            ui.add_space(theme::GAP);
            running_ui(ui, running, cx);
        }
    }

    fn forecast(&mut self, session: &Session, request: &ExportRequest) -> Forecast {
        let inputs = ForecastInputs::new(session, request);
        self.forecast.take_if(|(before, _)| *before != inputs);
        let forecast = self.forecast.get_or_insert_with(|| {
            let forecast = ExportForecast::new(session, request);
            (inputs, forecast.map_err(Arc::new))
        });
        forecast.1.clone()
    }
}

/// A list of this page, whose tooltip explains what is chosen.
fn choice(name: &str) -> Choice<'_> {
    Choice { width: WIDE, ..Choice::new(name, "") }
}

fn forecast_ui(ui: &mut egui::Ui, cx: &PanelContext<'_>, forecast: &Forecast) {
    let request = &cx.state.export;
    let lines = match forecast {
        Ok(forecast) => {
            let time = match words::secs(forecast, cx.readings.export.megasamples_per_sec) {
                Some(secs) => format!("Takes {}", words::duration(secs)),
                None => "The time is told once the first pictures are drawn".to_owned(),
            };
            vec![
                (words::forecast(request, forecast), theme::TEXT),
                (words::frames(request, forecast, cx.session), theme::TEXT_WEAK),
                (time, theme::TEXT_WEAK),
            ]
        }
        Err(problem) => vec![(problem.to_string(), theme::WARNING)],
    };
    for (line, color) in lines.into_iter().filter(|(line, _)| !line.is_empty()) {
        wrapped_ui(ui, text::shown_message(&line), color);
    }
}

pub(crate) fn running_ui(ui: &mut egui::Ui, status: &ExportStatus, cx: &mut PanelContext<'_>) {
    let mut step = status.kind.label().to_owned();
    if !status.stage.is_empty() {
        step += &format!(": {}", status.stage);
    }
    let cancel = if status.is_cancelled { CancelButton::Pressed } else { CancelButton::Enabled };
    if progress_ui(ui, &step, status.fraction, cancel) {
        cx.commands.push(Command::CancelExport);
    }
    let left = status.secs_left.map(|secs| format!("{} left", words::duration(secs)));
    let waiting = (status.waiting > 0).then(|| text::counted(status.waiting, "more export"));
    let facts: Vec<String> = left.into_iter().chain(waiting).collect();
    if !facts.is_empty() {
        ui.weak(facts.join(" · "));
    }
}
