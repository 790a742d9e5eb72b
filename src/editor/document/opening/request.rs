//! What the loader can be requested to load, and what it has loaded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::load_error::LoadError;
use super::mesh_files::{self, MeshFiles};
use crate::document::{PendingProject, ProjectError, TakeFiles};
use smirk_analysis::solve::{SolveSettings, fit_mapping};
use smirk_base::file_kind::{CAPTURE_TABLE, Content, OBJ, SOUND};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, HeadChanges, HeadId, Kind, Matching, Note, OfHead, ShapeFile, Subject, Version, listed};
use smirk_face::motion::{Take, TakeMap};
use smirk_files::audio::{self, Sound, SoundError};
use smirk_files::import::{self, ImportError, ImportedMarkers, NamedWeights, ShapesReport, SolvedFrames};
use smirk_graphics::blend::{Precision, VertexOrder};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadOnGpu, UploadError};
use smirk_scene::Normals;
use smirk_session::HeadSource;

#[derive(Clone, Debug)]
pub enum LoadRequest {
    Head(HeadSource),
    /// A file as what it holds, by [`import::content_of`], or as a content that it can be opened as.
    File(PathBuf, Option<Content>),
    Shapes(Arc<Head>, Vec<ShapeFile>),
    /// Mesh files that were dropped together on a head: a neutral face and shapes of it, or only shapes of the head.
    MeshFiles(Arc<Head>, Vec<PathBuf>),
    Project(Box<PendingProject>),
    /// The weights of a head that show the meshes over time of a file.
    Solve(Arc<Head>, PathBuf),
    /// The mapping that moves a head as another version of it.
    Fit(Arc<Head>, Arc<Version>, HeadSource),
    /// A file that is dropped on a head, or opened while it is shown: it is asked what to do with a model whose
    /// vertices are those of the head, and that has none of its channels.
    Dropped(Arc<Head>, PathBuf),
    /// A head again whose files have changed.
    Reload(Reload),
    Version(Arc<Head>, HeadSource),
}

#[derive(Clone, Debug)]
pub struct Reload {
    pub head: Arc<Head>,
    pub source: HeadSource,
    pub shapes: Vec<ShapeFile>,
}

/// What was loaded. Heads are on the GPU.
pub enum Loaded {
    Head(Box<HeadOnGpu>, HeadSource),
    /// A project with the files that it names.
    Project {
        head: Box<HeadOnGpu>,
        source: HeadSource,
        project: Box<PendingProject>,
        takes: TakeFiles,
        /// Notes on imported shapes that could not be read.
        missing_shapes: Vec<Note>,
    },
    /// A project that does not fit, but the save before it may.
    BrokenProject {
        /// What is wrong, with line and column.
        problem: String,
        file: PathBuf,
        backup: PathBuf,
    },
    /// A project whose head does not open, and why.
    ProjectWithoutHead(Box<PendingProject>, String),
    /// The takes of a file, and the sound beside it with its file.
    Takes(Vec<Take>, PathBuf, Option<(Arc<Sound>, PathBuf)>),
    /// The weights of the meshes over time of a file.
    Solved(Box<OfHead<SolvedFrames>>, PathBuf),
    /// A model of which the vertices are those of the head that is open: it can be opened, or its weights can be
    /// solved.
    HeadOrFrames(PathBuf),
    Poses(Vec<NamedWeights>, PathBuf),
    /// The mapping of a file, and notes on how it was found.
    Mapping(TakeMap, Vec<Note>, PathBuf),
    Sound(Arc<Sound>, PathBuf),
    Markers(ImportedMarkers, PathBuf),
    /// Shapes that were added to the head of the request.
    Shapes {
        /// The head of the request, without the shapes.
        before: HeadId,
        head: Box<HeadOnGpu>,
        shapes: Vec<ShapeFile>,
        /// How each file was matched, or why it was refused.
        report: ShapesReport,
    },
    HeadWithShapes {
        head: Box<HeadOnGpu>,
        source: HeadSource,
        shapes: Vec<ShapeFile>,
        /// How each file was matched, or why it was refused.
        report: ShapesReport,
    },
    Reloaded(Box<Reloaded>),
    /// A head could not be read again: what is wrong with its file, or with which of its shapes.
    NotReloaded(String),
    /// Another version of the head that is open, and where it came from.
    Version(Box<HeadOnGpu>, Arc<Version>, HeadSource),
}

pub struct Reloaded {
    pub head: HeadOnGpu,
    pub before: Arc<Head>,
    pub changes: HeadChanges,
}

pub(super) struct Load<'a> {
    pub gpu: &'a Gpu,
    pub precision: Precision,
    /// Whether nothing besides its clips and its default weights moves a head, so that the first picture of one without
    /// either needs no deltas.
    pub at_rest: bool,
    pub progress: Progress<'a>,
}

impl LoadRequest {
    pub fn name(&self) -> String {
        match self {
            Self::Head(source) => source.name(),
            Self::File(path, _) | Self::Solve(_, path) | Self::Dropped(_, path) => {
                HeadSource::File(path.clone()).name()
            }
            Self::Shapes(_, files) => match &files[..] {
                [file] => HeadSource::File(file.path.clone()).name(),
                files => format!("{} shapes", files.len()),
            },
            Self::MeshFiles(_, files) => format!("{} files", files.len()),
            Self::Project(pending) => pending.name(),
            Self::Reload(reload) => reload.source.name(),
            Self::Version(_, source) | Self::Fit(_, _, source) => source.name(),
        }
    }

    /// Whether the head that is open is read again, because its files have changed.
    pub(super) fn is_reload(&self) -> bool {
        matches!(self, Self::Reload(_))
    }

    /// Reads the files, and uploads a head to the GPU.
    pub(super) fn load(self, load: &Load<'_>) -> Result<Loaded, LoadError> {
        match self {
            Self::Head(source) => load.head(read(&source, load.progress)?, source),
            Self::File(path, content) => {
                let content = content.unwrap_or_else(|| import::content_of(&path));
                load.file(path, content)
            }
            Self::Dropped(open, path) => load.dropped(&open, path),
            Self::Solve(head, path) => load.solved(&head, path),
            Self::Fit(head, version, source) => load.fitted(&head, &version, &source),
            Self::Shapes(head, files) => load.shapes(&head, files),
            Self::MeshFiles(open, files) => match mesh_files::classify(&open, files) {
                MeshFiles::ShapesOfOpenHead(files) => load.shapes(&open, files),
                MeshFiles::HeadWithShapes { neutral, shapes } => load.head_with_shapes(neutral, shapes),
            },
            Self::Project(pending) => load.project(pending),
            Self::Reload(reload) => load.reloaded(reload),
            Self::Version(of, source) => load.version(&of, source),
        }
    }
}

fn read(source: &HeadSource, progress: Progress<'_>) -> Result<Head, ImportError> {
    match source {
        HeadSource::Embedded => import::embedded(),
        HeadSource::File(path) => import::open_with(path, progress),
    }
}

/// Whether a path holds frames of meshes, and no head.
fn is_recording(path: &Path) -> bool {
    has_meshes(path) || import::content_of(path) == Content::Frames
}

fn has_meshes(folder: &Path) -> bool {
    let mut files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    folder.is_dir() && files.any(|file| OBJ.matches(&file.path()))
}

impl Load<'_> {
    /// A file that was asked for, as one of this content.
    fn file(&self, path: PathBuf, content: Content) -> Result<Loaded, LoadError> {
        Ok(match content {
            Content::Head => {
                // An absolute path, so that a head that is read again is recognised however it was named.
                let path = std::path::absolute(&path).unwrap_or(path);
                return self.head(import::open_with(&path, self.progress)?, HeadSource::File(path));
            }
            Content::Project => match PendingProject::read(&path) {
                Ok(project) => return self.project(Box::new(project)),
                Err(ProjectError::Broken { problem, backup: Some(backup), .. }) => {
                    Loaded::BrokenProject { problem: problem.to_string(), file: path, backup }
                }
                Err(error) => return Err(error.into()),
            },
            Content::Takes => {
                let takes = import::open_takes_with(&path, self.progress)?;
                let sound = sound_beside(&path, self.progress)?;
                Loaded::Takes(takes, path, sound)
            }
            Content::Poses => Loaded::Poses(import::open_poses(&path)?, path),
            Content::Mapping => Loaded::Mapping(import::open_mapping(&path)?, Vec::new(), path),
            Content::Sound => {
                let sound = audio::open(&path, self.progress).map_err(|error| LoadError::Other(error.to_string()))?;
                Loaded::Sound(Arc::new(sound), path)
            }
            Content::Markers => Loaded::Markers(import::open_markers(&path)?, path),
            // The window asks for these with the head.
            Content::Frames => return Err(LoadError::Other("it holds meshes over time, and needs a head".into())),
        })
    }

    /// A file that was dropped on a head.
    fn dropped(&self, open: &Arc<Head>, path: PathBuf) -> Result<Loaded, LoadError> {
        if is_recording(&path) {
            return self.solved(open, path);
        }
        match import::content_of(&path) {
            Content::Head => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let head = import::open_with(&path, self.progress)?;
                if import::may_be_frames(open, &head) {
                    return Ok(Loaded::HeadOrFrames(path));
                }
                self.head(head, HeadSource::File(path))
            }
            content => self.file(path, content),
        }
    }

    /// A head that was read. Of one that nothing moves, the deltas are uploaded later.
    fn head(&self, head: Head, source: HeadSource) -> Result<Loaded, LoadError> {
        let turns_tangents = head.meshes.iter().any(|mesh| Normals::default().turns_tangents(mesh));
        let moves = !head.clips.is_empty() || head.default_weights().iter().any(|weight| *weight != 0.0);
        let is_at_rest = self.at_rest && !moves && !turns_tangents;
        let head = if is_at_rest { self.upload(head)? } else { self.upload_all(head)? };
        Ok(Loaded::Head(head, source))
    }

    fn solved(&self, head: &Arc<Head>, path: PathBuf) -> Result<Loaded, LoadError> {
        let settings = SolveSettings::default();
        let solved = import::solve_frames(head, &path, Matching::Auto, None, &settings, self.progress)?;
        Ok(Loaded::Solved(Box::new(OfHead::with(head, solved)), path))
    }

    fn fitted(&self, head: &Head, version: &Version, source: &HeadSource) -> Result<Loaded, LoadError> {
        let fitted = fit_mapping(head, version, |_| true, self.progress);
        let fitted = fitted.map_err(|problem| LoadError::Other(problem.to_string()))?;
        let left = listed(&fitted.left_in_words(), 60);
        let message = format!("what is left of each movement, at most: {left}");
        let notes = vec![Note::info(Subject::All(Kind::Column), message)];
        Ok(Loaded::Mapping(fitted.map, notes, PathBuf::from(source.name())))
    }

    fn shapes(&self, head: &Arc<Head>, files: Vec<ShapeFile>) -> Result<Loaded, LoadError> {
        let before = HeadId::new(head);
        let (head, shapes, report) = mesh_files::add_shapes(head, files, self.progress)?;
        Ok(Loaded::Shapes { before, head: self.upload_all(head)?, shapes, report })
    }

    fn head_with_shapes(&self, neutral: PathBuf, shapes: Vec<ShapeFile>) -> Result<Loaded, LoadError> {
        let head = import::open_with(&neutral, self.progress)?;
        let (head, shapes, report) = mesh_files::add_shapes(&head, shapes, self.progress)?;
        let head = self.upload_all(head)?;
        Ok(Loaded::HeadWithShapes { head, source: HeadSource::File(neutral), shapes, report })
    }

    fn project(&self, project: Box<PendingProject>) -> Result<Loaded, LoadError> {
        let (head, missing_shapes) = match project.project.open_head(self.progress) {
            Ok(opened) => opened,
            Err(error) => return Ok(Loaded::ProjectWithoutHead(project, error.to_string())),
        };
        let head = self.upload_all(head)?;
        self.progress.report("reading takes", 0.97).map_err(UploadError::Cancelled)?;
        let takes = project.project.read_takes(head.head());
        let source = project.project.head.source();
        Ok(Loaded::Project { head, source, project, takes, missing_shapes })
    }

    fn reloaded(&self, reload: Reload) -> Result<Loaded, LoadError> {
        let Reload { head: before, source, shapes } = reload;
        let mut head = read(&source, self.progress)?;
        if !shapes.is_empty() {
            let (with_shapes, report) = import::add_shapes(&head, &shapes, self.progress)?;
            // A shape that cannot be read now would be gone from the head. One that could not be read before is not on
            // it.
            if let Some(refused) = report.refused.into_iter().next()
                && before.channels.iter().any(|channel| with_shapes.channel_named(&channel.full_name).is_none())
            {
                return Err(LoadError::Other(refused.problem));
            }
            head = with_shapes;
        }
        let changes = HeadChanges::between(&before, &head);
        let head = *self.upload_all(head)?;
        Ok(Loaded::Reloaded(Box::new(Reloaded { head, before, changes })))
    }

    fn version(&self, of: &Arc<Head>, source: HeadSource) -> Result<Loaded, LoadError> {
        if let HeadSource::File(path) = &source
            && is_recording(path)
        {
            let recorded = import::recorded_frames(of, path, self.progress)?;
            let head = self.upload_all(recorded.head)?;
            let version = Version::of_frames(of, head.head().clone(), recorded.times_secs);
            return Ok(Loaded::Version(head, Arc::new(version), source));
        }
        let head = self.upload_all(read(&source, self.progress)?)?;
        self.progress.report("comparing the heads", 0.99).map_err(UploadError::Cancelled)?;
        let version = import::version_of(of, head.head().clone());
        Ok(Loaded::Version(head, Arc::new(version), source))
    }

    /// Uploads a head but for its deltas, which the picture of most heads at rest does not need.
    fn upload(&self, head: Head) -> Result<Box<HeadOnGpu>, LoadError> {
        self.progress.report("sorting vertices", 0.9).map_err(UploadError::Cancelled)?;
        let order = Arc::new(VertexOrder::new(&head));
        self.progress.report("uploading to the GPU", 0.91).map_err(UploadError::Cancelled)?;
        let progress = self.progress.part(0.91..0.96);
        Ok(Box::new(HeadOnGpu::for_window(self.gpu, Arc::new(head), order, self.precision, progress)?))
    }

    fn upload_all(&self, head: Head) -> Result<Box<HeadOnGpu>, LoadError> {
        let mut head = self.upload(head)?;
        self.progress.report("packing deltas", 0.96).map_err(UploadError::Cancelled)?;
        head.take_deltas();
        Ok(head)
    }
}

/// The sound beside a capture, decoded, and its file. A film without sound and a damaged file are no reason to refuse
/// the capture; the log says what is wrong with them.
fn sound_beside(capture: &Path, progress: Progress<'_>) -> Result<Option<(Arc<Sound>, PathBuf)>, ImportError> {
    let Some(path) = sound_file(capture) else { return Ok(None) };
    match audio::open(&path, progress.named("decoding the sound beside it")) {
        Ok(sound) => Ok(Some((Arc::new(sound), path))),
        Err(SoundError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => {
            log::warn!("{}, which is beside a capture, {error}", path.display());
            Ok(None)
        }
    }
}

/// The sound file of the same name in the folder of a capture.
fn sound_file(capture: &Path) -> Option<PathBuf> {
    let folder = capture.parent().filter(|_| CAPTURE_TABLE.matches(capture))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let alike = entries.filter(|path| path.file_stem() == capture.file_stem() && SOUND.matches(path) && path.is_file());
    alike.min_by_key(|path| {
        let own = path.extension().map(|extension| extension.to_ascii_lowercase());
        SOUND.extensions.iter().position(|extension| own.as_deref() == Some(extension.as_ref()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_of_a_capture_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["take 3.csv", "take 3.mov", "take 3.txt", "take 4.wav", "take 3.json"] {
            std::fs::write(at(name), "").unwrap();
        }
        assert_eq!(sound_file(&at("take 3.csv")), Some(at("take 3.mov")));
        std::fs::write(at("take 3.WAV"), "").unwrap();
        assert_eq!(sound_file(&at("take 3.csv")), Some(at("take 3.WAV")), "a sound before a film");
        assert_eq!(sound_file(&at("take 3.json")), None, "only beside a table");
        assert_eq!(sound_file(&at("take 5.csv")), None);
    }
}
