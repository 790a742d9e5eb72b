//! The picture queue: thumbnails and contact sheets are drawn between the frames of the window, one picture per step,
//! so that no frame is delayed by more than one picture.

use std::collections::VecDeque;
use std::path::PathBuf;

use image::RgbaImage;

use super::contact_sheet::SheetWork;
use super::owned_scene::OwnedScene;
use super::png::{PngError, save_png};
use crate::job::{Job, JobError, OnDrop};
use crate::render::{HeadNotUploaded, Renderer};

/// The progress of a contact sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetProgress {
    /// Its pictures are being drawn.
    Drawing {
        /// The number of pictures that have been drawn.
        done: usize,
        /// The number of pictures in all.
        total: usize,
    },
    /// The file is being written, which can no longer be cancelled.
    Saving,
}

/// Why a contact sheet was not saved.
#[derive(Debug, thiserror::Error)]
pub enum SheetFailure {
    /// The head is no longer on the GPU.
    #[error("the contact sheet was cancelled: another head has been opened")]
    HeadGone,
    /// The file could not be written.
    #[error(transparent)]
    NotSaved(#[from] PngError),
    /// The job that writes the file failed.
    #[error("the contact sheet was not written to {path}: {source}")]
    JobFailed {
        /// The file that was to be written.
        path: PathBuf,
        /// Why the job failed.
        source: JobError,
    },
}

/// The requested pictures, the picture in progress and the finished pictures.
#[derive(Default)]
pub struct PictureQueue {
    waiting: VecDeque<(u64, OwnedScene)>,
    finished: Vec<(u64, RgbaImage)>,
    sheet: Option<SheetJob>,
    outcome: Option<Result<PathBuf, SheetFailure>>,
}

enum SheetJob {
    Drawing {
        work: Box<SheetWork>,
        path: PathBuf,
        notify: Box<dyn Fn() + Send>,
    },
    /// The job is joined when it is dropped, so that the program does not end before the file is complete.
    Saving {
        path: PathBuf,
        job: Job<Result<(), PngError>>,
    },
}

impl PictureQueue {
    /// Requests a picture. [`Self::take_finished`] returns it with its `key`. An earlier request with the same key that
    /// has not been drawn yet is replaced.
    pub fn request(&mut self, key: u64, scene: OwnedScene) {
        match self.waiting.iter_mut().find(|(other, _)| *other == key) {
            Some((_, waiting)) => *waiting = scene,
            None => self.waiting.push_back((key, scene)),
        }
    }

    /// The pictures finished since the last call, oldest first.
    pub fn take_finished(&mut self) -> Vec<(u64, RgbaImage)> {
        std::mem::take(&mut self.finished)
    }

    /// Starts a contact sheet, in place of one that is still being drawn. Returns false, and starts nothing, while one
    /// is being written. `notify` is called on another thread after the file was written or could not be written.
    pub fn start_sheet(&mut self, work: SheetWork, path: PathBuf, notify: impl Fn() + Send + 'static) -> bool {
        let is_free = !matches!(self.sheet, Some(SheetJob::Saving { .. }));
        if is_free {
            self.sheet = Some(SheetJob::Drawing { work: Box::new(work), path, notify: Box::new(notify) });
            self.outcome = None;
        }
        is_free
    }

    /// Cancels the contact sheet, unless it is already being written.
    pub fn cancel_sheet(&mut self) {
        self.sheet.take_if(|job| matches!(job, SheetJob::Drawing { .. }));
    }

    /// The progress of the contact sheet, if there is one.
    pub fn sheet_progress(&self) -> Option<SheetProgress> {
        self.sheet.as_ref().map(|job| match job {
            SheetJob::Drawing { work, .. } => SheetProgress::Drawing { done: work.done(), total: work.total() },
            SheetJob::Saving { .. } => SheetProgress::Saving,
        })
    }

    /// The result of the contact sheet, returned once: the path of the file, or the reason why there is none.
    pub fn take_sheet(&mut self) -> Option<Result<PathBuf, SheetFailure>> {
        if let Some(SheetJob::Saving { path, job }) = &mut self.sheet
            && let Some(result) = job.poll()
        {
            let path = std::mem::take(path);
            self.sheet = None;
            self.outcome = Some(match result {
                Ok(Ok(())) => Ok(path),
                Ok(Err(error)) => Err(SheetFailure::NotSaved(error)),
                Err(source) => Err(SheetFailure::JobFailed { path, source }),
            });
        }
        self.outcome.take()
    }

    /// Whether [`Self::step`] has anything to do.
    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || matches!(self.sheet, Some(SheetJob::Drawing { .. }))
    }

    /// Draws one picture. Thumbnails come first, because the user watches them appear. Requests for a head that is no
    /// longer on the GPU are dropped.
    pub fn step(&mut self, renderer: &mut Renderer) {
        while let Some((key, scene)) = self.waiting.pop_front() {
            if let Ok(picture) = renderer.picture(&scene.scene()) {
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
        if let Some(SheetJob::Drawing { work, path, notify }) = self.sheet.take() {
            let (sheet, file) = (work.finish(), path.clone());
            let job = Job::spawn("contact sheet", OnDrop::Join, notify, move |_| save_png(&file, &sheet));
            self.sheet = Some(SheetJob::Saving { path, job });
        }
    }
}
