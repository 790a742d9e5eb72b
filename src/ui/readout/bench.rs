//! The last section of the Readout page: the measured times of every blend mode.

use egui::{Align, Color32, Label, Layout, RichText, vec2};

use crate::command::Command;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{WorkAction, WorkTexts, text, work_ui, wrapped_ui};
use smirk_base::job::JobStatus;
use smirk_editor::bench::{Report, Row, row_text};
use smirk_scene::BlendMode;

use super::bench_plot::{bench_plot_ui, short_label};

const ROW_HEIGHT: f32 = 18.0;
/// Width of the column with the number of active channels.
const AMOUNT_WIDTH: f32 = 40.0;

pub(super) fn bench_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let measuring = &cx.readings.readout.measuring;
    let has_just_ended = has_just_ended(ui, measuring);
    let action = work_ui(ui, measuring, &TEXTS, |ui, report| {
        let shown = ui.scope(|ui| report_ui(ui, report)).response;
        if has_just_ended {
            shown.scroll_to_me(Some(Align::Min));
        }
    });
    cx.commands.extend(action.map(|action| match action {
        WorkAction::Begin => Command::MeasureModes,
        WorkAction::Cancel => Command::CancelMeasuring,
    }));
}

const TEXTS: WorkTexts = WorkTexts {
    begin: "Measure modes…",
    again: "Measure again",
    not_done: "Not measured yet.",
    about: "Measure every blend mode on this head, with 1 to all channels active. Takes a while; pause playback for exact times",
};

/// Whether the measurement has ended since the last frame. Its results are then scrolled into view.
fn has_just_ended(ui: &egui::Ui, measuring: &JobStatus<Report>) -> bool {
    let is_busy = matches!(measuring, JobStatus::Busy { .. });
    ui.data_mut(|data| {
        let was_busy = data.get_temp_mut_or_default::<bool>(ui.scope_id().with("is busy"));
        std::mem::replace(was_busy, is_busy) && !is_busy
    })
}

fn report_ui(ui: &mut egui::Ui, report: &Report) {
    let layout = report.head.layouts.first().map_or("", |facts| facts.layout.label());
    ui.add(
        Label::new(RichText::new(format!("{} · {layout}", text::shown(&report.head.name))).color(theme::TEXT_WEAK))
            .truncate(),
    );
    ui.weak("Milliseconds to blend, by active channels");
    ui.add_space(theme::GAP_SMALL);
    let series: Vec<(BlendMode, Vec<&Row>)> = BlendMode::ALL
        .iter()
        .map(|&mode| (mode, fastest_rows(report, mode)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    bench_plot_ui(ui, &series);
    ui.add_space(theme::GAP_SMALL);
    times_ui(ui, &series);
    paper_ratios_ui(ui, report);
    for note in &report.notes {
        ui.add_space(theme::GAP_SMALL);
        wrapped_ui(ui, note, theme::TEXT_WEAK);
    }
}

/// The rows of a mode by active channels. For the CPU mode, these are the rows with all threads, as the window uses
/// them.
fn fastest_rows(report: &Report, mode: BlendMode) -> Vec<&Row> {
    let rows = report.full_rows().filter(|row| row.mode == mode);
    rows.filter(|row| row.threads.is_none_or(|threads| threads == report.threads)).collect()
}

/// A table with a column per mode. The headings have the modes' colours and serve as the plot's legend.
fn times_ui(ui: &mut egui::Ui, series: &[(BlendMode, Vec<&Row>)]) {
    let headings = series.iter().map(|(mode, _)| (short_label(*mode).to_owned(), theme::mode_color(*mode)));
    let widths: Vec<f32> = series.iter().map(|(mode, _)| short_label(*mode).len() as f32 + 3.0).collect();
    row_ui(ui, "Active", &widths, headings);
    let Some((_, rows)) = series.first() else { return };
    for row in rows {
        let cells = series.iter().map(|(_, rows)| {
            let measured = rows.iter().find(|other| other.active == row.active);
            (measured.map_or("–".into(), |row| row_text(row)), theme::TEXT)
        });
        row_ui(ui, &row.active.to_string(), &widths, cells);
    }
}

fn paper_ratios_ui(ui: &mut egui::Ui, report: &Report) {
    if report.paper.values().all(|ratio| ratio.measured.is_none()) {
        return;
    }
    ui.add_space(theme::GAP);
    let headings = ["blend", "with draw", "GPU Gems"].map(|text| (text.to_owned(), theme::TEXT_WEAK));
    ui.label("Multi-pass ÷ vertex shader").on_hover_text(
        "Paper: GPU Gems 3, chapter 3, GeForce 8800 (2007). Above 1 the vertex shader is faster. Software adapters run vertex \
         shaders on one thread and compute shaders on all.",
    );
    row_ui(ui, "Active", &[1.0; 3], headings);
    let mut ratios: Vec<_> = report.paper.iter().collect();
    ratios.sort_by_key(|(active, _)| active.parse::<usize>().unwrap_or(usize::MAX));
    for (active, ratio) in ratios {
        let cells = [
            (ratio.measured, theme::TEXT),
            (ratio.measured_with_draw, theme::TEXT),
            (Some(ratio.paper), theme::TEXT_WEAK),
        ];
        let cells = cells.map(|(ratio, color)| (ratio.map_or("–".into(), |ratio| format!("{ratio:.2}")), color));
        row_ui(ui, active, &[1.0; 3], cells);
    }
}

/// A row of right-aligned cells with the given relative widths.
fn row_ui(ui: &mut egui::Ui, name: &str, widths: &[f32], cells: impl IntoIterator<Item = (String, Color32)>) {
    let unit = (ui.available_width() - AMOUNT_WIDTH) / widths.iter().sum::<f32>();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let name = (AMOUNT_WIDTH, Layout::left_to_right(Align::Center), (name.to_owned(), theme::TEXT_WEAK));
        let cells = widths.iter().map(|width| (width * unit, Layout::right_to_left(Align::Center))).zip(cells);
        let cells = cells.map(|((width, layout), cell)| (width, layout, cell));
        for (width, layout, (text, color)) in std::iter::once(name).chain(cells) {
            ui.allocate_ui_with_layout(vec2(width, ROW_HEIGHT), layout, |ui| {
                ui.set_min_width(width);
                ui.label(RichText::new(text).font(theme::small_font()).color(color));
            });
        }
    });
}
