//! What the Export page of the window asks for: a kind of export with its settings, and the work that is made of it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{
    AnimationClip, AnimationExport, AnimationFormat, AnimationKeys, AnimationSettings, Dither, ExportError, ExportPlan,
    Ffmpeg, FilmFormat, FilmPlan, FilmQuality, FilmSettings, FilmSound, FlattenedInBetweens, FrameSpan, FrameWork,
    HeadExport, Labels, LostMotion, MeshExport, MeshFormat, MeshSettings, NumberedPath, OutputPath, PictureFormat,
    PictureSettings, Renderers, SequencePlan, SequenceSettings, SheetContent, SheetSettings, SheetWork, TwoFaces,
};
use smirk_base::file_kind::{self, FileKind};
use smirk_base::progress::Progress;
use smirk_face::motion::FrameRate;
use smirk_picture::render::DrawError;
use smirk_session::{Session, SheetOf, TakeId};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
pub enum ExportKind {
    /// What plays, as weights over time.
    #[default]
    Animation,
    /// The head with everything that was added to it.
    Head,
    /// Deformed meshes, or their points over time.
    Mesh,
    /// One picture, or one for each frame.
    Pictures,
    Film,
    /// Many small pictures on one.
    #[strum(serialize = "Contact sheet")]
    Sheet,
}

impl ExportKind {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// What it is in the middle of a sentence, the title of the dialog that saves it, and its purpose.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Animation => {
                ["the animation", "Export the animation", "What plays, as weights over time, for other programs"]
            }
            Self::Head => [
                "the head",
                "Save the head",
                "The head as one file, with imported shapes, skins, clips, materials, cameras and lights",
            ],
            Self::Mesh => {
                ["the mesh", "Export the mesh", "The face as it is, as meshes without shapes; or its points over time"]
            }
            Self::Pictures => {
                ["the pictures", "Export pictures", "One picture, or one for each frame with its number in the name"]
            }
            Self::Film => ["the film", "Export a film", "What plays, as one file that moves"],
            Self::Sheet => {
                ["the contact sheet", "Save a contact sheet", "Many small pictures with their names on one sheet"]
            }
        }
    }

    pub fn label(self) -> &'static str {
        self.into()
    }

    pub fn in_sentence(self) -> &'static str {
        self.words()[0]
    }

    pub fn dialog_title(self) -> &'static str {
        self.words()[1]
    }

    pub fn purpose(self) -> &'static str {
        self.words()[2]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameChoice {
    #[default]
    InToOut,
    All,
}

/// What happens if a file of a sequence is there already. For a single file, the system's dialog asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExistingFiles {
    /// Nothing is written, and the artist is told.
    #[default]
    Stop,
    Replace,
    /// Whole pictures of the same size are kept; only missing ones are drawn. Files of meshes are not replaced either.
    Keep,
}

/// What is to be exported, and how. Each kind reads the settings that matter for it, and leaves the others as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportRequest {
    pub kind: ExportKind,
    pub frames: FrameChoice,
    /// Of pictures and meshes: whether only the current frame is exported.
    pub is_one_moment: bool,
    /// Frames per second; `None` for those of the timeline.
    pub rate: Option<FrameRate>,
    pub existing: ExistingFiles,
    pub animation: AnimationFormat,
    pub with_head: bool,
    /// Of a head: whether it is written as a VRM avatar.
    pub is_vrm: bool,
    /// Of a head: the millimetres that a vertex of a shape may be off; `None` for numbers as they are.
    pub max_error_mm: Option<f32>,
    /// Of a head with such an error: whether it is compressed too.
    pub is_compressed: bool,
    pub is_sampled: bool,
    /// The largest distance of an animation with fewer keys from the weights.
    pub tolerance: f32,
    pub all_takes: bool,
    pub mesh: MeshFormat,
    pub only_visible: bool,
    /// Of heads and meshes, also of heads with an animation: whether they are written upright, as they are shown, and
    /// not with the axes of their files.
    pub as_shown: bool,
    /// Width and height of pictures in pixels.
    pub size: [u32; 2],
    pub samples: u32,
    pub is_transparent: bool,
    pub labels: Labels,
    /// How B is on pictures too; `None` if it is not.
    pub compared: Option<TwoFaces>,
    pub with_reference: bool,
    /// Whether the camera goes around the head.
    pub is_turning: bool,
    pub turn_secs: f32,
    pub picture: PictureFormat,
    pub film: FilmFormat,
    /// Of a film whose format has one.
    pub quality: FilmQuality,
    pub dither: Dither,
    pub with_sound: bool,
    pub sheet: SheetOf,
    pub is_pdf: bool,
}

impl Default for ExportRequest {
    fn default() -> Self {
        Self {
            kind: ExportKind::default(),
            frames: FrameChoice::default(),
            is_one_moment: false,
            rate: None,
            existing: ExistingFiles::default(),
            animation: AnimationFormat::Gltf,
            with_head: true,
            is_vrm: false,
            max_error_mm: None,
            is_compressed: false,
            is_sampled: false,
            tolerance: Self::LEAST_TOLERANCE,
            all_takes: false,
            mesh: MeshFormat::Obj,
            only_visible: false,
            as_shown: false,
            size: [1280, 720],
            samples: 16,
            is_transparent: false,
            labels: Labels::default(),
            compared: None,
            with_reference: false,
            is_turning: false,
            turn_secs: 8.0,
            picture: PictureFormat::default(),
            film: FilmFormat::WebP,
            quality: FilmQuality::default(),
            dither: Dither::default(),
            with_sound: true,
            sheet: SheetOf::Expressions,
            is_pdf: false,
        }
    }
}

impl ExportRequest {
    pub const MOST_SAMPLES: u32 = 4096;
    /// The smallest tolerance of keys, with which nothing is lost.
    pub const LEAST_TOLERANCE: f32 = AnimationKeys::LOSSLESS;
    pub const MOST_TOLERANCE: f32 = 0.1;
    /// The errors of a head that can be asked for, in millimetres.
    pub const ERRORS_MM: [f32; 2] = [1e-3, 5.0];
    pub const USUAL_ERROR_MM: f32 = 0.05;
    pub const TURN_SECS: [f32; 2] = [0.5, 600.0];

    pub fn of_head() -> Self {
        Self { kind: ExportKind::Head, ..Self::default() }
    }

    pub fn of_sheet(sheet: SheetOf) -> Self {
        Self { kind: ExportKind::Sheet, sheet, ..Self::default() }
    }

    /// The request with every number within its limits, whatever was read from a file.
    pub fn within_reason(self) -> Self {
        let [least, most] = Self::TURN_SECS;
        let compared = self.compared.map(|compared| match compared {
            TwoFaces::Beside => TwoFaces::Beside,
            TwoFaces::Over(opacity) => TwoFaces::Over(finite(opacity, 0.5).clamp(0.0, 1.0)),
        });
        Self {
            compared,
            rate: self.rate.map(|rate| FrameRate::nearest(rate.frames_per_sec())),
            tolerance: finite(self.tolerance, 0.0).clamp(Self::LEAST_TOLERANCE, Self::MOST_TOLERANCE),
            size: self.size.map(|side| side.clamp(1, PictureSettings::MOST_SIDE)),
            samples: self.samples.min(Self::MOST_SAMPLES),
            max_error_mm: self.max_error_mm.map(|error| {
                let [least, most] = Self::ERRORS_MM;
                finite(error, least).clamp(least, most)
            }),
            turn_secs: finite(self.turn_secs, 8.0).clamp(least, most),
            ..self
        }
    }

    pub fn file_kind(&self) -> &'static FileKind {
        match self.kind {
            ExportKind::Animation => self.animation.file_kind(),
            ExportKind::Head if self.is_vrm => &file_kind::VRM,
            ExportKind::Head => &file_kind::GLB,
            ExportKind::Mesh => self.mesh.file_kind(),
            ExportKind::Pictures => self.picture.file_kind(),
            ExportKind::Film => self.film.file_kind(),
            ExportKind::Sheet if self.is_pdf => &file_kind::PDF,
            ExportKind::Sheet => &file_kind::PNG,
        }
    }

    /// The request with the format whose extension was typed after the name of the file, if this kind of export has
    /// one.
    pub fn named_as(self, path: &Path) -> Self {
        let others: Vec<Self> = match self.kind {
            // Several formats of animations have one extension.
            ExportKind::Animation => {
                AnimationFormat::of_path(path).map(|animation| Self { animation, ..self }).into_iter().collect()
            }
            ExportKind::Mesh => MeshFormat::ALL.iter().map(|&mesh| Self { mesh, ..self }).collect(),
            ExportKind::Pictures => PictureFormat::ALL.iter().map(|&picture| Self { picture, ..self }).collect(),
            ExportKind::Film => FilmFormat::ALL.iter().map(|&film| Self { film, ..self }).collect(),
            ExportKind::Sheet => [false, true].map(|is_pdf| Self { is_pdf, ..self }).into(),
            ExportKind::Head => [false, true].map(|is_vrm| Self { is_vrm, ..self }).into(),
        };
        std::iter::once(self).chain(others).find(|request| request.file_kind().matches(path)).unwrap_or(self)
    }

    /// What a suggested name of the file ends with, after the name of the document.
    pub fn suffix(&self, session: &Session) -> String {
        let what = match self.kind {
            ExportKind::Animation => " animation",
            ExportKind::Head => " head",
            ExportKind::Mesh => " mesh",
            ExportKind::Pictures | ExportKind::Film => "",
            ExportKind::Sheet => match self.sheet {
                SheetOf::Poses => " poses",
                SheetOf::Expressions => " expressions",
                SheetOf::Moments => " over time",
                SheetOf::Notes => " notes",
            },
        };
        let number = if self.is_sequence(session) { ".####" } else { "" };
        format!("{what}{number}.{}", self.file_kind().extension())
    }

    /// Whether only the face as it is now is exported: because it was asked for, or because nothing else is there.
    pub fn is_still(&self, session: &Session) -> bool {
        let is_one = (self.is_one_moment && session.timeline_secs() > 0.0) || !self.moves(session);
        match self.kind {
            ExportKind::Mesh => match self.mesh {
                MeshFormat::Glb => true,
                MeshFormat::Obj => is_one,
                MeshFormat::Pc2 | MeshFormat::Mdd => false,
            },
            ExportKind::Pictures => is_one,
            ExportKind::Animation | ExportKind::Film => false,
            ExportKind::Head | ExportKind::Sheet => true,
        }
    }

    /// Whether there is something that moves: what plays, every take, or the camera around a head at rest.
    pub fn moves(&self, session: &Session) -> bool {
        session.timeline_secs() > 0.0 || self.is_turn_alone(session) || self.is_of_all_takes(session)
    }

    fn is_of_all_takes(&self, session: &Session) -> bool {
        let may_be = self.kind == ExportKind::Animation && self.all_takes && self.animation.can_hold_clips();
        may_be && session.edits.playable_takes().next().is_some()
    }

    fn is_turn_alone(&self, session: &Session) -> bool {
        let is_drawn = matches!(self.kind, ExportKind::Pictures | ExportKind::Film);
        is_drawn && self.is_turning && session.timeline_secs() == 0.0
    }

    pub fn is_sequence(&self, session: &Session) -> bool {
        self.has_file_for_each_frame() && !self.is_still(session)
    }

    /// Whether every frame would have a file of its own, so that one frame can be written alone.
    pub fn has_file_for_each_frame(&self) -> bool {
        match self.kind {
            ExportKind::Pictures => true,
            ExportKind::Mesh => self.mesh == MeshFormat::Obj,
            ExportKind::Animation | ExportKind::Head | ExportKind::Film | ExportKind::Sheet => false,
        }
    }

    pub fn can_be_transparent(&self) -> bool {
        self.kind != ExportKind::Film || self.film.has_alpha()
    }

    /// The format of a film that only ffmpeg makes, if such a one is exported.
    pub fn film_of_ffmpeg(&self) -> Option<FilmFormat> {
        Some(self.film).filter(|film| self.kind == ExportKind::Film && film.needs_ffmpeg())
    }

    /// The frames; none of a still, which shows the session as it is.
    fn span_unless_still(&self, session: &Session) -> Result<Option<FrameSpan>, ExportError> {
        (!self.is_still(session)).then(|| self.span(session)).transpose()
    }

    fn span(&self, session: &Session) -> Result<FrameSpan, ExportError> {
        let rate = self.rate.unwrap_or(session.edits.timeline.rate);
        if self.is_turn_alone(session) {
            let count = (f64::from(self.turn_secs) * rate.frames_per_sec()).round().max(1.0);
            return FrameSpan::new(rate, 0, count as i64 - 1);
        }
        match self.frames {
            FrameChoice::InToOut => FrameSpan::of_session(session, rate),
            FrameChoice::All => FrameSpan::of_timeline(session, rate),
        }
    }

    /// Millions of samples of pixels of one picture: its time follows from them.
    pub fn megasamples(&self) -> f64 {
        let [width, height] = self.size.map(f64::from);
        let layers = if matches!(self.compared, Some(TwoFaces::Over(_))) { 2.0 } else { 1.0 };
        width * height * layers * f64::from(self.samples.max(1)) / 1e6
    }

    fn pictures(&self, session: &Session) -> PictureSettings {
        PictureSettings {
            size: self.size,
            samples: self.samples,
            camera: session.camera,
            turn_secs: self.is_turning.then_some(self.turn_secs),
            mode: session.mode,
            is_transparent: self.is_transparent,
            labels: self.labels,
            compared: self.compared,
            with_reference: self.with_reference,
        }
    }

    fn sequence(&self, session: &Session) -> Result<SequenceSettings, ExportError> {
        let is_missing_only = self.existing == ExistingFiles::Keep && self.is_sequence(session);
        let (pictures, span) = (self.pictures(session), self.span_unless_still(session)?);
        Ok(SequenceSettings { pictures, span, is_missing_only })
    }

    fn film(&self, session: &Session) -> Result<FilmSettings, ExportError> {
        let (pictures, span) = (self.pictures(session), self.span(session)?);
        let (format, quality, sound) = (self.film, self.quality, self.sound(session));
        Ok(FilmSettings { pictures, span, format, quality, dither: self.dither, sound })
    }

    /// The sound of a film that has one. A turn of the camera alone shows no time of the timeline.
    fn sound(&self, session: &Session) -> Option<FilmSound> {
        let is_heard = self.with_sound && self.film.needs_ffmpeg() && !self.is_turn_alone(session);
        session.sound().filter(|_| is_heard).map(FilmSound::from)
    }

    fn baked(&self, session: &Session) -> Result<MeshSettings, ExportError> {
        Ok(MeshSettings {
            format: self.mesh,
            normals: session.edits.look.normals,
            only_visible: self.only_visible,
            span: self.span_unless_still(session)?,
        })
    }
}

fn finite(value: f32, otherwise: f32) -> f32 {
    if value.is_finite() { value } else { otherwise }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExportForecast {
    pub files: usize,
    /// The frames; none of what does not move.
    pub span: Option<FrameSpan>,
    /// The number of frames of all clips; 1 of what does not move. Of a contact sheet, the number of its pictures.
    pub frames: usize,
    /// About how many bytes all files take; none if that is not known.
    pub bytes: Option<u64>,
    /// Millions of samples of pixels to draw: the time of pictures follows from it.
    pub megasamples: f64,
}

impl ExportForecast {
    pub fn new(session: &Session, request: &ExportRequest) -> Result<Self, ExportError> {
        if !request.is_still(session) && !request.moves(session) {
            return Err(nothing_moves());
        }
        let span = request.span_unless_still(session)?;
        let frames = span.map_or(1, |span| span.count());
        let megasamples = request.megasamples() * frames as f64;
        let name = format!("export.{}", request.file_kind().extension());
        let anywhere = OutputPath::new(NumberedPath::with_place(name.as_ref()));
        let ExportPlan { files, frames, bytes } = match request.kind {
            ExportKind::Animation => request.animation_export(session, anywhere)?.plan(),
            ExportKind::Head => HeadExport::new(session.head.clone(), anywhere).plan(),
            ExportKind::Mesh => request.mesh_export(session, anywhere)?.plan(),
            ExportKind::Pictures => {
                let settings = request.sequence(session)?;
                settings.check(session, request.picture)?;
                let bytes = Some(settings.estimated_bytes(request.picture, frames));
                return Ok(Self { files: frames, span, frames, bytes, megasamples });
            }
            ExportKind::Film => {
                let settings = request.film(session)?;
                settings.check(session)?;
                return Ok(Self { files: 1, span, frames, bytes: Some(settings.estimated_bytes()), megasamples });
            }
            ExportKind::Sheet => {
                let count = sheet_pictures(session, request.sheet)?;
                let cell = f64::from(SheetSettings::default().cell_px);
                let megasamples = count as f64 * cell * cell * 1.25 / 1e6;
                return Ok(Self { files: 1, span: None, frames: count, bytes: None, megasamples });
            }
        };
        Ok(Self { files, span, frames, bytes: Some(bytes), megasamples: 0.0 })
    }
}

fn sheet_pictures(session: &Session, of: SheetOf) -> Result<usize, ExportError> {
    let (count, missing) = match of {
        SheetOf::Expressions if session.head.channels.is_empty() => (0, "this head has no expressions"),
        SheetOf::Expressions => (session.head.channels.len() + 1, ""),
        SheetOf::Poses => (session.edits.poses.len(), "save a pose first"),
        SheetOf::Moments if session.timeline_secs() == 0.0 => return Err(nothing_moves()),
        SheetOf::Moments => (SheetContent::DEFAULT_MOMENTS, ""),
        SheetOf::Notes => (session.edits.notes.iter().filter(|note| note.moment.is_some()).count(), "add a note first"),
    };
    if count == 0 { Err(failed!("there is nothing to put on the sheet: {missing}")) } else { Ok(count) }
}

/// The work of an export. The session is copied, so that editing goes on and does not change it.
pub enum ExportWork {
    /// It needs no graphics device, and runs on a thread of its own.
    File(FileExport),
    Drawn(Box<DrawnWork>),
}

#[derive(Debug)]
pub enum FileExport {
    Animation(AnimationExport),
    Head(HeadExport),
    Mesh(Box<MeshExport>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// The size of all files; 0 if it was not counted.
    pub bytes: u64,
    pub unmapped_channels: Vec<String>,
    pub lost_motion: Option<LostMotion>,
    pub flattened: Option<FlattenedInBetweens>,
    pub left_out: Vec<String>,
    pub unseen: Option<String>,
}

impl FileExport {
    pub fn run(self, progress: Progress<'_>) -> Result<ExportReport, ExportError> {
        match self {
            Self::Animation(export) => {
                let report = export.run(progress)?;
                Ok(ExportReport {
                    bytes: report.bytes as u64,
                    unmapped_channels: report.unmapped_channels,
                    lost_motion: report.lost_motion,
                    flattened: report.flattened,
                    ..ExportReport::default()
                })
            }
            Self::Head(export) => {
                let written = export.run(progress)?;
                let left_out = export.left_out().into_iter().chain(written.in_words()).collect();
                Ok(ExportReport { left_out, ..report_of_bytes(written.bytes) })
            }
            Self::Mesh(export) => Ok(report_of_bytes(export.run(progress)?)),
        }
    }
}

fn report_of_bytes(bytes: u64) -> ExportReport {
    ExportReport { bytes, ..ExportReport::default() }
}

/// An export whose pictures are drawn in batches. Dropped before it is complete, it leaves only pictures that are
/// whole.
pub enum DrawnWork {
    Frames(Box<FrameWork>),
    Sheet(Box<SheetWork>, OutputPath),
}

impl DrawnWork {
    pub fn done(&self) -> usize {
        match self {
            Self::Frames(work) => work.done(),
            Self::Sheet(work, _) => work.done(),
        }
    }

    pub fn total(&self) -> usize {
        match self {
            Self::Frames(work) => work.total(),
            Self::Sheet(work, _) => work.total(),
        }
    }

    pub fn stage(&self) -> String {
        match self {
            Self::Frames(work) => work.stage(),
            Self::Sheet(work, _) => format!("picture {} of {}", work.done(), work.total()),
        }
    }

    /// Draws for about so long, at least one batch of a picture, and waits for nothing else. Returns whether there are
    /// more pictures; after the last, [`Self::finish`] is due.
    pub fn step_for(&mut self, renderers: &mut Renderers<'_>, most: Duration) -> Result<bool, ExportError> {
        match self {
            Self::Frames(work) => work.step_for(renderers, most),
            Self::Sheet(work, output) => {
                let is_more = renderers.renderer_for(work.head()).and_then(|renderer| work.step_for(renderer, most));
                is_more.map_err(|error| match error {
                    DrawError::HeadNotUploaded { .. } => {
                        let path = output.path().display();
                        failed!("the contact sheet {path} was cancelled: another head has been opened")
                    }
                    DrawError::Device(_) => error.into(),
                })
            }
        }
    }

    /// Waits until all files are in their places. It may be called on any thread.
    pub fn finish(self, progress: Progress<'_>) -> Result<ExportReport, ExportError> {
        let unseen = match self {
            Self::Frames(mut work) => {
                work.finish(progress)?;
                work.unseen()
            }
            Self::Sheet(work, output) => {
                let unseen = work.unseen();
                work.finish().save(&output)?;
                unseen
            }
        };
        Ok(ExportReport { unseen, ..ExportReport::default() })
    }
}

impl ExportRequest {
    /// Begins the export of a session. Nothing is written before this returns, but for the unfinished file of a film.
    pub fn start(&self, session: &Session, output: OutputPath) -> Result<ExportWork, ExportError> {
        if !self.is_still(session) && !self.moves(session) {
            return Err(nothing_moves());
        }
        let is_sequence = self.is_sequence(session);
        let output = if is_sequence { output.with_path(NumberedPath::with_place(output.path())) } else { output };
        Ok(match self.kind {
            ExportKind::Animation => ExportWork::File(FileExport::Animation(self.animation_export(session, output)?)),
            ExportKind::Head => {
                let head = session.mended_head();
                // An avatar stands upright in its file.
                let is_turned = (self.as_shown || self.is_vrm) && head.rig.is_turned();
                let head = if is_turned { Arc::new(head.written_upright()) } else { head };
                let export = HeadExport::new(head, output);
                let export = match self.max_error_mm {
                    Some(error) => export.within(error, self.is_compressed),
                    None => export,
                };
                ExportWork::File(FileExport::Head(export))
            }
            ExportKind::Mesh => {
                let export = self.mesh_export(&self.written(session), output)?;
                if is_sequence && self.existing != ExistingFiles::Replace {
                    refuse_existing(export.files())?;
                }
                ExportWork::File(FileExport::Mesh(Box::new(export)))
            }
            ExportKind::Pictures => {
                let name = output.path().file_name().unwrap_or_default();
                if !is_sequence && name.as_encoded_bytes().contains(&b'#') {
                    return Err(failed!(
                        "{}: in the name of a single picture, # would be replaced by a number. Choose a name \
                         without #",
                        output.path().display()
                    ));
                }
                let plan = SequencePlan::new(session, &output, self.sequence(session)?)?;
                if is_sequence && self.existing == ExistingFiles::Stop {
                    refuse_existing(plan.files.iter().map(|(_, path)| path.clone()))?;
                }
                ExportWork::Drawn(Box::new(DrawnWork::Frames(Box::new(plan.start(session)))))
            }
            ExportKind::Film => {
                let plan = FilmPlan::new(session, &output, self.film(session)?)?;
                ExportWork::Drawn(Box::new(DrawnWork::Frames(Box::new(plan.start(session, Ffmpeg::find)?))))
            }
            ExportKind::Sheet => {
                output.check()?;
                let sheet = SheetWork::of_session(session, self.sheet)?;
                ExportWork::Drawn(Box::new(DrawnWork::Sheet(Box::new(sheet), output)))
            }
        })
    }

    /// The session whose head is written.
    fn written<'a>(&self, session: &'a Session) -> Cow<'a, Session> {
        match self.as_shown && session.head.rig.is_turned() {
            true => Cow::Owned(session.clone().written_upright()),
            false => Cow::Borrowed(session),
        }
    }

    fn animation_export(&self, session: &Session, output: OutputPath) -> Result<AnimationExport, ExportError> {
        let keys = if self.is_sampled { AnimationKeys::Sampled } else { AnimationKeys::Within(self.tolerance) };
        let settings = AnimationSettings { format: self.animation, keys, with_head: self.with_head };
        AnimationExport::new(self.clips(&self.written(session))?, settings, output)
    }

    fn mesh_export(&self, session: &Session, output: OutputPath) -> Result<MeshExport, ExportError> {
        MeshExport::new(session, self.baked(session)?, output)
    }

    fn clips(&self, session: &Session) -> Result<Vec<AnimationClip>, ExportError> {
        let takes: Vec<TakeId> = session.edits.playable_takes().map(|entry| entry.id).collect();
        if self.all_takes && self.animation.can_hold_clips() && !takes.is_empty() {
            return AnimationClip::of_takes(session, &takes, |session| self.span(session));
        }
        Ok(vec![AnimationClip::of_session(session, self.span(session)?)])
    }
}

fn nothing_moves() -> ExportError {
    failed!(
        "nothing moves: choose a take or a clip in the transport bar, or set keys; for pictures and films, a turntable will do"
    )
}

fn refuse_existing(mut files: impl Iterator<Item = PathBuf>) -> Result<(), ExportError> {
    let Some(path) = files.find(|path| path.exists()) else { return Ok(()) };
    Err(failed!(
        "{} is there already, and perhaps others of its frames: choose another name or folder, or say under “If files exist” \
         that they are replaced or kept",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::{AnimationFormat, ExportForecast, FrameChoice};
    use smirk_base::progress::Cancelled;
    use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Part, Target, Track, Vertices};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    use super::*;

    #[test]
    fn numbers_from_a_file_are_limited() {
        let wild = ExportRequest {
            rate: Some(serde_json::from_str("-3").unwrap()),
            tolerance: f32::NAN,
            size: [0, u32::MAX],
            samples: u32::MAX,
            turn_secs: f32::INFINITY,
            compared: Some(TwoFaces::Over(f32::NAN)),
            ..ExportRequest::default()
        };
        let tame = wild.within_reason();
        assert_eq!(tame.rate, Some(FrameRate::nearest(FrameRate::LIMITS[0])));
        assert_eq!((tame.size, tame.samples), ([1, PictureSettings::MOST_SIDE], ExportRequest::MOST_SAMPLES));
        assert_eq!((tame.tolerance, tame.turn_secs), (ExportRequest::LEAST_TOLERANCE, 8.0));
        assert_eq!(tame.compared, Some(TwoFaces::Over(0.5)));
        assert_eq!(ExportRequest::default().within_reason(), ExportRequest::default());
    }

    fn session() -> Session {
        let corners = [glam::Vec3::ZERO, glam::Vec3::X, glam::Vec3::Y];
        let mesh = Mesh {
            vertices: Vertices { positions: corners.to_vec(), normals: vec![glam::Vec3::Z; 3], ..Vertices::default() },
            indices: vec![0, 1, 2],
            parts: vec![Part { first_index: 0, index_count: 3, material: 0, flat_shaded: false }],
            targets: vec![Target::from_dense("jawOpen".into(), 0.0, &[glam::Vec3::Y; 3], &[], &[])],
            ..Mesh::default()
        };
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], vec![0.0, 1.0], 1).unwrap();
        let clip = Clip::new("open".into(), vec![Track { first_target: 0, curve }]);
        let head = Head::new(Asset { name: "a".into(), meshes: vec![mesh], clips: vec![clip], ..Asset::default() });
        let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        session.clock.timeline.time_secs = 1.0;
        session
    }

    fn run(request: &ExportRequest, session: &Session, path: PathBuf) -> Result<ExportReport, ExportError> {
        match request.start(session, OutputPath::new(path))? {
            ExportWork::File(export) => export.run(Progress::NONE),
            ExportWork::Drawn(_) => panic!("it needs a graphics device"),
        }
    }

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn every_file_that_was_foretold_is_written_and_nothing_is_replaced_unasked() {
        let (folder, session) = (tempfile::tempdir().unwrap(), session());
        let obj = ExportRequest { kind: ExportKind::Mesh, ..ExportRequest::default() };
        let forecast = ExportForecast::new(&session, &obj).unwrap();
        assert_eq!((forecast.files, forecast.frames), (61, 61));
        let path = folder.path().join("face.obj");
        let report = run(&obj, &session, path.clone()).unwrap();
        assert!(report.bytes > 0 && folder.path().join("face.0060.obj").exists());
        assert_eq!(files(folder.path()), forecast.files);
        std::fs::remove_file(folder.path().join("face.0000.obj")).unwrap();
        let refused = run(&obj, &session, path.clone()).unwrap_err();
        assert!(refused.to_string().contains("face.0001.obj is there already"), "{refused}");
        assert_eq!(files(folder.path()), forecast.files - 1, "nothing was written");
        run(&ExportRequest { existing: ExistingFiles::Replace, ..obj }, &session, path.clone()).unwrap();
        assert_eq!(files(folder.path()), forecast.files);
        let one = ExportRequest { is_one_moment: true, ..obj };
        assert_eq!(ExportForecast::new(&session, &one).unwrap().files, 1);
        run(&one, &session, path.clone()).unwrap();
        assert!(path.exists(), "a single file has the name that was chosen");
    }

    #[test]
    fn a_still_has_no_frames_and_shows_the_session_as_it_is() {
        let session = session();
        let moving = ExportRequest { kind: ExportKind::Pictures, ..ExportRequest::default() };
        assert_eq!(moving.sequence(&session).unwrap().span.map(|span| span.frames()), Some(0..=60));
        let still = ExportRequest { is_one_moment: true, ..moving };
        assert_eq!(still.sequence(&session).unwrap().span, None);
    }

    #[test]
    fn animations_of_every_format_are_about_as_large_as_foretold() {
        let (folder, mut session) = (tempfile::tempdir().unwrap(), session());
        session.timeline_mut().edit_range(|timeline| timeline.set_in(Some(0.5)));
        for &animation in AnimationFormat::ALL {
            let request = ExportRequest { animation, is_sampled: true, ..ExportRequest::default() };
            let forecast = ExportForecast::new(&session, &request).unwrap();
            assert_eq!(forecast.frames, 46, "{animation:?}");
            let all = ExportRequest { frames: FrameChoice::All, ..request };
            assert_eq!(ExportForecast::new(&session, &all).unwrap().frames, 61);
            let path = folder.path().join(format!("{}.{}", animation.keyword(), request.file_kind().extension()));
            let bytes = run(&request, &session, path.clone()).unwrap().bytes;
            assert_eq!(bytes, std::fs::metadata(&path).unwrap().len());
        }
    }

    #[test]
    fn an_animation_of_any_format_can_be_cancelled_while_it_is_written() {
        let (folder, session) = (tempfile::tempdir().unwrap(), session());
        for &animation in AnimationFormat::ALL {
            // A table of keys is written channel by channel, the others frame by frame or target by target.
            let request = ExportRequest { animation, is_sampled: true, ..ExportRequest::default() };
            let output = OutputPath::new(folder.path().join(animation.keyword()));
            let Ok(ExportWork::File(export)) = request.start(&session, output) else { panic!("{animation:?}") };
            let begun = std::cell::Cell::new(false);
            let cancelled = export.run(Progress::new(&|stage, _| {
                begun.set(!stage.starts_with("frame "));
                if begun.get() { Err(Cancelled) } else { Ok(()) }
            }));
            assert!(matches!(cancelled, Err(ExportError::Cancelled(_))) && begun.get(), "{animation:?}");
        }
        assert_eq!(files(folder.path()), 0);
    }

    #[test]
    fn a_head_at_rest_has_a_turntable_and_no_animation() {
        let mut session = session();
        session.clips_mut().select(None);
        let of = |kind, is_turning| {
            let request = ExportRequest { kind, is_turning, turn_secs: 2.0, ..ExportRequest::default() };
            ExportForecast::new(&session, &request).map(|forecast| forecast.frames).map_err(|error| error.to_string())
        };
        assert_eq!(of(ExportKind::Film, true), Ok(60));
        assert_eq!((of(ExportKind::Pictures, false), of(ExportKind::Pictures, true)), (Ok(1), Ok(60)));
        for kind in [ExportKind::Film, ExportKind::Animation] {
            assert!(of(kind, false).unwrap_err().contains("nothing moves"));
        }
        assert!(of(ExportKind::Animation, true).is_err());
    }
}
