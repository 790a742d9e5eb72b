//! What keys, menu items and buttons do, and the table of all keyboard shortcuts and mouse gestures. Menus, tooltips,
//! the overlay, the documentation and the keyboard handler all read it.

use strum::{IntoStaticStr, VariantArray};

use egui::{Key, Modifiers};

use smirk_face::head::Frame;
use smirk_scene::{BlendMode, View, ViewMode};

/// What a shortcut, a menu item or a button does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    OpenMenu(Menu),
    New,
    Open,
    /// Close the project and the head.
    Close,
    SaveProject,
    SaveProjectAs,
    Export,
    Quit,
    Undo,
    Redo,
    ResetAll,
    SavePose,
    MirrorFace,
    /// Set keys on the channel, the region or the pose under the pointer, else on the face.
    KeyChannel,
    /// Set keys on all channels that a slider or a pose has moved, and on all that have keys.
    KeyFace,
    /// Set keys only on the channels that the pose under the pointer names, else on those that were moved.
    KeyOnly,
    /// Set keys while a slider is dragged, or not.
    AutoKeys,
    MuteChannel,
    SoloChannel,
    /// Move the keyboard focus to the search field.
    Search,
    SetMode(BlendMode),
    /// Apply the pose that has this digit.
    ApplyPose(u8),
    PlayPause,
    Loop,
    /// Begin to record the live face, or end it.
    Record,
    Listen,
    Step(i32),
    StepFrames(i32),
    AddMarker,
    /// Add a review note on what is seen, and on the channel under the pointer.
    AddNote,
    /// Go to the next of the listed notes, or with `false` to the one before.
    NextNote(bool),
    /// Move the play head to the next marker, or to the one before.
    GoToMarker {
        is_next: bool,
    },
    /// Set where playback starts to the play head, or clear it.
    SetIn(bool),
    /// Set where playback ends to the play head, or clear it.
    SetOut(bool),
    /// Do something with the keys of the curves panel, while the pointer is over it.
    Curves(CurvesAction),
    /// Move the play head to the next key, or to the one before.
    GoToKey {
        is_next: bool,
    },
    Rewind,
    GoToEnd,
    /// Put the picture on the clipboard.
    CopyPicture,
    SetView(View),
    SetViewMode(ViewMode),
    /// Choose the next of these, or with `false` the one before.
    NextViewMode(bool),
    IsolateFace,
    /// Choose the next way in which B is shown: while it is held, beside A, over A.
    NextShownB,
    /// Show the reference over the face instead of beside it, or the other way round.
    ReferencePlace,
    /// Turn the camera around the face by this many steps, to the right and down.
    Orbit(i8, i8),
    /// Fit a part of the head into the viewport.
    Frame(Frame),
    TogglePanels,
    ToggleCurves,
    Shortcuts,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray, IntoStaticStr)]
pub enum Menu {
    File,
    Edit,
    View,
    Help,
}

impl Menu {
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name, which begins with the letter that opens it together with Alt.
    pub(crate) fn name(self) -> &'static str {
        self.into()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CurvesAction {
    Delete,
    Copy,
    Cut,
    Paste,
    SelectAll,
    /// Set the selected keys on the other side of the face.
    Mirror,
    /// Show only the curves of the selected keys, or all curves again.
    Isolate,
    FitSelection,
    FitAll,
    /// Draw each curve with its own range of values, or all with one.
    Normalise,
    DopeSheet,
    ListColumns,
    /// Insert as much time as is between in and out, at the in point, into everything on the timeline.
    InsertTime,
    DeleteTime,
}

#[derive(Clone, Copy, Debug)]
pub struct Shortcut {
    pub action: Action,
    pub key: Key,
    pub modifiers: Modifiers,
    /// The keys as text, such as `Ctrl+O`.
    pub keys: &'static str,
    pub text: &'static str,
    /// Whether the shortcut is ignored while a widget has the keyboard focus, because widgets use this key themselves.
    pub needs_no_focus: bool,
}

const fn key(action: Action, key: Key, modifiers: Modifiers, keys: &'static str, text: &'static str) -> Shortcut {
    Shortcut { action, key, modifiers, keys, text, needs_no_focus: false }
}

const fn unfocused(action: Action, key: Key, modifiers: Modifiers, keys: &'static str, text: &'static str) -> Shortcut {
    Shortcut { action, key, modifiers, keys, text, needs_no_focus: true }
}

const fn mode_key(mode: BlendMode) -> Shortcut {
    let (number_key, keys, text) = match mode {
        BlendMode::Cpu => (Key::Num1, "Ctrl+1", "Blend on the CPU"),
        BlendMode::Vertex => (Key::Num2, "Ctrl+2", "Blend in the vertex shader"),
        BlendMode::Compute => (Key::Num3, "Ctrl+3", "Blend in a compute pass"),
        BlendMode::Multipass => (Key::Num4, "Ctrl+4", "Blend in several passes"),
    };
    key(Action::SetMode(mode), number_key, CTRL, keys, text)
}

const fn pose_key(digit: u8) -> Shortcut {
    let (number_key, keys, text) = [
        (Key::Num0, "0", "Apply pose 0"),
        (Key::Num1, "1", "Apply pose 1"),
        (Key::Num2, "2", "Apply pose 2"),
        (Key::Num3, "3", "Apply pose 3"),
        (Key::Num4, "4", "Apply pose 4"),
        (Key::Num5, "5", "Apply pose 5"),
        (Key::Num6, "6", "Apply pose 6"),
        (Key::Num7, "7", "Apply pose 7"),
        (Key::Num8, "8", "Apply pose 8"),
        (Key::Num9, "9", "Apply pose 9"),
    ][digit as usize];
    key(Action::ApplyPose(digit), number_key, NONE, keys, text)
}

const NONE: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..Modifiers::COMMAND };

/// All shortcuts. Where two rows share a key, the one with more modifiers comes first.
pub const SHORTCUTS: &[Shortcut] = &[
    key(Action::New, Key::N, CTRL, "Ctrl+N", "New"),
    key(Action::Open, Key::O, CTRL, "Ctrl+O", "Open…"),
    key(Action::Close, Key::W, CTRL, "Ctrl+W", "Close project"),
    key(Action::SaveProjectAs, Key::S, CTRL_SHIFT, "Ctrl+Shift+S", "Save project as…"),
    key(Action::SaveProject, Key::S, CTRL, "Ctrl+S", "Save project"),
    key(Action::Export, Key::E, CTRL, "Ctrl+E", "Export…"),
    key(Action::Quit, Key::Q, CTRL, "Ctrl+Q", "Quit"),
    key(Action::Redo, Key::Z, CTRL_SHIFT, "Ctrl+Shift+Z", "Redo"),
    key(Action::Redo, Key::Y, CTRL, "Ctrl+Y", "Redo"),
    key(Action::Undo, Key::Z, CTRL, "Ctrl+Z", "Undo"),
    key(Action::ResetAll, Key::R, CTRL, "Ctrl+R", "Reset all channels"),
    key(Action::Search, Key::F, CTRL, "Ctrl+F", "Search channels"),
    key(Action::SavePose, Key::K, CTRL, "Ctrl+K", "Save the face as a pose"),
    key(Action::MirrorFace, Key::M, CTRL, "Ctrl+M", "Mirror the face"),
    key(Action::SetViewMode(ViewMode::Heat), Key::H, CTRL, "Ctrl+H", "Show the heat map"),
    key(Action::AddMarker, Key::M, Modifiers::ALT, "Alt+M", "Add a marker at the play head"),
    key(
        Action::AddNote,
        Key::N,
        Modifiers::SHIFT,
        "Shift+N",
        "Add a review note, also on the channel under the pointer",
    ),
    key(Action::NextNote(false), Key::J, Modifiers::SHIFT, "Shift+J", "Go to the note before"),
    key(Action::NextNote(true), Key::J, NONE, "J", "Go to the next note"),
    key(Action::AutoKeys, Key::K, Modifiers::ALT, "Alt+K", "Auto key on or off: a dragged slider sets keys"),
    key(Action::KeyOnly, Key::K, CTRL_SHIFT, "Ctrl+Shift+K", "Key only its channels, or those moved"),
    key(Action::KeyFace, Key::K, Modifiers::SHIFT, "Shift+K", "Key the face"),
    key(Action::KeyChannel, Key::K, NONE, "K", "Key the channel, region or pose under the pointer, else all"),
    key(Action::MuteChannel, Key::M, NONE, "M", "Mute or unmute that channel"),
    key(Action::SoloChannel, Key::S, NONE, "S", "Solo or unsolo that channel"),
    mode_key(BlendMode::Cpu),
    mode_key(BlendMode::Vertex),
    mode_key(BlendMode::Compute),
    mode_key(BlendMode::Multipass),
    pose_key(1),
    pose_key(2),
    pose_key(3),
    pose_key(4),
    pose_key(5),
    pose_key(6),
    pose_key(7),
    pose_key(8),
    pose_key(9),
    pose_key(0),
    key(Action::PlayPause, Key::Space, NONE, "Space", "Play or pause"),
    key(Action::Loop, Key::L, NONE, "L", "Loop on or off"),
    key(Action::GoToMarker { is_next: false }, Key::ArrowLeft, CTRL, "Ctrl+Left", "Go to the marker before"),
    key(Action::GoToMarker { is_next: true }, Key::ArrowRight, CTRL, "Ctrl+Right", "Go to the next marker"),
    key(Action::Listen, Key::T, Modifiers::SHIFT, "Shift+T", "Listen for live faces, or not"),
    key(Action::Record, Key::T, NONE, "T", "Record the live face, or end the recording"),
    key(Action::Step(-500), Key::ArrowLeft, Modifiers::SHIFT, "Shift+Left", "Half a second back"),
    key(Action::Step(500), Key::ArrowRight, Modifiers::SHIFT, "Shift+Right", "Half a second forward"),
    key(Action::StepFrames(-1), Key::ArrowLeft, NONE, "Left", "One frame back"),
    key(Action::StepFrames(1), Key::ArrowRight, NONE, "Right", "One frame forward"),
    key(Action::GoToKey { is_next: false }, Key::Comma, NONE, ",", "Go to the key before"),
    key(Action::GoToKey { is_next: true }, Key::Period, NONE, ".", "Go to the next key"),
    unfocused(Action::Rewind, Key::Home, NONE, "Home", "Go to the start"),
    unfocused(Action::GoToEnd, Key::End, NONE, "End", "Go to the end"),
    key(Action::SetIn(false), Key::I, Modifiers::ALT, "Alt+I", "Clear the in point"),
    key(Action::SetOut(false), Key::O, Modifiers::ALT, "Alt+O", "Clear the out point"),
    key(
        Action::Curves(CurvesAction::InsertTime),
        Key::I,
        CTRL,
        "Ctrl+I",
        "Over the curves: insert time from in to out into everything",
    ),
    key(Action::SetIn(true), Key::I, NONE, "I", "Set the in point at the play head"),
    key(Action::SetOut(true), Key::O, NONE, "O", "Set the out point at the play head"),
    key(
        Action::Curves(CurvesAction::DeleteTime),
        Key::Delete,
        CTRL,
        "Ctrl+Delete",
        "Over the curves: delete time from in to out from everything",
    ),
    key(Action::Curves(CurvesAction::Delete), Key::Delete, NONE, "Delete", "Over the curves: delete the selected keys"),
    key(
        Action::Curves(CurvesAction::Delete),
        Key::Backspace,
        NONE,
        "Backspace",
        "Over the curves: delete the selected keys",
    ),
    key(Action::Curves(CurvesAction::Copy), Key::C, CTRL, "Ctrl+C", "Over the curves: copy the selected keys"),
    key(Action::Curves(CurvesAction::Cut), Key::X, CTRL, "Ctrl+X", "Over the curves: cut the selected keys"),
    key(
        Action::Curves(CurvesAction::Paste),
        Key::V,
        CTRL,
        "Ctrl+V",
        "Over the curves: paste keys at the play head, onto the selected rows",
    ),
    key(Action::Curves(CurvesAction::SelectAll), Key::A, CTRL, "Ctrl+A", "Over the curves: select all keys"),
    key(Action::Curves(CurvesAction::FitAll), Key::A, NONE, "A", "Over the curves: fit all"),
    key(Action::Curves(CurvesAction::FitSelection), Key::F, NONE, "F", "Over the curves: fit the selected keys"),
    key(
        Action::Curves(CurvesAction::Isolate),
        Key::H,
        NONE,
        "H",
        "Over the curves: show only those of the selected keys, or all",
    ),
    key(
        Action::Curves(CurvesAction::Mirror),
        Key::M,
        Modifiers::SHIFT,
        "Shift+M",
        "Over the curves: mirror the selected keys left and right",
    ),
    key(Action::Curves(CurvesAction::Normalise), Key::N, NONE, "N", "Over the curves: each with its own range"),
    key(Action::Curves(CurvesAction::DopeSheet), Key::D, NONE, "D", "Over the curves: dope sheet or graph"),
    key(Action::SetView(View::Front), Key::Q, NONE, "Q", "Front view"),
    key(Action::SetView(View::ThreeQuarter), Key::W, NONE, "W", "Three-quarter view"),
    key(Action::SetView(View::Left), Key::E, NONE, "E", "Left side of the face"),
    key(Action::SetView(View::Right), Key::R, NONE, "R", "Right side of the face"),
    unfocused(Action::Orbit(-1, 0), Key::ArrowLeft, Modifiers::ALT, "Alt+Left", "Turn the camera to the left"),
    unfocused(Action::Orbit(1, 0), Key::ArrowRight, Modifiers::ALT, "Alt+Right", "Turn the camera to the right"),
    unfocused(Action::Orbit(0, -1), Key::ArrowUp, Modifiers::ALT, "Alt+Up", "Turn the camera up"),
    unfocused(Action::Orbit(0, 1), Key::ArrowDown, Modifiers::ALT, "Alt+Down", "Turn the camera down"),
    key(Action::Frame(Frame::Face), Key::F, NONE, "F", "Frame the face"),
    key(Action::CopyPicture, Key::C, CTRL_SHIFT, "Ctrl+Shift+C", "Copy picture"),
    key(Action::SetViewMode(ViewMode::Shaded), Key::Num5, CTRL, "Ctrl+5", "Show the materials"),
    key(Action::SetViewMode(ViewMode::Clay), Key::Num6, CTRL, "Ctrl+6", "Show grey clay"),
    key(Action::SetViewMode(ViewMode::Matcap), Key::Num7, CTRL, "Ctrl+7", "Show a matcap"),
    key(Action::SetViewMode(ViewMode::Wireframe), Key::Num8, CTRL, "Ctrl+8", "Show the wireframe over the materials"),
    key(Action::SetViewMode(ViewMode::Normals), Key::Num9, CTRL, "Ctrl+9", "Show the normals"),
    key(Action::NextViewMode(false), Key::V, Modifiers::SHIFT, "Shift+V", "Previous view of the surface"),
    key(Action::NextViewMode(true), Key::V, NONE, "V", "Next view of the surface"),
    key(Action::IsolateFace, Key::H, NONE, "H", "Hide hair and lashes, or show them"),
    key(Action::NextShownB, Key::B, Modifiers::SHIFT, "Shift+B", "B beside A, over A, or while B is held"),
    key(Action::ReferencePlace, Key::G, NONE, "G", "Reference over the face, or beside it"),
    key(Action::TogglePanels, Key::P, NONE, "P", "Hide or show the panels"),
    key(Action::ToggleCurves, Key::C, NONE, "C", "Hide or show the curves"),
    key(Action::Shortcuts, Key::Questionmark, NONE, "?", "Keys and mouse"),
    key(Action::Shortcuts, Key::F1, NONE, "F1", "Keys and mouse"),
    key(Action::OpenMenu(Menu::File), Key::F10, NONE, "F10", "File menu"),
    key(Action::OpenMenu(Menu::File), Key::F, Modifiers::ALT, "Alt+F", "File menu"),
    key(Action::OpenMenu(Menu::Edit), Key::E, Modifiers::ALT, "Alt+E", "Edit menu"),
    key(Action::OpenMenu(Menu::View), Key::V, Modifiers::ALT, "Alt+V", "View menu"),
    key(Action::OpenMenu(Menu::Help), Key::H, Modifiers::ALT, "Alt+H", "Help menu"),
];

/// What the mouse and the keys of focused widgets do, as text: a group of the list, the gesture, and what it does.
pub const MOUSE: &[(&str, &str, &str)] = &[
    ("Picture", "Drag in the viewport", "Orbit"),
    ("Picture", "Shift, middle or right drag", "Pan"),
    ("Picture", "Wheel, pinch", "Zoom to the pointer"),
    ("Picture", "Double-click the viewport", "Frame the face"),
    ("Picture", "Right-click the face", "What moves it: heat map, solo, its row"),
    ("Picture", "Ctrl over the face", "Name the mesh there and the channels that move it"),
    ("Picture", "Ctrl-click the face", "Go to the rows of these channels"),
    ("Picture", "Ctrl-drag the face", "Move what fits the drag; Shift: both sides, Alt: one"),
    ("Picture", "Arrows on the face, Enter", "Move a cursor over it; what moves the point there"),
    ("Picture", "Drag, wheel on the reference", "Move it, zoom; a double-click shows all of it"),
    ("Picture", "Hold B", "See what the face is compared with"),
    ("Sliders and controls", "Drag a slider", "Set the value, 0 to 1"),
    ("Sliders and controls", "Shift-drag a slider", "Go below 0 and above 1"),
    ("Sliders and controls", "Ctrl-drag a slider", "Ten times finer"),
    ("Sliders and controls", "Alt-drag a linked slider", "Move its side alone"),
    ("Sliders and controls", "Double-click a slider", "Reset it"),
    ("Sliders and controls", "Click its number, Enter, or type", "Type any value"),
    ("Sliders and controls", "Up, Down on a slider", "0.01 more or less; with Shift 0.1"),
    ("Sliders and controls", "Ctrl+wheel on a slider", "0.02 less or more"),
    ("Sliders and controls", "Home, Delete on a slider", "Reset it"),
    ("Sliders and controls", "Tab, Shift+Tab", "Go to the next or the previous control"),
    ("Sliders and controls", "Menu, Shift+F10", "Open the menu of what has the focus"),
    ("Timeline and curves", "Drag on the ruler", "Scrub the timeline; Ctrl: snap to frames, or not"),
    ("Timeline and curves", "Drag its corners", "Set in and out"),
    ("Timeline and curves", "Drag in the curves", "Select keys; Shift adds, Ctrl removes"),
    ("Timeline and curves", "Drag a key in the curves", "Move the selected keys; Shift: one axis; Esc cancels"),
    ("Timeline and curves", "Drag the box of several keys", "Scale them; Ctrl: about play head or rest"),
    ("Timeline and curves", "Drag a tangent", "Set its slope; Alt: of one side"),
    ("Timeline and curves", "Alt-drag in the dope sheet", "Move all that is later, the take too"),
    ("Timeline and curves", "Double-click a curve", "Insert a key"),
    ("Timeline and curves", "Click, drag a marker", "Go to it, move it; double-click renames it"),
    ("Timeline and curves", "Double-click between curves", "Show all of them"),
    ("Timeline and curves", "Wheel, Ctrl+wheel on the curves", "Zoom in time, in value"),
    ("Timeline and curves", "Middle or right drag there", "Pan"),
    ("Takes and poses", "Alt+Up, Alt+Down on an edit", "Move it in the list"),
    ("Takes and poses", "Click a pose, Enter", "Apply it"),
    ("Takes and poses", "Drag a pose", "Move it in the list, or onto the timeline: a key"),
    ("Takes and poses", "Click the name of a chosen pose, F2", "Rename it"),
];

pub(crate) fn keys_of(action: Action) -> &'static str {
    find(action).map_or("", |shortcut| shortcut.keys)
}

pub fn find(action: Action) -> Option<&'static Shortcut> {
    SHORTCUTS.iter().find(|shortcut| shortcut.action == action)
}

impl Action {
    pub(crate) fn group(self) -> &'static str {
        match self {
            Self::New
            | Self::Open
            | Self::Close
            | Self::SaveProject
            | Self::SaveProjectAs
            | Self::Export
            | Self::Quit => "File",
            Self::Undo | Self::Redo | Self::ResetAll | Self::SavePose | Self::MirrorFace | Self::Search => "Edit",
            Self::KeyChannel
            | Self::KeyFace
            | Self::KeyOnly
            | Self::AutoKeys
            | Self::MuteChannel
            | Self::SoloChannel => "Channels",
            Self::PlayPause | Self::Loop | Self::Step(_) | Self::StepFrames(_) => "Time",
            Self::GoToKey { .. } | Self::Rewind | Self::GoToEnd => "Time",
            Self::AddMarker | Self::GoToMarker { .. } | Self::SetIn(_) | Self::SetOut(_) => "Time",
            Self::AddNote | Self::NextNote(_) => "Notes",
            Self::Listen | Self::Record => "Live",
            Self::Curves(_) => "Curves",
            Self::SetMode(_) => "Blending",
            Self::ApplyPose(_) => "Poses",
            Self::SetView(_) | Self::SetViewMode(_) | Self::NextViewMode(_) | Self::Frame(_) => "Picture",
            Self::Orbit(..) | Self::CopyPicture => "Picture",
            Self::IsolateFace | Self::NextShownB | Self::ReferencePlace => "Picture",
            Self::OpenMenu(_) | Self::TogglePanels | Self::ToggleCurves | Self::Shortcuts => "Window",
        }
    }

    /// Whether the action needs the channel under the pointer, which is known only after the channel list was laid out.
    pub fn needs_channel(self) -> bool {
        matches!(self, Self::KeyChannel | Self::KeyOnly | Self::MuteChannel | Self::SoloChannel | Self::AddNote)
    }

    /// Whether the action is for the whole file, so that its keys also work while a text field has the keyboard focus.
    pub fn ends_typing(self) -> bool {
        matches!(
            self,
            Self::New | Self::Open | Self::Close | Self::SaveProject | Self::SaveProjectAs | Self::Export | Self::Quit
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_blend_mode_has_a_shortcut() {
        for &mode in BlendMode::ALL {
            assert!(find(Action::SetMode(mode)).is_some(), "{} has no row in SHORTCUTS", mode.label());
        }
    }
}
