//! What becomes of a panel that panics: the panel is replaced by a message, and the rest of the window goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use egui::Label;

use crate::context::PanelContext;
use crate::state::Part;
use crate::theme;

/// Shows a part of the window. If that panics, a message is in its place until the artist asks for the part again or another head is open. The
/// panic itself is logged by the hook of the program, which also keeps the unsaved work.
pub(crate) fn guarded_ui(
    ui: &mut egui::Ui,
    cx: &mut PanelContext<'_>,
    part: Part,
    show: impl FnOnce(&mut egui::Ui, &mut PanelContext<'_>),
) {
    if !cx.marks.failed_parts.contains(&part) {
        guarded(cx, part, |cx| show(ui, cx));
        return;
    }
    // The overlay has no place of its own, and hides itself.
    if part == Part::Overlay {
        cx.state.overlay = None;
        return;
    }
    let text = format!("{} stopped unexpectedly, which is a fault in Smirk. Your work is kept.", part.name());
    ui.add(Label::new(egui::RichText::new(text).color(theme::ERROR)).wrap());
    if ui.button("Show it again").clicked() {
        cx.marks.begins_anew = true;
    }
}

/// Does something for a part of the window. If that panics, it is reported in the top row, and the part counts as failed.
pub(crate) fn guarded(cx: &mut PanelContext<'_>, part: Part, run: impl FnOnce(&mut PanelContext<'_>)) {
    if catch_unwind(AssertUnwindSafe(|| run(cx))).is_err() {
        cx.marks.failed_parts.push(part);
        cx.show_status(format!("{} stopped unexpectedly, which is a fault in Smirk", part.name()));
    }
}
