//! Controls that several panels share.

mod bar;
mod bar_entry;
mod focus;
mod icon;
mod panel_size;
mod play_head;
mod progress;
mod range_ends;
mod setting;
mod take_name;
pub(super) mod text;
mod text_entry;

pub(crate) use bar::{Bar, BarOutput, BarState};
pub(crate) use focus::{context_menu_ui, focus_ring, scroll_to_focus};
pub(crate) use icon::{Icon, icon_button_inline_ui, icon_button_ui};
pub(crate) use panel_size::PanelSize;
pub(crate) use play_head::{drag_play_head, is_snap_turned_round};
pub(crate) use progress::{CancelButton, WorkAction, WorkTexts, progress_ui, work_ui};
pub(crate) use range_ends::{RangeStrip, is_range_set};
pub(crate) use setting::{bar_ui, seed_ui, setting_ui, title_ui};
pub(crate) use take_name::short_take_name;
pub(crate) use text_entry::{EntryOutcome, EntryStyle, TextEntry};
