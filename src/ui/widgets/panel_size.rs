//! The size of a resizable panel: the size that the user chose, limited by the window. A window that is small for a
//! while does not change the chosen size.

use egui::{PanelState, Pos2, Rangef, Rect, Vec2};

/// The sizes that the window allowed a panel in the last frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PanelSize {
    range: Option<Rangef>,
}

impl PanelSize {
    /// Call this before the panel is shown in `ui`. If `range` has changed, the panel gets the preferred size again,
    /// limited to `range`; otherwise egui keeps the panel's size, which the user may be dragging.
    pub(crate) fn apply(&mut self, ui: &egui::Ui, panel: &str, preferred: f32, range: Rangef) {
        if self.range.replace(range) != Some(range) {
            let id = ui.scope_id().with(panel);
            let outer_rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(range.clamp(preferred)));
            ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
        }
    }

    /// The preferred size after the panel was shown with size `shown`: a new one if the user dragged the panel's edge.
    pub(crate) fn preferred(&self, preferred: f32, shown: f32) -> f32 {
        // The shown size is rounded to whole pixels.
        let is_unchanged = self.range.is_some_and(|range| (range.clamp(preferred) - shown).abs() <= 1.0);
        if is_unchanged { preferred } else { shown }
    }
}
