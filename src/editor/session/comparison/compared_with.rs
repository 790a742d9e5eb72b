//! What the face is compared with.

use std::sync::Arc;

use super::super::{Edits, Revision};
use smirk_face::head::Head;

/// What the face is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ComparedWith {
    /// The take whose curves are drawn for comparison, in the place of the take that plays.
    #[default]
    Take,
    /// The take that plays as it was recorded: without gain, calibration and keys, and with nothing else that moves the face.
    Recording,
    /// The session as it was saved last; before that, as it was opened.
    Saved,
    /// Another version of the head, which is open beside it.
    Version,
}

impl ComparedWith {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Take, Self::Recording, Self::Saved, Self::Version];

    /// Its name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Take => "Compared take",
            Self::Recording => "Untouched recording",
            Self::Saved => "State at the last save",
            Self::Version => "Another version of the head",
        }
    }

    /// Why there is nothing to compare with, and what to do.
    pub fn why_none(self) -> &'static str {
        match self {
            Self::Take => "No take to compare with: choose one in the menu of A/B",
            Self::Recording => "No take plays: choose one in the transport bar",
            Self::Saved => "No saved state of this head: save the project first",
            Self::Version => "No version to compare with: choose File › Compare with…",
        }
    }
}

/// B, which is made when it is asked for. `S` is the session.
#[derive(Clone, Debug)]
pub(in crate::session) struct Comparison<S> {
    /// The edits of the last save.
    pub saved: Option<Arc<Edits>>,
    /// B, and what it was made from; `None` inside if there is nothing to compare with.
    pub b: Option<(MadeFrom, Option<Box<S>>)>,
}

impl<S> Default for Comparison<S> {
    fn default() -> Self {
        Self { saved: None, b: None }
    }
}

/// What B was made from. It is made again when one of them differs.
#[derive(Clone, Debug)]
pub(in crate::session) struct MadeFrom {
    pub with: ComparedWith,
    pub edits: Revision,
    pub saved: Option<Arc<Edits>>,
    pub head: Arc<Head>,
    pub clips: Vec<usize>,
}

impl MadeFrom {
    /// Whether both make the same B.
    pub(in crate::session) fn equals(&self, other: &Self) -> bool {
        let is_same_save = self.saved.as_ref().map(Arc::as_ptr) == other.saved.as_ref().map(Arc::as_ptr);
        let is_same_head = Arc::ptr_eq(&self.head, &other.head);
        (self.with, self.edits, &self.clips) == (other.with, other.edits, &other.clips) && is_same_save && is_same_head
    }
}
