//! The pictures of a span as numbered files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::drawing::{PendingFrame, PictureDrawing};
use super::file::{self, PictureFormat};
use super::frame_work::{FrameStore, FrameWork};
use super::pipeline::{FrameJobs, Pipeline};
use super::settings::PictureSettings;
use crate::{ExportError, FrameSpan, NumberedPath};
use smirk_base::atomic_file::OutputPath;
use smirk_base::job::JobError;
use smirk_base::progress::Progress;
use smirk_session::Session;

#[derive(Clone, Debug, PartialEq)]
pub struct SequenceSettings {
    pub pictures: PictureSettings,
    /// The frames; without them, one picture of the session as it is.
    pub span: Option<FrameSpan>,
    /// Whether frames are left out whose files are there, whole and of the same size. What such a file shows is not
    /// looked at.
    pub is_missing_only: bool,
}

/// What is going to be written, and all that it takes. It was checked when the plan was made.
pub struct SequencePlan {
    pub files: Vec<(i64, PathBuf)>,
    pub skipped: usize,
    /// About how many bytes the files take.
    pub estimated_bytes: u64,
    output: OutputPath,
    pattern: FramePattern,
    span: Option<FrameSpan>,
    drawing: PictureDrawing,
}

impl SequenceSettings {
    pub(crate) fn check(&self, session: &Session, format: PictureFormat) -> Result<(), ExportError> {
        self.pictures.check(session)?;
        // Linear light is accumulated from samples.
        if self.pictures.samples == 0 && format == PictureFormat::Exr {
            return Err(ExportError::Usage("an EXR picture needs samples: at least 1".into()));
        }
        Ok(())
    }

    pub(crate) fn estimated_bytes(&self, format: PictureFormat, count: usize) -> u64 {
        (self.pictures.pixels() as f64 * format.bytes_per_pixel() * count as f64) as u64
    }
}

impl SequencePlan {
    /// The plan of a sequence, or why it cannot be written. Nothing is written. The file name of `output` is a
    /// [`FramePattern`].
    pub fn new(session: &Session, output: &OutputPath, settings: SequenceSettings) -> Result<Self, ExportError> {
        let span = settings.span;
        let count = span.map_or(1, |span| span.count());
        let pattern = FramePattern::new(output.path(), count)?;
        settings.check(session, pattern.format())?;
        let size = settings.pictures.size;
        let files = span.map_or(0..=0, |span| span.frames()).map(|frame| (frame, pattern.path_of(frame)));
        let files: Vec<(i64, PathBuf)> = files
            .filter(|(_, path)| !(settings.is_missing_only && file::is_whole(path, pattern.format(), size)))
            .collect();
        let estimated_bytes = settings.estimated_bytes(pattern.format(), files.len());
        let drawing = PictureDrawing::of_checked(session, settings.pictures, pattern.format().pixels())?;
        if let Some((_, path)) = files.iter().find(|(_, path)| drawing.reads(path)) {
            return Err(failed!(
                "{}: this is an image of the reference; choose another name or folder",
                path.display()
            ));
        }
        // What is wrong with one name, such as a missing folder, is wrong with all; and each may be an input.
        for (_, path) in &files {
            output.with_path(path.clone()).check_place()?;
        }
        if let Some((_, path)) = files.first() {
            output.with_path(path.clone()).check()?;
        }
        let skipped = count - files.len();
        Ok(Self { files, skipped, estimated_bytes, output: output.clone(), pattern, span, drawing })
    }

    /// Begins the sequence, of the session of which the plan was made.
    pub fn start(self, session: &Session) -> FrameWork {
        let Self { files, output, pattern, span, drawing, .. } = self;
        let (settings, total) = (drawing.settings(), files.len());
        let jobs = FrameJobs::new(settings.pixels() * pattern.format().pixels().bytes() as u64, 4);
        let store = PictureFiles { output, pattern, has_alpha: settings.is_transparent, jobs, total };
        let pipeline = Pipeline::new(session.clone(), span, drawing, files.iter().map(|(frame, _)| *frame));
        FrameWork::new(Box::new(store), pipeline, total, 0, "picture")
    }
}

struct PictureFiles {
    output: OutputPath,
    pattern: FramePattern,
    has_alpha: bool,
    jobs: FrameJobs<Result<(), ExportError>>,
    total: usize,
}

impl FrameStore for PictureFiles {
    fn go_on(mut self: Box<Self>, waits: bool) -> Result<Box<dyn FrameStore>, ExportError> {
        while let Some(written) = self.jobs.take(waits && self.jobs.is_full()) {
            written.map_err(not_written)??;
        }
        Ok(self)
    }

    fn is_full(&self) -> bool {
        self.jobs.is_full()
    }

    fn add(&mut self, frame: i64, picture: PendingFrame, drawing: Arc<PictureDrawing>) {
        let (output, has_alpha) = (self.output.with_path(self.pattern.path_of(frame)), self.has_alpha);
        self.jobs.push(move || Ok(file::save_picture(&output, &drawing.finish(picture)?, has_alpha)?));
    }

    fn finish(mut self: Box<Self>, progress: Progress<'_>) -> Result<(), ExportError> {
        loop {
            let done = self.total - self.jobs.len();
            let stage = format!("picture {done} of {}", self.total);
            let part = done as f32 / self.total.max(1) as f32;
            let Some(written) = self.jobs.wait(|| progress.report(&stage, part))? else { return Ok(()) };
            written.map_err(not_written)??;
        }
    }
}

fn not_written(problem: JobError) -> ExportError {
    failed!("the pictures were not written: {problem}")
}

/// The names of the pictures of a sequence, which say in which format they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePattern {
    path: NumberedPath,
    format: PictureFormat,
}

impl FramePattern {
    pub fn new(path: &Path, frames: usize) -> Result<Self, ExportError> {
        let Some(format) = PictureFormat::from_path(path) else {
            return Err(usage!("{}: the name must end in .png or .exr, which is what is written", path.display()));
        };
        Ok(Self { path: NumberedPath::for_frames(path, frames)?, format })
    }

    pub fn path_of(&self, frame: i64) -> PathBuf {
        self.path.path_at(frame)
    }

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
