//! What every panel reads and edits.

use std::sync::Arc;

use smirk_face::motion::Mix;
use smirk_session::Session;

use crate::command::Command;
use crate::readings::Readings;
use crate::shortcuts::Action;
use crate::state::{HeadMarks, UiState};
use crate::thumbnails::VisiblePictures;

/// What every panel reads and edits. There is one for each frame.
pub(crate) struct PanelContext<'a> {
    pub session: &'a mut Session,
    /// What several panels and the window share of the user interface's own state.
    pub state: &'a mut UiState,
    pub marks: &'a mut HeadMarks,
    pub readings: &'a Readings<'a>,
    /// The mix that is shown in this frame.
    pub mix: Arc<Mix>,
    pub commands: Vec<Command>,
    /// The actions of buttons and menu items that also have keys. They are performed after the panel is shown.
    pub actions: Vec<Action>,
    /// Whether the list of unsaved work covers the window.
    pub shows_work_list: bool,
}

impl PanelContext<'_> {
    /// What is laid out in this frame with a thumbnail.
    pub(crate) fn visible_pictures(&mut self) -> &mut VisiblePictures {
        self.state.visible_pictures.get_or_default(&self.session.head)
    }

    pub(crate) fn show_status(&mut self, text: impl Into<String>) {
        self.commands.push(Command::ShowStatus(text.into()));
    }

    /// Whether something covers the window, so that keys do not act on the panels.
    pub(crate) fn is_covered(&self) -> bool {
        self.state.overlay.is_some() || self.shows_work_list || self.readings.prompt.is_some()
    }
}
