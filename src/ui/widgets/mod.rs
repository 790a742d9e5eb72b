//! Controls that several panels share.

mod assistive;
mod bar;
mod channel_picker;
mod column_map;
mod edit_list;
mod focus;
mod icon;
mod light_ball;
mod number_field;
mod progress;
mod rows;
pub(crate) mod text;
mod text_entry;
mod timeline;
mod tips;

use egui::{PanelState, Pos2, Rangef, Rect, Sense, Vec2, vec2};

use crate::theme;

pub(crate) use bar::{Bar, BarOutput, BarState, forget_nudge, last_nudge_secs, mark_nudge, takes_numbers};
pub(crate) use channel_picker::{
    arrow_button, channel_picker_ui, chosen_text, end_search, key_mode_menu_ui, paint_arrow, search_ui, shape_picker_ui,
};
pub(crate) use column_map::{ColumnEdit, column_map_ui};
pub(crate) use edit_list::{EditSelection, ListedEdit, edit_list_ui};
pub(crate) use focus::{
    context_menu_ui, end_typing_by_drag, focus_ring, has_keys, keys_are_taken, modifiers_of_click, scroll_to_focus,
};
pub(crate) use icon::{Icon, icon_button_inline_ui, icon_button_ui};
pub(crate) use light_ball::light_ball_ui;
pub(crate) use number_field::NumberField;
pub(crate) use progress::{CancelButton, WorkAction, WorkTexts, progress_ui, work_ui};
pub(crate) use rows::{
    Choice, Number, bar_ui, checkbox_ui, choice_ui, close_row_ui, drag_row, list_button_ui, names_ui, options_ui,
    radio_ui, row_ui, seed_ui, setting_ui, title_ui, wrapped_ui,
};
pub(crate) use text_entry::{EntryOutcome, EntryStyle, TextEntry};
pub(crate) use timeline::{RangeStrip, drag_play_head, inverts_snap, is_range_set, pose_over_ui};
pub(crate) use tips::{TipSide, keep_tips_off, place_tips};

/// The size of a resizable panel: the size that the user chose, limited by the window. A window that is small for a
/// while does not change the chosen size.
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

/// Marks the middle of an edge that is dragged to resize a panel, given by its ends, and says how far that goes.
pub(crate) fn grip_ui(ui: &egui::Ui, [start, end]: [Pos2; 2], limit: &str) {
    const LENGTH: f32 = 40.0;
    let along = (end - start).normalized() * LENGTH;
    let grip = Rect::from_center_size(start.lerp(end, 0.5), vec2(along.x.max(4.0), along.y.max(4.0)));
    let response = ui.interact(grip.expand(3.0), ui.scope_id().with(limit), Sense::hover());
    let color = if response.contains_pointer() { theme::TEXT_WEAK } else { theme::ICON_FAINT };
    ui.painter().rect_filled(grip, 2.0, color);
    response.on_hover_text(format!("Drag the edge. {limit}"));
}
