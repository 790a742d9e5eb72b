//! The pictures of a span as numbered files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::drawing::PictureDrawing;
use super::file::{self, PictureFormat};
use super::jobs::FrameJobs;
use super::pattern::{FramePattern, PatternError};
use super::pipeline::Pipeline;
use super::settings::{PictureError, PictureSettings};
use crate::export::{FrameSpan, Renderers};
use crate::session::Session;
use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_base::job::JobError;
use smirk_base::progress::{Cancelled, Progress};
use smirk_picture::render::HeadNotUploaded;

/// The pictures of a span as numbered files.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceSettings {
    /// What they show.
    pub pictures: PictureSettings,
    /// The frames.
    pub span: FrameSpan,
    /// Whether frames are left out whose files are there, whole and of the same size. What such a file shows is not looked at.
    pub is_missing_only: bool,
}

/// What is going to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct SequencePlan {
    /// The frames that are drawn, and their files.
    pub files: Vec<(i64, PathBuf)>,
    /// The number of frames that are there already.
    pub skipped: usize,
    /// About how many bytes the files take.
    pub estimated_bytes: u64,
}

/// Why the pictures are not written. Those that were written before stay.
#[derive(Debug, Error)]
pub enum SequenceError {
    /// The name of the files.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// There are no such pictures.
    #[error(transparent)]
    Pictures(#[from] PictureError),
    /// Linear light is accumulated from samples.
    #[error("an EXR picture needs samples: at least 1")]
    LightWithoutSamples,
    /// A file could not be written.
    #[error(transparent)]
    NotWritten(#[from] WriteError),
    /// A thread that writes pictures failed.
    #[error("the pictures were not written: {0}")]
    JobFailed(#[from] JobError),
    /// The head is no longer on the GPU.
    #[error(transparent)]
    HeadGone(#[from] HeadNotUploaded),
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl SequenceSettings {
    /// An error if there are no such pictures of a session.
    pub(in crate::export) fn check(&self, session: &Session, format: PictureFormat) -> Result<(), SequenceError> {
        self.pictures.check(session)?;
        if self.pictures.samples == 0 && format == PictureFormat::Exr {
            return Err(SequenceError::LightWithoutSamples);
        }
        Ok(())
    }

    /// About how many bytes so many pictures take.
    pub(in crate::export) fn estimated_bytes(&self, format: PictureFormat, count: usize) -> u64 {
        (self.pictures.pixels() as f64 * format.bytes_per_pixel() * count as f64) as u64
    }
}

impl SequencePlan {
    /// The plan of a sequence, or why it cannot be written. Nothing is written. The file name of `output` is a [`FramePattern`].
    pub fn new(session: &Session, output: &OutputPath, settings: &SequenceSettings) -> Result<Self, SequenceError> {
        let (pictures, span) = (&settings.pictures, settings.span);
        let pattern = FramePattern::new(output.path(), span.count())?;
        settings.check(session, pattern.format())?;
        let is_wanted =
            |path: &PathBuf| !(settings.is_missing_only && file::is_whole(path, pattern.format(), pictures.size));
        let files = span.frames().map(|frame| (frame, pattern.path_of(frame)));
        let files: Vec<(i64, PathBuf)> = files.filter(|(_, path)| is_wanted(path)).collect();
        if let Some(images) = pictures.reference_images(session)?
            && let Some((_, path)) = files.iter().find(|(_, path)| images.holds(path))
        {
            return Err(PictureError::IsReference { path: path.clone() }.into());
        }
        // What is wrong with one name, such as a missing folder, is wrong with all; and each may be an input.
        for (_, path) in &files {
            output.with_path(path.clone()).check_place()?;
        }
        if let Some((_, path)) = files.first() {
            output.with_path(path.clone()).check()?;
        }
        let estimated_bytes = settings.estimated_bytes(pattern.format(), files.len());
        Ok(Self { skipped: span.count() - files.len(), estimated_bytes, files })
    }
}

/// A sequence of pictures that is being written. Dropped before it is complete, it leaves the pictures that are complete.
pub struct SequenceWork {
    output: OutputPath,
    pattern: FramePattern,
    has_alpha: bool,
    pipeline: Pipeline,
    jobs: FrameJobs<Result<u64, SequenceError>>,
    done: usize,
    total: usize,
    bytes: u64,
}

impl SequenceWork {
    /// Begins a sequence. The file name of `output` is a [`FramePattern`].
    pub fn start(session: &Session, output: &OutputPath, settings: SequenceSettings) -> Result<Self, SequenceError> {
        let plan = SequencePlan::new(session, output, &settings)?;
        Self::of_plan(plan, session, output, settings)
    }

    /// Begins the sequence of a plan, which was made of the same session, output and settings.
    pub fn of_plan(
        plan: SequencePlan,
        session: &Session,
        output: &OutputPath,
        settings: SequenceSettings,
    ) -> Result<Self, SequenceError> {
        let pattern = FramePattern::new(output.path(), settings.span.count())?;
        let pixels = pattern.format().pixels();
        let bytes = settings.pictures.pixels() * pixels.bytes() as u64;
        let has_alpha = settings.pictures.is_transparent;
        let drawing = PictureDrawing::new(session, settings.pictures, pixels)?;
        let frames = plan.files.iter().map(|(frame, _)| *frame);
        Ok(Self {
            output: output.clone(),
            has_alpha,
            pipeline: Pipeline::new(session.clone(), settings.span, drawing, frames),
            jobs: FrameJobs::new(bytes, 4),
            done: 0,
            total: plan.files.len(),
            bytes: 0,
            pattern,
        })
    }

    /// The number of pictures that have been written.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The number of pictures to write.
    pub fn total(&self) -> usize {
        self.total
    }

    /// The number of bytes that have been written.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Draws the next picture, while others are written. Returns whether there are more; after the last, all are written.
    pub fn step<'a>(&mut self, renderers: impl Into<Renderers<'a>>) -> Result<bool, SequenceError> {
        let is_more = self.step_for(&mut renderers.into(), Duration::MAX)?;
        if !is_more {
            self.finish(Progress::NONE)?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one piece of a picture, and waits for nothing else, unless the time is [`Duration::MAX`]: then
    /// it draws the next picture. Returns whether there are more pictures; after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, SequenceError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderers, until)?;
            while let Some(written) = self.jobs.take(waits && self.jobs.is_full()) {
                self.count(written?)?;
            }
            let next = if self.jobs.is_full() { None } else { self.pipeline.take(waits) };
            let Some((frame, picture)) = next else { break };
            let (output, has_alpha) = (self.output.with_path(self.pattern.path_of(frame)), self.has_alpha);
            let drawing = self.pipeline.drawing();
            self.jobs.push(move || Ok(file::save_picture(&output, &drawing.finish(picture)?, has_alpha)?));
            if until.is_none_or(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(!self.pipeline.is_empty())
    }

    /// Waits until all pictures that are drawn are written. It may be called on any thread.
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), SequenceError> {
        loop {
            let stage = format!("picture {} of {}", self.done, self.total);
            let part = self.done as f32 / self.total.max(1) as f32;
            let Some(written) = self.jobs.wait(|| progress.report(&stage, part))? else { return Ok(()) };
            self.count(written?)?;
        }
    }

    fn count(&mut self, written: Result<u64, SequenceError>) -> Result<(), SequenceError> {
        self.bytes += written?;
        self.done += 1;
        Ok(())
    }
}
