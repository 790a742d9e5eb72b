//! The progress of the text or the bytes of a file, and the way to cancel them.

use std::ops::ControlFlow;

use crate::export::ExportProgress;

/// Tells how far the content of a file is.
pub(super) struct Writing<'a> {
    progress: &'a ExportProgress<'a>,
    /// The part of the export (0..1) that is done when the writing begins, and when it ends.
    range: [f32; 2],
}

impl<'a> Writing<'a> {
    /// So many frames or shapes are written between two looks at the progress.
    const STEP: usize = 16;

    /// The writing of a file, which begins when this part of the export (0..1) is done.
    pub(super) fn new(progress: &'a ExportProgress<'a>, begins: f32) -> Self {
        Self { progress, range: [begins, 1.0] }
    }

    /// The writing of one of so many sections.
    pub(super) fn section(&self, index: usize, count: usize) -> Self {
        Self { progress: self.progress, range: [index, index + 1].map(|at| self.at(at, count)) }
    }

    fn at(&self, index: usize, count: usize) -> f32 {
        let [begin, end] = self.range;
        begin + (end - begin) * (index as f32 / count.max(1) as f32)
    }

    /// Called before each of so many parts of the file. `Break` if the rest is not wanted.
    pub(super) fn part(&self, index: usize, count: usize) -> ControlFlow<()> {
        if !index.is_multiple_of(Self::STEP) {
            return ControlFlow::Continue(());
        }
        (self.progress)("writing", self.at(index, count))
    }
}
