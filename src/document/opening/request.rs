//! What can be asked of the loader, and what it answers.

use std::path::PathBuf;
use std::sync::Arc;

use super::load_error::LoadError;
use super::mesh_files;
use crate::blend::{Layout, Precision};
use crate::document::{PendingProject, TakeFiles};
use crate::file_kind::Content;
use crate::gpu::Gpu;
use crate::head::{Head, Note, ShapeFile};
use crate::import::{self, NamedWeights, Progress, ShapesReport};
use crate::motion::Take;
use crate::render::HeadOnGpu;
use crate::session::HeadSource;

/// What to load.
#[derive(Clone, Debug)]
pub enum LoadRequest {
    /// A head.
    Head(HeadSource),
    /// A file of any kind that [`import::content_of`] knows.
    File(PathBuf),
    /// The takes of a capture, or of a model with animations.
    Takes(PathBuf),
    /// Poses.
    Poses(PathBuf),
    /// Shapes for a head.
    Shapes(Arc<Head>, Vec<ShapeFile>),
    /// Separate meshes, dropped together on a head: one of them at rest, the others shapes of it; or all shapes of the head.
    Set(Arc<Head>, Vec<PathBuf>),
    /// The head and the takes of a project.
    Project(Box<PendingProject>),
}

/// What was loaded.
pub enum Loaded {
    /// A head, and where it came from.
    Head(Box<HeadOnGpu>, HeadSource),
    /// A project with all it names.
    Project {
        /// Its head …
        head: Box<HeadOnGpu>,
        /// … and where that came from.
        source: HeadSource,
        /// The project.
        draft: Box<PendingProject>,
        /// Its captures, or why they are gone.
        takes: TakeFiles,
        /// Shapes of its head that are gone.
        lost_shapes: Vec<Note>,
    },
    /// A project whose head does not open, and why.
    HeadGone(Box<PendingProject>, String),
    /// Takes of a file.
    Takes(Vec<Take>, PathBuf),
    /// Poses of a file.
    Poses(Vec<NamedWeights>, PathBuf),
    /// The head that was asked about, with shapes.
    Shaped {
        /// It, grown.
        head: Box<HeadOnGpu>,
        /// The files that are in.
        shapes: Vec<ShapeFile>,
        /// How it went.
        report: ShapesReport,
    },
    /// A head of separate meshes.
    Set {
        /// It, with its shapes.
        head: Box<HeadOnGpu>,
        /// Where the face at rest came from.
        source: HeadSource,
        /// The files of its shapes.
        shapes: Vec<ShapeFile>,
        /// How it went.
        report: ShapesReport,
    },
}

impl LoadRequest {
    /// What to call it while it loads.
    pub fn name(&self) -> String {
        match self {
            Self::Head(source) => source.name(),
            Self::File(path) | Self::Takes(path) | Self::Poses(path) => HeadSource::File(path.clone()).name(),
            Self::Shapes(_, files) => match &files[..] {
                [file] => HeadSource::File(file.path.clone()).name(),
                files => format!("{} shapes", files.len()),
            },
            Self::Set(_, files) => format!("{} files", files.len()),
            Self::Project(draft) => draft.name(),
        }
    }

    /// Does it, on a worker thread. An error is all that can be said of it.
    pub(super) fn load(self, gpu: &Gpu, precision: Precision, progress: &Progress<'_>) -> Result<Loaded, LoadError> {
        match self {
            Self::Head(source) => {
                let head = match &source {
                    HeadSource::Embedded => import::embedded(),
                    HeadSource::File(path) => import::open_with(path, progress),
                };
                let head = head?;
                Ok(Loaded::Head(put_on_gpu(head, gpu, precision, progress)?, source))
            }
            Self::File(path) => match import::content_of(&path) {
                // One file, whichever way it is named: a head read again is known by its path.
                Content::Head => {
                    let path = std::path::absolute(&path).unwrap_or(path);
                    Self::Head(HeadSource::File(path)).load(gpu, precision, progress)
                }
                Content::Takes => Self::Takes(path).load(gpu, precision, progress),
                Content::Poses => Self::Poses(path).load(gpu, precision, progress),
                Content::Project => {
                    let draft = PendingProject::read(&path)?;
                    Self::Project(Box::new(draft)).load(gpu, precision, progress)
                }
            },
            Self::Takes(path) => {
                let takes = import::open_takes(&path)?;
                Ok(Loaded::Takes(takes, path))
            }
            Self::Poses(path) => {
                let poses = import::open_poses(&path)?;
                Ok(Loaded::Poses(poses, path))
            }
            Self::Shapes(head, files) => {
                let (head, shapes, report) = mesh_files::add(&head, files, progress)?;
                Ok(Loaded::Shaped { head: put_on_gpu(head, gpu, precision, progress)?, shapes, report })
            }
            Self::Set(open, files) => match mesh_files::sort_out(&open, files) {
                mesh_files::Set::OfOpen(files) => Self::Shapes(open, files).load(gpu, precision, progress),
                mesh_files::Set::New { neutral, shapes } => {
                    let head = import::open_with(&neutral, progress)?;
                    let (head, shapes, report) = mesh_files::add(&head, shapes, progress)?;
                    let head = put_on_gpu(head, gpu, precision, progress)?;
                    Ok(Loaded::Set { head, source: HeadSource::File(neutral), shapes, report })
                }
            },
            Self::Project(draft) => {
                let (head, lost_shapes) = match draft.project.open_head(progress) {
                    Ok(opened) => opened,
                    Err(error) => return Ok(Loaded::HeadGone(draft, error.to_string())),
                };
                let head = put_on_gpu(head, gpu, precision, progress)?;
                let _ = progress("reading takes", 0.97);
                let takes = draft.project.read_takes();
                Ok(Loaded::Project { head, source: draft.project.head.source(), draft, takes, lost_shapes })
            }
        }
    }
}

fn put_on_gpu(
    head: Head,
    gpu: &Gpu,
    precision: Precision,
    progress: &Progress<'_>,
) -> Result<Box<HeadOnGpu>, LoadError> {
    // From here on the work cannot be given up, only its result.
    let _ = progress("laying out deltas", 0.9);
    let layout = Arc::new(Layout::new(&head, precision));
    let _ = progress("moving to the graphics adapter", 0.95);
    HeadOnGpu::new(gpu, Arc::new(head), layout).map(Box::new).map_err(|trouble| LoadError::Other(trouble.to_string()))
}
