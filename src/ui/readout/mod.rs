//! The Readout page: size of the head, memory, times and accuracy.

mod bench;
mod bench_plot;

use smirk_scene::Quality;
use smirk_session::Session;

use crate::command::Command;
use crate::context::PanelContext;
use crate::readings::ErrorReading;
use crate::theme;

pub(crate) fn readout_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let (session, readout) = (&*cx.session, cx.readings.readout);
    let head = &session.head;
    // Rows of text are less high than rows of controls.
    ui.spacing_mut().interact_size.y = 18.0;
    section_ui(ui, "Adapter", |ui| {
        ui.label(&readout.adapter);
        if readout.is_software {
            ui.colored_label(theme::WARNING, "Software rendering on the CPU");
        }
    });
    section_ui(ui, "Head", |ui| {
        fact_ui(ui, "Vertices", &thousands(head.vertex_count() as u64));
        fact_ui(ui, "Triangles", &thousands(head.triangle_count() as u64));
        fact_ui(ui, "Targets", &thousands(head.target_count() as u64));
        fact_ui(
            ui,
            "Active targets",
            &thousands(session.weights().iter().filter(|&&weight| weight != 0.0).count() as u64),
        );
        fact_ui(ui, "Normals", &normals_source(session));
    });
    section_ui(ui, "Memory for blending", |ui| {
        let memory = &readout.memory;
        fact_ui(ui, "Deltas", &mebibytes(memory.delta_bytes));
        fact_ui(ui, "Format", memory.precision.label());
        fact_ui(ui, "Total, RAM", &mebibytes(memory.cpu_bytes));
        fact_ui(ui, "Total, GPU", &mebibytes(memory.gpu_bytes));
    });
    section_ui(ui, "Time", |ui| {
        fact_ui(ui, "Frame", &readout.frame_text().unwrap_or_else(|| "idle".into()));
        fact_ui(ui, &format!("Blend, {}", session.mode.label()), &readout.blend_text(session.mode));
        fact_ui(ui, "Draw", &readout.draw_ms.map_or_else(|| "–".into(), |ms| format!("{ms:.2} ms")));
        fact_ui(ui, "Quality", &quality(readout.quality));
    });
    section_ui(ui, "Accuracy", |ui| {
        let button = egui::Button::new("Measure error").min_size(egui::vec2(0.0, theme::BAR_HEIGHT));
        if ui.add(button).on_hover_text("Compare the current mode with a 64-bit reference").clicked() {
            cx.commands.push(Command::MeasureError);
        }
        ui.add_space(theme::GAP_SMALL);
        error_ui(ui, readout.error.as_ref());
    });
    section_ui(ui, "Blend modes", |ui| bench::bench_ui(ui, cx));
}

/// What was measured. The rows are there before, so that nothing below them moves.
fn error_ui(ui: &mut egui::Ui, error: Option<&ErrorReading>) {
    let fact = |of: fn(&ErrorReading) -> String| error.map_or_else(|| "?".to_owned(), of);
    fact_ui(ui, "Max position error", &fact(|error| length(error.max_distance)));
    fact_ui(ui, "Head size", &fact(|error| length(error.head_size)));
    fact_ui(ui, "Max normal error", &fact(|error| format!("{:.4}°", error.max_normal_degrees)));
    let of = error.map(|error| format!("{}, for the pose of then.", error.mode.label()));
    ui.weak(of.unwrap_or_else(|| "Not measured yet.".to_owned()));
}

fn section_ui(ui: &mut egui::Ui, name: &str, content: impl FnOnce(&mut egui::Ui)) {
    ui.strong(name);
    ui.add_space(theme::GAP_SMALL);
    content(ui);
    ui.add_space(theme::GAP_LARGE);
}

fn fact_ui(ui: &mut egui::Ui, name: &str, value: &str) {
    ui.horizontal(|ui| {
        ui.colored_label(theme::TEXT_WEAK, name);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.monospace(value);
        });
    });
}

fn quality(quality: Quality) -> String {
    let samples = if quality.msaa == 1 { "1 sample".into() } else { format!("{} samples", quality.msaa) };
    if quality.samples > 0 {
        format!("{} samples, refined", quality.samples)
    } else if quality == Quality::FULL {
        format!("{samples}, full size")
    } else {
        format!("{samples}, {:.0} % size", quality.scale * 100.0)
    }
}

fn normals_source(session: &Session) -> String {
    let (normals, meshes) = (session.edits.look.normals, &session.head.meshes);
    match (meshes.iter().filter(|mesh| normals.recomputes(mesh)).count(), meshes.len()) {
        (0, _) => "from the file".into(),
        (recomputed, all) if recomputed == all => "recomputed".into(),
        (recomputed, all) => format!("recomputed ({recomputed} of {all} meshes)"),
    }
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

/// A length in a unit that leaves at most three digits before the decimal point.
fn length(metres: f64) -> String {
    match metres.abs() {
        small if small < 1e-3 => format!("{:.3} µm", metres * 1e6),
        small if small < 1.0 => format!("{:.1} mm", metres * 1e3),
        _ => format!("{metres:.2} m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_have_units() {
        assert_eq!(
            (thousands(7).as_str(), thousands(26719).as_str(), thousands(1_234_567).as_str()),
            ("7", "26 719", "1 234 567")
        );
        assert_eq!(
            (length(1.2e-8).as_str(), length(0.23).as_str(), length(1.8).as_str()),
            ("0.012 µm", "230.0 mm", "1.80 m")
        );
        assert_eq!(quality(Quality { msaa: 1, scale: 0.6, samples: 0 }), "1 sample, 60 % size");
        assert_eq!(quality(Quality::refined(16)), "16 samples, refined");
    }
}
