//! The frame of all notices.

use egui::{Rect, UiBuilder, pos2};

use crate::theme;

/// Shows `content` in a card at the top of the part of the viewport that is free, which then begins below it.
pub(super) fn card_ui(ui: &mut egui::Ui, free: &mut Rect, width: f32, content: impl FnOnce(&mut egui::Ui)) {
    let viewport = *free;
    let width = width.min(viewport.width() - 2.0 * theme::GAP_LARGE).max(160.0);
    let min = pos2((viewport.center().x - width / 2.0).round(), viewport.top() + theme::GAP_LARGE);
    let area = Rect::from_min_max(min, pos2(min.x + width, viewport.bottom() - 64.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(area).id_salt("loading"));
    theme::card().show(&mut child, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
    free.min.y = child.min_rect().bottom();
}
