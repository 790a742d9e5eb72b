//! Pictures made on the side while the window lives: thumbnails and contact sheets. One picture a step, so that no frame
//! waits for more than one. Knows no egui and no winit; what is drawn, and when, is up to the caller.

use std::collections::VecDeque;
use std::path::PathBuf;

use image::RgbaImage;

use super::contact_sheet::SheetWork;
use super::png::PngError;
use super::saver::Saver;
use super::shot::Shot;
use crate::render::{HeadNotUploaded, Renderer};

/// How far a contact sheet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetProgress {
    /// Its pictures are being drawn.
    Drawing {
        /// Pictures on it.
        done: usize,
        /// Pictures it will have.
        total: usize,
    },
    /// It is being written, which can no longer be called off.
    Saving,
}

/// Why a contact sheet ended without a file.
#[derive(Debug, thiserror::Error)]
pub enum SheetFailure {
    /// Its head is no longer on the GPU.
    #[error("the contact sheet was given up: another head has been opened")]
    HeadGone,
    /// It could not be written.
    #[error(transparent)]
    NotSaved(#[from] PngError),
    /// The thread that was to write it did not.
    #[error("the contact sheet was not written to {path}: {reason}")]
    NoThread {
        /// Where it was to go.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
}

/// What is asked for, under way and done.
#[derive(Default)]
pub struct PictureQueue {
    waiting: VecDeque<(u64, Shot)>,
    finished: Vec<(u64, RgbaImage)>,
    sheet: Option<SheetJob>,
    outcome: Option<Result<PathBuf, SheetFailure>>,
}

enum SheetJob {
    Drawing { work: Box<SheetWork>, path: PathBuf, wake: Box<dyn FnOnce() + Send> },
    Saving(Saver),
}

impl PictureQueue {
    /// Asks for a picture, to be found by `key` among [`Self::take_finished`]. A request that still waits under that key
    /// is forgotten: only the newest is wanted.
    pub fn request(&mut self, key: u64, shot: Shot) {
        match self.waiting.iter_mut().find(|(other, _)| *other == key) {
            Some((_, waiting)) => *waiting = shot,
            None => self.waiting.push_back((key, shot)),
        }
    }

    /// The pictures finished since the last call, oldest first.
    pub fn take_finished(&mut self) -> Vec<(u64, RgbaImage)> {
        std::mem::take(&mut self.finished)
    }

    /// Begins a contact sheet, in the place of one still being drawn; false, and nothing begun, while one is being written.
    /// `wake` is called from another thread when the file is there, or cannot be.
    pub fn start_sheet(&mut self, work: SheetWork, path: PathBuf, wake: impl FnOnce() + Send + 'static) -> bool {
        let is_free = !matches!(self.sheet, Some(SheetJob::Saving(_)));
        if is_free {
            self.sheet = Some(SheetJob::Drawing { work: Box::new(work), path, wake: Box::new(wake) });
            self.outcome = None;
        }
        is_free
    }

    /// Calls a contact sheet off, unless it is being written already.
    pub fn cancel_sheet(&mut self) {
        self.sheet.take_if(|job| matches!(job, SheetJob::Drawing { .. }));
    }

    /// How far the contact sheet is, if there is one.
    pub fn sheet_progress(&self) -> Option<SheetProgress> {
        self.sheet.as_ref().map(|job| match job {
            SheetJob::Drawing { work, .. } => SheetProgress::Drawing { done: work.done(), total: work.total() },
            SheetJob::Saving(_) => SheetProgress::Saving,
        })
    }

    /// How the contact sheet ended, once: where it is, or why it is nowhere.
    pub fn take_sheet(&mut self) -> Option<Result<PathBuf, SheetFailure>> {
        if let Some(SheetJob::Saving(saver)) = &mut self.sheet
            && let Some(outcome) = saver.poll()
        {
            self.sheet = None;
            self.outcome = Some(outcome);
        }
        self.outcome.take()
    }

    /// Whether another [`Self::step`] would do something.
    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || matches!(self.sheet, Some(SheetJob::Drawing { .. }))
    }

    /// Makes one picture, thumbnails first: somebody waits for those. What belongs to a head that has left the GPU is given
    /// up.
    pub fn step(&mut self, renderer: &mut Renderer) {
        while let Some((key, shot)) = self.waiting.pop_front() {
            if let Ok(picture) = renderer.picture(&shot.scene()) {
                self.finished.push((key, picture));
                return;
            }
        }
        let Some(SheetJob::Drawing { work, .. }) = &mut self.sheet else { return };
        match work.step(renderer) {
            Ok(true) => return,
            Ok(false) => {}
            Err(HeadNotUploaded { .. }) => {
                self.sheet = None;
                self.outcome = Some(Err(SheetFailure::HeadGone));
                return;
            }
        }
        if let Some(SheetJob::Drawing { work, path, wake }) = self.sheet.take() {
            self.sheet = Some(SheetJob::Saving(Saver::start(work.finish(), path, wake)));
        }
    }
}
