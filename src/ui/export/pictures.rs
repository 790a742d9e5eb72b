//! The settings of pictures, and of what films show.

use egui::{Align, Checkbox, DragValue, Layout, Slider, vec2};

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{Number, NumberField, checkbox_ui, row_ui};
use smirk_export::{ExportRequest, PictureFormat, PictureSettings, TwoFaces};

use super::choice;
use super::kinds::{existing_ui, frames_ui, turn_ui};

pub(super) fn pictures_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    choice("Format").row_ui(ui, &mut cx.state.export.picture, PictureFormat::ALL, |format| {
        let about = match format {
            PictureFormat::Png => "What the screen shows, 8 bits a channel",
            PictureFormat::Exr => "Linear light before tone mapping, 16-bit floats, for compositing",
        };
        (format.label().into(), about)
    });
    frames_ui(ui, cx);
    look_ui(ui, cx);
    existing_ui(ui, cx);
}

pub(super) fn look_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let request = &mut cx.state.export;
    size_ui(ui, &mut request.size);
    let (name, tip) =
        ("Samples", "Samples of each pixel for soft shadows and smooth edges; with 0, as while the head moves");
    let value = DragValue::new(&mut request.samples).range(0..=ExportRequest::MOST_SAMPLES).speed(0.2);
    Number { label: name, name, tip, width: 64.0 }.row_ui(ui, value);
    // Only a transparency that was chosen for another format can be taken back.
    ui.add_enabled_ui(request.can_be_transparent() || request.is_transparent, |ui| {
        checkbox_ui(ui, &mut request.is_transparent, "Transparent background")
            .on_disabled_hover_text("This format cannot be transparent");
    });
    turn_ui(ui, request);
    compared_ui(ui, cx);
    let request = &mut cx.state.export;
    ui.add_enabled_ui(cx.session.edits.reference.is_some() || request.with_reference, |ui| {
        checkbox_ui(ui, &mut request.with_reference, "With the reference")
            .on_hover_text("Beside the face or over it, as the window shows it; beside it, all of the image")
            .on_disabled_hover_text("No reference is open: choose File › Open reference…");
    });
    ui.horizontal(|ui| {
        ui.label("Labels");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // From right to left.
            let labels = &mut request.labels;
            let tip = "The channels that are not at rest, with their values";
            checkbox_ui(ui, &mut labels.rows, "Rows").on_hover_text(tip);
            checkbox_ui(ui, &mut labels.time, "Time").on_hover_text("Timecode and number of the frame");
            checkbox_ui(ui, &mut labels.name, "Name").on_hover_text("The names of the head and of what plays");
        });
    });
}

fn compared_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let (session, request) = (&*cx.session, &mut cx.state.export);
    if !session.b().exists() && request.compared.is_none() {
        ui.add_enabled(false, Checkbox::new(&mut false, "A and B"))
            .on_disabled_hover_text(session.compared_with.why_none());
        return;
    }
    let mut opacity = match request.compared {
        Some(TwoFaces::Over(opacity)) => opacity,
        _ => 0.5,
    };
    let choices = [None, Some(TwoFaces::Beside), Some(TwoFaces::Over(opacity))];
    choice("A and B").row_ui(ui, &mut request.compared, choices, |compared| match compared {
        None => ("A alone".into(), "What plays"),
        Some(TwoFaces::Beside) => ("Side by side".into(), "What plays, beside what it is compared with"),
        Some(TwoFaces::Over(_)) => ("Onion skin".into(), "B half transparent over A"),
    });
    if matches!(request.compared, Some(TwoFaces::Over(_))) {
        row_ui(ui, "Opacity of B", "From 0 to 1", |ui| {
            ui.add(Slider::new(&mut opacity, 0.0..=1.0).fixed_decimals(2)).accessible_name("Opacity of B");
        });
        request.compared = Some(TwoFaces::Over(opacity));
    }
}

const SIZES: [[u32; 2]; 6] = [[1280, 720], [1920, 1080], [3840, 2160], [1024, 1024], [1080, 1920], [7680, 4320]];

fn size_ui(ui: &mut egui::Ui, size: &mut [u32; 2]) {
    choice("Size").row_ui(ui, size, SIZES, |[width, height]| {
        (format!("{width}×{height}").into(), "Width and height in pixels. Large pictures are drawn in tiles")
    });
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            // From right to left.
            let [width, height] = size;
            side_ui(ui, height, "Height");
            ui.label("×");
            side_ui(ui, width, "Width");
        });
    });
}

fn side_ui(ui: &mut egui::Ui, side: &mut u32, name: &str) {
    let number = NumberField(DragValue::new(side).range(1..=PictureSettings::MOST_SIDE).suffix(" px"));
    let number = ui.add_sized(vec2(67.0, theme::BAR_HEIGHT), number);
    number.accessible_name(format!("Picture {}", name.to_lowercase())).on_hover_text(format!("{name} in pixels"));
}
