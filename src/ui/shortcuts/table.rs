//! Keys: one table that the menus, the overlay, the README and the keyboard all read.

use egui::{Key, Modifiers};

use crate::blend::BlendMode;
use crate::scene::View;

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
    pub fn is_of_row(self) -> bool {
        matches!(self, Self::KeyRow | Self::MuteRow | Self::SoloRow)
    }
}
