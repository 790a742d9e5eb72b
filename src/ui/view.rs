//! What the panels show besides the session.

use std::path::PathBuf;

use crate::document::DocumentStatus;
use crate::lint::Finding;
use crate::readout::{Loading, Readout};
use crate::thumbnails::Thumbnails;

/// What the window shows besides the session.
#[derive(Clone, Copy, Debug)]
pub struct WindowView<'a> {
    /// Figures.
    pub readout: &'a Readout,
    /// What the loader is doing.
    pub loading: &'a Loading,
    /// Of projects and unsaved work.
    pub files: &'a DocumentStatus,
    /// Files opened before, latest first.
    pub recent: &'a [PathBuf],
    /// Pictures of poses.
    pub thumbnails: &'a Thumbnails,
    /// What the lint found in the head; none while it looks.
    pub findings: Option<&'a [Finding]>,
    /// Someone holds a file over the window.
    pub hovering_file: bool,
}
