//! Live capture: whether and where Smirk listens, what arrives, how it is mapped and smoothed, and recording.

mod arriving;
mod columns;
mod filtering;
mod listening;
mod panel;
mod recording;
mod sending;
mod view;

use crate::widgets::title_ui;
use crate::{UiState, theme};
use smirk_editor::session::{Command, Session};

pub use panel::LivePanel;
pub(super) use sending::sending_ui;
pub use view::{LiveView, RecordingView, SILENT_AFTER};

/// Shows the section.
pub(super) fn live_ui(
    ui: &mut egui::Ui,
    session: &mut Session,
    state: &mut UiState,
    view: &LiveView,
    commands: &mut Vec<Command>,
) {
    title_ui(ui, "Live", |ui| {
        let listen = ui.checkbox(&mut state.live.is_on, "Listen").accessible_name("Listen for live faces");
        listen.on_hover_text("Open the ports at which face-capture apps send. Off, no port is open");
        if state.live.is_on {
            let mut drives = session.live_drives();
            let face = ui.checkbox(&mut drives, "On the face").accessible_name("Live on the face");
            let tip = "Show the live face, above clip and take. Choosing a take to play switches it off";
            if face.on_hover_text(tip).changed() {
                session.set_live_drives(drives);
            }
        }
    });
    if !state.live.is_on {
        ui.weak(
            "The face of a performer, from Live Link Face, iFacialMocap, VMC, VTube Studio, OpenSeeFace or MediaPipe.",
        );
        return;
    }
    listening::listening_ui(ui, &mut state.live, view);
    arriving::arriving_ui(ui, session, view);
    ui.add_space(theme::GAP_SMALL);
    recording::recording_ui(ui, &mut state.live, view, commands);
    ui.add_space(theme::GAP_SMALL);
    filtering::filtering_ui(ui, session, state, view);
    columns::columns_ui(ui, session, state, view, commands);
}
