//! Controls that several panels use.

mod bar;
mod bar_entry;
mod icon;
mod panel_size;
mod play_head;
mod progress;
mod setting;
mod text_entry;

pub use bar::{Bar, BarOutput, Hold};
pub use icon::{Icon, icon_button_inline_ui, icon_button_ui};
pub use panel_size::PanelSize;
pub use play_head::hold_play_head;
pub use progress::{Stop, progress_ui};
pub use setting::{bar_ui, seed_ui, setting_ui, title_ui};
pub use text_entry::{Look, Outcome, Typing};
