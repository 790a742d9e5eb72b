//! The user's keys in the curves panel: drawn, selected, dragged, copied.

mod commands;
mod diamonds;
mod drag;
mod gesture;
mod handles;
mod markers;
mod menu;
mod pick;
mod state;

pub(crate) use commands::CurvesAction;
pub(crate) use commands::act;
pub(super) use commands::set_tangents;
pub(super) use diamonds::Diamonds;
pub(super) use drag::{combined, go_on, paint_ui, pointer_ui};
pub(super) use gesture::{Gesture, GestureKind};
pub(super) use handles::paint_gesture;
pub(super) use markers::{MarkerStyle, Markers};
pub(crate) use menu::mode_menu_ui;
pub(super) use menu::{TANGENTS, acts_on, context_menu_ui, time_items_ui};
pub(super) use pick::shown_curves;
pub(super) use state::KeyEditing;
