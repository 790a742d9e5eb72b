//! The markers of the timeline.

use egui::{Align, Button, Layout};

use smirk_base::file_kind::Content;
use smirk_face::motion::Markers;

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::widgets::{close_row_ui, text};

pub(super) fn markers_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let count = cx.session.edits.markers.all().len();
    close_row_ui(ui, |ui| {
        ui.weak(if count == 0 { "Markers".to_owned() } else { text::counted(count, "marker") });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let clear = ui.add_enabled(count > 0, Button::new("Remove all").small());
            if clear.on_hover_text("Remove every marker of the timeline").clicked() {
                cx.session.edits.markers = Markers::default();
            }
            let import = ui.add(Button::new("Import…").small());
            let import = import.accessible_name("Import markers");
            if import
                .on_hover_text(
                    "Labels of Audacity, TextGrids of Praat, mouth cues of Rhubarb, visemes of Polly and Azure",
                )
                .clicked()
            {
                cx.commands.push(Command::Choose(OpenAs::File(Some(Content::Markers))));
            }
        });
    });
}
