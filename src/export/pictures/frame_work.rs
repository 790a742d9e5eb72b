//! The pictures of many frames, drawn in batches and stored on other threads: as numbered files or as a film, for the
//! window and the command line.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::drawing::{PendingFrame, PictureDrawing};
use super::pipeline::Pipeline;
use crate::drawn::UnseenPictures;
use crate::{ExportError, Renderers};
use smirk_base::progress::Progress;

/// Where the pictures of frames are stored. What takes long is done on other threads.
pub(crate) trait FrameStore: Send {
    /// Takes what other threads have done. If it `waits`, it waits until a frame can be added. Returns where the next
    /// frame is stored: here, unless a stage of the work has ended.
    fn go_on(self: Box<Self>, waits: bool) -> Result<Box<dyn FrameStore>, ExportError>;

    /// Whether no frame can be added before more is done.
    fn is_full(&self) -> bool;

    fn add(&mut self, frame: i64, picture: PendingFrame, drawing: Arc<PictureDrawing>);

    /// Waits until all frames are stored, and puts what they were stored in into its place.
    fn finish(self: Box<Self>, progress: Progress<'_>) -> Result<(), ExportError>;
}

/// Pictures that are being drawn and stored. Dropped before it is complete, it leaves the numbered pictures that are
/// whole, and nothing of a film.
pub struct FrameWork {
    /// None once the work has ended or failed.
    store: Option<Box<dyn FrameStore>>,
    pipeline: Pipeline,
    /// The pictures that have been drawn, and those in all. Some frames of a GIF are drawn twice, the first time for
    /// the palette.
    done: usize,
    total: usize,
    for_palette: usize,
    /// What a picture is called: `picture` or `frame`.
    noun: &'static str,
    unseen: UnseenPictures,
}

impl FrameWork {
    /// Work on all frames of a pipeline, which are `total`. The first `for_palette` give a film its colours.
    pub(crate) fn new(
        store: Box<dyn FrameStore>,
        pipeline: Pipeline,
        total: usize,
        for_palette: usize,
        noun: &'static str,
    ) -> Self {
        Self { store: Some(store), pipeline, done: 0, total, for_palette, noun, unseen: UnseenPictures::default() }
    }

    pub fn stage(&self) -> String {
        match self.done.checked_sub(self.for_palette) {
            Some(done) => format!("{} {done} of {}", self.noun, self.total - self.for_palette),
            None => format!("colours of picture {} of {}", self.done, self.for_palette),
        }
    }

    /// The pictures in which nothing of the head is seen, in words; none if there are none.
    pub fn unseen(&self) -> Option<String> {
        self.unseen.in_words(self.total - self.for_palette)
    }

    /// The number of pictures that have been drawn, of [`Self::total`].
    pub fn done(&self) -> usize {
        self.done
    }

    /// The number of pictures to draw: one for each frame and, of a GIF, those that are drawn for its palette.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Draws the next picture, while others are stored. Returns whether there are more; after the last, all files are
    /// in their places.
    pub fn step<'a>(&mut self, renderers: impl Into<Renderers<'a>>) -> Result<bool, ExportError> {
        let is_more = self.step_for(&mut renderers.into(), Duration::MAX)?;
        if !is_more {
            self.finish(Progress::NONE)?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one batch of a picture, and waits for nothing else, unless the time is
    /// [`Duration::MAX`]: then it draws the next picture. Returns whether there are more pictures; after the last,
    /// [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, ExportError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderers, until)?;
            let mut store = self.take_store().go_on(waits)?;
            let next = if store.is_full() { None } else { self.pipeline.take(waits) };
            let is_added = next.is_some();
            if let Some((frame, picture)) = next {
                if self.done >= self.for_palette {
                    self.unseen.add(picture.unseen());
                }
                store.add(frame, picture, self.pipeline.drawing());
                self.done += 1;
            }
            self.store = Some(store);
            if !is_added || until.is_none_or(|until| Instant::now() >= until) {
                return Ok(!self.pipeline.is_empty());
            }
        }
    }

    /// Waits until all pictures that are drawn are stored. It may be called on any thread.
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), ExportError> {
        debug_assert!(self.pipeline.is_empty(), "every picture is stored before the work is finished");
        self.take_store().finish(progress)
    }

    fn take_store(&mut self) -> Box<dyn FrameStore> {
        self.store.take().unwrap_or_else(|| unreachable!("work that has ended or failed does not go on"))
    }
}
