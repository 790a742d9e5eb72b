//! The Motion page: live capture, takes and their edits, the sound, the turns of head and eyes, the sequence, blinking, gaze and
//! the blend rule.

mod blink;
mod edits;
mod gaze;
mod head_and_eyes;
mod live;
mod rule;
mod sequence;
mod sound;
mod takes;

use smirk_editor::document::DocumentStatus;
use smirk_editor::session::{Command, Session};

pub(super) use edits::TakeEditsState;
pub use live::{LivePanel, LiveView, RecordingView, SILENT_AFTER};

use super::{SoundView, UiState, theme};

/// Shows the page.
pub(super) fn motion_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    files: &DocumentStatus,
    sound: &SoundView,
    live: &LiveView,
    commands: &mut Vec<Command>,
) {
    live::live_ui(ui, session, state, live, commands);
    ui.add_space(theme::GAP_LARGE);
    takes::takes_ui(ui, session, state, &files.missing_takes, commands);
    ui.add_space(theme::GAP_LARGE);
    sound::sound_ui(ui, session, state, sound, commands);
    ui.add_space(theme::GAP_LARGE);
    head_and_eyes::head_and_eyes_ui(ui, session);
    ui.add_space(theme::GAP_LARGE);
    sequence::sequence_ui(ui, session, state);
    ui.add_space(theme::GAP_LARGE);
    blink::blink_ui(ui, session, state, commands);
    ui.add_space(theme::GAP_LARGE);
    gaze::gaze_ui(ui, session, state);
    ui.add_space(theme::GAP_LARGE);
    rule::rule_ui(ui, session);
    rule::correctives_ui(ui, session);
    ui.add_space(theme::GAP_LARGE);
    live::sending_ui(ui, &mut state.live, live);
}
