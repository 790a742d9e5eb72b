//! The lists that cover the window until they are closed: keys and mouse, and licences. Each has a search.

mod licences;
mod shortcuts;

use egui::{Align, Id, Layout, Modal, ScrollArea, TextEdit};

use smirk_base::names::Search;

use crate::context::PanelContext;
use crate::state::Overlay;
use crate::theme;

/// Wide enough for the longest rows of both columns of the shortcuts, which are on more than one line in a narrower
/// window.
const WIDTH: f32 = 1136.0;
/// In a list that is narrower still, one column is below the other.
const LEAST_WIDTH_OF_COLUMNS: f32 = 760.0;

pub(crate) fn overlay_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let Some(overlay) = cx.state.overlay else {
        cx.state.overlay_search.clear();
        return;
    };
    let title = match overlay {
        Overlay::Shortcuts => "Keys and mouse",
        Overlay::Licences => "Licences",
    };
    let window = ui.ctx().content_rect();
    let (width, height) = (WIDTH.min(window.width() - 72.0), window.height() - 140.0);
    let modal = Modal::new(Id::unique(title)).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(width);
        let closed = ui.horizontal(|ui| {
            ui.heading(title);
            ui.add_space(theme::GAP_LARGE);
            let field = TextEdit::singleline(&mut cx.state.overlay_search).hint_text("Search").desired_width(220.0);
            ui.add(field).accessible_name(format!("Search {}", title.to_lowercase()));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.button("Close").clicked()).inner
        });
        ui.add_space(theme::GAP);
        let search = Search::new(&cx.state.overlay_search);
        let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
        match overlay {
            Overlay::Shortcuts => {
                area.show(ui, |ui| shortcuts::shortcuts_ui(ui, &search, width >= LEAST_WIDTH_OF_COLUMNS));
            }
            Overlay::Licences => licences::licences_ui(ui, area, &search),
        }
        closed.inner
    });
    if modal.inner || modal.should_close() {
        cx.state.overlay = None;
    }
}
