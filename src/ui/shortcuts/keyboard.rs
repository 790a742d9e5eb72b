//! Turns key presses into actions.

use egui::{Event, EventFilter, Key, Modifiers};

use crate::{UiState, WindowView};
use smirk_editor::session::{Command, Session};

use super::action::act;
use super::table::{Action, SHORTCUTS, Shortcut, find};

/// Handles the shortcuts for the channel under the pointer. Call it after the channel list was laid out.
pub(crate) fn handle_channel_keys(
    ctx: &egui::Context,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    let is_covered = state.shortcuts_open || state.work_list.is_open || view.prompt.is_some();
    if ctx.text_edit_focused() || is_covered {
        return;
    }
    let next = || ctx.input_mut(|input| take_press(&mut input.events, |shortcut| shortcut.action.needs_channel()));
    while let Some(action) = next() {
        act(action, session, state, view, commands);
        ctx.request_repaint();
    }
}

/// Handles all other shortcuts pressed since the last frame. While a text field has the keyboard focus, these are the ones for
/// the whole file.
pub(crate) fn handle_keys(
    ctx: &egui::Context,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    if state.work_list.is_open {
        return;
    }
    if ctx.text_edit_focused() {
        end_typing(ctx, state, view);
        return;
    }
    if let Some(action) = state.after_typing.take() {
        act(action, session, state, view, commands);
    }
    if state.shortcuts_open && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        state.shortcuts_open = false;
    }
    // A slow frame may receive Ctrl+F and the text typed after it at once: events after Ctrl+F are for the search
    // field, events before it for the window.
    let search = find(Action::Search).filter(|_| !state.shortcuts_open && view.prompt.is_none());
    let search_events = search.and_then(|search| ctx.input_mut(|input| take_events_after(&mut input.events, search)));
    let takes_keys = state.panels.curves_open && state.curves.takes_keys();
    let focused = ctx.memory(|memory| memory.focused());
    if let Some(id) = focused {
        // Arrow keys step through time, so that they must not also move the keyboard focus.
        let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
        ctx.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    }
    let has_focus = focused.is_some();
    let next = |state: &UiState| {
        let is_accepted = |shortcut: &Shortcut| {
            let lacks_curves = shortcut.action.needs_curves() && !takes_keys;
            let lacks_focus = shortcut.needs_no_focus && has_focus;
            !is_covered(shortcut.action, state, view)
                && !lacks_curves
                && !lacks_focus
                && !shortcut.action.needs_channel()
        };
        ctx.input_mut(|input| take_press(&mut input.events, is_accepted))
    };
    while let Some(action) = next(state) {
        act(action, session, state, view, commands);
    }
    if let Some(search_events) = search_events {
        act(Action::Search, session, state, view, commands);
        ctx.input_mut(|input| input.events.extend(search_events));
    }
}

/// Whether a question or the list of shortcuts keeps an action from being done.
fn is_covered(action: Action, state: &UiState, view: &WindowView<'_>) -> bool {
    match view.prompt {
        // To quit is asked again: what kept the work from being written may be gone.
        Some(_) => action != Action::Quit,
        None => state.shortcuts_open && action != Action::Shortcuts,
    }
}

/// If a shortcut was pressed that also works while text is typed, takes the keyboard focus from the text field, which keeps its
/// text in this frame, and leaves the action to the next frame.
fn end_typing(ctx: &egui::Context, state: &mut UiState, view: &WindowView<'_>) {
    let next = || {
        let is_accepted =
            |shortcut: &Shortcut| shortcut.action.ends_typing() && !is_covered(shortcut.action, state, view);
        ctx.input_mut(|input| take_press(&mut input.events, is_accepted))
    };
    if let Some(action) = std::iter::from_fn(next).last() {
        ctx.memory_mut(|memory| memory.stop_text_input());
        state.after_typing = Some(action);
        ctx.request_repaint();
    }
}

/// If `shortcut` was pressed, removes it and all later events and returns the later ones. Text events before it are
/// also removed, because the shortcut's own keys may have caused them.
fn take_events_after(events: &mut Vec<Event>, shortcut: &Shortcut) -> Option<Vec<Event>> {
    let at = events.iter().position(|event| is_press(event, shortcut))?;
    let followed = events.split_off(at + 1);
    events.truncate(at);
    events.retain(|event| !matches!(event, Event::Text(_)));
    Some(followed)
}

fn is_press(event: &Event, shortcut: &Shortcut) -> bool {
    let is_command = |key: Key| shortcut.key == key && shortcut.modifiers == Modifiers::COMMAND;
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => {
            *key == shortcut.key && modifiers.matches_logically(shortcut.modifiers)
        }
        // The window system gives these instead of the key.
        Event::Copy => is_command(Key::C),
        Event::Cut => is_command(Key::X),
        Event::Paste(_) => is_command(Key::V),
        _ => false,
    }
}

/// Removes the first press of a shortcut that is accepted, and returns its action. A slow frame receives several presses, which act in the
/// order in which they were done. A key that is held down repeats steps and undo, but not toggles.
fn take_press(events: &mut Vec<Event>, is_accepted: impl Fn(&Shortcut) -> bool) -> Option<Action> {
    let mut at = 0;
    while let Some(event) = events.get(at) {
        let Some(shortcut) = SHORTCUTS.iter().find(|shortcut| is_press(event, shortcut) && is_accepted(shortcut))
        else {
            at += 1;
            continue;
        };
        let is_held = matches!(events.remove(at), Event::Key { repeat: true, .. });
        let repeats = matches!(shortcut.action, Action::Step(_) | Action::StepFrames(_) | Action::Undo | Action::Redo);
        if !is_held || repeats {
            return Some(shortcut.action);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(key: Key, modifiers: Modifiers, repeat: bool) -> Event {
        Event::Key { key, physical_key: None, pressed: true, repeat, modifiers }
    }

    #[test]
    fn presses_of_one_frame_act_in_the_order_in_which_they_were_done() {
        let home = press(Key::Home, Modifiers::NONE, false);
        let half_a_second = press(Key::ArrowRight, Modifiers::SHIFT, false);
        for presses in [[&home, &half_a_second, &half_a_second], [&half_a_second, &home, &half_a_second]] {
            let text = Event::Text("a".into());
            let mut events: Vec<Event> = presses.into_iter().chain([&text]).cloned().collect();
            let taken: Vec<Action> = std::iter::from_fn(|| take_press(&mut events, |_| true)).collect();
            let action = |event: &Event| if *event == home { Action::Rewind } else { Action::Step(500) };
            assert_eq!(taken, presses.map(action));
            assert_eq!(events, [text]);
        }
    }

    #[test]
    fn keys_that_are_held_repeat_steps_but_not_toggles_and_others_are_left() {
        let held = [press(Key::Home, Modifiers::NONE, true), press(Key::ArrowRight, Modifiers::NONE, true)];
        let undo = press(Key::Z, Modifiers::COMMAND, false);
        let mut events = [held.as_slice(), std::slice::from_ref(&undo)].concat();
        let is_of_time = |shortcut: &Shortcut| matches!(shortcut.action, Action::Rewind | Action::StepFrames(_));
        assert_eq!(take_press(&mut events, is_of_time), Some(Action::StepFrames(1)));
        assert_eq!(take_press(&mut events, is_of_time), None);
        assert_eq!(events, [undo]);
    }
}
