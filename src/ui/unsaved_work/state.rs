//! What the list of unsaved work remembers between frames.

use std::collections::HashSet;

use smirk_editor::document::{UnsavedWork, WorkPlace};
use smirk_editor::session::WorkId;

use super::pictures::WorkPictures;

/// The state of the list. While it is open, rows stay where they are: a second click never hits another work.
#[derive(Debug, Default)]
pub struct WorkList {
    /// Whether it is shown.
    pub is_open: bool,
    /// Why the last request failed.
    pub problem: Option<String>,
    /// What was in the trash when the list was opened.
    in_trash: HashSet<WorkId>,
    /// What has to be confirmed by a second click, on another button.
    pub(super) question: Option<Question>,
    pub(super) pictures: WorkPictures,
}

/// What the artist is asked to confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    Delete(WorkId),
    TakeOver(WorkId),
    EmptyTrash,
}

impl WorkList {
    /// Opens the list of these works.
    pub fn open(&mut self, works: &[UnsavedWork]) {
        let trashed = works.iter().filter(|work| work.place == WorkPlace::Trash);
        *self = Self { is_open: true, in_trash: trashed.map(|work| work.id).collect(), ..Self::default() };
    }

    /// Closes it.
    pub fn close(&mut self) {
        *self = Self::default();
    }

    /// Whether a work is listed below, in the trash. What was moved there since the list was opened stays in its place.
    pub(super) fn is_in_trash_section(&self, work: &UnsavedWork) -> bool {
        work.place == WorkPlace::Trash && self.in_trash.contains(&work.id)
    }
}
