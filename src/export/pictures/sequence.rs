//! The pictures of a span as numbered files.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::drawing::PictureDrawing;
use super::file::{self, PictureFormat};
use super::pipeline::{FrameJobs, Pipeline};
use super::settings::PictureSettings;
use crate::drawn::UnseenPictures;
use crate::{ExportError, FrameSpan, NumberedPath, Renderers};
use smirk_base::atomic_file::OutputPath;
use smirk_base::job::JobError;
use smirk_base::progress::Progress;
use smirk_session::Session;

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

/// What is going to be written, and all that it takes. It was checked when the plan was made.
pub struct SequencePlan {
    /// The frames that are drawn, and their files.
    pub files: Vec<(i64, PathBuf)>,
    /// The number of frames that are there already.
    pub skipped: usize,
    /// About how many bytes the files take.
    pub estimated_bytes: u64,
    output: OutputPath,
    pattern: FramePattern,
    span: FrameSpan,
    drawing: PictureDrawing,
}

impl SequenceSettings {
    /// An error if there are no such pictures of a session.
    pub(crate) fn check(&self, session: &Session, format: PictureFormat) -> Result<(), ExportError> {
        self.pictures.check(session)?;
        // Linear light is accumulated from samples.
        if self.pictures.samples == 0 && format == PictureFormat::Exr {
            return Err(ExportError::Usage("an EXR picture needs samples: at least 1".into()));
        }
        Ok(())
    }

    /// About how many bytes so many pictures take.
    pub(crate) fn estimated_bytes(&self, format: PictureFormat, count: usize) -> u64 {
        (self.pictures.pixels() as f64 * format.bytes_per_pixel() * count as f64) as u64
    }
}

impl SequencePlan {
    /// The plan of a sequence, or why it cannot be written. Nothing is written. The file name of `output` is a [`FramePattern`].
    pub fn new(session: &Session, output: &OutputPath, settings: SequenceSettings) -> Result<Self, ExportError> {
        let span = settings.span;
        let pattern = FramePattern::new(output.path(), span.count())?;
        settings.check(session, pattern.format())?;
        let size = settings.pictures.size;
        let is_wanted = |path: &PathBuf| !(settings.is_missing_only && file::is_whole(path, pattern.format(), size));
        let files = span.frames().map(|frame| (frame, pattern.path_of(frame)));
        let files: Vec<(i64, PathBuf)> = files.filter(|(_, path)| is_wanted(path)).collect();
        let estimated_bytes = settings.estimated_bytes(pattern.format(), files.len());
        let drawing = PictureDrawing::of_checked(session, settings.pictures, pattern.format().pixels())?;
        if let Some((_, path)) = files.iter().find(|(_, path)| drawing.reads(path)) {
            return Err(ExportError::Failed(format!(
                "{}: this is an image of the reference; choose another name or folder",
                path.display()
            )));
        }
        // What is wrong with one name, such as a missing folder, is wrong with all; and each may be an input.
        for (_, path) in &files {
            output.with_path(path.clone()).check_place()?;
        }
        if let Some((_, path)) = files.first() {
            output.with_path(path.clone()).check()?;
        }
        let skipped = span.count() - files.len();
        Ok(Self { files, skipped, estimated_bytes, output: output.clone(), pattern, span, drawing })
    }
}

/// A sequence of pictures that is being written. Dropped before it is complete, it leaves the pictures that are complete.
pub struct SequenceWork {
    output: OutputPath,
    pattern: FramePattern,
    has_alpha: bool,
    pipeline: Pipeline,
    jobs: FrameJobs<Result<u64, ExportError>>,
    done: usize,
    total: usize,
    bytes: u64,
    unseen: UnseenPictures,
}

impl SequenceWork {
    /// Begins the sequence of a plan, which was made of the same session.
    pub fn start(session: &Session, plan: SequencePlan) -> Self {
        let SequencePlan { files, output, pattern, span, drawing, .. } = plan;
        Self {
            output,
            has_alpha: drawing.settings().is_transparent,
            jobs: FrameJobs::new(drawing.settings().pixels() * pattern.format().pixels().bytes() as u64, 4),
            pipeline: Pipeline::new(session.clone(), span, drawing, files.iter().map(|(frame, _)| *frame)),
            done: 0,
            total: files.len(),
            bytes: 0,
            unseen: UnseenPictures::default(),
            pattern,
        }
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

    /// The pictures in which nothing of the head is seen, in words; none if there are none.
    pub fn unseen(&self) -> Option<String> {
        self.unseen.in_words(self.total)
    }

    /// Draws the next picture, while others are written. Returns whether there are more; after the last, all are written.
    pub fn step<'a>(&mut self, renderers: impl Into<Renderers<'a>>) -> Result<bool, ExportError> {
        let is_more = self.step_for(&mut renderers.into(), Duration::MAX)?;
        if !is_more {
            self.finish(Progress::NONE)?;
        }
        Ok(is_more)
    }

    /// Draws for about so long, at least one batch of a picture, and waits for nothing else, unless the time is [`Duration::MAX`]: then
    /// it draws the next picture. Returns whether there are more pictures; after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, ExportError> {
        let until = Instant::now().checked_add(most);
        let waits = until.is_none();
        loop {
            self.pipeline.draw(renderers, until)?;
            while let Some(written) = self.jobs.take(waits && self.jobs.is_full()) {
                self.count(written.map_err(not_written)?)?;
            }
            let next = if self.jobs.is_full() { None } else { self.pipeline.take(waits) };
            let Some((frame, picture)) = next else { break };
            self.unseen.add(picture.unseen());
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
    pub fn finish(&mut self, progress: Progress<'_>) -> Result<(), ExportError> {
        loop {
            let stage = format!("picture {} of {}", self.done, self.total);
            let part = self.done as f32 / self.total.max(1) as f32;
            let Some(written) = self.jobs.wait(|| progress.report(&stage, part))? else { return Ok(()) };
            self.count(written.map_err(not_written)?)?;
        }
    }

    fn count(&mut self, written: Result<u64, ExportError>) -> Result<(), ExportError> {
        self.bytes += written?;
        self.done += 1;
        Ok(())
    }
}

fn not_written(problem: JobError) -> ExportError {
    ExportError::Failed(format!("the pictures were not written: {problem}"))
}

/// The names of the pictures of a sequence, which say in which format they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePattern {
    path: NumberedPath,
    format: PictureFormat,
}

impl FramePattern {
    /// The pattern of a path, for so many frames.
    pub fn new(path: &Path, frames: usize) -> Result<Self, ExportError> {
        let Some(format) = PictureFormat::of(path) else {
            return Err(ExportError::Usage(format!(
                "{}: the name must end in .png or .exr, which is what is written",
                path.display()
            )));
        };
        Ok(Self { path: NumberedPath::for_frames(path, frames)?, format })
    }

    /// The file of a frame.
    pub fn path_of(&self, frame: i64) -> PathBuf {
        self.path.of(frame)
    }

    /// The format of the files.
    pub(super) fn format(&self) -> PictureFormat {
        self.format
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_pictures_are_a_pattern() {
        let of = |path: &str| FramePattern::new(Path::new(path), 2);
        assert_eq!(of("out/face.####.EXR").unwrap().path_of(7), Path::new("out/face.0007.EXR"));
        let refusal = |path: &str| of(path).unwrap_err().to_string();
        assert!(refusal("face.png").contains("2 frames need a number"));
        assert!(refusal("face.####.jpg").contains("must end in .png or .exr"));
        assert!(refusal("####").contains("must end in .png or .exr"));
    }
}
