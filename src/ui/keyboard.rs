//! Keys: turns presses into actions, and performs those of keys, menu items and buttons.

use egui::{Event, EventFilter, Key, Modifiers, Popup};

use smirk_editor::document::LoadRequest;
use smirk_face::motion::{Layer, PoseId};
use smirk_session::{MirroredMix, Session};

use crate::command::{Command, OpenAs};
use crate::context::PanelContext;
use crate::curves::CurvesPanel;
use crate::notes;
use crate::shortcuts::{Action, SHORTCUTS, Shortcut, find};
use crate::state::{HeadMarks, Overlay, Page, PointedAt};
use crate::widgets::{keys_are_taken, takes_numbers, text};

#[derive(Debug, Default)]
pub(crate) struct Keyboard {
    /// The action of a key that was pressed while a text field or a menu took the keys. It is performed once the field
    /// has taken its text and the menu is closed.
    after_typing: Option<Action>,
}

impl Keyboard {
    /// Handles the shortcuts for the channel under the pointer. Call it after the channel list was laid out.
    pub(crate) fn handle_channel_keys(
        &mut self,
        ctx: &egui::Context,
        curves: &mut CurvesPanel,
        cx: &mut PanelContext<'_>,
    ) {
        if keys_are_taken(ctx) || cx.is_covered() {
            return;
        }
        while let Some((action, _)) =
            ctx.input_mut(|input| take_press(&mut input.events, |shortcut| shortcut.action.needs_channel()))
        {
            act(action, curves, cx);
            ctx.request_repaint();
        }
    }

    /// Handles all other shortcuts pressed since the last frame. While a text field or a menu takes the keys, these are
    /// the ones for the whole file.
    pub(crate) fn handle_keys(&mut self, ctx: &egui::Context, curves: &mut CurvesPanel, cx: &mut PanelContext<'_>) {
        if cx.shows_work_list {
            return;
        }
        if keys_are_taken(ctx) {
            self.end_typing(ctx, cx);
            return;
        }
        if let Some(action) = self.after_typing.take() {
            act(action, curves, cx);
        }
        keep_for_note(ctx, cx);
        if cx.state.overlay.is_some() && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            cx.state.overlay = None;
        }
        if cx.marks.shown_target.is_some()
            && !cx.state.escape_is_taken
            && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
        {
            cx.marks.hide_target(cx.session);
        }
        // A slow frame may receive Ctrl+F and the text typed after it at once: events after Ctrl+F are for the search
        // field, events before it for the window.
        let search = find(Action::Search).filter(|_| cx.state.overlay.is_none() && cx.readings.prompt.is_none());
        let search_events =
            search.and_then(|search| ctx.input_mut(|input| take_events_after(&mut input.events, search)));
        let takes_keys = cx.state.panels.curves_open && curves.takes_keys();
        let focused = ctx.memory(|memory| memory.focused());
        if let Some(id) = focused {
            // Arrow keys step through time, so that they must not also move the keyboard focus.
            let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
            ctx.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        }
        // The picture has no text and no value: with the focus on it, arrows move its cursor, and all other keys are
        // the window's.
        let is_on_picture = cx.state.picture_has_focus;
        let has_focus = focused.is_some() && !is_on_picture;
        let takes_numbers = takes_numbers(ctx);
        loop {
            let is_unfit = |shortcut: &Shortcut| match shortcut.action {
                _ if shortcut.needs_no_focus && has_focus => true,
                Action::Step(_) | Action::StepFrames(_) => is_on_picture,
                Action::ApplyPose(_) | Action::GoToKey { .. } => takes_numbers,
                Action::Curves(_) => !takes_keys,
                action => action.needs_channel(),
            };
            let pressed = ctx.input_mut(|input| {
                take_press(&mut input.events, |shortcut| !is_unfit(shortcut) && !is_covered(shortcut.action, cx))
            });
            let Some((action, is_held)) = pressed else { break };
            // Who holds the keys to undo all that was done here does not ask for what was open before.
            if !is_held || action != Action::Undo || cx.session.can_undo() {
                act(action, curves, cx);
            }
        }
        if let Some(search_events) = search_events {
            act(Action::Search, curves, cx);
            ctx.input_mut(|input| input.events.extend(search_events));
        }
    }

    /// If a shortcut was pressed that also works while text is typed or a menu is open, takes the keyboard focus from
    /// the text field, which keeps its text in this frame, closes the menu, and leaves the action to the next frame.
    fn end_typing(&mut self, ctx: &egui::Context, cx: &PanelContext<'_>) {
        // In a text field, Alt and a letter may be a character.
        let may_open_menu = !ctx.text_edit_focused();
        let pressed = std::iter::from_fn(|| {
            ctx.input_mut(|input| {
                take_press(&mut input.events, |&Shortcut { action, .. }| {
                    let opens_menu = may_open_menu && matches!(action, Action::OpenMenu(_));
                    (action.ends_typing() || opens_menu) && !is_covered(action, cx)
                })
            })
        });
        if let Some((action, _)) = pressed.last() {
            ctx.memory_mut(|memory| memory.stop_text_input());
            Popup::close_all(ctx);
            self.after_typing = Some(action);
            ctx.request_repaint();
        }
    }
}

pub(crate) fn act(action: Action, curves: &mut CurvesPanel, cx: &mut PanelContext<'_>) {
    let (session, state, marks) = (&mut *cx.session, &mut *cx.state, &mut *cx.marks);
    let commands = &mut cx.commands;
    match action {
        Action::OpenMenu(menu) => state.requested_menu = Some(menu),
        Action::New | Action::Close => commands.push(Command::Load(Box::new(LoadRequest::New))),
        Action::Open => commands.push(Command::Choose(OpenAs::File(None))),
        Action::SaveProject => commands.push(Command::SaveProject),
        Action::SaveProjectAs => commands.push(Command::SaveProjectAs),
        Action::Export => state.open_page(Page::Export),
        Action::Quit => commands.push(Command::Quit),
        Action::Undo => {
            // Beyond the first step of work on this head is what was open before it.
            if !session.undo() && cx.readings.document.replaced.is_some() {
                commands.push(Command::GoBack);
            }
        }
        Action::Redo => {
            session.redo();
        }
        Action::ResetAll => {
            session.reset_all();
            cx.show_status(reset_text(cx.session));
        }
        Action::SavePose => {
            state.open_page(Page::Poses);
            marks.saved_pose = Some(session.poses_mut().store(""));
        }
        Action::MirrorFace => {
            let mirrored = session.mirror_mix();
            cx.show_status(mirrored_text(cx.session, &mirrored));
        }
        Action::KeyChannel => match marks.pointed_at {
            Some(PointedAt::Region(region)) => session.keys_mut().key_region(region),
            Some(PointedAt::Pose(pose)) => key_pose(cx, pose, false),
            Some(PointedAt::Channel(_) | PointedAt::Pair(_)) => {
                edit_channel(session, marks, |session, channel| session.keys_mut().key(channel))
            }
            None => key_face(cx, false),
        },
        Action::KeyOnly => match marks.pointed_at {
            Some(PointedAt::Pose(pose)) => key_pose(cx, pose, true),
            _ => key_face(cx, true),
        },
        Action::KeyFace => key_face(cx, false),
        Action::AutoKeys => session.edits.timeline.auto_keys ^= true,
        Action::MuteChannel => {
            edit_channel(session, marks, |session, channel| session.channel_mut(channel).toggle_mute())
        }
        Action::SoloChannel => {
            edit_channel(session, marks, |session, channel| session.channel_mut(channel).toggle_solo())
        }
        Action::Search => {
            state.panels.left_open = true;
            state.search_requested = true;
        }
        Action::SetMode(mode) => match cx.readings.readout.why_unavailable(mode) {
            None => session.mode = mode,
            Some(reason) => cx.show_status(reason),
        },
        Action::ApplyPose(digit) => {
            let pose = session.edits.pose_keys.get(&digit).and_then(|&id| session.edits.pose(id)).cloned();
            if let Some(pose) = pose {
                session.poses_mut().apply(pose.id);
                cx.show_status(format!("Pose {}", text::shown(&pose.name)));
            }
        }
        Action::PlayPause => session.toggle_playing(),
        Action::Listen => {
            state.live.is_on = !state.live.is_on;
            // Who begins to listen wants to see the face, whatever was chosen to play before.
            session.set_live_drives(true);
            state.open_page(Page::Motion);
        }
        Action::Record => state.live.records = !state.live.records,
        Action::Loop => session.clock.timeline.looping = !session.clock.timeline.looping,
        Action::Step(millis) => session.timeline_mut().step(millis as f32 / 1000.0),
        Action::StepFrames(count) => session.timeline_mut().step_frames(count),
        Action::AddMarker => add_marker(cx),
        Action::AddNote => notes::add_here(cx),
        Action::NextNote(is_forward) => notes::step(cx, is_forward),
        Action::GoToMarker { is_next } => {
            if !session.timeline_mut().go_to_marker(is_next) {
                cx.show_status("No more markers that way");
            }
        }
        Action::SetIn(is_set) => session.timeline_mut().set_in(is_set),
        Action::SetOut(is_set) => session.timeline_mut().set_out(is_set),
        Action::Curves(action) => curves.act(action, cx),
        Action::GoToKey { is_next } => {
            let of_row = |channel: usize| session.head.channels[channel].full_name.as_str();
            let rows = marks.curve_selection.channels().map(of_row);
            let has_keys = |name: &&str| state.panels.curves_open && !session.keys().keys_of(name).is_empty();
            let rows: Vec<String> = rows.filter(has_keys).map(str::to_owned).collect();
            let counts = |name: &str| rows.is_empty() || rows.iter().any(|row| row == name);
            if !session.timeline_mut().go_to_key(is_next, counts) {
                cx.show_status("No more keys that way");
            }
        }
        Action::Rewind => session.seek(session.range_secs()[0]),
        Action::GoToEnd => session.seek(session.range_secs()[1]),
        Action::CopyPicture => commands.push(Command::CopyPicture),
        Action::SetView(preset) => session.camera.turn_to(preset, &session.head, state.aspect()),
        Action::SetViewMode(view) => session.edits.look.view = view,
        Action::NextViewMode(is_forward) => {
            let view = session.edits.look.view.step(if is_forward { 1 } else { -1 });
            session.edits.look.view = view;
            cx.show_status(view.label());
        }
        Action::NextShownB => {
            let shown = state.comparison.shown.next();
            state.comparison.shown = shown;
            cx.show_status(format!("B is shown: {}", shown.label().to_lowercase()));
        }
        Action::ReferencePlace => match &mut session.edits.reference {
            Some(reference) => reference.toggle_place(),
            None => commands.push(Command::Choose(OpenAs::Reference)),
        },
        Action::IsolateFace => session.edits.look.isolates_face ^= true,
        Action::Orbit(right, down) => {
            const STEP: f32 = 5.0 * std::f32::consts::PI / 180.0;
            session.camera.orbit(glam::vec2(-f32::from(right), f32::from(down)) * STEP);
        }
        Action::Frame(part) => session.camera.frame_part(&session.head, part, state.aspect()),
        Action::TogglePanels => {
            let open = !(state.panels.left_open || state.panels.right_open);
            (state.panels.left_open, state.panels.right_open) = (open, open);
        }
        // Without a timeline there is nothing to show, and the panel stays closed.
        Action::ToggleCurves => state.panels.curves_open ^= session.timeline_secs() > 0.0,
        Action::Shortcuts => {
            state.overlay = Some(Overlay::Shortcuts).filter(|shown| state.overlay != Some(*shown));
        }
    }
}

/// Keeps what is typed after the key that adds a note for the text of the note, whose field has the keyboard focus a
/// frame or two later.
fn keep_for_note(ctx: &egui::Context, cx: &mut PanelContext<'_>) {
    /// The field of a page that cannot be shown does not keep the keys for ever.
    const MOST: usize = 200;
    let is_awaited = cx.state.awaits_note_text(cx.session);
    let notes = &mut cx.state.notes;
    if !is_awaited || notes.typed_ahead.len() > MOST {
        notes.edits_text = false;
        notes.typed_ahead.clear();
    }
    if cx.is_covered() {
        return;
    }
    let is_typed = |event: &mut Event| match event {
        Event::Key { modifiers, .. } => !modifiers.command && !modifiers.alt,
        Event::Text(_) | Event::Paste(_) | Event::Ime(_) => true,
        _ => false,
    };
    let notes = &mut cx.state.notes;
    ctx.input_mut(|input| {
        let from = match find(Action::AddNote).filter(|_| !notes.edits_text) {
            None => 0,
            Some(add) => match input.events.iter().position(|event| is_press(event, add)) {
                // The letter of the key itself.
                Some(at) => {
                    let has_letter = matches!(input.events.get(at + 1), Some(Event::Text(_)));
                    input.events.splice(at + 1..at + 1 + usize::from(has_letter), []);
                    at + 1
                }
                None => return,
            },
        };
        notes.typed_ahead.extend(input.events.extract_if(from.., is_typed));
    });
}

/// Keys a pose, as [`smirk_session::KeysMut::key_pose`] does, and says on how many channels.
pub(crate) fn key_pose(cx: &mut PanelContext<'_>, pose: PoseId, only_named: bool) {
    let count = cx.session.keys_mut().key_pose(pose, only_named);
    let name = cx.session.edits.pose(pose).map(|pose| text::shown(&pose.name).into_owned()).unwrap_or_default();
    cx.show_status(format!("{name} is keyed on {}", text::counted(count, "channel")));
}

fn key_face(cx: &mut PanelContext<'_>, only_moved: bool) {
    let text = match cx.session.keys_mut().key_face(only_moved) {
        0 => "No slider or pose has moved a channel, so no key was set".to_owned(),
        count => format!("The face is keyed on {}", text::counted(count, "channel")),
    };
    cx.show_status(text);
}

/// Whether a question or a list over the window keeps an action from being done.
fn is_covered(action: Action, cx: &PanelContext<'_>) -> bool {
    match cx.readings.prompt {
        // Quitting is allowed: the reason for which the work could not be written may no longer exist.
        Some(_) => action != Action::Quit,
        None => cx.state.overlay.is_some() && action != Action::Shortcuts,
    }
}

/// Adds a marker at the play head, and shows the curves, where it can be renamed.
fn add_marker(cx: &mut PanelContext<'_>) {
    if cx.session.timeline_secs() == 0.0 {
        cx.show_status("No marker: choose a clip, a take or a sound first");
        return;
    }
    match cx.session.timeline_mut().add_marker() {
        Some(_) => cx.state.panels.curves_open = true,
        None => cx.show_status("No marker: there are as many as possible"),
    }
}

fn reset_text(session: &Session) -> String {
    let all: Vec<usize> = (0..session.head.channels.len()).collect();
    let driving = by_driver(session, &all, |driver, count| format!(". {driver} still drives {count}"));
    format!("All sliders reset{driving}")
}

/// What mirroring did with channels that animation drives.
fn mirrored_text(session: &Session, mirrored: &MirroredMix) -> String {
    let taken = by_driver(session, &mirrored.taken_over, |driver, count| format!(". {count} taken over from {driver}"));
    let left = by_driver(session, &mirrored.left, |driver, count| format!(". {count} left to {driver}"));
    let done = match (mirrored.changed, mirrored.left.is_empty()) {
        (0, true) => "Nothing to mirror: both sides are alike",
        (0, false) => "Nothing mirrored",
        _ => "Face mirrored",
    };
    format!("{done}{taken}{left}")
}

fn by_driver(session: &Session, channels: &[usize], sentence: impl Fn(&str, &str) -> String) -> String {
    let mix = session.mix();
    let mut sentences = String::new();
    for layer in Layer::DRIVING {
        let count = channels.iter().filter(|&&channel| mix.below_manual[channel] == layer).count();
        if count > 0 {
            sentences += &sentence(&text::shown(&session.layer_name(layer)), &text::counted(count, "channel"));
        }
    }
    sentences
}

/// Edits the channel or the pair under the pointer, else the channel with keyboard focus, if there is one.
fn edit_channel(session: &mut Session, marks: &HeadMarks, edit: impl Fn(&mut Session, usize)) {
    match marks.pointed_at {
        Some(PointedAt::Channel(channel)) => edit(session, channel),
        Some(PointedAt::Pair(pair)) => session.edit_pair(pair, edit),
        Some(PointedAt::Region(_) | PointedAt::Pose(_)) | None => {}
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
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => {
            // A keyboard may need Shift for a digit or a sign, but never for a letter.
            let may_need_shift =
                !key.symbol_or_name().contains(|sign: char| !sign.is_ascii_digit() && !sign.is_ascii_punctuation());
            *key == shortcut.key
                && modifiers.matches_logically(shortcut.modifiers)
                && modifiers.alt == shortcut.modifiers.alt
                && (may_need_shift || modifiers.shift == shortcut.modifiers.shift)
        }
        // The window system gives these instead of the key.
        Event::Copy => (shortcut.key, shortcut.modifiers) == (Key::C, Modifiers::COMMAND),
        Event::Cut => (shortcut.key, shortcut.modifiers) == (Key::X, Modifiers::COMMAND),
        Event::Paste(_) => (shortcut.key, shortcut.modifiers) == (Key::V, Modifiers::COMMAND),
        _ => false,
    }
}

/// Removes the first press of a shortcut that is accepted, and returns its action and whether the key is held down
/// since an earlier press. A slow frame receives several presses, which act in the order in which they were done. A key
/// that is held down repeats steps and undo, but not toggles.
fn take_press(events: &mut Vec<Event>, is_accepted: impl Fn(&Shortcut) -> bool) -> Option<(Action, bool)> {
    let mut at = 0;
    while let Some(event) = events.get(at) {
        let Some(shortcut) = SHORTCUTS.iter().find(|shortcut| is_press(event, shortcut) && is_accepted(shortcut))
        else {
            at += 1;
            continue;
        };
        let is_held = matches!(events.remove(at), Event::Key { repeat: true, .. });
        let repeats = matches!(
            shortcut.action,
            Action::Step(_)
                | Action::StepFrames(_)
                | Action::GoToKey { .. }
                | Action::Undo
                | Action::Redo
                | Action::Orbit(..)
        );
        if !is_held || repeats {
            return Some((shortcut.action, is_held));
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
            let taken: Vec<Action> =
                std::iter::from_fn(|| take_press(&mut events, |_| true)).map(|(action, _)| action).collect();
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
        assert_eq!(take_press(&mut events, is_of_time), Some((Action::StepFrames(1), true)));
        assert_eq!(take_press(&mut events, is_of_time), None);
        assert_eq!(events, [undo]);
    }
}
