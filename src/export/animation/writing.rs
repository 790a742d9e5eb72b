//! The progress of the text or the bytes of a file, and the way to cancel them.

use std::ops::ControlFlow;

use crate::export::ExportProgress;

/// Tells how far the content of a file is.
pub(super) struct Writing<'a> {
    progress: &'a ExportProgress<'a>,
    /// The part of the export that is done when the writing begins. It ends at 1.
    begins: f32,
}

impl<'a> Writing<'a> {
    /// So many frames or shapes are written between two looks at the progress.
    const STEP: usize = 16;

    /// The writing of a file, which begins when this part of the export (0..1) is done.
    pub(super) fn new(progress: &'a ExportProgress<'a>, begins: f32) -> Self {
        Self { progress, begins }
    }

    /// Called before each of so many parts of the file. `Break` if the rest is not wanted.
    pub(super) fn part(&self, index: usize, count: usize) -> ControlFlow<()> {
        if !index.is_multiple_of(Self::STEP) {
            return ControlFlow::Continue(());
        }
        let done = index as f32 / count.max(1) as f32;
        (self.progress)("writing", self.begins + (1.0 - self.begins) * done)
    }
}
