//! What keys, menus and buttons do.

use crate::blend::BlendMode;
use crate::session::{Command, Session};
use crate::ui::{Page, UiState, WindowView};

use super::table::Action;

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
            state.keep_face(session);
        }
        Action::MirrorFace => session.mirror_mix(),
        Action::KeyRow => edit_row(session, state, Session::key_channel),
        Action::MuteRow => edit_row(session, state, Session::toggle_mute),
        Action::SoloRow => edit_row(session, state, Session::toggle_solo),
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

/// Edits the channel that the pointer is on, else the one in focus; none if the list shows neither.
fn edit_row(session: &mut Session, state: &UiState, edit: impl FnOnce(&mut Session, usize)) {
    if let Some(channel) = state.row_at_hand.filter(|&channel| channel < session.head.channels.len()) {
        edit(session, channel);
    }
}
