//! Which review note is selected, which are listed, and what is done to the selected one.

use smirk_session::{NoteId, ReviewNote};

/// What the next click or drag on the picture is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteTool {
    /// A click pins the selected note to the face.
    Pin,
    /// Drags draw over the picture.
    Stroke,
    Arrow,
}

/// Which notes are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum NoteFilter {
    #[default]
    Open,
    Done,
    All,
}

impl NoteFilter {
    pub(crate) const ALL: [(Self, &str); 3] = [(Self::Open, "Open"), (Self::Done, "Done"), (Self::All, "All")];

    pub(crate) fn lists(self, note: &ReviewNote) -> bool {
        match self {
            Self::Open => note.is_open(),
            Self::Done => !note.is_open(),
            Self::All => true,
        }
    }
}

/// What the page, the picture and the time bar share of the notes.
#[derive(Debug, Default)]
pub(crate) struct NotesState {
    pub selected: Option<NoteId>,
    pub tool: Option<NoteTool>,
    pub filter: NoteFilter,
    /// Whether the page is to scroll to the selected note.
    pub reveals: bool,
    /// Whether it is to come to the top then, so that the buttons of each note that keys go to are in the same place.
    pub steps: bool,
    /// Whether the text of the selected note is to take the keyboard focus.
    pub edits_text: bool,
    /// What was typed since then, for the text.
    pub typed_ahead: Vec<egui::Event>,
    /// Whether the text of the selected note had the keyboard focus until this frame.
    pub is_typed: bool,
}

impl NotesState {
    pub(crate) fn select(&mut self, id: NoteId) {
        if self.selected != Some(id) {
            (self.selected, self.tool) = (Some(id), None);
        }
        self.reveals = true;
    }
}
