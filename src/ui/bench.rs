//! The Readout page's last section: what every blend mode costs on this head, measured when asked.

use egui::{Align, Color32, Label, Layout, RichText, vec2};

use super::{bench_plot, theme};
use crate::bench::{Report, Row};
use crate::blend::BlendMode;
use crate::readout::Measuring;
use crate::session::Command;

/// Height of a line of figures.
const LINE: f32 = 18.0;
/// Width of the column that says how many are active.
const AMOUNT_WIDTH: f32 = 44.0;

/// The button, progress, or what was found.
pub fn bench_ui(ui: &mut egui::Ui, measuring: &Measuring, commands: &mut Vec<Command>) {
    match measuring {
        Measuring::Busy { stage, fraction, is_stopping } => {
            return busy_ui(ui, stage, *fraction, *is_stopping, commands);
        }
        Measuring::Idle => {
            button_ui(ui, "Measure modes…", commands);
            ui.add_space(theme::GAP_SMALL);
            ui.weak("Not measured yet.");
        }
        Measuring::Failed(message) => {
            button_ui(ui, "Measure modes…", commands);
            ui.add_space(theme::GAP_SMALL);
            ui.add(Label::new(RichText::new(message).color(theme::ERROR)).wrap());
        }
        Measuring::Done(report) => {
            report_ui(ui, report);
            ui.add_space(theme::GAP);
            button_ui(ui, "Measure again", commands);
        }
    }
}

fn button_ui(ui: &mut egui::Ui, text: &str, commands: &mut Vec<Command>) {
    let button = egui::Button::new(text).min_size(vec2(0.0, theme::BAR_HEIGHT));
    if ui
        .add(button)
        .on_hover_text("Time every blend mode on this head, with 1 to all channels active; takes a while")
        .clicked()
    {
        commands.push(Command::MeasureModes);
    }
}

fn busy_ui(ui: &mut egui::Ui, stage: &str, fraction: f32, is_stopping: bool, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let button = egui::Button::new("Cancel").min_size(vec2(0.0, theme::BAR_HEIGHT));
            if ui.add_enabled(!is_stopping, button).clicked() {
                commands.push(Command::CancelMeasuring);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                ui.add(Label::new(if is_stopping { "Stopping" } else { stage }).truncate());
            });
        });
    });
    ui.add_space(theme::GAP_SMALL);
    let (_, rail) = ui.allocate_space(vec2(ui.available_width(), 4.0));
    ui.painter().rect_filled(rail, 2.0, theme::WELL_HOVERED);
    let done = rail.with_max_x(egui::lerp(rail.x_range(), fraction.clamp(0.0, 1.0)));
    ui.painter().rect_filled(done, 2.0, theme::ACCENT_BRIGHT);
}

fn report_ui(ui: &mut egui::Ui, report: &Report) {
    let layout = report.head.layouts.first().map_or("", |facts| facts.layout.label());
    ui.add(Label::new(RichText::new(format!("{} · {layout}", report.head.name)).color(theme::TEXT_WEAK)).truncate());
    ui.weak("Milliseconds to blend, by active channels");
    ui.add_space(theme::GAP_SMALL);
    let lines: Vec<(BlendMode, Vec<&Row>)> = BlendMode::ALL
        .into_iter()
        .map(|mode| (mode, fastest_rows(report, mode)))
        .filter(|(_, rows)| !rows.is_empty())
        .collect();
    bench_plot::bench_plot_ui(ui, &lines);
    ui.add_space(theme::GAP_SMALL);
    times_ui(ui, &lines);
    paper_ui(ui, report);
    for note in &report.notes {
        ui.add_space(theme::GAP_SMALL);
        ui.add(Label::new(RichText::new(note).color(theme::TEXT_WEAK)).wrap());
    }
}

/// Of a mode, by active channels; the processor's with all threads, as the window uses it.
fn fastest_rows(report: &Report, mode: BlendMode) -> Vec<&Row> {
    let all_threads = |row: &&Row| row.threads.is_none_or(|threads| threads == report.threads);
    report.full_rows().filter(|row| row.mode == mode).filter(all_threads).collect()
}

/// A column per mode under its colour, which makes it the plot's legend.
fn times_ui(ui: &mut egui::Ui, lines: &[(BlendMode, Vec<&Row>)]) {
    let heads = lines.iter().map(|(mode, _)| (short_label(*mode).to_owned(), theme::mode_color(*mode)));
    row_ui(ui, ("Active", theme::TEXT_WEAK), heads);
    let Some((_, rows)) = lines.first() else { return };
    for row in rows {
        let ms = |rows: &[&Row]| rows.iter().find(|other| other.active == row.active).map(|row| row.ms_min);
        let cells =
            lines.iter().map(|(_, rows)| (ms(rows).map_or_else(|| "–".into(), crate::bench::ms_text), theme::TEXT));
        row_ui(ui, (&row.active.to_string(), theme::TEXT_WEAK), cells);
    }
}

fn paper_ui(ui: &mut egui::Ui, report: &Report) {
    if report.paper.values().all(|ratio| ratio.measured.is_none()) {
        return;
    }
    ui.add_space(theme::GAP);
    let head = ["blend", "and draw", "paper"].map(|text| (text.to_owned(), theme::TEXT_WEAK));
    ui.label("Multi-pass ÷ vertex shader").on_hover_text(
        "GPU Gems 3, chapter 3, on a GeForce 8800 of 2007. Above 1 the vertex shader is ahead. A software adapter runs its \
         vertex stage on one thread and compute passes on all.",
    );
    row_ui(ui, ("Active", theme::TEXT_WEAK), head);
    let mut ratios: Vec<_> = report.paper.iter().collect();
    ratios.sort_by_key(|(active, _)| active.parse::<usize>().unwrap_or(usize::MAX));
    for (active, ratio) in ratios {
        let number = |ratio: Option<f64>| ratio.map_or_else(|| "–".into(), |ratio| format!("{ratio:.2}"));
        let cells = [
            (number(ratio.measured), theme::TEXT),
            (number(ratio.measured_with_draw), theme::TEXT),
            (number(Some(ratio.paper)), theme::TEXT_WEAK),
        ];
        row_ui(ui, (active, theme::TEXT_WEAK), cells);
    }
}

/// A line of right-aligned cells of equal width.
fn row_ui(ui: &mut egui::Ui, (name, color): (&str, Color32), cells: impl IntoIterator<Item = (String, Color32)>) {
    let cells: Vec<_> = cells.into_iter().collect();
    let width = (ui.available_width() - AMOUNT_WIDTH) / cells.len().max(1) as f32;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        let left = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(vec2(AMOUNT_WIDTH, LINE), left, |ui| {
            ui.set_min_width(AMOUNT_WIDTH);
            ui.label(RichText::new(name).font(theme::small_font()).color(color));
        });
        for (text, color) in cells {
            ui.allocate_ui_with_layout(vec2(width, LINE), Layout::right_to_left(Align::Center), |ui| {
                ui.set_min_width(width);
                ui.label(RichText::new(text).font(theme::small_font()).color(color));
            });
        }
    });
}

/// A mode's name where there is little room.
pub fn short_label(mode: BlendMode) -> &'static str {
    match mode {
        BlendMode::Vertex => "Vertex",
        mode => mode.label(),
    }
}
