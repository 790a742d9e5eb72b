//! What the loader can be requested to load, and what it has loaded.

mod sound;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::load_error::LoadError;
use super::mesh_files::{self, MeshFiles};
use crate::document::{PendingProject, ProjectError, TakeFiles};
use smirk_analysis::mend::{Mend, MendCache};
use smirk_analysis::solve::{SolveSettings, fit_mapping};
use smirk_analysis::transfer::{Landmarks, TransferError, landmarks};
use smirk_base::file_kind::{Content, OBJ};
use smirk_base::progress::Progress;
use smirk_face::head::{
    Head, HeadChanges, HeadId, Kind, Matching, Note, ShapeFile, Standing, Subject, Version, listed,
};
use smirk_face::motion::{Take, TakeMap};
use smirk_files::audio::{self, Sound};
use smirk_files::import::{self, ImportError, ImportedMarkers, NamedWeights, ShapesReport};
use smirk_graphics::blend::{LaidOut, Precision, VertexOrder};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadOnGpu, UploadError};
use smirk_scene::Normals;
use smirk_session::{HeadSource, Mending, OpenVersion, TakeId};
use sound::sound_beside;

/// What to load. What is about a head is about the one that is open.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadRequest {
    Head(HeadSource),
    /// The bundled head, without any work.
    New,
    /// A file as what it holds, by [`import::content_of`], or as a content that it can be opened as.
    File(PathBuf, Option<Content>),
    Shapes(Vec<ShapeFile>),
    /// Mesh files that were dropped together on a head: a neutral face and shapes of it, or only shapes of the head.
    MeshFiles(Vec<PathBuf>),
    /// The same, although by their numbers they may be the frames of an animation.
    SeparateMeshes(Vec<PathBuf>),
    Project(Box<PendingProject>),
    /// The mapping that moves the head as another version of it.
    Fit(OpenVersion),
    /// A file that is dropped on a head, or opened while it is shown: it is asked what to do with a model whose
    /// vertices are those of the head, and that has none of its channels.
    Dropped(PathBuf),
    /// The open head again, since its files have changed.
    Reload(HeadSource, Vec<ShapeFile>),
    /// The open head with these shapes added, and no others.
    WithShapes(HeadSource, Vec<ShapeFile>),
    /// Where the features of the open head are, for shapes of another one.
    Features(HeadSource),
    Version(HeadSource),
    /// The open head, turned to be upright if it stands so in its file.
    Turn(Standing),
    /// The open head as it was read, with these mends.
    Mend(Vec<Mend>),
    /// A `File` or a `Version` whose frames have no times of their own, at so many frames a second.
    AtRate(Box<LoadRequest>, f32),
    /// A `File` for a take whose data is missing.
    MissingTake(Box<LoadRequest>, TakeId),
}

/// What opening a file asks before it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenQuestion {
    pub title: String,
    pub text: String,
    pub choices: Vec<OpenChoice>,
}

/// A button, what it does in a few words, and what is loaded then.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenChoice {
    pub label: Cow<'static, str>,
    pub explanation: String,
    pub request: LoadRequest,
}

/// What was loaded. Heads are on the GPU.
pub enum Loaded {
    Head(Box<HeadOnGpu>, HeadSource),
    New(Box<HeadOnGpu>),
    /// A project with the files that it names.
    Project {
        head: Box<HeadOnGpu>,
        source: HeadSource,
        project: Box<PendingProject>,
        takes: TakeFiles,
        /// Notes on imported shapes that could not be read.
        missing_shapes: Vec<Note>,
    },
    /// It depends on the artist what is loaded.
    Question(OpenQuestion),
    /// A project whose head does not open, and why.
    ProjectWithoutHead(Box<PendingProject>, String),
    /// What was made for the head that was open when it was requested.
    ForHead {
        head: HeadId,
        loaded: Box<Loaded>,
        /// What was not done if another head is open by now.
        failure: &'static str,
        /// What was done, and notes on it.
        title: String,
        notes: Vec<Note>,
    },
    /// The takes of a file as what it was opened as, and the sound beside it with its file.
    Takes {
        takes: Vec<Take>,
        content: Content,
        file: PathBuf,
        /// The take whose data was missing, if the file was opened for one.
        missing: Option<TakeId>,
        sound: Option<(Arc<Sound>, PathBuf)>,
    },
    Poses(Vec<NamedWeights>, PathBuf),
    /// The mapping of a file, and notes on how it was found.
    Mapping(TakeMap, Vec<Note>, PathBuf),
    Sound(Arc<Sound>, PathBuf),
    Markers(ImportedMarkers, PathBuf),
    /// Shapes that were added to the head of the request.
    Shapes {
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
    Turned(Box<HeadOnGpu>),
    /// The head with mends; without it, the mends change nothing of what is shown.
    Mended(Option<Box<HeadOnGpu>>, Mending),
    Reloaded(Box<Reloaded>),
    /// The head with these shapes added, and no others.
    WithShapes(Box<HeadOnGpu>, Vec<ShapeFile>),
    /// The features of the head, or why shapes cannot be carried over to it; and whose shapes they would be.
    Features(Result<Box<Landmarks>, TransferError>, HeadSource),
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
    /// The head that is open.
    pub open: Arc<Head>,
    /// The same as it was read, without mends.
    pub unmended: Arc<Head>,
    pub gpu: &'a Gpu,
    pub precision: Precision,
    /// Whether nothing besides its clips and its default weights moves a head, so that the first picture of one without
    /// either needs no deltas.
    pub at_rest: bool,
    pub progress: Progress<'a>,
    /// The rate that was chosen for frames without times.
    pub frames_per_sec: Option<f32>,
    pub mending: &'a Mutex<MendWork>,
}

/// What is kept from one list of mends to the next, so that the face follows a number that is dragged.
#[derive(Debug, Default)]
pub(super) struct MendWork {
    cache: MendCache,
    /// The order of the vertices of a head as it was read: that of all heads that mends of its shapes make.
    order: Option<(Arc<Head>, Arc<VertexOrder>)>,
    /// The last mended head, whose deltas the next one takes over as far as they are the same.
    laid_out: Option<LaidOut>,
}

impl LoadRequest {
    pub fn name(&self) -> String {
        match self {
            Self::Head(source) => source.name(),
            Self::New => HeadSource::Embedded.name(),
            Self::Turn(_) => "the turned head".into(),
            Self::Mend(_) => "the mended head".into(),
            Self::File(path, _) | Self::Dropped(path) => HeadSource::File(path.clone()).name(),
            Self::Shapes(files) => match &files[..] {
                [file] => file.source.name(),
                files => format!("{} shapes", files.len()),
            },
            Self::MeshFiles(files) | Self::SeparateMeshes(files) => format!("{} files", files.len()),
            Self::Project(pending) => pending.name(),
            Self::AtRate(request, _) | Self::MissingTake(request, _) => request.name(),
            Self::Reload(source, _)
            | Self::WithShapes(source, _)
            | Self::Features(source)
            | Self::Version(source)
            | Self::Fit(OpenVersion { source, .. }) => source.name(),
        }
    }

    /// Whether the head that is open is read again, because its files have changed.
    pub(super) fn is_reload(&self) -> bool {
        matches!(self, Self::Reload(..))
    }

    /// Whether nobody waits for it in front of a progress bar.
    pub(super) fn is_quiet(&self) -> bool {
        self.is_reload() || matches!(self, Self::Mend(_))
    }

    /// Reads the files, and uploads a head to the GPU.
    pub(super) fn load(self, load: &Load<'_>) -> Result<Loaded, LoadError> {
        match self {
            Self::Head(source) => load.head(read(&source, load.progress)?, source),
            Self::New => Ok(Loaded::New(load.upload_all(import::embedded()?)?)),
            Self::File(path, content) => {
                let content = content.unwrap_or_else(|| import::content_of(&path));
                load.file(path, content)
            }
            Self::Dropped(path) => load.dropped(path),
            Self::Fit(other) => load.fitted(&other),
            Self::Shapes(files) => load.shapes(files),
            Self::MeshFiles(files) => match import::sequence_of(&files).filter(|_| load.may_solve(&files)) {
                Some(pattern) => Ok(Loaded::Question(frames_or_shapes(pattern, files))),
                None => load.mesh_files(files),
            },
            Self::SeparateMeshes(files) => load.mesh_files(files),
            Self::Project(pending) => load.project(pending),
            Self::Reload(source, shapes) => load.reloaded(&source, &shapes),
            Self::WithShapes(source, shapes) => load.with_shapes(&source, shapes),
            Self::Features(source) => Ok(load.features(source)),
            Self::Version(source) => load.version(source),
            Self::Turn(standing) => load.turned(standing),
            Self::Mend(mends) => load.mended(mends),
            Self::AtRate(request, rate) => {
                let (open, unmended) = (load.open.clone(), load.unmended.clone());
                request.load(&Load { frames_per_sec: Some(rate), open, unmended, ..*load })
            }
            Self::MissingTake(request, take) => Ok(request.load(load)?.for_missing(take)),
        }
    }
}

impl Loaded {
    /// The same for a take whose data is missing, also after what is asked.
    fn for_missing(self, take: TakeId) -> Self {
        match self {
            Self::Takes { takes, content, file, sound, .. } => {
                Self::Takes { takes, content, file, missing: Some(take), sound }
            }
            Self::ForHead { head, loaded, failure, title, notes } => {
                Self::ForHead { head, loaded: Box::new(loaded.for_missing(take)), failure, title, notes }
            }
            Self::Question(mut question) => {
                for OpenChoice { request, .. } in &mut question.choices {
                    *request = LoadRequest::MissingTake(Box::new(request.clone()), take);
                }
                Self::Question(question)
            }
            other => other,
        }
    }
}

fn read(source: &HeadSource, progress: Progress<'_>) -> Result<Head, ImportError> {
    match source {
        HeadSource::Embedded => import::embedded(),
        HeadSource::File(path) => import::open_with(path, progress),
    }
}

fn file_name(path: &Path) -> String {
    HeadSource::File(path.to_owned()).name()
}

/// What to do with a model whose vertices are those of the head that is open, and that has none of its channels.
fn head_or_frames(path: &Path) -> OpenQuestion {
    let choice = |label: &'static str, explanation: &str, content| OpenChoice {
        label: label.into(),
        explanation: explanation.into(),
        request: LoadRequest::File(path.to_owned(), content),
    };
    OpenQuestion {
        title: format!("Open {}?", file_name(path)),
        text: "It has the vertices of the head that is open, and none of its channels. The weights that show its face can be solved.".into(),
        choices: vec![
            choice("Solve its weights", "Its animation becomes a take, a still mesh a pose", Some(Content::Frames)),
            choice("Open", "Open it as a head", None),
        ],
    }
}

/// What to do with numbered mesh files that have the vertices of the head that is open.
fn frames_or_shapes(pattern: PathBuf, files: Vec<PathBuf>) -> OpenQuestion {
    OpenQuestion {
        title: format!("Open {}?", file_name(&pattern)),
        text: "These meshes have the vertices of the head that is open, and their names are numbered. The weights that show their faces can be solved.".into(),
        choices: vec![
            OpenChoice {
                label: "Solve its weights".into(),
                explanation: "The meshes are the frames of a take".into(),
                request: LoadRequest::File(pattern, Some(Content::Frames)),
            },
            OpenChoice {
                label: "Open as shapes".into(),
                explanation: "Each mesh is a face or a shape of its own".into(),
                request: LoadRequest::SeparateMeshes(files),
            },
        ],
    }
}

/// Which of several arrays of a file holds the vertices.
fn which_array(path: &Path, arrays: Vec<(PathBuf, String)>) -> OpenQuestion {
    /// More would not fit into the window.
    const MOST: usize = 8;
    OpenQuestion {
        title: format!("Which array of {}?", file_name(path)),
        text: "The file has several arrays of vertices over time.".into(),
        choices: arrays
            .into_iter()
            .take(MOST)
            .map(|(path, shape)| OpenChoice {
                label: file_name(&path).into(),
                explanation: shape,
                request: LoadRequest::File(path, Some(Content::Frames)),
            })
            .collect(),
    }
}

/// At which rate frames are that have no times. What is loaded then is the request.
fn rate_of_frames(path: &Path, count: usize, request: &LoadRequest) -> OpenQuestion {
    const RATES: [(&str, f32); 6] =
        [("24 fps", 24.0), ("25 fps", 25.0), ("30 fps", 30.0), ("48 fps", 48.0), ("50 fps", 50.0), ("60 fps", 60.0)];
    OpenQuestion {
        title: format!("How many frames a second has {}?", file_name(path)),
        text: format!(
            "The file has {count} frames and does not say how fast they play. The edit Frame rate gives a take any other rate."
        ),
        choices: RATES
            .map(|(label, rate)| OpenChoice {
                label: label.into(),
                explanation: format!("It lasts {:.2} s", (count - 1) as f32 / rate),
                request: LoadRequest::AtRate(Box::new(request.clone()), rate),
            })
            .into(),
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
                Err(ProjectError::Broken { problem, backup: Some(backup), .. }) => Loaded::Question(OpenQuestion {
                    title: format!("{} did not open", file_name(&path)),
                    text: format!("{problem}. It can be mended in a text editor."),
                    choices: vec![OpenChoice {
                        label: "Open the backup".into(),
                        explanation: format!("{} is as it was one save earlier", file_name(&backup)),
                        request: LoadRequest::File(backup, None),
                    }],
                }),
                Err(error) => return Err(error.into()),
            },
            Content::Takes => {
                let mut takes = import::open_takes_with(&path, self.progress)?;
                let sound = sound_beside(&path, &mut takes, self.progress)?;
                Loaded::Takes { takes, content, file: path, missing: None, sound }
            }
            Content::Poses => Loaded::Poses(import::open_poses(&path)?, path),
            Content::Mapping => Loaded::Mapping(import::open_mapping(&path)?, Vec::new(), path),
            Content::Sound => {
                let sound = audio::open(&path, self.progress).map_err(|error| LoadError::Other(error.to_string()))?;
                Loaded::Sound(Arc::new(sound), path)
            }
            Content::Markers => Loaded::Markers(import::open_markers(&path)?, path),
            Content::Frames => return self.solved(path),
            Content::Shapes => return self.shapes(vec![ShapeFile::new(path, Matching::Auto)]),
        })
    }

    fn mesh_files(&self, files: Vec<PathBuf>) -> Result<Loaded, LoadError> {
        match mesh_files::classify(&self.open, files) {
            MeshFiles::ShapesOfOpenHead(files) => self.shapes(files),
            MeshFiles::HeadWithShapes { neutral, shapes } => self.head_with_shapes(neutral, shapes),
        }
    }

    /// Whether the first of some meshes may be the head that is open in another pose.
    fn may_solve(&self, files: &[PathBuf]) -> bool {
        let first = files.first().and_then(|file| import::open(file).ok());
        first.is_some_and(|model| import::may_be_frames(&self.open, &model))
    }

    /// A file that was dropped on a head.
    fn dropped(&self, path: PathBuf) -> Result<Loaded, LoadError> {
        if is_recording(&path) {
            return self.solved(path);
        }
        match import::content_of(&path) {
            Content::Head => {
                let path = std::path::absolute(&path).unwrap_or(path);
                let head = import::open_with(&path, self.progress)?;
                if import::may_be_frames(&self.open, &head) {
                    return Ok(Loaded::Question(head_or_frames(&path)));
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

    /// The weights that show the meshes of a file: a take, or a pose of a single mesh.
    fn solved(&self, path: PathBuf) -> Result<Loaded, LoadError> {
        let rate = self.frames_per_sec;
        let arrays = import::arrays_in(&path);
        if arrays.len() > 1 {
            return Ok(Loaded::Question(which_array(&path, arrays)));
        }
        if let Some(count) = import::frames_without_times(&path).filter(|_| rate.is_none()) {
            let request = LoadRequest::File(path.clone(), Some(Content::Frames));
            return Ok(Loaded::Question(rate_of_frames(&path, count, &request)));
        }
        let settings = SolveSettings::default();
        let solved = import::solve_frames(&self.open, &path, Matching::Auto, rate, &settings, self.progress)?;
        let title = format!("{} was solved: {}", file_name(&path), solved.left_in_words());
        let notes = solved.take.notes.clone();
        let loaded = if solved.is_pose {
            Loaded::Poses(vec![(solved.take.name.clone(), solved.weights(&self.open, 0))], path)
        } else {
            let takes = vec![solved.take_with_residual()];
            Loaded::Takes { takes, content: Content::Frames, file: path, missing: None, sound: None }
        };
        let (head, failure) = (HeadId::new(&self.open), "The weights were not solved");
        Ok(Loaded::ForHead { head, loaded: Box::new(loaded), failure, title, notes })
    }

    fn fitted(&self, OpenVersion { version, source, .. }: &OpenVersion) -> Result<Loaded, LoadError> {
        let fitted = fit_mapping(&self.open, version, |_| true, self.progress);
        let fitted = fitted.map_err(|problem| LoadError::Other(problem.to_string()))?;
        let left = listed(&fitted.left_in_words(), 60);
        let message = format!("what is left of each movement, at most: {left}");
        let notes = vec![Note::info(Subject::All(Kind::Column), message)];
        Ok(Loaded::Mapping(fitted.map, notes, PathBuf::from(source.name())))
    }

    fn shapes(&self, files: Vec<ShapeFile>) -> Result<Loaded, LoadError> {
        let (head, shapes, report) = mesh_files::add_shapes(&self.unmended, files, self.progress)?;
        let loaded = Loaded::Shapes { head: self.upload_all(head)?, shapes, report };
        Ok(self.for_head(loaded, "The shapes were not added"))
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

    fn reloaded(&self, source: &HeadSource, shapes: &[ShapeFile]) -> Result<Loaded, LoadError> {
        let before = self.open.clone();
        let (head, report) = self.read_with(source, shapes)?;
        // A shape that cannot be read now would be gone from the head. One that could not be read before is not on it.
        if let Some(refused) = report.refused.into_iter().next()
            && self.unmended.channels.iter().any(|channel| head.channel_named(&channel.full_name).is_none())
        {
            return Err(LoadError::Other(refused.problem));
        }
        let changes = HeadChanges::between(&self.unmended, &head);
        let head = *self.upload_all(head)?;
        Ok(Loaded::Reloaded(Box::new(Reloaded { head, before, changes })))
    }

    fn with_shapes(&self, source: &HeadSource, shapes: Vec<ShapeFile>) -> Result<Loaded, LoadError> {
        let (head, report) = self.read_with(source, &shapes)?;
        let loaded = Box::new(Loaded::WithShapes(self.upload_all(head)?, shapes));
        let (head, notes) = (HeadId::new(&self.open), report.missing());
        let title = if notes.is_empty() { "" } else { "Some shapes could not be read" };
        Ok(Loaded::ForHead { head, loaded, failure: "The shapes were not changed", title: title.to_owned(), notes })
    }

    /// The open head read again, with these shapes added and no others.
    fn read_with(&self, source: &HeadSource, shapes: &[ShapeFile]) -> Result<(Head, ShapesReport), LoadError> {
        let head = read(source, self.progress.part(0.0..0.2))?.turned_like(&self.open);
        if shapes.is_empty() {
            return Ok((head, ShapesReport::default()));
        }
        Ok(import::add_shapes(&head, shapes, self.progress.part(0.2..0.9))?)
    }

    fn features(&self, source: HeadSource) -> Loaded {
        let found = landmarks(&self.unmended).map(Box::new);
        self.for_head(Loaded::Features(found, source), "The shapes were not carried over")
    }

    /// What was made for the head that is open. `failure` says what was not done if another one is open by now.
    fn for_head(&self, loaded: Loaded, failure: &'static str) -> Loaded {
        let (head, loaded) = (HeadId::new(&self.open), Box::new(loaded));
        Loaded::ForHead { head, loaded, failure, title: String::new(), notes: Vec::new() }
    }

    fn version(&self, source: HeadSource) -> Result<Loaded, LoadError> {
        if let HeadSource::File(path) = &source
            && is_recording(path)
        {
            let rate = self.frames_per_sec;
            if let Some(count) = import::frames_without_times(path).filter(|_| rate.is_none()) {
                return Ok(Loaded::Question(rate_of_frames(path, count, &LoadRequest::Version(source.clone()))));
            }
            let recorded = import::recorded_frames(&self.open, path, rate, self.progress)?;
            let head = self.upload_all(recorded.head)?;
            let version = Version::of_frames(&self.open, head.head().clone(), recorded.times_secs);
            return Ok(Loaded::Version(head, Arc::new(version), source));
        }
        let head = self.upload_all(read(&source, self.progress)?.turned_like(&self.open))?;
        self.progress.report("comparing the heads", 0.99).map_err(UploadError::Cancelled)?;
        let version = import::version_of_with(&self.open, head.head().clone(), self.progress);
        let version = version.map_err(ImportError::from)?;
        Ok(Loaded::Version(head, Arc::new(version), source))
    }

    fn turned(&self, standing: Standing) -> Result<Loaded, LoadError> {
        let loaded = Loaded::Turned(self.upload_all(self.unmended.turned_to(standing))?);
        Ok(self.for_head(loaded, "The head was not turned"))
    }

    fn mended(&self, mends: Vec<Mend>) -> Result<Loaded, LoadError> {
        let unmended = self.unmended.clone();
        let mut work = self.mending.lock().unwrap_or_else(PoisonError::into_inner);
        let (head, changes) = work.cache.apply(&unmended, &mends);
        let head = head.unwrap_or_else(|| unmended.clone());
        let head = match (Arc::ptr_eq(&head, &self.open), changes.iter().flatten().any(|change| change.moves_rest)) {
            (true, _) => None,
            (false, true) => Some(self.upload_all(head)?),
            (false, false) => {
                work.order.take_if(|(of, _)| !Arc::ptr_eq(of, &unmended));
                let new = || (unmended.clone(), Arc::new(VertexOrder::new(&unmended)));
                let order = work.order.get_or_insert_with(new).1.clone();
                let mut loaded = self.upload_in(head, order)?;
                self.progress.report("packing deltas", 0.96).map_err(UploadError::Cancelled)?;
                let before = work.laid_out.take();
                work.laid_out = Some(loaded.take_deltas_like(before.as_ref()));
                Some(loaded)
            }
        };
        let loaded = Loaded::Mended(head, Mending { unmended, mends, changes });
        Ok(self.for_head(loaded, "The head was not mended"))
    }

    /// Uploads a head but for its deltas, which the picture of most heads at rest does not need.
    fn upload(&self, head: impl Into<Arc<Head>>) -> Result<Box<HeadOnGpu>, LoadError> {
        let head = head.into();
        self.progress.report("sorting vertices", 0.9).map_err(UploadError::Cancelled)?;
        let order = Arc::new(VertexOrder::new(&head));
        self.upload_in(head, order)
    }

    fn upload_in(&self, head: Arc<Head>, order: Arc<VertexOrder>) -> Result<Box<HeadOnGpu>, LoadError> {
        self.progress.report("uploading to the GPU", 0.91).map_err(UploadError::Cancelled)?;
        let progress = self.progress.part(0.91..0.96);
        Ok(Box::new(HeadOnGpu::for_window(self.gpu, head, order, self.precision, progress)?))
    }

    fn upload_all(&self, head: impl Into<Arc<Head>>) -> Result<Box<HeadOnGpu>, LoadError> {
        self.with_deltas(self.upload(head)?)
    }

    fn with_deltas(&self, mut head: Box<HeadOnGpu>) -> Result<Box<HeadOnGpu>, LoadError> {
        self.progress.report("packing deltas", 0.96).map_err(UploadError::Cancelled)?;
        head.take_deltas();
        Ok(head)
    }
}
