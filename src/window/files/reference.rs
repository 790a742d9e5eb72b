//! The reference that is opened beside the face.

use std::path::PathBuf;

use crate::window::viewer::Viewer;
use smirk_editor::session::Reference;
use smirk_files::reference::ImageSequence;

impl Viewer {
    /// Opens an image, or the sequence that it or a folder holds, as the reference.
    pub(in crate::window) fn open_reference(&mut self, path: PathBuf) {
        let path = std::path::absolute(&path).unwrap_or(path);
        self.jobs.reference.choose(path, self.jobs.events.job_notifier());
    }

    /// Shows a reference that was opened. It takes the place and the opacity of the one before.
    pub(in crate::window) fn take_reference(&mut self) {
        match self.jobs.reference.take_chosen() {
            None => {}
            Some(Err(problem)) => self.notices.fail("The reference does not open", problem),
            Some(Ok(path)) => {
                let edits = &mut self.document.session.edits;
                let new = match &edits.reference {
                    Some(before) => Reference { place: before.place, opacity: before.opacity, ..Reference::new(path) },
                    None => Reference::new(path),
                };
                edits.reference = Some(new);
                self.document.session.commit();
            }
        }
    }
}

/// Whether files that were dropped together are one image or one folder.
pub(super) fn is_reference(files: &[PathBuf]) -> bool {
    matches!(files, [file] if ImageSequence::is_image(file) || file.is_dir())
}
