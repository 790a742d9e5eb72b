//! Keys: one table that the menus, the overlay, the README and the keyboard all read.

use egui::{Event, Key, Modifiers};

use crate::blend::BlendMode;
use crate::scene::View;
use crate::session::{Command, Session};

use super::{Page, UiState, WindowView, poses};

/// What a key or a menu item does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Ask for a file.
    Open,
    /// Save the project where it is.
    SaveProject,
    /// Save the project somewhere else.
    SaveProjectAs,
    /// End the program.
    Quit,
    /// One step back.
    Undo,
    /// One step forward.
    Redo,
    /// Every slider to rest.
    ResetAll,
    /// Keep what is on screen as a pose.
    KeepFace,
    /// Swap left and right of the face.
    MirrorFace,
    /// Set a key for the row under the hand.
    KeyRow,
    /// Mute it, or let it be heard.
    MuteRow,
    /// Solo it, or not any more.
    SoloRow,
    /// Type into the search field.
    Search,
    /// Choose who blends.
    Mode(BlendMode),
    /// Start or stop the clip.
    PlayPause,
    /// Start over at the end, or not.
    Loop,
    /// Move the play head by so many milliseconds.
    Step(i32),
    /// To the clip's start.
    Rewind,
    /// Turn the camera.
    Look(View),
    /// Fill the picture with the face.
    Frame,
    /// Hide or show both side panels.
    TogglePanels,
    /// Hide or show the curves.
    ToggleCurves,
    /// Show or hide the list of shortcuts.
    Shortcuts,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    /// What it does.
    pub action: Action,
    /// The key.
    pub key: Key,
    /// Held with it.
    pub modifiers: Modifiers,
    /// The keys in words.
    pub keys: &'static str,
    /// What it does, in words.
    pub text: &'static str,
    /// Works only while no widget has the keyboard, because widgets use this key themselves.
    pub needs_no_focus: bool,
}

const fn key(action: Action, key: Key, modifiers: Modifiers, keys: &'static str, text: &'static str) -> Shortcut {
    Shortcut { action, key, modifiers, keys, text, needs_no_focus: false }
}

const fn unfocused(action: Action, key: Key, modifiers: Modifiers, keys: &'static str, text: &'static str) -> Shortcut {
    Shortcut { action, key, modifiers, keys, text, needs_no_focus: true }
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

/// All keys. Where one key serves twice, the row with more modifiers comes first.
pub const SHORTCUTS: &[Shortcut] = &[
    key(Action::Open, Key::O, CTRL, "Ctrl+O", "Open…"),
    key(Action::SaveProjectAs, Key::S, CTRL_SHIFT, "Ctrl+Shift+S", "Save project as…"),
    key(Action::SaveProject, Key::S, CTRL, "Ctrl+S", "Save project"),
    key(Action::Quit, Key::Q, CTRL, "Ctrl+Q", "Quit"),
    key(Action::Redo, Key::Z, CTRL_SHIFT, "Ctrl+Shift+Z", "Redo"),
    key(Action::Redo, Key::Y, CTRL, "Ctrl+Y", "Redo"),
    key(Action::Undo, Key::Z, CTRL, "Ctrl+Z", "Undo"),
    key(Action::ResetAll, Key::R, CTRL, "Ctrl+R", "Reset all channels"),
    key(Action::Search, Key::F, CTRL, "Ctrl+F", "Search channels"),
    key(Action::KeepFace, Key::K, CTRL, "Ctrl+K", "Keep this face as a pose"),
    key(Action::MirrorFace, Key::M, CTRL, "Ctrl+M", "Mirror the face"),
    key(Action::KeyRow, Key::K, NONE, "K", "Key the channel under the pointer"),
    key(Action::MuteRow, Key::M, NONE, "M", "Mute it, or unmute it"),
    key(Action::SoloRow, Key::S, NONE, "S", "Solo it, or unsolo it"),
    key(Action::Mode(BlendMode::Cpu), Key::Num1, NONE, "1", "Blend on the CPU"),
    key(Action::Mode(BlendMode::Vertex), Key::Num2, NONE, "2", "Blend in the vertex shader"),
    key(Action::Mode(BlendMode::Compute), Key::Num3, NONE, "3", "Blend in a compute pass"),
    key(Action::Mode(BlendMode::Multipass), Key::Num4, NONE, "4", "Blend in several passes"),
    key(Action::PlayPause, Key::Space, NONE, "Space", "Play or pause"),
    key(Action::Loop, Key::L, NONE, "L", "Loop the clip"),
    unfocused(Action::Step(-500), Key::ArrowLeft, Modifiers::SHIFT, "Shift+Left", "Half a second back"),
    unfocused(Action::Step(500), Key::ArrowRight, Modifiers::SHIFT, "Shift+Right", "Half a second on"),
    unfocused(Action::Step(-33), Key::ArrowLeft, NONE, "Left", "A thirtieth of a second back"),
    unfocused(Action::Step(33), Key::ArrowRight, NONE, "Right", "A thirtieth of a second on"),
    unfocused(Action::Rewind, Key::Home, NONE, "Home", "To the clip's start"),
    key(Action::Look(View::Front), Key::Q, NONE, "Q", "From the front"),
    key(Action::Look(View::ThreeQuarter), Key::W, NONE, "W", "Three-quarter view"),
    key(Action::Look(View::Left), Key::E, NONE, "E", "The face's left side"),
    key(Action::Look(View::Right), Key::R, NONE, "R", "The face's right side"),
    key(Action::Frame, Key::F, NONE, "F", "Frame the face"),
    key(Action::TogglePanels, Key::P, NONE, "P", "Hide or show the panels"),
    key(Action::ToggleCurves, Key::C, NONE, "C", "Hide or show the curves"),
    key(Action::Shortcuts, Key::Questionmark, NONE, "?", "Keys and mouse"),
    key(Action::Shortcuts, Key::F1, NONE, "F1", "Keys and mouse"),
];

/// What the mouse does, for the overlay and the README.
pub const MOUSE: &[(&str, &str)] = &[
    ("Drag the picture", "Turn around the face"),
    ("Shift, middle or right drag", "Move the picture"),
    ("Wheel, pinch", "Zoom to the pointer"),
    ("Double click the picture", "Frame the face"),
    ("Drag a slider", "Value follows the pointer, 0 to 1"),
    ("Shift-drag a slider", "Below 0 and above 1"),
    ("Ctrl-drag a slider", "Ten times finer"),
    ("Double click a slider", "Back to rest"),
    ("Click its number, Enter", "Type any value"),
    ("Left, Right on a slider", "0.01 less or more; with Shift 0.1"),
    ("Wheel on a chosen slider", "0.02 less or more"),
    ("Home, Delete on a slider", "Back to rest"),
    ("Drag the curves", "Scrub through clip, take and keys"),
    ("Drag a key on them", "Move it; Esc puts it back"),
    ("Right click a key, Delete", "Take it away"),
    ("Wheel, Ctrl+wheel on the curves", "Zoom in time, in value"),
    ("Shift, middle or right drag there", "Move the curves"),
    ("Double click the curves", "Show all of them"),
    ("Click a pose, Enter", "Go over to it"),
    ("Drag a pose", "Sort it"),
    ("Double click its name, F2", "Rename it"),
];

/// The first row for an action.
pub fn find(action: Action) -> Option<&'static Shortcut> {
    SHORTCUTS.iter().find(|shortcut| shortcut.action == action)
}

impl Action {
    /// Whether it is about the row under the pointer, which only the layout of this frame knows.
    fn is_of_row(self) -> bool {
        matches!(self, Self::KeyRow | Self::MuteRow | Self::SoloRow)
    }
}

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
    if state.shortcuts_open && ctx.input_mut(|input| input.consume_key(NONE, Key::Escape)) {
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

/// Does it.
pub fn act(
    action: Action,
    session: &mut Session,
    state: &mut UiState,
    view: &WindowView<'_>,
    commands: &mut Vec<Command>,
) {
    match action {
        Action::Open => commands.push(Command::OpenDialog),
        Action::SaveProject => commands.push(Command::SaveProject),
        Action::SaveProjectAs => commands.push(Command::SaveProjectAs),
        Action::Quit => commands.push(Command::Quit),
        Action::Undo => {
            session.undo();
        }
        Action::Redo => {
            session.redo();
        }
        Action::ResetAll => session.reset_all(),
        Action::KeepFace => {
            (state.panels.right_open, state.panels.page) = (true, Page::Poses);
            poses::keep_face(session, state);
        }
        Action::MirrorFace => session.mirror_mix(),
        Action::KeyRow | Action::MuteRow | Action::SoloRow => {
            if let Some(channel) = state.row_at_hand.filter(|&channel| channel < session.head.channels.len()) {
                match action {
                    Action::KeyRow => session.key_channel(channel),
                    Action::MuteRow => session.toggle_mute(channel),
                    _ => session.toggle_solo(channel),
                }
            }
        }
        Action::Search => {
            state.panels.left_open = true;
            state.wants_search = true;
        }
        Action::Mode(mode) => {
            let index = BlendMode::ALL.iter().position(|&other| other == mode);
            if index.is_some_and(|index| view.readout.unavailable[index].is_none()) {
                session.mode = mode;
            }
        }
        Action::PlayPause => session.toggle_playing(),
        Action::Loop => session.playback.looping = !session.playback.looping,
        Action::Step(millis) => session.step(millis as f32 / 1000.0),
        Action::Rewind => session.seek(0.0),
        Action::Look(preset) => session.camera.look_from(preset),
        Action::Frame => session.camera.frame(session.head.focus, state.aspect()),
        Action::TogglePanels => {
            let open = !(state.panels.left_open || state.panels.right_open);
            (state.panels.left_open, state.panels.right_open) = (open, open);
        }
        Action::ToggleCurves => state.panels.curves_open = !state.panels.curves_open,
        Action::Shortcuts => state.shortcuts_open = !state.shortcuts_open,
    }
}
