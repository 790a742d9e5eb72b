//! The reference over the picture of the head.

use egui::Rect;

use super::picture::{paint, placed, size_of};
use crate::{UiState, WindowView, comparison};
use smirk_editor::session::{ReferencePlace, Session};

/// Draws the reference over the viewport, if that is its place; over both pictures while there are two side by side.
pub(crate) fn over_ui(ui: &egui::Ui, viewport: Rect, session: &Session, state: &mut UiState, view: &WindowView<'_>) {
    let (Some(reference), Some(shown)) = (&session.edits.reference, view.reference) else { return };
    if reference.place != ReferencePlace::Over {
        return;
    }
    let [left, right] = comparison::halves(viewport, state);
    let right = (right != left).then_some(right);
    let Some(texture) = state.reference.texture(ui.ctx(), shown) else { return };
    for picture in [left].into_iter().chain(right) {
        let rect = placed(reference.placement, picture, size_of(texture));
        paint(&ui.painter().with_clip_rect(picture), texture, rect, reference.opacity);
    }
}
