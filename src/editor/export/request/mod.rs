//! What the Export page of the window asks for: a kind of export with its settings, and the work that is made of it.

mod error;
mod forecast;
mod work;

use serde::{Deserialize, Serialize};

use super::{
    AnimationFormat, AnimationKeys, Dither, FilmFormat, FilmSettings, FilmSound, FrameSpan, Labels, MeshFormat,
    MeshSettings, PictureFormat, PictureSettings, SequenceSettings, SpanError, TwoFaces,
};
use crate::session::{Session, SheetOf};
use smirk_base::file_kind::{self, FileKind};
use smirk_face::motion::FrameRate;

pub use error::ExportError;
pub use forecast::ExportForecast;
pub use work::{DrawnExport, ExportReport, ExportWork, FileExport};

/// What is exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A film.
    Film,
    /// Many small pictures on one.
    Sheet,
}

impl ExportKind {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Animation, Self::Head, Self::Mesh, Self::Pictures, Self::Film, Self::Sheet];

    /// The name on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Animation => "Animation",
            Self::Head => "Head",
            Self::Mesh => "Mesh",
            Self::Pictures => "Pictures",
            Self::Film => "Film",
            Self::Sheet => "Contact sheet",
        }
    }

    /// What it is in the middle of a sentence, with its article.
    pub fn in_sentence(self) -> &'static str {
        match self {
            Self::Animation => "the animation",
            Self::Head => "the head",
            Self::Mesh => "the mesh",
            Self::Pictures => "the pictures",
            Self::Film => "the film",
            Self::Sheet => "the contact sheet",
        }
    }
}

/// Which frames are exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameChoice {
    /// From the in point to the out point.
    #[default]
    InToOut,
    /// Those of the whole timeline.
    All,
}

/// What happens if a file of a sequence is there already. For a single file, the system's dialog asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExistingFiles {
    /// Nothing is written, and the artist is told.
    #[default]
    Stop,
    /// They are replaced.
    Replace,
    /// Whole pictures of the same size are kept; only missing ones are drawn. Files of meshes are not replaced either.
    Keep,
}

/// What is to be exported, and how. Each kind reads the settings that matter for it, and leaves the others as they are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ExportRequest {
    /// What is exported.
    pub kind: ExportKind,
    /// Which frames.
    pub frames: FrameChoice,
    /// Of pictures and meshes: whether only the current frame is exported.
    pub is_one_moment: bool,
    /// Frames per second; `None` for those of the timeline.
    pub rate: Option<FrameRate>,
    /// What happens if a file of a sequence is there.
    pub existing: ExistingFiles,
    /// The format of animations.
    pub animation: AnimationFormat,
    /// Whether a file of an animation also holds the head.
    pub with_head: bool,
    /// Whether an animation has a key at every frame.
    pub is_sampled: bool,
    /// The largest distance of an animation with fewer keys from the weights.
    pub tolerance: f32,
    /// Whether every take is a clip of the file.
    pub all_takes: bool,
    /// The format of meshes.
    pub mesh: MeshFormat,
    /// Whether meshes of which nothing can be seen are left out.
    pub only_visible: bool,
    /// Width and height of pictures in pixels.
    pub size: [u32; 2],
    /// Samples of a picture.
    pub samples: u32,
    /// Whether pictures have no background.
    pub is_transparent: bool,
    /// What is written on pictures.
    pub labels: Labels,
    /// How B is on pictures too; `None` if it is not.
    pub compared: Option<TwoFaces>,
    /// Whether the reference is on pictures.
    pub with_reference: bool,
    /// Whether the camera goes around the head.
    pub is_turning: bool,
    /// The seconds of a turn.
    pub turn_secs: f32,
    /// The format of numbered pictures.
    pub picture: PictureFormat,
    /// The format of films.
    pub film: FilmFormat,
    /// How a GIF shows colours between those of its palette.
    pub dither: Dither,
    /// Whether a film that can have sound has that of what plays.
    pub with_sound: bool,
    /// What a contact sheet shows.
    pub sheet: SheetOf,
    /// Whether a contact sheet is a PDF.
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
            is_sampled: false,
            tolerance: Self::LEAST_TOLERANCE,
            all_takes: false,
            mesh: MeshFormat::Obj,
            only_visible: false,
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
            dither: Dither::default(),
            with_sound: true,
            sheet: SheetOf::Expressions,
            is_pdf: false,
        }
    }
}

impl ExportRequest {
    /// The most samples of a picture.
    pub const MOST_SAMPLES: u32 = 4096;
    /// The smallest tolerance of keys, with which nothing is lost.
    pub const LEAST_TOLERANCE: f32 = AnimationKeys::LOSSLESS;
    /// The largest tolerance of keys.
    pub const MOST_TOLERANCE: f32 = 0.1;
    /// The shortest and the longest turn of the camera.
    pub const TURN_SECS: [f32; 2] = [0.5, 600.0];

    /// The request with every number within its limits, whatever was read from a file.
    pub fn within_reason(self) -> Self {
        let finite = |value: f32, otherwise: f32| if value.is_finite() { value } else { otherwise };
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
            turn_secs: finite(self.turn_secs, 8.0).clamp(least, most),
            ..self
        }
    }

    /// The kind of the files that are written.
    pub fn file_kind(&self) -> &'static FileKind {
        match self.kind {
            ExportKind::Animation => self.animation.file_kind(),
            ExportKind::Head => &file_kind::GLB,
            ExportKind::Mesh => self.mesh.file_kind(),
            ExportKind::Pictures => self.picture.file_kind(),
            ExportKind::Film => self.film.file_kind(),
            ExportKind::Sheet if self.is_pdf => &file_kind::PDF,
            ExportKind::Sheet => &file_kind::PNG,
        }
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

    /// Whether every take becomes a clip of the file.
    fn is_of_all_takes(&self, session: &Session) -> bool {
        let may_be = self.kind == ExportKind::Animation && self.all_takes && self.animation.can_hold_clips();
        may_be && session.edits.playable_takes().next().is_some()
    }

    /// Whether nothing plays, and the camera goes around the head once.
    fn is_turn_alone(&self, session: &Session) -> bool {
        let is_drawn = matches!(self.kind, ExportKind::Pictures | ExportKind::Film);
        is_drawn && self.is_turning && session.timeline_secs() == 0.0
    }

    /// Whether every frame has a file of its own.
    pub fn is_sequence(&self, session: &Session) -> bool {
        let has_file_each = match self.kind {
            ExportKind::Pictures => true,
            ExportKind::Mesh => self.mesh == MeshFormat::Obj,
            ExportKind::Animation | ExportKind::Head | ExportKind::Film | ExportKind::Sheet => false,
        };
        has_file_each && !self.is_still(session)
    }

    /// The frames.
    pub fn span(&self, session: &Session) -> Result<FrameSpan, SpanError> {
        let rate = self.rate.unwrap_or(session.edits.timeline.rate);
        if self.is_still(session) {
            let frame = rate.frame_at(session.clock.timeline.time_secs).round().max(0.0) as i64;
            return FrameSpan::new(rate, frame, frame);
        }
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

    fn sequence(&self, session: &Session) -> Result<SequenceSettings, SpanError> {
        let is_missing_only = self.existing == ExistingFiles::Keep && self.is_sequence(session);
        Ok(SequenceSettings { pictures: self.pictures(session), span: self.span(session)?, is_missing_only })
    }

    fn film(&self, session: &Session) -> Result<FilmSettings, SpanError> {
        let (pictures, span) = (self.pictures(session), self.span(session)?);
        Ok(FilmSettings { pictures, span, format: self.film, dither: self.dither, sound: self.sound(session) })
    }

    /// The sound of a film that has one. A turn of the camera alone shows no time of the timeline.
    fn sound(&self, session: &Session) -> Option<FilmSound> {
        let is_heard = self.with_sound && self.film.needs_ffmpeg() && !self.is_turn_alone(session);
        if is_heard { FilmSound::of(session) } else { None }
    }

    fn baked(&self, session: &Session) -> Result<MeshSettings, SpanError> {
        Ok(MeshSettings {
            format: self.mesh,
            normals: session.edits.look.normals,
            only_visible: self.only_visible,
            span: (!self.is_still(session)).then(|| self.span(session)).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
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
}
