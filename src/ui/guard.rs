//! What becomes of a panel that panics: the panel is replaced by a message, and the rest of the window goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};

use egui::Label;

use crate::context::PanelContext;
use crate::state::Part;
use crate::theme;

/// Shows a part of the window in its place. If that panics, a message is there until the artist asks for the part again
/// or another head is open.
pub(crate) fn guarded_ui(
    ui: &mut egui::Ui,
    cx: &mut PanelContext<'_>,
    part: Part,
    show: impl FnOnce(&mut egui::Ui, &mut PanelContext<'_>),
) {
    if cx.marks.failed_parts.contains(&part) {
        let text = format!("{} stopped unexpectedly, which is a fault in Smirk. Your work is kept.", part.name());
        ui.add(Label::new(egui::RichText::new(text).color(theme::ERROR)).wrap());
        cx.marks.begins_anew |= ui.button("Show it again").clicked();
    }
    guarded_elsewhere(cx, part, |cx| show(ui, cx));
}

/// Shows what a part of the window has outside of its place, unless the part has failed: then the message is in its
/// place.
pub(crate) fn guarded_elsewhere(cx: &mut PanelContext<'_>, part: Part, show: impl FnOnce(&mut PanelContext<'_>)) {
    if !cx.marks.failed_parts.contains(&part) && !guarded(cx, part, show) {
        cx.marks.failed_parts.push(part);
    }
}

/// Does something that has no place in the window, and returns whether it was done. If it panics, that is reported in
/// the top row, and logged by the hook of the program, which also keeps the unsaved work.
pub(crate) fn guarded(cx: &mut PanelContext<'_>, part: Part, run: impl FnOnce(&mut PanelContext<'_>)) -> bool {
    let is_done = catch_unwind(AssertUnwindSafe(|| {
        run(cx);
        #[cfg(test)]
        planted::fail(part);
    }))
    .is_ok();
    if !is_done {
        cx.show_status(format!("{} stopped unexpectedly, which is a fault in Smirk", part.name()));
    }
    is_done
}

/// A panic of a part, for tests.
#[cfg(test)]
pub(crate) mod planted {
    use std::cell::Cell;

    use super::Part;

    thread_local! {
        static PLANTED: Cell<Option<Part>> = const { Cell::new(None) };
    }

    pub(crate) fn plant(part: Option<Part>) {
        PLANTED.set(part);
    }

    pub(super) fn fail(part: Part) {
        assert!(PLANTED.get() != Some(part), "planted");
    }
}
