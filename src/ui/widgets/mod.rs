//! Controls that several panels share.

mod bar;
mod bar_entry;
mod icon;
mod panel_size;
mod play_head;
mod progress;
mod setting;
pub mod text;
mod text_entry;

pub use bar::{Bar, BarOutput, BarState};
pub use icon::{Icon, icon_button_inline_ui, icon_button_ui};
pub use panel_size::PanelSize;
pub use play_head::drag_play_head;
pub use progress::{CancelButton, progress_ui};
pub use setting::{bar_ui, seed_ui, setting_ui, title_ui};
pub use text_entry::{EntryOutcome, EntryStyle, TextEntry};
