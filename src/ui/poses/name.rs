//! A pose's name, and the field over it while it is typed anew.

use egui::{Align2, Id, Rect, vec2};

use crate::motion::PoseId;
use crate::session::Session;
use crate::ui::theme;
use crate::ui::widgets::{Look, Outcome, Typing};

/// A name that is being typed.
#[derive(Clone, Debug)]
pub struct Renaming {
    /// Whose.
    pub id: PoseId,
    typing: Typing,
}

impl Renaming {
    /// Opens the field over a pose's name.
    pub fn begin(session: &Session, id: PoseId) -> Option<Self> {
        Some(Self { id, typing: Typing::begin(&session.edits.pose(id)?.name) })
    }

    /// Shows the field; false when it is done.
    pub fn field_ui(&mut self, ui: &mut egui::Ui, rect: Rect, session: &mut Session) -> bool {
        let id = Id::unique(("pose name", self.id));
        let look = Look { name: "Name of the pose", font: theme::small_font(), align: Align2::CENTER_CENTER };
        match self.typing.field_ui(ui, id, rect.shrink2(vec2(0.0, 1.0)), look) {
            Outcome::Open => return true,
            Outcome::Typed(name) => session.rename_pose(self.id, &name),
            Outcome::GivenUp => {}
        }
        false
    }
}
