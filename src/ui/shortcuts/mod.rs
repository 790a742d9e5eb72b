//! Keyboard shortcuts and mouse gestures.

mod action;
mod keyboard;
mod overlay;
mod table;

pub use table::Action;
pub use table::{MOUSE, SHORTCUTS, find};

pub(super) use action::act;
pub(super) use keyboard::{handle_channel_keys, handle_keys};
pub(super) use overlay::shortcuts_overlay_ui;
