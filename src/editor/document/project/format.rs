//! The format of a project file: the edits, and what they belong to. The names of the fields are those of the JSON.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use smirk_base::json::{self, JsonError};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, HeadSource, Landmark, Matching, Note, SculptedOn, ShapeFile, SurfacePoint};
use smirk_face::motion::{Clock, ColumnMatching, PlayHead};
use smirk_files::import::{self, ImportError};
use smirk_scene::{BlendMode, Viewpoint};
use smirk_session::{ClipName, Edits, FileRef, Session, TakeEntry, TakeId, TimingOf};

/// The content of a project file. Fields that a file does not have get the value of a new session; fields of the file
/// that are not listed here are ignored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Project {
    /// [`Self::KIND`], which tells a project from Smirk's other JSON files.
    smirk: &'static str,
    version: u32,
    pub head: HeadRef,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeRecord>,
    /// Everything that the artist has made. Takes are without their curves, which stay in the captures.
    #[serde(flatten)]
    pub edits: Edits,
    pub camera: Option<Viewpoint>,
    pub mode: Option<BlendMode>,
    pub playback: Option<Timeline>,
    /// Which edits the file does not have because it is of a version without them.
    #[serde(skip)]
    pub(super) lacks: Lacking,
}

/// Edits whose value in a new session depends on the head or the takes, if a file does not have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lacking {
    /// The poses are those that the head comes with.
    pub(super) poses: bool,
    /// The frame rate is that of a take.
    pub(super) timeline: bool,
}

/// What is read of a project besides the edits.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Frame {
    head: HeadRef,
    shapes: Vec<ShapeRecord>,
    camera: Option<Viewpoint>,
    mode: Option<BlendMode>,
    playback: Option<Timeline>,
    poses: Option<IgnoredAny>,
    timeline: Option<IgnoredAny>,
}

/// A project as a part of another file.
#[derive(Deserialize)]
struct Inner<T> {
    project: T,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadRef {
    #[default]
    Embedded,
    File(FileRef),
}

impl HeadRef {
    pub fn from_source(source: &HeadSource) -> Self {
        match source {
            HeadSource::Embedded => Self::Embedded,
            HeadSource::File(path) => Self::File(FileRef::new(path)),
        }
    }

    pub fn source(&self) -> HeadSource {
        match self {
            Self::Embedded => HeadSource::Embedded,
            Self::File(file) => HeadSource::File(file.to_path_buf()),
        }
    }
}

/// A file whose shape was imported onto the head. The head is put together again when the project opens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShapeRecord {
    /// Empty for the bundled head.
    pub file: FileRef,
    /// How its vertices are matched with those of the head.
    pub matching: Matching,
    /// Where features of the head are, as far as the artist has shown them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<Landmark, SurfacePoint>,
    #[serde(skip_serializing_if = "SculptedOn::is_empty")]
    pub sculpted_on: SculptedOn,
}

impl ShapeRecord {
    fn new(shape: &ShapeFile) -> Self {
        let ShapeFile { matching, points, sculpted_on, .. } = shape.clone();
        Self { file: shape.file().map(FileRef::new).unwrap_or_default(), matching, points, sculpted_on }
    }

    fn shape_file(&self) -> ShapeFile {
        let is_bundled = self.file.as_os_str().is_empty();
        let source = if is_bundled { HeadSource::Embedded } else { HeadSource::File(self.file.to_path_buf()) };
        let points = self.points.clone().into_iter();
        let points = points.filter_map(|(landmark, point)| Some((landmark, point.within_reason()?)));
        let sculpted_on = self.sculpted_on.clone();
        ShapeFile { source, matching: self.matching, points: points.collect(), sculpted_on }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timeline {
    /// The clip of the head that plays, by name.
    pub clip: Option<String>,
    /// How many clips of that name come before it.
    #[serde(skip_serializing_if = "is_first")]
    pub clip_turn: usize,
    /// Other clips that play together with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_clips: Vec<ClipName>,
    /// Starts again at the end.
    pub looping: bool,
    /// Seconds of the timeline per second.
    pub speed: f32,
}

impl Default for Timeline {
    fn default() -> Self {
        let PlayHead { looping, speed, .. } = Clock::new(false).timeline;
        Self { clip: None, clip_turn: 0, more_clips: Vec::new(), looping, speed }
    }
}

impl Timeline {
    pub(super) fn clips(&self) -> Vec<ClipName> {
        let first = self.clip.as_ref().map(|name| ClipName { name: name.clone(), turn: self.clip_turn });
        first.into_iter().chain(self.more_clips.iter().cloned()).collect()
    }

    pub(super) fn set_clips(&mut self, clips: Vec<ClipName>) {
        let mut clips = clips.into_iter();
        let first = clips.next();
        self.clip_turn = first.as_ref().map_or(0, |clip| clip.turn);
        self.clip = first.map(|clip| clip.name);
        self.more_clips = clips.collect();
    }
}

fn is_first(nth: &usize) -> bool {
    *nth == 0
}

impl Default for Project {
    fn default() -> Self {
        Self {
            smirk: Self::KIND,
            version: Self::VERSION,
            head: HeadRef::Embedded,
            shapes: Vec::new(),
            edits: Edits::default(),
            camera: None,
            mode: None,
            playback: None,
            lacks: Lacking::default(),
        }
    }
}

impl Project {
    /// The value of `"smirk"` in a project file.
    pub const KIND: &str = "project";
    /// The version of the format that this program writes, and the newest that it reads.
    pub const VERSION: u32 = 1;

    pub fn from_session(session: &Session) -> Self {
        let PlayHead { looping, speed, .. } = session.clock.timeline;
        let mut timeline = Timeline { looping, speed, ..Timeline::default() };
        timeline.set_clips(session.clip_names().to_vec());
        let mut project = Self {
            head: HeadRef::from_source(&session.source),
            shapes: session.edits.shapes.iter().map(ShapeRecord::new).collect(),
            edits: without_curves((*session.edits).clone()),
            camera: Some(Viewpoint::from_camera(&session.camera)),
            mode: Some(session.mode),
            playback: Some(timeline),
            ..Self::default()
        };
        project.map_files(FileRef::absolute);
        project
    }

    pub(super) fn from_json(bytes: &[u8]) -> Result<Self, JsonError> {
        Ok(Self::from_parts(json::read(bytes)?, json::read(bytes)?))
    }

    /// Reads the project of an object that has it as `project`.
    pub(in crate::document) fn within_json(bytes: &[u8]) -> Result<Self, JsonError> {
        let (frame, edits) = (json::read::<Inner<Frame>>(bytes)?, json::read::<Inner<Edits>>(bytes)?);
        Ok(Self::from_parts(frame.project, edits.project))
    }

    fn from_parts(frame: Frame, mut edits: Edits) -> Self {
        for (place, entry) in edits.takes.iter_mut().enumerate() {
            entry.id = TakeId(place as u32);
        }
        edits.put_notes_in_order();
        Self {
            head: frame.head,
            shapes: frame.shapes,
            edits,
            camera: frame.camera,
            mode: frame.mode,
            playback: frame.playback,
            lacks: Lacking { poses: frame.poses.is_none(), timeline: frame.timeline.is_none() },
            ..Self::default()
        }
    }

    /// The references to all files: the head, shapes, captures, sounds and the reference.
    pub(super) fn file_refs(&mut self) -> impl Iterator<Item = &mut FileRef> {
        let head = match &mut self.head {
            HeadRef::Embedded => None,
            HeadRef::File(file) => Some(file),
        };
        let shapes = self.shapes.iter_mut().map(|record| &mut record.file);
        head.into_iter().chain(shapes).chain(self.edits.files_mut())
    }

    pub(super) fn map_files(&mut self, change: impl Fn(&FileRef) -> FileRef) {
        self.file_refs().for_each(|file| *file = change(file));
    }

    /// Whether the head has to be framed anew: the project has no camera, or one that does not show a head of this
    /// size.
    pub fn needs_framing(&self, head: &Head) -> bool {
        self.camera.is_none_or(|viewpoint| !viewpoint.is_in_reach_of(head.bounds))
    }

    /// Opens the head and imports its shapes. Returns a note on each shape that could not be imported; poses and keys
    /// keep the names of their channels.
    pub fn open_head(&self, progress: Progress<'_>) -> Result<(Head, Vec<Note>), ImportError> {
        let head = match self.head.source() {
            HeadSource::Embedded => import::embedded()?,
            HeadSource::File(path) => import::open_with(&path, progress)?,
        };
        let head = head.turned_as_chosen(self.edits.axes.within_reason());
        if self.shapes.is_empty() {
            return Ok((head, Vec::new()));
        }
        let (head, report) = import::add_shapes(&head, &self.shape_files(), progress)?;
        Ok((head, report.missing()))
    }

    pub fn shape_files(&self) -> Vec<ShapeFile> {
        self.shapes.iter().map(ShapeRecord::shape_file).collect()
    }
}

/// The edits as a file has them: a take is its position in the list, and without its recorded data. How columns find
/// their channels belongs to the settings.
fn without_curves(edits: Edits) -> Edits {
    let index = |take: Option<TakeId>| {
        let place = edits.takes.iter().position(|entry| Some(entry.id) == take)?;
        Some(TakeId(place as u32))
    };
    let (take, compared_take) = (index(edits.take), index(edits.compared_take));
    let timing_for_all = match edits.timing_for_all {
        Some(TimingOf::Take(id)) => index(Some(id)).map_or(Some(TimingOf::Head), |place| Some(TimingOf::Take(place))),
        other => other,
    };
    let takes =
        (0..).zip(edits.takes).map(|(place, entry)| TakeEntry { id: TakeId(place), ..entry.without_data(None) });
    let takes = takes.collect();
    Edits { takes, take, compared_take, timing_for_all, matching: ColumnMatching::default(), ..edits }
}
