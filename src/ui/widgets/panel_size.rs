//! How large a panel is: as the artist made it, as far as the window has room. A small window takes nothing of the wish.

use egui::{PanelState, Pos2, Rangef, Rect, Vec2};

/// What the window left a panel when it was last laid out.
#[derive(Clone, Copy, Debug, Default)]
pub struct PanelSize {
    room: Option<Rangef>,
}

impl PanelSize {
    /// Before the panel is laid out in `ui`: where the room for it has changed, it begins anew from the wish. In between,
    /// its size is egui's to remember, for the hand drags it there.
    pub fn fit(&mut self, ui: &egui::Ui, panel: &str, wish: f32, room: Rangef) {
        if self.room.replace(room) != Some(room) {
            let id = ui.scope_id().with(panel);
            let outer_rect = Rect::from_min_size(Pos2::ZERO, Vec2::splat(room.clamp(wish)));
            ui.data_mut(|data| data.insert_persisted(id, PanelState { outer_rect }));
        }
    }

    /// After it was laid out: another wish, if the hand made it larger or smaller.
    pub fn wish(&self, wish: f32, drawn: f32) -> f32 {
        // What is drawn is rounded to pixels.
        let fits = self.room.is_some_and(|room| (room.clamp(wish) - drawn).abs() <= 1.0);
        if fits { wish } else { drawn }
    }
}
