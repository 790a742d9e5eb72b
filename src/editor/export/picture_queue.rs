//! The picture queue: thumbnails and contact sheets are drawn between the frames of the window, in pieces, so that no frame is
//! delayed by more than one piece.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use image::RgbaImage;

use super::contact_sheet::SheetWork;
use super::owned_scene::OwnedScene;
use super::picture_work::PictureWork;
use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_base::job::{Job, JobError, OnDrop};
use smirk_picture::render::{HeadNotUploaded, Pixels, Renderer};

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
    #[error("the contact sheet {} was cancelled: another head has been opened", path.display())]
    HeadGone {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// Another contact sheet goes to the same file.
    #[error(
        "a contact sheet for {} is still being drawn. Wait until it is saved, or choose another name",
        path.display()
    )]
    SameFile {
        /// The file.
        path: PathBuf,
    },
    /// The file could not be written.
    #[error(transparent)]
    NotSaved(#[from] WriteError),
    /// The job that writes the file failed.
    #[error("the contact sheet was not written to {}: {source}", path.display())]
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
    /// The picture that is being drawn in pieces.
    drawing: Option<(u64, PictureWork)>,
    finished: Vec<(u64, RgbaImage)>,
    /// The contact sheets in the order in which they were started. The first one is drawn and written, the others wait.
    sheets: VecDeque<SheetJob>,
    outcomes: VecDeque<Result<PathBuf, SheetFailure>>,
}

struct SheetJob {
    output: OutputPath,
    state: SheetState,
}

enum SheetState {
    Drawing {
        work: Box<SheetWork>,
        notify: Box<dyn Fn() + Send>,
    },
    /// The job is joined when it is dropped, so that the program does not end before the file is complete.
    Saving(Job<Result<(), WriteError>>),
}

impl SheetJob {
    fn is_drawn(&self) -> bool {
        matches!(self.state, SheetState::Saving(_))
    }

    fn path(&self) -> PathBuf {
        self.output.path().to_owned()
    }
}

impl PictureQueue {
    /// Requests a picture. [`Self::take_finished`] returns it with its `key`. An earlier request with the same key that
    /// has not been drawn yet is replaced.
    pub fn request(&mut self, key: u64, scene: OwnedScene) {
        self.drawing.take_if(|(other, _)| *other == key);
        match self.waiting.iter_mut().find(|(other, _)| *other == key) {
            Some((_, waiting)) => *waiting = scene,
            None => self.waiting.push_back((key, scene)),
        }
    }

    /// The pictures finished since the last call, oldest first.
    pub fn take_finished(&mut self) -> Vec<(u64, RgbaImage)> {
        std::mem::take(&mut self.finished)
    }

    /// Adds a contact sheet, which is drawn after those that were added before. An error if one of them goes to the same file.
    /// `notify` is called on another thread after the file was written or could not be written.
    pub fn start_sheet(
        &mut self,
        work: SheetWork,
        output: OutputPath,
        notify: impl Fn() + Send + 'static,
    ) -> Result<(), SheetFailure> {
        if self.sheets.iter().any(|other| other.output.is_same_file(&output)) {
            return Err(SheetFailure::SameFile { path: output.path().to_owned() });
        }
        let state = SheetState::Drawing { work: Box::new(work), notify: Box::new(notify) };
        self.sheets.push_back(SheetJob { output, state });
        Ok(())
    }

    /// Cancels the contact sheet that is being drawn, unless it is already being written. The next one begins.
    pub fn cancel_sheet(&mut self) {
        if self.sheets.front().is_some_and(|sheet| !sheet.is_drawn()) {
            self.sheets.pop_front();
        }
    }

    /// Begins the picture in progress anew, since it was drawn on a device that is lost.
    pub fn begin_anew(&mut self) {
        if let Some((key, work)) = self.drawing.take() {
            self.waiting.push_front((key, work.into_scene()));
        }
    }

    /// Cancels all contact sheets but the one that is already being written. Returns whether there were any.
    pub fn cancel_all_sheets(&mut self) -> bool {
        let before = self.sheets.len();
        self.sheets.retain(SheetJob::is_drawn);
        self.sheets.len() < before
    }

    /// The progress of the first contact sheet, if there is one.
    pub fn sheet_progress(&self) -> Option<SheetProgress> {
        self.sheets.front().map(|sheet| match &sheet.state {
            SheetState::Drawing { work, .. } => SheetProgress::Drawing { done: work.done(), total: work.total() },
            SheetState::Saving(_) => SheetProgress::Saving,
        })
    }

    /// The number of contact sheets that wait for the first one.
    pub fn waiting_sheets(&self) -> usize {
        self.sheets.len().saturating_sub(1)
    }

    /// The result of a contact sheet, returned once: the path of the file, or the reason why there is none.
    pub fn take_sheet(&mut self) -> Option<Result<PathBuf, SheetFailure>> {
        if let Some(SheetJob { output, state: SheetState::Saving(job) }) = self.sheets.front_mut()
            && let Some(result) = job.poll()
        {
            let path = output.path().to_owned();
            self.outcomes.push_back(match result {
                Ok(written) => written.map(|()| path).map_err(SheetFailure::NotSaved),
                Err(source) => Err(SheetFailure::JobFailed { path, source }),
            });
            self.sheets.pop_front();
        }
        self.outcomes.pop_front()
    }

    /// Whether [`Self::step`] has anything to do.
    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || self.drawing.is_some() || self.sheets.front().is_some_and(|sheet| !sheet.is_drawn())
    }

    /// The picture to go on with.
    fn next(&mut self, renderer: &Renderer) -> Option<(u64, PictureWork)> {
        self.drawing.take().or_else(|| {
            let (key, scene) = self.waiting.pop_front()?;
            Some((key, PictureWork::new(renderer, scene, Pixels::Screen)))
        })
    }

    /// Draws one picture. Thumbnails come first, because the user watches them appear. Requests for a head that is no
    /// longer on the GPU are dropped.
    pub fn step(&mut self, renderer: &mut Renderer) {
        self.step_for(renderer, Duration::MAX);
    }

    /// [`Self::step`] for about so long, at least one piece of the picture. The next call goes on with it.
    pub fn step_for(&mut self, renderer: &mut Renderer, most: Duration) {
        let until = Instant::now().checked_add(most);
        while let Some((key, mut work)) = self.next(renderer) {
            match work.draw(renderer, until) {
                Ok(true) => self.finished.push((key, work.into_picture().into_image())),
                Ok(false) => self.drawing = Some((key, work)),
                Err(HeadNotUploaded { .. }) => continue,
            }
            return;
        }
        let Some(sheet) = self.sheets.front_mut() else { return };
        let SheetState::Drawing { work, .. } = &mut sheet.state else { return };
        match work.step_for(renderer, most) {
            Ok(true) => return,
            Ok(false) => {}
            Err(HeadNotUploaded { .. }) => {
                self.outcomes.push_back(Err(SheetFailure::HeadGone { path: sheet.path() }));
                self.sheets.pop_front();
                return;
            }
        }
        if let Some(SheetJob { output, state: SheetState::Drawing { work, notify } }) = self.sheets.pop_front() {
            let (sheet, to) = (work.finish(), output.clone());
            let job = Job::spawn("contact sheet", OnDrop::Join, notify, move |_| sheet.save(&to));
            self.sheets.push_front(SheetJob { output, state: SheetState::Saving(job) });
        }
    }
}
