//! Acts on the keys that were pressed.

use egui::{Event, Key, Modifiers};

use crate::session::{Command, Session};
use crate::ui::{UiState, WindowView};

use super::action::act;
use super::table::{Action, SHORTCUTS, Shortcut, find};

/// Acts on the keys about the row under the pointer: after the rows are laid out.
pub fn take_row_keys(
    ctx: &egui::Context,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    if ctx.text_edit_focused() || state.shortcuts_open {
        return;
    }
    for shortcut in SHORTCUTS.iter().filter(|shortcut| shortcut.action.is_of_row()) {
        let presses = ctx.input_mut(|input| count_presses(&mut input.events, shortcut));
        for _ in 0..presses {
            act(shortcut.action, session, state, view, commands);
            ctx.request_repaint();
        }
    }
}

/// Acts on the keys pressed since the last frame, unless someone types.
pub fn take_keys(
    ctx: &egui::Context,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    if ctx.text_edit_focused() {
        return;
    }
    if state.shortcuts_open && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        state.shortcuts_open = false;
    }
    // What is typed in the same breath as Ctrl+F, in a slow frame, is meant for the field; what came before, for the window.
    let search = find(Action::Search).filter(|_| !state.shortcuts_open);
    let typed = search.and_then(|search| ctx.input_mut(|input| take_from(&mut input.events, search)));
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    for shortcut in SHORTCUTS {
        let is_covered = state.shortcuts_open && shortcut.action != Action::Shortcuts;
        if is_covered || shortcut.action.is_of_row() || (shortcut.needs_no_focus && has_focus) {
            continue;
        }
        let presses = ctx.input_mut(|input| count_presses(&mut input.events, shortcut));
        for _ in 0..presses {
            act(shortcut.action, session, state, view, commands);
        }
    }
    if let Some(typed) = typed {
        act(Action::Search, session, state, view, commands);
        ctx.input_mut(|input| input.events.extend(typed));
    }
}

/// If `shortcut` was pressed, takes what followed out of the events, and the text that its own keys before it made.
fn take_from(events: &mut Vec<Event>, shortcut: &Shortcut) -> Option<Vec<Event>> {
    let at = events.iter().position(|event| is_press(event, shortcut))?;
    let followed = events.split_off(at + 1);
    events.truncate(at);
    events.retain(|event| !matches!(event, Event::Text(_)));
    Some(followed)
}

fn is_press(event: &Event, shortcut: &Shortcut) -> bool {
    matches!(event, Event::Key { key, pressed: true, modifiers, .. }
        if *key == shortcut.key && modifiers.matches_logically(shortcut.modifiers))
}

/// Takes a shortcut's presses out of the events. A key held down repeats steps and undo, but not toggles.
fn count_presses(events: &mut Vec<Event>, shortcut: &Shortcut) -> usize {
    let repeats = matches!(shortcut.action, Action::Step(_) | Action::Undo | Action::Redo);
    let mut presses = 0;
    events.retain(|event| match event {
        Event::Key { repeat, .. } if is_press(event, shortcut) => {
            presses += usize::from(!repeat || repeats);
            false
        }
        _ => true,
    });
    presses
}
